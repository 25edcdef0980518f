// The declarations beside what they declare. TYPESCRIPT is a folder in which npm has
// installed TypeScript; without it only names are compared.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import * as core from "../core.js";
import * as node from "../node.js";

const home = new URL("..", import.meta.url).pathname;
const declarations = readFileSync(new URL("../index.d.ts", import.meta.url), "utf8");

// membersOf returns the names that an interface declares.
function membersOf(name) {
  const [, body] = declarations.match(new RegExp(`^export interface ${name}\\b[^{]*\\{\\n(.*?)^\\}`, "ms"));
  return [...new Set([...body.matchAll(/^  (?:readonly )?(\w+)[(?:<]/gm)].map(([, member]) => member))].sort();
}

const publicOf = (value) => [...new Set([...Object.keys(value), ...Object.getOwnPropertyNames(Object.getPrototypeOf(value))])].filter((n) => n !== "constructor").sort();

test("every name is declared, and every declared name is there", () => {
  const exported = [...declarations.matchAll(/^export (?:function|class|const) (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual([...new Set(exported)].sort(), Object.keys(node).sort());
  const [, fromCore] = readFileSync(new URL("../core.d.ts", import.meta.url), "utf8").match(/\{ (.*) \}/);
  assert.deepEqual(fromCore.split(", "), Object.keys(core).sort((a, b) => a.toLowerCase().localeCompare(b.toLowerCase())));
  const ttl = node.loadSync();
  const policy = ttl.compile({ target: { system: "mongodb" }, in: { indexes: [] } });
  assert.deepEqual(membersOf("TTL"), publicOf(ttl));
  assert.deepEqual(membersOf("Policy"), publicOf(policy));
  const of = (stored) => Object.getOwnPropertyNames(Object.getPrototypeOf(stored)).filter((n) => n !== "constructor").sort();
  assert.deepEqual(membersOf("Collection"), of(ttl.collection()));
  assert.deepEqual(membersOf("Container"), of(ttl.container()));
  assert.deepEqual(membersOf("Decisions"), publicOf(policy.decideAll([], 0)));
  assert.deepEqual(membersOf("Decision"), Object.keys(policy.decide({}, 0)).sort());
});

test("the compiler accepts and refuses what it should", { skip: !process.env.TYPESCRIPT && "TYPESCRIPT is not set" }, () => {
  const vendors = `${process.env.TYPESCRIPT}/vendors.ts`;
  writeFileSync(vendors, readFileSync(`${home}test/vendors.ts`, "utf8").replace("../index.js", `${home}index.js`));
  const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2023,dom,dom.asynciterable"];
  for (const [file, skip] of [[`${home}test/types.ts`, "false"], [vendors, "true"]]) {
    const run = spawnSync(process.execPath, [`${process.env.TYPESCRIPT}/node_modules/typescript/bin/tsc`, ...options, "--skipLibCheck", skip, file], { encoding: "utf8" });
    assert.equal(run.stdout + run.stderr, "");
    assert.equal(run.status, 0);
  }
});
