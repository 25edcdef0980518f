// Puts the WebAssembly module to the conformance suite, through this package:
//
//	ttl conform run -- node cmd/ttlwasm/npm/test/adapter-wasm.mjs
//
// What is to be decided goes through compile and decide, as users go; everything else
// is asked.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { memberText } from "../../../../conformance/adapters/node/extjson.mjs";
import { load, TTLError } from "../node.js";

const suite = JSON.parse(readFileSync(new URL("../../../../testdata/suite.json", import.meta.url)));
const ttl = await load();

const hello = {
  protocol: 1, name: "ttlpolicy-wasm", version: "0.1.0", language: "javascript",
  ops: ["self.echo", "mongodb.decide", "mongodb.createIndexes", "mongodb.collMod", "mongodb.create",
    "cosmos.decide", "cosmos.validateContainer", "cosmos.validateItem", "cosmosmongo.decide", "cosmosmongo.createIndexes"],
  systems: { mongodb: ">=2.2.0", "cosmos-nosql": "*", "cosmos-mongo": "*" },
  profiles: suite.profiles.map(({ name }) => name),
  features: [...Object.keys(suite.features), "deadline", "rule", "index", "error.code", "error.status", "types"],
  maxInFlight: 1,
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
    const out = { state: d.state, deadline: d.deadline === null ? null : { $date: { $numberLong: String(d.deadline) } }, rule: d.rule };
    return d.source === "" ? out : { ...out, index: d.source };
  } finally {
    policy.free();
  }
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  if (line.trim() === "") continue;
  const request = JSON.parse(line);
  if (request.cmd === "bye") break;
  const reply = request.cmd === "hello" ? JSON.stringify(hello) : answer(line, request).replace("{", `{"seq":${JSON.stringify(request.seq)},`);
  process.stdout.write(reply + "\n");
}
