// Two pages that share a script and a style sheet, for the root of a host.
export default {
  logLevel: "silent",
  build: { outDir: "../built", emptyOutDir: true, rollupOptions: { input: ["index.html", "deep/index.html", "404.html"] } },
};
