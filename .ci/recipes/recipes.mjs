// Runs a recipe by MongoDB's driver: node recipes.mjs ADDRESS PAGE.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { MongoClient } from "mongodb";

const [address, page] = process.argv.slice(2);
const text = await readFile(page, "utf8");

// blocks returns the code of a section that talks to the driver's db.
const blocks = (section) => {
	const part = text.split(`\n## ${section}\n`)[1].split("\n## ")[0];
	return [...part.matchAll(/^```js\n([^]*?)^```$/gm)].map((m) => m[1]).filter((code) => /\bdb\./.test(code));
};

const client = await MongoClient.connect(`mongodb://${address}/?directConnection=true`, { serverSelectionTimeoutMS: 10_000 });
const db = client.db("recipes_node");
const AsyncFunction = (async () => {}).constructor;
const run = async (section) => {
	const all = blocks(section);
	assert.notEqual(all.length, 0, `${page} has no code for ${section}`);
	for (const code of all) await new AsyncFunction("db", code)(db);
};
const seconds = async () => (await db.collection("sessions").indexes()).find((x) => x.key.createdAt === 1)?.expireAfterSeconds;

await run("Create");
assert.equal(await seconds(), 3600);
const inserted = await db.collection("sessions").findOne({});
assert.ok(inserted.createdAt instanceof Date, `createdAt is ${inserted.createdAt}`);
await run("Change");
assert.equal(await seconds(), 7200);
await run("Check");
await client.close();
console.log(`${page}: created, changed and checked`);
