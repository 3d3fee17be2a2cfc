/** Entry point for Workers, which import modules and do not compile them. */

// @ts-expect-error There are no declarations: the runtime defines this import.
import module from "./absolve.wasm";

import { load } from "./module.js";

load(module);

export * from "./api.js";
