/** Functions and classes of the package, on a module that an entry point has loaded (`node.ts`, `browser.ts` and so on). */

import * as raw from "../glue/absolve.js";
import { factList, optionList, separated } from "./options.js";
import { applied, inputOf, release } from "./text.js";
import { KEEP, RESOLVE } from "./types.js";
import type {
  AllOptions,
  Base,
  Counts,
  Decision,
  Facts,
  Finding,
  Html,
  Link,
  Links,
  Options,
  Profile,
  Rewritten,
  SameAs,
  Trace,
} from "./types.js";

export * from "./types.js";

/** The error of a reference that has no target. */
export class ResolveError extends Error {
  override readonly name = "ResolveError";
}

/** The number of links that no document exceeds. */
const ALL = 0xffffffff;

/** @internal The JSON of a report. */
export interface Report {
  readonly links: Link[];
  readonly base: Base;
  readonly counts: Counts;
  /** The name of the encoding in which the document was read. */
  readonly encoding: string | null;
  readonly problem: string | null;
}

/** Calls a function of the module, whose errors are strings. */
function call<R>(operation: () => R): R {
  try {
    return operation();
  } catch (error) {
    throw typeof error === "string" ? new TypeError(error) : error;
  }
}

/** Calls a function of the module with a document. */
function withInput<R>(html: Html, operation: (input: raw.RawInput) => R): R {
  // Not `instanceof`: an array may come from another realm, such as a frame.
  const isBytes = ArrayBuffer.isView(html) && Object.prototype.toString.call(html) === "[object Uint8Array]";
  if (typeof html !== "string" && !isBytes) {
    throw new TypeError(`a document must be a string or a Uint8Array, not ${html === null ? "null" : typeof html}`);
  }
  const input = inputOf(html);
  let inUse = false;
  try {
    return call(() => operation(input));
  } catch (error) {
    // Only errors about arguments leave the module in order. After others, the document is freed with the garbage.
    inUse = !(error instanceof TypeError);
    throw error;
  } finally {
    if (!inUse) {
      release(input, html);
    }
  }
}

/** Returns a rewritten document in the type of the original, which is returned itself if nothing has changed. */
function contentOf<H extends Html>(html: H, result: raw.RawRewritten): SameAs<H> {
  if (result.edited === 0) {
    result.free();
    return html as SameAs<H>;
  }
  if (typeof html === "string") {
    const content = applied(html, result.take_edits(), result.take_replacements());
    result.free();
    return content as SameAs<H>;
  }
  return result.into_bytes() as SameAs<H>;
}

/** Returns the answer of the module to the question about a link. */
function answer(decision: Decision): string | null | boolean {
  switch (decision) {
    case RESOLVE:
      return true;
    case KEEP:
      return false;
    default:
      if (decision === null || typeof decision === "string") {
        return decision;
      }
      throw new TypeError("the decision about a link must be a string, null, KEEP or RESOLVE");
  }
}

/** Settings for documents. One rewriter serves any number of documents. */
export class Rewriter {
  readonly #raw: raw.RawRewriter;

  /** @throws TypeError An option is invalid; the message names it, its value and what to use instead. */
  constructor(options?: Options) {
    const list = optionList(options);
    this.#raw = call(() => new raw.RawRewriter(list));
  }

  /** Rewrites a document. */
  rewrite<H extends Html>(html: H, url?: string, facts?: Facts): Rewritten<H> {
    const result = withInput(html, (input) => this.#raw.rewrite(input, factList(url, facts), true));
    const { links: skipped, base, counts, problem } = JSON.parse(result.report()) as Report;
    const { edited } = result;
    return { content: contentOf(html, result), changed: edited > 0, edited, base, skipped, counts, problem };
  }

  /** Returns the document with its links rewritten: `rewrite(...).content`, without the cost of a report. */
  rewriteContent<H extends Html>(html: H, url?: string, facts?: Facts): SameAs<H> {
    return contentOf(html, withInput(html, (input) => this.#raw.rewrite(input, factList(url, facts), false)));
  }

  /** Returns the links of a document. */
  links(html: Html, url?: string, facts?: Facts): Links {
    const { links: list, base, problem } = this.firstLinks(html, ALL, url, facts);
    return Object.assign(list, { base, problem });
  }

  /** @internal Returns the first links of a document, the numbers of all of them, and the base URL. */
  firstLinks(html: Html, limit: number, url?: string, facts?: Facts): Report {
    return JSON.parse(withInput(html, (input) => this.#raw.links(input, factList(url, facts), limit))) as Report;
  }

  /** Returns the base URL of a document. */
  base(html: Html, url?: string, facts?: Facts): Base {
    return JSON.parse(withInput(html, (input) => this.#raw.base(input, factList(url, facts)))) as Base;
  }

  /** Returns the problems of a document with its base URL and its links. */
  check(html: Html, url?: string, facts?: Facts): Finding[] {
    return JSON.parse(withInput(html, (input) => this.#raw.check(input, factList(url, facts)))) as Finding[];
  }

  /**
   * Rewrites a document as a function decides, which is called with each link, in document order. What it throws is thrown
   * here. Calling it takes most of the time.
   */
  rewriteLinks<H extends Html>(html: H, decide: (link: Link) => Decision, url?: string, facts?: Facts): SameAs<H> {
    // Exceptions must not cross the module.
    let thrown: { readonly error: unknown } | undefined;
    const ask = (json: string): string | null | boolean => {
      if (thrown) {
        return false;
      }
      try {
        return answer(decide(JSON.parse(json) as Link));
      } catch (error) {
        thrown = { error };
        return false;
      }
    };
    const result = withInput(html, (input) => this.#raw.rewrite_links(input, factList(url, facts), ask));
    if (thrown) {
      result.free();
      throw (thrown as { readonly error: unknown }).error;
    }
    return contentOf(html, result);
  }
}

let defaultRewriter: Rewriter | undefined;

/** Returns the rewriter for some options, and those of them that are facts about one document. */
function prepared(all: AllOptions | undefined): [Rewriter, Facts] {
  const { options, facts } = separated(all);
  if (Object.keys(options).length > 0) {
    return [new Rewriter(options), facts];
  }
  defaultRewriter ??= new Rewriter();
  return [defaultRewriter, facts];
}

/** Returns the document with its links rewritten, absolute by default. */
export function rewrite<H extends Html>(html: H, url?: string, options?: AllOptions): SameAs<H> {
  const [rewriter, facts] = prepared(options);
  return rewriter.rewriteContent(html, url, facts);
}

/** Returns the links of a document, with their targets. */
export function links(html: Html, url?: string, options?: AllOptions): Links {
  const [rewriter, facts] = prepared(options);
  return rewriter.links(html, url, facts);
}

/** Returns the base URL of a document, with all candidates for it. */
export function base(html: Html, url?: string, options?: AllOptions): Base {
  const [rewriter, facts] = prepared(options);
  return rewriter.base(html, url, facts);
}

/** Returns the problems of a document with its base URL and its links. */
export function check(html: Html, url?: string, options?: AllOptions): Finding[] {
  const [rewriter, facts] = prepared(options);
  return rewriter.check(html, url, facts);
}

/** Rewrites a document as a function decides; see {@link Rewriter.rewriteLinks}. */
export function rewriteLinks<H extends Html>(
  html: H,
  decide: (link: Link) => Decision,
  url?: string,
  options?: AllOptions,
): SameAs<H> {
  const [rewriter, facts] = prepared(options);
  return rewriter.rewriteLinks(html, decide, url, facts);
}

/** The standard that resolves a reference. */
export interface ResolveOptions {
  profile?: Profile | undefined;
}

/** Calls a function of the module about one reference. */
function ofReference<R>(base: string, reference: string, options: ResolveOptions, operation: (profile: string) => R): R {
  for (const [name, value] of Object.entries({ base, reference, profile: options.profile ?? "" })) {
    if (typeof value !== "string") {
      throw new TypeError(`${name}: must be a string, not ${value === null ? "null" : typeof value}`);
    }
  }
  try {
    return operation(options.profile ?? "rfc1808");
  } catch (error) {
    if (typeof error !== "string") {
      throw error;
    }
    throw /^(profile|form|base): /.test(error) ? new TypeError(error) : new ResolveError(error);
  }
}

/**
 * Resolves a reference against a base URL and returns its target. An empty base URL leaves the reference as it is.
 *
 * @throws ResolveError The reference has no target.
 */
export function resolve(base: string, reference: string, options: ResolveOptions = {}): string {
  return ofReference(base, reference, options, (profile) => raw.resolve(base, reference, profile));
}

/** Resolves a reference, and also returns the steps of the standard that led to the target. */
export function explain(base: string, reference: string, options: ResolveOptions = {}): Trace {
  return ofReference(base, reference, options, (profile) => JSON.parse(raw.explain(base, reference, profile)) as Trace);
}

/**
 * Returns the shortest reference without a slash at its beginning that leads from a base URL to a target, the inverse of
 * {@link resolve}; with the form `root`, one that begins with the path from the root. A target of another scheme or host is returned as it is.
 */
export function relative(
  base: string,
  target: string,
  options: ResolveOptions & { form?: "path" | "root" | undefined } = {},
): string {
  const form = options.form ?? "path";
  return ofReference(base, target, options, (profile) => raw.relative(base, target, profile, form));
}
