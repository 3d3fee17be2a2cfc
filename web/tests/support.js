// Places that tests read from, and what happens if one is missing.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** Skips a test that needs something this machine lacks; a failure if everything is required. */
export function missing(test, what) {
  if (process.env.ABSOLVE_REQUIRE_ALL === "1") {
    throw new Error(`${what} is required`);
  }
  test.skip(`without ${what}`);
  return undefined;
}

/** Checks a time in milliseconds, if `ABSOLVE_TIMES=1` says that the machine does nothing else. */
export function inTime(time, limit) {
  assert.ok(process.env.ABSOLVE_TIMES !== "1" || time < limit, `${Math.round(time)} ms`);
}

/** Returns the command `absolve`. */
export function command(test) {
  const path = process.env.ABSOLVE_COMMAND ?? join(ROOT, "target/release/absolve");
  return existsSync(path) ? path : missing(test, "the command (ABSOLVE_COMMAND, or cargo build --release)");
}

/** Returns the folder of third-party tests and pages. */
export function corpora(test) {
  const path = process.env.ABSOLVE_CORPORA ?? join(ROOT, "../shared/corpora");
  return existsSync(path) ? path : missing(test, "the corpora (ABSOLVE_CORPORA)");
}

/** The string of a line `name = "string"` in a file of settings. */
function setting(text, name) {
  const value = text.match(new RegExp(`^${name} = ("(?:[^"\\\\]|\\\\.)*")$`, "m"));
  return value ? JSON.parse(value[1]) : undefined;
}

/** Returns the cases of `fixtures`: documents before and after, and what is known about them. */
export function cases() {
  return ["rewrite", "regressions"].flatMap((group) => {
    const folder = join(ROOT, "fixtures", group);
    const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, "case.toml")));
    return names.map((name) => {
      const file = (file) => readFileSync(join(folder, name, file));
      const settings = file("case.toml").toString();
      return {
        name: `${group}/${name}`,
        input: file("input.html"),
        expected: file("expected.html"),
        url: setting(settings, "url"),
        encoding: setting(settings, "encoding"),
      };
    });
  });
}
