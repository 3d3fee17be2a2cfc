// A built site as a browser sees it: its links, by parse5 and the URL of Node, and the files that they lead to.

import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import { parse, parseFragment } from "parse5";

const ATTRIBUTES = new Set(["href", "src", "data", "poster", "action", "formaction", "cite", "xlink:href"]);

/** Returns the references of CSS. */
function ofCss(css) {
  const urls = [...css.matchAll(/url\(\s*["']?([^"')]*)["']?\s*\)/g), ...css.matchAll(/@import\s+["']([^"']*)["']/g)];
  return urls.map((match) => match[1]);
}

/** Returns the references of a node of parse5 and everything in it. */
function* ofNode(node) {
  for (const { name, prefix, value } of node.attrs ?? []) {
    const qualified = prefix ? `${prefix}:${name}` : name;
    if (ATTRIBUTES.has(qualified)) yield value;
    else if (name === "srcset") yield* value.split(",").map((candidate) => candidate.trim().split(/\s+/)[0]);
    else if (name === "style") yield* ofCss(value);
  }
  if (node.nodeName === "style") yield* ofCss(node.childNodes.map((child) => child.value).join(""));
  for (const child of [...(node.childNodes ?? []), ...(node.content?.childNodes ?? [])]) yield* ofNode(child);
}

/** Returns the references of an HTML document or fragment. */
export function referencesOf(html, isFragment = false) {
  return [...ofNode(isFragment ? parseFragment(html) : parse(html, { scriptingEnabled: false }))];
}

/** Returns the links of all pages and style sheets in a folder: the file, the reference, and its URL. */
export function linksOf(folder, site) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => /\.(html|css)$/.test(name)).sort();
  return names.flatMap((name) => {
    const content = readFileSync(join(folder, name), "utf8");
    const url = new URL(name.replace(/(^|\/)index\.html$/, "$1"), site);
    const references = name.endsWith(".css") ? ofCss(content) : referencesOf(content);
    return references.map((reference) => ({ name, reference, url: new URL(reference, url) }));
  });
}

/** Returns those of `links` that lead to the host of the site, but to no file of the folder. */
export function broken(links, folder, site) {
  return links.filter(({ url }) => {
    if (url.host !== new URL(site).host) return false;
    if (!url.href.startsWith(site)) return true;
    const file = join(folder, decodeURIComponent(url.pathname.slice(new URL(site).pathname.length)));
    const isThere = existsSync(file) && (statSync(file).isFile() || existsSync(join(file, "index.html")));
    return !isThere;
  });
}
