// The reports in HTML of the command, in Chromium: of a site of 5,000 pages, and with as many findings as they show.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { complaints, launch, scratch } from "./browser.js";
import { command, inTime } from "./support.js";

/** Writes pages with links of their own and findings of several rules. */
function writeSite(folder) {
  mkdirSync(folder);
  for (let number = 0; number < 5000; number++) {
    const links = Array.from({ length: 10 }, (_, index) => `<p><a href="page-${number}-${index}.html">Page ${index}</a>\n`);
    const findings = '<a href="www.example.org/x">x</a><a href="../../y">y</a><a href="a b">z</a><a href="HTTP:/c">c</a>';
    writeFileSync(join(folder, `${number}.html`), `<!DOCTYPE html><title>${number}</title>\n${links.join("")}${findings}`);
  }
}

test("reports of a site of 5,000 pages", async (test) => {
  const binary = command(test);
  const browser = await launch(test);
  if (!binary || !browser) return;
  test.after(() => browser.close());
  const folder = scratch(test);
  const site = join(folder, "site");
  writeSite(site);
  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  for (const verb of ["check", "links"]) {
    const { stdout } = spawnSync(binary, [verb, site, "--url", "https://example.org/", "--format", "html"], { maxBuffer: 1e9 });
    const file = join(folder, `${verb}.html`);
    writeFileSync(file, stdout);
    const { size } = statSync(file);
    assert.ok(size < 10e6, `${size} bytes`);
    for (const [colorScheme, width] of [["light", 1280], ["dark", 390]]) {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
      const page = await context.newPage();
      const list = complaints(page);
      // Nothing is loaded from elsewhere.
      page.on("request", (request) => request.url().startsWith("file:") || list.push(request.url()));
      const start = performance.now();
      await page.goto(pathToFileURL(file).href);
      await page.waitForFunction(() => document.getElementById("status").textContent.startsWith("200 of"));
      const time = performance.now() - start;
      test.diagnostic(`${verb}: ${size} bytes, ${Math.round(time)} ms`);
      inTime(time, 2000);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${overflow} pixels too wide at ${width}`);
      const shown = verb === "check" ? "article" : "tbody tr";
      await page.click("#more");
      assert.equal(await page.locator(shown).count(), 400);
      await page.fill("#search", "4999.html");
      // Every finding of the page is found: ten links to no page, four references with a problem, and one with two.
      await page.waitForFunction((text) => document.getElementById("status").textContent === text,
        verb === "check" ? "15 of 15 groups, 15 findings" : "0 of 0 targets; targets with fewer links than these 20,000 are not in this file");
      assert.equal(await page.locator(shown).count(), verb === "check" ? 15 : 0);
      await page.fill("#search", "");
      await page.waitForFunction(() => document.getElementById("status").textContent.startsWith("200 of"));
      assert.match(await page.textContent("#run"), new RegExp(`^absolve ${verb} .*--url https://example\\.org/ .*version \\d`));
      if (verb === "links") assert.equal(await page.locator("td a").first().getAttribute("href"), await page.locator("td a").first().textContent());
      await page.locator("#bars button").first().click();
      assert.equal(await page.locator("#bars button").first().getAttribute("aria-pressed"), "true");
      if (verb === "check") {
        const rule = await page.locator("#bars .name").first().textContent();
        assert.deepEqual(new Set(await page.locator("article .rule").allTextContents()), new Set([rule]));
      }
      assert.deepEqual(list, []);
      await context.close();

      const audited = await browser.newContext({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
      const other = await audited.newPage();
      await other.goto(pathToFileURL(file).href);
      await other.evaluate(axe);
      const { violations } = await other.evaluate(() => axe.run());
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`), []);
      await audited.close();
    }
  }
});

test("the first places of a target", async (test) => {
  const binary = command(test);
  const browser = await launch(test);
  if (!binary || !browser) return;
  test.after(() => browser.close());
  const folder = scratch(test);
  mkdirSync(join(folder, "site"));
  for (const number of [6, 0, 3, 1, 5, 2, 4]) writeFileSync(join(folder, "site", `${number}.html`), `<p>\n<a href="./0.html#${number}">x</a><img src=a.png>`);
  const file = join(folder, "report.html");
  writeFileSync(file, spawnSync(binary, ["links", "site", "--format", "html"], { cwd: folder }).stdout);
  const page = await browser.newPage();
  const list = complaints(page);
  await page.goto(pathToFileURL(file).href);
  const image = page.locator("tr", { hasText: "a.png" });
  assert.equal(await image.locator("td").first().textContent(), "7");
  await image.getByText("Other places").click();
  const [first, ...others] = await image.locator("td").last().locator("code:not(.quiet)").allInnerTexts();
  assert.equal(first, "site/0.html:2:36");
  assert.deepEqual(others, [1, 2, 3, 4].map((number) => `site/${number}.html:2:36`));
  assert.equal(await image.locator("li").last().innerText(), "and 2 more");
  await page.fill("#search", "site/4.html");
  await page.waitForFunction(() => document.getElementById("status").textContent === "2 of 2 targets");
  assert.deepEqual(list, []);
});

test("reports without a finding or a link", async (test) => {
  const binary = command(test);
  const browser = await launch(test);
  if (!binary || !browser) return;
  test.after(() => browser.close());
  const file = join(scratch(test), "report.html");
  for (const [verb, text] of [["check", "No problems with base URLs and links were found."], ["links", "There are no links."]]) {
    writeFileSync(file, spawnSync(binary, [verb, "--format", "html"], { input: "<!DOCTYPE html><title>x</title><p>x" }).stdout);
    const page = await browser.newPage();
    const list = complaints(page);
    await page.goto(pathToFileURL(file).href);
    assert.equal(await page.textContent("main"), text);
    assert.deepEqual(list, []);
  }
});
