/** The WebAssembly module, and how its functions are called. */

import { initSync } from "../glue/absolve.js";

let isLoaded = false;

/** Loads the module, which an entry point has (`node.ts`, `browser.ts` and so on). */
export function load(module: WebAssembly.Module | BufferSource): void {
  initSync({ module });
  isLoaded = true;
}

/** Calls a function of the module, whose errors are strings. */
export function call<R>(operation: () => R): R {
  if (!isLoaded) {
    throw new Error("absolve is not loaded; await init() of 'absolve/web' first");
  }
  try {
    return operation();
  } catch (error) {
    // The module never panics, except without memory.
    throw typeof error === "string" ? new TypeError(error) : error instanceof WebAssembly.RuntimeError ? tooLong() : error;
  }
}

/** Returns the error for a document that does not fit into the memory of the module. */
export function tooLong(): RangeError {
  return new RangeError("document too long: WebAssembly has no memory for it");
}
