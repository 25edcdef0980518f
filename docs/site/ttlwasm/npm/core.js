import { isInherited } from "./path.js";
import { shortCutOf } from "./shortcut.js";
import { Collection, Container, refuse } from "./store.js";
import { Batch, definitionText, fromExtendedJSON, questionText, toBSON, toJSON } from "./values.js";
import { wasi } from "./wasi.js";

export { Refusal } from "./store.js";
export { extendedJSON, fromExtendedJSON, toExtendedJSON } from "./values.js";

const abi = 1;
const bson = 1, extJSON = 2, json = 3; // formats of documents
const decisionBytes = 16;
const states = ["never", "pending", "expired"];
const piece = 4 << 20; // bytes for one call, unless a single document is longer
const largest = 32 << 20;

const codes = {
  [-1]: "BAD_HANDLE", [-2]: "BAD_POINTER", [-3]: "BAD_FORMAT", [-4]: "BAD_TEXT",
  [-5]: "BAD_DOCUMENT", [-6]: "BAD_NUMBER", [-7]: "TOO_MUCH", [-8]: "BROKEN",
};

export class TTLError extends Error {
  constructor(code, message) {
    super(message);
    this.name = "TTLError";
    this.code = code;
  }
}

// instantiate makes an instance of a module. It takes a compiled module or its
// bytes.
export async function instantiate(source) {
  const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
  const [imports, begin] = host();
  return begin(await WebAssembly.instantiate(module, imports));
}

// instantiateSync is instantiate for callers that cannot wait.
export function instantiateSync(source) {
  const module = source instanceof WebAssembly.Module ? source : new WebAssembly.Module(source);
  const [imports, begin] = host();
  return begin(new WebAssembly.Instance(module, imports));
}

// host returns a module's imports, and a function that makes a TTL of an instance
// with these imports.
function host() {
  let memory;
  return [{ wasi_snapshot_preview1: wasi(() => memory) }, ({ exports }) => {
    memory = exports.memory;
    exports._initialize();
    if (exports.ttl_abi() !== abi) throw new TTLError("ABI", `the module has version ${exports.ttl_abi()} of its interface, this package needs ${abi}`);
    return new TTL(exports);
  }];
}

class TTL {
  #exports;
  #encoder = new TextEncoder();
  #decoder = new TextDecoder();
  #bytes = new Uint8Array(0);
  #input = { address: 0, length: 0 };
  #output = { address: 0, length: 0 };
  #view = new DataView(new ArrayBuffer(0));
  #rules = [];
  #sources = new Map(); // names by handle and number
  #forgotten = new FinalizationRegistry((handle) => {
    this.#sources.delete(handle);
    this.#exports.ttl_release(handle);
  });

  constructor(exports) {
    this.#exports = exports;
  }

  get info() {
    return JSON.parse(this.#text(this.#exports.ttl_hello()));
  }

  // Compiles a policy as somebody wrote it.
  compile(policy) {
    return this.#compiled(policy, this.#exports.ttl_compile);
  }

  // Compiles a policy as a server or a dump shows it.
  compileListed(policy) {
    return this.#compiled(policy, this.#exports.ttl_compile_listed);
  }

  #compiled(policy, compile) {
    const text = typeof policy === "string" ? policy : questionText(policy);
    const { target } = JSON.parse(text);
    return this.#policy(this.#check(compile(...this.#write(text))), target.system === "cosmos-nosql");
  }

  #policy(handle, isContainer) {
    const about = JSON.parse(this.#text(this.#check(this.#exports.ttl_about(handle))));
    const compiled = new Policy(this, this.#calls, handle, isContainer, about);
    this.#forgotten.register(compiled, handle, compiled);
    return compiled;
  }

  // Returns a collection of MongoDB, without indexes or with a definition that it had before.
  collection(target, definition) {
    return new Collection(this, target, definition);
  }

  // Returns a container of Azure Cosmos DB, of settings or of a definition that it had before.
  container(settings) {
    return new Container(this, settings);
  }

  ask(question) {
    const isText = typeof question === "string";
    const answer = this.#text(this.#check(this.#exports.ttl_ask(...this.#write(isText ? question : questionText(question)))));
    return isText ? answer : JSON.parse(answer);
  }

  // The functions that a policy calls.
  #calls = {
    decide: (handle, format, document, now) => this.#decision(handle, this.#decide(handle, format, document, now)),
    // decide, with the decision as the module writes it.
    decideBytes: (handle, format, document, now) => {
      const out = this.#decide(handle, format, document, now);
      return this.#memory.subarray(out, out + decisionBytes);
    },
    decideAt: (handle, format, document, ts, now) => {
      const [address, length] = this.#write(document);
      const out = this.#room(this.#output, decisionBytes);
      this.#check(this.#exports.ttl_decide_at(handle, format, address, length, BigInt(ts), instant(now), out));
      return this.#decision(handle, out);
    },
    // Decides about the complete documents from bytes[at] on. Its first attempt takes
    // `first` bytes.
    decideSome: (handle, format, bytes, at, now, first = piece) => {
      const t = instant(now);
      for (let n = first; ; n *= 2) {
        const end = Math.min(bytes.length, at + n);
        const [address, length] = this.#write(bytes.subarray(at, end));
        const room = Math.min(length, Math.max(1024, length >> 5));
        const out = this.#room(this.#output, room * decisionBytes);
        const count = this.#check(this.#exports.ttl_decide_all(handle, format, address, length, t, out, room));
        if (count > 0 || end === bytes.length || n >= largest) return this.#decisions(handle, count, at);
      }
    },
    definition: (handle) => this.#text(this.#check(this.#exports.ttl_definition(handle))),
    change: (handle, isContainer, command, argument, now) => {
      const text = `{${JSON.stringify(command)}:${definitionText(argument)},"now":{"$numberLong":"${instant(now)}"}}`;
      const answer = JSON.parse(this.#text(this.#check(this.#exports.ttl_change(handle, ...this.#write(text)))));
      refuse(answer);
      return [this.#policy(Number(answer.policy), isContainer), fromExtendedJSON(answer.reply)];
    },
    explain: (handle, format, document, now) => JSON.parse(this.#text(this.#check(this.#exports.ttl_explain(handle, format, ...this.#write(document), instant(now))))),
    source: (handle, number) => {
      const names = this.#sources.get(handle) ?? this.#sources.set(handle, []).get(handle);
      if (names[number] === undefined) {
        const length = this.#exports.ttl_source(handle, number);
        names[number] = length < 0 ? "" : this.#text(length);
      }
      return names[number];
    },
    free: (policy, handle) => {
      this.#sources.delete(handle);
      this.#forgotten.unregister(policy);
      this.#check(this.#exports.ttl_release(handle));
    },
    rule: (number) => (number === 0 ? "" : (this.#rules[number] ??= this.#text(this.#check(this.#exports.ttl_rule(number))))),
  };

  // Returns the address of the module's decision.
  #decide(handle, format, document, now) {
    const [address, length] = this.#write(document);
    const out = this.#room(this.#output, decisionBytes);
    this.#check(this.#exports.ttl_decide(handle, format, address, length, instant(now), out));
    return out;
  }

  // The module's memory. It is another object after it has grown.
  get #memory() {
    if (this.#bytes.buffer !== this.#exports.memory.buffer) {
      this.#bytes = new Uint8Array(this.#exports.memory.buffer);
      this.#view = new DataView(this.#exports.memory.buffer);
    }
    return this.#bytes;
  }

  #check(code) {
    if (code >= 0) return code;
    throw new TTLError(codes[code] ?? String(code), this.#text(this.#exports.ttl_error()));
  }

  #text(length) {
    const address = this.#exports.ttl_text() >>> 0;
    return this.#decoder.decode(this.#memory.subarray(address, address + length));
  }

  // Makes room for length bytes, and returns its address.
  #room(buffer, length) {
    if (buffer.length < length) {
      if (buffer.address !== 0) this.#check(this.#exports.ttl_free(buffer.address));
      buffer.length = 0;
      buffer.address = this.#exports.ttl_alloc(length * 2) >>> 0;
      if (buffer.address === 0) throw new TTLError("TOO_MUCH", `the module has no ${length * 2} bytes left`);
      buffer.length = length * 2;
    }
    return buffer.address;
  }

  #write(document) {
    if (typeof document === "string") {
      const address = this.#room(this.#input, document.length * 3 + 1);
      return [address, this.#encoder.encodeInto(document, this.#memory.subarray(address, address + this.#input.length)).written];
    }
    const address = this.#room(this.#input, document.length + 1);
    this.#memory.set(document, address);
    return [address, document.length];
  }

  // Reads the decision that the module wrote at an address.
  #decision(handle, address) {
    const view = this.#memory && this.#view;
    const state = view.getUint8(address + 11), rule = this.#calls.rule(view.getUint16(address + 8, true));
    if (state === 0) return { state: "never", deadline: null, rule, source: "" };
    return { state: states[state], deadline: view.getBigInt64(address, true), rule, source: this.#calls.source(handle, view.getUint8(address + 10)) };
  }

  #decisions(handle, count, base) {
    const { address } = this.#output;
    return new Decisions(this.#memory.slice(address, address + count * decisionBytes), base, this.#calls, handle);
  }
}

class Policy {
  #calls;
  #handle;
  #isContainer;
  #shortCut; // undefined if the module decides about every document
  // #field is set for a single index on a top-level field without a filter. isExpired compares
  // the Dates of that field by itself, because a call would double the cost.
  #field;
  #delay = 0;

  constructor(owner, calls, handle, isContainer, about) {
    this.#calls = calls;
    this.#handle = handle;
    this.#isContainer = isContainer;
    this.ttl = owner; // lives as long as its policies
    this.reads = Object.freeze(about.reads);
    this.fingerprint = about.fingerprint;
    this.#shortCut = shortCutOf(about);
    if (this.#shortCut !== undefined && about.plain?.length === 1 && about.plain[0].filter === undefined && !about.plain[0].field.includes(".")) {
      this.#field = about.plain[0].field;
      this.#delay = about.plain[0].delay;
    }
  }

  isExpired(document, now) {
    if (Number.isSafeInteger(now)) {
      const date = this.#field === undefined || typeof document !== "object" || document === null || document.constructor !== Object || isInherited(this.#field) ? undefined : document[this.#field];
      const deadline = date instanceof Date ? date.getTime() + this.#delay : this.#deadline(document);
      if (deadline === deadline) return deadline <= now;
    }
    return this.decide(document, now).state === "expired";
  }

  decide(document, now) {
    const deadline = this.#deadline(document);
    if (deadline === deadline) {
      const clock = instant(now), rule = this.#calls.rule(this.#shortCut.rule);
      if (deadline === Infinity) return { state: "never", deadline: null, rule, source: "" };
      const at = BigInt(deadline);
      return { state: at <= clock ? "expired" : "pending", deadline: at, rule, source: this.source(this.#shortCut.source) };
    }
    const [format, content] = this.#formOf(document);
    return this.#calls.decide(this.#handle, format, content, now);
  }

  // The deadline of a document by the short cut: Infinity if it has none, NaN if the module
  // must decide.
  #deadline(document) {
    if (this.#shortCut === undefined || typeof document !== "object" || document === null || Object.getPrototypeOf(document) !== Object.prototype) return NaN;
    return this.#shortCut.look(document);
  }

  decideAt(document, ts, now) {
    const [format, content] = this.#formOf(document);
    return this.#calls.decideAt(this.#handle, format, content, ts, now);
  }

  decideAll(documents, now) {
    if (Array.isArray(documents)) return this.#decideEach(documents, instant(now));
    const [format, bytes] = this.#batchOf(documents);
    const all = [], errors = [];
    let count = 0, size = piece;
    for (let at = 0; at < bytes.length; ) {
      let some;
      try {
        some = this.#calls.decideSome(this.#handle, format, bytes, at, now, size);
        if (some.length === 0) {
          if (format !== bson && isBlank(bytes.subarray(at))) break;
          throw new TTLError("BAD_DOCUMENT", `the document at byte ${at} is not whole`);
        }
        size = Math.min(2 * size, piece);
      } catch (error) {
        if (format !== extJSON || error.code !== "BAD_DOCUMENT") throw error;
        some = this.#kept(at, endOfLine(bytes, at));
        errors[count] = error;
        size = 4096; // an error of one bad line must not carry the whole text
      }
      all.push(some);
      count += some.length;
      at = some.end(some.length - 1);
    }
    return all.length === 1 && errors.length === 0 ? all[0] : this.#join(all, errors);
  }

  // Decides about the documents of an array. The short cut decides about most objects,
  // a few calls about all other objects, and one call each about bytes and texts.
  #decideEach(documents, now) {
    const bytes = new Uint8Array(documents.length * decisionBytes), view = new DataView(bytes.buffer);
    const errors = [], batch = new Batch(this.#isContainer, this.reads), places = [];
    const shortCut = this.#shortCut, clock = Number.isSafeInteger(Number(now)) ? Number(now) : now;
    for (let i = 0; i < documents.length; i++) {
      const document = documents[i], deadline = this.#deadline(document), at = i * decisionBytes;
      if (deadline === Infinity) {
        view.setUint16(at + 8, shortCut.rule, true);
      } else if (deadline === deadline) {
        const high = Math.floor(deadline / 2 ** 32);
        view.setUint32(at, deadline - high * 2 ** 32, true);
        view.setInt32(at + 4, high, true);
        view.setUint16(at + 8, shortCut.rule, true);
        bytes[at + 10] = shortCut.source;
        bytes[at + 11] = deadline <= clock ? 2 : 1;
      } else {
        try {
          if (document instanceof Uint8Array || typeof document === "string") {
            bytes.set(this.#calls.decideBytes(this.#handle, ...this.#formOf(document), now), at);
          } else {
            batch.add(document);
            places.push(i);
          }
        } catch (error) {
          if (!(error instanceof TypeError || error.code === "BAD_DOCUMENT")) throw error;
          errors[i] = error;
        }
      }
      view.setUint32(at + 12, i + 1, true);
    }
    const format = this.#isContainer ? json : bson, all = batch.whole();
    for (let at = 0, n = 0; at < all.length; ) {
      const some = this.#calls.decideSome(this.#handle, format, all, at, now);
      const from = new Int32Array(some.bytes.buffer), to = new Int32Array(bytes.buffer);
      for (let k = 0; k < some.length; k++, n++) {
        for (let word = 0; word < 3; word++) to[4 * places[n] + word] = from[4 * k + word]; // all but where the document ends
      }
      at = some.end(some.length - 1);
    }
    return new Decisions(bytes, 0, this.#calls, this.#handle, errors);
  }

  // Makes one decision that keeps the bytes between two offsets.
  #kept(from, to) {
    const bytes = new Uint8Array(decisionBytes);
    new DataView(bytes.buffer).setUint32(12, to - from, true);
    return new Decisions(bytes, from, this.#calls, this.#handle);
  }

  // Joins lists of decisions about successive documents.
  #join(all, errors) {
    const bytes = new Uint8Array(all.reduce((n, d) => n + d.bytes.length, 0));
    const view = new DataView(bytes.buffer);
    let at = 0;
    for (const some of all) {
      bytes.set(some.bytes, at);
      for (let i = 0; i < some.length; i++) view.setUint32(at + i * decisionBytes + 12, some.end(i), true);
      at += some.bytes.length;
    }
    return new Decisions(bytes, 0, this.#calls, this.#handle, errors);
  }

  async *decideStream(pieces, now) {
    const format = this.#isContainer ? json : bson;
    let rest = new Uint8Array(0), offset = 0;
    for await (const next of pieces) {
      rest = concat(rest, next);
      let at = 0;
      while (at < rest.length) {
        const decisions = this.#calls.decideSome(this.#handle, format, rest, at, typeof now === "function" ? now() : now);
        if (decisions.length === 0) break;
        at = decisions.end(decisions.length - 1);
        yield { bytes: rest, decisions, offset };
      }
      if (rest.length - at > largest) throw new TTLError("BAD_DOCUMENT", `the document at byte ${offset + at} does not end`);
      offset += at;
      rest = rest.slice(at);
    }
    if (format === json && !isBlank(rest)) {
      const bytes = concat(rest, Uint8Array.of(10));
      yield { bytes, decisions: this.#calls.decideSome(this.#handle, format, bytes, 0, typeof now === "function" ? now() : now), offset };
    } else if (format === bson && rest.length > 0) {
      throw new TTLError("BAD_DOCUMENT", `the document at byte ${offset} is not whole`);
    }
  }

  explain(document, now) {
    const [format, content] = this.#formOf(document, null); // all fields: an explanation may name any of them
    return this.#calls.explain(this.#handle, format, content, now);
  }

  // Counts the documents that never expire by their rules, the most frequent first.
  neverExpire(documents, now) {
    const decisions = this.decideAll(documents, now), byRule = new Map();
    for (let i = 0; i < decisions.length; i++) {
      if (decisions.state(i) !== "never") continue;
      const rule = decisions.rule(i), entry = byRule.get(rule);
      if (entry === undefined) byRule.set(rule, { rule, count: 1, first: i });
      else entry.count++;
    }
    return [...byRule.values()].sort((a, b) => b.count - a.count);
  }

  get definition() {
    return this.#calls.definition(this.#handle);
  }

  // Returns the policy after a command, and the reply.
  change(command, argument, now) {
    return this.#calls.change(this.#handle, this.#isContainer, command, argument, now);
  }

  source(number) {
    return this.#calls.source(this.#handle, number);
  }

  free() {
    if (this.#handle === 0) return;
    this.#calls.free(this, this.#handle);
    this.#handle = 0;
    this.#shortCut = this.#field = undefined;
  }

  [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
    this.free();
  }

  #formOf(document, names = this.reads) {
    if (document instanceof Uint8Array) return [this.#isContainer ? json : bson, document];
    if (typeof document === "string") return [this.#isContainer ? json : extJSON, document];
    return this.#isContainer ? [json, toJSON(document, names)] : [bson, toBSON(document, names)];
  }

  #batchOf(documents) {
    if (documents instanceof Uint8Array && !this.#isContainer) return [bson, documents];
    const bytes = documents instanceof Uint8Array ? documents : new TextEncoder().encode(documents);
    const isWhole = bytes.length === 0 || bytes[bytes.length - 1] === 10;
    return [this.#isContainer ? json : extJSON, isWhole ? bytes : concat(bytes, Uint8Array.of(10))];
  }
}

// Decisions are a list of decisions in the bytes that the module wrote.
class Decisions {
  #view;
  #base;
  #calls;
  #handle;

  #errors;

  constructor(bytes, base, calls, handle, errors = []) {
    this.bytes = bytes;
    this.#errors = errors;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#base = base;
    this.#calls = calls;
    this.#handle = handle;
  }

  get length() {
    return this.#view.byteLength / decisionBytes;
  }

  state(i) {
    return states[this.#view.getUint8(i * decisionBytes + 11)];
  }

  isExpired(i) {
    return this.#view.getUint8(i * decisionBytes + 11) === 2;
  }

  deadline(i) {
    return this.#view.getUint8(i * decisionBytes + 11) === 0 ? null : this.#view.getBigInt64(i * decisionBytes, true);
  }

  rule(i) {
    return this.#calls.rule(this.#view.getUint16(i * decisionBytes + 8, true));
  }

  source(i) {
    return this.#calls.source(this.#handle, this.#view.getUint8(i * decisionBytes + 10));
  }

  end(i) {
    return this.#base + this.#view.getUint32(i * decisionBytes + 12, true);
  }

  start(i) {
    return i === 0 ? this.#base : this.end(i - 1);
  }

  error(i) {
    return this.#errors[i] ?? null;
  }

  get errors() {
    return Object.keys(this.#errors).map(Number);
  }

  at(i) {
    const state = this.state(i);
    return { state, deadline: this.deadline(i), rule: this.rule(i), source: state === "never" ? "" : this.source(i) };
  }

  *[Symbol.iterator]() {
    for (let i = 0; i < this.length; i++) yield this.at(i);
  }
}

// endOfLine returns the end of the first line from an offset on that is not
// blank.
function endOfLine(bytes, from) {
  for (;;) {
    const end = bytes.indexOf(10, from) + 1;
    if (end === 0) return bytes.length;
    if (!isBlank(bytes.subarray(from, end))) return end;
    from = end;
  }
}

function concat(a, b) {
  if (a.length === 0) return b;
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

const isBlank = (bytes) => bytes.every((b) => b === 32 || b === 9 || b === 10 || b === 13);

function instant(now) {
  if (typeof now === "bigint") return now;
  const ms = now instanceof Date ? now.getTime() : now;
  if (!Number.isSafeInteger(ms)) throw new TypeError(`now is ${now}, want a Date, a bigint or a whole number of milliseconds since 1970`);
  return BigInt(ms);
}
