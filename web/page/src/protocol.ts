/** Messages between the page and its worker. */

import type { Base, Counts, Facts, Finding, Link, Options } from "absolve";

/** A document and how it is to be read. */
export interface Request {
  /** The text of the document; without one, it is that of the file that was loaded last. */
  readonly text: string | undefined;
  readonly url: string;
  readonly options: Options;
  readonly facts: Facts;
}

/** What is shown at once. Lists are the beginnings of what there is. */
export interface Overview {
  readonly base: Base;
  readonly problem: string | null;
  readonly links: readonly Link[];
  readonly linkCount: number;
  readonly counts: Counts;
  readonly milliseconds: number;
}

/** The first problems, and the number of all. */
export interface Findings {
  readonly list: readonly Finding[];
  readonly count: number;
}

/** The targets of a reference by profile; `null` if it is skipped. */
export interface ProfileRow {
  readonly reference: string;
  readonly start: number | null;
  readonly end: number | null;
  readonly targets: readonly (string | null)[];
}

/** A text that is replaced. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly removed: string;
  readonly added: string;
}

/** Changes that are near to each other, in one line, and the text around them. */
export interface Hunk {
  readonly parts: readonly (string | Change)[];
}

/** What rewriting changes, by the edits that were made. */
export interface Changes {
  readonly hunks: readonly Hunk[];
  /** The number of edits, also of those that are in no hunk. */
  readonly edits: number;
  /** The lengths in bytes: of the document, of what was replaced in it, and of the replacements. */
  readonly length: number;
  readonly removed: number;
  readonly added: number;
}

/** The way to a target by one profile. */
export interface Resolution {
  /** The target, or the reason why there is none. */
  readonly target: string;
  readonly isError: boolean;
  readonly steps: readonly { readonly place: string; readonly what: string }[];
}

/** A document in a container. */
export interface ContainedDocument {
  readonly label: string;
  readonly url: string | null;
  readonly kind: string;
  readonly error: string | null;
}

/** A file that was loaded. */
export interface Loaded {
  readonly text: string;
  /** The name of the encoding in which the document was read. */
  readonly encoding: string | null;
  readonly isContainer: boolean;
  readonly documents: readonly ContainedDocument[];
}

/** What the page asks of the worker. */
export type Question =
  | { readonly kind: "load"; readonly bytes: Uint8Array; readonly index: number; readonly facts: Facts }
  | { readonly kind: "open"; readonly request: Request }
  | { readonly kind: "links"; readonly status: string; readonly to: number }
  | { readonly kind: "findings" }
  | { readonly kind: "changes"; readonly to: number }
  | { readonly kind: "result" }
  | { readonly kind: "file" }
  | { readonly kind: "profiles" }
  | { readonly kind: "resolve"; readonly base: string; readonly reference: string };

/** The answers, in the order of {@link Question}. */
export interface Answers {
  load: Loaded;
  open: Overview;
  links: readonly Link[];
  findings: Findings;
  changes: Changes;
  result: string;
  file: Uint8Array;
  profiles: { readonly rows: readonly ProfileRow[]; readonly count: number };
  resolve: readonly Resolution[];
}

/** The number of rows that are shown at first. */
export const ROWS = 100;

/** Returns whether a text or file begins like an HTTP response, a message or a mailbox. */
export function isContainer(content: string | Uint8Array): boolean {
  const start = typeof content === "string" ? content.slice(0, 4096) : new TextDecoder("windows-1252").decode(content.subarray(0, 4096));
  return /^HTTP\/[\d.]+ \d|^From \S+ /.test(start) || /^(?:[!-9;-~]+:.*\r?\n(?:[ \t].*\r?\n)*)*?(?:MIME-Version|Content-Type):/i.test(start);
}

/** The standards, in the order of {@link ProfileRow.targets} and of the answers to "resolve". */
export const PROFILES = ["rfc1808", "rfc3986", "whatwg"] as const;
