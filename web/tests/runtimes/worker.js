import { probe } from "./probe.js";

export default {
  fetch: () => Response.json(probe()),
};
