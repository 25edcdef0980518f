// Puts the WebAssembly module to the conformance suite, through this package:
//
//	ttl conform run -- node docs/site/ttlwasm/npm/test/adapter-wasm.mjs
//
// What is to be decided goes through compile and decide, as users go, as a text and, where
// JavaScript can hold it, as an object; everything else is asked.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { decode, memberText } from "../../../../../conformance/lab/adapters/node/extjson.mjs";
import { Skip } from "../../../../../conformance/lab/adapters/node/serve.mjs";
import { load, toExtendedJSON, TTLError } from "../node.js";

const suite = JSON.parse(readFileSync(new URL("../../../../../testdata/suite.json", import.meta.url)));
const ttl = await load();

const hello = {
  protocol: 1, name: "ttlpolicy-wasm", version: "0.1.0", language: "javascript",
  ops: ["self.echo", "mongodb.decide", "mongodb.createIndexes", "mongodb.collMod", "mongodb.create",
    "mongodb.history", "cosmos.decide", "cosmos.history", "cosmos.validateContainer", "cosmos.validateItem", "cosmosmongo.decide", "cosmosmongo.createIndexes",
    "documentdb.decide", "documentdb.createIndexes", "documentdb.collMod", "documentdb.create"],
  systems: { mongodb: ">=2.2.0", "cosmos-nosql": "*", "cosmos-mongo": "*", documentdb: "*" },
  profiles: suite.profiles.map(({ name }) => name),
  features: [...Object.keys(suite.features), "deadline", "rule", "index", "error.code", "error.status", "types"],
};

function answer(line, request) {
  const decided = request.op.endsWith(".decide") ? decide(line, request) : null;
  const asked = ttl.ask(line);
  if (decided === null) return asked;
  const { out } = JSON.parse(asked);
  for (const name of ["state", "rule", "index"]) {
    if ((out[name] ?? "") !== (decided[name] ?? "")) throw new Error(`asked, ${name} is ${out[name]}; decided, it is ${decided[name]}`);
  }
  return JSON.stringify({ out: decided });
}

// decide answers through a compiled policy, null where there is none: then asking tells why.
function decide(line, { op, in: { now, _ts: ts } }) {
  let policy;
  try {
    policy = ttl.compileListed(line);
  } catch (trouble) {
    if (trouble instanceof TTLError && trouble.code === "BAD_TEXT") return null;
    throw trouble;
  }
  try {
    const document = memberText(memberText(line, "in"), op === "cosmos.decide" ? "item" : "document");
    const at = BigInt(now.$date.$numberLong);
    const d = ts === undefined ? policy.decide(document, at) : policy.decideAt(document, Number(ts.$numberLong ?? ts.$numberInt ?? ts), at);
    const object = op === "cosmos.decide" || ts !== undefined ? null : objectOf(document);
    if (object !== null) {
      const [all, one] = [policy.decideAll([object], at), policy.decide(object, at)];
      for (const other of [one, all.error(0) ?? all.at(0)]) {
        for (const name of Object.keys(d)) if (other[name] !== d[name]) throw new Error(`as a text, ${name} is ${d[name]}; as an object, it is ${other[name] ?? other}`);
      }
      if (policy.isExpired(object, at) !== (d.state === "expired")) throw new Error("isExpired answers otherwise");
      if (Number.isSafeInteger(Number(at)) && policy.isExpired(object, Number(at)) !== (d.state === "expired")) throw new Error("isExpired answers otherwise");
    }
    const out = { state: d.state, deadline: d.deadline === null ? null : { $date: { $numberLong: String(d.deadline) } }, rule: d.rule };
    return d.source === "" ? out : { ...out, index: d.source };
  } finally {
    policy.free();
  }
}

// objectOf returns a document as JavaScript has it, null where it has not: a repeated name, a
// whole number that is a double, an object that is written as a value.
function objectOf(text) {
  try {
    const parsed = JSON.parse(text);
    if (JSON.stringify(parsed) !== text) return null;
    const object = decode(parsed);
    return plain(toExtendedJSON(object)) === plain(text) ? object : null;
  } catch (trouble) {
    if (trouble instanceof Skip || trouble instanceof TypeError) return null;
    throw trouble;
  }
}

// plain writes an int32 in one way.
const plain = (text) => JSON.stringify(JSON.parse(text), (_, v) => (v?.$numberInt !== undefined ? Number(v.$numberInt) : v));

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  if (line.trim() === "") continue;
  const request = JSON.parse(line);
  if (request.cmd === "bye") break;
  const reply = request.cmd === "hello" ? JSON.stringify(hello) : answer(line, request).replace("{", `{"seq":${JSON.stringify(request.seq)},`);
  process.stdout.write(reply + "\n");
}
