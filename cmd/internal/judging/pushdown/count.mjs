// Answers each line {"items": [JSON of each item], "queries": [text]} on standard input
// with a line: the list of what the queries count, or "error: …".
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { createInterface } from "node:readline";

const require = createRequire(pathToFileURL(process.argv[2] + "/"));
const query = require("@zeit/cosmosdb-query").default;

const parsed = new Map(); // many containers share queries

function run(text, items) {
  if (!parsed.has(text)) parsed.set(text, query(text));
  return parsed.get(text).exec(items).result;
}

function answer(line) {
  try {
    const { items, queries } = JSON.parse(line);
    const parsedItems = items.map((text) => JSON.parse(text));
    return JSON.stringify(queries.map((text) => run(text, parsedItems)));
  } catch (e) {
    return "error: " + String(e.message).replaceAll("\n", " ");
  }
}

const out = [];
for await (const line of createInterface({ input: process.stdin })) out.push(answer(line));
process.stdout.write(out.join("\n") + "\n");
