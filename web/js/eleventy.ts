/**
 * Plugin for Eleventy: makes the links in its output absolute, or relative.
 *
 *     import absolve from "absolve/eleventy";
 *     export default (config) => config.addPlugin(absolve, { url: "https://example.org/" });
 *
 * Links that begin with a slash are relative to `pathPrefix`, as with the plugin that Eleventy has. Use one of the two, and
 * not the filter `url` as well.
 *
 * The filter `absoluteLinks` is for HTML in feeds: `{{ post.templateContent | absoluteLinks(post.url) | escape }}`.
 */

import type { SiteOptions } from "./site.js";
import { SiteRewriter, kindOf } from "./site.js";

/** The parts of Eleventy's configuration that the plugin uses. */
interface EleventyConfig {
  readonly pathPrefix?: string;
  addFilter(name: string, filter: (this: Transform, content: string, url?: string) => string): unknown;
  addTransform(name: string, transform: (this: Transform, content: unknown) => unknown): unknown;
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
  config.addTransform("absolve", function (content) {
    const { url, outputPath } = this.page;
    const kind = outputPath ? kindOf(outputPath) : undefined;
    // Eleventy writes no file, or one without links.
    if (typeof content !== "string" || kind === undefined || url === false) {
      return content;
    }
    pages ??= create({});
    return pages.rewrite(content, url, kind);
  });
  config.addFilter("absoluteLinks", function (content, url) {
    fragments ??= create({ to: "absolute", fragments: "resolve" });
    return fragments.rewrite(content, url ?? (this.page.url || "/"), "html");
  });
}
