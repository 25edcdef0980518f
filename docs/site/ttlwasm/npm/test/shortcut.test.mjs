// The answers about objects beside those of the module about the same documents as BSON,
// which bson.mjs writes. QUESTIONS is how many are drawn, SEED where drawing begins:
//
//	QUESTIONS=1000000 node --test docs/site/ttlwasm/npm/test/shortcut.test.mjs
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { compileModule, instantiateSync, load, loadSync, TTLError } from "../node.js";
import { bson } from "./bson.mjs";

const ttl = await load();
const suite = JSON.parse(readFileSync(new URL("../../../../../testdata/suite.json", import.meta.url)));
const byIndex = (index, version = "8.0.4") => ttl.compile({ target: { system: "mongodb", version }, in: { indexes: [{ key: { t: 1 }, name: "t_1", ...index }] } });

// draw returns a source of numbers below n, the same for the same seed.
function draw(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) % n;
  };
}

const clocks = [0, 1, -1, 1_700_000_000_000, 8.64e15, -8.64e15, 2_147_483_647_000, -2_147_483_648_000];
const delays = [0, 1, 60, 3600, 2147483647, 20.5, NaN, -1, 2147483648, 9007199254740993n, null, true, "10"];

// Some of them JavaScript decides about, others the module.
const filters = [
  { a: { $exists: true } }, { a: 1 }, { a: 0 }, { a: { $eq: 1.5 } }, { a: { $gt: 0 } }, { a: { $lte: 2 ** 31 } }, { a: true }, { a: false },
  { a: "2026-01-01" }, { a: { $gte: "" } }, { a: { $lte: "2026-02" } }, { a: { $lt: "3" } }, { a: "ä€😀" },
  { a: new Date(0) }, { a: { $gt: new Date(0) } }, { a: { $gte: new Date(1_700_000_000_000) } }, { a: { $lt: new Date(8.64e15) } }, { a: { $lte: new Date(-1) } },
  { other: { $exists: true }, a: { $gt: -1 } }, { t: { $exists: true }, a: { $exists: true }, _id: { $exists: true } },
  { "a.a": 1 }, { "a.a": { $exists: true } }, { "a.b": "" }, { "other.a": { $lt: new Date(8.64e15) }, _id: { $exists: true } }, { $or: [{ "a.a": true }, { "other.a": { $gte: 0 } }] }, { "a.a": { $exists: true }, "a.b": 1 }, { "a.a.a": { $exists: true } }, { "a.0": 1 },
  { t: { $gt: new Date(0) } }, { a: { $gt: -1, $lt: 1 } }, { a: null }, { a: { a: 1 } }, { "t.a": 1 }, { toString: { $exists: true } }, { a: { $gt: NaN } }, { a: { $type: "date" } },
  { $or: [{ a: 1 }, { other: { $exists: true }, a: { $lte: 0 } }] }, { $and: [{ a: { $gte: 0 } }, { $or: [{ _id: "" }, { _id: { $lt: 2 } }] }] }, { a: { $in: [1, "", false, new Date(0)] } }, { a: { $in: [null, 1] } },
];

function policies(next) {
  const releases = suite.releases.mongodb.all.flatMap((range) => range.split("-"));
  const one = () => ({ key: [{ t: 1 }, { t: -1 }, { t: "hashed" }, { "t.a": 1 }, { "t.0": 1 }, { _id: 1 }, { t: 1, a: 1 }, { toString: 1 }, { "t.toString": 1 }, { "t.a.a": 1 }][next(10)], name: "x", expireAfterSeconds: delays[next(3) ? next(4) : next(delays.length)] });
  for (;;) {
    const index = next(2) ? { key: { [["t", "t", "t.a", "t.a.a"][next(4)]]: next(2) ? 1 : -1 }, name: "t", expireAfterSeconds: [0, 60, 3600, 2147483647][next(4)] } : one();
    if (next(2)) index.partialFilterExpression = filters[next(filters.length)];
    const indexes = [index];
    if (next(5) === 0) indexes.push({ ...one(), name: "y" });
    if (next(5) === 0) indexes.push({ key: { a: 1 }, name: "z", expireAfterSeconds: [0, 60, 3600][next(3)] });
    const version = releases[next(releases.length)];
    try {
      return ttl.compileListed({ target: { system: "mongodb", version }, in: { indexes, collection: next(10) ? {} : { capped: true, size: 4096 } } });
    } catch (error) {
      if (!(error instanceof TTLError)) throw error; // no catalog of that release holds it
    }
  }
}

const seconds = [0, 60, 3600, 2147483647];

function value(next, now, depth = 0) {
  const near = now - 1000 * seconds[next(4)] + next(5) - 2;
  switch (next(depth > 1 ? 8 : 11)) {
    case 0: case 1: case 2: case 3: return new Date(Math.max(-8.64e15, Math.min(8.64e15, next(4) ? near : clocks[next(clocks.length)])));
    case 4: return ["", "2026-01-01", "ä€😀", "x".repeat(70)][next(4)];
    case 5: return [0, 1, -0, 1.5, 2 ** 31, NaN, near, -Infinity][next(8)];
    case 6: return next(2) === 0;
    case 7: return null;
    case 8: {
      const list = Array.from({ length: next(4) }, () => value(next, now, depth + 1));
      return next(2) ? list : list.filter((v) => v instanceof Date);
    }
    case 9: return next(8) ? { a: value(next, now, depth + 1) } : [{}, Object.create(null), { b: "" }, { a: null, b: 1 }][next(4)];
    default: return { 0: value(next, now, depth + 1), a: value(next, now, depth + 1) };
  }
}

function documentOf(next, now) {
  const document = next(50) ? {} : Object.create(null);
  for (const name of ["other", "t", "a", "_id", "t.a", "toString"]) if (next(name === "t" ? 12 : 3)) document[name] = value(next, now);
  return document;
}

test("objects are decided as the module decides their BSON", () => {
  const total = Number(process.env.QUESTIONS ?? 200_000), seed = Number(process.env.SEED ?? 1), size = 500;
  const next = draw(seed);
  const seen = {};
  for (let asked = 0; asked < total; asked += size) {
    const policy = policies(next), now = clocks[next(clocks.length)] + next(3) - 1;
    const documents = Array.from({ length: size }, () => documentOf(next, now));
    const written = policy.decideAll(Buffer.concat(documents.map(bson)), BigInt(now));
    const all = policy.decideAll(documents, now);
    assert.equal(all.length, size);
    for (let i = 0; i < size; i++) {
      const where = () => `SEED=${seed}, question ${asked + i}: ${JSON.stringify(documents[i])} at ${now}`;
      if (all.state(i) !== written.state(i) || all.deadline(i) !== written.deadline(i) || all.rule(i) !== written.rule(i) || all.source(i) !== written.source(i)) assert.deepEqual(all.at(i), written.at(i), where());
      if (all.error(i) !== null) assert.fail(`${where()}: ${all.error(i)}`);
      if (policy.isExpired(documents[i], now) !== written.isExpired(i)) assert.fail(`isExpired differs, ${where()}`);
      if (i % 10 === 0) assert.deepEqual(policy.decide(documents[i], i % 20 ? now : new Date(now).getTime() === now ? new Date(now) : now), written.at(i), where());
      const rule = written.rule(i);
      seen[rule] = (seen[rule] ?? 0) + 1;
    }
    policy.free();
  }
  console.log(`# ${JSON.stringify(seen)}`);
  for (const rule of ["mongo.date", "mongo.array-earliest", "mongo.field-not-date", "mongo.field-missing", "mongo.filter-mismatch"]) assert.ok(seen[rule] > total / 200, `${rule} ${seen[rule]}`);
});

test("items are decided as the module decides their text", () => {
  const total = Number(process.env.QUESTIONS ?? 200_000) / 10, next = draw(Number(process.env.SEED ?? 1)), seen = {};
  const containers = [{ defaultTtl: 60 }, { defaultTtl: -1 }, { defaultTtl: 2147483647 }, {}, { defaultTtl: 60, ttlPropertyPath: "/t" }];
  const seconds = [1_700_000_000, 0, 1, -1, 5.5, 253402300799, 253402300800, 2 ** 53, "1700000000", null];
  const ttls = [-1, 1, 60, 2147483647, 0, 2147483648, -2, 5.5, "60", null, true, [60], { a: 60 }];
  for (let asked = 0; asked < total; asked += 100) {
    const policy = ttl.compileListed({ target: { system: "cosmos-nosql" }, in: { container: containers[next(containers.length)] } });
    const items = Array.from({ length: 100 }, () => {
      const item = { id: "a" };
      if (next(10)) item._ts = seconds[next(2) ? 0 : next(seconds.length)];
      if (next(3)) item.ttl = ttls[next(ttls.length)];
      return item;
    });
    const now = [1_700_000_000_000, 0, -1, 253402300799000 + 60000][next(4)] + 60000 * next(2) + next(3) - 1;
    const written = items.map((item) => policy.decide(JSON.stringify(item), now));
    const all = policy.decideAll(items, now);
    for (let i = 0; i < items.length; i++) {
      const where = `${JSON.stringify(items[i])} at ${now}`;
      assert.deepEqual(all.at(i), written[i], where);
      assert.deepEqual(policy.decide(items[i], now), written[i], where);
      assert.equal(policy.isExpired(items[i], now), written[i].state === "expired", where);
      seen[written[i].rule] = (seen[written[i].rule] ?? 0) + 1;
    }
    policy.free();
  }
  for (const rule of ["cosmos.default", "cosmos.item", "cosmos.item-never", "cosmos.no-default", "cosmos.off"]) assert.ok(seen[rule] > total / 200, `${rule}: ${JSON.stringify(seen)}`);
});

test("what the short cut must leave to the module", () => {
  const policy = byIndex({ expireAfterSeconds: 10 });
  assert.deepEqual(policy.reads, ["t"]);
  for (const now of [NaN, Infinity, 1.5, "1", null, undefined]) {
    for (const ask of [policy.decide, policy.isExpired, (d, n) => policy.decideAll([d], n)]) assert.throws(() => ask.call(policy, { t: new Date(0) }, now), TypeError, String(now));
  }
  for (const document of [null, undefined, 5, true, [], new Date(0), new Map(), new (class { t = new Date(0); })(), { t: new Date(NaN) }, { t: undefined }, { t: "\ud800" }, { t: new Map() }]) {
    assert.throws(() => policy.isExpired(document, 0), TypeError);
  }
  const named = Object.assign([new Date(0)], { name: 1 });
  assert.throws(() => policy.decide({ t: named }, 0), TypeError);
  const nested = ttl.compile({ target: { system: "mongodb" }, in: { indexes: [{ key: { "a.b.t": 1 }, name: "n", expireAfterSeconds: 10 }] } });
  const old = { t: new Date(0) };
  for (const a of [{ b: { ...old, _bsontype: "Long" } }, { b: new Map([["t", old.t]]) }, { b: new (class { t = old.t; })() }, { b: undefined }, undefined, { b: () => {} }, { b: "\ud800" }, { b: new Date(NaN) }, { b: { t: undefined } }]) {
    for (const ask of [nested.isExpired, nested.decide, (d, n) => { const error = nested.decideAll([d], n).error(0); if (error) throw error; }]) assert.throws(() => ask.call(nested, { a }, 20000), TypeError);
  }
  const nullRule = nested.decide('{"a":{"b":{"t":null}}}', 20000).rule; // by the module
  const bare = Object.assign(Object.create(null), old);
  for (const [a, rule] of [[{ b: old }, "mongo.date"], [{ b: bare }, "mongo.date"], [{ b: [old] }, "mongo.array-earliest"], [[{ b: old }], "mongo.array-earliest"], [{ b: { t: null } }, nullRule], [{ b: null }, nullRule], [{ b: 7n }, nullRule], [{}, "mongo.field-missing"]]) {
    assert.equal(nested.decide({ a }, 20000).rule, rule);
    assert.equal(nested.isExpired({ a }, 20000), !rule.startsWith("mongo.field"));
  }
  const items = ttl.compile({ target: { system: "cosmos-nosql" }, in: { container: { defaultTtl: 10 } } });
  assert.throws(() => items.decide({ _ts: 1, ttl: undefined }, 0), TypeError);
  assert.equal(items.decide({ _ts: 1, ttl: -0 }, 0).rule, "cosmos.item-unspecified");
  const equal = ttl.compile({ target: { system: "mongodb" }, in: { indexes: ["a", "b"].map((name) => ({ key: { [name]: 1 }, name, expireAfterSeconds: 0 })) } });
  assert.equal(equal.decide({ a: new Date(5), b: new Date(5) }, 5).source, "a");
  assert.equal(policy.isExpired({ constructor: 1, t: new Date(0) }, 10000), true);
  assert.equal(policy.isExpired(Object.assign(Object.create(null), { t: new Date(0) }), 10000), true);
  assert.equal(policy.isExpired({ t: new Date(0) }, 2n ** 62n), true);
  assert.equal(policy.decide({ t: new Date(-8.64e15) }, -(2n ** 62n)).deadline, -8639999999990000n);
  assert.equal(byIndex({ key: { toString: 1 }, expireAfterSeconds: 10 }).decide({}, 0).rule, "mongo.field-missing");
  policy.free();
  assert.throws(() => policy.isExpired({ t: new Date(0) }, 0), { code: "BAD_HANDLE" });
});

test("of a document only what is read is looked at", () => {
  const document = { _id: new (class ObjectId { _bsontype = "ObjectId"; })(), f() {}, t: new Date(1000), n: undefined };
  assert.equal(byIndex({ expireAfterSeconds: 10 }).decide(document, 11000).state, "expired");
  const filtered = byIndex({ expireAfterSeconds: 10, partialFilterExpression: { kind: "guest" } });
  assert.deepEqual(filtered.reads, ["kind", "t"]);
  assert.equal(filtered.decide({ ...document, kind: "guest" }, 11000).state, "expired");
  assert.throws(() => filtered.decide({ ...document, kind: undefined }, 0), /^TypeError: kind is undefined/);
  const items = ttl.compile({ target: { system: "cosmos-nosql" }, in: { container: { defaultTtl: 5 } } });
  assert.deepEqual(items.reads, ["_ts", "ttl"]);
  assert.equal(items.decide({ _ts: 1, now: new Date(0) }, 6000).state, "expired");
});

test("of a filter only what a scalar of JavaScript says is a short cut", () => {
  const by = (partialFilterExpression, document) => byIndex({ expireAfterSeconds: 10, partialFilterExpression }).decide({ t: new Date(1000), ...document }, 11000).rule;
  for (const document of [{ a: undefined }, { a: () => {} }, { a: "\ud800" }, { a: new Date(NaN) }, { a: new Map() }]) {
    for (const filter of [{ a: "b" }, { a: { $exists: true } }, { a: { $gt: 5 } }]) assert.throws(() => by(filter, document), TypeError);
  }
  assert.throws(() => by({ $or: [{ a: "b" }, { c: "d" }] }, { a: "b", c: undefined }), TypeError);
  for (const a of [[1], { b: 1 }, [{}], 7n]) {
    assert.equal(by({ a: { $exists: true } }, { a }), "mongo.date");
    assert.equal(by({ a: "b" }, { a }), "mongo.filter-mismatch");
  }
  assert.equal(by({ a: 1 }, { a: [2, 1] }), "mongo.date");
  assert.equal(by({ a: 7 }, { a: 7n }), "mongo.date");
  assert.equal(by({ a: "b" }, {}), "mongo.filter-mismatch");
  const policy = byIndex({ expireAfterSeconds: 10, partialFilterExpression: { a: "b" } });
  for (const now of [NaN, 1.5, null]) assert.throws(() => policy.decide({ t: new Date(0), a: "c" }, now), TypeError);
});

test("one bad document fails alone", () => {
  for (const [policy, good, bad] of [
    [byIndex({ expireAfterSeconds: 10 }), { t: new Date(1000) }, { t: undefined }],
    [byIndex({ expireAfterSeconds: 10, partialFilterExpression: { a: 1 } }), { t: new Date(1000), a: 1 }, { t: new Date(1000), a: () => {} }],
    [ttl.compile({ target: { system: "cosmos-nosql" }, in: { container: { defaultTtl: 10 } } }), { _ts: 1 }, { _ts: 1, ttl: NaN }],
  ]) {
    const all = policy.decideAll([good, bad, new Map(), good, bad], 11000);
    assert.deepEqual([...all].map((d) => d.state), ["expired", "never", "never", "expired", "never"]);
    assert.deepEqual(all.errors, [1, 2, 4]);
    for (const i of [1, 2, 4]) assert.ok(all.error(i) instanceof TypeError && all.rule(i) === "" && all.deadline(i) === null);
    assert.deepEqual([all.error(0), all.start(3), all.end(3)], [null, 3, 4]);
  }
  const mixed = byIndex({ expireAfterSeconds: 10 }).decideAll([bson({ t: new Date(1000) }), '{"t":', '{"t":{"$date":"1970-01-01T00:00:01Z"}}', Buffer.of(1, 2), { t: [new Date(1000)] }], 11000);
  assert.deepEqual([...mixed].map((d) => d.rule), ["mongo.date", "", "mongo.date", "mongo.malformed", "mongo.array-earliest"]);
  assert.deepEqual([mixed.errors, mixed.error(1).code], [[1], "BAD_DOCUMENT"]);
});

test("one bad line fails alone", () => {
  const good = '{"t":{"$date":"1970-01-01T00:00:01Z"}}', policy = byIndex({ expireAfterSeconds: 10 });
  const lines = [good, "{", " ", good, `{"x":"${"y".repeat(9000)}`, "", good, "}"];
  for (const end of ["", "\n"]) {
    const text = lines.join("\n") + end, all = policy.decideAll(text, 11000);
    assert.deepEqual([...all].map((d) => d.state), ["expired", "never", "expired", "never", "expired", "never"]);
    assert.deepEqual(all.errors, [1, 3, 5]);
    assert.deepEqual([0, 1, 2, 3, 4, 5].map((i) => text.slice(all.start(i), all.end(i)).trim()), lines.filter((l) => l.trim() !== ""));
  }
  assert.equal(policy.decideAll("{\n".repeat(5000), 0).errors.length, 5000);
});

test("without waiting", async () => {
  const expires = (other) => assert.equal(other.compile({ target: { system: "mongodb" }, in: { indexes: [{ key: { t: 1 }, expireAfterSeconds: 0 }] } }).isExpired({ t: new Date(0) }, 0), true);
  expires(loadSync());
  expires(loadSync(await compileModule()));
  expires(instantiateSync(readFileSync(new URL("../ttlpolicy.wasm", import.meta.url))));
  expires(createRequire(import.meta.url)("../node.js").loadSync());
  assert.throws(() => instantiateSync(new Uint8Array(8)), WebAssembly.CompileError);
});

// A field that a library has written to Object.prototype is in no document.
test("fields that plain objects inherit", () => {
  const past = new Date(0), now = 1_700_000_000_000;
  const questions = [
    [byIndex({ expireAfterSeconds: 0 }), "t", past, {}],
    [byIndex({ key: { "a.t": 1 }, expireAfterSeconds: 0 }), "t", past, { a: {} }],
    [byIndex({ key: { "a.t": 1 }, expireAfterSeconds: 0 }), "a", { t: past }, {}],
    [byIndex({ expireAfterSeconds: 0, partialFilterExpression: { a: 1 } }), "a", 1, { t: past }],
    [byIndex({ expireAfterSeconds: 0, partialFilterExpression: { "a.b": { $exists: true } } }), "b", 1, { t: past, a: {} }],
    [byIndex({ expireAfterSeconds: 0, partialFilterExpression: { "a.b": { $exists: true } } }), "a", { b: 1 }, { t: past }],
    [ttl.compileListed({ target: { system: "mongodb", version: "8.0.4" }, in: { indexes: [{ key: { t: 1 }, name: "t", expireAfterSeconds: 0 }, { key: { u: 1 }, name: "u", expireAfterSeconds: 0 }] } }), "u", past, {}],
    [ttl.compile({ target: { system: "cosmos-nosql" }, in: { container: { defaultTtl: -1 } } }), "ttl", 1, { id: "a", _ts: 1 }],
    [ttl.compile({ target: { system: "cosmos-nosql" }, in: { container: { defaultTtl: 1 } } }), "_ts", 1, { id: "a" }],
  ];
  for (const [policy, name, value, document] of questions) {
    const want = policy.decide(document, now);
    assert.notEqual(want.state, "expired", `${name} of ${JSON.stringify(document)}`);
    for (const inherited of [{ value }, { get: () => value }, { get() { return this === Object.prototype ? undefined : value; } }]) {
      Object.defineProperty(Object.prototype, name, { configurable: true, ...inherited });
      try {
        assert.deepEqual([policy.decide(document, now), policy.isExpired(document, now), policy.decideAll([document], now).state(0)], [want, false, want.state], `${name} of ${JSON.stringify(document)}`);
      } finally {
        delete Object.prototype[name];
      }
    }
  }
});
