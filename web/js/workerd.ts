/** Entry point for Workers, which import modules and do not compile them. */

// @ts-expect-error There are no declarations: the runtime defines this import.
import module from "./absolve.wasm";

import { initSync } from "../glue/absolve.js";

initSync({ module });

export * from "./api.js";
