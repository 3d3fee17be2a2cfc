export default {
  output: "export",
  basePath: "/docs",
  trailingSlash: true,
  serverExternalPackages: ["absolve"],
  // The test installs packages beside the site.
  turbopack: { root: new URL("..", import.meta.url).pathname },
};
