// Sites that are built by generators without an adapter, and rewritten as a folder. npm installs the generators once.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { broken, linksOf } from "./built_site.js";
import { ROOT, missing } from "./support.js";

const VERSIONS = {
  "@docusaurus/core": "3.10.2",
  "@docusaurus/plugin-content-pages": "3.10.2",
  next: "16.4.6",
  react: "19.3.1",
  "react-dom": "19.3.1",
  vitepress: "1.6.4",
};
const SITE = "https://example.org/docs/";
const project = join(ROOT, "target/web/generators");

/** Returns a folder below the installed packages, with the sources of a site. */
function sources(test, name) {
  const manifest = JSON.stringify({ type: "module", dependencies: VERSIONS });
  const file = join(project, "package.json");
  if (!existsSync(file) || readFileSync(file, "utf8") !== manifest) {
    rmSync(project, { recursive: true, force: true });
    mkdirSync(project, { recursive: true });
    writeFileSync(file, manifest);
    const install = ["install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error", "--fetch-retries=0"];
    if (spawnSync("npm", install, { cwd: project, stdio: "ignore" }).status !== 0) {
      rmSync(project, { recursive: true });
      return missing(test, "the npm packages vitepress, next and @docusaurus/core");
    }
  }
  const installed = join(project, "node_modules/absolve");
  rmSync(installed, { recursive: true, force: true });
  for (const part of ["dist", "package.json"]) cpSync(join(ROOT, "web", part), join(installed, part), { recursive: true });
  const folder = join(project, name);
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(ROOT, "web/tests/sites", name), folder, { recursive: true });
  return folder;
}

/** Runs a program of the installed packages. */
function run(cwd, name, ...args) {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };
  return execFileSync(join(project, "node_modules/.bin", name), args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
}

/** Checks that the links of a built site are absolute, and lead to its files. */
function assertAbsolute(folder, atLeast) {
  const links = linksOf(folder, SITE);
  assert.ok(links.length >= atLeast, String(links.length));
  for (const { name, reference } of links) assert.match(reference, /^(https:\/\/|#|data:)/, name);
  return broken(links, folder, SITE).map(({ name, reference }) => `${name}: ${reference}`);
}

test("VitePress, at the end of its build", (test) => {
  const folder = sources(test, "vitepress");
  if (!folder) return;
  run(folder, "vitepress", "build");
  const dist = join(folder, ".vitepress/dist");
  assert.deepEqual(assertAbsolute(dist, 12), []);
  assert.match(readFileSync(join(dist, "img/a.svg"), "utf8"), /href="https:\/\/example\.org\/docs\/img\/b\.svg"/);
});

test("Docusaurus, in a plugin", (test) => {
  const folder = sources(test, "docusaurus");
  if (!folder) return;
  run(folder, "docusaurus", "build");
  const build = join(folder, "build");
  assert.deepEqual(assertAbsolute(build, 16), []);
  assert.match(readFileSync(join(build, "img/a.svg"), "utf8"), /href="https:\/\/example\.org\/docs\/img\/b\.svg"/);
});

test("Next.js, which also runs the package, and the command", (test) => {
  const folder = sources(test, "next");
  if (!folder) return;
  run(folder, "next", "build");
  execFileSync(process.execPath, [join(project, "node_modules/absolve/dist/command.js"), "out", "--url", SITE], { cwd: folder, stdio: "ignore" });
  assert.deepEqual(assertAbsolute(join(folder, "out"), 12), []);
  assert.ok(readFileSync(join(folder, "out/index.html"), "utf8").includes("href=https://other.example/x"));
});

test("the development server of Vite 5, with the line of the README", async (test) => {
  const root = sources(test, "vite");
  if (!root) return;
  writeFileSync(join(root, "main.js"), 'import { rewrite } from "absolve";\nrewrite("");\n');
  const readme = readFileSync(join(ROOT, "web/README.md"), "utf8");
  assert.ok(readme.includes('`optimizeDeps: { exclude: ["absolve"] }`'));
  const { createServer, version } = await import(pathToFileURL(join(project, "node_modules/vite/dist/node/index.js")).href);
  assert.match(version, /^5\./);
  const settings = { root, configFile: false, logLevel: "silent", optimizeDeps: { exclude: ["absolve"] }, server: { host: "127.0.0.1", port: 0 } };
  const server = await createServer(settings);
  await server.listen();
  test.after(() => server.close());
  const url = `http://127.0.0.1:${server.httpServer.address().port}`;
  const text = async (path) => (await fetch(new URL(path, url))).text();
  const script = /from "([^"]*)"/.exec(await text("/main.js"))[1];
  const wasm = /new URL\("([^"]*\.wasm)", import\.meta\.url\)/.exec(await text(script))[1];
  const module = await fetch(new URL(wasm, new URL(script, url)));
  assert.ok(WebAssembly.validate(await module.arrayBuffer()));
});
