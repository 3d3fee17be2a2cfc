import { mark } from "./note.js";

mark("home");
