// The page on a server, below a path, in browsers of Debian.

import { createReadStream, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";

import { chromium } from "playwright-core";

import { ROOT, missing } from "./support.js";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm" };

/** Serves a folder below `/sub/path/`, and returns the server and the URL. */
export async function serve(folder = join(ROOT, "web/page/dist")) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://h/").pathname);
    let file = join(folder, normalize(path.replace(/^\/sub\/path\//, "/")));
    if (path.endsWith("/")) file = join(file, "index.html");
    if (!path.startsWith("/sub/path/") || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://localhost:${server.address().port}/sub/path/` };
}

/** Returns Chromium, or nothing where it is not installed. `more` are arguments of Chromium. */
export async function launch(test, more = []) {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) return missing(test, "Chromium (CHROMIUM, or Debian's package chromium)");
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];
  args.push("--disable-component-update", "--disable-sync", ...more);
  return chromium.launch({ executablePath, args });
}

/** Returns a folder that is removed at the end of the test. */
export function scratch(test) {
  const folder = mkdtempSync(join(tmpdir(), "absolve-web-"));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Collects the messages that a page must not have: errors, and violations of its security policy. */
export function complaints(page) {
  const list = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) list.push(message.text());
  });
  page.on("pageerror", (error) => list.push(error.message));
  page.on("requestfailed", (request) => {
    const problem = request.failure()?.errorText;
    // A request that is not needed any more: the page was left while its icon was loaded.
    if (problem !== "net::ERR_ABORTED") list.push(`${request.url()}: ${problem}`);
  });
  return list;
}
