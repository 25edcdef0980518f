// The box of home: it keeps what somebody pastes, and shows the answer. The commonest
// questions it answers by short.js at once; the Go code is loaded when somebody begins,
// answers everything else, and has the last word.
"use strict";

(() => {
  const $ = (id) => document.getElementById("box-" + id);
  const box = $("page");
  if (!box) return;
  const page = JSON.parse(box.textContent); // {state, stops, latest, shorts, worker, starter, program, size, rule, play}
  const signs = { expired: "✕", pending: "◔", never: "∞" };
  const inAddress = [["b", "beside"], ["c", "customPath"], ["d", "document"], ["l", "legacyNull"], ["n", "now"], ["p", "policy"], ["s", "system"], ["v", "release"], ["w", "written"]];
  let state = { ...page.state };
  let worker = null, ready = false, asking = false, next = false, failed = "";

  const escaped = (text) => encodeURIComponent(text.toWellFormed?.() ?? text).replace(/[!'()*]/g, (c) => "%" + c.charCodeAt(0).toString(16).toUpperCase());
  const fragmentOf = (s) => "#" + inAddress.filter(([, field]) => s[field]).map(([name, field]) => name + "=" + (s[field] === true ? "1" : escaped(s[field]))).join("&");

  // follow takes the question of a link, and reports whether there is one.
  function follow() {
    const values = new URLSearchParams(location.hash.slice(1));
    if (!values.has("p") && !values.has("d")) return false;
    for (const [name, field] of inAddress) state[field] = values.get(name) ?? "";
    for (const field of ["customPath", "legacyNull"]) state[field] = state[field] === "1";
    $("policy").value = state.policy;
    $("document").value = state.document;
    $("release").value = state.release;
    $("written").value = state.written;
    $("system").value = state.system;
    if ($("system").selectedIndex < 0) $("system").value = state.system = "guess";
    return true;
  }

  // guessed finds the database from the policy, as guess.go does.
  function guessed() {
    const has = (...parts) => parts.some((part) => state.policy.includes(part));
    if (has("defaultTtl", "DefaultTimeToLive", "default_ttl", "partitionKey")) return "cosmos-nosql";
    if (has("expireAfterSeconds", "createIndex", "create_index") && has('"_ts"', "'_ts'", "{_ts", "{ _ts")) return "cosmos-mongo";
    return !has("expire", "ndex", "key", "imeseries") && state.document.includes('"_ts"') ? "cosmos-nosql" : "mongodb";
  }

  // load starts the Go code, in a worker, so that the page can be used meanwhile.
  function load() {
    if (worker || !window.Worker) return;
    worker = new Worker(page.worker);
    worker.onerror = () => stopped(page.worker);
    worker.onmessage = ({ data }) => {
      if (data.error) stopped(data.error);
      else if (data.ready) { ready = true; ask(); }
      else if (data.answer) answered(JSON.parse(data.answer));
      else progress(data.loaded);
    };
    worker.postMessage({ starter: page.starter, program: page.program });
  }

  function stopped(why) {
    failed = `The program that reads everything else did not start (${why}). It needs a browser with WebAssembly and DecompressionStream.`;
    if ($("answer").dataset.from !== "short") wait();
  }

  function progress(loaded) {
    const percent = Math.min(99, Math.round(100 * loaded / page.size));
    if (document.documentElement.dataset.waiting !== undefined) $("wait").textContent = `Loading the program that reads this: ${percent} % of ${(page.size / 1e6).toFixed(1)} MB.`;
  }

  // update asks about what is in the fields now.
  function update() {
    load();
    const system = state.system === "guess" ? guessed() : state.system;
    const now = Date.parse(state.now);
    const short = !state.legacyNull && !Number.isNaN(now) && ttlShort(page.shorts, page.stops, { ...state, system }, now);
    if (short) show({ ...short, stops: system === "mongodb" ? page.stops : [], problems: [], notices: [], state: { ...state, system, release: short.release } }, "short");
    else if (!ready) wait();
    ask();
  }

  function wait() {
    document.documentElement.dataset.waiting = "";
    $("wait").textContent = failed || "Loading the program that reads this.";
  }

  function ask() {
    if (!ready || $("answer").dataset.from === "") return; // nobody has asked
    if (asking) { next = true; return; }
    asking = true;
    worker.postMessage({ state: JSON.stringify(state), view: JSON.stringify({ width: 300, first: "", last: "", id: "" }) });
  }

  function answered(answer) {
    asking = false;
    if (next) { next = false; ask(); return; }
    show(answer, "program");
  }

  const span = (tag, text, attributes = {}) => {
    const e = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
    e.textContent = text;
    return e;
  };

  // stretches joins neighbouring releases with one verdict.
  function stretches({ strip, stops }) {
    const list = [];
    for (const g of strip) {
      const verdict = g.refused ? "refused" : g.verdict;
      if (list.at(-1)?.verdict === verdict) list.at(-1).last = g.last;
      else list.push({ verdict, first: g.first, last: g.last });
    }
    return list.map(({ verdict, first, last }) => ({ verdict, wide: last - first + 1, from: stops[first].label.split("–")[0], to: stops[last].label.split("–").pop() }));
  }

  const names = { policy: "Index or container", document: "Document", now: "Now", written: "Last written" };
  const systems = { "mongodb": "MongoDB", "cosmos-nosql": "Azure Cosmos DB for NoSQL", "cosmos-mongo": "Azure Cosmos DB for MongoDB" };

  // offered offers the database that the question seems to be about.
  function offered(answer) {
    $("meant").hidden = !answer.meant;
    if (!answer.meant) return;
    const button = span("button", `Answer for ${systems[answer.meant]}`, { type: "button", class: "copy" });
    button.addEventListener("click", () => { $("system").value = answer.meant; typed(); });
    $("meant").replaceChildren(`This looks to be for ${systems[answer.meant]}. `, button);
  }

  // batch shows several documents as a table, and counts them by verdict.
  function batch({ total, counts, rows } = { total: 0 }) {
    $("batch").hidden = !total;
    if (!total) return;
    $("counts").replaceChildren(...counts.map((c) => span("li", `${c.word}: ${c.number}, by ${c.rule}`, { class: c.verdict })));
    const cells = (tag, list) => { const row = document.createElement("tr"); row.append(...list.map((text) => span(tag, text))); return row; };
    $("rows").replaceChildren(cells("th", ["document", "verdict", "deadline", "because"]), ...rows.map((r) => cells("td", [r.name, r.word, r.deadline.replace(".000Z", "Z"), r.because])));
    $("more").textContent = total > rows.length ? `The first ${rows.length} of ${total} are listed.` : "";
  }

  function show(answer, from) {
    delete document.documentElement.dataset.waiting;
    $("answer").dataset.from = from;
    $("wait").textContent = "";
    const problem = answer.problems[0];
    const verdict = problem ? "" : answer.verdict;
    const several = answer.batch?.total;
    $("answer").dataset.verdict = several ? "" : verdict;
    $("sign").textContent = several ? "≡" : signs[verdict] || "?";
    const word = problem ? (answer.meant ? "Another database?" : "Cannot read this yet") : several ? `${several} documents` : answer.word;
    $("state").textContent = word;
    const when = problem || several ? "" : verdict === "expired" ? `since ${answer.deadline} (${answer.distance})` : verdict === "pending" ? `expires at ${answer.deadline} (${answer.distance})` : "";
    $("when").textContent = when.replace(".000Z", "Z");
    $("because").textContent = !problem ? (several ? "The first of them: " : "") + answer.because : answer.meant ? "" : `${names[problem.editor]}${/policy|document/.test(problem.editor) ? `, line ${problem.line}, column ${problem.column}` : ""}: ${problem.message}`;
    $("after").textContent = problem ? "" : answer.after;
    $("facts").hidden = Boolean(problem);
    batch(problem ? undefined : answer.batch);
    offered(answer);
    $("notices").replaceChildren(...(problem ? [] : answer.notices).map((text) => span("li", text)));
    const fix = !problem && answer.fixes[0];
    $("fix").hidden = !fix;
    const asked = { ...answer.state, now: state.now };
    $("play").href = page.play + fragmentOf(asked);
    $("posted").value = $("play").href;
    document.title = problem ? page.title : titleOf(word, answer.because);
    $("release-note").textContent = answer.releaseNote + (answer.unknown ? ` The answer is for ${answer.state.release}.` : "");
    $("release-note").classList.toggle("strange", answer.unknown);
    $("release").setAttribute("aria-invalid", String(answer.unknown));
    $("stamp").hidden = answer.state.system === "mongodb" || /\b_ts\b/.test(state.document);
    if (problem) return;
    $("policy-words").textContent = answer.policy;
    $("rule").textContent = answer.rule;
    $("rule").href = page.rule.replace("RULE", answer.rule);
    if (fix) {
      $("fix-text").textContent = fix.text;
      $("fix-look").hidden = !fix.count;
      $("fix-count").textContent = fix.count;
      $("fix-loss").textContent = fix.atOnce;
      $("fix-loss").classList.toggle("loss", fix.atOnce.startsWith("This deletes every "));
      $("fix-command").textContent = fix.command;
    }
    const list = stretches(answer);
    $("strip").replaceChildren(...list.map((g) => span("li", `${signs[g.verdict] ?? "–"} ${g.from === g.to ? g.from : `${g.from} to ${g.to}`}`, { class: g.verdict, title: g.verdict })));
    $("releases").hidden = list.length === 0;
  }

  // titleOf returns the title of an answer, in the 70 characters that a search
  // shows.
  function titleOf(word, because) {
    const whole = `${word}: ${because.replace(/\.$/, "")}`;
    if (whole.length <= 70) return whole;
    const cut = whole.slice(0, 69);
    return cut.slice(0, Math.max(cut.lastIndexOf(" "), 1)).replace(/[,;:]$/, "") + "…";
  }

  // typed reads the fields. From then on the answer is for the current time.
  function typed() {
    for (const name of ["policy", "document", "release", "system", "written"]) state[name] = $(name).value;
    state.now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
    if ($("answer").dataset.from === "") $("answer").dataset.from = "asked";
    update();
  }

  for (const name of ["policy", "document", "release", "written"]) $(name).addEventListener("input", typed);
  $("system").addEventListener("change", typed);
  for (const name of ["policy", "document"]) {
    $(name).addEventListener("focus", () => { if (!navigator.connection?.saveData) load(); });
  }
  $("share").addEventListener("click", async () => {
    const say = (word) => { $("share").textContent = word; setTimeout(() => { $("share").textContent = "Copy link"; }, 2000); };
    try {
      await navigator.clipboard.writeText($("posted").value);
      say("Copied");
    } catch {
      $("posted").hidden = false;
      $("posted").select();
      say("Copy it here");
    }
  });
  $("share").hidden = false;
  const begin = () => {
    if (!follow()) return;
    $("answer").dataset.from = "asked";
    update();
  };
  addEventListener("hashchange", begin);
  begin();
})();
