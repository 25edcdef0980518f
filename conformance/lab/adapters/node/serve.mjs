// The adapter's side of the protocol (docs/adapter.md), for what is written in
// JavaScript. An adapter says what it claims and brings a function for each
// operation:
//
//	serve(hello, { "mongodb.decide": async ({ now, indexes, document }) => … });
//
// A function gets "in" with its Extended JSON still undecoded (extjson.mjs), and
// returns the result, or throws: Refused for what the library refuses, Skip for
// what cannot be put to it. Anything else thrown is a fault. One question is
// answered before the next is read.
import { createInterface } from "node:readline";
import { memberText } from "./extjson.mjs";

const longestLine = 16 << 20;

// A Skip is a question that cannot be put to the library.
export class Skip extends Error {}

// A Refused is the library's refusal to do what is asked for. The detail is
// what is known beside its message, such as a status.
export class Refused extends Error {
  constructor(message, detail = {}) {
    super(message);
    this.detail = detail;
  }
}

export async function serve(hello, operations) {
  const ops = ["self.echo", ...Object.keys(operations)];
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (line.trim() === "") continue;
    const reply = await answer(line, { protocol: 1, language: "javascript", ...hello, ops }, operations);
    if (reply === null) break;
    process.stdout.write(reply + "\n");
  }
}

// answer returns the line that answers a line, null to bye.
async function answer(line, hello, operations) {
  let seq = null;
  try {
    if (line.length > longestLine) throw new Error("the line is longer than 16 MiB");
    const request = JSON.parse(line);
    seq = request.seq ?? null;
    switch (request.cmd) {
      case "hello":
        if ((request.protocol ?? 1) !== 1) throw new Error(`protocol ${request.protocol} is not supported`);
        return JSON.stringify(hello);
      case "bye":
        return null;
      case "run":
        return await run(line, request, operations);
    }
    throw new Error(`unknown cmd ${request.cmd}`);
  } catch (trouble) {
    return JSON.stringify({ seq, ...complaint(trouble) });
  }
}

async function run(line, { seq, op, target, in: input }, operations) {
  // As text: an object of JavaScript would put the names that are numbers first.
  if (op === "self.echo") return `{"seq":${JSON.stringify(seq ?? null)},"out":${memberText(line, "in")}}`;
  if (!Object.hasOwn(operations, op)) throw new Skip(`${op} is not answered here`);
  return JSON.stringify({ seq, out: await operations[op](input, target) });
}

function complaint(trouble) {
  if (trouble instanceof Skip) return { skip: trouble.message };
  if (trouble instanceof Refused) return { error: { class: "refused", ...trouble.detail, message: trouble.message } };
  return { fault: String(trouble) };
}
