// The page in Chromium: what people do with it, what it must not do, and the results of the command.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { deflateRawSync } from "node:zlib";

import { complaints, launch, scratch, serve } from "./browser.js";
import { ROOT, cases, command, inTime, missing } from "./support.js";

let browser;
let site;
before(async () => {
  site = await serve();
});
after(async () => {
  await browser?.close();
  site.server.close();
});

/** Opens the page, and returns it with the list of its complaints. */
async function open(test, fragment = "", options = {}) {
  browser ??= await launch(test);
  if (!browser) return {};
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  test.after(() => context.close());
  const page = await context.newPage();
  const list = complaints(page);
  await page.goto(site.url + fragment);
  await page.waitForFunction(() => /links?,/.test(document.getElementById("status").textContent));
  return { page, list, context };
}

/** Waits for the number of links in the status. */
const links = (page, count) => page.waitForFunction((text) => document.getElementById("status").textContent.startsWith(text), `${count} link`);

/** Replaces the document as a person does. */
async function type(page, text) {
  await page.locator("#source .cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

test("type, click a row, switch the profile", async (test) => {
  const { page, list } = await open(test);
  if (!page) return;
  await page.fill("#url", "http://a/b/c/d");
  await type(page, "<p>ü\n<a href=../../../x>x</a>\n<img src=y>");
  await links(page, 2);
  const rows = page.locator("#links tbody tr");
  assert.deepEqual(await rows.nth(0).locator("td").allTextContents(), ["2", "a[href]", "../../../x", "http://a/../x", "the URL it was retrieved from"]);
  assert.match(await page.textContent("#base-url"), /^http:\/\/a\/b\/c\/d, from the URL it was retrieved from$/);
  await rows.nth(0).getByRole("button").click();
  // What is selected in the document is what is copied.
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.keyboard.press("Control+c");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "../../../x");
  assert.equal(await page.locator("#source .cm-lintRange-warning").first().textContent(), "../../../x");
  await page.selectOption("#profile", "whatwg");
  await page.waitForFunction(() => document.querySelector("#links tbody td:nth-child(4)").textContent === "http://a/x");
  await page.click("#tab-profiles");
  await page.waitForSelector("#profiles td.differs");
  assert.deepEqual(await page.locator("#profiles tbody td").allTextContents(), ["../../../x", "http://a/../x", "http://a/x", "http://a/x"]);
  await page.click("#tab-findings");
  assert.match(await page.textContent("#findings li"), /Line 2 dots-above-root/);
  await page.click("#tab-result");
  await page.waitForSelector("#diff li");
  assert.deepEqual(await page.locator("#diff ins").allTextContents(), ["http://a", "http://a/b/c/"]);
  assert.deepEqual(list, []);
});

test("drop a file", async (test) => {
  const { page, list } = await open(test);
  if (!page) return;
  const transfer = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["@import 'a.css'; p { background: url(b.png) }"], "site.css"));
    return transfer;
  });
  await page.dispatchEvent("#source", "drop", { dataTransfer: transfer });
  await links(page, 2);
  assert.equal(await page.locator("#links tbody td:nth-child(2)").first().textContent(), "css[@import]");
  assert.match(await page.textContent("#source-title"), /site\.css/);
  // A file that is not UTF-8, through the dialog.
  const file = join(scratch(test), "latin.html");
  writeFileSync(file, Buffer.from("<a href='\xe9'>", "latin1"));
  await page.setInputFiles("#file", file);
  await page.waitForFunction(() => document.getElementById("source-title").textContent.includes("windows-1252"));
  assert.deepEqual(list, []);
});

test("share by URL", async (test) => {
  const { page, list } = await open(test);
  if (!page) return;
  await page.fill("#url", "http://shared/");
  await page.selectOption("#profile", "rfc3986");
  await type(page, "<a href=g>\u{1F600}</a>");
  await links(page, 1);
  await page.click("#share");
  await page.waitForFunction(() => location.hash.length > 10);
  const fragment = await page.evaluate(() => location.hash);
  const other = await open(test, fragment);
  await links(other.page, 1);
  assert.equal(await other.page.inputValue("#url"), "http://shared/");
  assert.equal(await other.page.inputValue("#profile"), "rfc3986");
  assert.match(await other.page.locator("#source .cm-content").textContent(), /\u{1F600}/u);
  assert.equal(await other.page.locator("#links tbody td:nth-child(4)").textContent(), "http://shared/g");
  // A damaged link shows the first example.
  const damaged = await open(test, `${fragment.slice(0, 20)}%%`);
  await links(damaged.page, 11);
  assert.deepEqual([...list, ...other.list, ...damaged.list], []);
});

test("a feed", async (test) => {
  const { page, list } = await open(test);
  if (!page) return;
  await page.getByRole("button", { name: "A feed" }).click();
  await links(page, 4);
  // An item has a base URL of its own.
  const against = await page.locator("#links tbody td:last-child").allTextContents();
  assert.match(against[2], /^the entity around it: https:\/\/example\.org\/blog\/cats\/$/);
  const targets = await page.locator("#links tbody td:nth-child(4)").allTextContents();
  const paths = ["blog/", "blog/cats/", "blog/cats/cat.png", "blog/dogs/"];
  assert.deepEqual(targets, paths.map((path) => `https://example.org/${path}`));
  await type(page, '{ "version": "https://jsonfeed.org/version/1.1", "items": [{ "url": "a/", "content_html": "<img src=b>" }] }');
  await page.fill("#url", "http://h/feed.json");
  await links(page, 2);
  await page.waitForFunction(() => document.querySelector("#links tbody").textContent.includes("http://h/a/b"));
  assert.deepEqual(list, []);
});

/** Opens a file, and returns what the page offers for download. Chromium drops some of many downloads, so none is made. */
async function rewritten(page, file, url) {
  await page.setInputFiles("#file", file);
  await page.waitForSelector("main[aria-busy=false]");
  await page.fill("#url", url);
  await page.waitForSelector("main[aria-busy=false]");
  await page.evaluate(() => {
    HTMLAnchorElement.prototype.click = () => {};
    window.offered = new Promise((resolve) => {
      URL.createObjectURL = (blob) => {
        resolve(blob.arrayBuffer().then((buffer) => [...new Uint8Array(buffer)]));
        return "#";
      };
    });
  });
  await page.click("#download");
  return Buffer.from(await page.evaluate(() => window.offered));
}

const targets = (page) => page.locator("#links tbody td:nth-child(4)").allTextContents();

test("an HTTP dump that is pasted", async (test) => {
  const { page, list } = await open(test);
  if (!page) return;
  await page.fill("#url", "http://h/a/");
  await type(page, "HTTP/1.1 302 Found\nLocation: /b/c\n\nHTTP/1.1 200 OK\nContent-Type: text/html\n\n<a href=d>é</a>");
  await links(page, 1);
  assert.equal(await page.locator("#source .cm-content").textContent(), "<a href=d>é</a>");
  assert.deepEqual(await targets(page), ["http://h/b/d"]);
  // An edited document is no longer that of the dump.
  await page.locator("#source .cm-content").press("Control+End");
  await page.keyboard.insertText("<a href=e>");
  await links(page, 2);
  assert.deepEqual(await targets(page), ["http://h/a/d", "http://h/a/e"]);
  assert.match(await page.textContent("#source-title"), /edited: read without its container/);
  await type(page, "MIME-Version: 1.0\n\n<a href=x>");
  await page.waitForFunction(() => /there are no documents in it/.test(document.getElementById("status").textContent));
  await type(page, "MIME-Version <a href=x>");
  await page.waitForFunction(() => /findings?\.$/.test(document.getElementById("status").textContent));
  assert.deepEqual(list, []);
});

test("a message with two documents, in the encodings of their parts", async (test) => {
  const { page, list } = await open(test);
  const binary = command(test);
  if (!page || !binary) return;
  const part = (location, charset, transfer, body) =>
    `--b\r\nContent-Type: text/html; charset=${charset}\r\nContent-Location: ${location}\r\nContent-Transfer-Encoding: ${transfer}\r\n\r\n${body}\r\n`;
  const message = [
    "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n",
    part("http://h/one/", "utf-8", "quoted-printable", "<p>=C3=A9<a href=3Dx>x</a>"),
    part("http://h/two/", "windows-1252", "8bit", "<p>\xe9\xe9<a href=y>y</a>"),
    "--b--\r\n",
  ];
  const buffer = Buffer.from(message.join(""), "latin1");
  assert.equal(await page.isVisible("#parts"), false);
  await page.click("#tab-result");
  await page.setInputFiles("#file", { name: "page.mhtml", mimeType: "multipart/related", buffer });
  await page.waitForSelector("main[aria-busy=false]");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
  const result = readFileSync(await download.path());
  assert.equal(download.suggestedFilename(), "result.mhtml");
  assert.equal(result.toString("latin1"), spawnSync(binary, ["rewrite", "-q"], { input: buffer }).stdout.toString("latin1"));
  await page.click("#tab-links");
  assert.deepEqual(await targets(page), ["http://h/one/x"]);
  assert.match(await page.textContent("#base-url"), /^http:\/\/h\/one\//);
  assert.equal(await page.isVisible("#parts"), true);
  await page.selectOption("#parts", { index: 1 });
  await page.waitForFunction(() => document.querySelector("#links tbody td:nth-child(4)").textContent === "http://h/two/y");
  assert.equal(await page.locator("#source .cm-content").textContent(), "<p>éé<a href=y>y</a>");
  assert.equal(await page.textContent("#source-title"), "Document: page.mhtml (windows-1252)");
  await page.locator("#links tbody tr").first().getByRole("button").click();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.keyboard.press("Control+c");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "y");
  assert.deepEqual(list, []);
});

test("errors are shown, and go away", async (test) => {
  const { page, list } = await open(test);
  if (!page) return;
  await page.fill("#url", "nonsense");
  await page.waitForSelector("#status.error");
  assert.match(await page.textContent("#status"), /^Retrieved from: .*use an absolute URL/);
  // What was shown before does not belong to what is entered.
  assert.equal(await page.isVisible("#results"), false);
  assert.equal(await page.isVisible("#base"), false);
  assert.equal(await page.getAttribute("#url", "aria-invalid"), "true");
  await page.fill("#url", "http://a/");
  await links(page, 11);
  assert.equal(await page.getAttribute("#url", "aria-invalid"), null);
  await page.fill("#resolve-base", "nonsense");
  await page.waitForSelector("#resolve-target.error");
  assert.deepEqual(list, []);
});

test("examples of the RFC, step by step", async (test) => {
  const { page, list } = await open(test);
  if (!page) return;
  const tsv = readFileSync(join(ROOT, "fixtures/rfc1808/examples.tsv"), "utf8").trim().split("\n").slice(1);
  for (const [index, line] of tsv.entries()) {
    const [, , reference, target] = line.split("\t");
    await page.selectOption("#resolve-example", { index: index + 1 });
    await page.waitForFunction((target) => document.getElementById("resolve-target").textContent === target, target);
    assert.equal(await page.inputValue("#resolve-reference"), reference);
    assert.match(await page.locator("#steps li").first().textContent(), /^RFC 1808 section 4, step/);
  }
  assert.deepEqual(list, []);
});

test("every case of fixtures/rewrite has the result of the command", async (test) => {
  const { page, list } = await open(test);
  const binary = command(test);
  if (!page || !binary) return;
  await page.click("#tab-result");
  let compared = 0;
  for (const { name, input, url } of cases().filter(({ name }) => name.startsWith("rewrite/"))) {
    const result = await rewritten(page, { name: "input.html", mimeType: "text/html", buffer: input }, url);
    const expected = spawnSync(binary, ["rewrite", "-q", "--input-format", "html", "--url", url], { input }).stdout;
    assert.equal(result.toString("latin1"), expected.toString("latin1"), name);
    compared += 1;
  }
  assert.ok(compared > 70, String(compared));
  assert.deepEqual(list, []);
});

test("axe-core finds nothing", async (test) => {
  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  for (const [colorScheme, width] of [["light", 1280], ["dark", 1280], ["light", 390], ["dark", 390]]) {
    // The security policy would not let the test's script run.
    const { page } = await open(test, "", { colorScheme, viewport: { width, height: 800 }, bypassCSP: true });
    if (!page) return;
    await page.evaluate(axe);
    for (const name of ["links", "result", "findings", "profiles"]) {
      await page.click(`#tab-${name}`);
      await page.waitForTimeout(300);
      const { violations } = await page.evaluate(() => axe.run());
      const problems = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join("; ")}`);
      assert.deepEqual(problems, [], `${name}, ${colorScheme}, ${width}`);
    }
    await page.click("#options summary");
    const { violations } = await page.evaluate(() => axe.run());
    assert.deepEqual(violations.map(({ id }) => id), []);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `${overflow} pixels too wide at ${width}`);
  }
});

test("the keyboard reaches everything", async (test) => {
  const { page, list } = await open(test);
  if (!page) return;
  await page.focus("#tab-links");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.id), "tab-result");
  await page.keyboard.press("End");
  assert.equal(await page.evaluate(() => document.activeElement.id), "tab-profiles");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.id), "tab-links");
  assert.equal(await page.isVisible("#links"), true);
  // Tab leaves the editor.
  await page.locator("#source .cm-content").click();
  await page.keyboard.press("Tab");
  assert.notEqual(await page.evaluate(() => document.activeElement.id), "source");
  assert.deepEqual(list, []);
});

test("offline, from a path", async (test) => {
  const { page, list, context } = await open(test);
  if (!page) return;
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await page.waitForFunction(async () => (await caches.keys()).length === 1 && (await (await caches.open((await caches.keys())[0])).keys()).length >= 7);
  await page.waitForLoadState("networkidle");
  await page.reload({ waitUntil: "networkidle" });
  await context.setOffline(true);
  await page.reload();
  await links(page, 11);
  // Loading ends the requests of the page before, and the worker tries the network first.
  assert.deepEqual(list.filter((text) => !/ERR_INTERNET_DISCONNECTED|ERR_ABORTED/.test(text)), []);
});

/** The base URL and the targets that are shown. */
const shown = async (page) => [await page.textContent("#base-url"), ...(await targets(page))];

test("the result has the exact edits", async (test) => {
  const { page, list } = await open(test);
  if (!page) return;
  // One long line, in another encoding, with a character before each link whose length differs in UTF-8 and UTF-16.
  const line = "<p>\xe9\xe9 \x80 <a href='a'>x</a>".repeat(5000);
  const buffer = Buffer.from(`<meta charset=windows-1252><base href="http://h/">${line}`, "latin1");
  await page.click("#tab-result");
  await page.setInputFiles("#file", { name: "long.html", mimeType: "text/html", buffer });
  await links(page, "5,001");
  await page.waitForFunction(() => /^5,000 edits/.test(document.getElementById("result-summary").textContent));
  const summary = `5,000 edits: 0 bytes replaced by 45,000. The other ${buffer.length.toLocaleString("en")} of ${buffer.length.toLocaleString("en")} bytes remain as they are.`;
  assert.equal(await page.textContent("#result-summary"), summary);
  assert.equal(await page.locator("#diff ins").count(), 100);
  assert.match(await page.locator("#diff li").first().textContent(), /x<\/a><p>éé € <a href='…$/);
  assert.match(await page.locator("#diff li").first().textContent(), /^1…harset=windows-1252><base href="http:\/\/h\/"><p>éé € <a href='http:\/\/h\/a'>x<\/a><p>éé € <a href='http:\/\/h\/a'>/);
  await page.locator("#diff button").nth(1).click();
  await page.getByRole("button", { name: "Show all 5,000 edits" }).click();
  await page.waitForFunction(() => document.querySelectorAll("#diff ins").length === 5000);
  assert.deepEqual(list, []);
});

test("one selection in editor, list and result", async (test) => {
  const { page, list } = await open(test);
  if (!page) return;
  // The cursor in the editor.
  await page.locator("#source .cm-line", { hasText: "intro.html" }).click({ position: { x: 90, y: 8 } });
  await page.waitForFunction(() => document.querySelector("#links tr.selected td").textContent === "9");
  assert.equal(await page.inputValue("#resolve-reference"), "intro.html");
  assert.equal(await page.inputValue("#resolve-base"), "https://example.org/docs/v2/");
  await page.waitForFunction(() => document.getElementById("resolve-target").textContent === "https://example.org/docs/v2/intro.html");
  // A change in the result; the derivation has the components and the three profiles.
  await page.click("#tab-result");
  await page.locator("#diff button", { hasText: "https://example.org" }).filter({ hasText: "../.." }).click();
  await page.waitForFunction(() => document.getElementById("resolve-target").textContent === "https://example.org/../up.html");
  assert.equal(await page.locator("#diff button.selected").count(), 1);
  assert.deepEqual(await page.locator("#by-profile td").allTextContents(), ["https://example.org/../up.html", ...Array(2).fill("https://example.org/up.html")]);
  assert.deepEqual(await page.locator("#components tr:nth-child(3) td").allTextContents(), ["/docs/v2/", "../../../up.html", "/../up.html"]);
  // A BASE leads to its line.
  await page.locator("#candidates button").first().click();
  assert.equal(await page.inputValue("#resolve-reference"), "/docs/v2/");
  assert.match(await page.locator("#candidates > .used").textContent(), /^3\.1BASE in the document✓ \/docs\/v2\/ in line 5/);
  assert.equal(await page.locator("#candidates > .absent").count(), 2);
  assert.equal(await page.locator("#candidates a").first().getAttribute("href"), "https://www.rfc-editor.org/rfc/rfc1808.html#section-3.1");
  assert.deepEqual(list, []);
});

test("a line, links of one status, a mail, and a BASE of another origin", async (test) => {
  const { page, list } = await open(test);
  if (!page) return;
  // Beside the references of the line.
  await page.locator("#source .cm-line", { hasText: "a.png" }).click({ position: { x: 8, y: 8 } });
  await page.waitForFunction(() => document.querySelector("#links tr.selected td").textContent === "12");
  await page.waitForFunction(() => /^https:\/\/example\.org\/docs\/v2\/a\.png$/.test(document.getElementById("resolve-target").textContent));
  assert.equal(await page.locator("#by-profile th", { hasText: "browsers" }).count(), 1);
  assert.deepEqual(await page.locator("#by-profile td").first().locator("span").allTextContents(), ["https:", "//example.org", "/docs/v2/a.png"]);
  await page.selectOption("#filter", { label: "left as they are" });
  await page.waitForFunction(() => document.querySelectorAll("#links tbody tr").length === 1);
  assert.deepEqual((await page.locator("#links tbody td").allTextContents()).slice(2, 4), ["{{ url }}", "left as it is: placeholder"]);
  // It remains chosen for the next document.
  await page.getByRole("button", { name: "A mail" }).click();
  await page.waitForFunction(() => /^https:\/\/example\.org\/news\/today\.html, from the entity around it$/.test(document.getElementById("base-url").textContent));
  assert.equal(await page.textContent("#link-list"), "No links to list: “Show” leaves out 1 link.");
  // No reference is selected, but the base is that of the document.
  assert.equal(await page.inputValue("#resolve-base"), "https://example.org/news/today.html");
  await page.selectOption("#filter", "");
  await page.waitForFunction(() => document.querySelector("#links tbody td:nth-child(4)")?.textContent === "https://example.org/news/menu.html");
  assert.equal(await page.getByRole("button", { name: "A mail" }).getAttribute("aria-pressed"), "true");
  await page.getByRole("button", { name: "BASE where it does not count" }).click();
  await page.waitForFunction(() => document.getElementById("base-url").textContent.startsWith("https://cdn.example/first/"));
  await page.click("#options summary");
  await page.selectOption("[name=baseOrigin]", "same");
  await page.waitForFunction(() => !document.getElementById("base-url").textContent.startsWith("https://cdn.example/"));
  assert.match(await page.locator("#candidates").textContent(), /another origin|other origin/);
  assert.deepEqual(list, []);
});

test("a link to a message, and to a document in another encoding", async (test) => {
  const { page, list } = await open(test);
  if (!page) return;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const message = "MIME-Version: 1.0\r\nContent-Type: text/html\r\nContent-Location: https://mail.example/a/b.html\r\n\r\n<a href=x>x</a>";
  const latin = Buffer.from("<meta charset=windows-1252><a href=\xe9>x</a>", "latin1");
  for (const [name, buffer] of [["m.eml", Buffer.from(message)], ["latin.html", latin]]) {
    await page.setInputFiles("#file", { name, mimeType: "text/html", buffer });
    await page.waitForSelector("main[aria-busy=false]");
    await links(page, 1);
    await page.click("#share");
    await page.waitForFunction(() => /clipboard/.test(document.getElementById("status").textContent));
    const other = await open(test, await page.evaluate(() => location.hash));
    await links(other.page, 1);
    assert.deepEqual(await shown(other.page), await shown(page), name);
    assert.equal(await other.page.textContent("#source-title"), await page.textContent("#source-title"));
    assert.deepEqual(other.list, []);
  }
  assert.deepEqual(list, []);
});

test("the address has the document after each change", async (test) => {
  const { page, list } = await open(test);
  if (!page) return;
  assert.equal(await page.evaluate(() => location.hash), "");
  await type(page, "<a href=kept>");
  await page.waitForFunction(() => location.hash.length > 10);
  // Loading again would end what is still loading, such as the icon, with an error.
  await page.waitForLoadState("networkidle");
  await page.reload();
  await links(page, 1);
  assert.equal(await page.locator("#source .cm-content").textContent(), "<a href=kept>");
  assert.deepEqual(list, []);
});

test("another document does not have the facts and the place of the one before", async (test) => {
  const { page, list } = await open(test);
  if (!page) return;
  const long = { name: "long.html", mimeType: "text/html", buffer: Buffer.from("<p>x\n".repeat(5000)) };
  const html = { name: "a.html", mimeType: "text/html", buffer: Buffer.from("<a href=b>b</a>\n".repeat(300)) };
  await page.getByRole("button", { name: "A style sheet" }).click();
  await links(page, 5);
  assert.equal(await page.title(), "absolve: base URLs and links, explained");
  await page.setInputFiles("#file", long);
  await links(page, 0);
  await page.evaluate(() => { document.querySelector("#source").shadowRoot.querySelector(".cm-scroller").scrollTop = 20000; });
  await page.waitForTimeout(200);
  await page.setInputFiles("#file", html);
  await links(page, 300);
  assert.equal(await page.inputValue("#url"), "");
  assert.match(await page.textContent("#base-url"), /^No base URL/);
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => document.querySelector("#source").shadowRoot.querySelector(".cm-scroller").scrollTop), 0);
  // The same if it is pasted over the whole document.
  await page.getByRole("button", { name: "A style sheet" }).click();
  await links(page, 5);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(() => navigator.clipboard.writeText("<a href=pasted>"));
  await page.locator("#source .cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+v");
  await links(page, 1);
  assert.equal(await page.inputValue("#url"), "");
  assert.equal(await page.locator("#links tbody td:nth-child(2)").textContent(), "a[href]");
  assert.deepEqual(list, []);
});

test("a document that cannot be read leads to its error", async (test) => {
  const { page, list } = await open(test);
  if (!page) return;
  await type(page, "<?xml version='1.0'?>\n<rss>\n<title>Q & A</title></rss>");
  await page.waitForSelector("#status.error");
  assert.match(await page.textContent("#links"), /was not read/);
  await page.locator("#status button", { hasText: "Line 3" }).click();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.keyboard.press("Control+c");
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^[& ]*A<\/title><\/rss>$/);
  assert.deepEqual(list, []);
});

test("parts of the page that do not load", async (test) => {
  const { page, context } = await open(test);
  if (!page) return;
  await context.route("**/worker.js", (route) => route.fulfill({ status: 404 }));
  const other = await context.newPage();
  await other.goto(site.url);
  await other.waitForSelector("#status.error");
  assert.match(await other.textContent("#status"), /worker\.js, does not run.*Reload the page/);
  // A module that was not there for the first container is asked for again.
  await context.route("**/containers.wasm", (route) => route.fulfill({ status: 503 }), { times: 1 });
  const dump = { name: "d.http", mimeType: "text/plain", buffer: Buffer.from("HTTP/1.1 200 OK\nContent-Type: text/html\n\n<a href=a>") };
  await page.setInputFiles("#file", dump);
  await page.waitForSelector("#status.error");
  assert.match(await page.textContent("#status"), /^d\.http cannot be read: cannot load .*503/);
  await page.setInputFiles("#file", dump);
  await links(page, 1);
  assert.equal(await page.locator("#source .cm-content").textContent(), "<a href=a>");
});

test("a paste over the whole document", async (test) => {
  const { page, list } = await open(test);
  if (!page) return;
  const before = await page.locator("#source .cm-content").textContent();
  await page.locator("#source .cm-content").click();
  await page.keyboard.press("Control+a");
  const text = `<a href=x>x</a>\r\n${"<p>y\n".repeat(500)}`;
  await page.locator("#source .cm-content").evaluate((content, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    content.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
  await links(page, 1);
  // Its beginning is shown, in colours, and its line breaks remain as they are.
  await page.waitForSelector("#source .tok-typeName");
  assert.equal(await page.locator("#source .cm-line").first().textContent(), "<a href=x>x</a>");
  await page.click("#tab-result");
  await page.waitForFunction((length) => document.getElementById("result-summary").textContent.includes(`all ${length} bytes`), text.length.toLocaleString("en"));
  await page.locator("#source .cm-content").press("Control+z");
  await links(page, 11);
  assert.equal(await page.locator("#source .cm-content").textContent(), before);
  assert.deepEqual(list, []);
});

test("undo after an HTTP dump was pasted", async (test) => {
  const { page, list } = await open(test);
  if (!page) return;
  const dump = "HTTP/1.1 200 OK\nContent-Type: text/html\n\n<a href=d>x</a>";
  await type(page, dump);
  await links(page, 1);
  await page.waitForFunction(() => document.querySelector("#source").shadowRoot.querySelector(".cm-content").textContent === "<a href=d>x</a>");
  await page.locator("#source .cm-content").press("Control+z");
  await page.waitForFunction(() => /but it is read as a document/.test(document.getElementById("status").textContent));
  assert.match(await page.locator("#source .cm-content").textContent(), /^HTTP\/1\.1 200 OK/);
  assert.deepEqual(list, []);
});

test("a link whose document is very long", async (test) => {
  const bomb = deflateRawSync(JSON.stringify({ text: "x".repeat(40e6), fields: {} })).toString("base64url");
  const { page, list } = await open(test, `#${bomb}`);
  if (!page) return;
  assert.match(await page.textContent("#status"), /^11 links.*The link to this page is damaged or too long/);
  // A profile of a later version.
  const later = deflateRawSync(JSON.stringify({ text: "<a href=x>", fields: { profile: "later", url: "http://h/" } })).toString("base64url");
  await page.evaluate((hash) => { location.hash = hash; }, later);
  await links(page, 1);
  assert.equal(await page.inputValue("#profile"), "rfc1808");
  assert.deepEqual(list, []);
});

test("the result as code", async (test) => {
  const { page, list } = await open(test);
  const binary = command(test);
  if (!page || !binary) return;
  await page.click("#options summary");
  await page.selectOption("[name=to]", "root-relative");
  await page.selectOption("[name=baseElement]", "remove");
  await page.fill("[name=skip]", "img[src], body[style]");
  await page.waitForSelector("main[aria-busy=false]");
  await page.click("#tab-result");
  const code = {};
  for (const language of ["command", "javascript", "python"]) {
    await page.click(`[data-copy=${language}]`);
    code[language] = await page.textContent("#snippet");
  }
  const url = "https://example.org/dir/page.html";
  assert.equal(code.command, `absolve rewrite --url ${url} --to root-relative --base-element remove --skip 'img[src]' --skip 'body[style]' page.html > result`);
  assert.equal(code.javascript, `import { rewrite } from "absolve";\n\nconst result = rewrite(html, "${url}", { to: "root-relative", baseElement: "remove", skip: ["img[src]","body[style]"] });\n`);
  assert.equal(code.python, `import absolve\n\nresult = absolve.rewrite(html, "${url}", to="root-relative", base_element="remove", skip=["img[src]","body[style]"])\n`);
  // The command of the page does what the page does.
  const folder = scratch(test);
  const text = await page.locator("#source .cm-line").allTextContents();
  writeFileSync(join(folder, "page.html"), text.join("\n"));
  const { status } = spawnSync("sh", ["-c", code.command], { cwd: folder, env: { PATH: `${dirname(binary)}:${process.env.PATH}` } });
  assert.equal(status, 0);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.click("#copy");
  await page.waitForFunction(() => /result is in the clipboard/.test(document.getElementById("status").textContent));
  assert.equal(readFileSync(join(folder, "result"), "utf8"), await page.evaluate(() => navigator.clipboard.readText()));
  assert.deepEqual(list, []);
});

test("a mail as code", async (test) => {
  const { page, list } = await open(test);
  if (!page) return;
  await page.getByRole("button", { name: "A mail" }).click();
  await links(page, 1);
  assert.equal(await page.isVisible("#parts"), true);
  // The functions do not read the message, so the code has what it says.
  await page.click("#tab-result");
  const code = {};
  for (const language of ["command", "javascript", "python"]) {
    await page.click(`[data-copy=${language}]`);
    code[language] = await page.textContent("#snippet");
  }
  const base = '["https://example.org/news/today.html"]';
  assert.equal(code.command, "absolve rewrite message.eml > result");
  assert.ok(code.javascript.endsWith(`rewrite(html, undefined, { enclosingBase: ${base} });\n`), code.javascript);
  assert.ok(code.python.endsWith(`rewrite(html, None, enclosing_base=${base})\n`), code.python);
  assert.deepEqual(list, []);
});

test("long documents", async (test) => {
  const { page, list } = await open(test);
  if (!page) return;
  const folder = scratch(test);
  const paragraph = "<p>Some text, and <a href='../page?x=1&amp;y=2#part'>a link</a> in it, <img src=a.png alt=''> and more text.\n";
  const measure = async (megabytes) => {
    const file = join(folder, `${megabytes}.html`);
    writeFileSync(file, paragraph.repeat(Math.round((megabytes * 1e6) / paragraph.length)));
    await page.setInputFiles("#file", file);
    const expected = Math.round((megabytes * 1e6) / paragraph.length) * 2;
    // The time between two frames tells how long the page did not respond.
    const worst = page.evaluate(
      (text) =>
        new Promise((resolve) => {
          let [last, worst] = [performance.now(), 0];
          const frame = (now) => {
            worst = Math.max(worst, now - last);
            last = now;
            if (document.getElementById("status").textContent.startsWith(text)) resolve(worst);
            else requestAnimationFrame(frame);
          };
          requestAnimationFrame(frame);
        }),
      expected.toLocaleString("en"),
    );
    return { worst: await worst, expected };
  };
  await measure(1);
  await page.waitForSelector("main[aria-busy=false]");
  // Once more, by a change of the profile: the time from the event to the rows.
  const time = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const profile = document.getElementById("profile");
        const start = performance.now();
        new MutationObserver((_, observer) => {
          observer.disconnect();
          resolve(performance.now() - start);
        }).observe(document.getElementById("link-list"), { childList: true });
        profile.value = "whatwg";
        profile.dispatchEvent(new Event("input", { bubbles: true }));
      }),
  );
  test.diagnostic(`1 MB: ${Math.round(time)} ms from a change to the rows`);
  inTime(time, 200);
  const { worst } = await measure(50);
  test.diagnostic(`50 MB: the page did not respond for at most ${Math.round(worst)} ms`);
  assert.deepEqual(list, []);
});

test("Firefox", async (test) => {
  const firefox = process.env.FIREFOX ?? "/usr/bin/firefox-esr";
  if (!existsSync(firefox)) return missing(test, "Firefox (FIREFOX, or Debian's package firefox-esr)");
  const { smoke } = await import("./firefox.js");
  const { status, rows, baseUrl, errors } = await smoke(firefox, site.url, scratch(test));
  assert.match(status, /^11 links, 9 of them rewritten; 4 findings\.$/);
  assert.equal(rows, 11);
  assert.match(baseUrl, /^https:\/\/example\.org\/docs\/v2\//);
  assert.deepEqual(errors, []);
});
