// Collections and containers: a definition as the database stores it, with the policy that it
// compiles to, so that the two cannot disagree.

// A Refusal is the database's answer to a definition or an item that it does not take.
export class Refusal extends Error {
  constructor({ message, ...fields }) {
    super(message);
    this.name = "Refusal";
    Object.assign(this, fields);
  }
}

// refuse throws the error of an answer of the module, unless there is none.
export function refuse({ error, skip, fault }) {
  if (error !== undefined) throw new Refusal(error);
  if (skip !== undefined) throw new Refusal({ class: "unspecified", message: skip });
  if (fault !== undefined) throw new TypeError(fault);
}

const change = Symbol("change");

class Stored {
  #policy;

  constructor(ttl, target, definition) {
    this.ttl = ttl;
    this.target = Object.freeze(target);
    this.#policy = ttl.compileListed(`{"target":${JSON.stringify(target)},"in":${definition}}`);
  }

  [change](command, argument, now = 0) {
    const [next, reply] = this.#policy.change(command, argument, now);
    this.#policy.free();
    this.#policy = next;
    return reply;
  }

  get definition() { return this.#policy.definition; }
  get fingerprint() { return this.#policy.fingerprint; }
  get reads() { return this.#policy.reads; }
  decide(document, now) { return this.#policy.decide(document, now); }
  isExpired(document, now) { return this.#policy.isExpired(document, now); }
  decideAll(documents, now) { return this.#policy.decideAll(documents, now); }
  decideStream(pieces, now) { return this.#policy.decideStream(pieces, now); }
  neverExpire(documents, now) { return this.#policy.neverExpire(documents, now); }
  explain(document, now) { return this.#policy.explain(document, now); }
  free() { this.#policy.free(); }
}

export class Collection extends Stored {
  #exists;

  constructor(ttl, target, definition) {
    super(ttl, { system: "mongodb", ...target }, definition ?? '{"indexes":[]}');
    this.#exists = definition !== undefined;
  }

  #made(reply) { this.#exists = true; return reply; }
  create(options = {}, now = new Date()) { return this.#made(this[change](this.#exists ? "createAgain" : "create", options, now)); }
  createIndexes(indexes, now = new Date()) { return this.#made(this[change]("createIndexes", indexes, now)); }
  createIndex(key, options = {}, now = new Date()) { return this.createIndexes([{ key, ...options }], now); }
  collMod(body, now = new Date()) { return this[change]("collMod", body, now); }
  dropIndexes(index) { return this[change]("dropIndexes", index); }
}

export class Container extends Stored {
  constructor(ttl, settings = {}) {
    super(ttl, { system: "cosmos-nosql" }, typeof settings === "string" ? settings : '{"container":{}}');
    if (typeof settings !== "string") this.replace(settings);
  }

  get settings() { return JSON.parse(this.definition).container; }
  replace(settings) { return this[change]("replace", settings); }

  // Returns the item as the service stores it, or throws what the service answers.
  write(item, now = new Date()) {
    const answer = this.ttl.ask({ op: "cosmos.validateItem", target: this.target, in: { container: this.settings, item } });
    if (!answer.skip?.startsWith("unspecified")) refuse(answer);
    return { ...item, _ts: Math.floor(Number(now) / 1000) };
  }
}
