// Runs the recipes for JavaScript: node recipes.mjs ADDRESS FOLDER TYPESCRIPT. The driver, mongoose,
// NestJS and MongoDB's shell talk to the server at ADDRESS, and the SDK of Azure Cosmos DB to a
// stand-in for the service. FOLDER holds the pages, TYPESCRIPT the compiler, which checks the types.
import "reflect-metadata";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { CosmosClient } from "@azure/cosmos";
import { Prop, Schema as NestSchema, SchemaFactory } from "@nestjs/mongoose";
import { MongoClient } from "mongodb";
import mongoose from "mongoose";

const [address, folder, typescript] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const ts = require(typescript);
const AsyncFunction = (async () => {}).constructor;

// pageOf returns a page's blocks of code: take() those of a section, each once, and done() fails if
// any is left.
const pageOf = async (name) => {
	const text = await readFile(path.join(folder, name), "utf8");
	const all = [];
	for (const part of text.split(/^## /m).slice(1)) {
		for (const [, language, code] of part.matchAll(/^```(\w+)\n([^]*?)^```$/gm)) {
			all.push({ section: part.split("\n", 1)[0], language, code });
		}
	}
	const taken = new Set();
	return {
		all,
		take(section, language, pattern = /(?:)/) {
			const found = all.filter((b) => !taken.has(b) && b.section === section && b.language === language && pattern.test(b.code));
			assert.notEqual(found.length, 0, `${name} has no code of ${language} with ${pattern} in ${section}`);
			found.forEach((b) => taken.add(b));
			return found.map((b) => b.code);
		},
		done(...languages) {
			const left = all.filter((b) => languages.includes(b.language) && !taken.has(b)).map((b) => b.code);
			assert.deepEqual(left, [], `${name}: code that did not run`);
			console.log(`${name}: created, changed, checked and stopped`);
		},
	};
};

// run runs blocks, one after the other, with names for what they use.
const run = async (blocks, names) => {
	for (const code of blocks) await new AsyncFunction(...Object.keys(names), `{\n${code}}`)(...Object.values(names));
};

const client = await MongoClient.connect(`mongodb://${address}/?directConnection=true`, { serverSelectionTimeoutMS: 10_000 });

// expect compares the TTL indexes of the sessions, and the type of what was inserted.
const expect = async (db, want, documents = 1) => {
	const listed = (await db.collection("sessions").indexes()).filter((x) => "expireAfterSeconds" in x);
	assert.deepEqual(listed.map((x) => [x.name, x.key, x.expireAfterSeconds]), want.map((seconds) => ["createdAt_1", { createdAt: 1 }, seconds]));
	const inserted = await db.collection("sessions").find().toArray();
	assert.deepEqual(inserted.map((d) => Object.prototype.toString.call(d.createdAt)), Array(documents).fill("[object Date]"));
};

const node = await pageOf("node.md");
{
	const db = client.db("recipes_node");
	await run(node.take("Create", "js", /\bdb\./), { db });
	await expect(db, [3600]);
	await run(node.take("Change", "js"), { db });
	await expect(db, [7200]);
	await run(node.take("Check", "js"), { db });
	await run(node.take("Stop", "js"), { db });
	await expect(db, []);
}
// starts lets a model of a schema start, and expects its index.
const starts = async (name, schema) => {
	const connection = await mongoose.createConnection(`mongodb://${address}/${name}?directConnection=true`).asPromise();
	await connection.model("Session", schema, "sessions").init();
	await connection.close();
	await expect(client.db(name), [3600], 0);
};
const [withMongoose] = node.take("Create", "js", /new Schema\(/);
await starts("recipes_mongoose", new Function("Schema", `${withMongoose}return session;`)(mongoose.Schema));
const [withNest] = node.take("Create", "ts");
const decorated = ts.transpile(withNest, { target: ts.ScriptTarget.ES2022, experimentalDecorators: true, emitDecoratorMetadata: true });
await starts("recipes_nest", SchemaFactory.createForClass(new Function("Schema", "Prop", `${decorated}return Session;`)(NestSchema, Prop)));
node.done("js", "ts");

// The shell is what MongoDB Compass embeds. What it imports to interrupt a command is a native
// addon, which is not built here, and it runs in a worker of the web.
const shell = await pageOf("mongosh.md");
{
	globalThis.Worker = require("web-worker");
	const { WorkerRuntime } = require("@mongosh/node-runtime-worker-thread");
	const db = client.db("recipes_mongosh");
	const runtime = new WorkerRuntime(`mongodb://${address}/recipes_mongosh?directConnection=true`, { productDocsLink: "", productName: "recipes" });
	const evaluate = async (section) => {
		let shown;
		for (const code of shell.take(section, "js")) shown = (await runtime.evaluate(code)).printable;
		return shown;
	};
	await evaluate("Create");
	await expect(db, [3600]);
	await evaluate("Change");
	await expect(db, [7200]);
	assert.deepEqual((await evaluate("Check")).documents, [{ _id: "date", n: 1 }]);
	await evaluate("Stop");
	await expect(db, []);
	await runtime.terminate();
	shell.done("js");
}
await client.close();

// The stand-in keeps the one container as the client last stored it.
const cosmos = await pageOf("cosmos-sdks.md");
{
	let stored;
	const server = createServer(async (request, response) => {
		const text = Buffer.concat(await request.toArray()).toString();
		const { pathname } = new URL(request.url, "http://localhost");
		const isContainer = pathname.endsWith("/colls") || pathname.endsWith("/colls/sessions");
		if (isContainer && text) stored = JSON.parse(text);
		const found = isContainer ? stored : JSON.parse(text || "{}");
		response.writeHead(found ? 200 : 404, { "content-type": "application/json" });
		response.end(JSON.stringify(found ?? { code: "NotFound" }));
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	const cosmosClient = new CosmosClient({ endpoint: `http://127.0.0.1:${server.address().port}`, key: "a2V5", connectionPolicy: { enableEndpointDiscovery: false } });
	const database = cosmosClient.database("shop");
	const names = { cosmosClient, database, container: database.container("sessions") };
	for (const [section, want] of [["Create", 3600], ["Change", 7200], ["Check", 7200], ["Stop", undefined]]) {
		await run(cosmos.take(section, "js"), names);
		assert.equal(stored.defaultTtl, want, section);
		assert.equal("defaultTtl" in stored, want !== undefined, section);
		assert.deepEqual([stored.id, stored.partitionKey.paths], ["sessions", ["/id"]]);
	}
	server.closeAllConnections();
	server.close();
	cosmos.done("js");
}

// Types: each block is a module that names what it uses.
const preambles = {
	"node.md js": 'import type { Db } from "mongodb";\nimport { Schema } from "mongoose";\ndeclare const db: Db;\n',
	"node.md ts": 'import { Prop, Schema } from "@nestjs/mongoose";\n',
	"cosmos-sdks.md js": 'import type { Container, CosmosClient, Database } from "@azure/cosmos";\ndeclare const container: Container, cosmosClient: CosmosClient, database: Database;\n',
};
const modules = [];
for (const [name, page] of [["node.md", node], ["cosmos-sdks.md", cosmos]]) {
	for (const { language, code } of page.all) {
		const preamble = preambles[`${name} ${language}`];
		if (!preamble) continue;
		modules.push(path.join(import.meta.dirname, `${name}-${modules.length}.mts`));
		await writeFile(modules.at(-1), `${preamble}export {};\n{\n${code}}\n`);
	}
}
const options = "--strict --noEmit --skipLibCheck --target es2022 --module nodenext --lib es2022,dom,esnext.disposable --experimentalDecorators".split(" ");
const checked = spawnSync(process.execPath, [path.join(typescript, "bin/tsc"), ...options, ...modules], { encoding: "utf8" });
assert.equal(checked.status, 0, checked.stdout);
console.log(`the types of ${modules.length} blocks are right`);
