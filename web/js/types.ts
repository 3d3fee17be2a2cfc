/** Types of arguments and results. Options have the names of the command's options in camel case, and the same values. */

/** A document: text, or bytes in any encoding. */
export type Html = string | Uint8Array;

/** The type of the result for a document. A `Buffer` gives a `Buffer`. */
export type SameAs<H extends Html> = H extends string ? string : H;

/** A URL, as an object or a string. */
export type Url = string | URL;

export type Profile = "rfc1808" | "rfc3986" | "whatwg";
export type BaseSource = "embedded" | "encapsulating-entity" | "retrieval" | "default";
export type Preset =
  "html" | "social" | "lazy" | "rdfa" | "json-ld" | "comments" | "animation" | "legacy" | "none" | (string & {});

/** One name or several. */
export type Names<N extends string = string> = N | Iterable<N>;

/** Pairs of strings, as an object or in a list. */
export type Pairs = Readonly<Record<string, string>> | Iterable<readonly [string, string]>;

/** The name of a limit. */
export type LimitName = "base-length" | "links" | "value-links" | "growth" | "attributes" | "parser-steps" | "findings";

/** Options of a {@link Rewriter}. */
export interface Options {
  /** The standard that determines how references resolve. Default: `rfc1808`. */
  profile?: Profile | undefined;
  /** The part of a document in which BASE counts. Default: `document` for the profile `whatwg`, otherwise `head`. */
  baseScope?: "head" | "document" | undefined;
  /** The origins that BASE may have; `same` ignores one of another origin than the retrieval URL. Default: `any`. */
  baseOrigin?: "any" | "same" | undefined;
  /** Whether URLs of captures are read as those of the captured documents. Default: `none`. */
  unwrap?: "none" | "wayback" | undefined;
  /** Limits of what a document may take, with the names and defaults of `--limit`. */
  limit?: Readonly<Partial<Record<LimitName, number>>> | undefined;
  /** The form of targets. Default: `absolute`. */
  to?: "absolute" | "relative" | "root-relative" | undefined;
  /** The treatment of references such as `#top`; `auto` keeps those to the document itself. Default: `resolve`. */
  fragments?: "resolve" | "keep" | "auto" | undefined;
  /** The treatment of BASE. Default: `absolutize`. */
  baseElement?: "absolutize" | "keep" | "remove" | "insert" | undefined;
  /** URL prefixes of targets, and what replaces them; the first that matches applies. */
  map?: Pairs | undefined;
  /** Where documents move, by their exact URLs. */
  mapUrl?: Pairs | undefined;
  /** Whether references that are already absolute are normalized. Default: `false`. */
  normalize?: boolean | undefined;
  /** Whether characters that URLs do not allow are percent-encoded in targets. Default: `url`. */
  escape?: "url" | "none" | undefined;
  /** Groups of links in addition to `html`; `none` disables all. */
  preset?: Names<Preset> | undefined;
  /** Further links: selectors such as `img[data-src]`, each with the grammar of its value, such as `url`. */
  link?: Pairs | undefined;
  /** Selectors of links that are left as they are. */
  skip?: Names | undefined;
  /** The delimiters that open a template placeholder, instead of the default ones. */
  placeholders?: Names | undefined;
  /** Selectors of elements and comments that are removed, such as `script[src]` or `#comment`. */
  remove?: Names | undefined;
  /** Selectors of attributes that are removed, such as `*[integrity]`. */
  removeAttribute?: Names | undefined;
  /** Markup to insert into HTML documents, by its place: `head`, `head-end` or `body-end`. */
  insert?: Pairs | undefined;
  /** The name of an attribute for a URL that is replaced, such as `data-original`. */
  keepOriginal?: string | undefined;
}

/** Facts about one document, besides its URL. */
export interface Facts {
  /** The encoding that the transport declares. Ignored for strings. */
  encoding?: string | undefined;
  /** The language of the document. Default: `html`. */
  kind?: "html" | "css" | "xml" | "json-feed" | undefined;
  /** Base URLs of the entities around the document, innermost first (RFC 1808 section 3.2). */
  enclosingBase?: Names | undefined;
  /** The base URL if there is no other (RFC 1808 section 3.4). */
  defaultBase?: Url | undefined;
}

/** Options of a rewriter, and facts about one document. */
export interface AllOptions extends Options, Facts {}

/** A candidate for the base URL of a document. */
export interface Candidate {
  readonly source: BaseSource;
  /** The section of RFC 1808 that defines the source. */
  readonly section: string;
  /** The URL as it was given. */
  readonly value: string;
  /** Whether this candidate determines the base URL. */
  readonly used: boolean;
  /** Whether the base URL, which is relative as it was given, was resolved against this candidate. */
  readonly completing: boolean;
  /** The reason why it is the base URL or not, for people. */
  readonly reason: string;
}

/** The base URL of a document. */
export interface Base {
  /** The base URL; `null` if there is none. */
  readonly url: string | null;
  readonly source: BaseSource | null;
  /** All candidates, in order of precedence (RFC 1808 section 3). */
  readonly candidates: readonly Candidate[];
}

/** A link and its outcome. */
export interface Link {
  /** The name of the element; `svg:` or `math:` precedes the name of a foreign one. */
  readonly element: string;
  /** The name of the attribute, or `#text`. */
  readonly attribute: string;
  readonly grammar: string;
  readonly role: "base" | "navigation" | "resource" | "action" | "metadata" | "identifier";
  /** The reference, decoded. */
  readonly reference: string;
  /** The target; `null` if the link is skipped. */
  readonly target: string | null;
  /** The base URL that the reference resolves against; `null` if it is unknown. */
  readonly base: string | null;
  readonly baseSource: BaseSource | null;
  readonly status: "resolved" | "absolute" | "skipped";
  /** The reason why the link is skipped. */
  readonly reason: string | null;
  /** The offset of the reference as written: in UTF-16 code units of a string, in bytes of an array. */
  readonly start: number | null;
  /** The offset after it. */
  readonly end: number | null;
  /** The number of nested documents (`srcdoc`) around the link. */
  readonly depth: number;
}

/** The number of links by status. */
export interface Counts {
  readonly resolved: number;
  readonly absolute: number;
  readonly skipped: number;
  /** The number of edits beside links. */
  readonly beside: number;
  /** The number of edits beside links that could not be made. */
  readonly left: number;
}

/** The links of a document, in document order. */
export interface Links extends ReadonlyArray<Link> {
  /** The base URL of the document. */
  readonly base: Base;
  /** The reason why the document was not parsed; `null` usually. */
  readonly problem: string | null;
}

/** A rewritten document and its report. */
export interface Rewritten<H extends Html = Html> {
  /** The document. The argument itself if nothing changed. */
  readonly content: SameAs<H>;
  /** Whether the document differs from the argument. */
  readonly changed: boolean;
  /** The number of edits. */
  readonly edited: number;
  readonly base: Base;
  /** The links that were left as they were, each with its reason. */
  readonly skipped: readonly Link[];
  readonly counts: Counts;
  /** The reason why the document was not parsed, or why none of its edits could be written; `null` usually. */
  readonly problem: string | null;
}

/** A problem in a document. */
export interface Finding {
  /** The name of the rule, as in docs/rules.md. */
  readonly rule: string;
  readonly message: string;
  /** The solution. */
  readonly help: string;
  /** The offset of the problem, as in {@link Link}; `null` if it has no place in the document. */
  readonly start: number | null;
  readonly end: number | null;
  /** The reference that it is about, if there is one. */
  readonly reference: string | null;
}

/** A target and the steps of the standard that led to it. */
export interface Trace {
  readonly target: string;
  readonly steps: readonly { readonly place: string; readonly what: string }[];
}

/** Writes the target of a link; see {@link Decision}. */
export const RESOLVE: unique symbol = Symbol.for("absolve.RESOLVE");
/** Leaves a link as it is; see {@link Decision}. */
export const KEEP: unique symbol = Symbol.for("absolve.KEEP");

/**
 * The decision about a link: a string to write in place of the reference, `null` to remove the attribute, {@link KEEP},
 * {@link RESOLVE}, or a value to write with attributes to add to the element, each unless it has it.
 */
export type Decision = string | null | typeof KEEP | typeof RESOLVE | Addition;

/** A value to write in place of a reference, and attributes to add; not for links in the text of an element. */
export interface Addition {
  readonly value: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** A function that decides about a link. */
export type Decide = (link: Link) => Decision;
