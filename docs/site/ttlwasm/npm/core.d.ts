export { extendedJSON, instantiate, instantiateSync, toExtendedJSON, TTLError } from "./index.js";
