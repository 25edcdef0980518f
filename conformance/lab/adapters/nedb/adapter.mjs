// Puts @seald-io/nedb to the conformance suite.
//
// nedb looks at its TTL indexes when it is read: a document has expired if it is
// not found. It cannot say when one will.
import { createRequire } from "node:module";
import { decode, encode } from "../node/extjson.mjs";
import { Refused, Skip, serve } from "../node/serve.mjs";

const require = createRequire(import.meta.url);
const Datastore = require("@seald-io/nedb");
const { version } = require("@seald-io/nedb/package.json");

const hello = {
  name: "@seald-io/nedb", version,
  homepage: "https://github.com/seald/nedb", issues: "https://github.com/seald/nedb/issues",
  systems: { mongodb: "8.2.11" },
  profiles: ["mongodb-core", "mongodb-paths", "mongodb-multi-index"],
  features: ["array-position", "dotted-path", "several-indexes", "unusual-clock"],
};

// options returns an index as ensureIndex accepts it. Directions nedb has not;
// options that it does not know, such as filters, it ignores.
function options(index) {
  const { key, ...rest } = decode(index);
  if (Object.values(key).some((kind) => typeof kind !== "number")) throw new Skip("nedb has ordered indexes only");
  return { ...rest, fieldName: Object.keys(key) };
}

async function store(indexes, collection = {}) {
  if (Object.keys(collection).length > 0) throw new Skip("nedb has ordinary collections only");
  const db = new Datastore({ inMemoryOnly: true });
  for (const index of indexes) await db.ensureIndexAsync(options(index));
  return db;
}

async function decide({ now, indexes, document, collection }) {
  const ms = decode(now).getTime();
  Date.now = () => ms;
  const db = await store(indexes, collection);
  const stored = decode(document);
  try {
    await db.insertAsync(stored);
  } catch (e) {
    throw new Skip(`nedb does not store the document: ${e.message}`);
  }
  return { state: (await db.countAsync({})) === 0 ? "expired" : "pending" };
}

async function createIndexes({ index, existing = [], collection }) {
  const db = await store(existing, collection);
  const wanted = options(index);
  const name = [...wanted.fieldName].sort().join(","); // as nedb names it
  const created = !(name in db.indexes);
  try {
    await db.ensureIndexAsync(wanted);
  } catch (e) {
    throw new Refused(e.message);
  }
  return { expireAfterSeconds: encode(db.ttlIndexes[name]), created };
}

await serve(hello, { "mongodb.decide": decide, "mongodb.createIndexes": createIndexes });
