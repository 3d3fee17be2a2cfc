/** Entry point for Node and Deno: reads the module from the file beside it. */

import { readFileSync } from "node:fs";

import { initSync } from "../glue/absolve.js";

initSync({ module: readFileSync(new URL("./absolve.wasm", import.meta.url)) });

export * from "./api.js";
