// An address that a page had once: the part behind the # goes with the reader.
"use strict";
addEventListener("DOMContentLoaded", () => {
	const to = new URL(document.getElementById("moved").href);
	if (location.hash) to.hash = location.hash;
	location.replace(to);
});
