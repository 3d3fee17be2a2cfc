#!/usr/bin/env node
/** The command of the package, for the output of generators that have no adapter. */

import { parseArgs } from "node:util";

import { OPTIONS } from "./options.js";
import type { SiteOptions } from "./site.js";
import { rewriteFolder } from "./site.js";

const USAGE = `Usage: npx absolve FOLDER --url URL [--to FORM] [--OPTION VALUE]...

Rewrites the links in the pages, style sheets and feeds of a folder, which is published at URL: absolute by default.
Takes the options of the package, such as --fragments resolve, --base-element remove and --map OLD=NEW.`;

/** Returns the name of an option of the command. */
const flagOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Splits `NAME=VALUE`; a selector may have several such signs. */
function pair(text: string): [string, string] {
  const end = text.lastIndexOf("=");
  return [text.slice(0, end), text.slice(end + 1)];
}

/** Returns the folder and the options; `undefined` if help is asked for. */
function parsed(): [string, SiteOptions] | undefined {
  const flags = Object.entries({ ...OPTIONS, url: "string", help: "boolean" }).map(([name, type]) => {
    const multiple = type === "names" || type === "pairs" || type === "numbers";
    return [flagOf(name), { type: type === "boolean" ? "boolean" : "string", multiple }] as const;
  });
  const { values, positionals } = parseArgs({ allowPositionals: true, options: Object.fromEntries(flags) });
  if (values["help"]) return undefined;
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1) throw new TypeError("name one folder; see --help");
  const options: Record<string, unknown> = { url: values["url"] };
  for (const [name, type] of Object.entries(OPTIONS)) {
    const value = values[flagOf(name)];
    if (value === undefined) continue;
    const pairs = type === "pairs" || type === "numbers" ? (value as string[]).map(pair) : [];
    const numbers = () => Object.fromEntries(pairs.map(([key, number]) => [key, Number(number)]));
    options[name] = type === "pairs" ? pairs : type === "numbers" ? numbers() : value;
  }
  return [folder, options];
}

try {
  const args = parsed();
  if (args === undefined) {
    console.log(USAGE);
  } else {
    const { changed, problems } = await rewriteFolder(...args);
    console.error(`[absolve] rewrote the links of ${changed} files`);
    process.exitCode = problems.length > 0 ? 1 : 0;
  }
} catch (error) {
  console.error(`[absolve] ${(error as Error).message}`);
  process.exitCode = 2;
}
