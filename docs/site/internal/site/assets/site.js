// The theme switch, and buttons that copy. Without this script the pages lack these, the note
// about strange addresses and the choice of releases.
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

	// unfold opens the folds around the part of this page that the address names.
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
	// copies makes a button copy a text, and say so for two seconds.
	const copies = (button, text) => {
		const name = button.textContent;
		const say = (word) => { button.textContent = word; setTimeout(() => { button.textContent = name; }, 2000); };
		button.addEventListener("click", () => navigator.clipboard.writeText(text()).then(() => say("Copied"), () => say("Not allowed")));
		button.hidden = false;
	};
	// commands returns the commands in a block that also shows their output; "" if the block
	// has none.
	const commands = (text) => [...text.matchAll(/^\$ (.*(?:\\\n.*)*)/gm)].map((m) => m[1]).join("\n");
	for (const pre of document.querySelectorAll(".text pre:not(.ask pre)")) {
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

// A note above the page names the parts of its address that no script reads, because a link
// that was cut, or written by hand, may ask another question than its writer meant. The names
// come from outside, so the note shows them as text, and shortened.
(() => {
	const takes = { c: 1, d: 1, l: 1, n: 1, p: 1, s: 1, v: 1, w: 1 };
	const systems = ["", "guess", "mongodb", "cosmos-nosql", "cosmos-mongo"];
	const shown = (name) => name.slice(0, 24).replace(/[^\x21-\x7e]/g, "?") || "a part without a name";
	const note = document.createElement("p");
	note.className = "strange";
	note.setAttribute("role", "status");
	const tell = () => {
		const asks = document.querySelector(".playground");
		const query = [...new URLSearchParams(location.search).keys()].filter((name) => !/^(?:q|utm_\w+|fbclid|gclid)$/.test(name)); // q is a search; social networks add the others
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

// On the page of changes between releases, two lists choose the old and the new release.
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
