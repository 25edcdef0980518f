// Opens pages of the site in Chromium and says what is wrong: node check.mjs ADDRESS.
//
// Every kind of page, on a wide screen in the light and on a phone in the dark: axe finds
// nothing, the console stays empty (so the content security policy refuses nothing of
// ours), and nothing is wider than the screen. What scripts add works. Lighthouse gives at
// least 95 of 100 in each category, as a phone on a slow network sees the page; the
// network and the processor are simulated, so that a busy machine changes little.
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import lighthouse from "lighthouse";
import puppeteer from "puppeteer-core";

const base = process.argv[2];
const shots = process.env.TTL_SHOTS;
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const kinds = {
	home: "", index: "rules/", engine: "rules/mongodb.html", rule: "rules/mongo.nan-zero.html", "longest rule": "rules/mongo.filter-mismatch.html", vectors: "rules/mongo.filter-mismatch-vectors.html",
	"cosmos rule": "rules/cosmos.item.html", features: "rules/features.html", matrix: "rules/cosmos.html", problems: "problems/", problem: "problems/ttl-index-not-deleting.html", results: "results/", tables: "side-by-side.html",
	charts: "performance.html", code: "cli.html", "not found": "no/such/page", playground: "playground/", frame: "playground/embed.html",
};
// What Lighthouse has to give for performance, and the most KiB that are loaded.
const audited = {
	"": [95, 30], "rules/mongo.nan-zero.html": [95, 30], "problems/ttl-index-not-deleting.html": [95, 30], "results/": [95, 40], "playground/": [95, 1290],
};
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

// The pages of rules with most on them must be read in little more than two screens, with their proof folded.
const tall = ["mongo.date", "mongo.timeseries-bucket", "mongo.earliest-source", "mongo.namespace-excluded", "cosmos.item", "cosmos.default"];

// measure says which of them are taller.
async function measure() {
	const page = await tab({ name: "two screens", scheme: "light", width: 1280, height: 800 });
	for (const rule of tall) {
		await page.goto(`${base}rules/${rule}.html`, { waitUntil: "load" });
		const height = await page.$eval("footer", (e) => Math.ceil(e.getBoundingClientRect().top + scrollY));
		if (height > 1760) fault(rule, `is ${height} pixels tall, want 2.2 screens of 800`);
	}
	await page.browserContext().close();
}

// use tries what the scripts of a page add.
async function use() {
	const [light] = looks;
	const page = await tab(light);
	await page.goto(base + "r/mongo.nan-zero/", { waitUntil: "networkidle0" });
	equal("the short link leads to", page.url(), base + "rules/mongo.nan-zero.html");
	const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
	equal("the ground in the light", await ground(), "rgb(255, 255, 255)");
	await page.select("#theme", "dark");
	equal("the ground after dark was chosen", await ground(), "rgb(20, 23, 28)");
	await page.goto(base + "rules/cosmos.item.html", { waitUntil: "networkidle0" });
	equal("the ground of the next page", await ground(), "rgb(20, 23, 28)");
	equal("the theme of the next page", await page.$eval("#theme", (e) => e.value), "dark");
	await page.browserContext().overridePermissions(base, ["clipboard-read", "clipboard-sanitized-write"]);
	await page.click("footer .copy");
	const copied = await page.evaluate(() => navigator.clipboard.readText());
	if (!copied.startsWith("cosmos.item: ")) fault("the citation is", copied);
	await page.keyboard.press("/");
	await page.keyboard.type("nan-zero");
	await page.waitForSelector("#found a");
	await page.keyboard.press("Enter");
	await page.waitForFunction(() => location.pathname.endsWith("/mongo.nan-zero.html"));
	await page.browserContext().close();
}

// audit asks Lighthouse, up to three times: a busy machine may be to blame.
async function audit(path, performance, most) {
	for (let left = 3; left > 0; left--) {
		const page = await browser.newPage();
		const { lhr } = await lighthouse(base + path, {
			onlyCategories: ["performance", "accessibility", "best-practices", "seo"], skipAudits: ["full-page-screenshot", "screenshot-thumbnails"],
			disableFullPageScreenshot: true, skipAboutBlank: true, logLevel: "error",
		}, undefined, page);
		await page.close();
		const scores = Object.values(lhr.categories).map((c) => [c.title, Math.round(c.score * 100), c.id === "performance" ? performance : 95]);
		const low = scores.filter(([, score, least]) => !(score >= least));
		const weight = Math.round(lhr.audits["total-byte-weight"].numericValue / 1024);
		console.log(`${path || "home"}: ${scores.map(([title, score]) => `${title} ${score}`).join(", ")}; ${weight} KiB`);
		if (weight > most) return fault(path || "home", `loads ${weight} KiB, want ${most} at most`);
		if (low.length === 0) return;
		if (left > 1) continue;
		if (lhr.runtimeError) fault(path, lhr.runtimeError.message);
		for (const a of Object.values(lhr.audits)) if (a.score !== null && a.score < 0.9) console.error("  ", a.id, a.score, a.displayValue || "");
		for (const [title, score, least] of low) fault(path || "home", title, `has ${score}, want ${least}`);
	}
}

for (const as of looks) {
	const page = await tab(as);
	for (const [name, path] of Object.entries(kinds)) await look(page, name, path, as);
	await page.browserContext().close();
}
console.log(`${Object.keys(kinds).length * looks.length} pages looked at by axe, ${Math.round(performance.now() / 1000)} s`);
await use();
await measure();
for (const [path, [performance, most]] of Object.entries(audited)) await audit(path, performance, most);
await browser.close();
console.log(`${Math.round(performance.now() / 1000)} s, ${faults} faults`);
process.exitCode = faults > 0 ? 1 : 0;
