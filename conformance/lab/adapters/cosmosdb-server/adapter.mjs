// Puts @zeit/cosmosdb-server to the conformance suite.
//
// The server keeps items and serves them over HTTP; of TTL it knows nothing.
// It is the control: a suite that it passes would prove nothing. It runs in
// this process, so that its clock can be set, and listens on the loopback only.
import { createRequire } from "node:module";
import { once } from "node:events";
import { decode } from "../node/extjson.mjs";
import { Refused, Skip, serve } from "../node/serve.mjs";

const require = createRequire(import.meta.url);
const { createHttpServer } = require("@zeit/cosmosdb-server");
const { version } = require("@zeit/cosmosdb-server/package.json");

const hello = {
  name: "@zeit/cosmosdb-server", version,
  homepage: "https://github.com/vercel/cosmosdb-server", issues: "https://github.com/vercel/cosmosdb-server/issues",
  systems: { "cosmos-nosql": "*" },
  profiles: ["cosmos-nosql-core", "cosmos-nosql-validate"],
  features: ["error.status"],
};

// send returns what the server answers, which may be a refusal.
async function send(method, path, body) {
  const response = await fetch(new URL(path, base), { method, body: body && JSON.stringify(body) });
  const answer = JSON.parse((await response.text()) || "{}"); // nothing comes of DELETE
  if (response.status >= 500) throw new Error(`${method} ${path}: ${response.status} ${answer.message}`);
  if (response.status >= 400) throw new Refused(answer.message, { status: response.status });
  return answer;
}

// within calls f with a fresh container.
async function within(container, f) {
  const { id } = await send("POST", "/dbs/suite/colls", { id: "container", ...container });
  const path = `/dbs/suite/colls/${encodeURIComponent(id)}`;
  try {
    return await f(path);
  } finally {
    await send("DELETE", path);
  }
}

const written = (path, item) => send("POST", `${path}/docs`, { id: "item", ...item });

async function decide({ now, container, item }) {
  const ms = decode(now).getTime();
  if (!Number.isSafeInteger(item._ts)) throw new Skip("the server writes _ts itself, in whole seconds");
  return within(container, async (path) => {
    Date.now = () => item._ts * 1000;
    await written(path, item);
    Date.now = () => ms;
    const { Documents: found } = await send("GET", `${path}/docs`);
    return { state: found.length === 0 ? "expired" : "pending" };
  });
}

async function validateContainer({ container, previous }) {
  await within(previous ?? container, async (path) => previous && send("PUT", path, { id: "container", ...container }));
  return {};
}

async function validateItem({ container, item }) {
  await within(container, (path) => written(path, item));
  return {};
}

const server = createHttpServer({}).listen(0, "127.0.0.1");
await once(server, "listening");
const base = `http://127.0.0.1:${server.address().port}`;
await send("POST", "/dbs", { id: "suite" });
await serve(hello, { "cosmos.decide": decide, "cosmos.validateContainer": validateContainer, "cosmos.validateItem": validateItem });
server.close();
