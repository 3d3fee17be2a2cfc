// The documents below a folder, and what is printed about them.

import { readFileSync, readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

/** The HTML documents below a folder as text, with the URLs they are taken to come from and their sizes in bytes. */
export function documents(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(html?|xhtml)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
    .map((path) => {
      const bytes = readFileSync(path);
      const url = new URL(encodeURI(relative(folder, path)), 'https://www.example.org/docs/').href;
      return { url, size: bytes.length, text: bytes.toString('utf8') };
    });
}

/** Whether a reference is one that the others resolve, too: it is not empty and has no scheme. */
export const isRelative = (reference) => reference.trim() !== '' && !/^\s*[a-z][a-z0-9+.-]*:/i.test(reference);

/** The target of a reference; the reference itself where it has none. */
export function target(base, reference) {
  try {
    return new URL(reference, base).href;
  } catch {
    return reference;
  }
}

/** Measures a peer over every folder: one line each. */
export async function measure(peer, rewrite) {
  const [rounds, ...folders] = process.argv.slice(2);
  for (const folder of folders) {
    const pages = documents(folder);
    const size = pages.reduce((sum, page) => sum + page.size, 0);
    const seconds = [];
    let links = 0;
    let written = 0;
    let givenUp = 0;
    for (let round = 0; round < Number(rounds); round += 1) {
      links = written = givenUp = 0;
      const start = process.cpuUsage();
      for (const page of pages) {
        try {
          const result = await rewrite(page);
          links += result.links;
          written += result.html.length;
        } catch {
          givenUp += 1;
        }
      }
      const { user, system } = process.cpuUsage(start);
      seconds.push((user + system) / 1e6);
    }
    seconds.sort((one, other) => one - other);
    const speed = (time) => (size / 1e6 / time).toFixed(1);
    const [quickest, median, slowest] = [0, Math.floor(seconds.length / 2), seconds.length - 1].map((at) => speed(seconds[at]));
    console.log(
      `${peer}, ${basename(folder)}: ${median} MB/s (${slowest}-${quickest}; ${(size / 1e6).toFixed(1)} MB; ` +
        `${links} links and ${written} characters written, ${givenUp} documents given up)`,
    );
  }
}
