// The search finds rules, guides and problems by their text. Without this script the form
// leads to the page of results, which then names the lists of all pages. `ttlSearch` needs no page, so that a test can run it.

// Groups of words that mean the same in a query.
const ttlSynonyms = [
	"delete deletes deleted deleting deletion remove removed removing expire expires expired expiring expiration expiry disappear disappeared purge purged gone cleanup clean lost lose loses wiped",
	"document documents doc docs item items record records row rows entry entries data",
	"early earlier immediately instantly soon sooner once premature prematurely fast",
	"late later delay delayed delays slow often frequency interval period minute minutes",
	"not never nothing doesn don isn won didn without",
	"ignored ignore ignores nothing stays stay keep keeps kept remain remains still forever never",
	"string strings text iso iso8601 isostring",
	"array arrays list lists",
	"subdocument subdocuments embedded element elements nested dotted",
	"compound composite several multiple two",
	"partial conditional condition conditions partialfilterexpression filter where",
	"change modify update alter increase decrease raise extend edit changed collmod",
	"restore restored mongorestore mongodump backup dump import",
	"emulator emulators mock mongomock stub fake memory inmemory mingo nedb tingodb",
	"refused rejected error fails failed fail invalid illegal unsupported supported",
	"upgrade upgrading upgraded",
	"specific clock absolute exact certain wall particular",
	"expireat expiresat deleteat",
	"mongosh shell console",
	"ttl timetolive expireafterseconds",
	"defaultttl defaulttimetolive default_ttl_seconds",
	"ttlpropertypath timetolivepropertypath",
	"migrate migrating migration move moves moving port translate",
	"whole entire complete",
	"timeseries measurement measurements bucket buckets",
	"api compatible",
	"big large huge",
	"max maximum limit largest longest",
	"tz timezone utc zone",
	"number numbers numeric int int32 integer long timestamp epoch unix milliseconds",
	"node javascript typescript",
	"python pymongo mongoengine motor",
	"java spring kotlin",
	"php laravel doctrine odm",
	"terraform bicep azurerm arm",
	"session sessions token tokens",
	"ru rus units",
	"performance load cpu latency overhead slow",
	"hour hours day days week weeks month months minute minutes",
	"expiry expiration expire ttl",
	"updatedat updated write writes touch touched lastaccess sliding reset restart restarts",
];

// The names of each database. They say which database the page must be about, and are not
// looked up.
const ttlSystems = { mongodb: "mongodb mongo mongod mongos atlas", cosmos: "cosmos cosmosdb azure" };

// Names with characters that no term has, and the term for each.
const ttlNames = [[/\bc#|\bcsharp\b|\.net\b|\bdotnet\b/g, " net"], [/\bnode\.js\b|\bnodejs\b/g, "node"], [/\bgolang\b/g, "go"]];

// ttlFits returns the factor for a page by the databases that a query names: a page about
// another database counts less.
const ttlFits = (wanted, address, title) => {
	if (wanted.size !== 1) return 1;
	const isCosmos = /cosmos/i.test(address + title) && !/mongodb/i.test(title), isMongo = /rules\/mongo/.test(address);
	if (wanted.has("cosmos")) return isCosmos ? 1.6 : isMongo ? 0.4 : 0.8;
	return isCosmos || /cosmos/i.test(address) ? 0.4 : 1;
};

// A query that names one of these languages looks for the recipe of the language.
const ttlLanguages = "go net java spring kotlin python pymongo php laravel doctrine node javascript typescript terraform bicep".split(" ");

// ttlSpaced returns the words of a text in small letters, with one space between them.
const ttlSpaced = (text) => (text.toLowerCase().match(/[a-z0-9_]+/g) || []).join(" ");

// ttlSearch returns a function that searches an index: it returns up to limit places, the
// best first, as {address, title, says, label, score}.
const ttlSearch = (index) => {
	const terms = new Map(), names = [], ignored = new Set(index.ignored.split(" "));
	for (const line of index.terms.split("\n")) {
		const space = line.indexOf(" ");
		if (space > 0) { names.push(line.slice(0, space)); terms.set(line.slice(0, space), line.slice(space + 1)); }
	}
	const parsed = new Map();
	const postings = (name) => {
		if (!parsed.has(name)) {
			let place = 0;
			parsed.set(name, [...terms.get(name).matchAll(/([0-9a-z]+)([A-I])/g)].map(([, gap, w]) => [place += parseInt(gap, 36), w.charCodeAt(0) - 64]));
		}
		return parsed.get(name);
	};
	const groups = new Map();
	for (const group of ttlSynonyms.map((g) => g.split(" ")))
		for (const word of group) groups.set(word, [...(groups.get(word) || []), ...group]);

	// stem returns a word without its ending.
	const stem = (w) => w.length > 5 && /(ing|ed|es)$/.test(w) ? w.replace(/(ing|ed|es)$/, "") : w.length > 3 && /[^s]s$/.test(w) ? w.slice(0, -1) : w;
	// near reports whether two words differ in one letter that is wrong, missing or added, or
	// in two letters that changed places.
	const near = (a, b) => {
		if (Math.abs(a.length - b.length) > 1) return false;
		let i = 0, j = 0;
		while (i < a.length && a[i] === b[i]) i++;
		while (j < a.length - i && j < b.length - i && a[a.length - 1 - j] === b[b.length - 1 - j]) j++;
		const x = a.slice(i, a.length - j), y = b.slice(i, b.length - j);
		return x.length <= 1 && y.length <= 1 || x.length === 2 && y === x[1] + x[0];
	};
	// meant returns the terms that a word may mean, each with a weight of up to 1.
	const meant = (word, isLast) => {
		const found = new Map();
		const add = (name, how) => { if (terms.has(name) && !(found.get(name) >= how)) found.set(name, how); };
		add(word, 1);
		const root = stem(word);
		for (const name of names) {
			if (!name.startsWith(root)) continue;
			if (name.length <= root.length + Math.min(3, root.length - 2) && !/^[0-9]/.test(word)) add(name, 0.8);
			else if (isLast && word.length > 2) add(name, 0.5);
		}
		for (const name of groups.get(word) || groups.get(root) || []) add(name, 0.2);
		if (found.size === 0 && word.length > 4) for (const name of names) if (near(word, name) || near(root, name)) add(name, 0.6);
		return found;
	};
	return (text, limit = 12) => {
		let plain = text.toLowerCase();
		for (const [name, word] of ttlNames) plain = plain.replace(name, word);
		const all = plain.match(/[a-z]+-[0-9]{3,}|[0-9]+(?:\.[0-9]+)+|[a-z0-9_$]+/g) || [];
		const wanted = new Set();
		const isSystem = (w) => Object.entries(ttlSystems).some(([system, names]) => names.split(" ").includes(w) && wanted.add(system));
		const rest = all.filter((w) => !isSystem(w)).flatMap((w) => terms.has(w) ? w : terms.has(w.replaceAll("_", "")) ? w.replaceAll("_", "") : w.split("_").filter(Boolean));
		const words = (wanted.size > 1 ? all : rest).filter((w) => !ignored.has(w));
		if (words.length === 0) words.push(...all);
		const named = words.flatMap((w) => ttlLanguages.includes(w) ? [w, ...(groups.get(w) || [])] : []);
		const sums = new Map();
		words.forEach((word, at) => {
			const best = new Map(), itself = new Set(); // places that have the word itself
			for (const [name, how] of meant(word, at === words.length - 1))
				for (const [place, weight] of postings(name)) {
					best.set(place, Math.max(best.get(place) || 0, weight * how));
					if (how > 0.6) itself.add(place);
				}
			const rare = Math.log(1 + index.places.length / (1 + (itself.size || best.size))) ** 1.5;
			for (const [place, weight] of best) {
				const sum = sums.get(place) || [0, 0];
				sums.set(place, [sum[0] + weight * rare, sum[1] + 1]);
			}
		});
		const pages = new Map(); // of a page, the place that fits best
		for (const [i, [sum, hits]] of sums) {
			const [address, title, says, label, weight] = index.places[i];
			const exact = title.toLowerCase() === text.trim().toLowerCase() || title.toLowerCase().endsWith("." + text.trim().toLowerCase()) ? 4 : 1;
			const score = sum * weight * hits / words.length * exact * ttlFits(wanted, address, title) * (label === "recipe" && named.some((w) => address.includes(w) || title.toLowerCase().includes(w)) ? 2.5 : 1);
			const page = address.split("#")[0];
			if (!(pages.get(page)?.score >= score)) pages.set(page, { address, title, says, label, score });
		}
		const quoted = " " + ttlSpaced(text) + " ";
		for (const [message, address] of index.messages) { // the longest message that the query has comes first
			if (!quoted.includes(" " + message + " ")) continue;
			const [, title, says, label] = index.places.find(([there]) => there === address);
			const score = 1e9 + message.length;
			if (!(pages.get(address)?.score >= score)) pages.set(address, { address, title, says, label, score });
		}
		return [...pages.values()].sort((a, b) => b.score - a.score || a.address.length - b.address.length || (a.address < b.address ? -1 : 1)).slice(0, limit);
	};
};

if (typeof document === "undefined") module.exports = ttlSearch;
else (() => {
	const form = document.querySelector(".search");
	const input = form && form.querySelector("input");
	const found = document.getElementById("found");
	if (!input || !found) return;
	const home = document.body.dataset.root, root = home.replace(/index\.html$/, "");
	const isOpened = home !== root; // links of pages name index.html, and so do those of the search
	let at = -1, search = null, loading = false;

	// load fetches the index as a script: a page that is opened as a file can load
	// nothing else.
	const load = () => {
		if (loading) return;
		loading = true;
		const script = document.createElement("script");
		script.src = root + "search-index.js";
		script.onload = () => { search = ttlSearch(globalThis.ttlIndex); if (document.activeElement === input) show(); list(); };
		script.onerror = () => { loading = false; };
		document.head.append(script);
	};

	const element = (name, text) => {
		const e = document.createElement(name);
		e.textContent = text;
		return e;
	};

	// hrefOf returns the link to a result.
	const hrefOf = (hit) => root + (isOpened ? hit.address : hit.address.replace(/\/index\.html(?=#|$)/, "/"));

	// linkTo returns the link to a result, with what it says.
	const linkTo = (hit) => {
		const a = document.createElement("a");
		a.href = hrefOf(hit);
		const title = element("b", hit.title);
		if (/^(mongo|cosmos)\./.test(hit.title)) title.className = "id";
		a.append(title, " ", element("small", hit.label), element("span", hit.says));
		return a;
	};

	// list shows the results on the page of results, whose address has the query.
	const results = document.getElementById("results");
	const list = () => {
		const asked = new URLSearchParams(location.search).get("q")?.trim();
		if (!results || !asked) return;
		const hits = search(asked, 30);
		document.title = `${asked.slice(0, 60)} · search · ttlpolicy`;
		document.getElementById("results-about").textContent = hits.length === 0 ? `No page has the words of “${asked.slice(0, 200)}”.` : `The ${hits.length === 30 ? "first 30" : hits.length} pages for “${asked.slice(0, 200)}”, the best first.`;
		results.replaceChildren(...hits.map((hit) => {
			const item = document.createElement("li");
			item.append(linkTo(hit));
			return item;
		}));
	};

	const show = () => {
		load();
		const asked = input.value.trim();
		found.replaceChildren();
		at = -1;
		input.removeAttribute("aria-activedescendant");
		found.hidden = asked === "" || !search;
		input.setAttribute("aria-expanded", String(!found.hidden));
		if (found.hidden) return;
		for (const hit of search(asked)) {
			const a = linkTo(hit);
			a.id = "found-" + found.children.length;
			a.tabIndex = -1;
			a.setAttribute("role", "option");
			found.append(a);
		}
		if (found.children.length === 0) {
			const none = element("p", "No results.");
			none.setAttribute("role", "option"); // a list box holds nothing else
			none.setAttribute("aria-disabled", "true");
			found.append(none);
		}
	};

	const select = (step) => {
		const links = found.querySelectorAll("a");
		if (links.length === 0) return;
		links[at]?.removeAttribute("aria-selected");
		at = (at + step + links.length) % links.length;
		links[at].setAttribute("aria-selected", "true");
		input.setAttribute("aria-activedescendant", links[at].id);
		links[at].scrollIntoView({ block: "nearest" });
	};

	input.addEventListener("input", show);
	input.addEventListener("focus", show);
	input.addEventListener("keydown", (e) => {
		if (e.key === "ArrowDown" || e.key === "ArrowUp") {
			e.preventDefault();
			select(e.key === "ArrowDown" ? 1 : (at < 0 ? 0 : -1));
		} else if (e.key === "Escape") {
			input.value = "";
			show();
		}
	});
	form.addEventListener("submit", (e) => {
		const link = found.querySelectorAll("a")[at];
		if (!link && input.value.trim() !== "") return; // to the page of results
		e.preventDefault();
		if (link) location.href = link.href;
	});
	document.addEventListener("click", (e) => {
		if (!form.contains(e.target)) found.hidden = true;
	});
	document.addEventListener("keydown", (e) => {
		if (e.key === "/" && !/^(input|textarea|select)$/i.test(e.target.tagName) && !e.target.isContentEditable) {
			e.preventDefault();
			input.focus();
		}
	});
	const asked = new URLSearchParams(location.search).get("q");
	if (asked) {
		input.value = asked;
		if (results) { load(); return; }
		input.focus();
		show();
	}
})();
