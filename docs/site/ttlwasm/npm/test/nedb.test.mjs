// nedb with the library in it, as docs/adopting/nedb.md describes. It needs
//
//	npm ci --prefix conformance/lab/adapters/nedb
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "./nedb.mjs";

const folder = fileURLToPath(new URL("../../../../../conformance/lab/adapters/nedb", import.meta.url));

test("nedb with the library", { skip: existsSync(`${folder}/node_modules`) ? false : "nedb is not installed" }, async () => {
  const Datastore = load(folder, { patched: true }), ago = (seconds) => new Date(Date.now() - 1000 * seconds);
  const left = async (options, documents) => {
    const db = new Datastore({ inMemoryOnly: true });
    await db.ensureIndexAsync({ fieldName: "at", expireAfterSeconds: 60, ...options });
    await db.insertAsync(documents.map((document, _id) => ({ _id, ...document })));
    return (await db.findAsync({}).sort({ _id: 1 })).map((document) => document._id);
  };
  assert.deepEqual(await left({}, [{ at: ago(61) }, { at: ago(59) }, { at: "2001" }, { at: [ago(0), ago(61)] }, {}]), [1, 2, 4]);
  assert.deepEqual(await left({ fieldName: "meta.at" }, [{ meta: { at: ago(61) } }, { meta: { at: ago(59) } }, { meta: ago(61) }, { meta: [{ at: ago(61) }] }]), [1, 2]);
  assert.deepEqual(await left({ partialFilterExpression: { kind: "guest" } }, [{ at: ago(61), kind: "guest" }, { at: ago(61), kind: "user" }, { at: ago(61) }]), [1, 2]);
  await assert.rejects(left({ fieldName: ["at", "kind"] }, []), { code: 67 });
  await assert.rejects(left({ expireAfterSeconds: -1 }, []), { code: 67 });
  assert.deepEqual(await left({ expireAfterSeconds: undefined }, [{ at: ago(1e6) }]), [0]);
});
