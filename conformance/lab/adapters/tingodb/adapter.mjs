// Puts tingodb to the conformance suite.
//
// tingodb is an embedded database with the API of MongoDB's driver. It accepts
// expireAfterSeconds and has no TTL: whatever was inserted is still counted.
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { decode, encode } from "../node/extjson.mjs";
import { Refused, Skip, serve } from "../node/serve.mjs";

const require = createRequire(import.meta.url);
const { Db } = require("tingodb")({ memStore: true });
const { version } = require("tingodb/package.json");

const hello = {
  name: "tingodb", version,
  homepage: "https://github.com/sergeyksv/tingodb", issues: "https://github.com/sergeyksv/tingodb/issues",
  systems: { mongodb: "8.2.11" },
  profiles: ["mongodb-core", "mongodb-paths", "mongodb-multi-index"],
  features: ["array-position", "dotted-path", "several-indexes", "unusual-clock"],
};

const db = new Db("", {});
let made = 0;

// call awaits a method that takes a callback.
const call = (object, method, ...args) => promisify(object[method].bind(object))(...args);

async function store(indexes, collection = {}) {
  if (Object.keys(collection).length > 0) throw new Skip("tingodb has ordinary collections only");
  const fresh = await call(db, "createCollection", `c${made++}`);
  for (const index of indexes) await create(fresh, index);
  return fresh;
}

function create(collection, index) {
  const { key, ...options } = decode(index);
  return call(collection, "createIndex", key, options);
}

async function decide({ now, indexes, document, collection }) {
  const ms = decode(now).getTime();
  const fresh = await store(indexes, collection);
  const stored = decode(document);
  Date.now = () => ms;
  try {
    await call(fresh, "insert", stored, { w: 1 });
  } catch (e) {
    throw new Skip(`tingodb does not store the document: ${e.message}`);
  }
  return { state: (await call(fresh, "count", {})) === 0 ? "expired" : "pending" };
}

async function createIndexes({ index, existing = [], collection }) {
  const fresh = await store(existing, collection);
  const before = (await call(fresh, "indexes")).length;
  try {
    await create(fresh, index);
  } catch (e) {
    throw new Refused(e.message);
  }
  const after = await call(fresh, "indexes");
  return { expireAfterSeconds: encode(after.at(-1)?.expireAfterSeconds), created: after.length > before };
}

await serve(hello, { "mongodb.decide": decide, "mongodb.createIndexes": createIndexes });
