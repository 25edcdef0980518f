// Answers the commonest questions before the Go code is there. It finds the kind of
// a question, and puts the question's names and numbers into the library's answer
// for that kind (Shorts in short.go). It returns null if it is not certain, and the
// Go code answers. A test compares the two.
"use strict";

const ttlShort = (() => {
  // A reader of one value as the shell writes it. It knows few words, and throws an
  // error for any other.
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
    // value reads a value. In a program it also reads tuples and words such as the types of
    // a schema.
    function value(isProgram = false) {
      if (take(/^\{/)) return object(isProgram);
      const close = take(/^\[/) ? /^\]/ : isProgram && take(/^\(/) ? /^\)/ : null;
      if (close) {
        const list = [];
        while (!take(close)) {
          list.push(value(isProgram));
          if (!take(/^,/)) { must(close); break; }
        }
        return { list };
      }
      skip();
      if (/^["']/.test(text.slice(at))) return string();
      const number = take(/^-?(?:0|[1-9]\d{0,14})(?![\w.])/);
      if (number) return Object.is(Number(number[0]), -0) ? refuse() : Number(number[0]);
      const word = take(/^(?:true|false|null|NaN|new\s+Date|ISODate|ObjectId|NumberInt)(?![\w.])/)?.[0];
      switch (word) {
        case "true": return true;
        case "false": return false;
        case "null": return null;
        case "NaN": return NaN;
        case "ObjectId": return within(() => (/^[0-9a-f]{24}$/.test(string()) ? { id: true } : refuse()));
        case "NumberInt": return within(() => { const n = value(); return typeof n === "number" && Math.abs(n) < 2 ** 31 ? n : refuse(); });
        case undefined: return isProgram ? { word: must(/^(?:\(\) => new Date\(\)|Date\.now(?:\(\))?|(?:mongoose\.)?(?:Schema\.)?(?:Types\.)?(?:String|Number|Date|Boolean|Buffer|Mixed|ObjectId|Map|Array|Object)|(?:pymongo\.)?(?:A|DE)SCENDING|True|False)(?![\w.(])/)[0] } : refuse();
      }
      return within(() => date(string()));
    }
    function object(isProgram) {
      const fields = new Map();
      while (!take(/^\}/)) {
        skip();
        const name = /^["']/.test(text.slice(at)) ? string() : must(/^[A-Za-z_]\w*/)[0];
        if (fields.has(name) || name.startsWith("$") || name === "__proto__") refuse();
        must(/^:/);
        fields.set(name, value(isProgram));
        if (!take(/^,/)) { must(/^\}/); break; }
      }
      return { fields };
    }
    return { value, take, must, refuse, end: () => { skip(); if (at < text.length) refuse(); } };
  }

  const fieldsOf = (v) => v?.fields ?? reader("").refuse();

  const plainName = /^[A-Za-z]\w{0,60}$/;

  // indexOf takes an index: its key, its seconds, its filter. Options that change nothing
  // may stand beside them.
  function indexOf(fields) {
    const refuse = reader("").refuse;
    for (const [name, v] of fields) if (!["key", "expireAfterSeconds", "v", "name", "ns", "background", "partialFilterExpression"].includes(name) || name === "background" && typeof v !== "boolean") refuse();
    const key = [...fieldsOf(fields.get("key"))];
    if (key.length < 1 || key.length > 2 || !key.every(([name, way]) => plainName.test(name) && (way === 1 || way === -1)) || ![undefined, 1, 2].includes(fields.get("v"))) refuse();
    if (fields.has("name") && fields.get("name") !== key.map(([name, way]) => `${name}_${way}`).join("_")) refuse();
    const named = fields.has("ns") ? /^[\w-]+\.([A-Za-z_]\w*)$/.exec(fields.get("ns")) ?? refuse() : [];
    let filter;
    if (fields.has("partialFilterExpression")) {
      const parts = [...fieldsOf(fields.get("partialFilterExpression"))];
      const [field, v] = parts[0] ?? refuse();
      if (parts.length > 1 || !plainName.test(field) || key.some(([name]) => name === field) || !(typeof v === "boolean" || typeof v === "string" && /^[\w .:-]*$/.test(v))) refuse();
      filter = { field, v };
    }
    return { key, seconds: fields.get("expireAfterSeconds"), filter, name: named[1] };
  }

  // listed takes an array of indexes, as getIndexes() shows it: the one that expires
  // documents, or the one beside that on _id.
  function listed(list) {
    const refuse = reader("").refuse;
    const isID = (x) => x.get("key")?.fields?.size === 1 && x.get("key").fields.get("_id") === 1;
    const isQuiet = (x) => [...x.keys()].every((name) => ["v", "key", "name", "ns", "unique", "sparse", "background"].includes(name)) &&
      [...fieldsOf(x.get("key"))].every(([name, way]) => !/after|ttl|second|expire(?!s?_?at)/i.test(name) && [1, -1, "hashed", "text", "2dsphere"].includes(way));
    const all = list.map(fieldsOf);
    const timed = all.filter((x) => x.has("expireAfterSeconds"));
    const rest = all.filter((x) => !timed.includes(x));
    if (!rest.every(isQuiet) || timed.length > 1 || all.filter(isID).length > 1 || timed.some(isID)) refuse();
    const meant = timed.length ? timed : rest.filter((x) => !isID(x));
    if (meant.length !== 1) refuse();
    const names = new Set(all.filter((x) => x.has("ns")).map((x) => x.get("ns")));
    if (names.size > 1 || names.size === 1 && !all[0].has("ns")) refuse();
    const index = indexOf(meant[0]);
    return names.size ? { ...index, name: indexOf(new Map([["key", meant[0].get("key")], ["ns", [...names][0]]])).name } : index;
  }

  const seconds = { s: 1, sec: 1, second: 1, seconds: 1, m: 60, min: 60, minute: 60, minutes: 60, h: 3600, hr: 3600, hour: 3600, hours: 3600, d: 86400, day: 86400, days: 86400, w: 604800, week: 604800, weeks: 604800 };

  // schemaOf takes the one field of a schema of mongoose that expires.
  function schemaOf(fields) {
    const refuse = reader("").refuse;
    let found;
    for (const [name, v] of fields) {
      const own = v?.fields;
      if (!own?.has("expires")) {
        if (/expire(?!s?_?at)|ttl/i.test(JSON.stringify(v, (_, part) => part instanceof Map ? [...part] : part) + name)) refuse();
        continue;
      }
      if (found || !plainName.test(name) || own.get("type")?.word !== "Date" || [...own.keys()].some((key) => !["type", "expires", "default", "required", "immutable"].includes(key))) refuse();
      const [, n, unit] = /^(\d{1,9}) ?([a-z]+)$/.exec(own.get("expires")) ?? [];
      found = { key: [[name, 1]], seconds: n ? n * (seconds[unit] ?? refuse()) : own.get("expires") };
    }
    return found && isSeconds(found.seconds) ? found : refuse();
  }

  // Lines of mongoose programs around a schema that say nothing about it.
  const around = /^\s*(?:(?:const|let|var)\s+(?:\w+|\{[\w, ]*\})\s*=\s*(?:require\(["']mongoose["']\)|mongoose(?:\.Schema)?|mongoose\.model\([\w"', ]*\))|import\s+[\w{}*, ]+\s+from\s+["']mongoose["']|(?:module\.exports\s*=|export\s+default)\s+(?:mongoose\.)?model\([\w"', ]*\))\s*;?[ \t]*$/gm;

  // policyOf reads an index: its definition, a listing, a call, or a schema.
  function policyOf(text) {
    const isSchema = /\bSchema\s*\(/.test(text);
    const r = reader(isSchema ? text.replace(around, "") : text);
    r.take(/^(?:export\s+)?(?:const|let|var)\s+\w+\s*=(?!=)/);
    let found;
    if (isSchema) {
      r.must(/^new\s+(?:mongoose\.)?Schema\s*\(/);
      found = schemaOf(fieldsOf(r.value(true)));
      if (r.take(/^,/) && !r.take(/^\)/)) {
        for (const name of fieldsOf(r.value(true)).keys()) if (!["timestamps", "versionKey", "strict"].includes(name)) r.refuse();
        r.take(/^,/);
        r.must(/^\)/);
      } else {
        r.take(/^\)/);
      }
    } else if (r.take(/^(?=[{[])/)) {
      const v = r.value(true);
      if (v.list) found = listed(v.list);
      else found = v.fields.has("key") ? indexOf(v.fields) : schemaOf(v.fields);
    } else {
      r.take(/^await(?=\s)/);
      const on = r.must(/^(?:db\.(?:(?:getCollection|collection)\((["'])([A-Za-z_]\w*)\1\)|([A-Za-z_]\w*))|db\[(["'])([A-Za-z_]\w*)\4\]|([A-Za-z_]\w*))\.(createIndex|ensureIndex|create_index|index)\s*\(/);
      const name = on[2] ?? on[3] ?? on[5];
      const isPython = on[7] === "create_index";
      let key = r.value(isPython);
      const options = new Map();
      if (isPython) {
        const way = (w) => w === 1 || /ASC/.test(w?.word) && !/DESC/.test(w?.word) ? 1 : r.refuse();
        key = { fields: new Map(typeof key === "string" ? [[key, 1]] : key.list?.map((part) => Array.isArray(part.list) && part.list.length === 2 ? [part.list[0], way(part.list[1])] : r.refuse())) };
        while (r.take(/^,/) && !r.take(/^(?=\))/)) {
          const option = r.must(/^(?:expireAfterSeconds|background|partialFilterExpression)(?=\s*=[^=])/)[0];
          if (options.has(option)) r.refuse();
          r.must(/^=/);
          let v = r.value(true);
          if (v?.word === "True" || v?.word === "False") v = v.word === "True";
          if (v?.fields) for (const [name, part] of v.fields) if (part?.word) v.fields.set(name, part.word === "True" || (part.word === "False" ? false : r.refuse()));
          options.set(option, v);
        }
      } else if (r.take(/^,/) && !r.take(/^(?=\))/)) {
        for (const [name, v] of fieldsOf(r.value())) options.set(name, v);
        r.take(/^,/);
      }
      if (options.has("key") || options.has("ns") || options.has("v")) r.refuse();
      found = { ...indexOf(options.set("key", key)), name };
      r.must(/^\)/);
    }
    r.take(/^;/);
    r.end();
    return found;
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
    const { key: [[field, way], other], seconds, filter, name } = policyOf(policy);
    const document = documentOf(text);
    const v = document.get(field);
    const says = { field, other: other?.[0], seconds, from: v?.date, filter, name: name ?? "coll" };
    if (other) {
      if (way !== 1 || other[1] !== 1 || v?.date === undefined || document.has(other[0]) || !isSeconds(seconds) || filter) return null;
      return ["two date", says];
    }
    if (way !== 1) return null;
    const limits = seconds === undefined ? "none" : Number.isNaN(seconds) ? "NaN" : seconds === 0 ? "0" : isSeconds(seconds) ? "7" : "";
    if (limits === "" || filter && limits !== "7" && limits !== "0") return null;
    let within = "";
    if (filter) {
      const there = document.get(filter.field);
      if (there !== null && typeof there === "object" && there.date === undefined) return null;
      within = there === filter.v ? "within " : "without ";
    }
    let holds;
    if (!document.has(field)) holds = "missing";
    else if (v === null) holds = "null";
    else if (typeof v === "string") holds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(v) ? "iso" : /[\d@]/.test(v) ? "" : "text";
    else if (Number.isInteger(v) && v >= 1e8 && v < 2 ** 31) holds = "seconds";
    else if (Number.isInteger(v) && v >= 1e12 && v < 1e13 && !/^\s*\{\s*"/.test(text)) holds = "millis";
    else if (v?.date !== undefined) holds = "date";
    if (holds === "iso") reader(`ISODate("${v}")`).value(); // a day that there is
    return holds ? [limits + " " + within + holds, says] : null;
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
    const id = container.get("id");
    if (container.has("id") && !(typeof id === "string" && /^[A-Za-z_][\w.-]*$/.test(id))) return null;
    return [`container ${d} ${own}`, { seconds: own === "7" ? ttl : standard, standard, from: ts * 1000, name: id ?? "items" }];
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

  // releaseOf reads a release. It returns the stop that it belongs to, and how it
  // was read.
  function releaseOf(written, stops) {
    const plain = written.trim().toLowerCase().replace(/^v/, "");
    if (plain === "") return { stop: stops.length - 1, text: stops.at(-1).release, note: "" };
    const parts = /^(0|[1-9]\d{0,3})(?:\.(0|[1-9]\d{0,3}))?(?:\.(0|[1-9]\d{0,3}))?$/.exec(plain)?.slice(1, 4).filter((n) => n !== undefined).map(Number);
    if (!parts) return null;
    const numbers = (stop) => stop.release.split(".").map(Number);
    const first = stops.find((stop) => parts.slice(0, 2).every((n, i) => numbers(stop)[i] === n));
    if (!first) return null;
    const [major, minor] = numbers(first);
    const last = stops.findLastIndex((stop) => numbers(stop)[0] === major && numbers(stop)[1] === minor);
    if (parts.length < 3) return { stop: last, text: stops[last].release, note: `${written.trim()} is read as ${stops[last].release}, the newest patch of ${major}.${minor}.` };
    const stop = stops.findIndex((s) => numbers(s)[0] === major && numbers(s)[1] === minor && numbers(s)[2] >= parts[2]);
    return stop < 0 ? null : { stop, text: plain, note: "" };
  }

  // guessed finds the database from the policy, as guess.go does.
  function guessed(policy, document) {
    const has = (...parts) => parts.some((part) => policy.includes(part));
    if (has("defaultTtl", "DefaultTimeToLive", "default_ttl", "partitionKey")) return "cosmos-nosql";
    if (has("expireAfterSeconds", "createIndex", "create_index") && has('"_ts"', "'_ts'", "{_ts", "{ _ts")) return "cosmos-mongo";
    return !has("expire", "ndex", "key", "imeseries") && document.includes('"_ts"') ? "cosmos-nosql" : "mongodb";
  }

  const words = { expired: "Expired", pending: "Pending", never: "Never expires" };

  // short answers a question at an instant in milliseconds, from the answers for each
  // kind. A question is {system, release, policy, document}; stops are those of MongoDB.
  return (shorts, stops, { system, release, policy, document }, now) => {
    if (system === "guess" && (system = guessed(policy, document)) === "cosmos-nosql") release = "";
    let found;
    try {
      found = { "mongodb": mongo, "cosmos-nosql": cosmos }[system]?.(policy, document);
    } catch {
      return null;
    }
    const short = found && shorts[found[0]];
    if (!short || system === "cosmos-nosql" && release.trim()) return null;
    const read = system === "mongodb" ? releaseOf(release, stops) : { stop: -1, text: "", note: "" };
    if (!read) return null;
    const is = short.others?.find(({ first, last }) => first <= read.stop && read.stop <= last) ?? short;
    const says = found[1];
    const deadline = says.from + (says.seconds || 0) * 1000; // releases that delete by NaN take it as 0
    const put = (text, inUnits) => text.replace(/MongoDB \d+\.\d+\.\d+|\{"ttlFilter":"ttlValue"\}|ttlFilter: "ttlValue"|ttlField|otherField|ttlName|2026-11-20T11:30:00\.000Z|\b7 s(?: 1 ms)?\b|(?<=expireAfterSeconds: |defaultTtl |Date\.now\(\) - )(?:7|60)(?=\b|e3)/g, (mark) => mark.startsWith("MongoDB") ? `MongoDB ${read.text}` : mark.startsWith("ttlFilter:") ? `${says.filter.field}: ${JSON.stringify(says.filter.v)}` : mark.startsWith("{") ? JSON.stringify({ [says.filter.field]: says.filter.v }) : ({
      ttlField: says.field, otherField: says.other, ttlName: says.name, "7": String(says.standard ?? says.seconds), "60": String(says.standard), "7 s": inUnits(says.seconds), "7 s 1 ms": inUnits(says.seconds + 0.001),
    })[mark] ?? new Date(says.from).toISOString());
    const verdict = (one) => one.verdict || (deadline + (one.late ? 1 : 0) <= now ? "expired" : "pending");
    const state = verdict(is), at = deadline + (is.late ? 1 : 0);
    return {
      verdict: state, word: words[state], because: put(is.because, (s) => span(Math.round(s * 1000))), after: state === "expired" ? is.after : "", rule: is.rule, policy: put(is.policy, whole),
      deadline: state === "never" ? "" : new Date(at).toISOString(),
      distance: state === "never" ? "" : at > now ? "in " + span(at - now) : at < now ? span(now - at) + " ago" : "now",
      fixes: (is.fixes ?? []).map((f) => ({ text: put(f.text, whole), atOnce: put(f.atOnce, whole), count: put(f.count, whole), command: put(f.command, whole) })),
      strip: short.strip.map((g) => ({ first: g.first, last: g.last, verdict: verdict(g), rule: g.rule })),
      release: read.text, releaseNote: read.note, unknown: false, system, stop: read.stop,
    };
  };
})();
if (typeof module === "object") module.exports = ttlShort;
