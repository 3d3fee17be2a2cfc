// Measures the page in Chromium: the time from a paste over the whole document until its links are counted, in milliseconds.
//
// Usage: node web/benches/paste.js [MEGABYTES...]; the default is 1 and 20. Needs web/page/dist, web/node_modules, and Chromium
// (`CHROMIUM`). Each of seven rounds has a new page, which is a second old: people paste no sooner.

import { launch, serve } from "../tests/browser.js";

const ROUNDS = 7;
const PARAGRAPH = "<p>Some text, and <a href='../page?x=1&amp;y=2#part'>a link</a> in it, <img src=a.png alt=''> and more text.\n";

/** Pastes a text, and returns the time until the status begins with `expected`. Runs in the page. */
async function paste(content, [text, expected]) {
  content.focus();
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  document.execCommand("selectAll");
  // The editor learns of the selection later.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const start = performance.now();
  content.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  const status = document.getElementById("status");
  while (!status.textContent.startsWith(expected)) await new Promise(requestAnimationFrame);
  return performance.now() - start;
}

const { server, url } = await serve();
const browser = await launch();
const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1, 20];
for (const megabytes of sizes) {
  const count = Math.round((megabytes * 1e6) / PARAGRAPH.length);
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await browser.newPage();
    await page.goto(url);
    await page.waitForTimeout(1000);
    const content = page.locator("#source .cm-content");
    times.push(await content.evaluate(paste, [PARAGRAPH.repeat(count), (2 * count).toLocaleString("en")]));
    await page.close();
  }
  times.sort((a, b) => a - b);
  const [fastest, median, slowest] = [0, ROUNDS >> 1, ROUNDS - 1].map((index) => Math.round(times[index]));
  console.log(`${megabytes} MB: ${median} ms (${fastest} to ${slowest})`);
}
await browser.close();
server.close();
