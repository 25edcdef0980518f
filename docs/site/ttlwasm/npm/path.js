import { isShortASCII } from "./values.js";

// Stand-ins for a holder: nowhere if a path leads nowhere, scalar if a scalar stands
// on it.
export const nowhere = Object.freeze(Object.create(null));
export const scalar = Object.freeze(Object.create(null));

// wayTo returns the names on a path before its last, and the last.
export function wayTo(path) {
  const names = path.split(".");
  return [names.slice(0, -1), names.at(-1)];
}

// isInherited reports whether plain objects inherit a field of this name from
// Object.prototype, to which anybody can write. Then the module must look.
export const isInherited = (name) => name in Object.prototype;

// holderOf returns the object at the end of a way, nowhere or scalar, or undefined if the
// module must look: at an array, an instance of a class, or a value that no database
// stores.
export function holderOf(document, way) {
  let holder = document;
  for (let i = 0; i < way.length; i++) {
    if (isInherited(way[i])) return undefined;
    const value = holder[way[i]];
    if (typeof value !== "object" || value === null) return value === undefined ? (way[i] in holder ? undefined : nowhere) : isScalar(value) ? scalar : undefined;
    if (Object.getPrototypeOf(value) !== Object.prototype || value._bsontype !== undefined) return value instanceof Date && !Number.isNaN(value.getTime()) ? scalar : undefined;
    holder = value;
  }
  return holder;
}

// isScalar reports whether a value is null, a number, a boolean or a short text of ASCII.
export function isScalar(value) {
  switch (typeof value) {
    case "string": return isShortASCII(value);
    case "number": case "boolean": return true;
  }
  return value === null;
}
