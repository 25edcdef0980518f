// An address that a page had once: the part behind the # goes with the reader.
"use strict";
addEventListener("DOMContentLoaded", () => location.replace(document.getElementById("moved").href + location.hash));
