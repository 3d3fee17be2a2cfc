// Functions and classes of the package.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

import * as absolve from "absolve";
import { KEEP, RESOLVE, ResolveError, Rewriter, base, check, explain, links, relative, resolve, rewrite, rewriteLinks } from "absolve";

const encoder = new TextEncoder();

test("the type of the document is that of the result", () => {
  const html = '<A HREF = "g">g</A>';
  const expected = '<A HREF = "http://a/b/g">g</A>';
  assert.equal(rewrite(html, "http://a/b/c"), expected);
  const bytes = rewrite(encoder.encode(html), "http://a/b/c");
  assert.equal(Object.prototype.toString.call(bytes), "[object Uint8Array]");
  assert.deepEqual([...bytes], [...encoder.encode(expected)]);
});

test("a Buffer gives a Buffer", () => {
  const html = Buffer.from("<a href=x>é");
  const rewriter = new Rewriter();
  for (const result of [rewrite(html, "http://h/"), rewriter.rewrite(html, "http://h/").content, rewriteLinks(html, "http://h/", () => RESOLVE)]) {
    assert.equal(result.toString(), "<a href=http://h/x>é");
  }
});

test("URL objects are URLs", () => {
  const url = new URL("http://h/a/b");
  assert.equal(rewrite("<a href=x>", url), "<a href=http://h/a/x>");
  assert.equal(base("", undefined, { defaultBase: url }).url, "http://h/a/b");
  assert.equal(rewrite("<a href=x>", undefined, { enclosingBase: [url] }), "<a href=http://h/a/x>");
  assert.equal(rewrite("<a href=x>", url, { map: [[new URL("http://h/"), "http://n/"]] }), "<a href=http://n/a/x>");
  assert.equal(resolve(url, "x"), "http://h/a/x");
  assert.equal(relative(url, new URL("http://h/c")), "../c");
});

test("an unchanged document is the argument", () => {
  const bytes = encoder.encode("<a href=http://a/>");
  assert.equal(rewrite(bytes, "http://h/"), bytes);
  assert.equal(rewrite("<p>", "http://h/"), "<p>");
});

test("every string comes back, also one that has no form in UTF-8", () => {
  for (const text of ["\uFEFF", "\uD800", "x\uDC00\uD83D y", "\u{1F600}", "\0", "é\uD83D", "\uFFFF"]) {
    const html = `<a title="${text}" href=g>${text}`;
    assert.equal(rewrite(html, "http://h/"), html.replace("href=g", "href=http://h/g"));
  }
  const long = ["a\uD800é\u{1F600}ह".repeat(20000), "é".repeat(100000)];
  // Long strings are encoded in parts, the first of which ends at one of these units.
  for (let ascii = 32750; ascii <= 32770; ascii++) {
    long.push(`${"x".repeat(ascii)}\u{1F600}`, `${"x".repeat(ascii)}\uD800`, `${"é".repeat(ascii)}\u{1F600}`);
  }
  for (const text of long) {
    const result = rewrite(`${text}<a href=g title="${text}">${text}`, "http://h/");
    assert.ok(result === `${text}<a href=http://h/g title="${text}">${text}`, text.slice(-3));
    assert.equal(links(`<a href="${text}">`, "http://h/")[0].reference, text.toWellFormed());
  }
});

test("characters of all lengths are encoded at every place", () => {
  // The first and the last of each length in UTF-8, and halves of pairs.
  const characters = ["a", "\x7f", "\x80", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff", "\u{10000}", "\u{10ffff}", "\ud800", "\udfff"];
  for (const first of characters) {
    for (const second of characters) {
      for (let before = 0; before < 20; before++) {
        const text = "x".repeat(before) + first + second + "x".repeat(17) + second.repeat(before) + first;
        const [link, next] = links(`<a href="${text}">${text}<a href=y>`, "http://h/");
        assert.equal(link.reference, text.toWellFormed());
        assert.equal(next.start, text.length * 2 + "<a href=''><a href=".length);
      }
    }
  }
});

test("the encoding of a string is not what it declares", () => {
  const html = '<meta charset=windows-1251><a href="?ж">';
  assert.match(rewrite(html, "http://h/"), /\?%D0%B6/);
  // %E6 is ж in windows-1251.
  const bytes = Uint8Array.from([...'<meta charset=windows-1251><a href="?'].map((c) => c.charCodeAt(0)).concat(0xe6, 0x22, 0x3e));
  assert.match(Buffer.from(rewrite(bytes, "http://h/")).toString("latin1"), /\?%E6/);
});

test("offsets are in code units of strings and in bytes of arrays", () => {
  const html = `é\u{1F600}${"ü".repeat(2000)}\uD800<a href=ref>é<img src=x>`;
  for (const link of links(html, "http://h/")) {
    assert.equal(html.slice(link.start, link.end), link.reference);
  }
  const bytes = encoder.encode(`é\u{1F600}<a href=ref>`);
  const [link] = links(bytes);
  assert.equal(new TextDecoder().decode(bytes.slice(link.start, link.end)), "ref");
  const [finding] = check(`é\u{1F600}<a href=../g>`, "http://a/b");
  assert.equal(finding.rule, "dots-above-root");
  assert.deepEqual([finding.start, finding.end], [11, 15]);
});

test("links have targets, reasons and base URLs", () => {
  const found = links("<base href=/d/><a href=x><img src=''><a href=http://o/><iframe srcdoc='<a href=y>'>", "http://h/a");
  assert.deepEqual(
    found.map(({ element, status, target, reason, depth }) => [element, status, target, reason, depth]),
    [
      ["base", "resolved", "http://h/d/", null, 0],
      ["a", "resolved", "http://h/d/x", null, 0],
      ["img", "skipped", null, "empty", 0],
      ["a", "absolute", "http://o/", null, 0],
      ["a", "resolved", "http://h/d/y", null, 1],
    ],
  );
  assert.equal(found.base.url, "http://h/d/");
  assert.equal(found.problem, null);
  assert.deepEqual(found.map((link) => link.baseSource).slice(0, 2), ["retrieval", "embedded"]);
});

test("the base URL knows its candidates", () => {
  const established = base("<base href=//c/>", "http://h/", { defaultBase: "http://d/" });
  assert.equal(established.url, "http://c/");
  assert.equal(established.source, "embedded");
  assert.deepEqual(
    established.candidates.map(({ source, section, value, used, completing, reason }) => [
      source,
      section,
      value,
      used,
      completing,
      reason,
    ]),
    [
      ["embedded", "3.1", "//c/", true, false, "relative; resolved against the next usable candidate"],
      ["retrieval", "3.3", "http://h/", false, true, "base of a relative candidate of higher precedence"],
      ["default", "3.4", "http://d/", false, false, "overridden by a candidate of higher precedence"],
    ],
  );
  assert.deepEqual(base("<p>"), { url: null, source: null, candidates: [] });
});

test("a rewriter reports what it did", () => {
  const rewriter = new Rewriter({ skip: "img[src]" });
  const rewritten = rewriter.rewrite("<a href=x><img src=y><a href=http://o/>", "http://h/");
  assert.equal(rewritten.content, "<a href=http://h/x><img src=y><a href=http://o/>");
  assert.deepEqual(rewritten.counts, { resolved: 1, absolute: 1, skipped: 1, beside: 0, left: 0 });
  assert.equal(rewritten.changed, true);
  assert.equal(rewritten.edited, 1);
  assert.equal(rewritten.problem, null);
  assert.deepEqual(rewritten.skipped.map((link) => [link.reference, link.reason]), [["y", "excluded"]]);
  assert.equal(rewriter.rewriteContent("<a href=x>", "http://h/"), "<a href=http://h/x>");
  assert.equal(rewriter.base("<p>", "http://h/").source, "retrieval");
  assert.equal(rewriter.check("<a href=x>")[0].rule, "no-base");
});

test("strings of any language, and lone surrogates", () => {
  for (const letter of ["x", "é", "語", "😀"]) {
    const around = letter.repeat(3000);
    const html = (href) => `${around}<a href='${href}'>${around}</a><img src="../${letter}.png">${around}`;
    const expected = `${around}<a href='http://h/a/x'>${around}</a><img src="http://h/${encodeURI(letter)}.png">${around}`;
    assert.equal(rewrite(html("x"), "http://h/a/b"), expected);
    const bytes = new TextDecoder().decode(rewrite(new TextEncoder().encode(html("x")), "http://h/a/b"));
    assert.equal(bytes, expected);
    const [link] = links(html("x"), "http://h/a/b");
    assert.equal(html("x").slice(link.start, link.end), "x");
  }
  // U+FFFD replaces a lone surrogate in a URL, as the URL Standard says; around links it stays.
  const html = "\ud800<a href=x>\udc00</a><a href=\ud800y>\udfff";
  assert.equal(rewrite(html, "http://h/"), "\ud800<a href=http://h/x>\udc00</a><a href=http://h/%EF%BF%BDy>\udfff");
  assert.deepEqual(links(html).map(({ start, end }) => html.slice(start, end)), ["x", "\ud800y"]);
});

test("a function decides about links", () => {
  const html = "<a href=keep></a><a href=resolve></a><a href=gone></a><a href=new></a>";
  const answers = { keep: KEEP, resolve: RESOLVE, gone: null, new: 'x"&y' };
  const rewritten = rewriteLinks(html, "http://h/", (link) => answers[link.reference]);
  // A quotation mark within an unquoted value is part of it.
  assert.equal(rewritten, '<a href=keep></a><a href=http://h/resolve></a><a ></a><a href=x"&amp;y></a>');
  const addition = ({ reference }) => ({ value: "v", attributes: { "data-a": `${reference}"`, href: "w", "a b": "" } });
  assert.equal(rewriteLinks("é<a href=x>", "http://h/", addition), 'é<a data-a="x&quot;" href=v>');
  const moved = { mapUrl: { "http://h/x": "http://n/y" }, keepOriginal: "data-a" };
  assert.equal(rewrite("<a href=x#f><a href=x/z>", "http://h/", moved), '<a data-a="x#f" href=http://n/y#f><a data-a="x/z" href=http://h/x/z>');
  const error = new Error("mine");
  let calls = 0;
  const throws = () => {
    calls++;
    throw error;
  };
  assert.throws(() => rewriteLinks(html, undefined, throws), error);
  assert.equal(calls, 1);
  assert.throws(() => rewriteLinks(html, undefined, () => undefined), /must be a string, null, KEEP or RESOLVE/);
  for (const attributes of [{ a: 1 }, null]) {
    assert.throws(() => rewriteLinks(html, undefined, () => ({ value: "v", attributes })), TypeError);
  }
  assert.throws(() => rewriteLinks(html, undefined, () => ({ attributes: {} })), /must be a string/);
});

test("answers that a link cannot hold are reported", () => {
  const html = "<img srcset='a 1x, b 2x'><a href=x></a><a href=y></a>";
  for (const document of [html, Buffer.from(html)]) {
    const decide = ({ reference }) => (reference === "y" ? KEEP : reference === "x" ? "http://h/x" : "a b,");
    const rewritten = new Rewriter().rewriteLinks(document, "http://h/", decide);
    assert.equal(String(rewritten.content), "<img srcset='a 1x, b 2x'><a href=http://h/x></a><a href=y></a>");
    assert.deepEqual(rewritten.skipped.map(({ reference, reason }) => [reference, reason]), [["a", "unwritable"], ["b", "unwritable"]]);
    assert.equal(rewritten.problem, null);
  }
});

test("references without a document", () => {
  assert.equal(resolve("http://a/b/c/d;p?q", "../g"), "http://a/b/g");
  assert.equal(resolve("http://a/b/c/d;p?q", ";x"), "http://a/b/c/d;x");
  assert.equal(resolve("http://a/b/c/d;p?q", ";x", { profile: "rfc3986" }), "http://a/b/c/;x");
  assert.equal(resolve("", "g"), "g");
  assert.throws(() => resolve("nonsense", "g"), ResolveError);
  assert.throws(() => resolve("http://a/", "http://a b/", { profile: "whatwg" }), ResolveError);
  assert.throws(() => resolve("http://a/", "g", { profile: "rfc1" }), { name: "TypeError", message: /rfc1808, rfc3986, whatwg/ });
  assert.throws(() => resolve("http://a/", undefined), TypeError);
  assert.equal(relative("http://a/b/c/d", "http://a/b/x"), "../x");
  assert.equal(relative("http://a/b/c/d", "http://a/b/x", { form: "root" }), "/b/x");
  const trace = explain("http://a/b/c/d;p?q", "../g");
  assert.equal(trace.target, "http://a/b/g");
  assert.equal(trace.steps.at(-1).place, "RFC 1808 section 4, step 7");
});

test("an error names the option, the value and what to use", () => {
  for (const [call, message] of [
    [() => new Rewriter({ profile: "x" }), /^profile: unknown profile: "x"; use one of rfc1808, rfc3986, whatwg$/],
    [() => new Rewriter({ to: "x" }), /^to: .*"x"; use one of absolute, relative, root-relative$/],
    [() => new Rewriter({ to: 1 }), /^to: must be a string, not number$/],
    [() => new Rewriter({ normalize: "yes" }), /^normalize: must be a boolean, not string$/],
    [() => new Rewriter({ limit: { links: -1 } }), /^limit: links: must be a whole number/],
    [() => new Rewriter({ limit: { link: 1 } }), /^limit: .*link/],
    [() => new Rewriter({ preset: "x" }), /^preset: unknown preset: "x"; use one of html, /],
    [() => new Rewriter({ preset: [1] }), /^preset: must be a string, not number$/],
    [() => new Rewriter({ link: { "a[": "url" } }), /^link: .*"a\["; use a selector such as/],
    [() => new Rewriter({ link: { "a[x]": "y" } }), /^link: .*"y"; use one of /],
    [() => new Rewriter({ link: "a[x]=url" }), /^link: must be an object or an iterable of pairs/],
    [() => new Rewriter({ map: { "a/": "http://h/" } }), /^map: .*"a\/"; use absolute URLs/],
    [() => new Rewriter({ profil: "x" }), /^unknown option: "profil"; use one of profile, /],
    [() => new Rewriter("rfc1808"), /^options: must be an object, not string$/],
    [() => rewrite("", "not a URL"), /^url: .*"not a URL"; use an absolute URL/],
    [() => rewrite("", "C:\\x.html"), /^url: a path, not a URL: .*use a file URL/],
    [() => rewrite("", 1), /^url: must be a string, not number$/],
    [() => rewrite("", undefined, { enclosingBase: ["x"] }), /^enclosingBase: /],
    [() => rewrite("", undefined, { encoding: "x" }), /^encoding: unknown encoding: "x"; use a label/],
    [() => rewrite("", undefined, { kind: "x" }), /^kind: .*"x"; use one of html, css/],
    [() => rewrite(new ArrayBuffer(1)), /^a document must be a string or a Uint8Array, not object$/],
    [() => rewrite(new Uint16Array(1)), /^a document must be a string or a Uint8Array/],
    [() => rewrite(null), /not null$/],
  ]) {
    assert.throws(call, (error) => error instanceof TypeError && message.test(error.message), String(message));
  }
});

test("memory does not grow with the number of calls", () => {
  const rewriter = new Rewriter();
  const html = `${"<a href=x>".repeat(1000)}\u{1F600}`;
  const round = () => {
    for (let index = 0; index < 300; index++) {
      rewriter.rewrite(html, "http://h/");
      rewriter.links(html, "http://h/");
      rewriter.check(html, "http://h/");
      rewriteLinks(html, undefined, () => KEEP);
      assert.throws(() => rewriter.rewrite(html, "x"));
      assert.throws(() => rewriteLinks(html, undefined, () => undefined));
      assert.throws(() => new Rewriter({ profile: "x" }));
    }
    return process.memoryUsage().external + process.memoryUsage().arrayBuffers;
  };
  const first = round();
  // A leak of one document per call would be about 20 MB.
  assert.ok(round() - first < 8e6);
});

test("options of a call take no memory after it", () => {
  const used = () => process.memoryUsage().external;
  const many = (count, options) => {
    const before = used();
    for (let index = 0; index < count; index++) {
      assert.equal(rewrite("<a href=x>", "http://h/", options(index)), "<a href=http://h/x>");
    }
    return used() - before;
  };
  many(100, () => ({}));
  // A rewriter has more than a kilobyte, and garbage is not collected within a loop.
  assert.ok(many(20000, () => ({ profile: "whatwg" })) < 4e6);
  assert.ok(many(20000, (index) => ({ skip: `img[data-${index}]` })) < 4e6);
  // Also if they are iterated once only.
  assert.equal(rewrite("<a href=x>", "http://h/", { map: new Map([["http://h/", "http://n/"]]).entries() }), "<a href=http://n/x>");
});

test("a function that decides about links may call the package with any options", () => {
  const nested = (depth, options) =>
    rewriteLinks("<a href=x>", "http://h/", () => (depth === 0 ? RESOLVE : nested(depth - 1, options)), options(depth));
  assert.match(nested(40, () => ({ profile: "whatwg" })), /http:/);
  assert.match(nested(40, (depth) => ({ skip: `img[data-${depth}]` })), /http:/);
  assert.equal(rewrite("<a href=x>", "http://h/", { profile: "whatwg" }), "<a href=http://h/x>");
});

test("a document that does not fit into memory is a RangeError", () => {
  assert.throws(() => rewrite(new Uint8Array(1.2e9), "http://h/"), { name: "RangeError", message: /^document too long/ });
  assert.equal(rewrite("<a href=x>", "http://h/"), "<a href=http://h/x>");
});

test("a module that could not be loaded can be loaded again", async () => {
  const web = await import("absolve/web");
  for (const call of [() => web.rewrite(""), () => web.resolve("http://h/", "x"), () => new web.Rewriter()]) {
    assert.throws(call, /^Error: absolve is not loaded; await init\(\) of 'absolve\/web' first$/);
  }
  await assert.rejects(web.init(new Uint8Array(8)), WebAssembly.CompileError);
  await web.init(readFileSync(new URL("../dist/absolve.wasm", import.meta.url)));
  assert.equal(web.rewrite("<a href=x>", "http://h/"), "<a href=http://h/x>");
});

test("the examples for streams and Workers", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const example = (start) => readme.slice(readme.indexOf(start), readme.indexOf("\n```", readme.indexOf(start)));
  const rewriting = new Function("rewrite", `return ${example("function rewriting")}`)(rewrite);
  const stream = new Blob(["<base href=/d/><a hre", "f=x>"]).stream().pipeThrough(rewriting("http://h/"));
  assert.equal(await new Response(stream).text(), "<base href=http://h/d/><a href=http://h/d/x>");
  const answer = (body, type) => async () =>
    Object.defineProperty(new Response(body, { headers: { "content-type": type } }), "url", { value: "http://h/" });
  const worker = (fetch) => new Function("rewrite", "fetch", example("export default").replace("export default", "return"))(rewrite, fetch);
  const page = answer(new Uint8Array([...encoder.encode("<a href=?"), 0xe6, 0x3e]), 'text/html; charset="windows-1251"');
  assert.equal((await (await worker(page).fetch()).text()), "<a href=http://h/?%E6>");
  assert.equal((await (await worker(answer("<a href=x>", "text/plain")).fetch()).text()), "<a href=x>");
});

test("CommonJS has the same names", () => {
  const required = createRequire(import.meta.url)("absolve");
  assert.deepEqual(Object.keys(required).sort(), Object.keys(absolve).sort());
  assert.equal(required.rewrite("<a href=x>", "http://h/"), "<a href=http://h/x>");
  assert.equal(required.rewriteLinks("<a href=x>", "http://h/", () => RESOLVE), "<a href=http://h/x>");
});
