/** Entry point for Node and Deno: reads the module from the file beside it. */

import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";

import { load } from "./module.js";
import { setUnitWriter } from "./text.js";

// Copies the string; `TextEncoder` of Node 20 takes four times as long as this and the encoder of the module together.
setUnitWriter((text, memory, address, length) => Buffer.from(memory, address, length).write(text, "utf16le"));
load(readFileSync(new URL("./absolve.wasm", import.meta.url)));

export * from "./api.js";
