// Opens pages of the site in Chromium and says what is wrong: node check.mjs ADDRESS.
//
// Every kind of page is opened on a wide screen in the light and on a phone in the dark. axe
// finds nothing, the console stays empty (so the content security policy refuses nothing of
// ours), nothing is wider than the screen, and no page loads more than it may. What scripts add
// works.
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import puppeteer from "puppeteer-core";

const base = process.argv[2];
const shots = process.env.TTL_SHOTS;
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const kinds = {
	home: "", start: "start/", index: "rules/", engine: "rules/mongodb/", rule: "rules/mongo.nan-zero/", "longest rule": "rules/mongo.filter-mismatch/",
	"cosmos rule": "rules/cosmos.item/", features: "compare/releases/", matrix: "rules/cosmos/", problems: "fix/", problem: "fix/ttl-index-not-deleting/", recipes: "recipes/", recipe: "recipes/node/", search: "search/?q=string", section: "compare/", results: "compare/implementations/",
	tables: "compare/mongodb-and-cosmos-db/", charts: "implement/performance/", code: "tool/commands/", "not found": "no/such/page", playground: "playground/",
};
// The most KiB that a page loads.
const weights = { "": 60, "rules/mongo.nan-zero/": 30, "fix/ttl-index-not-deleting/": 30, "recipes/node/": 30, "compare/implementations/": 40, "playground/": 1800 };
const looks = [
	{ name: "desktop-light", scheme: "light", width: 1280, height: 900 },
	{ name: "phone-dark", scheme: "dark", width: 360, height: 740, phone: true },
	...(shots ? [{ name: "desktop-dark", scheme: "dark", width: 1280, height: 900 }, { name: "phone-light", scheme: "light", width: 360, height: 740, phone: true }] : []),
];

let faults = 0;
const fault = (...words) => { faults++; console.error("FAIL", ...words); };
const equal = (what, got, want) => { if (got !== want) fault(`${what}: got ${got}, want ${want}`); };

const browser = await puppeteer.launch({ executablePath: process.env.CHROME_PATH, args: ["--no-sandbox", "--disable-dev-shm-usage"] });

// tab opens an empty page in a browser of its own, as somebody new sees it.
async function tab(as) {
	const page = await (await browser.createBrowserContext()).newPage();
	const at = () => `${page.url().slice(base.length)} (${as.name})`;
	page.on("console", (m) => {
		const refused = page.url().endsWith(kinds["not found"]) && m.text().includes("404");
		if (["error", "warn"].includes(m.type()) && !refused) fault(at(), m.text());
	});
	page.on("pageerror", (e) => fault(at(), e.message));
	page.on("request", (r) => { if (!r.url().startsWith(base) && !r.url().startsWith("data:")) fault(at(), "asks for", r.url()); });
	await page.setViewport({ width: as.width, height: as.height, isMobile: !!as.phone, hasTouch: !!as.phone });
	await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: as.scheme }]);
	return page;
}

// look says what is wrong with a page at first sight.
async function look(page, name, path, as) {
	await page.goto(base + path, { waitUntil: "load" });
	if (path.startsWith("playground/")) await page.waitForSelector("html[data-ready]", { timeout: 120_000 });
	const wide = await page.evaluate(() => document.documentElement.scrollWidth);
	if (wide > as.width) fault(path, as.name, `is ${wide} pixels wide on a screen of ${as.width}`);
	await page.evaluate(axe);
	const { violations } = await page.evaluate(() => axe.run({ resultTypes: ["violations"] }));
	for (const v of violations) fault(path, as.name, v.id, v.nodes.slice(0, 3).map((n) => n.html).join("\n  "));
	if (shots) await writeFile(`${shots}/${name.replaceAll(" ", "-")}-${as.name}.png`, await page.screenshot({ fullPage: true }));
}

// The pages of rules with most on them must be read in little more than two screens, with their proof folded,
// and lists that are folded or summed up in four and a half.
const tall = [...["mongo.date", "mongo.timeseries-bucket", "mongo.earliest-source", "mongo.namespace-excluded", "cosmos.item", "cosmos.default"].map((rule) => [`rules/${rule}/`, 1900]), ["compare/implementations/", 4600], ...["rules/mongodb/", "rules/cosmos/"].map((list) => [list, 3500])];

// measure says which of them are taller.
async function measure() {
	const page = await tab({ name: "two screens", scheme: "light", width: 1280, height: 800 });
	for (const [path, most] of tall) {
		await page.goto(base + path, { waitUntil: "load" });
		const height = await page.$eval("footer", (e) => Math.ceil(e.getBoundingClientRect().top + scrollY));
		if (height > most) fault(path, `is ${height} pixels tall, want ${most}`);
	}
	await page.browserContext().close();
}

// use tries what the scripts of a page add.
async function use() {
	const [light] = looks;
	const page = await tab(light);
	await page.goto(base + "rules/mongo.nan-zero/", { waitUntil: "networkidle0" });
	const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
	equal("the ground in the light", await ground(), "rgb(255, 255, 255)");
	await page.select("#theme", "dark");
	equal("the ground after dark was chosen", await ground(), "rgb(20, 23, 28)");
	await page.goto(base + "rules/cosmos.item/", { waitUntil: "networkidle0" });
	equal("the ground of the next page", await ground(), "rgb(20, 23, 28)");
	equal("the theme of the next page", await page.$eval("#theme", (e) => e.value), "dark");
	const strange = async (path) => {
		await page.goto("about:blank");
		await page.goto(base + path, { waitUntil: "load" });
		return page.evaluate(() => document.querySelector(".strange:not([hidden])")?.textContent ?? "");
	};
	equal("what is strange in an address of a rule", await strange("rules/cosmos.item/?foo=bar"), "Not known in this address, and left out: foo.");
	equal("what is strange in a link that asks", await strange("playground/#p=%7B%7D&d=%7B%7D&s=oracle&%3Cimg%20src=x%3E=1"), "Not known in this address, and left out: <img?src, s=oracle.");
	equal("what is strange in a question behind ?", await strange("?p=%7B%7D"), "Not known in this address, and left out: p. The question of a link stands behind #, not behind ?.");
	for (const path of ["?q=nan", "playground/#p=%7B%7D&d=%7B%7D&s=mongodb", "rules/cosmos.item/#releases"]) equal("what is strange in " + path, await strange(path), "");
	await page.goto(base + "rules/cosmos.item/", { waitUntil: "networkidle0" });
	for (const anchor of ["mongo.nan-zero", "time-series"]) {
		await page.goto("about:blank");
		await page.goto(base + "rules/mongodb/#" + anchor, { waitUntil: "networkidle0" });
		equal("the fold of #" + anchor, await page.evaluate((id) => document.getElementById(id).closest("details").open, anchor), true);
		equal("the open folds of #" + anchor, await page.$$eval(".topics details[open]", (all) => all.length), 1);
	}
	await page.goto(base + "rules/cosmos.item/", { waitUntil: "networkidle0" });
	await page.keyboard.press("/");
	await page.keyboard.type("nan-zero");
	await page.waitForSelector("#found a");
	await page.keyboard.press("Enter");
	await page.waitForSelector("#results a");
	equal("Enter leads to", page.url(), base + "search/?q=nan-zero");
	equal("the first result", await page.$eval("#results a", (e) => e.href), base + "rules/mongo.nan-zero/");
	await page.goto(base + "search/?q=" + encodeURIComponent("E INDEX [TTLMonitor] key for ttl index can only have 1 field, skipping ttl job"), { waitUntil: "load" });
	await page.waitForSelector("#results a");
	equal("the first result of a line of the log", await page.$eval("#results a", (e) => e.href), base + "start/log-messages/");
	await page.browserContext().close();
}

// The commonest policies, in the forms in which threads show them, with the release where
// one is written.
const commonest = [
	["", 'db.c.createIndex({ at: 1 }, { expireAfterSeconds: 3600 })', '{ at: ISODate("2020-01-01T00:00:00Z") }', "Expired"],
	["", '{ key: { expireAt: 1 }, expireAfterSeconds: 0 }', '{ expireAt: ISODate("2090-01-01T00:00:00Z") }', "Pending"],
	["", "[\n  { v: 2, key: { _id: 1 }, name: '_id_' },\n  { v: 2, key: { user: 1 }, name: 'user_1', unique: true },\n  {\n    v: 2,\n    key: { at: 1 },\n    name: 'at_1',\n    expireAfterSeconds: 60\n  }\n]", '{ at: "2020-01-01T00:00:00Z" }', "Never expires"],
	["7.0", "const sessionSchema = new mongoose.Schema({\n  user: String,\n  at: { type: Date, default: Date.now, expires: '1h' },\n});", '{ at: 1700000000 }', "Never expires"],
	["", 'db.sessions.create_index([("at", pymongo.ASCENDING)], expireAfterSeconds=3600)', '{ a: 1 }', "Never expires"],
	["", 'db.c.createIndex({ at: 1 }, { expireAfterSeconds: 60, partialFilterExpression: { done: true } })', '{ at: ISODate("2020-01-01T00:00:00Z"), done: false }', "Never expires"],
	["", '{ key: { at: 1, user: 1 }, expireAfterSeconds: 60 }', '{ at: ISODate("2020-01-01T00:00:00Z"), b: 1 }', "Never expires"],
	["5.0.9", '{ key: { at: 1 }, expireAfterSeconds: NaN }', '{ at: ISODate("2020-01-01T00:00:00Z") }', "Expired"],
	["", '{"id": "chat", "defaultTtl": 3600}', '{"id": "1", "_ts": 1600000000}', "Expired"],
	["", '{"defaultTtl": -1}', '{"id": "1", "ttl": 60, "_ts": 1600000000}', "Expired"],
];

// paste asks home each of them, as somebody new.
async function paste() {
	for (const [release, policy, text, want] of commonest) {
		const page = await tab(looks[0]);
		await page.goto(base, { waitUntil: "load" });
		await page.evaluate((release, policy, text) => {
			const write = (id, value) => { document.getElementById(id).value = value; };
			document.querySelector("[name=system][value=guess]").checked = true;
			document.querySelector("[name=system][value=guess]").dispatchEvent(new Event("change"));
			if (release) { write("release", release); document.getElementById("release").dispatchEvent(new Event("change")); }
			for (const [id, value] of [["policy", policy], ["document", text]]) { write(id, value); document.getElementById(id).dispatchEvent(new Event("input")); }
		}, release, policy, text);
		const at = (id) => page.$eval("#" + id, (e) => e.textContent);
		await page.waitForSelector("html[data-ready]:not([data-asking])", { timeout: 120_000 });
		const state = await at("state");
		equal(policy, state, want);
		if (!(await page.title()).startsWith(want + ": ")) fault("the title is", await page.title());
		await page.waitForFunction(() => location.hash.includes("p="), { timeout: 20_000 });
		await page.goto(base + "playground/" + new URL(page.url()).hash, { waitUntil: "load" });
		await page.waitForSelector("html[data-ready]", { timeout: 120_000 });
		await page.waitForFunction((want) => document.getElementById("state").textContent === want, { timeout: 20_000 }, state)
			.catch(() => fault(`the link of ${policy} does not lead to the answer ${state}`));
		await page.browserContext().close();
	}
}

// weigh reports a page that loads more than it may, by its worker too.
async function weigh(path, most) {
	const page = await tab(looks[0]);
	await page.goto(base + path, { waitUntil: "load" });
	if (path.startsWith("playground/")) await page.waitForSelector("html[data-ready]", { timeout: 120_000 });
	const loaded = () => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].reduce((sum, e) => sum + e.transferSize, 0);
	let bytes = 0;
	for (const realm of [page, ...page.workers()]) bytes += await realm.evaluate(loaded);
	const weight = Math.round(bytes / 1024);
	console.log(`${path || "home"} loads ${weight} KiB`);
	if (!(weight > 0 && weight <= most)) fault(path || "home", `loads ${weight} KiB, want ${most} at most`);
	await page.browserContext().close();
}

let looked = 0;
for (const as of looks) {
	const page = await tab(as);
	for (const [name, path] of Object.entries(kinds)) {
		await look(page, name, path, as);
		looked++;
	}
	await page.browserContext().close();
}
console.log(`${looked} pages looked at by axe, ${Math.round(performance.now() / 1000)} s`);
await use();
await paste();
await measure();
for (const [path, most] of Object.entries(weights)) await weigh(path, most);
await browser.close();
console.log(`${Math.round(performance.now() / 1000)} s, ${faults} faults`);
process.exitCode = faults > 0 ? 1 : 0;
