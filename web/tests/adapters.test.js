// Sites that their generators build with the adapters.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";

import Eleventy, { HtmlBasePlugin } from "@11ty/eleventy";
import rss, { feedPlugin } from "@11ty/eleventy-plugin-rss";
import posthtml from "posthtml";
import { build, createLogger } from "vite";

import absolveEleventy from "absolve/eleventy";
import absolvePosthtml from "absolve/posthtml";
import { rewriteFolder } from "absolve/site";
import absolveVite from "absolve/vite";

import { broken, linksOf, referencesOf } from "./built_site.js";
import { ROOT } from "./support.js";

const SITES = join(ROOT, "web/tests/sites");
// In the package, so that the projects find it and the generators by their names.
const scratch = mkdtempSync(join(ROOT, "web/test-"));
after(() => rmSync(scratch, { recursive: true }));

let builds = 0;

/** Builds the project for Eleventy, with more of its plugins and settings, and returns the folder. */
async function eleventy(pathPrefix, plugin, options, { before = [], after = [], ...settings } = {}) {
  const folder = join(scratch, `eleventy-${builds++}`);
  const project = join(SITES, "eleventy");
  // Eleventy takes paths relative to the current directory.
  const relative = (path) => `./${path.slice(resolve(".").length + 1)}`;
  const generator = new Eleventy(relative(project), relative(folder), {
    quietMode: true,
    pathPrefix,
    ...settings,
    config(config) {
      for (const added of before) config.addPlugin(...added);
      config.addPassthroughCopy({ [relative(join(project, "img"))]: "img" });
      if (plugin) config.addPlugin(plugin, options);
      for (const added of after) config.addPlugin(...added);
      if (plugin !== absolveEleventy) config.addFilter("absoluteLinks", (content) => content);
    },
  });
  await generator.write();
  return folder;
}

/** Returns text of XML without escapes. */
function unescaped(text) {
  const characters = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name) => characters[name]);
}

const BLOG = "https://example.org/blog/";

/** The home page of the project for Eleventy, without other plugins. */
const page = eleventy("/blog/", absolveEleventy, { url: "https://example.org/" }).then((folder) =>
  readFileSync(join(folder, "index.html"), "utf8"),
);

/** A feed that is no XML. */
const ILL_FORMED = '<rss version="2.0"><channel><title>Q & A</title><link>/</link></channel></rss>';
const REPORT = "left unchanged: ill-formed XML at line 1, column 38: `&` that does not begin a reference";

test("Eleventy: every link of a site below a path leads to a file or stays external", async (test) => {
  for (const [to, form] of [
    ["absolute", /^(https:\/\/|mailto:|#)/],
    ["root-relative", /^(\/blog\/|https:\/\/|mailto:|#)/],
    ["relative", /^(?!\/)/],
  ]) {
    await test.test(to, async () => {
      const folder = await eleventy("/blog/", absolveEleventy, { url: "https://example.org/", to });
      const links = linksOf(folder, BLOG);
      assert.ok(links.length > 40);
      assert.deepEqual(broken(links, folder, BLOG), []);
      for (const { name, reference } of links) {
        assert.match(reference, form, name);
      }
      // Only the canonical links of the three pages are absolute in the project.
      const own = links.filter(({ reference }) => reference.startsWith("https://example.org/"));
      assert.ok(to === "absolute" ? own.length > 30 : own.length === 3, String(own.length));
      const page = readFileSync(join(folder, "index.html"), "utf8");
      assert.ok(page.includes('<a href="#top">'), "references to the page itself");
      assert.ok(page.includes(`text = '<a href="/not-a-link">'`), "text of scripts");
      assert.ok(page.includes('href="https://other.example/x?a=1&b=2"'), "external links, byte for byte");
      assert.ok(page.includes(`href="${BLOG}"`), "canonical links");
    });
  }
});

test("Eleventy: HTML in feeds has absolute links", async () => {
  const folder = await eleventy("/blog/", absolveEleventy, { url: "https://example.org/" });
  const feed = readFileSync(join(folder, "feed.xml"), "utf8");
  const contents = [...feed.matchAll(/<content type="html">([^<]*)</g)].map((match) => unescaped(match[1]));
  assert.equal(contents.length, 2);
  const references = contents.flatMap((html) => referencesOf(html, true));
  assert.ok(references.includes(`${BLOG}posts/second/#part`), String(references));
  assert.ok(references.length > 10);
  for (const reference of references) assert.match(reference, /^https:\/\/example\.org\/blog\//);
});

test("Eleventy: JSON Feed, and other JSON", async () => {
  for (const to of ["absolute", "relative"]) {
    const folder = await eleventy("/blog/", absolveEleventy, { url: "https://example.org/", to });
    const feed = JSON.parse(readFileSync(join(folder, "feed.json"), "utf8"));
    assert.equal(feed.home_page_url, BLOG);
    assert.deepEqual(feed.items.map(({ url }) => url), [`${BLOG}posts/first/`, `${BLOG}posts/second/`]);
    const references = feed.items.flatMap((item) => referencesOf(item.content_html, true));
    assert.ok(references.includes(`${BLOG}posts/second/#part`), String(references));
    assert.ok(references.length > 10);
    for (const reference of references) assert.match(reference, /^https:\/\/example\.org\/blog\//);
    const data = readFileSync(join(folder, "data.json"), "utf8");
    assert.ok(data.includes('{ "items": [{ "url": "/posts/", "content_html": "<a href=/posts/>" }] }'), data);
  }
});

test("Eleventy: the site at the root of a host", async () => {
  const folder = await eleventy("/", absolveEleventy, { url: "https://example.org", to: "relative" });
  // Without the filter, too.
  const feed = readFileSync(join(folder, "plain.rss"), "utf8");
  const found = [...feed.matchAll(/<(link|description)>([^<]*)</g)].flatMap(([, name, text]) =>
    name === "link" ? [text] : referencesOf(unescaped(text), true),
  );
  assert.ok(found.length > 12 && found.includes("https://example.org/posts/second/#part"), String(found));
  for (const reference of found) assert.match(reference, /^https:\/\/example\.org\//);
  const links = linksOf(folder, "https://example.org/");
  // The canonical links and feed of the project are those of its place below a path.
  const others = broken(links, folder, "https://example.org/").filter(({ reference }) => !reference.startsWith(BLOG));
  assert.deepEqual(others, []);
});

const FEED = { outputPath: "/rss.xml", collection: { name: "posts" }, metadata: { title: "x", base: "https://example.org/", author: { name: "y" } } };

test("Eleventy: with plugins that add the path, too", async (test) => {
  for (const plugins of [[[rss]], [[feedPlugin, FEED]], [[rss], [feedPlugin, FEED]], [[HtmlBasePlugin]]]) {
    for (const order of ["before", "after"]) {
      await test.test(`${plugins.map(([plugin]) => plugin.eleventyPackage ?? plugin.name)} ${order}`, async () => {
        const folder = await eleventy("/blog/", absolveEleventy, { url: "https://example.org/" }, { [order]: plugins });
        const links = linksOf(folder, BLOG);
        assert.ok(links.length > 40);
        assert.deepEqual(broken(links, folder, BLOG), []);
        assert.equal(readFileSync(join(folder, "index.html"), "utf8"), await page);
        if (!plugins.some(([plugin]) => plugin === feedPlugin)) return;
        // In HTML of the feed, which the plugin renders, each path is there once.
        const feed = readFileSync(join(folder, "rss.xml"), "utf8");
        const contents = [...feed.matchAll(/<content type="html">([^<]*)</g)].map((match) => unescaped(match[1]));
        const references = contents.flatMap((html) => referencesOf(html, true));
        assert.ok(references.includes(`${BLOG}img/a.svg`), String(references));
        for (const reference of references) assert.match(reference, /^(https:\/\/example\.org\/blog\/(?!blog)|#)/);
      });
    }
  }
});

test("Eleventy: pages that it serves lead to the local server", async () => {
  const folder = await eleventy("/blog/", absolveEleventy, { url: "https://example.org/" }, { runMode: "serve" });
  const references = referencesOf(readFileSync(join(folder, "index.html"), "utf8"));
  const own = references.filter((reference) => reference.startsWith("https://example.org/"));
  assert.deepEqual(own, [BLOG], "the canonical link");
  assert.ok(references.includes("/blog/css/site.css"), String(references));
  assert.match(readFileSync(join(folder, "feed.xml"), "utf8"), /https:\/\/example\.org\/blog\/img\//);
});

test("Eleventy: what its own plugin does differently", async () => {
  const own = await eleventy("/blog/", HtmlBasePlugin, {});
  const ours = await eleventy("/blog/", absolveEleventy, { url: "https://example.org/", to: "root-relative" });
  const links = [linksOf(own, BLOG), linksOf(ours, BLOG)];
  const lost = broken(links[0], own, BLOG).map(({ name, reference }) => `${name}: ${reference}`);
  // README.md lists the reasons.
  assert.deepEqual([...new Set(lost)].sort(), [
    "css/site.css: /img/b.svg",
    "index.html: /img/a.svg",
    "index.html: /img/b.svg",
    "posts/first/index.html: /img/a.svg",
    "posts/first/index.html: /img/b.svg",
    "posts/second/index.html: /img/a.svg",
    "posts/second/index.html: /img/b.svg",
  ]);
  assert.deepEqual(broken(links[1], ours, BLOG), []);

  // With the full URL, it also drops queries of relative links, and references to the page lead to its new place.
  const full = await eleventy("/blog/", HtmlBasePlugin, { baseHref: "https://example.org/" });
  const page = readFileSync(join(full, "index.html"), "utf8");
  assert.ok(page.includes('<a href="https://example.org/blog/posts/second/">Query</a>'));
  assert.ok(page.includes(`<a href="${BLOG}#top">`));
  const absolute = await eleventy("/blog/", absolveEleventy, { url: "https://example.org/" });
  assert.ok(readFileSync(join(absolute, "index.html"), "utf8").includes(`<a href=${BLOG}posts/second/?x=1&y=2>Query</a>`));
});

test("Eleventy: BASE of a page below a path", () => {
  const config = { pathPrefix: "/blog/", on() {}, addFilter() {}, addTransform: (_, transform) => (config.transform = transform) };
  const run = (options) => {
    absolveEleventy(config, { url: "https://example.org/", ...options });
    return config.transform.call({ page: { url: "/a/", outputPath: "a/index.html" } }, "<base href=/img/><a href=x>");
  };
  assert.equal(run({}), "<base href=https://example.org/blog/img/><a href=https://example.org/blog/img/x>");
  assert.equal(run({ to: "relative" }), "<a href=../img/x>");
  assert.equal(run({ to: "root-relative" }), "<a href=/blog/img/x>");
});

test("Eleventy: errors are for people", async () => {
  const config = { pathPrefix: "/", transforms: [], on() {}, addFilter() {}, addTransform: (_, transform) => config.transforms.push(transform) };
  const run = (options) => {
    absolveEleventy(config, options);
    return config.transforms.pop().call({ page: { url: "/", outputPath: "x.html" } }, "<a href=x>");
  };
  assert.throws(() => run({}), /^TypeError: absolve\/eleventy: no URL of the site; set url, such as/);
  assert.throws(() => run({ url: "example.org" }), /absolve\/eleventy: url: not an absolute URL: "example.org"/);
  assert.throws(() => run({ url: "https://h/", profil: "x" }), /unknown option: "profil"/);
  assert.equal(run({ url: new URL("https://h/d") }), "<a href=https://h/d/x>");
});

test("Eleventy: a document that is left unchanged is reported", (test) => {
  const warn = test.mock.method(console, "warn", () => {});
  const config = { pathPrefix: "/", on() {}, addFilter() {}, addTransform: (_, transform) => (config.transform = transform) };
  for (const to of ["absolute", "relative"]) {
    absolveEleventy(config, { url: "https://example.org/", to });
    const feed = config.transform.call({ page: { url: "/a/feed.xml", outputPath: "a/feed.xml" } }, ILL_FORMED);
    assert.equal(feed, ILL_FORMED);
    assert.deepEqual(warn.mock.calls.at(-1).arguments, [`[absolve] /a/feed.xml: ${REPORT}`]);
    assert.equal(config.transform.call({ page: { url: "/", outputPath: "x.html" } }, "<p>"), "<p>");
  }
  assert.equal(warn.mock.callCount(), 2);
});

test("PostHTML", async () => {
  const html = '<base href="/d/"><a href=x>x</a><svg><use href="#i"/></svg>';
  const { html: result } = await posthtml([absolvePosthtml({ url: "http://h/a" })]).process(html);
  assert.deepEqual(referencesOf(result), ["http://h/d/", "http://h/d/x", "#i"]);
  const site = new Set();
  const pages = ["index.html", "posts/first.html"].map((name) => readFileSync(join(SITES, "eleventy", name), "utf8"));
  for (const [number, page] of pages.entries()) {
    const url = ["https://example.org/blog/", "https://example.org/blog/posts/first/"][number];
    const { html } = await posthtml([absolvePosthtml({ url })]).process(page);
    const expected = referencesOf(page).map((reference) => new URL(reference, url).href);
    assert.deepEqual(referencesOf(html), expected);
    expected.forEach((link) => site.add(link));
  }
  assert.ok(site.size > 8);
  assert.throws(() => absolvePosthtml({ to: "x" }), /^TypeError: to: /);
});

test("Astro: every link of a site below a path leads to a file or stays external", () => {
  const project = join(scratch, "astro");
  cpSync(join(SITES, "astro"), project, { recursive: true });
  // As it is installed: Astro bundles packages that are not in `node_modules`.
  const installed = join(project, "node_modules/absolve");
  cpSync(join(ROOT, "web/dist"), join(installed, "dist"), { recursive: true });
  cpSync(join(ROOT, "web/package.json"), join(installed, "package.json"));
  const environment = { ...process.env, ASTRO_TELEMETRY_DISABLED: "1" };
  writeFileSync(join(project, "public/bad.rss"), ILL_FORMED);
  const output = execFileSync(join(ROOT, "web/node_modules/.bin/astro"), ["build"], { cwd: project, env: environment });
  assert.ok(String(output).includes(`/bad.rss: ${REPORT}`), String(output));
  const folder = join(project, "dist");
  const links = linksOf(folder, "https://example.org/docs/");
  assert.ok(links.length > 12);
  assert.deepEqual(broken(links, folder, "https://example.org/docs/"), []);
  for (const { reference } of links) assert.match(reference, /^(https:|#top$)/);
  const feed = readFileSync(join(folder, "rss.xml"), "utf8");
  assert.match(feed, /&lt;a href=&quot;https:\/\/example\.org\/docs\/&quot;&gt;/);
});

test("Vite: a document that is left unchanged is reported", async () => {
  const warnings = [];
  const customLogger = Object.assign(createLogger(), { info() {}, warn: (message) => warnings.push(message) });
  const feed = { name: "feed", generateBundle() { this.emitFile({ type: "asset", fileName: "feed.xml", source: ILL_FORMED }); } };
  const plugins = [feed, absolveVite({ url: "https://example.org/" })];
  await build({ root: join(SITES, "vite"), configFile: false, customLogger, plugins, build: { outDir: join(scratch, "vite-feed") } });
  const reports = warnings.filter((warning) => warning.includes(REPORT));
  assert.equal(reports.length, 1, String(warnings));
  assert.ok(reports[0].includes(`/feed.xml: ${REPORT}`), reports[0]);
});

test("Vite: relative links below a path", async () => {
  const outDir = join(scratch, "vite-relative");
  const input = [join(SITES, "vite/index.html"), join(SITES, "vite/deep/index.html")];
  const plugins = [absolveVite({ to: "relative" })];
  const options = { outDir, emptyOutDir: true, assetsInlineLimit: 0, rollupOptions: { input } };
  await build({ root: join(SITES, "vite"), base: "/app/", logLevel: "silent", configFile: false, plugins, build: options });
  // The same files are right below any path.
  for (const site of ["https://example.org/app/", "https://example.org/elsewhere/deep/"]) {
    assert.deepEqual(broken(linksOf(outDir, site), outDir, site), []);
  }
});

test("Vite: every link of a site below a path leads to a file or stays external", async () => {
  const root = join(SITES, "vite");
  for (const base of ["/app/", "./"]) {
    const outDir = join(scratch, `vite-${builds++}`);
    const site = base === "./" ? "https://example.org/deep/er/" : "https://example.org/app/";
    await build({
      root,
      base,
      logLevel: "silent",
      configFile: false,
      plugins: [absolveVite({ url: base === "./" ? site : "https://example.org/" })],
      build: {
        outDir,
        emptyOutDir: true,
        assetsInlineLimit: 0,
        rollupOptions: { input: [join(root, "index.html"), join(root, "deep/index.html")] },
      },
    });
    assert.ok(existsSync(join(outDir, "deep/index.html")));
    const links = linksOf(outDir, site);
    assert.ok(links.length >= 7, String(links.length));
    assert.deepEqual(broken(links, outDir, site), []);
    for (const { reference } of links) assert.match(reference, /^(https:|#x$)/);
  }
});

/** Writes a site of all kinds of files, in which nothing is right yet, and returns its folder. */
function plainSite() {
  const folder = join(scratch, `folder-${builds++}`);
  mkdirSync(join(folder, "docs.html"), { recursive: true });
  const files = { "index.html": '<a href="/d/docs.html/">', "docs.html/a.opml": '<opml><outline xmlUrl="x"/></opml>', "bad.rss": ILL_FORMED, "x.js": "'/x'" };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const REWRITTEN = {
  "bad.rss": ILL_FORMED,
  "docs.html/a.opml": '<opml><outline xmlUrl="https://h/d/docs.html/x"/></opml>',
  "index.html": '<a href="https://h/d/docs.html/">',
  "x.js": "'/x'",
};

function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]).sort());
}

test("a folder", async (test) => {
  const warn = test.mock.method(console, "warn", () => {});
  const folder = plainSite();
  assert.deepEqual(await rewriteFolder(folder, { url: "https://h/d/" }), { changed: 2, problems: [`/bad.rss: ${REPORT}`] });
  assert.deepEqual(filesIn(folder), REWRITTEN);
  assert.deepEqual(warn.mock.calls[0].arguments, [`[absolve] /bad.rss: ${REPORT}`]);
  const again = await rewriteFolder(pathToFileURL(folder), { url: new URL("https://h/d/") });
  assert.equal(again.changed, 0);
  await assert.rejects(rewriteFolder(folder, {}), /^TypeError: absolve\/site: no URL of the site/);
});

test("a folder, by the command of the package", () => {
  const run = (...args) => spawnSync("npx", ["--no-install", "absolve", ...args], { cwd: join(ROOT, "web"), encoding: "utf8" });
  const folder = plainSite();
  const { status, stderr } = run(folder, "--url", "https://h/d/");
  assert.deepEqual([status, stderr], [1, `[absolve] /bad.rss: ${REPORT}\n[absolve] rewrote the links of 2 files\n`]);
  assert.deepEqual(filesIn(folder), REWRITTEN);
  const other = plainSite();
  rmSync(join(other, "bad.rss"));
  const options = ["--url", "https://h/d/", "--map", "https://h/=https://n/", "--link", "outline[text]=url", "--limit", "links=9", "--normalize"];
  assert.equal(run(other, ...options, "--skip", "a[href]").status, 0);
  assert.equal(filesIn(other)["docs.html/a.opml"], '<opml><outline xmlUrl="https://n/d/docs.html/x"/></opml>');
  assert.equal(filesIn(other)["index.html"], '<a href="/d/docs.html/">');
  assert.match(run("--help").stdout, /^Usage: npx absolve FOLDER --url URL/);
  for (const args of [[], [folder], [folder, "--url", "x"], [folder, "--profil", "x"], [folder, "--url", "https://h/", "--to", "x"], ["none", "--url", "https://h/"]]) {
    const { status, stderr } = run(...args);
    assert.equal(status, 2, String(args));
    assert.match(stderr, /^\[absolve\] .+\n$/, String(args));
  }
});
