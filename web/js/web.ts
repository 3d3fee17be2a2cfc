/** Entry point without a module: {@link init} loads it, from wherever the caller has it. */

import { load } from "./module.js";

export * from "./api.js";

/** A source of the module `absolve.wasm`. */
export type ModuleSource = string | URL | Request | Response | ArrayBuffer | Uint8Array | WebAssembly.Module;

/** Compiles the module, while it arrives if the server declares its type. */
async function compiled(source: ModuleSource | Promise<Response>): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) {
    return source;
  }
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    return WebAssembly.compile(source as BufferSource);
  }
  const fetched = source instanceof Response || source instanceof Promise ? source : fetch(source);
  const response = await fetched;
  if (!response.ok) {
    throw new Error(`cannot load ${response.url}: status ${response.status}`);
  }
  // Streaming needs this type, which not every server declares.
  if (response.headers.get("content-type")?.startsWith("application/wasm")) {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

let loading: Promise<void> | undefined;

/** Loads the module, once; every other function needs it. Without a source, it is the file beside this one. */
export function init(source?: ModuleSource | Promise<Response>): Promise<void> {
  loading ??= compiled(source ?? new URL("./absolve.wasm", import.meta.url)).then(load);
  // The next call tries again.
  loading.catch(() => (loading = undefined));
  return loading;
}
