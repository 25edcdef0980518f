import { instantiate, instantiateSync } from "./core.js";

export { extendedJSON, fromExtendedJSON, instantiate, instantiateSync, Refusal, toExtendedJSON, TTLError } from "./core.js";

const file = new URL("./ttlpolicy.wasm", import.meta.url);

export async function compileModule() {
  const response = await fetch(file);
  if (!response.ok) throw new Error(`${file}: ${response.status} ${response.statusText}`);
  if (response.headers.get("Content-Type") === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

export async function load(module) {
  return instantiate(module ?? (await compileModule()));
}

export function loadSync(module) {
  if (module === undefined) throw new TypeError("loadSync needs the result of compileModule() in a browser, which reads no file at once");
  return instantiateSync(module);
}
