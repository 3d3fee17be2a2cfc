/** Messages between the page and its worker. */

import type { Base, Facts, Finding, Link, Options } from "absolve";

/** A document and how it is to be read. */
export interface Request {
  readonly text: string;
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
  readonly findings: readonly Finding[];
  readonly findingCount: number;
  readonly edited: number;
  readonly milliseconds: number;
}

/** The targets of a reference by profile; `null` if it is skipped. */
export interface ProfileRow {
  readonly reference: string;
  readonly start: number | null;
  readonly end: number | null;
  readonly targets: readonly (string | null)[];
}

/** What the page asks of the worker. */
export type Question =
  | { readonly kind: "open"; readonly request: Request }
  | { readonly kind: "links"; readonly to: number }
  | { readonly kind: "result" }
  | { readonly kind: "profiles" }
  | { readonly kind: "resolve"; readonly base: string; readonly reference: string; readonly profile: string };

/** The answers, in the order of {@link Question}. */
export interface Answers {
  open: Overview;
  links: readonly Link[];
  result: string;
  profiles: { readonly rows: readonly ProfileRow[]; readonly count: number };
  resolve: { readonly target: string; readonly steps: readonly { place: string; what: string }[] };
}

/** The standards, in the order of {@link ProfileRow.targets}. */
export const PROFILES = ["rfc1808", "rfc3986", "whatwg"] as const;
