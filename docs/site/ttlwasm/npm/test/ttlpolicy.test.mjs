import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { compileModule, extendedJSON, instantiate, load, toExtendedJSON, TTLError } from "../node.js";
import { bson } from "./bson.mjs";

const ttl = await load();
const mongodb = (indexes, version = "8.0.4") => ttl.compile({ target: { system: "mongodb", version }, in: { indexes } });
const byT = () => mongodb([{ key: { t: 1 }, name: "t_1", expireAfterSeconds: 10 }]);
const container = (settings) => ttl.compile({ target: { system: "cosmos-nosql" }, in: { container: settings } });
const refuses = (call, code, message = /./) => assert.throws(call, (e) => e instanceof TTLError && e.code === code && message.test(e.message));

test("one document, in every form", () => {
  const policy = byT();
  const want = { state: "expired", deadline: 11000n, rule: "mongo.date", source: "t_1" };
  for (const document of [bson({ t: new Date(1000) }), { t: new Date(1000) }, '{"t":{"$date":"1970-01-01T00:00:01Z"}}', { t: [new Date(1000), new Date(5000)] }]) {
    const d = policy.decide(document, 11000);
    assert.deepEqual({ ...d, rule: d.rule.replace("array-earliest", "date") }, want);
  }
  for (const now of [10999, 10999n, new Date(10999)]) assert.equal(policy.decide({ t: new Date(1000) }, now).state, "pending");
  assert.deepEqual(policy.decide({ t: 1000 }, 0), { state: "never", deadline: null, rule: "mongo.field-not-date", source: "" });
});

test("deadlines are exact beyond the dates of JavaScript", () => {
  assert.equal(byT().decide('{"t":{"$date":{"$numberLong":"9007199254740993"}}}', 0).deadline, 9007199254750993n);
});

test("items", () => {
  const policy = container({ defaultTtl: 60 });
  for (const item of [{ _ts: 1, id: "ä" }, '{"_ts":1}', Buffer.from('{"_ts":1}')]) assert.equal(policy.decide(item, 61000).state, "expired");
  assert.deepEqual(policy.decide("{", 0), { state: "never", deadline: null, rule: "cosmos.malformed", source: "" });
});

test("the API for MongoDB", () => {
  const policy = ttl.compile({ target: { system: "cosmos-mongo" }, in: { indexes: [{ key: { _ts: 1 }, name: "_ts_1", expireAfterSeconds: 10 }] } });
  assert.deepEqual(policy.decideAt({ a: 1 }, 1, 11000), { state: "expired", deadline: 11000n, rule: "cosmos.default", source: "_ts_1" });
  assert.equal(policy.decideAt(bson({ ttl: -1 }), 1n, 11000).rule, "cosmos.item-never");
  refuses(() => byT().decideAt({}, 1, 0), "BAD_FORMAT");
});

test("many documents", () => {
  const documents = [bson({ t: new Date(1000) }), bson({}), bson({ t: new Date(2000), text: "x".repeat(5000) })];
  const decisions = byT().decideAll(Buffer.concat(documents), 11000);
  assert.deepEqual([...decisions].map((d) => d.state), ["expired", "never", "pending"]);
  assert.deepEqual([0, 1, 2].map((i) => decisions.end(i) - decisions.start(i)), documents.map((d) => d.length));
  assert.deepEqual([...container({ defaultTtl: 10 }).decideAll('{"_ts":1}\n\n{"_ts":1,"ttl":20}', 11000)].map((d) => d.state), ["expired", "pending"]);
  assert.deepEqual([...byT().decideAll('{}\n{"t":{"$date":"1970-01-01T00:00:01Z"}}\n', 11000)].map((d) => d.state), ["never", "expired"]);
  assert.equal(byT().decideAll(new Uint8Array(0), 0).length, 0);
  refuses(() => byT().decideAll(documents[0].subarray(0, 12), 0), "BAD_DOCUMENT", /byte 0 is not whole/);
  refuses(() => byT().decideAll(Buffer.concat([documents[0], Buffer.of(4, 0, 0, 0, 0)]), 0), "BAD_DOCUMENT", /the length 4/);
});

test("more than one call takes, and memory that grows between", () => {
  const long = bson({ t: new Date(1000), text: "x".repeat(9 << 20) }), short = bson({ t: new Date(5000) });
  const all = Buffer.concat([...Array(20000).fill(short), long, short, long]);
  const decisions = byT().decideAll(all, 11000);
  assert.equal(decisions.length, 20003);
  assert.deepEqual([0, 20000, 20001, 20002].map((i) => decisions.deadline(i)), [15000n, 11000n, 15000n, 11000n]);
  assert.equal(decisions.end(20002), all.length);
});

test("a stream in pieces of any size", async () => {
  const documents = Array.from({ length: 50 }, (_, i) => bson({ n: i, t: new Date(i * 1000) }));
  const all = Buffer.concat(documents);
  for (const size of [1, 7, 100, all.length]) {
    const pieces = [];
    for (let at = 0; at < all.length; at += size) pieces.push(all.subarray(at, at + size));
    const seen = [];
    for await (const { bytes, decisions, offset } of byT().decideStream(pieces, 35000)) {
      for (let i = 0; i < decisions.length; i++) {
        assert.deepEqual(Buffer.from(bytes.subarray(decisions.start(i), decisions.end(i))), documents[seen.length]);
        assert.equal(offset + decisions.start(i), documents.slice(0, seen.length).reduce((n, d) => n + d.length, 0));
        seen.push(decisions.state(i));
      }
    }
    assert.deepEqual([seen.length, seen.filter((s) => s === "expired").length], [50, 26], `in pieces of ${size}`);
  }
  const items = [];
  for await (const { decisions } of container({ defaultTtl: 1 }).decideStream([Buffer.from('{"_ts":1}\n{"_t'), Buffer.from('s":2}')], 2000)) items.push(...decisions);
  assert.deepEqual(items.map((d) => d.state), ["expired", "pending"]);
  await assert.rejects(async () => { for await (const _ of byT().decideStream([all.subarray(0, 30)], 0)); }, /not whole/);
});

test("why, and what a server refuses", () => {
  const why = byT().explain({ t: new Date(1000) }, 11000);
  assert.deepEqual([why.state, why.deadline.ms, why.ladder.at(-1).id, why.policy], ["expired", 11000, "mongo.date", "MongoDB 8.0.4, t_1 (10 s after t)"]);
  assert.equal(container({ defaultTtl: 5 }).explain({ _ts: 1 }, 0).rule, "cosmos.default");
  assert.equal(ttl.ask({ op: "mongodb.collMod", target: { system: "mongodb", version: "8.0.4" }, in: { command: { expireAfterSeconds: 5 } } }).error.code, 72);
  assert.equal(ttl.ask('{"op":"self.echo","in":{"value":{"$numberLong":"9007199254740993"}}}'), '{"out":{"value":{"$numberLong":"9007199254740993"}}}');
});

test("what cannot be read is refused, and the next call works", () => {
  refuses(() => ttl.compile({ target: { system: "mongodb" }, in: {} }), "BAD_TEXT", /in\.indexes: missing/);
  refuses(() => byT().decide('{"t":', 0), "BAD_DOCUMENT");
  assert.throws(() => byT().decide({}, 1.5), TypeError);
  assert.throws(() => byT().decide({}, new Date(NaN)), TypeError);
  assert.throws(() => byT().decide({ t: { _bsontype: "ObjectId" } }, 0), /EJSON\.stringify/);
  const policy = byT();
  policy.free();
  policy.free(); // a second time does nothing
  refuses(() => policy.decide({}, 0), "BAD_HANDLE");
  assert.equal(byT().decide({ t: new Date(1000) }, 11000).state, "expired");
});

test("values of JavaScript as drivers store them", () => {
  for (const [value, want] of [
    [{ a: 1, b: -0, c: 2 ** 31, d: 1.5, e: NaN, f: 5n, h: null, i: [null, true] },
      '{"a":1,"b":{"$numberDouble":"-0.0"},"c":{"$numberDouble":"2147483648"},"d":{"$numberDouble":"1.5"},"e":{"$numberDouble":"NaN"},"f":{"$numberLong":"5"},"h":null,"i":[null,true]}'],
    [{ d: new Date(-1), r: /x"/i }, '{"d":{"$date":{"$numberLong":"-1"}},"r":{"$regularExpression":{"pattern":"x\\"","options":"i"}}}'],
  ]) assert.equal(toExtendedJSON(value), want);
  assert.throws(() => toExtendedJSON({ f() {} }), TypeError);
});

// What has no one meaning, and where it stands.
const sparse = [1, , 3];
const around = {};
around.self = around;
const meaningless = [
  ["undefined", undefined, /is undefined/], ["a function", () => {}, /is a function/], ["a symbol", Symbol("s"), /is a symbol/],
  ["a Map", new Map([["a", 1]]), /is a Map/], ["a Set", new Set(), /is a Set/], ["a class", new (class Point { x = 1; })(), /is a Point/],
  ["a number in a box", new Number(5), /is a Number/], ["an invalid date", new Date(NaN), /is an invalid Date/], ["bytes", new Uint8Array(3), /is a Uint8Array/],
  ["a promise", Promise.resolve(1), /is a Promise/], ["half a pair", "\ud800", /half a surrogate pair/], ["a long integer", 2n ** 63n, /64 bits/],
  ["a driver's value", { _bsontype: "ObjectId" }, /EJSON\.stringify/], ["a circle", around, /within itself/], ["a symbol for a name", { [Symbol("s")]: 1 }, /symbol among its names/],
];

test("what has no one meaning is refused, wherever it stands", () => {
  const items = container({ defaultTtl: 5 });
  const target = { system: "mongodb", version: "8.0.4" }, index = { key: { t: 1 }, expireAfterSeconds: 10 };
  const places = {
    "t.b[1].c": (v) => byT().decide({ t: { b: [0, { c: v }] } }, 0),
    "a.b[1].c": (v) => byT().explain({ t: new Date(0), a: { b: [0, { c: v }] } }, 0),
    "in.indexes[0].partialFilterExpression.kind": (v) => ttl.compile({ target, in: { indexes: [{ ...index, partialFilterExpression: { kind: v } }] } }),
    "in.indexes[0].expireAfterSeconds": (v) => ttl.compileListed({ target, in: { indexes: [{ ...index, expireAfterSeconds: v }] } }),
    "in.collection.timeseries": (v) => ttl.compile({ target, in: { indexes: [], collection: { timeseries: v } } }),
    "target.version": (v) => ttl.compile({ target: { system: "mongodb", version: v }, in: { indexes: [index] } }),
    "in.container.defaultTtl": (v) => ttl.compile({ target: { system: "cosmos-nosql" }, in: { container: { defaultTtl: v } } }),
    "in.existing[0].key": (v) => ttl.ask({ op: "mongodb.createIndexes", target, in: { index, existing: [{ key: v }] } }),
    "ttl": (v) => items.decide({ _ts: 1, ttl: v }, 0),
    "a[0]": (v) => toExtendedJSON({ a: [v] }),
    "b[0]": (v) => extendedJSON({ b: [v] }),
  };
  for (const [path, put] of Object.entries(places)) {
    for (const [what, value, message] of meaningless) {
      assert.throws(() => put(value), (e) => e instanceof TypeError && e.message.startsWith(path) && message.test(e.message), `${what} at ${path}`);
    }
  }
  assert.throws(() => byT().decide({ t: sparse }, 0), /^TypeError: t\[1\] is undefined/);
  for (const document of [null, 5, undefined, true, [], new Map(), new Date(0)]) assert.throws(() => byT().decide(document, 0), TypeError);
  for (const policy of [null, 5, undefined, [], new Map()]) assert.throws(() => ttl.compile(policy), TypeError);
  assert.throws(() => byT().decide({ t: { "a\0b": 1 } }, 0), /zero character/);
});

test("NaN where it has a meaning, and where it has none", () => {
  assert.equal(mongodb([{ key: { t: 1 }, expireAfterSeconds: NaN }], "5.0.9").decide({ t: new Date(0) }, 0).state, "expired");
  assert.equal(byT().decide({ t: NaN }, 0).rule, "mongo.field-not-date");
  for (const n of [NaN, Infinity, -Infinity]) {
    assert.throws(() => container({ defaultTtl: n }), new RegExp(`in\\.container\\.defaultTtl is ${n}, which JSON cannot hold`));
    assert.throws(() => container({ defaultTtl: 5 }).decide({ _ts: 1, ttl: n }, 0), /ttl is -?(NaN|Infinity), which an item cannot hold/);
  }
  for (const call of [() => container({ defaultTtl: new Date(0) }), () => container({ defaultTtl: 5 }).decide({ _ts: new Date(0) }, 0), () => container({ defaultTtl: 5 }).decide({ _ts: /x/ }, 0)]) assert.throws(call, TypeError);
});

test("a plain object is the document that it is", () => {
  const wrapped = { t: { $date: "1970-01-01T00:00:01Z" } };
  assert.equal(byT().decide(wrapped, 11000).rule, "mongo.field-not-date");
  assert.equal(byT().explain(wrapped, 11000).rule, "mongo.field-not-date");
  assert.equal(byT().decide(extendedJSON(wrapped), 11000).state, "expired");
  assert.equal(byT().decide(JSON.stringify(wrapped), 11000).state, "expired");
  const filter = (v) => ({ target: { system: "mongodb", version: "8.0.4" }, in: { indexes: [{ key: { t: 1 }, name: "t_1", expireAfterSeconds: 10, partialFilterExpression: { since: { $lt: v } } }] } });
  assert.equal(ttl.compile(filter(new Date(5))).decide({ t: new Date(1000), since: new Date(4) }, 11000).state, "expired");
  assert.equal(ttl.compile(filter(new Date(5))).decide({ t: new Date(1000), since: "x" }, 11000).state, "never");
  // A definition is no document: answers hold Extended JSON, which is read there.
  assert.equal(ttl.compile(filter({ $date: "1970-01-01T00:00:00.005Z" })).decide({ t: new Date(1000), since: new Date(4) }, 11000).state, "expired");
  assert.equal(ttl.compile(extendedJSON(filter({ $date: "1970-01-01T00:00:00.005Z" }))).decide({ t: new Date(1000), since: new Date(4) }, 11000).state, "expired");
  const other = Object.create(null);
  other.t = new Date(1000);
  assert.equal(byT().decide(other, 11000).state, "expired");
});

test("objects are stored as drivers store them", () => {
  const policy = mongodb([{ key: { t: 1 }, name: "t_1", expireAfterSeconds: 10, partialFilterExpression: { n: { $type: "int" } } }]);
  const state = (n) => policy.decide({ t: new Date(1000), n }, 11000).state;
  assert.deepEqual([1, -0, 2 ** 31, 1.5, 5n, null, "x", true, [1], { a: 1 }, /x/i].map(state),
    ["expired", "never", "never", "never", "never", "never", "never", "never", "expired", "never", "never"]);
  const all = { a: 1, b: "ä€😀", c: [new Date(5), { d: null }], e: /x"/im, f: 2 ** 40, g: false, h: 7n, "": { "": [] }, long: "x".repeat(5000) };
  assert.equal(mongodb([{ key: { "c": 1 }, expireAfterSeconds: 0 }]).decide(all, 5).state, "expired");
  assert.equal(mongodb([{ key: { t: 1 }, expireAfterSeconds: 0 }]).decide({ ...all, t: new Date(9) }, 9).state, "expired");
});

test("a policy is read as it was written, or as it is listed", () => {
  const misspelt = { target: { system: "mongodb", version: "2.6.0" }, in: { indexes: [{ key: { t: 1 }, expireAfterSeconds: 10, partialFilterExpresion: { kind: 1 } }] } };
  for (const policy of [misspelt, JSON.stringify(misspelt)]) refuses(() => ttl.compile(policy), "BAD_TEXT", /did you mean "partialFilterExpression"/);
  assert.equal(ttl.compileListed(misspelt).decide({ t: new Date(1000) }, 60000).state, "expired");
  for (const [policy, near] of [
    [{ target: { system: "mongodb", verison: "2.6.0" }, in: { indexes: [] } }, /target\.verison.*did you mean "version"/],
    [{ target: { system: "mongodb" }, in: { indexes: [], colection: {} } }, /in\.colection.*did you mean "collection"/],
    [{ target: { system: "cosmos-nosql" }, in: { container: { defaultTTL: 5 } } }, /did you mean "defaultTtl"/],
    [{ target: { system: "cosmos-mongo" }, in: { indexes: [{ key: { _ts: 1 }, expireAfterSecond: 5 }] } }, /did you mean "expireAfterSeconds"/],
  ]) refuses(() => ttl.compile(policy), "BAD_TEXT", near);
  assert.equal(ttl.compileListed({ target: { system: "cosmos-nosql" }, in: { container: { defaultTTL: 5 } } }).decide({ _ts: 1 }, 11000).state, "never");
});

test("workers share a compiled module", async () => {
  const module = await compileModule();
  const code = `import { load } from ${JSON.stringify(new URL("../node.js", import.meta.url).href)};
    import { parentPort, workerData } from "node:worker_threads";
    const ttl = await load(workerData);
    parentPort.postMessage(ttl.compile({ target: { system: "mongodb" }, in: { indexes: [{ key: { t: 1 }, expireAfterSeconds: 0 }] } }).decide({ t: new Date(0) }, 0).state);`;
  const states = await Promise.all([1, 2].map(() => new Promise((resolve, reject) => {
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), { workerData: module });
    worker.on("message", resolve).on("error", reject);
  })));
  assert.deepEqual(states, ["expired", "expired"]);
});

test("bytes of the module, and another version of its interface", async () => {
  const file = readFileSync(new URL("../ttlpolicy.wasm", import.meta.url));
  assert.equal((await instantiate(file)).info.abi, 1);
  await assert.rejects(instantiate(new Uint8Array(8)), WebAssembly.CompileError);
});

// The memory of an instance does not grow with the number of decisions, policies and
// explanations. DECISIONS is how many there are; 10,000,000 by hand.
test("memory is flat", async () => {
  const memories = [];
  const module = await compileModule();
  const { instantiate: start } = WebAssembly;
  WebAssembly.instantiate = async (...args) => {
    const instance = await start(...args);
    memories.push(instance.exports.memory);
    return instance;
  };
  const other = await load(module);
  WebAssembly.instantiate = start;
  const total = Number(process.env.DECISIONS ?? 400_000);
  const batch = Buffer.concat(Array.from({ length: 1000 }, (_, i) => bson({ n: i, t: new Date(i * 1000), text: "x".repeat(150) })));
  const round = () => {
    const policy = other.compile({ target: { system: "mongodb", version: "8.0.4" }, in: { indexes: [{ key: { t: 1 }, expireAfterSeconds: 10 }] } });
    for (let i = 0; i < 8; i++) assert.equal(policy.decideAll(batch, 500_000).length, 1000);
    for (let i = 0; i < 1000; i++) policy.decide('{"t":{"$date":"1970-01-01T00:00:01Z"}}', 11000);
    for (let i = 0; i < 1000; i++) policy.decide(batch.subarray(0, 16), 11000);
    policy.explain({ t: new Date(1000) }, 11000);
    policy.free();
  };
  const rounds = Math.ceil(total / 10_000);
  const sizes = [];
  for (let i = 1; i <= rounds; i++) {
    round();
    if (i % Math.ceil(rounds / 4) === 0) sizes.push(memories[0].buffer.byteLength);
  }
  console.log(`# ${rounds * 10_000} decisions: ${sizes} bytes after each quarter`);
  assert.ok(sizes.at(-1) < 24 << 20 && sizes.at(-1) - sizes[0] <= 4 << 20, "memory grows by no more than the garbage between two collections");
});
