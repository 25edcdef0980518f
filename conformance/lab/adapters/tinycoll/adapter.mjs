// Puts tinycoll to the conformance suite.
//
// tinycoll sweeps its collections from time to time. This sets the clock and
// calls the sweep instead of waiting for it. tinycoll keeps dates as numbers of
// milliseconds; documents come to it with dates, as MongoDB's have.
import { createRequire } from "node:module";
import { decode } from "../node/extjson.mjs";
import { Skip, serve } from "../node/serve.mjs";

const require = createRequire(import.meta.url);
const { Collection } = require("tinycoll");
const { version } = require("tinycoll/package.json");

const hello = {
  name: "tinycoll", version,
  systems: { mongodb: "8.2.11" },
  profiles: ["mongodb-core", "mongodb-paths", "mongodb-multi-index"],
  features: ["array-position", "dotted-path", "several-indexes", "unusual-clock"],
};

let sweep; // what tinycoll would do at intervals
globalThis.setInterval = (f) => { sweep = f; };

// ttlIndexes returns the indexes as tinycoll accepts them: it has no others than
// those of one field that expire documents, and no options.
function ttlIndexes(indexes) {
  return indexes.map(decode).filter((index) => index.expireAfterSeconds !== undefined).map(({ key, expireAfterSeconds }) => {
    const [[field, kind], ...others] = Object.entries(key);
    if (others.length > 0 || typeof kind !== "number") throw new Skip("tinycoll has ordered indexes of one field only");
    return { field, expireAfterSeconds };
  });
}

function decide({ now, indexes, document, collection: kind = {} }) {
  if (Object.keys(kind).length > 0) throw new Skip("tinycoll has ordinary collections only");
  const ms = decode(now).getTime();
  Date.now = () => ms;
  sweep = () => {};
  const collection = new Collection("suite", { ttlIndexes: ttlIndexes(indexes) });
  collection.insert(decode(document));
  sweep();
  return { state: collection.find({}).count() === 0 ? "expired" : "pending" };
}

await serve(hello, { "mongodb.decide": decide });
