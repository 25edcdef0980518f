import assert from "node:assert/strict";
import { test } from "node:test";
import { decode, encode, memberText } from "./extjson.mjs";
import { Skip } from "./serve.mjs";

test("decode returns what JavaScript has", () => {
  for (const [text, want] of [
    ['{"$numberInt":"-2147483648"}', -2147483648],
    ['{"$numberLong":"9007199254740991"}', 9007199254740991],
    ['{"$numberLong":"9007199254740993"}', 9007199254740993n], // no number holds it
    ['{"$numberDouble":"-0.0"}', -0],
    ['{"$numberDouble":"NaN"}', NaN],
    ['{"$numberDouble":"-Infinity"}', -Infinity],
    ['{"$date":{"$numberLong":"-1"}}', new Date(-1)],
    ['{"$date":{"$numberLong":"8640000000000000"}}', new Date(8640000000000000)],
    ['{"a":[null,true,"x",{"$gt":5}]}', { a: [null, true, "x", { $gt: 5 }] }], // an operator is no wrapper
    ['{"$ref":"c","$id":1}', { $ref: "c", $id: 1 }],
    ['{"toString":1}', { toString: 1 }],
  ]) assert.deepEqual(decode(JSON.parse(text)), want, text);
});

test("decode skips what JavaScript has not", () => {
  for (const text of [
    '{"$date":{"$numberLong":"8640000000000001"}}',
    '{"$date":{"$numberLong":"-9223372036854775808"}}',
    '{"a":[{"$numberDecimal":"1"}]}',
    '{"$oid":"000000000000000000000000"}',
    '{"$timestamp":{"t":1,"i":1}}',
    '{"$undefined":true}',
  ]) assert.throws(() => decode(JSON.parse(text)), Skip, text);
});

test("encode returns Extended JSON", () => {
  for (const [v, want] of [
    [2147483647, { $numberInt: "2147483647" }],
    [2147483648, { $numberLong: "2147483648" }],
    [9223372036854775807n, { $numberLong: "9223372036854775807" }],
    [20.5, { $numberDouble: "20.5" }],
    [-0, { $numberDouble: "-0.0" }],
    [NaN, { $numberDouble: "NaN" }],
    ["10", "10"],
    [undefined, undefined],
  ]) assert.deepEqual(encode(v), want);
});

test("memberText returns a member as it was written", () => {
  for (const [text, want] of [
    ['{"in":{"b":1,"10":2.0}}', '{"b":1,"10":2.0}'],
    ['{"a":{"in":1},"x":"in", "in" : [1e400, "}\\""] ,"z":1}', '[1e400, "}\\""]'],
    ['{"\\u0069n":-0.0}', "-0.0"],
  ]) assert.equal(memberText(text, "in"), want);
  assert.throws(() => memberText('{"a":{"in":1}}', "in"), /no member/);
});
