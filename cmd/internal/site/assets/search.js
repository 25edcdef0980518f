// Finds rules and guides by what they are called and what they say. Without
// it the form leads to the index of the rules.
(() => {
	const form = document.querySelector(".search");
	const input = form && form.querySelector("input");
	const found = document.getElementById("found");
	const all = window.ttlIndex;
	if (!input || !found || !all) return;
	const root = document.body.dataset.root.replace(/index\.html$/, "");
	let at = -1;

	// score is how well an entry fits the words; 0 is not at all.
	const score = ([, title, says], words) => {
		let sum = 0;
		const t = title.toLowerCase(), s = says.toLowerCase();
		for (const w of words) {
			if (t === w || t.endsWith("." + w)) sum += 20;
			else if (t.includes(w)) sum += 8 + (t.length < 30 ? 2 : 0);
			else if (s.includes(w)) sum += 2;
			else return 0;
		}
		return sum;
	};

	const show = () => {
		const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
		found.replaceChildren();
		at = -1;
		input.removeAttribute("aria-activedescendant");
		found.hidden = words.length === 0;
		input.setAttribute("aria-expanded", String(!found.hidden));
		if (found.hidden) return;
		const best = all.map((e) => [score(e, words), e]).filter(([n]) => n > 0).sort((a, b) => b[0] - a[0]).slice(0, 12);
		for (const [, [url, title, says]] of best) {
			const a = document.createElement("a"), b = document.createElement("b"), span = document.createElement("span");
			a.href = root + url;
			a.id = "found-" + found.children.length;
			a.tabIndex = -1;
			a.setAttribute("role", "option");
			b.textContent = title;
			span.textContent = says;
			a.append(b, span);
			found.append(a);
		}
		if (best.length === 0) {
			const p = document.createElement("p");
			p.textContent = "Nothing is called so, or says so.";
			found.append(p);
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
		const link = found.querySelectorAll("a")[Math.max(at, 0)];
		if (!link) return;
		e.preventDefault();
		location.href = link.href;
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
		input.focus();
		show();
	}
})();
