// Values of JavaScript, written as a database stores them. What has no one meaning there is
// refused with its path, never left out and never replaced: undefined, functions, symbols,
// instances of classes such as Map, arrays with holes. A plain object is the document that
// it is: one with a member $date is no date.

const deepest = 200; // objects within objects; no database stores as many

// toBSON returns the bytes of a plain object, as drivers store it.
export function toBSON(document) {
  const out = new Bytes();
  if (kindOf(document, root) !== "object") refuse(root, `${nameOf(document)}; want an object`);
  writeDocument(out, document, Object.keys(document), "", 1);
  return out.whole();
}

// toExtendedJSON returns the text of a value in Extended JSON, as drivers store it. An object
// with a member such as $date has no form there, and is refused.
export function toExtendedJSON(value) {
  return extended(value, "", 0);
}

// extendedJSON returns the text of an object that is Extended JSON already, such as
// EJSON.serialize returns it: {$date: …} is a date.
export function extendedJSON(value) {
  return json(value, "", 0, "Extended JSON");
}

// toJSON returns the text of an item of a container.
export function toJSON(item) {
  return json(item, "", 0, "an item");
}

// questionText returns the text of a policy or a question. Items, and the settings of
// containers, are plain JSON; other values are those of MongoDB.
export function questionText(question) {
  if (kindOf(question, root) !== "object") refuse(root, `${nameOf(question)}; want an object`);
  return objectText(question, "", 0, (value, path) => {
    if (path === "target") return json(value, path, 1, "a target");
    if (path !== "in" || kindOf(value, path) !== "object") return extended(value, path, 1);
    return objectText(value, path, 1, (v, p) => (plain.has(p) ? json(v, p, 2, "JSON") : extended(v, p, 2)));
  });
}

const root = "the value";
const plain = new Set(["in.container", "in.item", "in.previous"]);

// What Extended JSON takes for a value of its own.
const wrappers = new Set([
  "$oid", "$symbol", "$numberInt", "$numberLong", "$numberDouble", "$numberDecimal", "$binary", "$uuid", "$code", "$scope",
  "$timestamp", "$regularExpression", "$dbPointer", "$date", "$minKey", "$maxKey", "$undefined",
]);

function refuse(path, what) {
  throw new TypeError(`${path || root} is ${what}`);
}

// The name of what is not written, for people.
function nameOf(value) {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return typeof value === "string" ? "a string" : String(value);
  if (typeof value === "function") return "a function";
  return `a ${value._bsontype ?? value.constructor?.name ?? "object of a class"}`;
}

// kindOf returns what a value is: "null", "boolean", "string", "number", "bigint", "date",
// "regexp", "array" or "object". It refuses everything else.
function kindOf(value, path) {
  if (value === null) return "null";
  switch (typeof value) {
    case "boolean": case "number": return typeof value;
    case "bigint":
      if (value < -(2n ** 63n) || value >= 2n ** 63n) refuse(path, `${value}, which no 64 bits hold`);
      return "bigint";
    case "string":
      checkText(value, path);
      return "string";
    case "object": return kindOfObject(value, path);
  }
  return refuse(path, typeof value === "symbol" ? "a symbol" : nameOf(value));
}

function kindOfObject(value, path) {
  if (Array.isArray(value)) {
    if (Object.keys(value).length !== value.length) {
      for (let i = 0; i < value.length; i++) if (!Object.hasOwn(value, i)) refuse(`${path}[${i}]`, "undefined");
      refuse(path, "an array with members of its own");
    }
    return "array";
  }
  const prototype = Object.getPrototypeOf(value);
  if (value._bsontype === undefined && (prototype === null || Object.getPrototypeOf(prototype) === null)) { // also of another realm
    if (Object.getOwnPropertySymbols(value).length > 0) refuse(path, "an object with a symbol among its names");
    return "object";
  }
  switch (Object.prototype.toString.call(value)) {
    case "[object Date]":
      if (Number.isNaN(value.getTime())) refuse(path, "an invalid Date");
      return "date";
    case "[object RegExp]": return "regexp";
  }
  return refuse(path, `${nameOf(value)}; give the document as BSON bytes, or as the text of EJSON.stringify`);
}

function checkText(text, path) {
  if (/\p{Surrogate}/u.test(text)) refuse(path, "a string with half a surrogate pair");
}

const below = (path, name) => (path === "" ? name : `${path}.${name}`);

function checkDepth(path, depth) {
  if (depth > deepest) refuse(path.slice(0, 100), `nested deeper than ${deepest}, or within itself`);
}

function objectText(value, path, depth, write) {
  checkDepth(path, depth);
  return `{${Object.keys(value).map((name) => {
    const place = below(path, name);
    checkText(name, place);
    return `${JSON.stringify(name)}:${write(value[name], place)}`;
  }).join(",")}}`;
}

function arrayText(value, path, depth, write) {
  checkDepth(path, depth);
  return `[${value.map((v, i) => write(v, `${path}[${i}]`)).join(",")}]`;
}

function json(value, path, depth, what) {
  const kind = kindOf(value, path);
  const write = (v, p) => json(v, p, depth + 1, what);
  switch (kind) {
    case "null": case "boolean": case "string": return JSON.stringify(value);
    case "bigint": return String(value);
    case "array": return arrayText(value, path, depth, write);
    case "object": return objectText(value, path, depth, write);
    case "number":
      if (Number.isFinite(value)) return Object.is(value, -0) ? "-0.0" : String(value);
      return refuse(path, `${value}, which ${what} cannot hold`);
  }
  return refuse(path, `${nameOf(value)}, which ${what} cannot hold`);
}

function extended(value, path, depth) {
  const write = (v, p) => extended(v, p, depth + 1);
  switch (kindOf(value, path)) {
    case "null": case "boolean": case "string": return JSON.stringify(value);
    case "bigint": return `{"$numberLong":"${value}"}`;
    case "number": return isInt32(value) ? String(value) : `{"$numberDouble":"${Object.is(value, -0) ? "-0.0" : value}"}`;
    case "date": return `{"$date":{"$numberLong":"${value.getTime()}"}}`;
    case "regexp": return `{"$regularExpression":${JSON.stringify({ pattern: value.source, options: optionsOf(value) })}}`;
    case "array": return arrayText(value, path, depth, write);
  }
  const wrapper = Object.keys(value).find((name) => wrappers.has(name));
  if (wrapper !== undefined) {
    throw new TypeError(`${path || root} has a member ${wrapper}, which Extended JSON takes for a value; give what it means, such as a Date, or the text of extendedJSON(…)`);
  }
  return objectText(value, path, depth, write);
}

const isInt32 = (n) => Number.isInteger(n) && !Object.is(n, -0) && n >= -(2 ** 31) && n < 2 ** 31;
const optionsOf = (pattern) => [...pattern.flags].filter((f) => "imsux".includes(f)).sort().join("");

// Bytes grow.
class Bytes {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #encoder = new TextEncoder();
  length = 0;

  #room(n) {
    const at = this.length;
    if (at + n > this.#bytes.length) {
      const larger = new Uint8Array(2 * (at + n));
      larger.set(this.#bytes.subarray(0, at));
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return at;
  }

  byte(b) {
    this.#bytes[this.#room(1)] = b;
    this.length++;
  }

  int32(n) {
    this.#view.setInt32(this.#room(4), n, true);
    this.length += 4;
  }

  int64(n) {
    this.#view.setBigInt64(this.#room(8), n, true);
    this.length += 8;
  }

  double(n) {
    this.#view.setFloat64(this.#room(8), n, true);
    this.length += 8;
  }

  text(s) {
    const at = this.#room(3 * s.length);
    this.length += this.#encoder.encodeInto(s, this.#bytes.subarray(at)).written;
  }

  // Writes a text that a zero ends, and so can hold none.
  name(s, path) {
    if (s.includes("\0")) throw new TypeError(`${path} holds a zero character, which BSON cannot have there`);
    this.text(s);
    this.byte(0);
  }

  // Writes what write writes with its length before it, which begins at the length or behind it.
  measured(write, own) {
    const at = this.length;
    this.int32(0);
    write();
    this.#view.setInt32(at, this.length - at - (own ? 0 : 4), true);
  }

  whole() {
    return this.#bytes.subarray(0, this.length);
  }
}

function writeDocument(out, value, names, path, depth) {
  checkDepth(path, depth);
  const isArray = Array.isArray(value);
  out.measured(() => {
    for (const name of names) writeField(out, name, value[name], isArray ? `${path}[${name}]` : below(path, name), depth);
    out.byte(0);
  }, true);
}

const types = { null: 0x0a, boolean: 0x08, string: 0x02, bigint: 0x12, date: 0x09, regexp: 0x0b, array: 0x04, object: 0x03 };

function writeField(out, name, value, path, depth) {
  const kind = kindOf(value, path);
  const isInt = kind === "number" && isInt32(value);
  checkText(name, path);
  out.byte(kind === "number" ? (isInt ? 0x10 : 0x01) : types[kind]);
  out.name(name, path);
  switch (kind) {
    case "boolean": return out.byte(value ? 1 : 0);
    case "number": return isInt ? out.int32(value) : out.double(value);
    case "bigint": return out.int64(value);
    case "date": return out.int64(BigInt(value.getTime()));
    case "string": return out.measured(() => { out.text(value); out.byte(0); }, false);
    case "regexp": out.name(value.source, path); return out.name(optionsOf(value), path);
    case "array": case "object": return writeDocument(out, value, Object.keys(value), path, depth + 1);
  }
}
