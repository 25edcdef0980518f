// Puts MangoDB to the conformance suite.
//
// MangoDB keeps collections in files, with the API of MongoDB's driver. It checks the options
// of TTL indexes, and deletes nothing by them: whatever was inserted is still counted.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MangoClient } from "@jkershaw/mangodb";
import { decode, encode } from "../node/extjson.mjs";
import { Refused, Skip, serve } from "../node/serve.mjs";

const { version } = JSON.parse(readFileSync(new URL("node_modules/@jkershaw/mangodb/package.json", import.meta.url)));

const hello = {
  name: "@jkershaw/mangodb", version,
  homepage: "https://github.com/JKershaw/mangodb", issues: "https://github.com/JKershaw/mangodb/issues",
  systems: { mongodb: "8.2.11" },
  profiles: ["mongodb-core", "mongodb-paths", "mongodb-partial", "mongodb-multi-index"],
  features: ["array-position", "dotted-path", "partial-index", "several-indexes", "unusual-clock"],
};

const folder = mkdtempSync(join(tmpdir(), "mangodb-"));
process.on("exit", () => rmSync(folder, { recursive: true }));
const client = new MangoClient(folder);
await client.connect();
const db = client.db("suite");
let made = 0;

async function store(indexes, collection = {}) {
  if (Object.keys(collection).length > 0) throw new Skip("MangoDB has ordinary collections only");
  const fresh = db.collection(`c${made++}`);
  for (const index of indexes) await create(fresh, index);
  return fresh;
}

function create(collection, index) {
  const { key, ...options } = decode(index);
  return collection.createIndex(key, options);
}

async function decide({ now, indexes, document, collection }) {
  const ms = decode(now).getTime();
  const fresh = await store(indexes, collection);
  const stored = decode(document);
  Date.now = () => ms;
  try {
    await fresh.insertOne(stored);
  } catch (e) {
    throw new Skip(`MangoDB does not store the document: ${e.message}`);
  }
  const count = await fresh.countDocuments({});
  await fresh.drop();
  return { state: count === 0 ? "expired" : "pending" };
}

async function createIndexes({ index, existing = [], collection }) {
  const fresh = await store(existing, collection);
  const before = (await fresh.indexes()).length;
  try {
    await create(fresh, index);
  } catch (e) {
    throw new Refused(e.message, e.code === undefined ? {} : { code: e.code });
  }
  const after = await fresh.indexes();
  return { expireAfterSeconds: encode(after.at(-1)?.expireAfterSeconds), created: after.length > before };
}

await serve(hello, { "mongodb.decide": decide, "mongodb.createIndexes": createIndexes });
