// The examples of the README, run as a user has the package: unpacked from its archive.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { bson } from "./bson.mjs";

const home = new URL("..", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "ttlpolicy-"));
after(() => rmSync(folder, { recursive: true }));

const [packed] = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: home, stdio: ["ignore", "pipe", "ignore"] }));
mkdirSync(join(folder, "node_modules/ttlpolicy"), { recursive: true });
execFileSync("tar", ["-xzf", join(folder, packed.filename), "-C", join(folder, "node_modules/ttlpolicy"), "--strip-components=1"]);

test("the archive holds what is needed and nothing that runs by itself", () => {
  assert.deepEqual(packed.files.map((f) => f.path).sort(), [
    "LICENSE", "README.md", "THIRD_PARTY.txt", "browser.js", "core.d.ts", "core.js", "filter.js", "index.d.ts", "node.js", "package.json", "path.js", "shortcut.js", "store.js", "ttlpolicy.wasm", "values.js", "wasi.js",
  ]);
  const manifest = JSON.parse(readFileSync(join(folder, "node_modules/ttlpolicy/package.json")));
  for (const member of ["scripts", "dependencies", "optionalDependencies", "peerDependencies", "bin", "gypfile"]) assert.equal(manifest[member], undefined, member);
});

const second = Date.parse("2025-12-31T23:00:00Z");
writeFileSync(join(folder, "sessions.bson"), Buffer.concat([
  bson({ createdAt: new Date(second) }), bson({ createdAt: new Date(second + 1) }), bson({ createdAt: "never" }), bson({ createdAt: new Date(0) }),
]));

const examples = [...readFileSync(join(home, "README.md"), "utf8").matchAll(/^```js\n(.*?)^```\n\n```text\n(.*?)^```/gms)];
assert.equal(examples.length, 6);
for (const [i, [, code, output]] of examples.entries()) {
  test(`example ${i + 1}`, () => {
    const file = join(folder, `example${i + 1}.mjs`);
    writeFileSync(file, code);
    assert.equal(execFileSync(process.execPath, [file], { cwd: folder, encoding: "utf8" }), output);
  });
}
