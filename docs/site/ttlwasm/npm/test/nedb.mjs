// nedb with the library in the place of its own comparison: the change that
// docs/adopting/nedb.md describes, made in a copy of the package that npm has installed.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

// each change: the text to find, once, and its replacement
const changes = [
  [/^/, `const ttl = require(${JSON.stringify(fileURLToPath(new URL("../node.js", import.meta.url)))}).loadSync()
const ttlTarget = { system: 'mongodb', version: '8.0.4' }
`],
  [/this\.ttlIndexes = \{\}/, `this.ttlIndexes = {}
    this.ttlDefinitions = []
    this.ttlPolicy = null`],
  [/if \(options\.expireAfterSeconds !== undefined\) .*/, `if (options.expireAfterSeconds !== undefined) {
      const { fieldName, ...rest } = options
      const index = { ...rest, key: Object.fromEntries([].concat(fieldName).map(name => [name, 1])), name: _options.fieldName }
      const { error } = ttl.ask({ op: 'mongodb.createIndexes', target: ttlTarget, in: { index, existing: this.ttlDefinitions } })
      if (error) throw Object.assign(new Error(error.message), { code: error.code })
      this.ttlIndexes[_options.fieldName] = options.expireAfterSeconds
      this.ttlDefinitions.push(index)
      this.ttlPolicy = ttl.compileListed({ target: ttlTarget, in: { indexes: this.ttlDefinitions } })
    }`],
  [/const ttlIndexesFieldNames = .*/, "const policy = this.ttlPolicy, now = Date.now()"],
  [/ttlIndexesFieldNames\.every\(.*\)\) validDocs/, "policy === null || !policy.isExpired(doc, now)) validDocs"],
];

// load returns the Datastore of a folder in which npm has installed nedb: changed, or as it
// is.
export function load(folder, { patched }) {
  if (!patched) return createRequire(join(resolve(folder), "/"))("@seald-io/nedb");
  const copy = mkdtempSync(join(tmpdir(), "nedb-"));
  process.on("exit", () => rmSync(copy, { recursive: true }));
  cpSync(join(folder, "node_modules"), join(copy, "node_modules"), { recursive: true });
  const file = join(copy, "node_modules/@seald-io/nedb/lib/datastore.js");
  let text = readFileSync(file, "utf8");
  for (const [from, to] of changes) {
    if (text.split(from).length !== (from.source === "^" ? 1 : 2)) throw new Error(`nedb is another than this change is for: ${from}`);
    text = text.replace(from, () => to);
  }
  writeFileSync(file, text);
  return createRequire(join(copy, "/"))("@seald-io/nedb");
}
