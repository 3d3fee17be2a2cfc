#!/usr/bin/env node
// Runs the program of the package for this platform, with the same arguments and exit status.
"use strict";

const { spawnSync } = require("node:child_process");
const os = require("node:os");

const name = `absolve-cli-${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "absolve.exe" : "absolve";
let program;
try {
  program = require.resolve(`${name}/${file}`);
} catch {
  console.error(
    `absolve: no program for ${process.platform} ${process.arch}: the package ${name} is not installed\n` +
      "  hint: install without --omit=optional, or see docs/install.md for other ways",
  );
  process.exit(2);
}
// The program gets Ctrl-C itself, and says what it has done.
process.on("SIGINT", () => {});
const { status, signal, error } = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (error) {
  console.error(`absolve: cannot run ${program}: ${error.message}`);
  process.exit(2);
}
process.exit(signal ? 128 + os.constants.signals[signal] : status);
