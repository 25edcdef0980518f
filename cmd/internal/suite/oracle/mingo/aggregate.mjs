// Answers each line {"pipelines": […], "documents": […]} of canonical Extended JSON on
// standard input with a line of what each pipeline makes of the documents, without its last
// stage and with it. $bsonSize, which mingo lacks, is 100 and the identifier.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { createInterface } from "node:readline";

const require = createRequire(pathToFileURL(process.argv[2] + "/"));
const { Aggregator, Context } = await import(pathToFileURL(require.resolve("mingo")));

// revive turns the Extended JSON that the test generates into JavaScript values.
function revive(v) {
  if (v === null || typeof v !== "object") return v;
  if (Array.isArray(v)) return v.map(revive);
  if ("$numberInt" in v) return Number(v.$numberInt);
  if ("$numberLong" in v) return Number(v.$numberLong);
  if ("$numberDouble" in v) return Number(v.$numberDouble);
  if ("$date" in v) return new Date(Number(v.$date.$numberLong));
  return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, revive(x)]));
}

const context = Context.init({ expression: { $bsonSize: (document) => 100 + document._id } });

for await (const line of createInterface({ input: process.stdin })) {
  const { pipelines, documents } = revive(JSON.parse(line));
  const answers = pipelines.flatMap((p) => {
    const decided = new Aggregator(p.slice(0, -1), { context }).run(documents);
    return [decided, new Aggregator(p.slice(-1), { context }).run(decided)];
  });
  process.stdout.write(JSON.stringify(answers) + "\n");
}
