// What the declarations must accept and refuse. The compiler of TypeScript checks it: see
// types.test.mjs.
import { type Collection, type ContainerPolicy, type Decision, type IndexDefinition, load, loadSync, type Policy, TTLError } from "../index.js";

const ttl = loadSync();
const index: IndexDefinition = { key: { createdAt: 1 }, name: "createdAt_1", expireAfterSeconds: 3600 };
const policy: Policy = ttl.compile({ target: { system: "mongodb", version: "8.0.4" }, in: { indexes: [index] } });
const listed = (await load()).compileListed({ target: { system: "mongodb" }, in: { indexes: [{ key: { a: 1 }, anything: true }] } });

const { state, deadline, rule, source }: Decision = policy.decide({ createdAt: new Date() }, Date.now());
const exact: bigint | null = deadline;
const gone: boolean = policy.isExpired(new Uint8Array(5), 5n);
const names: readonly string[] = policy.reads;
const many = policy.decideAll([{ createdAt: new Date() }, new Uint8Array(5), "{}"], new Date());
const places: number[] = many.errors;
const reason: string | undefined = many.error(0)?.message;
for await (const { decisions, offset } of policy.decideStream([new Uint8Array(5)], () => Date.now())) console.log(decisions.length, offset);

const collection: Collection = ttl.collection({ version: "8.0.4" });
collection.create({ timeseries: { timeField: "t" }, expireAfterSeconds: 60n }, new Date());
const reply: Record<string, unknown> = collection.createIndex({ createdAt: 1 }, { expireAfterSeconds: 60 });
const [kept] = collection.neverExpire([{ createdAt: "text" }], Date.now());
const stamped: { id: string; _ts: number } = ttl.container({ defaultTtl: 60 }).write({ id: "1" });
// @ts-expect-error: a definition is a text
ttl.collection({}, { indexes: [] });
// @ts-expect-error: an option that no index has
const misspelt: IndexDefinition = { key: { a: 1 }, expireAfterSecond: 5 };
// @ts-expect-error: an index without a key
const keyless: IndexDefinition = { expireAfterSeconds: 5 };
// @ts-expect-error: a text is no number of seconds for a container
const settings: ContainerPolicy = { container: { defaultTtl: "5" } };
// @ts-expect-error: a system that is not known
ttl.compile({ target: { system: "mongo" }, in: { indexes: [] } });
// @ts-expect-error: deciding needs a time
policy.decide({});
// @ts-expect-error: a number is no document
policy.decideAll([5], 0);
// @ts-expect-error: names are read alone
policy.reads.push("x");

export const all = [reply, kept.count, stamped, collection.definition, state, exact, rule, source, gone, names, places, reason, listed, misspelt, keyless, settings, TTLError];
