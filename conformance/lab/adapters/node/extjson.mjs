// Canonical Extended JSON to the values of JavaScript, exactly or not at all.
import { Skip } from "./serve.mjs";

const wrappers = {
  $numberInt: Number,
  $numberDouble: Number,
  $numberLong: (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)),
  $date: ({ $numberLong: ms }) => date(ms),
};

// What drivers have classes for, and the language has not.
const foreign = ["$numberDecimal", "$oid", "$timestamp", "$binary", "$regularExpression", "$code", "$symbol", "$dbPointer", "$minKey", "$maxKey", "$undefined"];

function date(ms) {
  const value = new Date(Number(ms));
  if (Number.isNaN(value.getTime())) throw new Skip(`JavaScript cannot hold the date ${ms}`);
  return value;
}

// decode returns the value of what JSON.parse read. It throws a Skip for one
// that JavaScript cannot hold.
export function decode(v) {
  if (v === null || typeof v !== "object") return v;
  if (Array.isArray(v)) return v.map(decode);
  const [name] = Object.keys(v);
  if (foreign.includes(name)) throw new Skip(`JavaScript has no ${name}`);
  if (Object.hasOwn(wrappers, name)) return wrappers[name](v[name]);
  return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, decode(x)]));
}

// encode returns the Extended JSON of a number, or of what needs none.
export function encode(v) {
  if (typeof v === "bigint") return { $numberLong: String(v) };
  if (typeof v !== "number") return v;
  if (Number.isInteger(v) && !Object.is(v, -0)) return Math.abs(v) < 2 ** 31 ? { $numberInt: String(v) } : { $numberLong: String(v) };
  return { $numberDouble: Object.is(v, -0) ? "-0.0" : String(v) };
}

// memberText returns the text of a member of the object that well-formed JSON
// text is.
export function memberText(text, name) {
  const token = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;
  let depth = 0, start = -1, last;
  for (let m; (m = token.exec(text)); last = m[0]) {
    const ends = depth === 1 && (m[0] === "," || m[0] === "}");
    if (ends && start >= 0) return text.slice(start, m.index).trim();
    if ("{[".includes(m[0])) depth++;
    if ("}]".includes(m[0])) depth--;
    if (depth === 1 && m[0] === ":" && JSON.parse(last) === name) start = token.lastIndex;
  }
  throw new Error(`no member ${name}`);
}
