// Puts sift to the conformance suite.
//
// sift filters arrays by MongoDB's query language and has no TTL. This asks it what a
// server's TTL monitor asks: does the document match
// {path: {$lte: now - expireAfterSeconds}}, and the index's filter?
import { createRequire } from "node:module";
import { decode } from "../node/extjson.mjs";
import { Skip, serve } from "../node/serve.mjs";

const require = createRequire(import.meta.url);
const { default: sift } = require("sift");
const { version } = require("sift/package.json");

const hello = {
  name: "sift", version,
  homepage: "https://github.com/crcn/sift.js", issues: "https://github.com/crcn/sift.js/issues",
  systems: { mongodb: "8.2.11" },
  profiles: ["mongodb-core", "mongodb-paths", "mongodb-partial", "mongodb-multi-index"],
  features: ["array-position", "dotted-path", "partial-index", "several-indexes", "unusual-clock"],
};

// expiring returns the query for what an index lets expire, null if it is no TTL index.
function expiring(index, now) {
  const { key, expireAfterSeconds: seconds, partialFilterExpression = {}, collation } = decode(index);
  if (seconds === undefined) return null;
  if (collation !== undefined) throw new Skip("a collation is not passed on");
  const [[path, kind], ...others] = Object.entries(key);
  if (others.length > 0 || typeof kind !== "number" || typeof seconds !== "number") throw new Skip("which indexes expire documents is not for a matcher to say");
  const cutoff = new Date(now - Math.trunc(seconds) * 1000);
  if (Number.isNaN(cutoff.getTime())) throw new Skip("JavaScript cannot hold the threshold");
  return { $and: [{ [path]: { $lte: cutoff } }, partialFilterExpression] };
}

function decide({ now, indexes, document, collection = {} }) {
  if (Object.keys(collection).length > 0) throw new Skip("sift knows of no collections");
  const queries = indexes.map((index) => expiring(index, decode(now))).filter((q) => q !== null);
  const stored = decode(document);
  return { state: queries.some((q) => sift(q)(stored)) ? "expired" : "pending" };
}

await serve(hello, { "mongodb.decide": decide });
