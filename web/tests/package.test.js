// The package as npm makes it.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { scratch } from "./browser.js";
import { ROOT } from "./support.js";

const WEB = join(ROOT, "web");
const { exports } = JSON.parse(readFileSync(join(WEB, "package.json"), "utf8"));

test("it has the module and the licences of what is in it", () => {
  const [{ files }] = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: WEB, stdio: ["ignore", "pipe", "ignore"] }));
  const names = files.map(({ path }) => path);
  for (const name of ["absolve.wasm", "LICENSE-MIT", "LICENSE-APACHE", "LICENSES-OF-DEPENDENCIES.txt"]) {
    assert.ok(names.includes(`dist/${name}`), name);
  }
  const licences = readFileSync(join(WEB, "dist/LICENSES-OF-DEPENDENCIES.txt"), "utf8");
  for (const text of [/^html5ever .*: MIT OR Apache-2.0$/m, /^encoding_rs /m, /UNICODE LICENSE V3/, /Redistribution and use in source and binary forms/]) {
    assert.match(licences, text);
  }
});

test("every path has types", (test) => {
  const folder = scratch(test);
  mkdirSync(join(folder, "node_modules/absolve"), { recursive: true });
  for (const name of ["package.json", "dist"]) cpSync(join(WEB, name), join(folder, "node_modules/absolve", name), { recursive: true });
  symlinkSync(join(WEB, "node_modules/@types"), join(folder, "node_modules/@types"));
  const paths = Object.keys(exports).filter((path) => path !== "./package.json");
  const lines = paths.map((path, index) => `import * as _${index} from "absolve${path.slice(1)}";\n_${index} satisfies object;`);
  lines.push(
    'import wasm from "absolve/absolve.wasm";',
    'import { rewrite, rewriteLinks, KEEP } from "absolve";',
    "wasm satisfies WebAssembly.Module;",
    'rewrite(Buffer.from("x"), new URL("http://h/")) satisfies Buffer;',
    'rewriteLinks("x", "http://h/", ({ target }) => target ?? KEEP) satisfies string;',
  );
  writeFileSync(join(folder, "all.mts"), lines.join("\n"));
  for (const resolution of ["nodenext", "bundler"]) {
    const args = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2023,dom,dom.iterable", "--types", "node"];
    args.push("--module", resolution === "bundler" ? "esnext" : resolution, "--moduleResolution", resolution, "all.mts");
    const { status, stdout } = spawnSync(join(WEB, "node_modules/.bin/tsc"), args, { cwd: folder, encoding: "utf8" });
    assert.equal(status, 0, stdout);
  }
});
