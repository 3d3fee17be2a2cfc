// Bundles the JavaScript of the package, and writes its type declarations. `build` runs it.

import { execFileSync } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";

import { build } from "esbuild";

const ADAPTERS = ["eleventy", "posthtml", "astro", "vite", "site", "command"];

const common = {
  bundle: true,
  target: "es2022",
  // A name of the package itself, and files beside the result.
  external: ["absolve", "node:*", "./absolve.wasm"],
  legalComments: "none",
  logLevel: "warning",
};

const paths = (names) => names.map((name) => `js/${name}.ts`);

await build({
  ...common,
  entryPoints: paths(["node", "browser", "web", "workerd", ...ADAPTERS]),
  format: "esm",
  outdir: "dist",
});
await build({
  ...common,
  entryPoints: paths(["node"]),
  format: "cjs",
  outdir: "dist/cjs",
  define: { "import.meta.url": "moduleUrl" },
  banner: { js: 'const moduleUrl = require("node:url").pathToFileURL(__dirname + ".js").href;' },
});
cpSync("glue/absolve.wasm", "dist/absolve.wasm");
for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) {
  cpSync(`../${name}`, `dist/${name}`);
}

execFileSync("node_modules/.bin/tsc", ["--project", "tsconfig.json"], { stdio: "inherit" });
writeFileSync("dist/absolve.wasm.d.ts", "declare const module: WebAssembly.Module;\nexport default module;\n");
// A declaration file has the kind of module that the nearest package.json states.
writeFileSync("dist/cjs/package.json", '{ "type": "commonjs" }\n');
for (const name of ["node", "api", "types"]) {
  cpSync(`dist/${name}.d.ts`, `dist/cjs/${name}.d.ts`);
}
