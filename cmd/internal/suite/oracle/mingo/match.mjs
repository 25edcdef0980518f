// Answers each line {"filter": …, "document": …} of canonical Extended JSON on
// standard input with "1" (mingo says it matches), "0", or "error: …".
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { createInterface } from "node:readline";

const require = createRequire(pathToFileURL(process.argv[2] + "/"));
const { Query } = await import(pathToFileURL(require.resolve("mingo")));

// revive turns the Extended JSON that the test generates into JavaScript values.
function revive(v) {
  if (v === null || typeof v !== "object") return v;
  if (Array.isArray(v)) return v.map(revive);
  if ("$numberInt" in v) return Number(v.$numberInt);
  if ("$numberDouble" in v) return Number(v.$numberDouble);
  if ("$date" in v) return new Date(Number(v.$date.$numberLong));
  return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, revive(x)]));
}

function answer(line) {
  try {
    const { filter, document } = JSON.parse(line);
    return new Query(revive(filter)).test(revive(document)) ? "1" : "0";
  } catch (e) {
    return "error: " + e.message.replaceAll("\n", " ");
  }
}

const out = [];
for await (const line of createInterface({ input: process.stdin })) out.push(answer(line));
process.stdout.write(out.join("\n") + "\n");
