// bson writes a document whose fields are dates, texts, truth values, numbers, null,
// arrays and documents: what tests need, without a library.
export function bson(document) {
  const fields = Object.entries(document).map(([name, value]) => field(name, value));
  const body = Buffer.concat(fields);
  const length = Buffer.alloc(4);
  length.writeInt32LE(body.length + 5);
  return Buffer.concat([length, body, Buffer.of(0)]);
}

function field(name, value) {
  const [type, content] = element(value);
  return Buffer.concat([Buffer.of(type), Buffer.from(name + "\0"), content]);
}

function element(value) {
  const eight = Buffer.alloc(8);
  if (value instanceof Date) {
    eight.writeBigInt64LE(BigInt(value.getTime()));
    return [0x09, eight];
  }
  if (typeof value === "string") {
    const text = Buffer.from(value + "\0"), length = Buffer.alloc(4);
    length.writeInt32LE(text.length);
    return [0x02, Buffer.concat([length, text])];
  }
  if (typeof value === "boolean") return [0x08, Buffer.of(value ? 1 : 0)];
  if (Number.isInteger(value) && !Object.is(value, -0) && Math.abs(value) < 2 ** 31) {
    eight.writeInt32LE(value);
    return [0x10, eight.subarray(0, 4)];
  }
  if (typeof value === "number") {
    eight.writeDoubleLE(value);
    return [0x01, eight];
  }
  if (value === null) return [0x0a, Buffer.alloc(0)];
  return [Array.isArray(value) ? 0x04 : 0x03, bson(value)];
}
