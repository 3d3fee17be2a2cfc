// Bundles the page in web/page/dist: static files, for any folder of any server. `../build` runs it.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

import { build } from "esbuild";

execFileSync("node_modules/.bin/tsc", ["--project", "page/tsconfig.json"], { stdio: "inherit" });
rmSync("page/dist", { recursive: true, force: true });
const common = { bundle: true, minify: true, format: "esm", target: "es2022", loader: { ".tsv": "text" }, legalComments: "none" };
const script = { ...common, outdir: "page/dist", external: ["./worker.js", "./containers.js"] };
await build({ ...script, entryPoints: ["page/src/main.ts", "page/src/worker.ts"] });
// What it uses of the package calls the module with containers, too.
const path = resolve("page/glue/absolve.js");
const bindings = { name: "bindings", setup: ({ onResolve }) => onResolve({ filter: /\/glue\/absolve\.js$/ }, () => ({ path })) };
await build({ ...script, entryPoints: ["page/src/containers.ts"], plugins: [bindings] });
// The reports of the command have the first part.
const style = ["../crates/cli/src/print/html/base.css", "page/style.css"].map((name) => readFileSync(name, "utf8"));
writeFileSync("page/dist/style.css", style.join(""));
for (const name of ["index.html", "icon.svg"]) {
  cpSync(`page/${name}`, `page/dist/${name}`);
}
cpSync("dist/absolve.wasm", "page/dist/absolve.wasm");
cpSync("page/glue/absolve.wasm", "page/dist/containers.wasm");

const files = readdirSync("page/dist").sort();
const digest = createHash("sha256");
files.forEach((name) => digest.update(readFileSync(`page/dist/${name}`)));
await build({
  ...common,
  entryPoints: ["page/src/offline.ts"],
  outdir: "page/dist",
  define: { VERSION: JSON.stringify(digest.digest("hex").slice(0, 16)), FILES: JSON.stringify(["./", ...files]) },
});
