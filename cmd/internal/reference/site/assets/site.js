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

	// A vector that has moved to the second page of its rule.
	const rest = document.querySelector("a[data-rest]");
	if (rest && location.hash && !document.getElementById(location.hash.slice(1))) location.replace(new URL(location.hash, rest.href));

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
