/**
 * Plugin for Eleventy: makes the links in its output absolute, or relative.
 *
 *     import absolve from "absolve/eleventy";
 *     export default (config) => config.addPlugin(absolve, { url: "https://example.org/" });
 *
 * Links that begin with a slash are relative to `pathPrefix`, as with the plugin that Eleventy has, which this one replaces. Do
 * not use the filter `url` as well. With `--serve`, links of pages lead to the local server.
 *
 * The filter `absoluteLinks` is for HTML in feeds: `{{ post.templateContent | absoluteLinks(post.url) | escape }}`.
 */

import type { Kind, SiteOptions } from "./site.js";
import { SiteRewriter, kindOf } from "./site.js";

/** The parts of Eleventy's configuration that the plugin uses. */
interface EleventyConfig {
  readonly pathPrefix?: string;
  readonly htmlTransformer: { readonly callbacks: Readonly<Record<string, UrlTransform[]>> };
  on(event: "eleventy.before", listener: () => void): unknown;
  addFilter(name: string, filter: (this: Transform, content: string, url?: string) => string): unknown;
  addTransform(name: string, transform: (this: Transform, content: unknown) => unknown): unknown;
}

/** A transform of URLs in HTML. */
interface UrlTransform {
  readonly fn: object;
  enabled(context: { readonly baseHref?: string }): boolean;
}

/** What Eleventy passes to transforms. */
interface Transform {
  readonly page: { readonly url: string | false; readonly outputPath: string | false };
}

export interface EleventyOptions extends SiteOptions {
  /** The path of the site below `url`, which links that begin with a slash do not have. Default: that of Eleventy. */
  pathPrefix?: string | undefined;
}

export default function absolve(config: EleventyConfig, options: EleventyOptions = {}): void {
  const { pathPrefix, ...others } = options;
  const create = (form: SiteOptions) =>
    new SiteRewriter("absolve/eleventy", { ...others, ...form }, pathPrefix ?? config.pathPrefix, true);
  // Not before they are used: other plugins and the command line set the prefix.
  let pages: SiteRewriter | undefined;
  let fragments: SiteRewriter | undefined;
  config.on("eleventy.before", () => {
    // The plugin for feeds adds `HtmlBasePlugin`, which would add the prefix as well. Its transform, which has no name, is the
    // one that reads `baseHref`. It remains for `renderTransforms`, which sets this.
    for (const transform of Object.values(config.htmlTransformer.callbacks).flat()) {
      if (String(transform.fn).includes("baseHref")) transform.enabled = ({ baseHref }) => Boolean(baseHref);
    }
  });
  config.addTransform("absolve", function (content) {
    const { url, outputPath } = this.page;
    const kind = outputPath ? kindOf(outputPath) : undefined;
    // Eleventy writes no file, or one without links.
    if (typeof content !== "string" || kind === undefined || url === false) {
      return content;
    }
    const isServed = process.env["ELEVENTY_RUN_MODE"] === "serve" && others.to !== "relative";
    pages ??= create(isServed ? { to: "root-relative" } : {});
    return rewritten(pages, content, url, kind);
  });
  config.addFilter("absoluteLinks", function (content, url) {
    fragments ??= create({ to: "absolute", fragments: "resolve" });
    return rewritten(fragments, content, url ?? (this.page.url || "/"), "html");
  });
}

function rewritten(site: SiteRewriter, content: string, url: string, kind: Kind): string {
  const { content: result, problem } = site.rewrite(content, url, kind);
  if (problem !== null) console.warn(`[absolve] ${problem}`);
  return result;
}
