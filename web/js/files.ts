/** Files of a site that a generator has written. */

import { readFile, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { SiteRewriter } from "./site.js";
import { kindOf, pathOfFile } from "./site.js";

/** Rewrites the links in all files of a folder, and returns how many files changed. */
export async function rewriteFolder(folder: string, site: SiteRewriter): Promise<number> {
  let changed = 0;
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    const kind = kindOf(name);
    if (kind === undefined) {
      continue;
    }
    const file = join(folder, name);
    const content = await readFile(file).catch((error: NodeJS.ErrnoException) => {
      // A directory with such a name.
      if (error.code === "EISDIR") return undefined;
      throw error;
    });
    if (content === undefined) {
      continue;
    }
    const rewritten = site.rewrite(content, pathOfFile(name), kind);
    if (rewritten !== content) {
      await replaceFile(file, rewritten);
      changed += 1;
    }
  }
  return changed;
}

/** Replaces a file: whatever ends the process, it has its old content or the new one. */
async function replaceFile(file: string, content: Uint8Array): Promise<void> {
  const draft = `${file}.${process.pid}.absolve`;
  try {
    const { mode } = await stat(file);
    await writeFile(draft, content, { mode });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
