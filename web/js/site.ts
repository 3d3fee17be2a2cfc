/**
 * Files of a site: their URLs, and their links. The adapters for site generators share them; {@link rewriteFolder} is for all
 * others.
 */

import { readFile, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { RESOLVE, Rewriter, relative } from "absolve";
import type { Facts, Html, Link, Options, Pairs, Rewritten, SameAs } from "absolve";

/** Options of an adapter: the place of the site, and those of a rewriter. */
export interface SiteOptions extends Options {
  /** The URL under which the site is published. */
  url?: string | URL | undefined;
}

/** @internal The language of a file. */
export type Kind = NonNullable<Facts["kind"]>;

/** A file and what became of it. */
type SiteFile<H extends Html> = Pick<Rewritten<H>, "content" | "changed" | "problem">;

/** The languages of files by their extensions. Others are left as they are, and so is JSON that is no feed. */
const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["html", "html"],
  ["htm", "html"],
  ["shtml", "html"],
  ["css", "css"],
  ["svg", "xml"],
  ["xhtml", "xml"],
  ["xht", "xml"],
  ["xml", "xml"],
  ["rss", "xml"],
  ["atom", "xml"],
  ["rdf", "xml"],
  ["opml", "xml"],
  ["json", "json-feed"],
]);

/** The version that a JSON Feed declares, and other JSON does not. */
const FEED_VERSION = /"version"\s*:\s*"https:\\?\/\\?\/jsonfeed\.org\\?\/version\\?\/1/;

/** The number of characters or bytes in which a JSON Feed declares its version. */
const SNIFFED = 1 << 14;

/** The host of pages whose links that begin with a slash are below a prefix; it is in no document (RFC 2606 section 2). */
const UNPREFIXED = "site.invalid";

/** @internal Returns the language of a file, or `undefined` if it has no links that are rewritten. */
export function kindOf(path: string): Kind | undefined {
  return KINDS.get(/\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? "");
}

/** @internal Returns the URL of a file in a site, as a server has it: that of a directory for its `index.html`. */
export function pathOfFile(path: string): string {
  const segments = path.split(/[/\\]/).map((segment) => encodeURIComponent(segment));
  return segments.join("/").replace(/(^|\/)index\.html?$/, "$1");
}

/** @internal Rewrites the links in the files of a site. */
export class SiteRewriter {
  readonly #rewriter: Rewriter;
  /** The URL against which links that begin with a slash are resolved. */
  readonly #host: string;
  /** The URL of the root of the site on that host. */
  readonly #root: string;
  /** Returns what is written for a target, given the path of the file; `undefined` if it is the target itself. */
  readonly #form: ((target: string, path: string) => string) | undefined;
  /** For feeds and other XML, which are read away from the site. Their links are absolute, if the URL is known. */
  readonly #feeds: SiteRewriter | undefined;

  /**
   * `prefix` is the path of the site below `url`. Links that begin with a slash are relative to it if `addsPrefix`, and
   * contain it already if not.
   *
   * References such as `#top` remain, unless `fragments` has another value.
   *
   * @throws TypeError There is no URL, or an option is invalid.
   */
  constructor(adapter: string, options: SiteOptions, prefix = "/", addsPrefix = false) {
    const { url, ...others } = options;
    const isAbsolute = others.to === undefined || others.to === "absolute";
    // Relative links do not depend on where the site is.
    const site = url ?? (isAbsolute ? undefined : `http://${UNPREFIXED}/`);
    if (site === undefined) {
      throw new TypeError(`${adapter}: no URL of the site; set url, such as 'https://example.org/', or to: 'relative'`);
    }
    if (!URL.canParse(String(site))) {
      throw new TypeError(`${adapter}: url: not an absolute URL: ${JSON.stringify(String(site))}; use 'https://example.org/'`);
    }
    const published = new URL(prefix.replace(/^\/+/, ""), withSlash(String(site)));
    const root = withSlash(published.href);
    const settings: Options = { fragments: "keep", ...others };
    if (!isAbsolute && url !== undefined) {
      this.#feeds = new SiteRewriter(adapter, { ...options, to: "absolute" }, prefix, addsPrefix);
    }
    // A host of its own, because absolute links to the site must remain as they are.
    const host = `${published.protocol}//${UNPREFIXED}/`;
    if (isAbsolute) {
      const isPrefixed = addsPrefix && root !== new URL("/", root).href;
      this.#host = this.#root = isPrefixed ? host : root;
      const map: Pairs = isPrefixed ? [[host, root], ...pairs(others.map)] : (others.map ?? []);
      this.#rewriter = new Rewriter({ ...settings, map });
      return;
    }
    // Knows the values of `to`.
    new Rewriter(settings).free();
    const path = addsPrefix ? "" : new URL(root).pathname.slice(1);
    this.#host = host;
    this.#root = host + path;
    // Where the site is, BASE would need the prefix as well.
    this.#rewriter = new Rewriter({ ...settings, to: "absolute", baseElement: "remove" });
    if (others.to === "root-relative") {
      const prefix = addsPrefix ? new URL(root).pathname : "/";
      this.#form = (target) => prefix + target;
    } else {
      this.#form = (target, file) => relative(this.#root + file, host + target);
    }
  }

  /**
   * Returns the file with its links rewritten. `path` is its URL relative to the root of the site. A `problem` names this path
   * and the reason why it is unchanged.
   */
  rewrite<H extends Html>(content: H, path: string, kind: Kind): SiteFile<H> {
    if (kind === "json-feed" && !isJsonFeed(content)) {
      return { content: content as SameAs<H>, changed: false, problem: null };
    }
    if ((kind === "xml" || kind === "json-feed") && this.#feeds !== undefined) {
      return this.#feeds.rewrite(content, path, kind);
    }
    const file = path.replace(/^\/+/, "");
    const url = new URL(file, this.#root).href;
    const form = this.#form;
    const decide = ({ status, role, target }: Link) => {
      if (status !== "resolved" || role === "base" || !target?.startsWith(this.#host)) {
        return RESOLVE;
      }
      return (form as NonNullable<typeof form>)(target.slice(this.#host.length), file);
    };
    const { problem, ...rewritten } = form
      ? this.#rewriter.rewriteLinks(content, url, decide, { kind })
      : this.#rewriter.rewrite(content, url, { kind });
    return { ...rewritten, problem: problem && `/${file}: left unchanged: ${problem}` };
  }
}

function isJsonFeed(content: Html): boolean {
  const prefix = typeof content === "string" ? content.slice(0, SNIFFED) : new TextDecoder().decode(content.subarray(0, SNIFFED));
  return FEED_VERSION.test(prefix);
}

function withSlash(url: string): string {
  return url.endsWith("/") ? url : `${url}/`;
}

function pairs(map: Pairs | undefined): Iterable<readonly [string, string]> {
  return map === undefined ? [] : Symbol.iterator in map ? (map as Iterable<[string, string]>) : Object.entries(map);
}

/** The outcome for a folder. */
export interface FolderReport {
  /** The number of files that changed. */
  readonly changed: number;
  /** The files that remain as they were because they could not be read, each with the reason. */
  readonly problems: readonly string[];
}

/**
 * Rewrites the links in the pages, style sheets and feeds of a folder, which is published at `options.url`. Prints a warning for
 * each file that remains as it was because it could not be read.
 */
export async function rewriteFolder(folder: string | URL, options: SiteOptions): Promise<FolderReport> {
  const report = await rewriteFiles(folder, new SiteRewriter("absolve/site", options));
  report.problems.forEach((problem) => console.warn(`[absolve] ${problem}`));
  return report;
}

/** @internal Rewrites the links in the files of a folder. */
export async function rewriteFiles(folder: string | URL, site: SiteRewriter): Promise<FolderReport> {
  const root = folder instanceof URL ? fileURLToPath(folder) : folder;
  let changed = 0;
  const problems: string[] = [];
  for (const name of (await readdir(root, { recursive: true })).sort()) {
    const kind = kindOf(name);
    if (kind === undefined) {
      continue;
    }
    const file = join(root, name);
    const content = await readFile(file).catch((error: NodeJS.ErrnoException) => {
      // A directory with such a name.
      if (error.code === "EISDIR") return undefined;
      throw error;
    });
    if (content === undefined) {
      continue;
    }
    const rewritten = site.rewrite(content, pathOfFile(name), kind);
    if (rewritten.problem !== null) {
      problems.push(rewritten.problem);
    }
    if (rewritten.changed) {
      await replaceFile(file, rewritten.content);
      changed += 1;
    }
  }
  return { changed, problems };
}

/** Replaces a file: whatever ends the process, it has its old content or the new one. */
async function replaceFile(file: string, content: Uint8Array): Promise<void> {
  const draft = `${file}.${process.pid}.absolve`;
  try {
    const { mode } = await stat(file);
    await writeFile(draft, content, { mode });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
