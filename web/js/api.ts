/** Functions and classes of the package. */

import * as raw from "../glue/absolve.js";
import { call, tooLong } from "./module.js";
import { factList, optionList, separated, string } from "./options.js";
import { applied, inputOf, release } from "./text.js";
import { KEEP, RESOLVE } from "./types.js";
import type {
  AllOptions,
  Base,
  Counts,
  Decide,
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
  Url,
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

/** The length from which no document fits into the memory of the module, which has 4 GiB, together with the result. */
const TOO_LONG = 1 << 30;

/** Calls a function of the module with a document. */
function withInput<R>(html: Html, operation: (input: raw.RawInput) => R): R {
  // Not `instanceof`: an array may come from another realm, such as a frame.
  const isBytes = ArrayBuffer.isView(html) && Object.prototype.toString.call(html) === "[object Uint8Array]";
  if (typeof html !== "string" && !isBytes) {
    throw new TypeError(`a document must be a string or a Uint8Array, not ${html === null ? "null" : typeof html}`);
  }
  if (html.length > TOO_LONG) {
    throw tooLong();
  }
  const input = call(() => inputOf(html));
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
  // A `Buffer`, which browsers do not have, differs from other arrays in its prototype alone.
  return Object.setPrototypeOf(result.into_bytes(), Object.getPrototypeOf(html)) as SameAs<H>;
}

/** Returns a rewritten document with its report. */
function reported<H extends Html>(html: H, result: raw.RawRewritten): Rewritten<H> {
  const { links: skipped, base, counts, problem } = JSON.parse(result.report()) as Report;
  const { edited } = result;
  return { content: contentOf(html, result), changed: edited > 0, edited, base, skipped, counts, problem };
}

/** Returns the answer of the module to the question about a link. */
function answer(decision: Decision): string | string[] | null | boolean {
  switch (decision) {
    case RESOLVE:
      return true;
    case KEEP:
      return false;
    default:
      if (decision === null || typeof decision === "string") {
        return decision;
      }
      if (typeof decision === "object" && "attributes" in decision) {
        const added = Object.entries(decision.attributes).flat();
        return [decision.value, ...added].map((text) => string("value and attributes", text));
      }
      throw new TypeError("the decision about a link must be a string, null, KEEP or RESOLVE, or have value and attributes");
  }
}

/** Settings for documents. One rewriter serves any number of documents. */
export class Rewriter {
  readonly #raw: raw.RawRewriter;

  /** @throws TypeError An option is invalid; the message names it, its value and what to use instead. */
  constructor(options?: Options);
  /** @internal */
  constructor(options: undefined, list: string[]);
  constructor(options?: Options, list = optionList(options)) {
    this.#raw = call(() => new raw.RawRewriter(list));
  }

  /** Frees the memory of the rewriter, which cannot be used afterwards. Without a call, it is freed with the garbage. */
  free(): void {
    this.#raw.free();
  }

  /** Rewrites a document. */
  rewrite<H extends Html>(html: H, url?: Url, facts?: Facts): Rewritten<H> {
    return reported(html, withInput(html, (input) => this.#raw.rewrite(input, factList(url, facts), true)));
  }

  /** Returns the document with its links rewritten: `rewrite(...).content`, without the cost of a report. */
  rewriteContent<H extends Html>(html: H, url?: Url, facts?: Facts): SameAs<H> {
    return contentOf(html, withInput(html, (input) => this.#raw.rewrite(input, factList(url, facts), false)));
  }

  /** Returns the links of a document. */
  links(html: Html, url?: Url, facts?: Facts): Links {
    const { links: list, base, problem } = this.firstLinks(html, ALL, url, facts);
    return Object.assign(list, { base, problem });
  }

  /** @internal Returns the first links of a document, the numbers of all of them, and the base URL. */
  firstLinks(html: Html, limit: number, url?: Url, facts?: Facts): Report {
    return JSON.parse(withInput(html, (input) => this.#raw.links(input, factList(url, facts), limit))) as Report;
  }

  /** @internal Returns start, end and length of the replacement of each edit of a document, in bytes. */
  edits(html: Html, url?: string, facts?: Facts): Uint32Array {
    return withInput(html, (input) => this.#raw.edits(input, factList(url, facts)));
  }

  /** Returns the base URL of a document. */
  base(html: Html, url?: Url, facts?: Facts): Base {
    return JSON.parse(withInput(html, (input) => this.#raw.base(input, factList(url, facts)))) as Base;
  }

  /** Returns the problems of a document with its base URL and its links. */
  check(html: Html, url?: Url, facts?: Facts): Finding[] {
    return JSON.parse(withInput(html, (input) => this.#raw.check(input, factList(url, facts)))) as Finding[];
  }

  /**
   * Rewrites a document as a function decides, which is called with each link, in document order. What it throws is thrown
   * here. Calling it takes most of the time. A link that cannot hold its answer is `skipped`, with the reason `unwritable`.
   */
  rewriteLinks<H extends Html>(html: H, url: Url | undefined, decide: Decide, facts?: Facts): Rewritten<H> {
    // Exceptions must not cross the module.
    let thrown: { readonly error: unknown } | undefined;
    const ask = (json: string): string | string[] | null | boolean => {
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
    return reported(html, result);
  }
}

/** The rewriters of the last calls by their options. None of them is in use. */
const rewriters = new Map<string, Rewriter>();

/** The number of rewriters that are kept for the next calls. */
const MOST_KEPT = 16;

/** Calls a function with the rewriter for some options, and those of them that are facts about one document. */
function withRewriter<R>(all: AllOptions | undefined, use: (rewriter: Rewriter, facts: Facts) => R): R {
  const { options, facts } = separated(all);
  const list = optionList(options);
  const key = JSON.stringify(list);
  const rewriter = rewriters.get(key) ?? new Rewriter(undefined, list);
  // The function that decides about a link may call this one.
  rewriters.delete(key);
  let inUse = false;
  try {
    return use(rewriter, facts);
  } catch (error) {
    // After an error in the module, it is freed with the garbage.
    inUse = error instanceof RangeError;
    throw error;
  } finally {
    if (!inUse) {
      keep(key, rewriter);
    }
  }
}

/** Keeps a rewriter, and frees another one if there are too many. */
function keep(key: string, rewriter: Rewriter): void {
  const oldest = rewriters.has(key) ? key : rewriters.size < MOST_KEPT ? undefined : rewriters.keys().next().value;
  if (oldest !== undefined) {
    rewriters.get(oldest)?.free();
    rewriters.delete(oldest);
  }
  rewriters.set(key, rewriter);
}

/** Returns the document with its links rewritten, absolute by default. */
export function rewrite<H extends Html>(html: H, url?: Url, options?: AllOptions): SameAs<H> {
  return withRewriter(options, (rewriter, facts) => rewriter.rewriteContent(html, url, facts));
}

/** Returns the links of a document, with their targets. */
export function links(html: Html, url?: Url, options?: AllOptions): Links {
  return withRewriter(options, (rewriter, facts) => rewriter.links(html, url, facts));
}

/** Returns the base URL of a document, with all candidates for it. */
export function base(html: Html, url?: Url, options?: AllOptions): Base {
  return withRewriter(options, (rewriter, facts) => rewriter.base(html, url, facts));
}

/** Returns the problems of a document with its base URL and its links. */
export function check(html: Html, url?: Url, options?: AllOptions): Finding[] {
  return withRewriter(options, (rewriter, facts) => rewriter.check(html, url, facts));
}

/** Rewrites a document as a function decides; see {@link Rewriter.rewriteLinks}. */
export function rewriteLinks<H extends Html>(html: H, url: Url | undefined, decide: Decide, options?: AllOptions): SameAs<H> {
  return withRewriter(options, (rewriter, facts) => rewriter.rewriteLinks(html, url, decide, facts).content);
}

/** The standard that resolves a reference. */
export interface ResolveOptions {
  profile?: Profile | undefined;
}

/** Calls a function of the module about one reference. */
function ofReference<R>(
  first: Url,
  second: Url,
  options: ResolveOptions,
  operation: (base: string, reference: string, profile: string) => R,
): R {
  const base = string("base", first);
  const reference = string("reference", second);
  const profile = string("profile", options.profile ?? "rfc1808");
  try {
    return call(() => operation(base, reference, profile));
  } catch (error) {
    const isArgument = !(error instanceof TypeError) || /^(profile|form|base): /.test(error.message);
    throw isArgument ? error : new ResolveError(error.message);
  }
}

/**
 * Resolves a reference against a base URL and returns its target. An empty base URL leaves the reference as it is.
 *
 * @throws ResolveError The reference has no target.
 */
export function resolve(base: Url, reference: Url, options: ResolveOptions = {}): string {
  return ofReference(base, reference, options, raw.resolve);
}

/** Resolves a reference, and also returns the steps of the standard that led to the target. */
export function explain(base: Url, reference: Url, options: ResolveOptions = {}): Trace {
  return JSON.parse(ofReference(base, reference, options, raw.explain)) as Trace;
}

/**
 * Returns the shortest reference without a slash at its beginning that leads from a base URL to a target, the inverse of
 * {@link resolve}; with the form `root`, one that begins with the path from the root. A target of another scheme or host is returned as it is.
 */
export function relative(
  base: Url,
  target: Url,
  options: ResolveOptions & { form?: "path" | "root" | undefined } = {},
): string {
  const form = options.form ?? "path";
  return ofReference(base, target, options, (...args) => raw.relative(...args, form));
}
