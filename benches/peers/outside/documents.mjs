// Reads the documents of a folder, and measures a peer over them.

import { appendFileSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

/** Returns the HTML documents in a folder and its subfolders: their assumed URLs, bytes and texts. */
export function documents(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(html?|xhtml)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
    .map((path) => {
      const bytes = readFileSync(path);
      const url = new URL(encodeURI(relative(folder, path)), 'https://www.example.org/docs/').href;
      return { url, bytes, text: bytes.toString('utf8') };
    });
}

/** Returns whether a reference is relative and not empty. The peers written in Rust resolve the same references. */
export const isRelative = (reference) => reference.trim() !== '' && !/^\s*[a-z][a-z0-9+.-]*:/i.test(reference);

/** Returns the target of a reference, or the reference itself if it cannot be resolved. */
export function target(base, reference) {
  try {
    return new URL(reference, base).href;
  } catch {
    return reference;
  }
}

/** Measures a peer over every folder: prints one line each, and appends the figures to the file in FIGURES, if set. */
export async function measure(peer, version, rewrite) {
  const [rounds, ...folders] = process.argv.slice(2);
  for (const folder of folders) {
    const pages = documents(folder);
    const bytes = pages.reduce((sum, page) => sum + page.bytes.length, 0);
    const seconds = [];
    let links = 0;
    let written = 0;
    let failed = 0;
    for (let round = 0; round < Number(rounds); round += 1) {
      links = written = failed = 0;
      const start = process.cpuUsage();
      for (const page of pages) {
        try {
          const result = await rewrite(page);
          links += result.links;
          written += result.html.length;
        } catch {
          failed += 1;
        }
      }
      const { user, system } = process.cpuUsage(start);
      seconds.push((user + system) / 1e6);
    }
    seconds.sort((one, other) => one - other);
    const speed = (time) => Number((bytes / 1e6 / time).toFixed(1));
    const fastest = speed(seconds[0]);
    const median = speed(seconds[Math.floor(seconds.length / 2)]);
    const slowest = speed(seconds[seconds.length - 1]);
    const name = basename(folder);
    console.log(
      `${peer} ${version}, ${name}: ${median} MB/s (${slowest}-${fastest}; ${(bytes / 1e6).toFixed(1)} MB; ` +
        `${links} links and ${written} characters written, ${failed} documents failed)`,
    );
    if (!process.env.FIGURES) continue;
    const figure = {
      contestant: peer,
      version,
      // As the `rewrite` benchmark calls it.
      corpus: name === 'site' ? 'sites' : name,
      documents: pages.length,
      bytes,
      megabytes_per_second: median,
      slowest,
      fastest,
      links,
      failed_documents: failed,
      rounds: seconds.length,
      clock: 'processor',
      runtime: `Node.js ${process.versions.node}`,
      machine: process.env.MACHINE,
      date: new Date().toISOString().slice(0, 10),
    };
    appendFileSync(process.env.FIGURES, `${JSON.stringify(figure)}\n`);
  }
}
