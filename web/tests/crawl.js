// A site as Chromium sees it: every page is opened, and every link that the browser finds is followed.

import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** How many pages are open at the same time. */
const TABS = 6;

const TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".xml": "text/xml",
};

/** Serves folders, each below a path of a host of its own, with its 404 page for everything else there. */
export async function serveHosts(path) {
  const folders = new Map();
  const server = createServer((request, response) => {
    const requested = decodeURIComponent(new URL(request.url, "http://h/").pathname);
    const folder = folders.get(request.headers.host);
    const fail = () => response.writeHead(404).end();
    const send = (status, file) => {
      response.writeHead(status, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
      createReadStream(file).pipe(response);
    };
    if (!folder || !requested.startsWith(path)) return fail();
    const file = join(folder, requested.slice(path.length));
    const isDirectory = existsSync(file) && statSync(file).isDirectory();
    if (isDirectory && !requested.endsWith("/")) {
      return response.writeHead(301, { location: `${encodeURI(requested)}/` }).end();
    }
    const found = isDirectory ? join(file, "index.html") : file;
    if (existsSync(found)) return send(200, found);
    const notFound = join(folder, "404.html");
    return existsSync(notFound) ? send(404, notFound) : fail();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, folders, port: server.address().port };
}

/** Returns the paths of the files of a folder whose names end in `extension`. */
export function filesOf(folder, extension) {
  const names = readdirSync(folder, { recursive: true }).map((name) => name.split(sep).join("/"));
  return names.filter((name) => name.endsWith(extension)).sort();
}

/** Records the style sheets and scripts that a document loses. Runs in the page, before its own scripts. */
function watch() {
  window.refused = [];
  const record = ({ target }) => target?.matches?.("link, script") && window.refused.push(target);
  addEventListener("error", record, true);
}

/** Finds what a document leads to. Runs in the page, once for each frame. */
function inspect(isOnDisk) {
  // Browsers load no module from a disk.
  const modules = isOnDisk ? "[type=module], [rel=modulepreload]" : "none";
  const refused = (window.refused ?? []).filter((element) => !element.matches(modules));
  const links = [...document.querySelectorAll("a, area, link, form")].map((element) => {
    const link = element.action ?? element.href;
    return {
      url: typeof link === "string" ? link : new URL(link?.baseVal ?? "", document.baseURI).href,
      isMetadata: element.matches("link[rel~=canonical], link[rel~=alternate]"),
    };
  });
  const ids = [...document.querySelectorAll("[id], a[name]")].flatMap((element) => [element.id, element.name]);
  const images = [...document.images];
  for (const image of images) image.loading = "eager";
  for (const element of document.querySelectorAll("[srcset], [imagesrcset]")) {
    const list = element.getAttribute("srcset") ?? element.getAttribute("imagesrcset");
    for (const candidate of list.split(",")) {
      const src = new URL(candidate.trim().split(/\s+/)[0], document.baseURI).href;
      images.push(Object.assign(new Image(), { src }));
    }
  }
  const failure = (image) => `${image.currentSrc || image.src} is no image`;
  const loaded = images.map((image) => image.decode().then(() => [], () => [failure(image)]));
  return Promise.all(loaded).then((failures) => ({
    links: links.filter(({ url }) => url),
    ids,
    failures: [...failures.flat(), ...refused.map((element) => `refuses ${element.src ?? element.href}`)],
  }));
}

/** Returns whether a URL on a disk leads to a file. */
function isFile(url) {
  const path = fileURLToPath(url);
  return existsSync(path) && statSync(path).isFile();
}

/** A site that is being followed. */
class Crawl {
  failures = [];
  /** The URLs of documents and of what they load. */
  resources = new Set();
  /** The `id` and `name` attributes of the documents by their URLs. */
  ids = new Map();
  fragments = [];
  /** The URLs of requests that ended when a tab left the page: it was quiet for a while, and then wanted more. */
  aborted = new Set();

  constructor({ start, site, old, missing }) {
    Object.assign(this, { site, old });
    this.origin = new URL(site).origin;
    this.isOnDisk = site.startsWith("file:");
    this.missing = new Set(missing);
    this.waiting = [...start, ...missing];
    /** Where each URL was found first. */
    this.seen = new Map(this.waiting.map((url) => [url, "given"]));
  }

  /** Records a link of the document `shown`. */
  follow(shown, { url: link, isMetadata }) {
    const { failures, site, waiting, seen } = this;
    // Nobody follows it there, and a mirror's canonical URL is that of the original.
    if (isMetadata && this.isOnDisk) return;
    if (link.startsWith(this.old)) failures.push(`${shown}: leads to ${link}`);
    if (!link.startsWith(site)) {
      if (link.startsWith(`${this.origin}/`)) failures.push(`${shown}: leaves the path: ${link}`);
      return;
    }
    const [url, fragment] = link.split("#");
    if (fragment) this.fragments.push({ shown, url, id: decodeURIComponent(fragment) });
    if (seen.has(url)) return;
    waiting.push(url);
    seen.set(url, shown);
  }

  /** Opens what is waiting, one after the other, in a tab of `context`. */
  async work(context) {
    const page = await context.newPage();
    let shown = "";
    const fail = (what) => this.failures.push(`${shown}: ${what}`);
    // On a disk, scripts must not read files or start workers. Other scripts that fail are refused.
    const isForbidden = (request) => this.isOnDisk && ["fetch", "xhr", "script"].includes(request.resourceType());
    page.on("pageerror", (error) => this.isOnDisk || fail(error.message));
    page.on("request", (request) => {
      const url = request.url();
      if (/^(blob|data|about):/.test(url)) return;
      this.resources.add(url);
      if (!url.startsWith(this.site)) fail(`loads ${url}`);
    });
    page.on("requestfailed", (request) => {
      const error = request.failure()?.errorText;
      if (error === "net::ERR_ABORTED") this.aborted.add(request.url());
      else if (!isForbidden(request)) fail(`${request.url()}: ${error}`);
    });
    page.on("response", (response) => {
      const isExpected = response.url() === shown && this.missing.has(shown);
      if (response.status() >= 400 && !isExpected) fail(`${response.url()}: status ${response.status()}`);
    });
    for (let url; (url = this.waiting.shift()); ) {
      const address = url.split("?")[0];
      if (this.isOnDisk && !isFile(address)) {
        this.failures.push(`${this.seen.get(url)}: no such file: ${url}`);
      } else if (/(\/|\.html)$/.test(address) || this.missing.has(url)) {
        shown = url;
        await page.goto(url, { waitUntil: "networkidle" });
        const frames = await Promise.all(page.frames().map((frame) => frame.evaluate(inspect, this.isOnDisk)));
        this.ids.set(url, new Set(frames.flatMap((frame) => frame.ids)));
        for (const frame of frames) {
          frame.failures.forEach(fail);
          for (const link of frame.links) this.follow(url, link);
        }
      } else if (!this.isOnDisk) {
        // Not a page, but a feed or a sitemap may have links.
        const text = await page.evaluate((url) => fetch(url).then((response) => response.text()), url);
        if (!/\.xml$/.test(address)) continue;
        // Identifiers of entries never change.
        const links = text.replace(/<(id|guid)\b.*?<\/\1>/g, "").matchAll(/http:[^<"'&\s]+/g);
        for (const [link] of links) this.follow(url, { url: link });
      }
    }
    await page.close();
  }

  /** Requests once more what was aborted: it must be there, too. */
  async requestAborted(context) {
    const page = await context.newPage();
    if (!this.isOnDisk) await page.goto(this.site);
    const request = (url) => fetch(url).then((response) => response.status);
    for (const url of this.aborted) {
      const status = this.isOnDisk ? (isFile(url) ? 200 : 404) : await page.evaluate(request, url);
      if (status >= 400) this.failures.push(`${url}: status ${status}`);
    }
    await page.close();
  }

  /** Opens what is waiting in `count` tabs, and what that leads to. */
  async workInTabs(context, count) {
    // Tabs that find nothing to do end, so the last round may have one.
    while (this.waiting.length > 0) {
      await Promise.all(Array.from({ length: Math.min(count, this.waiting.length) }, () => this.work(context)));
    }
  }
}

/**
 * Opens the pages `start` and everything that they lead to below `site`, and returns what was found and what failed.
 *
 * Every resource that a page loads, each candidate of `srcset`, every link and its fragment must be there, and
 * browsers must not refuse a style sheet or script. No link may lead to
 * `old`. The pages of `missing` are to be the 404 page. Scripts of the pages `withoutScripts`
 * do not run. On a disk, a link to a directory fails: a browser shows a list of files.
 */
export async function crawl(browser, { start, site, old, missing = [], withoutScripts = [] }) {
  const run = new Crawl({ start: start.filter((url) => !withoutScripts.includes(url)), site, old, missing });
  const context = await browser.newContext();
  await context.addInitScript(watch);
  withoutScripts.forEach((url) => run.seen.set(url, "given"));
  await run.workInTabs(context, TABS);
  const plain = await browser.newContext({ javaScriptEnabled: false });
  run.waiting.push(...withoutScripts);
  await run.work(plain);
  await run.workInTabs(context, TABS);
  await run.requestAborted(context);
  for (const { shown, url, id } of run.fragments) {
    if (run.ids.has(url) && id !== "top" && !run.ids.get(url).has(id)) run.failures.push(`${shown}: no ${id} in ${url}`);
  }
  await Promise.all([context.close(), plain.close()]);
  return { pages: run.ids.size, urls: run.seen.size, resources: run.resources.size, failures: run.failures };
}
