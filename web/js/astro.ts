/**
 * Integration for Astro: makes the links in the pages, style sheets and feeds of a build absolute, or relative.
 *
 *     import absolve from "absolve/astro";
 *     export default defineConfig({ site: "https://example.org", integrations: [absolve()] });
 *
 * Astro's `site` and `base` say where the build is published. Links that begin with a slash contain `base`, as Astro has them.
 */

import type { SiteOptions } from "./site.js";
import { SiteRewriter, rewriteFiles } from "./site.js";

/** The parts of Astro's configuration that the integration uses. */
interface AstroConfig {
  readonly site?: string;
  readonly base: string;
}

interface Logger {
  info(message: string): void;
  warn(message: string): void;
}

interface Integration {
  name: string;
  hooks: {
    "astro:config:setup": (setup: { updateConfig(config: object): unknown }) => void;
    "astro:config:done": (setup: { config: AstroConfig }) => void;
    "astro:build:done": (build: { dir: URL; logger: Logger }) => Promise<void>;
  };
}

export default function absolve(options: SiteOptions = {}): Integration {
  let site: SiteRewriter;
  return {
    name: "absolve",
    hooks: {
      "astro:config:setup": ({ updateConfig }) => {
        // Feeds and other pages may import the package, whose module would not be found in a bundle.
        updateConfig({ vite: { ssr: { external: ["absolve"] } } });
      },
      "astro:config:done": ({ config }) => {
        site = new SiteRewriter("absolve/astro", { url: config.site, ...options }, config.base);
      },
      "astro:build:done": async ({ dir, logger }) => {
        const { changed, problems } = await rewriteFiles(dir, site);
        problems.forEach((problem) => logger.warn(problem));
        logger.info(`rewrote the links of ${changed} files`);
      },
    },
  };
}
