// Ranks queries by the site's own script, in the folder that the first argument names:
// a JSON array of texts on standard input, an array of the first three addresses for
// each on standard output.
const path = require("node:path");
const [folder] = process.argv.slice(2);
require(path.resolve(folder, "search-index.js"));
const search = require(path.resolve(folder, "search.js"))(globalThis.ttlIndex);
let input = "";
process.stdin.on("data", (part) => { input += part; });
process.stdin.on("end", () => console.log(JSON.stringify(JSON.parse(input).map((q) => search(q, 3).map((hit) => hit.address)))));
