// Sites that generators built for the root of a host, moved by the command below a path and to a disk: Chromium opens every
// page, and follows every link.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

import { launch } from "./browser.js";
import { crawl, filesOf, serveHosts } from "./crawl.js";
import { ROOT, command, missing } from "./support.js";

/** Where the sites are built for. */
const OLD = "http://site.example/";
const PATH = "/sub/path/";

/** The hosts that the sites move to, with absolute URLs, relative references and paths. */
const ABSOLUTE = "absolute.example";
const RELATIVE = "relative.example";
const ROOT_RELATIVE = "root.example";

// In the package, so that Eleventy finds it among its dependencies.
const scratch = mkdtempSync(join(ROOT, "web/test-"));

let served;
let browser;
before(async () => {
  served = await serveHosts(PATH);
});
after(async () => {
  await browser?.close();
  served.server.close();
  rmSync(scratch, { recursive: true });
});

const MKDOCS = ["python3", "-m", "mkdocs"];
const SPHINX = ["python3", "-m", "sphinx"];

// Its script has the path of the site: for the search of this page, the site has to be built with the new one.
const MKDOCS_SCRIPTS = ["404.html"];
// Its script makes links to directories.
const SPHINX_SEARCH = ["search/index.html?q=plan"];

/** Each generator: the folder of its sources, the command that writes `../built`, and pages with a query that scripts read. */
const GENERATORS = {
  Hugo: {
    source: "hugo",
    build: ["hugo", "--quiet", "--destination", "../built"],
    version: ["hugo", "version"],
    searches: ["search/?q=First"],
  },
  Vite: {
    source: "vite",
    build: ["node", join(ROOT, "web/node_modules/vite/bin/vite.js"), "build"],
    version: ["node", "--version"],
    searches: [],
  },
  Eleventy: {
    source: "eleventy",
    build: ["node", join(ROOT, "web/node_modules/@11ty/eleventy/cmd.cjs"), "--quiet", "--output=../built"],
    version: ["node", "--version"],
    searches: ["search/?q=First"],
  },
  "MkDocs, theme mkdocs": {
    source: "mkdocs",
    build: [...MKDOCS, "build", "--quiet", "--site-dir", "../built"],
    version: [...MKDOCS, "--version"],
    searches: [],
    withoutScripts: MKDOCS_SCRIPTS,
  },
  "MkDocs, theme readthedocs": {
    source: "mkdocs",
    build: [...MKDOCS, "build", "--quiet", "--site-dir", "../built", "--config-file", "readthedocs.yml"],
    version: [...MKDOCS, "--version"],
    searches: ["search.html?q=deep"],
    withoutScripts: MKDOCS_SCRIPTS,
  },
  "Sphinx, builder html": {
    source: "sphinx",
    build: [...SPHINX, "-q", "-b", "html", "-d", "../cache", ".", "../built"],
    version: [...SPHINX, "--version"],
    searches: ["search.html?q=footnote"],
  },
  "Sphinx, builder dirhtml": {
    source: "sphinx",
    build: [...SPHINX, "-q", "-b", "dirhtml", "-d", "../cache", ".", "../built"],
    version: [...SPHINX, "--version"],
    searches: ["search/?q=footnote"],
    withoutScriptsOnDisk: SPHINX_SEARCH,
  },
};

let count = 0;

for (const [name, generator] of Object.entries(GENERATORS)) {
  test(`${name}: sites that moved`, async (test) => {
    const { source, build, version, searches, withoutScripts = [], withoutScriptsOnDisk = [] } = generator;
    const absolve = command(test);
    if (!absolve) return;
    const run = ([program, ...words], options) => spawnSync(program, words, { encoding: "utf8", ...options });
    if (run(version).status !== 0) return missing(test, name.split(",")[0]);
    browser ??= await launch(test, [`--host-resolver-rules=MAP * 127.0.0.1:${served.port}`]);
    if (!browser) return;

    const folder = join(scratch, String(count++));
    cpSync(join(ROOT, "web/tests/moved", source), join(folder, "source"), { recursive: true });
    execFileSync(build[0], build.slice(1), { cwd: join(folder, "source") });
    /** Moves the site to the folder `out`, and follows what is there as the URL `site`. */
    const move = async (out, words, site, { missing = [], starts = [] } = {}) => {
      const result = run([absolve, ...words, "built", "-o", out], { cwd: folder });
      assert.equal(result.status, 0, result.stderr);
      const place = join(folder, out);
      served.folders.set(new URL(site ?? "http://none/").host, place);
      const url = site ?? pathToFileURL(`${place}/`).href;
      const urls = (paths) => paths.map((path) => new URL(path, url).href);
      const pages = filesOf(place, ".html").map(encodeURI);
      const found = await crawl(browser, {
        start: urls([...pages, ...starts]),
        site: url,
        old: OLD,
        missing: urls(missing),
        withoutScripts: urls([...withoutScripts, ...(site ? [] : withoutScriptsOnDisk)]),
      });
      test.diagnostic(`${out}: ${found.pages} pages, ${found.urls} URLs, ${found.resources} resources`);
      assert.deepEqual(found.failures, []);
      assert.ok(found.pages >= pages.length && found.urls > found.pages);
    };

    const rewrite = ["rewrite", "--base-path", "/"];
    const moved = (host) => `http://${host}${PATH}`;
    const absent = withoutScripts.length > 0 ? [] : ["no/such/page", "no/such/dir/"];
    await move("absolute", ["rewrite", "--url", OLD, "--map", `${OLD}=${moved(ABSOLUTE)}`], moved(ABSOLUTE), {
      missing: absent,
      starts: searches,
    });
    // The page for a path that does not exist cannot have relative references.
    await move("relative", [...rewrite, "--map", `${OLD}=${moved(RELATIVE)}`, "--to", "relative"], moved(RELATIVE), {
      starts: searches,
    });
    const maps = ["--map", `/=${PATH}`, "--map", `${OLD}=${moved(ROOT_RELATIVE)}`];
    await move("root", [...rewrite, ...maps, "--to", "root-relative"], moved(ROOT_RELATIVE), {
      missing: absent,
      starts: searches,
    });
    await move("disk", [...rewrite, "--map", `${OLD}=/`, "--to", "relative", "--index-files", "explicit"]);
    await move("mirror", ["mirror", "--layout", "site", "--url", OLD]);
  });
}
