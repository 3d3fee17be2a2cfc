/**
 * Plugin for PostHTML: rewrites the links of the document.
 *
 *     posthtml([absolve({ url: "https://example.org/a/b.html" })])
 *
 * The tree is rendered, rewritten and parsed again, because a tree of PostHTML does not know where BASE counts and where
 * markup is text.
 */

import { Rewriter } from "absolve";
import type { AllOptions, Options, Url } from "absolve";

/** A tree of PostHTML, with the functions that it adds. */
interface Tree {
  readonly options?: object;
  parser(html: string, options?: object): Tree;
  render(tree: Tree, options?: object): string;
}

export interface PosthtmlOptions extends AllOptions {
  /** The URL from which the document was retrieved. */
  url?: Url | undefined;
}

export default function absolve(options: PosthtmlOptions = {}): (tree: Tree) => Tree {
  const { url, encoding, kind, enclosingBase, defaultBase, ...others } = options;
  const rewriter = new Rewriter(others as Options);
  return (tree) => {
    const html = tree.render(tree, tree.options);
    const rewritten = rewriter.rewriteContent(html, url, { encoding, kind, enclosingBase, defaultBase });
    return rewritten === html ? tree : tree.parser(rewritten, tree.options);
  };
}
