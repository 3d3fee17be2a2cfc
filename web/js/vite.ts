/**
 * Plugin for Vite: makes the links in the pages and style sheets of a build absolute, or relative.
 *
 *     import absolve from "absolve/vite";
 *     export default defineConfig({ base: "/app/", plugins: [absolve({ url: "https://example.org/" })] });
 *
 * Links that begin with a slash contain Vite's `base`, as Vite has them.
 */

import type { SiteOptions } from "./site.js";
import { SiteRewriter, kindOf, pathOfFile } from "./site.js";

/** A file of a build. */
type Output = { type: "chunk" } | { type: "asset"; source: string | Uint8Array };

interface Context {
  warn(message: string): void;
}

interface Plugin {
  name: string;
  apply: "build";
  configResolved(config: { base: string }): void;
  generateBundle: { order: "post"; handler(this: Context, options: unknown, bundle: Record<string, Output>): void };
}

export default function absolve(options: SiteOptions = {}): Plugin {
  let site: SiteRewriter;
  return {
    name: "absolve",
    apply: "build",
    configResolved({ base }) {
      // A relative base, or one with a host, is not a path below the URL.
      site = new SiteRewriter("absolve/vite", options, base.startsWith("/") ? base : "/");
    },
    generateBundle: {
      // After Vite, which adds the pages here.
      order: "post",
      handler(_, bundle) {
        for (const [name, file] of Object.entries(bundle)) {
          const kind = kindOf(name);
          if (file.type === "asset" && kind !== undefined) {
            const { content, problem } = site.rewrite(file.source, pathOfFile(name), kind);
            file.source = content;
            if (problem !== null) this.warn(problem);
          }
        }
      },
    },
  };
}
