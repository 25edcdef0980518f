export { extendedJSON, fromExtendedJSON, instantiate, instantiateSync, Refusal, toExtendedJSON, TTLError } from "./index.js";
