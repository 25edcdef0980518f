// Answers the commonest questions before the Go code is there. It tells what kind of
// question somebody asks, and puts what the question says into the answer that the
// library gave to one of that kind (Shorts in short.go). What it does not know for
// certain it leaves to the Go code, and returns null. A test compares the two.
"use strict";

const ttlShort = (() => {
  // A reader of one value as the shell writes it. It knows few words: what else stands
  // there, it throws.
  function reader(text) {
    let at = 0;
    const refuse = () => { throw new SyntaxError("not here"); };
    const skip = () => { at += text.slice(at).match(/^(?:\s|\/\/[^\n]*(?:\n|$)|\/\*[^]*?\*\/)*/)[0].length; };
    const take = (pattern) => {
      skip();
      const found = text.slice(at).match(pattern);
      if (found) at += found[0].length;
      return found;
    };
    const must = (pattern) => take(pattern) ?? refuse();
    const string = () => {
      const found = must(/^(?:"([^"\\\n]*)"|'([^'\\\n]*)')/);
      return found[1] ?? found[2];
    };
    const date = (written) => {
      if (!/^(?:19[7-9]|20[0-9])\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/.test(written)) refuse();
      const ms = Date.parse(written);
      if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== written.slice(0, 10)) refuse();
      return { date: ms };
    };
    const within = (read) => {
      must(/^\(/);
      const v = read();
      must(/^\)/);
      return v;
    };
    function value() {
      if (take(/^\{/)) return object();
      if (take(/^\[/)) {
        const list = [];
        while (!take(/^\]/)) {
          list.push(value());
          if (!take(/^,/)) { must(/^\]/); break; }
        }
        return { list };
      }
      skip();
      if (/^["']/.test(text.slice(at))) return string();
      const number = take(/^-?(?:0|[1-9]\d{0,14})(?![\w.])/);
      if (number) return Object.is(Number(number[0]), -0) ? refuse() : Number(number[0]);
      const word = must(/^(?:true|false|null|NaN|new\s+Date|ISODate|ObjectId|NumberInt)(?!\w)/)[0];
      switch (word) {
        case "true": return true;
        case "false": return false;
        case "null": return null;
        case "NaN": return NaN;
        case "ObjectId": return within(() => (/^[0-9a-f]{24}$/.test(string()) ? { id: true } : refuse()));
        case "NumberInt": return within(() => { const n = value(); return typeof n === "number" && Math.abs(n) < 2 ** 31 ? n : refuse(); });
      }
      return within(() => date(string()));
    }
    function object() {
      const fields = new Map();
      while (!take(/^\}/)) {
        skip();
        const name = /^["']/.test(text.slice(at)) ? string() : must(/^[A-Za-z_]\w*/)[0];
        if (fields.has(name) || name.startsWith("$") || name === "__proto__") refuse();
        must(/^:/);
        fields.set(name, value());
        if (!take(/^,/)) { must(/^\}/); break; }
      }
      return { fields };
    }
    return { value, take, must, refuse, end: () => { skip(); if (at < text.length) refuse(); } };
  }

  const fieldsOf = (v) => v?.fields ?? reader("").refuse();

  // indexOf reads an index: its definition, or createIndex(…).
  function indexOf(text) {
    const r = reader(text);
    let fields;
    if (r.take(/^db\.[A-Za-z_]\w*\.createIndex\(/)) {
      const key = r.value();
      fields = r.take(/^,/) ? new Map(fieldsOf(r.value())) : new Map();
      if (fields.has("key")) r.refuse();
      fields.set("key", key);
      r.must(/^\)/);
      r.take(/^;/);
    } else {
      fields = fieldsOf(r.value());
    }
    r.end();
    for (const name of fields.keys()) if (!["key", "expireAfterSeconds", "v", "name"].includes(name)) r.refuse();
    const key = [...fieldsOf(fields.get("key"))];
    const plain = ([name, way]) => /^[A-Za-z]\w{0,60}$/.test(name) && (way === 1 || way === -1);
    if (key.length < 1 || key.length > 2 || !key.every(plain) || fields.has("name") || fields.has("v") && fields.get("v") !== 2) r.refuse();
    return { key, seconds: fields.get("expireAfterSeconds") };
  }

  function documentOf(text) {
    const r = reader(text);
    const fields = fieldsOf(r.value());
    r.end();
    return fields;
  }

  const isSeconds = (n) => Number.isInteger(n) && n > 0 && n < 2 ** 31 - 1;

  // of MongoDB: the kind of a question, and what it says.
  function mongo(policy, text) {
    const { key: [[field, way], other], seconds } = indexOf(policy);
    const document = documentOf(text);
    const v = document.get(field);
    const says = { field, name: field + "_" + way, other: other?.[0], seconds, from: v?.date };
    if (other) {
      if (way !== 1 || other[1] !== 1 || v?.date === undefined || document.has(other[0]) || !isSeconds(seconds)) return null;
      return ["two date", says];
    }
    if (way !== 1) return null;
    const limits = seconds === undefined ? "none" : Number.isNaN(seconds) ? "NaN" : seconds === 0 ? "0" : isSeconds(seconds) ? "7" : "";
    if (limits === "") return null;
    let holds;
    if (!document.has(field)) holds = "missing";
    else if (v === null) holds = "null";
    else if (typeof v === "string") holds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(v) ? "iso" : /[\d@]/.test(v) ? "" : "text";
    else if (Number.isInteger(v) && v >= 1e8 && v < 2 ** 31) holds = "seconds";
    else if (Number.isInteger(v) && v >= 1e12 && v < 1e13 && !/^\s*\{\s*"/.test(text)) holds = "millis";
    else if (v?.date !== undefined) holds = "date";
    if (holds === "iso") reader(`ISODate("${v}")`).value(); // a day that there is
    return holds ? [limits + " " + holds, says] : null;
  }

  // of Azure Cosmos DB for NoSQL.
  function cosmos(policy, text) {
    const container = documentOf(policy), item = documentOf(text);
    JSON.parse(policy);
    JSON.parse(text);
    for (const name of container.keys()) if (!["id", "partitionKey", "defaultTtl"].includes(name)) return null;
    const word = (n) => n === undefined ? "none" : n === -1 ? "-1" : Number.isInteger(n) && n > 0 && n < 2 ** 31 ? "7" : "";
    const [standard, ttl, ts] = [container.get("defaultTtl"), item.get("ttl"), item.get("_ts")];
    const [d, own] = [word(standard), word(ttl)];
    if (!d || !own || !Number.isInteger(ts) || ts < 1e9 || ts >= 4e9 || container.has("defaultTtl") && standard === undefined) return null;
    const seconds = own === "7" ? ttl : standard;
    return [`container ${d} ${own}`, { seconds, standard, from: ts * 1000 }];
  }

  const units = [["d", 86400000], ["h", 3600000], ["min", 60000], ["s", 1000], ["ms", 1]];

  // span writes a time in its two largest units.
  function span(ms) {
    const i = units.findIndex(([, u]) => ms >= u);
    if (i < 0) return "0 ms";
    const [name, u] = units[i];
    const rest = ms % u, next = units[i + 1];
    return `${Math.floor(ms / u)} ${name}` + (next && rest >= next[1] ? ` ${Math.floor(rest / next[1])} ${next[0]}` : "");
  }

  // whole writes seconds in the largest unit in which they are whole.
  function whole(seconds) {
    const [name, u] = units.slice(0, 3).find(([, u]) => seconds && seconds * 1000 % u === 0) ?? ["s", 1000];
    return `${seconds * 1000 / u} ${name}`;
  }

  // short answers a question at an instant in milliseconds, by the answers of each kind.
  return (shorts, system, policy, text, now) => {
    let found;
    try {
      found = { "mongodb": mongo, "cosmos-nosql": cosmos }[system]?.(policy, text);
    } catch {
      return null;
    }
    const short = found && shorts[found[0]];
    if (!short) return null;
    const says = found[1];
    const deadline = says.from + (says.seconds || 0) * 1000; // releases that delete by NaN read 0
    const put = (text, inUnits) => text.replace(/ttlField|otherField|2026-11-20T11:30:00\.000Z|\b7 s\b|(?<=expireAfterSeconds: |defaultTtl )(?:7|60)\b/g, (mark) => ({
      ttlField: says.field, otherField: says.other, "7": String(says.standard ?? says.seconds), "60": String(says.standard), "7 s": inUnits(says.seconds),
    })[mark] ?? new Date(says.from).toISOString());
    const verdict = (one) => one.verdict || (deadline + (one.late ? 1 : 0) <= now ? "expired" : "pending");
    const state = verdict(short);
    return {
      verdict: state, because: put(short.because, (s) => span(s * 1000)), after: state === "expired" ? short.after : "", rule: short.rule, policy: put(short.policy, whole),
      deadline: state === "never" ? "" : new Date(deadline).toISOString(),
      distance: state === "never" ? "" : deadline > now ? "in " + span(deadline - now) : deadline < now ? span(now - deadline) + " ago" : "now",
      fixes: short.fixes.map((f) => ({ text: put(f.text, whole), command: put(f.command, whole) })),
      strip: short.strip.map((g) => ({ first: g.first, last: g.last, verdict: verdict(g), rule: g.rule })),
    };
  };
})();
if (typeof module === "object") module.exports = ttlShort;
