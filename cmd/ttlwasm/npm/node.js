import { readFile } from "node:fs/promises";
import { instantiate } from "./core.js";

export { extendedJSON, instantiate, toExtendedJSON, TTLError } from "./core.js";

const file = new URL("./ttlpolicy.wasm", import.meta.url);

export async function compileModule() {
  return WebAssembly.compile(await readFile(file));
}

export async function load(module) {
  return instantiate(module ?? (await compileModule()));
}
