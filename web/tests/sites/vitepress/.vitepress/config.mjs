import { rewriteFolder } from "absolve/site";

export default {
  base: "/docs/",
  buildEnd: ({ outDir }) => rewriteFolder(outDir, { url: "https://example.org/docs/" }),
};
