import { holderOf, isInherited, wayTo } from "./path.js";
import { isShortASCII } from "./values.js";

// testOf returns a function that reports whether a plain object meets a condition of a
// filter. The function returns undefined if one of the values needs the module: an array, a
// document, a text that is not ASCII, or a value that no database stores.
export function testOf({ operator, parts, field, value, date }) {
  if (parts === undefined) return comparisonOf(operator, field, date ?? value, date === undefined ? typeof value : "date");
  const tests = parts.map(testOf), isAny = operator === "$or";
  if (tests.length === 1) return tests[0];
  return (document) => {
    let meets = !isAny;
    for (const test of tests) {
      const one = test(document);
      if (one === undefined) return undefined;
      if (one === isAny) meets = isAny;
    }
    return meets;
  };
}

const comparisons = {
  $eq: (a, b) => a === b,
  $gt: (a, b) => a > b,
  $gte: (a, b) => a >= b,
  $lt: (a, b) => a < b,
  $lte: (a, b) => a <= b,
};

function comparisonOf(operator, path, bound, kind) {
  const [way, field] = wayTo(path);
  const test = testOfField(operator, field, bound, kind);
  if (way.length === 0) return test;
  return (document) => {
    const holder = holderOf(document, way);
    return holder === undefined ? undefined : test(holder);
  };
}

function testOfField(operator, field, bound, kind) {
  const compare = operator === "$exists" ? null : comparisons[operator];
  return (document) => {
    if (isInherited(field)) return undefined;
    const v = document[field];
    switch (typeof v) {
      case "string":
        if (kind === "string" && operator === "$eq" && v === bound) return true;
        if (!isShortASCII(v)) return undefined;
        break;
      case "number": case "boolean":
        break;
      case "undefined":
        return field in document ? undefined : false;
      case "object": {
        if (v === null) break;
        const ms = v instanceof Date ? v.getTime() : NaN;
        return ms !== ms ? undefined : compare === null || kind === "date" && compare(ms, bound);
      }
      default:
        return undefined;
    }
    return compare === null || typeof v === kind && compare(v, bound);
  };
}
