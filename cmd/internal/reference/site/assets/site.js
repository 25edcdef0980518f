// The theme switch, and buttons that copy. Without it the pages lack these and nothing else.
(() => {
	const root = document.documentElement;
	const theme = document.getElementById("theme");
	if (theme) {
		const shown = () => { theme.value = root.dataset.theme; };
		theme.addEventListener("change", () => {
			root.dataset.theme = theme.value;
			try { localStorage.setItem("ttl-theme", theme.value); } catch { /* for this page only */ }
		});
		addEventListener("storage", (e) => { // chosen in another tab
			if (e.key === "ttl-theme") { root.dataset.theme = e.newValue || "system"; shown(); }
		});
		shown();
	}

	// A part of this page that has become a page of its own.
	const part = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
	if (part?.matches?.("a[data-moved]")) location.replace(part.href);

	// A vector that has moved to the second page of its rule.
	const rest = document.querySelector("a[data-rest]");
	if (rest && location.hash && !document.getElementById(location.hash.slice(1))) location.replace(new URL(location.hash, rest.href));

	// A part of this page that is folded, or that is the head of a fold: the fold opens.
	const unfold = () => {
		const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
		let opened = false;
		for (let fold = target && target.closest("details"); fold; fold = fold.parentElement.closest("details")) {
			opened ||= !fold.open;
			fold.open = true;
		}
		if (opened) target.scrollIntoView();
	};
	addEventListener("hashchange", unfold);
	unfold();

	if (!navigator.clipboard) return;
	// copies makes button copy a text, and say so for a while.
	const copies = (button, text) => {
		const name = button.textContent;
		const say = (word) => { button.textContent = word; setTimeout(() => { button.textContent = name; }, 2000); };
		button.addEventListener("click", () => navigator.clipboard.writeText(text()).then(() => say("Copied"), () => say("Not allowed")));
		button.hidden = false;
	};
	// commands are what is typed in a block that also shows what is printed.
	const commands = (text) => [...text.matchAll(/^\$ (.*(?:\\\n.*)*)/gm)].map((m) => m[1]).join("\n");
	for (const button of document.querySelectorAll("button[data-copy]")) copies(button, () => button.dataset.copy);
	for (const pre of document.querySelectorAll(".text pre")) {
		const frame = document.createElement("div"), button = document.createElement("button");
		frame.className = "copied";
		button.className = "copy";
		button.type = "button";
		button.textContent = "Copy";
		button.setAttribute("aria-live", "polite");
		pre.replaceWith(frame);
		frame.append(pre, button);
		copies(button, () => commands(pre.innerText) || pre.innerText.trimEnd());
	}
})();

// What the address of a page says and nobody reads is told, by its name: a link that was cut
// or written by hand asks something else than its writer meant. The name comes from outside;
// it goes in as text, and cut.
(() => {
	const takes = { b: 1, c: 1, d: 1, l: 1, n: 1, p: 1, s: 1, v: 1, w: 1 };
	const systems = ["", "guess", "mongodb", "cosmos-nosql", "cosmos-mongo"];
	const shown = (name) => name.slice(0, 24).replace(/[^\x21-\x7e]/g, "?") || "a part without a name";
	const note = document.createElement("p");
	note.className = "strange";
	note.setAttribute("role", "status");
	const tell = () => {
		const asks = document.getElementById("box-page") || document.querySelector("main.playground");
		const query = [...new URLSearchParams(location.search).keys()].filter((name) => !/^(?:q|utm_\w+|fbclid|gclid)$/.test(name)); // q is a search, the others are added by networks
		const rest = asks && location.hash.includes("=") ? new URLSearchParams(location.hash.slice(1)) : new URLSearchParams();
		const strange = [...query, ...[...rest.keys()].filter((name) => !Object.hasOwn(takes, name))];
		if (!systems.includes(rest.get("s") ?? "")) strange.push("s=" + rest.get("s"));
		note.hidden = strange.length === 0;
		note.textContent = `Not known in this address, and left out: ${[...new Set(strange.map(shown))].slice(0, 3).join(", ")}${strange.length > 3 ? " and more" : ""}.`;
		if (asks && query.some((name) => Object.hasOwn(takes, name))) note.textContent += " The question of a link stands behind #, not behind ?.";
		if (!note.hidden) document.getElementById("main").prepend(note);
	};
	addEventListener("hashchange", tell);
	tell();
})();

// The changes between releases: two lists choose the old release and the new one.
(() => {
	const place = document.getElementById("upgrade");
	if (!place) return;
	const lines = [...document.querySelectorAll("details.line")];
	const oldest = { value: "", text: "any release" };
	const select = (text, options, value) => {
		const label = document.createElement("label"), list = document.createElement("select");
		for (const o of options) list.append(new Option(o.text, o.value));
		list.value = value;
		label.append(text + " ", list);
		place.append(label, " ");
		list.addEventListener("change", show);
		return list;
	};
	const names = lines.map((line) => ({ value: line.dataset.line, text: line.dataset.line }));
	const show = () => {
		const [first, last] = [to, from].map((list) => names.findIndex((n) => n.value === list.value));
		lines.forEach((line, i) => {
			line.hidden = i < first || last >= 0 && i >= last;
			line.open = last >= 0 || i < 2;
		});
	};
	const from = select("from", [oldest, ...names], ""), to = select("to", names, names[0].value);
})();
