import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { instantiate, instantiateSync } from "./core.js";

export { extendedJSON, fromExtendedJSON, instantiate, instantiateSync, Refusal, toExtendedJSON, TTLError } from "./core.js";

const file = new URL("./ttlpolicy.wasm", import.meta.url);

export async function compileModule() {
  return WebAssembly.compile(await readFile(file));
}

export async function load(module) {
  return instantiate(module ?? (await compileModule()));
}

export function loadSync(module) {
  return instantiateSync(module ?? readFileSync(file));
}
