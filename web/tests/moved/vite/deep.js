import { mark } from "./note.js";

mark("deep");
