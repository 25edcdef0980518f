// The box, on the first page of the site and on the page of the playground. It keeps a
// State, hands it to the Go code in WebAssembly, and shows the Answer. It decides nothing by itself.
// Until the Go code is there, the page shows the answer for the example, which it brings along; and
// a message of a server leads to its page.
"use strict";

const $ = (id) => document.getElementById(id);
const signs = { expired: "✕", pending: "◔", never: "∞" };
const labels = {
  "mongodb": ["Index", "Document"],
  "cosmos-nosql": ["Container", "Item"],
  "cosmos-mongo": ["Index", "Document, with its _ts"],
};

const page = JSON.parse($("page").textContent); // {first, examples, worker, starter, program, size, root, pages, rule, disputes, embed, search, eager}
const examples = page.examples;
let state = { ...page.first.state, ...(page.eager ? {} : { system: "guess" }) }; // what is asked; the first page finds the database itself
let answer = page.first;      // the last answer
let chosen = false;           // the reader chose the database, or a link names it
let frozen = null;            // the timeline's scale while now is moved along it
let ready = false;            // the Go code is ready
const system = () => state.system === "guess" ? answer.state.system : state.system;
const isDocumentDB = () => state.system === "mongodb" && /^documentdb/i.test(state.release);

// The fields of a State in the address, in the order of their names there.
const inAddress = [["c", "customPath"], ["d", "document"], ["l", "legacyNull"], ["n", "now"], ["p", "policy"], ["s", "system"], ["v", "release"], ["w", "written"]];
const escaped = (text) => encodeURIComponent(text.toWellFormed?.() ?? text).replace(/[!'()*]/g, (c) => "%" + c.charCodeAt(0).toString(16).toUpperCase());
const fragmentOf = (s) => inAddress.filter(([, field]) => s[field]).map(([name, field]) => name + "=" + (s[field] === true ? "1" : escaped(s[field]))).join("&");

// stateOf reads the State of a link. It returns null if the link holds none.
function stateOf(fragment) {
  const values = new URLSearchParams(fragment.replace(/^#/, ""));
  if (!values.has("p") && !values.has("d")) return null;
  const s = {};
  for (const [name, field] of inAddress) s[field] = values.get(name) ?? "";
  return { ...s, system: s.system === "guess" || Object.hasOwn(labels, s.system) ? s.system : "mongodb", customPath: s.customPath === "1", legacyNull: s.legacyNull === "1" };
}

// h makes an element. Everything from outside goes in as text.
function h(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) e.addEventListener(name.slice(2), value);
    else if (name === "style") e.style.cssText = value; // a content security policy refuses the attribute
    else if (value !== false && value !== undefined) e.setAttribute(name, value === true ? "" : value);
  }
  e.append(...children);
  return e;
}

// load starts the Go code, in a worker, so that the page can be used meanwhile.
let worker;
function load() {
  if (worker) return;
  $("loading").hidden = false;
  loaded().then(() => {
    ready = true;
    delete document.documentElement.dataset.asked;
    $("loading").remove();
    update({ fields: !waiting });
    document.documentElement.dataset.ready = "";
  }).catch((error) => {
    $("progress").remove();
    $("loading-text").textContent = `The playground did not start (${error.message}). It needs a browser with WebAssembly and DecompressionStream, and a server such as ttl docs serve.`;
  });
}

function loaded() {
  return new Promise((resolve, reject) => {
    worker = new Worker(page.worker);
    worker.onerror = () => reject(new Error(page.worker));
    worker.onmessage = ({ data }) => {
      if (data.error) reject(new Error(data.error));
      else if (data.ready) resolve();
      else if (data.answer) answered(JSON.parse(data.answer));
      else showProgress(data.loaded);
    };
    worker.postMessage({ starter: page.starter, program: page.program });
  });
}

function showProgress(loaded) {
  const percent = Math.min(99, Math.round(100 * loaded / page.size));
  $("progress").value = percent;
  const news = `Loading, ${percent} % of ${(page.size / 1e6).toFixed(1)} MB.`;
  $("loading-text").textContent = "asked" in document.documentElement.dataset ? news : `${news} This is the answer for the example.`;
}

// changed tells whether a part of the page must be made anew. Most parts stay
// while now is dragged.
const made = {};
function changed(part, ...from) {
  const text = JSON.stringify(from);
  const news = made[part] !== text;
  made[part] = text;
  return news;
}

// remember writes the question into the address, but not for every step of a
// drag, which browsers refuse.
let remembering;
function remember() {
  clearTimeout(remembering);
  if (ready) history.replaceState(null, "", "#" + fragmentOf(state));
}

// leave keeps the question of a page that goes away before it was remembered. A
// reload asks for the address as it was when the reload began, so that the
// question waits beside it.
const left = "question";
function leave() {
  remember();
  try {
    sessionStorage.setItem(left, fragmentOf(state));
  } catch { /* the browser keeps nothing for this page */ }
}

// resume returns what the page asked when it was reloaded, or what its address
// says.
function resume() {
  const reloaded = performance.getEntriesByType("navigation")[0]?.type === "reload";
  try {
    return reloaded && sessionStorage.getItem(left) || location.hash;
  } catch {
    return location.hash;
  }
}

// update asks and shows. Typing leaves the text fields alone. A question asked before
// the Go code is ready waits for it, and hides the answer for the example. A question
// asked while another one is being answered waits too, and only the last of them is
// asked.
let waiting = false;
let asking = null; // how to show the pending answer
let next = null;   // how to show the answer to later questions
function update(how = {}) {
  if (!ready) {
    waiting = true;
    const quick = quickly();
    if (quick) {
      answer = quick;
      delete document.documentElement.dataset.asked;
      render(how);
    } else {
      document.documentElement.dataset.asked = "yes";
      if (how.fields) showFields();
    }
    document.documentElement.dataset.quick = "";
    load();
    return;
  }
  delete document.documentElement.dataset.quick;
  if (asking) next = { ...next, ...how };
  else ask(how);
}

// quickly answers about a message of a server without the Go code, or returns null.
function quickly() {
  const half = quoted();
  const rest = { problems: [], notices: [], each: [], ladder: [], command: "", fixes: [], strip: [], stops: [], meant: "", millis: "", timeline: "", because: "", policy: "", rule: "", batch: { total: 0, counts: [], rows: [] } };
  return half && { ...page.first, ...rest, state: { ...state, system: system() }, half };
}

// spaced returns the words of a text in small letters, with one space between them.
const spaced = (text) => ` ${(text.toLowerCase().match(/[a-z0-9_]+/g) || []).join(" ")} `;

// quoted finds a message of a server or of its log in what was pasted: the longest one that is
// known. Numbers count only as the id of a line of the log.
function quoted() {
  const text = spaced(state.policy) + "|" + spaced(state.document);
  const isID = (message) => /^\d+$/.test(message);
  const is = ([message]) => text.includes(isID(message) ? ` id ${message} ` : ` ${message} `);
  const [, address, title, says] = ttlMessages.filter(is).sort(([a], [b]) => isID(b) - isID(a) || b.length - a.length)[0] ?? [];
  return address && { kind: "message", word: title, says: [says], command: "", page: address };
}

function ask(how) {
  asking = how;
  document.documentElement.dataset.asking = "";
  const view = { width: Math.round($("picture").clientWidth) || 640, first: "", last: "", ...frozen };
  worker.postMessage({ state: JSON.stringify(state), view: JSON.stringify(view) });
}

// answered shows an answer, and asks the question that waited for it.
function answered(news) {
  const [how, more] = [asking, next];
  asking = next = null;
  const half = quoted();
  answer = half ? { ...news, problems: [], notices: [], meant: "", half } : news;
  if (!more) {
    state = { ...answer.state, system: state.system };
    movedTo = null;
    clearTimeout(remembering);
    remembering = setTimeout(remember, 300);
  }
  render(how);
  if (more) ask({ ...how, ...more });
  else if (how.typed !== undefined) checkRelease(how);
  else if (how.refused !== undefined) refuseRelease(how.refused);
  if (!asking) delete document.documentElement.dataset.asking;
}

// render shows the answer.
function render({ fields = false } = {}) {
  if (fields) showFields();
  showQuestion();
  showProblems();
  const readable = answer.problems.length === 0 && !answer.half.kind;
  $("answer").classList.toggle("stale", !readable);
  for (const id of ["notices", "batch-card", "picture-card", "each-card", "rule-card", "command-card"]) $(id).inert = !readable; // they apply to what could be read
  showVerdict(readable);
  if (readable) showAnswer();
  else hideStrip();
}

function showFields() {
  for (const id of ["policy", "document", "now", "written"]) $(id).value = state[id] ?? "";
  $("custom").checked = state.customPath;
  $("legacy-null").checked = state.legacyNull;
  const asked = JSON.stringify({ ...state, system: system() });
  const i = examples.findIndex((x) => JSON.stringify(x.state) === asked);
  $("examples").value = i < 0 ? "" : String(i);
}

function showQuestion() {
  document.querySelector(`[name=system][value=${isDocumentDB() ? "documentdb" : state.system}]`).checked = true;
  const [policy, text] = state.system === "guess" ? ["Index, listing or container", "Document"] : labels[state.system];
  $("policy-label").textContent = policy;
  $("document-label").textContent = text;
  $("capability").hidden = system() !== "cosmos-mongo";
  $("stamp").hidden = system() === "mongodb" || !state.document || /\b_ts\b/.test(state.document);
  $("parameter").hidden = !answer.hasLegacyNull;
  $("releases").hidden = answer.stops.length === 0;
  if (answer.stops.length === 0) return;
  $("slider").max = answer.stops.length - 1;
  $("slider").value = answer.stop;
  $("slider").setAttribute("aria-valuetext", answer.stops[answer.stop].label);
  const { label } = answer.stops[answer.stop];
  $("line").textContent = !answer.unknown && answer.releaseNote || (label === state.release ? "" : `one of ${label}`);
  if (document.activeElement !== $("release")) showRelease();
  $("slider").parentElement.style.setProperty("--n", answer.stops.length);
  showMajors();
}

// showRelease writes the release, and takes a complaint about another back.
function showRelease() {
  $("release").value = state.release;
  $("release").setAttribute("aria-invalid", "false");
  $("release-error").textContent = "";
}

// typeRelease asks for the release in the field, if it is a release.
function typeRelease() {
  const typed = $("release").value.trim();
  const before = state.release;
  state.release = typed;
  update({ typed, before });
  if (!ready) showRelease();
}

// checkRelease goes back to the previous release if the typed one is unknown.
function checkRelease({ before }) {
  if (!answer.unknown) return showRelease();
  const note = answer.releaseNote;
  state.release = before;
  ask({ refused: note });
}

function refuseRelease(note) {
  $("release").setAttribute("aria-invalid", "true");
  $("release-error").textContent = `${note} The answer is for ${state.release}.`;
}

function showMajors() {
  if (!changed("majors", answer.stops)) return;
  $("stops").replaceChildren(...answer.stops.map((stop) => h("option", { value: stop.release }, stop.label)));
  let last = "";
  $("majors").replaceChildren(...answer.stops.map((stop) => {
    const major = stop.label.split(".")[0];
    const first = major !== last;
    last = major;
    return h("span", {}, first ? stop.label.split("–")[0].split(".").slice(0, 2).join(".") : "");
  }));
}

function showProblems() {
  for (const editor of ["policy", "document", "written", "now"]) {
    const problem = answer.meant ? undefined : answer.problems.find((p) => p.editor === editor); // another database is offered instead
    const field = $(editor);
    field.setAttribute("aria-invalid", problem ? "true" : "false");
    field.closest(".editor")?.classList.toggle("bad", Boolean(problem));
    const line = $(editor + "-error");
    const place = problem && field.closest(".editor") ? [jump(field, problem)] : [];
    const before = line.textContent;
    const text = problem ? place.map((b) => b.textContent).join("") + problem.message : "";
    if (before !== text) line.replaceChildren(...place, problem ? problem.message : "");
    else if (place.length) line.firstChild.replaceWith(place[0]);
  }
}

// jump makes a button that leads to the place of a problem.
function jump(field, problem) {
  const go = () => {
    field.focus();
    field.setSelectionRange(problem.offset, problem.offset + 1);
  };
  return h("button", { type: "button", onclick: go }, `line ${problem.line}, column ${problem.column}:`);
}

function showVerdict(readable) {
  const verdict = readable ? answer.verdict : "";
  const several = readable && answer.batch.total;
  const half = answer.half.kind && !answer.meant ? answer.half : null;
  const word = half ? half.word : !readable ? (answer.meant ? "Another database?" : "Cannot read this yet") : several ? `${several} documents` : answer.word;
  $("verdict").dataset.verdict = $("summary").dataset.verdict = several ? "" : verdict;
  $("sign").textContent = several ? "≡" : signs[verdict] || (half?.kind === "program" ? "?" : half ? "i" : "?");
  if ($("state").textContent !== word) $("state").textContent = word;
  const when = !readable || several ? "" : verdict === "expired" ? `since ${answer.deadline} (${answer.distance})` : verdict === "pending" ? `expires at ${answer.deadline} (${answer.distance})` : "";
  write($("when"), when.replace(".000Z", "Z"));
  $("because-row").hidden = Boolean(half) || !readable && (answer.problems.length === 0 || answer.meant !== "");
  $("because-row").firstChild.textContent = several ? "The first" : readable ? "Because" : "Problem";
  write($("because"), readable ? answer.because : answer.problems.map((p) => `${problemNames[p.editor](p)}: ${p.message}`).join(" · "));
  $("decider").hidden = !readable;
  $("decider").href = page.rule.replace("RULE", answer.rule);
  $("decider").firstChild.textContent = answer.rule;
  $("after-row").hidden = !readable || !answer.after;
  $("after").textContent = answer.after;
  $("description").textContent = readable ? answer.policy : "";
  showFix(readable ? answer.fixes[0] : undefined);
  showHalf(half);
  showMeant();
  showAbout();
  if (document.documentElement.dataset.touched !== undefined) document.title = titleOf(half ? word : `${word}: ${answer.because}`);
  $("summary").textContent = readable && !several ? `${signs[verdict]} ${word}${answer.deadline ? " · " + answer.deadline : ""}` : `? ${word}`;
  $("before").disabled = $("at").disabled = !readable || !answer.millis;
}

// titleOf returns the title of an answer, in the 70 characters that a search shows.
function titleOf(text) {
  const whole = text.replace(/[.:]? *$/, "");
  if (whole.length <= 70) return whole;
  const cut = whole.slice(0, 69);
  return cut.slice(0, Math.max(cut.lastIndexOf(" "), 1)).replace(/[,;:]$/, "") + "…";
}

// block makes a command that can be copied.
const block = (text) => h("div", { class: "form" }, h("pre", { tabindex: "0" }, text), h("button", { type: "button", onclick: () => copy(text, "Command copied") }, "Copy"));

// showHalf shows the answer to a text that is no whole question, and the page about it.
function showHalf(half) {
  if (!changed("half", half, state.policy)) return;
  $("half").hidden = !half;
  if (!half) return $("half").replaceChildren();
  const words = encodeURIComponent(state.policy || state.document);
  const href = half.kind === "words" && !half.page ? `${page.search}?q=${words}` : half.kind === "message" ? page.root + half.page : page.pages[half.page];
  const parts = half.says.map((text) => h("p", {}, ...withTimes(text)));
  if (half.command) parts.push(block(half.command));
  if (href) parts.push(h("p", {}, h("a", { href }, half.kind === "words" && !half.page ? "Search for it" : "The page about it")));
  $("half").replaceChildren(...parts);
}

const problemNames = {
  policy: (p) => `${labels[system()][0]}, line ${p.line}, column ${p.column}`,
  document: (p) => `${labels[system()][1].split(",")[0]}, line ${p.line}, column ${p.column}`,
  now: () => "Now",
  written: () => "Last written",
};

// write sets the text of an element, with each instant on one line.
function write(element, text) {
  if (element.textContent !== text) element.replaceChildren(...withTimes(text));
}

// showFix shows the changes that would change the answer, to copy or to try here.
function showFix(fix) {
  if (!changed("fix", fix ?? null)) return;
  $("fix").hidden = !fix;
  if (!fix) return $("fix").replaceChildren();
  $("fix").replaceChildren(h("dt", {}, "Fix"), h("dd", {}, fix.text + " ", ...(fix.count ? ["Count first:", block(fix.count)] : []),
    h("strong", { class: fix.atOnce.startsWith("This deletes every ") ? "loss" : false }, fix.atOnce), block(fix.command)));
}

// showMeant offers the database that the question seems to be about.
function showMeant() {
  $("meant").hidden = !answer.meant;
  if (!changed("meant", answer.meant) || !answer.meant) return;
  const name = document.querySelector(`[name=system][value=${answer.meant}]`).nextElementSibling.textContent;
  $("meant").replaceChildren(`What is written looks to be for ${name}. `, h("button", { type: "button", onclick: () => { state.system = answer.meant; update({ fields: true }); } }, `Answer for ${name}`));
}

// showAbout links an example to the documentation about it.
function showAbout() {
  const number = examples[$("examples").value]?.about || "";
  const known = /^[XEU]\d+$/.test(number);
  $("about").replaceChildren(...(known ? [`${number} in `, h("a", { href: `${page.disputes}#${number.toLowerCase()}` }, "the documents disagree")] : []));
}

// withTimes keeps each instant of a text on one line.
const withTimes = (text) => text.split(/(\d{4}-\d\d-\d\dT[\d:.]+Z)/).map((part, i) => i % 2 ? h("time", { datetime: part }, part) : part);

function showAnswer() {
  if (changed("notices", answer.notices)) $("notices").replaceChildren(...answer.notices.map((text) => h("p", { class: "notice" }, text)));
  showBatch();
  showPicture();
  showStrip();
  showEach();
  showLadder();
  $("form").textContent = answer.command;
}

// showBatch lists several documents, and counts them by verdict and rule.
function showBatch() {
  if (!changed("batch", answer.batch)) return;
  const { total, counts, rows } = answer.batch;
  $("batch-card").hidden = total === 0;
  $("counts").replaceChildren(...counts.map((c) => h("li", { "data-verdict": c.verdict }, `${signs[c.verdict]} ${c.word}: ${c.number}, by `, h("a", { href: page.rule.replace("RULE", c.rule) }, h("code", {}, c.rule)))));
  $("rows").replaceChildren(...rows.map((r) => h("tr", {}, h("td", {}, h("code", {}, r.name)), h("td", {}, `${signs[r.verdict]} ${r.word}`), h("td", {}, ...withTimes(r.deadline.replace(".000Z", "Z"))), h("td", {}, ...withTimes(r.because)))));
  $("more").textContent = total > rows.length ? `The first ${rows.length} of ${total} are listed; all are counted.` : "";
}

// showPicture puts the timeline in place. The SVG is made by our own code,
// which escapes what it is given; it is parsed as XML, so that nothing in it
// runs. The picture that the page brings along stays until another is there.
function showPicture() {
  if (!ready) return;
  const focused = document.activeElement?.closest?.(".tl-now");
  const parsed = new DOMParser().parseFromString(answer.timeline, "image/svg+xml").documentElement;
  $("picture").replaceChildren(document.importNode(parsed, true));
  if (focused) $("picture").querySelector(".tl-now").focus({ preventScroll: true });
}

function nameOf(segment) {
  const [first, last] = [answer.stops[segment.first], answer.stops[segment.last]];
  const from = first.label.split("–")[0];
  const to = last.label.split("–").pop();
  return from === to ? from : `${from} to ${to}`;
}

function showStrip() {
  if (!changed("strip", answer.strip, answer.stops, answer.stop)) return;
  const focused = document.activeElement?.closest?.("#strip button, #flips button"); // keep the focus of keyboard users
  const [box, at] = focused ? [focused.parentElement, [...focused.parentElement.querySelectorAll("button")].indexOf(focused)] : [];
  $("strip").replaceChildren(...answer.strip.map((segment) => {
    const wide = segment.last - segment.first + 1;
    const what = segment.refused ? "not read: " + segment.refused : `${segment.verdict}${segment.deadline ? ", " + segment.deadline : ""} (${[segment.applies, segment.rule].filter(Boolean).join(", ")})`;
    const button = h("button", {
      type: "button", "data-verdict": segment.refused ? "refused" : segment.verdict, title: `${nameOf(segment)}: ${what}`,
      "aria-label": `${nameOf(segment)}: ${what}`, "aria-current": segment.first <= answer.stop && answer.stop <= segment.last ? "true" : "false",
      onclick: () => choose(segment.first <= answer.stop && answer.stop <= segment.last ? answer.stop : segment.last),
    }, segment.refused ? "–" : signs[segment.verdict]);
    button.style.gridColumn = `span ${wide}`;
    return button;
  }));
  showFlips();
  box?.querySelectorAll("button")[at]?.focus({ preventScroll: true });
}

// hideStrip removes the answers by release, which apply to what could be read.
function hideStrip() {
  delete made.strip;
  $("strip").replaceChildren();
  $("flips").replaceChildren();
}

// showFlips says where the answer changes: the verdict, else the deadline, else only
// the rule.
function showFlips() {
  const flips = { verdict: [], deadline: [], rule: [] };
  answer.strip.slice(1).forEach((segment, i) => {
    const before = answer.strip[i];
    const what = Boolean(segment.refused) !== Boolean(before.refused) || segment.verdict !== before.verdict ? "verdict" : segment.deadline !== before.deadline ? "deadline" : "rule";
    const from = answer.stops[segment.first].label.split("–")[0];
    flips[what].push(h("button", { type: "button", onclick: () => choose(segment.first) }, from), what === "deadline" ? ` (before that ${before.deadline})` : "");
  });
  const parts = answer.stops.length === 0 ? [] : flips.verdict.length ? ["The answer changes in ", ...listed(flips.verdict), ". "] : ["The answer is the same in all releases. "];
  if (flips.deadline.length) parts.push("The deadline changes in ", ...listed(flips.deadline), ". ");
  if (flips.rule.length) parts.push("Only the rule changes in ", ...listed(flips.rule), ".");
  $("flips").replaceChildren(...parts);
}

// listed puts commas between pairs of a button and what follows it.
const listed = (pairs) => pairs.flatMap((x, i) => i > 0 && i % 2 === 0 ? [", ", x] : [x]);

function choose(stop) {
  state.release = answer.stops[stop].release;
  update();
}

function showEach() {
  if (!changed("each", answer.each)) return;
  $("each-card").hidden = answer.each.length === 0;
  $("each").replaceChildren(...answer.each.map((one) => h("li", { class: one.decides ? "decides" : false },
    h("code", {}, one.name), ` ${one.about}: ${signs[one.verdict]} ${one.verdict}${one.deadline ? " " + one.deadline : ""} `, h("code", { class: "hint" }, one.rule))));
}

// showLadder shows the rule that decides, and those consulted, which stay folded
// unless somebody opens them.
function showLadder() {
  if (answer.ladder.length === 0 || !changed("ladder", answer.ladder)) return;
  const decider = answer.ladder.at(-1);
  const applying = answer.ladder.filter((rule) => rule.applies && !rule.decides);
  $("rule").replaceChildren(h("p", {}, h("code", {}, decider.id), " ", decider.statement), ...applying.map((rule) => h("p", {}, "With it applies ", h("code", {}, rule.id), ": ", rule.statement)),
    evidence(decider), h("ul", {}, ...decider.sources.map((source) => h("li", {}, source.title, " · ", source.web ? h("a", { href: source.address, rel: "noreferrer" }, source.address) : h("code", {}, source.address)))));
  $("others").hidden = answer.ladder.length < 2;
  const open = new Set([...document.querySelectorAll("#ladder details[open]")].map((d) => d.dataset.rule));
  $("ladder").replaceChildren(...answer.ladder.map((rule) => h("li", { class: rule.decides ? "decides" : rule.applies ? "applies" : false },
    h("details", { open: open.has(rule.id), "data-rule": rule.id },
      h("summary", {}, h("code", {}, rule.id), h("span", { class: "hint" }, rule.decides ? "decides" : rule.applies ? "applies" : "does not apply")),
      h("div", { class: "body" }, h("p", {}, rule.statement), evidence(rule))))));
}

function evidence(rule) {
  const how = [rule.versions, rule.confidence === "unestablished" ? "not established" : `evidence: ${rule.confidence}`].filter(Boolean).join(" · ");
  return h("p", { class: "hint" }, how, " · ", h("a", { href: page.rule.replace("RULE", rule.id) }, "the rule's page"));
}

async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    toast("The browser does not allow it; select the text and copy it yourself");
  }
}

let toastTimer;
function toast(text) {
  $("toast").textContent = text;
  $("toast").classList.add("on");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => $("toast").classList.remove("on"), 2000);
}

// setNow moves the clock to a number of milliseconds, a BigInt.
function setNow(ms) {
  const lowest = -(2n ** 63n), highest = 2n ** 63n - 1n;
  ms = ms < lowest ? lowest : ms > highest ? highest : ms;
  const date = new Date(Number(ms));
  const year = date.getUTCFullYear();
  const text = year >= 0 && year <= 9999 ? date.toISOString().replace(".000Z", "Z") : `${ms}ms`;
  state.now = $("now").value = text;
  movedTo = ms;
  update();
}
let movedTo = null; // until the picture shows it

// The timeline's scale: where its ends lie in pixels and in time.
function scale() {
  const { first, last, left, right } = $("picture").querySelector("svg").dataset;
  return { first: BigInt(first), last: BigInt(last), left: Number(left), right: Number(right) };
}

const freeze = () => { const s = scale(); frozen = { first: String(s.first), last: String(s.last) }; };

// timeAt returns the time at a place of the picture, rounded to the precision
// of a pixel. Near the deadline it returns the deadline.
function timeAt(x) {
  const s = scale();
  const part = Math.min(Math.max((x - s.left) / (s.right - s.left), 0), 1);
  const wide = s.last - s.first;
  let at = s.first + wide * BigInt(Math.round(part * 1e6)) / 1000000n;
  if (answer.millis) {
    const deadline = BigInt(answer.millis);
    const far = at > deadline ? at - deadline : deadline - at;
    if (far * BigInt(Math.round(s.right - s.left)) < 5n * wide) return deadline;
  }
  let step = 1n;
  for (const unit of [10n, 100n, 1000n, 10000n, 60000n, 600000n, 3600000n, 21600000n, 86400000n]) if (wide / unit >= 400n) step = unit;
  return at / step * step;
}

function listenPicture() {
  const box = $("picture");
  let dragging = false;
  const move = (event) => {
    const svg = box.querySelector("svg");
    const r = svg.getBoundingClientRect();
    setNow(timeAt((event.clientX - r.left) * svg.viewBox.baseVal.width / r.width));
  };
  box.addEventListener("pointerdown", (event) => {
    if (!ready || event.button !== 0 || answer.problems.length || !box.querySelector("svg")) return;
    dragging = true;
    freeze();
    box.setPointerCapture(event.pointerId);
    move(event);
    event.preventDefault();
    box.querySelector(".tl-now").focus({ preventScroll: true });
  });
  box.addEventListener("pointermove", (event) => { if (dragging) move(event); });
  const end = () => {
    if (!dragging) return;
    dragging = false;
    frozen = null;
    update();
  };
  box.addEventListener("pointerup", end);
  box.addEventListener("pointercancel", end);
  box.addEventListener("focusout", (event) => { // moved on, and not just drawn anew
    if (!dragging && frozen && event.relatedTarget && !box.contains(event.relatedTarget)) { frozen = null; update(); }
  });
  box.addEventListener("keydown", (event) => {
    if (!ready) return;
    const parts = { ArrowLeft: -100, ArrowDown: -100, ArrowRight: 100, ArrowUp: 100, PageDown: -10, PageUp: 10 };
    const s = scale();
    const now = movedTo ?? BigInt(box.querySelector(".tl-now").getAttribute("aria-valuenow"));
    let to;
    if (event.key in parts) {
      let step = (s.last - s.first) / BigInt(Math.abs(parts[event.key]) * (event.shiftKey ? 10 : 1));
      if (step === 0n) step = 1n;
      to = parts[event.key] < 0 ? now - step : now + step;
    } else if (event.key === "Home") to = s.first;
    else if (event.key === "End") to = s.last;
    else return;
    event.preventDefault();
    if (!frozen) freeze();
    setNow(to < s.first ? s.first : to > s.last ? s.last : to);
  });
}

// pasted begins anew when somebody pastes over an example: the example in the other field goes,
// so does its database, and the clock is that of the reader.
function pasted(event) {
  const field = event.target, other = field.id === "policy" ? "document" : "policy";
  const isWhole = field.selectionEnd - field.selectionStart === field.value.length;
  const isExample = [page.first, ...examples].some((x) => x.state[other] === state[other]);
  if (!isWhole || !isExample || !state[other]) return;
  $(other).value = state[other] = "";
  if (!chosen) state.system = "guess";
  $("now").value = state.now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
}

function listen() {
  for (const id of ["policy", "document"]) {
    $(id).addEventListener("paste", pasted);
    $(id).addEventListener("focus", () => { if (!navigator.connection?.saveData) load(); });
  }
  $("deeper").addEventListener("toggle", () => { if (ready && $("deeper").open) update(); });
  for (const id of ["policy", "document", "now", "written"]) {
    $(id).addEventListener("input", () => { state[id] = id === "now" || id === "written" ? clocked($(id).value) : $(id).value; frozen = null; $("examples").value = ""; document.documentElement.dataset.touched = ""; update(); });
  }
  for (const radio of document.querySelectorAll("[name=system]")) radio.addEventListener("change", () => { start(radio.value); chosen = true; });
  $("custom").addEventListener("change", () => { state.customPath = $("custom").checked; update(); });
  $("legacy-null").addEventListener("change", () => { state.legacyNull = $("legacy-null").checked; update(); });
  $("release").addEventListener("change", typeRelease);
  $("slider").addEventListener("input", () => choose(Number($("slider").value)));
  $("examples").addEventListener("change", () => { const x = examples[$("examples").value]; if (x) { chosen = false; show(x.state); } });
  $("today").addEventListener("click", () => setNow(BigInt(Date.now())));
  $("before").addEventListener("click", () => setNow(BigInt(answer.millis) - 1n));
  $("at").addEventListener("click", () => setNow(BigInt(answer.millis)));
  $("share").addEventListener("click", () => { remember(); copy(location.href, "Link copied"); });
  $("copy").addEventListener("click", () => copy($("form").textContent, "Copied"));
  listenPicture();
  document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); $("verdict").focus(); }); // the address holds the question
  addEventListener("hashchange", (event) => follow(new URL(event.newURL).hash));
  addEventListener("pagehide", leave);
  document.addEventListener("visibilitychange", () => { if (document.hidden) leave(); });
  let resizing;
  addEventListener("resize", () => { clearTimeout(resizing); resizing = setTimeout(() => { if (ready) update(); }, 100); });
}

// clocked replaces the word now by the time.
const clocked = (text) => text.trim().toLowerCase() === "now" ? new Date().toISOString() : text;

// start asks about another database. An example gives way to one of that database.
function start(system) {
  const x = examples.find((x) => x.state.system === system);
  const isExample = [page.first, ...examples].some((x) => x.state.policy === state.policy && x.state.document === state.document);
  if (x && isExample && !isDocumentDB()) return show({ ...x.state });
  if (isDocumentDB()) state.release = "";
  state.system = system;
  if (system === "documentdb") [state.system, state.release] = ["mongodb", "documentdb"]; // the newest
  update({ fields: true });
}

function show(s) {
  state = { ...s };
  frozen = null;
  update({ fields: true });
}

// follow shows the question of the address, if it has one.
function follow(hash) {
  const asked = stateOf(hash);
  if (!asked) return;
  chosen = true;
  show(asked);
}

function listExamples() {
  const groups = new Map();
  examples.forEach((x, i) => {
    if (!groups.has(x.group)) groups.set(x.group, h("optgroup", { label: x.group }));
    groups.get(x.group).append(h("option", { value: i }, (x.about && /^[XEU]\d/.test(x.about) ? x.about + " " : "") + x.title));
  });
  $("examples").replaceChildren(h("option", { value: "" }, "your own"), ...groups.values());
  $("examples").value = "0";
}

// begin shows the page's example, and the user's question once the Go code is ready.
function begin() {
  listExamples();
  listen();
  const asked = stateOf(resume());
  if (asked) {
    state = asked;
    chosen = true;
    document.documentElement.dataset.asked = "yes";
  }
  render({ fields: true });
  if (!asked && location.hash.includes("=")) toast("This link cannot be read; here is an example");
  if (asked && !page.eager) update({ fields: true });
  if (page.eager) load();
}

begin();
