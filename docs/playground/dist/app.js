// The page: it keeps a State, hands it to the Go code in WebAssembly, and shows
// the Answer. It decides nothing by itself.
"use strict";

const $ = (id) => document.getElementById(id);
const signs = { expired: "✕", pending: "◔", never: "∞" };
const words = { expired: "Expired", pending: "Pending", never: "Never" };
const labels = {
  "mongodb": ["Index", "Document"],
  "cosmos-nosql": ["Container", "Item"],
  "cosmos-mongo": ["Index", "Document, with its _ts"],
};

let state;          // what is asked
let answer;         // what was answered last
let examples = [];
let frozen = null;  // the timeline's scale while now is moved along it
let form = "Vector";

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

// load fetches and starts the Go code. The file is compressed, unless a server
// has told the browser so and the browser has taken care of it.
async function load() {
  const response = await fetch("playground.wasm.gz");
  if (!response.ok) throw new Error(`playground.wasm.gz: ${response.status}`);
  let bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    bytes = new Uint8Array(await new Response(plain).arrayBuffer());
  }
  const go = new Go();
  const { instance } = await WebAssembly.instantiate(bytes, go.importObject);
  go.run(instance);
}

// changed tells whether a part of the page is to be made anew. While now is
// dragged most of it stays.
const made = {};
function changed(part, ...from) {
  const text = JSON.stringify(from);
  const news = made[part] !== text;
  made[part] = text;
  return news;
}

// remember writes the question into the address. Browsers refuse to have that
// done for every step of a drag.
let remembering;
function remember() {
  clearTimeout(remembering);
  history.replaceState(null, "", "#" + answer.fragment);
}

// leave keeps the question of a page that goes away before it was remembered. A
// reload asks for the address as it was when the reload began, so that the
// question waits beside it.
const left = "question";
function leave() {
  remember();
  try {
    sessionStorage.setItem(left, answer.fragment);
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

// update asks and shows. Typing leaves the text fields alone.
function update({ fields = false } = {}) {
  const view = { width: Math.round($("picture").clientWidth), first: "", last: "", ...frozen };
  answer = JSON.parse(ttlAnswer(JSON.stringify(state), JSON.stringify(view)));
  state = { ...answer.state };
  clearTimeout(remembering);
  remembering = setTimeout(remember, 300);
  if (fields) showFields();
  showQuestion();
  showProblems();
  const readable = answer.problems.length === 0;
  $("answer").classList.toggle("stale", !readable);
  $("answer").removeAttribute("aria-busy");
  showVerdict(readable);
  if (readable) showAnswer();
}

function showFields() {
  for (const id of ["policy", "document", "now"]) $(id).value = state[id];
  $("custom").checked = state.customPath;
  $("legacy-null").checked = state.legacyNull;
  const i = examples.findIndex((x) => JSON.stringify(x.state) === JSON.stringify(state));
  $("examples").value = i < 0 ? "" : String(i);
}

function showQuestion() {
  document.querySelector(`[name=system][value=${state.system}]`).checked = true;
  const [policy, text] = labels[state.system];
  $("policy-label").textContent = policy;
  $("document-label").textContent = text;
  $("capability").hidden = state.system !== "cosmos-mongo";
  $("parameter").hidden = !answer.hasLegacyNull;
  $("releases").hidden = answer.stops.length === 0;
  if (answer.stops.length === 0) return;
  $("slider").max = answer.stops.length - 1;
  $("slider").value = answer.stop;
  $("slider").setAttribute("aria-valuetext", answer.stops[answer.stop].label);
  $("release").textContent = answer.stops[answer.stop].label;
  $("slider").parentElement.style.setProperty("--n", answer.stops.length);
  showMajors();
}

function showMajors() {
  if (!changed("majors", answer.stops)) return;
  let last = "";
  $("majors").replaceChildren(...answer.stops.map((stop) => {
    const major = stop.label.split(".")[0];
    const first = major !== last;
    last = major;
    return h("span", {}, first ? stop.label.split("–")[0].split(".").slice(0, 2).join(".") : "");
  }));
}

function showProblems() {
  for (const editor of ["policy", "document", "now"]) {
    const problem = answer.problems.find((p) => p.editor === editor);
    const field = $(editor);
    field.setAttribute("aria-invalid", problem ? "true" : "false");
    field.closest(".editor")?.classList.toggle("bad", Boolean(problem));
    const line = $(editor + "-error");
    const place = problem && editor !== "now" ? [jump(field, problem)] : [];
    const before = line.textContent;
    const text = problem ? place.map((b) => b.textContent).join("") + problem.message : "";
    if (before !== text) line.replaceChildren(...place, problem ? problem.message : "");
    else if (place.length) line.firstChild.replaceWith(place[0]);
    if (editor !== "now") showLines(editor, problem);
  }
}

// jump is a button that takes to the place of a problem.
function jump(field, problem) {
  const go = () => {
    field.focus();
    field.setSelectionRange(problem.offset, problem.offset + 1);
  };
  return h("button", { type: "button", onclick: go }, `line ${problem.line}, column ${problem.column}:`);
}

function showLines(editor, problem) {
  if (!changed(editor, $(editor).value.split("\n").length, problem?.line)) return;
  const count = $(editor).value.split("\n").length;
  const lines = Array.from({ length: count }, (_, i) => h("div", { class: problem && problem.line === i + 1 ? "at" : false }, String(i + 1)));
  $(editor + "-lines").replaceChildren(...lines);
  $(editor + "-lines").scrollTop = $(editor).scrollTop;
}

function showVerdict(readable) {
  const verdict = readable ? answer.verdict : "";
  $("verdict").className = "card verdict " + verdict;
  $("sign").textContent = signs[verdict] || "?";
  $("state").textContent = words[verdict] || "Cannot read this yet";
  const sentence = readable ? answer.sentence.replace(/^(Never expires\.|Expired since|Expires at) */, (s) => s === "Expired since " ? "Since " : s === "Expires at " ? "Until " : "") : "See beside the editor what is wrong, and where.";
  if ($("sentence").textContent !== sentence) $("sentence").replaceChildren(...withTimes(sentence));
  $("description").textContent = readable ? answer.policy : "";
  showAbout();
  $("bar").className = "bar " + verdict;
  $("bar").textContent = readable ? `${signs[verdict]} ${words[verdict]}${answer.deadline ? " · " + answer.deadline : ""}` : "? Cannot read this yet";
  $("before").disabled = $("at").disabled = !readable || !answer.millis;
}

// showAbout leads from an example to what the documents say about it.
function showAbout() {
  const number = examples[$("examples").value]?.about || "";
  const known = /^[XEU]\d+$/.test(number);
  $("about").replaceChildren(...(known ? [`${number} in `, h("a", { href: `../disagreements.html#${number.toLowerCase()}` }, "the documents disagree")] : []));
}

// withTimes keeps each instant of a text on one line.
const withTimes = (text) => text.split(/(\d{4}-\d\d-\d\dT[\d:.]+Z)/).map((part, i) => i % 2 ? h("time", { datetime: part }, part) : part);

function showAnswer() {
  if (changed("notices", answer.notices)) $("notices").replaceChildren(...answer.notices.map((text) => h("p", { class: "notice" }, text)));
  showPicture();
  showStrip();
  showEach();
  showLadder();
  showForms();
}

// showPicture puts the timeline in place. The SVG is made by our own code,
// which escapes what it is given; it is parsed as XML, so that nothing in it
// runs. Its styles become a style sheet of the page, because a content security
// policy refuses those that stand in a document.
const pictureStyle = new CSSStyleSheet();
document.adoptedStyleSheets = [pictureStyle];
function showPicture() {
  const focused = document.activeElement?.closest?.(".tl-now");
  const picture = answer.timeline.replace(/<style>([^]*?)<\/style>/, (_, css) => {
    if (changed("picture style", css)) pictureStyle.replaceSync(css);
    return "";
  });
  const parsed = new DOMParser().parseFromString(picture, "image/svg+xml").documentElement;
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
  const focused = document.activeElement?.closest?.("#strip button, #flips button"); // who came by keyboard stays there
  const [box, at] = focused ? [focused.parentElement, [...focused.parentElement.querySelectorAll("button")].indexOf(focused)] : [];
  $("strip").replaceChildren(...answer.strip.map((segment) => {
    const wide = segment.last - segment.first + 1;
    const what = segment.refused ? "not read: " + segment.refused : `${segment.verdict}${segment.deadline ? ", " + segment.deadline : ""} (${[segment.applies, segment.rule].filter(Boolean).join(", ")})`;
    return h("button", {
      type: "button", class: segment.refused ? "refused" : segment.verdict, style: `grid-column: span ${wide}`, title: `${nameOf(segment)}: ${what}`,
      "aria-label": `${nameOf(segment)}: ${what}`, "aria-current": segment.first <= answer.stop && answer.stop <= segment.last ? "true" : "false",
      onclick: () => choose(segment.first <= answer.stop && answer.stop <= segment.last ? answer.stop : segment.last),
    }, segment.refused ? "–" : signs[segment.verdict]);
  }));
  const flips = answer.strip.slice(1).map((segment) => {
    const from = answer.stops[segment.first].label.split("–")[0];
    return h("button", { type: "button", onclick: () => choose(segment.first) }, from);
  });
  $("flips").replaceChildren(...(flips.length ? ["The answer changes in ", ...join(flips, ", "), "."] : answer.stops.length ? ["The same in all releases."] : []));
  box?.querySelectorAll("button")[at]?.focus({ preventScroll: true });
}

const join = (list, between) => list.flatMap((x, i) => i ? [between, x] : [x]);

function choose(stop) {
  state.release = answer.stops[stop].release;
  update();
}

function showEach() {
  if (!changed("each", answer.each)) return;
  $("each-card").hidden = answer.each.length === 0;
  $("each").replaceChildren(...answer.each.map((one) => h("li", { class: one.decides ? "decides" : false },
    h("code", {}, one.name), ` ${one.about}: ${signs[one.verdict]} ${one.verdict}${one.deadline ? " " + one.deadline : ""} `, h("code", { class: "quiet" }, one.rule))));
}

function showLadder() {
  if (!changed("ladder", answer.ladder)) return;
  const open = new Set([...document.querySelectorAll("#ladder details[open]")].map((d) => d.dataset.rule));
  $("ladder").replaceChildren(...answer.ladder.map((rule) => h("li", { class: rule.decides ? "decides" : rule.applies ? "applies" : false },
    h("details", { open: rule.applies || open.has(rule.id), "data-rule": rule.id },
      h("summary", {}, h("code", {}, rule.id), h("span", { class: "quiet" }, rule.decides ? "decides" : rule.applies ? "applies" : "")),
      h("div", { class: "body" },
        h("p", {}, rule.statement),
        h("p", { class: "quiet" }, [rule.versions, rule.confidence === "unestablished" ? "not established" : `evidence: ${rule.confidence}`].filter(Boolean).join(" · "), " · ", h("a", { href: `../rules/${rule.id}.html` }, "the rule's page")),
        h("ul", {}, ...rule.sources.map((source) => h("li", {}, source.title, h("br"), source.web ? h("a", { href: source.address, rel: "noreferrer" }, source.address) : source.address))))))));
}

const hints = {
  "Vector": "For the suite: write the expected answer by hand, from a source.",
  "Go test": "Asks the library the same, and expects what is shown here.",
  "curl": "Set ACCOUNT, DATABASE, TOKEN and DATE; the service sets _ts by itself.",
  "mongosh": "Makes the collection anew in the current database.",
  "ttl": "Explains the same in a terminal.",
};

function showForms() {
  if (!changed("forms", answer.copies, form)) return;
  if (!answer.copies.some((c) => c.name === form)) form = answer.copies[0].name;
  $("tabs").replaceChildren(...answer.copies.map((c) => h("button", {
    type: "button", role: "tab", "aria-selected": c.name === form ? "true" : "false", tabindex: c.name === form ? "0" : "-1", onclick: () => select(c.name),
  }, c.name)));
  $("form").textContent = answer.copies.find((c) => c.name === form).text;
  $("form-hint").textContent = hints[form];
}

function select(name) {
  form = name;
  showForms();
  document.querySelector('#tabs [aria-selected="true"]').focus();
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
  update();
}

// The timeline's scale: where its ends lie in pixels and in time.
function scale() {
  const { first, last, left, right } = $("picture").querySelector("svg").dataset;
  return { first: BigInt(first), last: BigInt(last), left: Number(left), right: Number(right) };
}

const freeze = () => { const s = scale(); frozen = { first: String(s.first), last: String(s.last) }; };

// timeAt returns the time at a place of the picture, rounded to what a pixel
// can tell; close to the deadline it is the deadline.
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
    if (event.button !== 0 || answer.problems.length || !box.querySelector("svg")) return;
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
    const parts = { ArrowLeft: -100, ArrowDown: -100, ArrowRight: 100, ArrowUp: 100, PageDown: -10, PageUp: 10 };
    const s = scale();
    const now = BigInt(box.querySelector(".tl-now").getAttribute("aria-valuenow"));
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

function listen() {
  for (const id of ["policy", "document", "now"]) {
    $(id).addEventListener("input", () => { state[id] = $(id).value; frozen = null; $("examples").value = ""; update(); });
  }
  for (const id of ["policy", "document"]) $(id).addEventListener("scroll", () => { $(id + "-lines").scrollTop = $(id).scrollTop; });
  for (const radio of document.querySelectorAll("[name=system]")) radio.addEventListener("change", () => start(radio.value));
  $("custom").addEventListener("change", () => { state.customPath = $("custom").checked; update(); });
  $("legacy-null").addEventListener("change", () => { state.legacyNull = $("legacy-null").checked; update(); });
  $("slider").addEventListener("input", () => choose(Number($("slider").value)));
  $("examples").addEventListener("change", () => { const x = examples[$("examples").value]; if (x) show(x.state); });
  $("before").addEventListener("click", () => setNow(BigInt(answer.millis) - 1n));
  $("at").addEventListener("click", () => setNow(BigInt(answer.millis)));
  $("share").addEventListener("click", () => { remember(); copy(location.href, "Link copied"); });
  $("copy").addEventListener("click", () => copy($("form").textContent, "Copied"));
  $("tabs").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const names = answer.copies.map((c) => c.name);
    select(names[(names.indexOf(form) + step + names.length) % names.length]);
  });
  listenPicture();
  document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); $("verdict").focus(); }); // the address holds the question
  addEventListener("hashchange", (event) => follow(new URL(event.newURL).hash));
  addEventListener("pagehide", leave);
  document.addEventListener("visibilitychange", () => { if (document.hidden) leave(); });
  let resizing;
  addEventListener("resize", () => { clearTimeout(resizing); resizing = setTimeout(update, 100); });
}

// start begins with the first example of a system.
function start(system) {
  const x = examples.find((x) => x.state.system === system);
  show({ ...x.state });
}

function show(s) {
  state = { ...s };
  frozen = null;
  update({ fields: true });
}

// follow shows what the address says. It reports whether that says anything.
function follow(hash) {
  const text = ttlState(hash.replace(/^#/, ""));
  if (text) show(JSON.parse(text));
  return Boolean(text);
}

function listExamples() {
  const groups = new Map();
  examples.forEach((x, i) => {
    if (!groups.has(x.group)) groups.set(x.group, h("optgroup", { label: x.group }));
    groups.get(x.group).append(h("option", { value: i }, (x.about && /^[XEU]\d/.test(x.about) ? x.about + " " : "") + x.title));
  });
  $("examples").replaceChildren(h("option", { value: "" }, "your own"), ...groups.values());
}

load().then(() => {
  examples = JSON.parse(ttlExamples());
  listExamples();
  listen();
  if (!follow(resume())) {
    if (location.hash.includes("=")) toast("This link cannot be read; here is an example");
    show(examples[0].state);
  }
  document.documentElement.dataset.ready = "";
}).catch((error) => {
  $("answer").removeAttribute("aria-busy");
  $("state").textContent = "The playground did not start";
  $("sentence").textContent = `${error.message}. It needs WebAssembly and DecompressionStream, and a server such as ttl docs serve.`;
});
