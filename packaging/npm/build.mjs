#!/usr/bin/env node
// Makes the npm packages of the command in target/packages/npm: `absolve-cli`, and one with the program for each platform, of
// which npm installs the one that fits. Takes the programs from the archives that packaging/binary made. The program has the name
// of its package, `absolve-cli`: the package `absolve`, which is the library, has a program `absolve`.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const root = new URL("../..", import.meta.url).pathname;
const version = readFileSync(`${root}/Cargo.toml`, "utf8").match(/^version = "(.*)"$/m)[1];
// Static programs for Linux: they run with every C library.
const targets = {
  "x86_64-unknown-linux-musl": ["linux", "x64"],
  "aarch64-unknown-linux-musl": ["linux", "arm64"],
  "x86_64-apple-darwin": ["darwin", "x64"],
  "aarch64-apple-darwin": ["darwin", "arm64"],
  "x86_64-pc-windows-msvc": ["win32", "x64"],
};
const common = {
  version,
  license: "MIT OR Apache-2.0",
  description: "Makes every link of HTML documents, sites and archives absolute, and changes no other byte",
};
// The address of the repository, without which npm accepts no statement of origin (`npm publish --provenance`).
const repository = process.env.REPOSITORY;
if (repository) Object.assign(common, { repository: { type: "git", url: `git+${repository}.git` }, homepage: `${repository}#readme` });
const out = `${root}/target/packages/npm`;
rmSync(out, { recursive: true, force: true });

function write(name, manifest, files) {
  const folder = `${out}/${name}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/package.json`, JSON.stringify({ name, ...common, ...manifest }, null, 2) + "\n");
  for (const [from, to] of [...files, [`${root}/LICENSE-MIT`, "LICENSE-MIT"], [`${root}/LICENSE-APACHE`, "LICENSE-APACHE"]]) {
    cpSync(from, `${folder}/${to}`);
  }
  return folder;
}

const optionalDependencies = {};
for (const [target, [os, cpu]] of Object.entries(targets)) {
  const name = `absolve-cli-${os}-${cpu}`;
  optionalDependencies[name] = version;
  const unpacked = `${root}/target/packages/absolve-${version}-${target}`;
  const file = os === "win32" ? "absolve.exe" : "absolve";
  if (!existsSync(`${unpacked}/${file}`)) {
    console.log(`${name}: no program in ${unpacked}; left out`);
    continue;
  }
  const files = [file, "LICENSES-OF-DEPENDENCIES.txt"].map((file) => [`${unpacked}/${file}`, file]);
  const folder = write(name, { os: [os], cpu: [cpu], preferUnplugged: true, files: files.map(([, file]) => file) }, files);
  chmodSync(`${folder}/${file}`, 0o755);
}
const launcher = [
  [`${root}/packaging/npm/absolve.cjs`, "absolve.cjs"],
  [`${root}/crates/cli/README.md`, "README.md"],
];
const folder = write("absolve-cli", { bin: { "absolve-cli": "absolve.cjs" }, engines: { node: ">=18" }, optionalDependencies }, launcher);
chmodSync(`${folder}/absolve.cjs`, 0o755);
for (const name of ["absolve-cli", ...Object.keys(optionalDependencies)]) {
  if (existsSync(`${out}/${name}`)) execFileSync("npm", ["pack", "--silent", `./${name}`], { cwd: out, stdio: "inherit" });
}
