// Puts nedb, whose last release is of 2016, to the conformance suite. Its maintained fork has
// an adapter of its own.
//
// nedb looks at its TTL indexes when it is read: a document has expired if it is not found.
// It cannot say when one will.
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { decode, encode } from "../node/extjson.mjs";
import { Refused, Skip, serve } from "../node/serve.mjs";

const require = createRequire(import.meta.url);
const Datastore = require("nedb");
const { version } = require("nedb/package.json");

const hello = {
  name: "nedb", version,
  homepage: "https://github.com/louischatriot/nedb", issues: "https://github.com/louischatriot/nedb/issues",
  systems: { mongodb: "8.2.11" },
  profiles: ["mongodb-core", "mongodb-paths", "mongodb-multi-index"],
  features: ["array-position", "dotted-path", "several-indexes", "unusual-clock"],
};

// options returns an index as ensureIndex accepts it. Directions nedb has not; options that
// it does not know, such as filters, it ignores.
function options(index) {
  const { key, ...rest } = decode(index);
  const [[fieldName, kind], ...others] = Object.entries(key);
  if (others.length > 0 || typeof kind !== "number") throw new Skip("nedb has ordered indexes on one field only");
  return { ...rest, fieldName };
}

// call awaits a method that takes a callback.
const call = (db, method, ...args) => promisify(db[method].bind(db))(...args);

async function store(indexes, collection = {}) {
  if (Object.keys(collection).length > 0) throw new Skip("nedb has ordinary collections only");
  const db = new Datastore({ inMemoryOnly: true });
  for (const index of indexes) await call(db, "ensureIndex", options(index));
  return db;
}

async function decide({ now, indexes, document, collection }) {
  const ms = decode(now).getTime();
  Date.now = () => ms;
  const db = await store(indexes, collection);
  const stored = decode(document);
  try {
    await call(db, "insert", stored);
  } catch (e) {
    throw new Skip(`nedb does not store the document: ${e.message}`);
  }
  return { state: (await call(db, "count", {})) === 0 ? "expired" : "pending" };
}

async function createIndexes({ index, existing = [], collection }) {
  const db = await store(existing, collection);
  const wanted = options(index);
  const created = !(wanted.fieldName in db.indexes);
  try {
    await call(db, "ensureIndex", wanted);
  } catch (e) {
    throw new Refused(e.message);
  }
  return { expireAfterSeconds: encode(db.ttlIndexes[wanted.fieldName]), created };
}

await serve(hello, { "mongodb.decide": decide, "mongodb.createIndexes": createIndexes });
