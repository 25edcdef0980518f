export { extendedJSON, instantiate, toExtendedJSON, TTLError } from "./index.js";
