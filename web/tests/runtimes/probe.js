// Calls the package, in any runtime. Node must have the same results, which other tests check.

import { KEEP, RESOLVE, Rewriter, base, check, explain, links, rewrite, rewriteLinks } from "absolve";

const URL_OF_PAGES = "http://h/a/b";

/** Strings that are short, longer than what is encoded at once, of several languages, and with lone surrogates. */
const TEXTS = ["", "\uFEFF", "é", "ह", "\u{1F600}", "\uD800", "x\uDC00\uD83D y", `${"x".repeat(32700)}${"\u{1F600}".repeat(100)}`];
TEXTS.push(`x${TEXTS.at(-1)}`, `${TEXTS.at(-1)}\uD800`.repeat(3));

/** Returns an error as JSON has it. */
function thrown(call) {
  try {
    return call();
  } catch (error) {
    return [error.name, error.message];
  }
}

/** Returns results that JSON can represent. */
export function probe() {
  const rewriter = new Rewriter({ profile: "whatwg", fragments: "auto" });
  return {
    strings: TEXTS.map((text) => rewrite(`<a title="${text}" href=g>${text}<img src=x>${text}`, URL_OF_PAGES)),
    bytes: TEXTS.map((text) => [...rewrite(new TextEncoder().encode(`<a title="${text}" href=g>`), URL_OF_PAGES)].join()),
    links: TEXTS.map((text) => links(`${text}<a href=g>`, URL_OF_PAGES)),
    base: base("<base href=//c/>", URL_OF_PAGES),
    check: check("é<a href=../../g>", URL_OF_PAGES),
    explain: explain("http://a/b/c/d;p?q", "../g"),
    decided: rewriteLinks("<a href=x><a href=y><a href=z>", URL_OF_PAGES, ({ reference }) => ({ x: KEEP, y: RESOLVE })[reference] ?? null),
    nested: rewriteLinks("é<a href=x>", URL_OF_PAGES, ({ target }) => rewrite(`<a href="${target}">`, URL_OF_PAGES)),
    report: rewriter.rewrite("<a href=#top><a href=x>", URL_OF_PAGES),
    error: thrown(() => rewriter.rewrite("x", URL_OF_PAGES, { encoding: "no such encoding" })),
    after: rewriter.rewriteContent("<a href=x>", URL_OF_PAGES),
  };
}
