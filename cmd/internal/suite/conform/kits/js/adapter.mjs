// An adapter that puts an implementation of TTL to the conformance suite:
//
//     ttl conform run -- node adapter.mjs
//
// It reads a question a line and writes an answer a line, both JSON. Replace
// decide with a call of your library, and claim in HELLO what it does: what you
// claim is judged, what you do not claim is not asked. Whatever else you print
// belongs on standard error.

import { createInterface } from "node:readline";

const HELLO = {
  protocol: 1,
  name: "my-library",
  version: "0.1.0",
  language: "javascript",
  ops: ["self.echo", "mongodb.decide"],
  systems: { mongodb: ">=8.0.0" },
  profiles: [], // such as "mongodb-core"
  features: ["deadline"], // without it, only expired or not is compared
};

// decide returns the deadline in milliseconds since 1970, null for never. A
// BigInt, because the dates of BSON have 64 bits.
function decide(indexes, document, now) {
  if (indexes.length === 0) return null;
  const index = indexes[0];
  const date = millis(document[Object.keys(index.key)[0]]);
  if (date === null || index.expireAfterSeconds === undefined) return null;
  return date + 1000n * BigInt(Math.trunc(number(index.expireAfterSeconds)));
}

// millis returns the milliseconds of a date of canonical Extended JSON.
function millis(value) {
  const long = value?.$date?.$numberLong;
  return long === undefined ? null : BigInt(long);
}

// number returns a number of Extended JSON, or a plain one.
function number(value) {
  return typeof value === "object" ? Number(Object.values(value)[0]) : value;
}

function answer(op, given) {
  if (op !== "mongodb.decide") return { skip: `this adapter does not answer ${op}` };
  const now = millis(given.now);
  const deadline = decide(given.indexes, given.document, now);
  if (deadline === null) return { out: { state: "never", deadline: null } };
  const state = deadline <= now ? "expired" : "pending";
  return { out: { state, deadline: { $date: { $numberLong: String(deadline) } } } };
}

function reply(request) {
  if (request.cmd === "hello") return HELLO;
  if (request.cmd !== "run") return { seq: request.seq ?? null, fault: "unknown cmd" };
  try {
    return { seq: request.seq, ...answer(request.op, request.in) };
  } catch (error) {
    return { seq: request.seq, fault: String(error.stack) };
  }
}

// echo returns the text of the input as it came: an object of JavaScript would
// move names that are whole numbers to the front.
function echo(line, seq) {
  return `{"seq":${seq},"out":${line.slice(line.indexOf('"in":') + 5, line.lastIndexOf("}"))}}`;
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  if (request.cmd === "bye") break;
  const text = request.op === "self.echo" ? echo(line, request.seq) : JSON.stringify(reply(request));
  process.stdout.write(text + "\n");
}
