import { testOf } from "./filter.js";
import { holderOf, isInherited, isScalar, scalar, wayTo } from "./path.js";

// shortCutOf returns an object that decides about plain objects without the module, or
// undefined if the policy has no short cut. It takes the module's description of the policy.
// The object's look returns the deadline of a document, Infinity for none, and NaN if the
// module must decide. After a deadline or Infinity its rule and source hold the numbers of the
// rule and the source.
export function shortCutOf({ keeps, plain, container }) {
  if (keeps !== undefined) return { rule: keeps, source: 0, look: () => Infinity };
  if (container !== undefined) return new Container(container);
  if (plain === undefined || plain.some(({ delay }) => latestDate + delay > Number.MAX_SAFE_INTEGER)) return undefined;
  const indexes = plain.map((p) => new Index(p));
  return indexes.length === 1 ? indexes[0] : new Indexes(indexes);
}

const latestDate = 8.64e15; // in milliseconds since 1970, on both sides

// Places among the rules of an index.
const aDate = 0, aList = 1, missing = 2, aNull = 3, aScalar = 4, outside = 5;

// An index on one field: a Date in it expires a delay later.
class Index {
  #way; // the names of the objects that hold the field
  #field;
  #delay;
  #rules;
  #meets; // whether a document meets the filter, undefined if the module must say
  rule = 0;
  source = 0;

  constructor({ field, delay, rules, filter }) {
    [this.#way, this.#field] = wayTo(field);
    this.#delay = delay;
    this.#rules = rules;
    if (filter !== undefined) this.#meets = testOf(filter);
  }

  look(document) {
    const holder = this.#way.length === 0 ? document : holderOf(document, this.#way);
    if (holder === undefined || isInherited(this.#field)) return NaN;
    const value = holder[this.#field];
    let deadline = Infinity, at = aDate;
    if (value instanceof Date) {
      deadline = value.getTime() + this.#delay;
    } else if (Array.isArray(value)) {
      deadline = earliest(value) + this.#delay;
      at = aList;
    } else if (value === undefined) {
      if (this.#field in holder) return NaN;
      at = holder === scalar ? aNull : missing;
    } else {
      if (!isScalar(value)) return NaN;
      at = value === null ? aNull : aScalar;
    }
    if (this.#meets !== undefined && deadline === deadline) {
      const meets = this.#meets(document);
      if (meets === undefined) return NaN;
      if (!meets) {
        deadline = Infinity;
        at = outside;
      }
    }
    this.rule = this.#rules[at];
    return deadline;
  }
}

// earliest returns the earliest Date of an array, or NaN if the array holds anything but
// Dates.
function earliest(list) {
  let first = list.length === 0 ? NaN : Infinity;
  for (let i = 0; i < list.length; i++) {
    const date = list[i];
    if (!(date instanceof Date)) return NaN;
    first = Math.min(first, date.getTime());
  }
  return Object.keys(list).length === list.length ? first : NaN;
}

// Several indexes: the earliest deadline decides, and the first index of equal
// ones.
class Indexes {
  #indexes;
  rule = 0;
  source = 0;

  constructor(indexes) {
    this.#indexes = indexes;
  }

  look(document) {
    let deadline = Infinity, rule = 0, source = 0;
    for (let i = 0; i < this.#indexes.length; i++) {
      const one = this.#indexes[i].look(document);
      if (one !== one) return NaN;
      if (i === 0 || one < deadline) {
        deadline = one;
        rule = this.#indexes[i].rule;
        source = i;
      }
    }
    this.rule = rule;
    this.source = source;
    return deadline;
  }
}

const lastSecond = 253402300799; // of the year 9999

// A container of Cosmos DB: the item's ttl, or else the container's default, counts from
// _ts.
class Container {
  #default;
  #rules;
  rule = 0;
  source = 0;

  constructor({ default: seconds, rules }) {
    this.#default = seconds;
    this.#rules = rules;
  }

  look(item) {
    if (isInherited("_ts") || isInherited("ttl")) return NaN;
    const ts = item._ts, ttl = item.ttl;
    if (!Number.isInteger(ts) || ts <= 0 || ts > lastSecond) return NaN;
    let seconds = 0, at = 0;
    if (ttl === undefined) {
      if ("ttl" in item) return NaN;
      seconds = this.#default;
    } else if (ttl === -1) {
      at = 1;
    } else if (Number.isInteger(ttl) && ttl > 0 && ttl < 2 ** 31) {
      seconds = ttl;
      at = 2;
    } else {
      return NaN;
    }
    this.rule = this.#rules[at];
    return seconds === 0 ? Infinity : (ts + seconds) * 1000;
  }
}
