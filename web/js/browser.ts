/** Entry point for browsers and bundlers: fetches the module beside it before the import completes. */

import { init } from "./web.js";

await init();

export * from "./api.js";
