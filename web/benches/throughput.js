// Compares the throughput of the package with that of posthtml-urls, on the pages of the corpora.
//
// Usage: node web/benches/throughput.js [CORPORA]; the default is `ABSOLVE_CORPORA`. Needs web/dist and web/node_modules.
// Every contestant makes every URL absolute against the same URL: from strings to strings, as a plugin, and from bytes to
// bytes, as a program with files. posthtml-urls has strings only, so that it has to decode and encode the latter. A figure is
// the best of seven rounds, in which the contestants take turns. Each begins without the garbage of the one before.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import posthtml from "posthtml";
import posthtmlUrls from "posthtml-urls";

import { Rewriter } from "absolve";

const ROUNDS = 7;
const URL_OF_PAGES = "https://host.example/a/b.html";

const corpora = process.argv[2] ?? process.env.ABSOLVE_CORPORA ?? "../shared/corpora";

function pages(folder) {
  const names = readdirSync(join(corpora, folder), { recursive: true }).filter((name) => name.endsWith(".html"));
  return names.sort().map((name) => readFileSync(join(corpora, folder, name), "utf8"));
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

const rewriter = new Rewriter();
const processor = posthtml([posthtmlUrls({ eachURL: (url) => (URL.canParse(url, URL_OF_PAGES) ? new URL(url, URL_OF_PAGES).href : url) })]);

const FORMS = {
  strings: {
    absolve: (html) => rewriter.rewriteContent(html, URL_OF_PAGES),
    "posthtml-urls": async (html) => (await processor.process(html)).html,
  },
  bytes: {
    absolve: (html) => rewriter.rewriteContent(html, URL_OF_PAGES),
    "posthtml-urls": async (html) => Buffer.from((await processor.process(html.toString())).html),
  },
};

/** Returns the best time of each contestant for all documents, in seconds. */
async function best(contestants, documents) {
  const times = Object.fromEntries(Object.keys(contestants).map((name) => [name, Infinity]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, contestant] of Object.entries(contestants)) {
      collectGarbage();
      const start = performance.now();
      for (const html of documents) {
        const result = await contestant(html);
        // Engines put a string together when its characters are read.
        if (typeof result === "string") result.charCodeAt(0);
      }
      times[name] = Math.min(times[name], (performance.now() - start) / 1e3);
    }
  }
  return times;
}

for (const folder of ["pages", "site"]) {
  const all = pages(folder);
  const documents = [];
  for (const html of all) {
    // posthtml recurses into elements, and overflows the stack on deep documents.
    if (await processor.process(html).then(() => true, (error) => !(error instanceof RangeError))) {
      documents.push(html);
    }
  }
  const bytes = documents.reduce((sum, html) => sum + Buffer.byteLength(html), 0);
  console.log(`${folder}: ${documents.length} documents, ${(bytes / 1e6).toFixed(1)} MB; ${all.length - documents.length} more end posthtml with an error`);
  for (const [form, contestants] of Object.entries(FORMS)) {
    const times = await best(contestants, form === "bytes" ? documents.map((html) => Buffer.from(html)) : documents);
    const figures = Object.entries(times).map(([name, seconds]) => `${name} ${(bytes / 1e6 / seconds).toFixed(1)} MB/s`);
    console.log(`  ${form}: ${figures.join(", ")}: ${(times["posthtml-urls"] / times.absolve).toFixed(1)} times`);
  }
}
