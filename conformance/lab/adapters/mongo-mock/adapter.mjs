// Puts mongo-mock to the conformance suite.
//
// mongo-mock stands in for MongoDB's driver in tests. It accepts expireAfterSeconds and has
// no TTL: whatever was inserted is still found. It does not list indexes, so that nobody sees
// what it has made of a definition, and only decisions are asked for.
import { createRequire } from "node:module";
import { decode } from "../node/extjson.mjs";
import { Skip, serve } from "../node/serve.mjs";

const require = createRequire(import.meta.url);
const mock = require("mongo-mock");
const { version } = require("mongo-mock/package.json");
mock.max_delay = 0;

const hello = {
  name: "mongo-mock", version,
  homepage: "https://github.com/williamkapke/mongo-mock", issues: "https://github.com/williamkapke/mongo-mock/issues",
  systems: { mongodb: "8.2.11" },
  profiles: ["mongodb-core", "mongodb-paths", "mongodb-multi-index"],
  features: ["array-position", "dotted-path", "several-indexes", "unusual-clock"],
};

const db = (await mock.MongoClient.connect("mongodb://localhost:27017/suite", {})).db("suite");
let made = 0;

async function store(indexes, collection = {}) {
  if (Object.keys(collection).length > 0) throw new Skip("mongo-mock has ordinary collections only");
  const fresh = await db.createCollection(`c${made++}`);
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
    throw new Skip(`mongo-mock does not store the document: ${e.message}`);
  }
  return { state: (await fresh.find({}).toArray()).length === 0 ? "expired" : "pending" };
}

await serve(hello, { "mongodb.decide": decide });
process.exit(); // an open database holds a timer
