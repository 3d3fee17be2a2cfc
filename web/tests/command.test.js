// The package writes the bytes that the fixtures expect and that the command writes.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { Rewriter, base, check, links, rewrite } from "absolve";

import { cases, command, corpora } from "./support.js";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function text(bytes) {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

test("cases of the fixtures", async (group) => {
  assert.ok(cases().length > 130);
  for (const { name, input, expected, url, encoding } of cases()) {
    await group.test(name, () => {
      const rewritten = rewrite(input, url, { encoding });
      assert.equal(Buffer.compare(Buffer.from(rewritten), expected), 0, `found: ${Buffer.from(rewritten)}`);
      if (encoding === undefined && text(input) !== undefined) {
        // A string has no encoding that the document could declare, so bytes in UTF-8 are the same document.
        const declared = text(rewrite(input, url, { encoding: "utf-8" }));
        assert.equal(rewrite(text(input), url), declared);
      }
    });
  }
});

test("pages of the corpora", (test) => {
  const [binary, folder] = [command(test), corpora(test)];
  if (!binary || !folder) return;
  const documents = ["pages", "site", "large"].flatMap((group) => {
    const names = readdirSync(join(folder, group), { recursive: true }).filter((name) => name.endsWith(".html"));
    return names.map((name) => readFileSync(join(folder, group, name)));
  });
  assert.ok(documents.length > 700);
  const scratch = mkdtempSync(join(tmpdir(), "absolve-web-"));
  try {
    mkdirSync(join(scratch, "in"));
    documents.forEach((document, number) => writeFileSync(join(scratch, "in", `${number}.html`), document));
    const options = ["rewrite", "-q", join(scratch, "in"), "--url", "https://host.example/d/", "-o", join(scratch, "out")];
    assert.ok(spawnSync(binary, options).status < 2);
    const rewriter = new Rewriter();
    documents.forEach((document, number) => {
      const { content } = rewriter.rewrite(document, `https://host.example/d/${number}.html`);
      const expected = readFileSync(join(scratch, "out", `${number}.html`));
      assert.equal(Buffer.compare(Buffer.from(content), expected), 0, `document ${number}`);
    });
  } finally {
    rmSync(scratch, { recursive: true });
  }
});

test("options have the effect of the command's", async (test) => {
  const binary = command(test);
  if (!binary) return;
  const page =
    "<title>x</title><base href='sub/'><a href='../../../x;p?q#f'></a><a href=#f></a><a href='HTTP://Old.example/%7e/../a'></a>" +
    "<img src='{{ x }}'><img src='<<x>>y' data-src='a b' srcset='c 1x, d 2x'><a href='ü ö'></a><p data-own=own>";
  const url = "http://h.example/a/b.html";
  for (const [options, flags] of [
    [{ profile: "rfc3986" }, ["--profile", "rfc3986"]],
    [{ profile: "whatwg" }, ["--profile", "whatwg"]],
    [{ profile: "whatwg", baseScope: "head" }, ["--profile", "whatwg", "--base-scope", "head"]],
    [{ baseOrigin: "same" }, ["--base-origin", "same"]],
    [{ unwrap: "wayback" }, ["--unwrap", "wayback"]],
    [{ limit: { "base-length": 10 } }, ["--limit", "base-length=10"]],
    [{ to: "relative" }, ["--to", "relative"]],
    [{ to: "root-relative" }, ["--to", "root-relative"]],
    [{ fragments: "keep" }, ["--fragments", "keep"]],
    [{ fragments: "auto" }, ["--fragments", "auto"]],
    [{ baseElement: "remove" }, ["--base-element", "remove"]],
    [{ baseElement: "insert" }, ["--base-element", "insert"]],
    [{ baseElement: "keep" }, ["--base-element", "keep"]],
    [{ map: { "http://h.example/": "https://new.example/" } }, ["--map", "http://h.example/=https://new.example/"]],
    [{ map: [["http://old.example/", "http://n.example/"]] }, ["--map", "http://old.example/=http://n.example/"]],
    [{ normalize: true }, ["--normalize"]],
    [{ escape: "none" }, ["--escape", "none"]],
    [{ preset: "lazy" }, ["--preset", "lazy"]],
    [{ preset: ["none", "lazy"] }, ["--preset", "none", "--preset", "lazy"]],
    [{ preset: "none, lazy" }, ["--preset", "none", "--preset", "lazy"]],
    [{ link: { "p[data-own]": "url" } }, ["--link", "p[data-own]=url"]],
    [{ skip: "img[srcset]" }, ["--skip", "img[srcset]"]],
    [{ placeholders: "<<" }, ["--placeholders", "<<"]],
    [{ enclosingBase: ["http://e.example/i/", "http://e.example/o/"] }, ["--enclosing-base", "http://e.example/i/"]],
    [{ defaultBase: "http://d.example/" }, ["--default-base", "http://d.example/"]],
    [{ kind: "css" }, ["--input-format", "css"]],
    [{ encoding: "latin1" }, ["--encoding", "latin1"]],
  ]) {
    await test.test(JSON.stringify(options), () => {
      const run = spawnSync(binary, ["rewrite", "--url", url, ...flags], { input: page });
      assert.ok(run.status < 2, String(run.stderr));
      assert.equal(Buffer.from(rewrite(Buffer.from(page), url, options)).toString(), String(run.stdout));
    });
  }
});

test("links, base and check have what the command prints", (test) => {
  const binary = command(test);
  if (!binary) return;
  const page = "<title>ü</title><base href=/x/><base href=y><a href=../../g>g</a><img src=ü srcset='a 1x, b 2x'><img src=''>";
  const url = "http://h.example/a/b";
  const run = (...args) => {
    const { stdout } = spawnSync(binary, [...args, "--url", url], { input: page });
    return String(stdout);
  };
  const rows = run("links", "--format", "jsonl").trim().split("\n").map((line) => JSON.parse(line));
  const bytes = Buffer.from(page);
  const found = links(bytes, url);
  assert.equal(found.length, rows.length);
  for (const [index, row] of rows.entries()) {
    const { baseSource, depth, ...link } = found[index];
    const { path, line, column, base_source, ...expected } = row;
    assert.deepEqual({ ...link, baseSource }, { ...expected, baseSource: base_source });
  }
  const expected = JSON.parse(run("base", "--format", "json"));
  const established = base(bytes, url);
  assert.equal(established.url, expected.base);
  assert.equal(established.source, expected.source);
  assert.deepEqual(established.candidates, expected.candidates);
  const parts = ({ rule, message, help, start, end, reference }) => ({ rule, message, help, start, end, reference });
  assert.deepEqual(check(bytes, url).map(parts), JSON.parse(run("check", "--format", "json")).map(parts));
});

test("the command has no other version", (test) => {
  const binary = command(test);
  if (!binary) return;
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url)));
  assert.equal(String(execFileSync(binary, ["-V"])).trim(), `absolve ${version}`);
});
