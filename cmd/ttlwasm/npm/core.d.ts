export { instantiate, toExtendedJSON, TTLError } from "./index.js";
