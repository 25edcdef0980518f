// Collections and containers: their definition and their policy change together.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fromExtendedJSON, loadSync, Refusal } from "../node.js";

const ttl = loadSync();
const long = { createdAt: new Date("2026-01-01"), kind: "guest" };
const now = new Date("2026-01-01T00:01:00Z");

test("each command takes effect on the next decision, and a refusal on none", () => {
  const logs = ttl.collection({ version: "7.0.26" });
  assert.equal(logs.isExpired(long, now), false);
  assert.deepEqual(logs.createIndex({ createdAt: 1 }, { expireAfterSeconds: 60 }), { numIndexesBefore: 1, numIndexesAfter: 2 });
  assert.equal(logs.isExpired(long, now), true);
  const before = [logs.definition, logs.fingerprint];
  for (const [refused, code] of [[() => logs.createIndex({ a: 1, b: 1 }, { expireAfterSeconds: 5 }), 67], [() => logs.dropIndexes("x"), 27], [() => logs.collMod({ index: { name: "x", expireAfterSeconds: 5 } }), 27]]) {
    assert.throws(refused, (error) => error instanceof Refusal && error.code === code && error.codeName !== undefined);
  }
  assert.throws(() => logs.collMod({ index: undefined }), TypeError);
  assert.deepEqual([logs.definition, logs.fingerprint], before);
  assert.deepEqual(logs.collMod({ index: { name: "createdAt_1", expireAfterSeconds: 4294967296 } }), { expireAfterSeconds_old: 60, expireAfterSeconds_new: 2147483647 });
  assert.equal(logs.isExpired(long, now), false);
  const again = ttl.collection(logs.target, logs.definition);
  assert.equal(again.fingerprint, logs.fingerprint);
  assert.deepEqual(logs.dropIndexes("createdAt_1"), { nIndexesWas: 2 });
  assert.equal(logs.decide(long, now).rule, "mongo.no-ttl");
  assert.notEqual(again.fingerprint, logs.fingerprint);
  logs.free();
});

test("create makes what carries the time to live itself, with the refusals of the server", () => {
  const series = ttl.collection({ version: "7.0.26" });
  const at = new Date("2026-11-20");
  for (const [options, code] of [[{ expireAfterSeconds: 5 }, 72], [{ timeseries: { timeField: "t" }, expireAfterSeconds: -1 }, 72], [{ clusteredIndex: { key: { _id: 1 } }, expireAfterSeconds: 5 }, 40414]]) {
    assert.throws(() => series.create(options, at), (error) => error instanceof Refusal && error.code === code, JSON.stringify(options));
  }
  assert.equal(series.decide({ _id: 1 }, at).rule, "mongo.no-ttl");
  assert.deepEqual(series.create({ timeseries: { timeField: "t" }, expireAfterSeconds: 60n }, at), {});
  assert.throws(() => series.create({}, at), (error) => error.code === 48);
  assert.deepEqual(series.create({ timeseries: { timeField: "t" }, expireAfterSeconds: 60 }, at), {}); // since 7.0
  const again = ttl.collection(series.target, series.definition);
  assert.equal(again.fingerprint, series.fingerprint);
  assert.throws(() => again.create({}, at), (error) => error.code === 48);
  const clustered = ttl.collection({ version: "6.0.26" });
  clustered.create({ clusteredIndex: { key: { _id: 1 }, unique: true }, expireAfterSeconds: 60 }, at);
  assert.deepEqual([59_999, 60_000].map((ms) => clustered.isExpired({ _id: new Date(0) }, ms)), [false, true]);
  assert.throws(() => clustered.create({}, at), (error) => error.code === 48);
  const plain = ttl.collection({ version: "6.0.26" });
  plain.createIndex({ t: 1 }, { expireAfterSeconds: 60 });
  assert.throws(() => plain.create({}, at), (error) => error.code === 48);
});

test("a filter with a Date and 64 bits survives a restart", () => {
  const logs = ttl.collection({ version: "8.0.4" });
  logs.createIndexes([{ key: { createdAt: 1 }, expireAfterSeconds: 0, partialFilterExpression: { n: { $gt: 2n ** 60n }, at: { $lt: new Date(5) } } }]);
  const again = ttl.collection(logs.target, logs.definition);
  assert.equal(again.fingerprint, logs.fingerprint);
  for (const store of [logs, again]) {
    assert.equal(store.isExpired({ createdAt: new Date(0), n: 2n ** 61n, at: new Date(4) }, now), true);
    assert.equal(store.isExpired({ createdAt: new Date(0), n: 2n ** 59n, at: new Date(4) }, now), false);
  }
});

test("a container hides, refuses and stamps as the service does", () => {
  const carts = ttl.container({ id: "carts", defaultTtl: 60 });
  const item = carts.write({ id: "1", _ts: 1 }, 5000);
  assert.deepEqual(item, { id: "1", _ts: 5 });
  assert.deepEqual([carts.isExpired(item, 64_999), carts.isExpired(item, 65_000)], [false, true]);
  assert.throws(() => carts.write({ id: "1", ttl: 0 }), (error) => error instanceof Refusal && error.status === 400);
  assert.throws(() => carts.replace({ defaultTtl: 0 }), (error) => error.status === 400);
  assert.throws(() => ttl.container({ defaultTtl: 0 }), Refusal);
  assert.deepEqual(carts.settings, { defaultTtl: 60 });
  assert.deepEqual(carts.replace({ id: "carts" }), { warnings: [] });
  assert.equal(carts.isExpired(item, 65_000), false);
  assert.equal(ttl.container(carts.definition).fingerprint, carts.fingerprint);
});

test("what never expires is counted by rule", () => {
  const logs = ttl.collection();
  logs.createIndex({ createdAt: 1 }, { expireAfterSeconds: 60 });
  const stored = JSON.parse(JSON.stringify([long, {}, long])); // a store that keeps Dates as text
  assert.deepEqual(logs.neverExpire(stored, now), [{ rule: "mongo.field-not-date", count: 2, first: 0 }, { rule: "mongo.field-missing", count: 1, first: 1 }]);
  assert.deepEqual(logs.neverExpire([long], now), []);
});

test("answers fit definitions, and come back as values", () => {
  const target = { system: "mongodb", version: "8.0.4" };
  const { out } = ttl.ask({ op: "mongodb.createIndexes", target, in: { index: { key: { a: 1 }, name: "a_1", expireAfterSeconds: 60 }, existing: [] } });
  const index = { key: { a: 1 }, name: "a_1", expireAfterSeconds: out.expireAfterSeconds };
  for (const of of [index, { ...index, expireAfterSeconds: fromExtendedJSON(out).expireAfterSeconds }]) {
    assert.equal(ttl.compile({ target, in: { indexes: [of] } }).decide({ a: new Date(0) }, 60_000).state, "expired");
  }
  const date = new Date(5);
  assert.deepEqual(fromExtendedJSON(JSON.parse('{"a":[{"$numberLong":"9007199254740993"},{"$numberLong":"5"},{"$numberDouble":"NaN"}],"d":{"$date":{"$numberLong":"5"}},"o":{"$oid":"x"}}')), { a: [9007199254740993n, 5, NaN], d: date, o: { $oid: "x" } });
  assert.throws(() => ttl.compile({ target, in: { indexes: [{ ...index, expireAfterSeconds: { $numberInt: "x" } }] } }), /expireAfterSeconds/);
  assert.throws(() => ttl.ask({ op: "mongodb.decide", target, in: { now: 0, indexes: [index], document: { a: { $date: 5 } } } }), /\$date/); // a document is what it is
});
