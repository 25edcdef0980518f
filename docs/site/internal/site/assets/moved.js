// A page at an old address leads to the new address, and keeps the part after the #.
"use strict";
addEventListener("DOMContentLoaded", () => {
	const to = new URL(document.getElementById("moved").href);
	if (location.hash) to.hash = location.hash;
	location.replace(to);
});
