import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

const adapter = `
  import { Refused, Skip, serve } from ${JSON.stringify(new URL("serve.mjs", import.meta.url))};
  await serve({ name: "x" }, {
    ok: async () => ({ state: "pending" }),
    skips: () => { throw new Skip("no"); },
    refuses: () => { throw new Refused("never", { status: 400 }); },
    breaks: () => { throw new TypeError("oh"); },
  });`;

test("each line gets its answer", () => {
  const dialogue = [
    ['{"cmd":"hello","protocol":1}', '{"protocol":1,"language":"javascript","name":"x","ops":["self.echo","ok","skips","refuses","breaks"]}'],
    ['{"cmd":"hello","protocol":2}', '{"seq":null,"fault":"Error: protocol 2 is not supported"}'],
    ['{"cmd":"run","seq":1,"op":"ok","in":{}}', '{"seq":1,"out":{"state":"pending"}}'],
    ['{"cmd":"run","seq":2,"op":"skips","in":{}}', '{"seq":2,"skip":"no"}'],
    ['{"cmd":"run","seq":3,"op":"refuses","in":{}}', '{"seq":3,"error":{"class":"refused","status":400,"message":"never"}}'],
    ['{"cmd":"run","seq":4,"op":"breaks","in":{}}', '{"seq":4,"fault":"TypeError: oh"}'],
    ['{"cmd":"run","seq":5,"op":"toString","in":{}}', '{"seq":5,"skip":"toString is not answered here"}'],
    ['{"cmd":"run","seq":6,"op":"self.echo","in":{"value":{"b":1.0,"10":-0.0}}}', '{"seq":6,"out":{"value":{"b":1.0,"10":-0.0}}}'],
    ['{"cmd":"nope","seq":7}', '{"seq":7,"fault":"Error: unknown cmd nope"}'],
    ["null", `{"seq":null,"fault":"TypeError: Cannot read properties of null (reading 'seq')"}`],
    ["", undefined],
    ['{"cmd":"bye"}', undefined],
    ['{"cmd":"run","seq":8,"op":"ok","in":{}}', undefined], // after bye
  ];
  const { stdout, status } = spawnSync("node", ["--input-type=module", "-e", adapter], { input: dialogue.map(([line]) => line + "\n").join("") });
  assert.deepEqual(String(stdout).trim().split("\n"), dialogue.map(([, reply]) => reply).filter((reply) => reply !== undefined));
  assert.equal(status, 0);
});
