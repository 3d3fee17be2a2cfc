export default {
  title: "Site",
  url: "https://example.org",
  baseUrl: "/docs/",
  trailingSlash: true,
  plugins: [
    "@docusaurus/plugin-content-pages",
    () => ({
      name: "absolve",
      async postBuild({ outDir }) {
        const { rewriteFolder } = await import("absolve/site");
        await rewriteFolder(outDir, { url: "https://example.org/docs/" });
      },
    }),
  ],
};
