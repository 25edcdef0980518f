// How long a decision takes beside two scans of BSON by hand, each for one index on one
// field alone: one that is written as the functions of Buffer suggest, and one that is
// tuned to do nothing but compare bytes. And how long one about an object takes beside a
// comparison by hand; and a document of nedb, as it is and with the library in the place of its
// own comparison. Its folder of packages is the argument:
//
//	npm ci --prefix conformance/lab/adapters/nedb
//	node docs/site/ttlwasm/npm/test/bench.mjs conformance/lab/adapters/nedb
import { load } from "../node.js";
import { bson } from "./bson.mjs";
import { load as loadNedb } from "./nedb.mjs";

const count = 1000, now = 1_700_000_000_000;
const names = ["user", "device", "city", "status", "agent", "page", "score"];

// documentWith has 188 bytes and its date first, in the middle or last.
function documentWith(place, i) {
  const fields = names.map((name) => [name, name === "score" ? i : "0123456789"]);
  fields.splice({ first: 0, middle: 4, last: names.length }[place], 0, ["createdAt", new Date(now - 3_600_000 + i - 500)]);
  const document = Object.fromEntries(fields);
  const missing = 188 - bson(document).length;
  document.page += "x".repeat(Math.max(missing, 0));
  return bson(document);
}

const path = Buffer.from("createdAt\0");

// scan returns whether the date of one field is an hour old.
function scan(bytes, view, start) {
  const end = start + view.getInt32(start, true) - 1;
  for (let at = start + 4; at < end; ) {
    const type = bytes[at++];
    let same = true, i = 0;
    for (; bytes[at + i] !== 0; i++) if (bytes[at + i] !== path[i]) same = false;
    same &&= i === path.length - 1;
    at += i + 1;
    if (same) {
      if (type !== 0x09) return false;
      const ms = view.getUint32(at, true) + view.getInt32(at + 4, true) * 4294967296;
      return ms + 3_600_000 <= now;
    }
    switch (type) {
      case 0x10: at += 4; break;
      case 0x01: case 0x09: case 0x11: case 0x12: at += 8; break;
      case 0x02: case 0x0d: case 0x0e: at += 4 + view.getInt32(at, true); break;
      case 0x03: case 0x04: at += view.getInt32(at, true); break;
      case 0x05: at += 5 + view.getInt32(at, true); break;
      case 0x07: at += 12; break;
      case 0x08: at += 1; break;
      case 0x13: at += 16; break;
      case 0x06: case 0x0a: case 0x7f: case 0xff: break;
      default: throw new Error(`type ${type}`);
    }
  }
  return false;
}

// plainScan is the same with the functions of Buffer.
function plainScan(document) {
  for (let at = 4; document[at] !== 0; ) {
    const type = document.readUInt8(at++);
    const end = document.indexOf(0, at);
    const name = document.toString("utf8", at, end);
    at = end + 1;
    if (name === "createdAt") return type === 0x09 && document.readBigInt64LE(at) + 3_600_000n <= BigInt(now);
    switch (type) {
      case 0x10: at += 4; break;
      case 0x01: case 0x09: case 0x11: case 0x12: at += 8; break;
      case 0x02: case 0x0d: case 0x0e: at += 4 + document.readInt32LE(at); break;
      case 0x03: case 0x04: at += document.readInt32LE(at); break;
      case 0x05: at += 5 + document.readInt32LE(at); break;
      case 0x07: at += 12; break;
      case 0x08: at += 1; break;
      case 0x13: at += 16; break;
      case 0x06: case 0x0a: case 0x7f: case 0xff: break;
      default: throw new Error(`type ${type}`);
    }
  }
  return false;
}

const ttl = await load();
const policy = ttl.compile({ target: { system: "mongodb", version: "8.0.4" }, in: { indexes: [{ key: { createdAt: 1 }, name: "c", expireAfterSeconds: 3600 }] } });

function byHand(batch) {
  const view = new DataView(batch.buffer, batch.byteOffset, batch.length);
  let expired = 0;
  for (let at = 0; at < batch.length; at += view.getInt32(at, true)) if (scan(batch, view, at)) expired++;
  return expired;
}

function plainly(batch) {
  let expired = 0;
  for (let at = 0; at < batch.length; ) {
    const next = at + batch.readInt32LE(at);
    if (plainScan(batch.subarray(at, next))) expired++;
    at = next;
  }
  return expired;
}

function byBatch(batch) {
  const decisions = policy.decideAll(batch, now);
  let expired = 0;
  for (let i = 0; i < decisions.length; i++) if (decisions.isExpired(i)) expired++;
  return expired;
}

function oneByOne(batch) {
  let expired = 0;
  for (let at = 0; at < batch.length; at += 188) if (policy.decide(batch.subarray(at, at + 188), now).state === "expired") expired++;
  return expired;
}

const leastUsed = 50_000; // microseconds of the processor: its clock may tick each 4,000

// nanoseconds is the least time of this processor that a document took in any of ten rounds
// of all ways, which take turns so that what else the machine does hits them alike.
async function nanoseconds(ways, batch, want = 501) {
  const best = ways.map(() => Infinity);
  for (let round = 0; round < 12; round++) {
    for (const [i, way] of ways.entries()) {
      const start = process.cpuUsage();
      let calls = 0, used = 0;
      while (used < leastUsed) {
        for (let n = 0; n < 50; n++) {
          const got = way(batch);
          if ((got instanceof Promise ? await got : got) !== want) throw new Error(`${way.name}: ${await got}, want ${want}`);
        }
        calls += 50;
        used = process.cpuUsage(start).user;
      }
      if (round > 1) best[i] = Math.min(best[i], (used * 1000) / calls / count);
    }
  }
  return best;
}

console.log(`node ${process.version}, ${count} documents of 188 bytes, ns a document`);
for (const place of ["first", "middle", "last"]) {
  const batch = Buffer.concat(Array.from({ length: count }, (_, i) => documentWith(place, i)));
  if (batch.length !== 188 * count) throw new Error(`${batch.length} bytes`);
  const [plain, tuned, all, one] = await nanoseconds([plainly, byHand, byBatch, oneByOne], batch);
  const beside = (t) => `${t.toFixed(0)} (${(t / plain).toFixed(2)}x and ${(t / tuned).toFixed(2)}x)`;
  console.log(`date ${place.padEnd(6)} scan ${plain.toFixed(0)}, tuned ${tuned.toFixed(0)}, batch ${beside(all)}, one by one ${beside(one)}`);
}

// Objects. The comparison by hand is what a store would write that has the name of the field
// and the delay from its index.
const objects = Array.from({ length: count }, (_, i) => ({ _id: `id${i}`, user: "guest", city: "0123456789", createdAt: new Date(now - 3_600_000 + i - 500), page: "x".repeat(80), score: i }));
const filtered = ttl.compile({ target: { system: "mongodb", version: "8.0.4" }, in: { indexes: [{ key: { createdAt: 1 }, name: "c", expireAfterSeconds: 3600, partialFilterExpression: { user: "guest" } }] } });

const on = (...indexes) => ttl.compile({ target: { system: "mongodb", version: "8.0.4" }, in: { indexes } });
const index = { key: { createdAt: 1 }, name: "c", expireAfterSeconds: 3600 };
const joined = on({ ...index, partialFilterExpression: { $or: [{ user: "guest" }, { user: "nobody" }] } });
const two = on(index, { key: { deletedAt: 1 }, name: "d", expireAfterSeconds: 60 });
const arrays = objects.map((o) => ({ ...o, createdAt: [o.createdAt, new Date(now)] }));
const dotted = on({ ...index, key: { "meta.at": 1 } });
const nested = objects.map((o) => ({ ...o, meta: { at: o.createdAt } }));
const positions = objects.map((o) => ({ ...o, meta: [{ at: o.createdAt }] })); // the module decides
const container = ttl.compile({ target: { system: "cosmos-nosql" }, in: { container: { defaultTtl: 3600 } } });
const items = objects.map((o, i) => JSON.parse(JSON.stringify({ ...o, _ts: now / 1000 - 3600 + i - 500 }))); // as a request brings them
// Each of these has fields that no other has, which is what JavaScript is slowest at.
const unlike = items.map((o, i) => ({ ...o, [`own${i}`]: i }));

class Comparison {
  #field;
  #delay;

  constructor(field, delay) {
    this.#field = field;
    this.#delay = delay;
  }

  isExpired(document, clock) {
    const value = document[this.#field];
    return value instanceof Date && value.getTime() + this.#delay <= clock;
  }
}

const comparison = new Comparison("createdAt", 3_600_000);
const counted = (decisions) => {
  let expired = 0;
  for (let i = 0; i < decisions.length; i++) if (decisions.isExpired(i)) expired++;
  return expired;
};
// Each way has a function of its own, because the compiler makes one of what they share.
const ways = {
  "comparison by hand": (all) => { let n = 0; for (const d of all) if (comparison.isExpired(d, now)) n++; return n; },
  "isExpired, plain": (all) => { let n = 0; for (const d of all) if (policy.isExpired(d, now)) n++; return n; },
  "decide, plain": (all) => { let n = 0; for (const d of all) if (policy.decide(d, now).state === "expired") n++; return n; },
  "decideAll, plain": (all) => counted(policy.decideAll(all, now)),
  "decideAll, filter": (all) => counted(filtered.decideAll(all, now)),
  "decideAll, $or": (all) => counted(joined.decideAll(all, now)),
  "decideAll, two indexes": (all) => counted(two.decideAll(all, now)),
  "decideAll, arrays": () => counted(policy.decideAll(arrays, now)),
  "decideAll, items": () => counted(container.decideAll(items, now)),
  "isExpired, items": () => { let n = 0; for (const d of items) if (container.isExpired(d, now)) n++; return n; },
  "decideAll, items all unlike": () => counted(container.decideAll(unlike, now)),
  "decideAll, dotted path": () => counted(dotted.decideAll(nested, now)),
  "isExpired, dotted path": () => { let n = 0; for (const d of nested) if (dotted.isExpired(d, now)) n++; return n; },
  "decideAll, array on a path": () => counted(dotted.decideAll(positions, now)),
  "isExpired, filter": (all) => { let n = 0; for (const d of all) if (filtered.isExpired(d, now)) n++; return n; },
};
const times = await nanoseconds(Object.values(ways), objects);
for (const [i, name] of Object.keys(ways).entries()) console.log(`${name.padEnd(27)} ${times[i].toFixed(1)} (${(times[i] / times[0]).toFixed(2)}x)`);

// nedb looks at each document that a query may return: without a TTL index, with its own
// comparison, and with the library, by the clock of this machine. None has expired, for nedb
// removes those.
if (process.argv[2] !== undefined) {
  const stored = nested.map((o) => ({ ...o, createdAt: new Date(), meta: { at: new Date() } }));
  const way = async (options, patched = true) => {
    const db = new (loadNedb(process.argv[2], { patched }))({ inMemoryOnly: true });
    if (options !== undefined) await db.ensureIndexAsync({ fieldName: "createdAt", expireAfterSeconds: 3600, ...options });
    await db.insertAsync(stored);
    return async () => (await db._getCandidatesAsync({})).length;
  };
  const stores = {
    "as it is, no TTL index": await way(undefined, false),
    "as it is": await way({}, false),
    "with the library": await way({}),
    "…, filter": await way({ partialFilterExpression: { user: "guest" } }),
    "…, filter by $or": await way({ partialFilterExpression: { $or: [{ user: "guest" }, { user: "nobody" }] } }),
    "…, dotted path": await way({ fieldName: "meta.at" }),
  };
  const taken = await nanoseconds(Object.values(stores), objects, count);
  for (const [i, name] of Object.keys(stores).entries()) console.log(`nedb ${name.padEnd(22)} ${taken[i].toFixed(1)} (${(taken[i] / taken[1]).toFixed(2)}x)`);
}
