// Values of JavaScript, written as a database stores them. A value without exactly one
// meaning there is refused with its path, never left out and never replaced: undefined,
// functions, symbols, instances of classes such as Map, arrays with holes. A plain object
// is always a document: one with a member $date is not a date.

const deepest = 200; // objects within objects; no database stores as many

// toBSON returns the bytes of a plain object, as drivers store it. It writes all fields, or
// those listed in names. They are valid until the next call.
export function toBSON(document, names = null) {
  const out = spare ?? new Bytes(); // a getter of the object may call toBSON again
  spare = null;
  out.length = 0;
  writeRoot(out, document, names);
  spare = out;
  return out.whole();
}

// A Batch holds successive documents in the form that the module reads in one
// call.
export class Batch {
  #out = new Bytes();
  #isItems;
  #names;
  #isSafe;

  // A Batch writes only the fields listed in names.
  constructor(isItems, names) {
    this.#isItems = isItems;
    this.#names = names;
    this.#isSafe = noneInherited(names);
  }

  // Adds a document, or nothing if it is refused.
  add(document) {
    const before = this.#out.length;
    try {
      if (this.#isItems) this.#out.text(`${toJSON(document, this.#names)}\n`);
      else writeRoot(this.#out, document, this.#names, this.#isSafe);
    } catch (error) {
      this.#out.length = before;
      throw error;
    }
  }

  whole() {
    return this.#out.whole();
  }
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

// fromExtendedJSON returns a value that JSON.parse made of canonical Extended JSON, such as an
// answer, with numbers and Dates in the place of their wrappers. A 64-bit integer that no
// number holds exactly becomes a bigint. Other wrappers stay.
export function fromExtendedJSON(value) {
  if (Array.isArray(value)) return value.map(fromExtendedJSON);
  if (typeof value !== "object" || value === null) return value;
  const names = Object.keys(value);
  if (names.length === 1 && names[0][0] === "$") {
    const inner = value[names[0]];
    switch (names[0]) {
      case "$numberInt": case "$numberDouble": return Number(inner);
      case "$numberLong": return Number.isSafeInteger(Number(inner)) ? Number(inner) : BigInt(inner);
      case "$date": {
        const date = new Date(typeof inner === "string" ? inner : Number(inner.$numberLong));
        return Number.isNaN(date.getTime()) ? value : date;
      }
    }
  }
  return Object.fromEntries(names.map((name) => [name, fromExtendedJSON(value[name])]));
}

// definitionText returns the text of a definition: there, unlike in a document, an object with a
// member such as $numberInt is a value of Extended JSON, as answers have it.
export const definitionText = (value) => extended(value, "", 0, true);

// toJSON returns the text of an item of a container. It writes all properties, or those
// listed in names.
export function toJSON(item, names = null) {
  if (names === null || !isPlain(item)) return json(item, "", 0, "an item");
  const write = (value, path) => json(value, path, 1, "an item");
  return objectText(item, "", 0, write, names.filter((name) => Object.hasOwn(item, name)));
}

// questionText returns the text of a policy or a question. Items, and the settings of
// containers, are plain JSON; other values are those of MongoDB.
export function questionText(question) {
  if (kindOf(question, root) !== "object") refuse(root, `${nameOf(question)}; want an object`);
  return objectText(question, "", 0, (value, path) => {
    if (path === "target") return json(value, path, 1, "a target");
    if (path !== "in" || kindOf(value, path) !== "object") return extended(value, path, 1);
    return objectText(value, path, 1, (v, p) => (plain.has(p) ? json(v, p, 2, "JSON") : extended(v, p, 2, p !== "in.document" && p !== "in.steps")));
  });
}

const root = "the value";
const plain = new Set(["in.container", "in.item", "in.previous"]);

// Names of members that make an object a typed value of Extended JSON.
const wrappers = new Set([
  "$oid", "$symbol", "$numberInt", "$numberLong", "$numberDouble", "$numberDecimal", "$binary", "$uuid", "$code", "$scope",
  "$timestamp", "$regularExpression", "$dbPointer", "$date", "$minKey", "$maxKey", "$undefined",
]);

function refuse(path, what) {
  throw new TypeError(`${path || root} is ${what}`);
}

// Names a value that cannot be written, for an error.
function nameOf(value) {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return typeof value === "string" ? "a string" : String(value);
  if (typeof value === "function") return "a function";
  return `a ${value._bsontype ?? value.constructor?.name ?? "object of a class"}`;
}

// kindOf returns the kind of a value: "null", "boolean", "string", "number", "bigint",
// "date", "regexp", "array" or "object". It refuses everything else.
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

// isPlain reports whether a value is an object without a class. It knows those of
// other realms too.
function isPlain(value) {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

// noneInherited reports whether plain objects inherit no field of these names.
const noneInherited = (names) => !names.some((name) => name in Object.prototype);

function kindOfObject(value, path) {
  if (Array.isArray(value)) {
    if (Object.keys(value).length !== value.length) {
      for (let i = 0; i < value.length; i++) if (!Object.hasOwn(value, i)) refuse(`${path}[${i}]`, "undefined");
      refuse(path, "an array with members of its own");
    }
    return "array";
  }
  if (value._bsontype === undefined && isPlain(value)) {
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
  if (!isShortASCII(text) && /\p{Surrogate}/u.test(text)) refuse(path, "a string with half a surrogate pair");
}

// isShortASCII reports whether a text is short and all ASCII.
export function isShortASCII(text) {
  if (text.length > 64) return false;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}

const below = (path, name) => (path === "" ? name : `${path}.${name}`);

function checkDepth(path, depth) {
  if (depth > deepest) refuse(path.slice(0, 100), `nested deeper than ${deepest}, or within itself`);
}

function objectText(value, path, depth, write, names = Object.keys(value)) {
  checkDepth(path, depth);
  return `{${names.map((name) => {
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

function extended(value, path, depth, isDefinition = false) {
  const write = (v, p) => extended(v, p, depth + 1, isDefinition);
  switch (kindOf(value, path)) {
    case "null": case "boolean": case "string": return JSON.stringify(value);
    case "bigint": return `{"$numberLong":"${value}"}`;
    case "number": return isInt32(value) ? String(value) : `{"$numberDouble":"${Object.is(value, -0) ? "-0.0" : value}"}`;
    case "date": return `{"$date":{"$numberLong":"${value.getTime()}"}}`;
    case "regexp": return `{"$regularExpression":${JSON.stringify({ pattern: value.source, options: optionsOf(value) })}}`;
    case "array": return arrayText(value, path, depth, write);
  }
  const wrapper = Object.keys(value).find((name) => wrappers.has(name));
  if (wrapper !== undefined && isDefinition) return json(value, path, depth, "Extended JSON");
  if (wrapper !== undefined) {
    throw new TypeError(`${path || root} has a member ${wrapper}, which Extended JSON takes for a value; give what it means, such as a Date, or the text of extendedJSON(…)`);
  }
  return objectText(value, path, depth, write);
}

const isInt32 = (n) => Number.isInteger(n) && !Object.is(n, -0) && n >= -(2 ** 31) && n < 2 ** 31;
const optionsOf = (pattern) => [...pattern.flags].filter((f) => "imsux".includes(f)).sort().join("");

// Bytes is a buffer that grows.
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
    const at = this.#room(1); // call it first: it may replace the array and its view
    this.#bytes[at] = b;
    this.length++;
  }

  int32(n) {
    const at = this.#room(4);
    this.#view.setInt32(at, n, true);
    this.length += 4;
  }

  int64(n) {
    const at = this.#room(8);
    this.#view.setBigInt64(at, n, true);
    this.length += 8;
  }

  // Writes a whole number as 64 bits.
  whole64(n) {
    const at = this.#room(8), high = Math.floor(n / 2 ** 32);
    this.#view.setUint32(at, n - high * 2 ** 32, true);
    this.#view.setInt32(at + 4, high, true);
    this.length += 8;
  }

  double(n) {
    const at = this.#room(8);
    this.#view.setFloat64(at, n, true);
    this.length += 8;
  }

  text(s) {
    const at = this.#room(3 * s.length);
    if (isShortASCII(s)) {
      for (let i = 0; i < s.length; i++) this.#bytes[at + i] = s.charCodeAt(i);
      this.length += s.length;
    } else {
      this.length += this.#encoder.encodeInto(s, this.#bytes.subarray(at)).written;
    }
  }

  // Writes a text that ends with a zero byte, and refuses one that holds a zero.
  name(s, path) {
    if (s.includes("\0")) throw new TypeError(`${path} holds a zero character, which BSON cannot have there`);
    this.text(s);
    this.byte(0);
  }

  // Writes a field that is a Date or a short text, as most fields with names encoded
  // before are. It writes nothing and reports false for any other.
  common(name, value) {
    if (typeof value === "string") {
      if (!isShortASCII(value)) return false;
      let at = this.#head(0x02, name, 5 + value.length);
      this.#view.setInt32(at, value.length + 1, true);
      at += 4;
      for (let i = 0; i < value.length; i++) this.#bytes[at + i] = value.charCodeAt(i);
      this.#bytes[at + value.length] = 0;
      return true;
    }
    const ms = value instanceof Date ? value.getTime() : NaN;
    if (ms !== ms) return false;
    const at = this.#head(0x09, name, 8), high = Math.floor(ms / 2 ** 32);
    this.#view.setUint32(at, ms - high * 2 ** 32, true);
    this.#view.setInt32(at + 4, high, true);
    return true;
  }

  // Writes the type and the name of a field, and returns the offset of its n
  // bytes.
  #head(type, name, n) {
    const at = this.#room(1 + name.length + n);
    this.#bytes[at] = type;
    for (let i = 0; i < name.length; i++) this.#bytes[at + 1 + i] = name[i];
    this.length += 1 + name.length + n;
    return at + 1 + name.length;
  }

  // Writes at a place the length of the bytes from start on.
  measure(at, start) {
    this.#view.setInt32(at, this.length - start, true);
  }

  whole() {
    return this.#bytes.subarray(0, this.length);
  }
}

let spare = new Bytes();

// encodedNames returns the bytes of names, each with its terminating zero. It keeps the
// result for a list that is used again.
function encodedNames(names) {
  let encoded = encodings.get(names);
  if (encoded === undefined) {
    encoded = names.map((name) => new TextEncoder().encode(`${name}\0`));
    encodings.set(names, encoded);
  }
  return encoded;
}

const encodings = new WeakMap();

// writeRoot writes a document. If names are given, it reads no other field.
function writeRoot(out, document, names, isSafe = names !== null && noneInherited(names)) {
  if (names === null || !isPlain(document)) {
    if (kindOf(document, root) !== "object") refuse(root, `${nameOf(document)}; want an object`);
    return writeDocument(out, document, Object.keys(document), "", 1);
  }
  const at = out.length;
  out.int32(0);
  const encoded = encodedNames(names);
  for (let i = 0; i < names.length; i++) {
    const name = names[i], value = document[name];
    if ((isSafe && value !== undefined || Object.hasOwn(document, name)) && !out.common(encoded[i], value)) writeField(out, name, value, name, 1);
  }
  out.byte(0);
  out.measure(at, at);
}

function writeDocument(out, value, names, path, depth) {
  checkDepth(path, depth);
  const isArray = Array.isArray(value), at = out.length;
  out.int32(0);
  for (const name of names) writeField(out, name, value[name], isArray ? `${path}[${name}]` : below(path, name), depth);
  out.byte(0);
  out.measure(at, at);
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
    case "date": return out.whole64(value.getTime());
    case "string": return writeText(out, value);
    case "regexp": out.name(value.source, path); return out.name(optionsOf(value), path);
    case "array": case "object": return writeDocument(out, value, Object.keys(value), path, depth + 1);
  }
}

function writeText(out, text) {
  const at = out.length;
  out.int32(0);
  out.text(text);
  out.byte(0);
  out.measure(at, at + 4);
}
