// XHTML and SVG documents in Chromium: each reference leads to the same URL before and after they are rewritten.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { Rewriter } from "absolve";

import { launch } from "./browser.js";

const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const XHTML = 'xmlns="http://www.w3.org/1999/xhtml"';

/** Documents with references of several kinds, and the number of those that are rewritten. */
const DOCUMENTS = [
  ["a.svg", `<svg ${SVG}><a href="../x"><image href="y.png"/></a><a xlink:href="z?a&amp;b"/><use href="s.svg#i"/><script href="s.js"/></svg>`, 5],
  // Browsers have no xml:base.
  ["b.svg", `<svg ${SVG} xml:base="http://other.example/p/"><g xml:base="q/"><a href="x"/></g><a xlink:href="//h2.example/"/></svg>`, 2],
  // A reference to a part of the document itself stays as it is, unless it is a hyperlink.
  ["c.svg", `<svg ${SVG}><use href="#i"/><a xlink:href="#j"/><a href="k"/></svg>`, 2],
  // BASE is an element of XHTML, also in SVG.
  ["d.svg", `<svg ${SVG}><base href="http://other.example/"/><a href="x"/></svg>`, 1],
  ["e.xhtml", `<html ${XHTML}><head><title/><script src="a.js"/></head><body><a href="c.html">é</a><img src="&#x64;.png"/></body></html>`, 3],
  ["f.xhtml", `<html ${XHTML}><head><base href="../b/"/><link href="l"/></head><body><a href="?q=é"/><form action="f"/><svg ${SVG}><a href="x"/></svg></body></html>`, 4],
  ["g.xhtml", `<html ${XHTML}><body xml:base="http://other.example/"><a href="x"/><p><base href="late/"/></p><a href="y"/></body></html>`, 2],
  ["h.xhtml", `<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:head><h:base href="//h3.example/"/></h:head><h:body><h:a href="x"/><a href="y"/></h:body></h:html>`, 1],
];

let browser;
after(() => browser?.close());

/** Returns the URLs to which the references of a document lead, in document order. */
async function leadsTo(page, url, contentType, body) {
  await page.unrouteAll();
  await page.route("**/*", (route) => (route.request().url() === url ? route.fulfill({ contentType, body }) : route.abort()));
  await page.goto(url);
  return page.evaluate(() => {
    const names = new Set(["href", "src", "action"]);
    return [...document.querySelectorAll("*")].flatMap((element) => {
      const isLink = /^http:\/\/www\.w3\.org\/(1999\/xhtml|2000\/svg)$/.test(element.namespaceURI) && element.localName !== "base";
      const attributes = isLink ? [...element.attributes].filter(({ localName }) => names.has(localName)) : [];
      return attributes.map(({ name, value }) => {
        const property = element[name];
        // Properties of SVG have the text of the attribute.
        const target = typeof property === "string" ? property : new URL(value, element.baseURI).href;
        return `${element.localName} ${name} ${target}`;
      });
    });
  });
}

test("references of XHTML and SVG lead to the same URLs", async (test) => {
  browser = await launch(test);
  if (!browser) return;
  const page = await browser.newPage();
  const rewriter = new Rewriter({ profile: "whatwg", baseElement: "keep" });
  for (const [name, source, count] of DOCUMENTS) {
    const url = `http://h.example/dir/${name}`;
    const contentType = name.endsWith(".svg") ? "image/svg+xml" : "application/xhtml+xml";
    const rewritten = rewriter.rewrite(source, url, { kind: "xml" });
    assert.equal(rewritten.problem, null, name);
    assert.equal(rewritten.edited, count, `${name}: ${rewritten.content}`);
    const before = await leadsTo(page, url, contentType, source);
    assert.deepEqual(await leadsTo(page, url, contentType, rewritten.content), before, name);
    // What was rewritten does so at any place.
    const elsewhere = await leadsTo(page, `http://elsewhere.example/${name}`, contentType, rewritten.content.replace(/<(h:)?base [^>]*>/, ""));
    const targets = rewriter.links(source, url, { kind: "xml" }).filter(({ status, element }) => status === "resolved" && element !== "base");
    for (const { target } of targets) {
      assert.ok(elsewhere.some((line) => line.endsWith(` ${target}`)), `${name}: ${target} in ${elsewhere}`);
    }
  }
});
