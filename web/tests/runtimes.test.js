// The package in Deno and in workerd, the runtime of Cloudflare Workers: installed as in a project, with the results of Node.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { build } from "esbuild";

import { scratch } from "./browser.js";
import { probe } from "./runtimes/probe.js";
import { ROOT, missing } from "./support.js";

const EXPECTED = JSON.parse(JSON.stringify(probe()));

/** Returns a program of `node_modules`. */
function program(test, name) {
  const path = process.env[name.toUpperCase()] ?? join(ROOT, "web/node_modules/.bin", name);
  return existsSync(path) ? path : missing(test, `${name} (${name.toUpperCase()}, or npm ci in web)`);
}

/** Returns a folder with the calls and, in its `node_modules`, the files that the npm package has. */
function project(test) {
  const folder = scratch(test);
  const installed = join(folder, "node_modules/absolve");
  mkdirSync(installed, { recursive: true });
  cpSync(join(ROOT, "web/tests/runtimes"), folder, { recursive: true });
  cpSync(join(ROOT, "web/package.json"), join(installed, "package.json"));
  cpSync(join(ROOT, "web/dist"), join(installed, "dist"), { recursive: true });
  return folder;
}

test("Deno", (test) => {
  const deno = program(test, "deno");
  if (!deno) return;
  const folder = project(test);
  const args = ["run", "--no-prompt", "--no-remote", "--no-lock", "--node-modules-dir=manual", "--allow-read=.", "deno.js"];
  const env = { ...process.env, DENO_DIR: join(folder, "cache"), DENO_NO_UPDATE_CHECK: "1" };
  const { status, stdout, stderr } = spawnSync(deno, args, { cwd: folder, env, encoding: "utf8", maxBuffer: 1e9 });
  assert.equal(status, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), EXPECTED);
});

test("workerd", async (test) => {
  const workerd = program(test, "workerd");
  if (!workerd) return;
  const folder = project(test);
  // As Wrangler bundles a Worker.
  await build({
    absWorkingDir: folder,
    entryPoints: ["worker.js"],
    outfile: "worker.js",
    allowOverwrite: true,
    bundle: true,
    format: "esm",
    target: "es2022",
    conditions: ["workerd"],
    external: ["*.wasm"],
  });
  cpSync(join(folder, "node_modules/absolve/dist/absolve.wasm"), join(folder, "absolve.wasm"));
  // It writes the number of its port to a file that it inherits.
  const server = spawn(workerd, ["serve", "workerd.capnp", "--control-fd=3"], { cwd: folder, stdio: ["ignore", "pipe", "pipe", "pipe"] });
  test.after(() => server.kill());
  let output = "";
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (data) => (output += data));
  const port = await new Promise((resolve, reject) => {
    let control = "";
    server.stdio[3].on("data", (data) => {
      control += data;
      const match = /"port":\s*(\d+)/.exec(control);
      if (match) resolve(match[1]);
    });
    server.on("error", reject);
    server.on("exit", () => reject(new Error(`workerd ended: ${output}`)));
  });
  const response = await fetch(`http://127.0.0.1:${port}/`);
  const text = await response.text();
  assert.equal(response.status, 200, text + output);
  assert.deepEqual(JSON.parse(text), EXPECTED);
});
