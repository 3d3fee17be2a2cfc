import rss from "@astrojs/rss";

import { rewrite } from "absolve";

export function GET({ site }) {
  const url = new URL("/docs/posts/first/", site).href;
  const content = rewrite('<a href="../../">Home</a><img src="../../img/b.svg" alt="">', url);
  return rss({ title: "Posts", description: "Posts", site: new URL("/docs/", site).href, items: [{ title: "First", link: url, content }] });
}
