package browser

import (
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/ttlpolicy/ttlpolicy/docs/site/playground"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

// TestPlayground uses the page the way a visitor does.
func TestPlayground(t *testing.T) {
	p := open(t)
	p.first(t)
	p.visit("")
	t.Logf("the program was ready after %.0f ms", js[float64](p, "performance.now()"))
	p.settled(t)
	for _, step := range []struct {
		name string
		do   func(*page, *testing.T)
	}{
		{"documented samples", (*page).samples}, {"examples", (*page).examples}, {"drag", (*page).drag}, {"keyboard", (*page).keyboard},
		{"link", (*page).link}, {"releases", (*page).releases}, {"bad input", (*page).badInput}, {"pastes", (*page).pastes}, {"NaN", (*page).nan}, {"parameter", (*page).parameter}, {"release", (*page).release}, {"fix", (*page).fix}, {"several documents", (*page).several}, {"another database", (*page).meant}, {"names", (*page).names}, {"looks", (*page).looks},
	} {
		t.Run(step.name, func(t *testing.T) {
			q := &page{t, p.tab, p.site, p.base, p.record}
			step.do(q, t)
		})
	}
	if list := p.outside(); len(list) > 0 {
		t.Errorf("requests left the page: %q", list)
	}
	if _, trouble := p.heard(); len(trouble) > 0 {
		t.Errorf("the console has errors: %q", trouble)
	}
}

// TestHome pastes into the box of the first page. A message of a server has its page before the
// program is there; half a question has half an answer; and a paste over the example clears the
// other field.
func TestHome(t *testing.T) {
	p := open(t)
	p.run(chromedp.Navigate(p.site), chromedp.WaitReady(chromedp.CSS("#examples option:nth-child(2)"))) // the script has run
	said := func(want ...string) {
		t.Helper()
		got := js[string](p, `document.getElementById("verdict").innerText + [...document.querySelectorAll("#half a")].map((a) => a.getAttribute("href")).join()`)
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("home says %q, want %q in it", got, part)
			}
		}
	}
	said("Never expires", "Count first:", "as soon as it runs.")
	if js[bool](p, `document.getElementById("stamp").checkVisibility()`) {
		t.Error("home asks for the last write of a document of MongoDB")
	}
	p.paste("policy", `{"s":"E","c":"INDEX","id":22540,"ctx":"TTLMonitor","msg":"key for ttl index can only have 1 field, skipping TTL job"}`)
	said("What the TTL monitor writes", "an index of several fields never deletes", "start/log-messages/")
	if got := js[string](p, `document.getElementById("document").value`); got != "" {
		t.Errorf("beside what was pasted stands the document of the example: %q", got)
	}
	p.run(chromedp.WaitVisible(chromedp.CSS("html[data-ready]")))
	said("What the TTL monitor writes")
	p.paste("policy", `MongoServerError[IndexOptionsConflict]: An equivalent index already exists with a different name and options`)
	said("Error 85", "fix/error-85/")
	p.paste("policy", `db.logs.createIndex({createdAt: 1}, {expireAfterSeconds: 3600})`)
	said("What it does", "createdAt_1 deletes each document 1 h after createdAt.", "fix/dates-are-strings/")
	p.paste("document", `{createdAt: ISODate("2020-01-01T00:00:00Z")}`)
	said("Expired", "mongo.date")
	p.paste("policy", `index({ createdAt: 1 }, { expire_after_seconds: 3600 })`)
	said("Not known", "is not known from this text", "getIndexes()")
	p.paste("policy", "why is nothing deleted")
	p.paste("document", "")
	said("A question in words", "search/?q=why%20is%20nothing%20deleted")
	p.paste("policy", `{"id": "c", "defaultTtl": 3600}`)
	said("What it does", "An item expires 1 h after its last write")
	if _, trouble := p.heard(); len(trouble) > 0 {
		t.Errorf("the console has errors: %q", trouble)
	}
	p.shot("home")
}

// paste pastes a text over all of a field.
func (p *page) paste(id, text string) {
	js[bool](p, fmt.Sprintf(`(() => { const e = document.getElementById(%q); e.select(); e.dispatchEvent(new ClipboardEvent("paste", {bubbles: true})); e.value = %q; e.dispatchEvent(new Event("input", {bubbles: true})); return true })()`, id, text))
}

// first: before the program is loaded, the page shows the library's answer for its example,
// and no answer for the question of a link.
func (p *page) first(t *testing.T) {
	block := func(on bool) {
		t.Helper()
		patterns := []*network.BlockPattern{{URLPattern: "*://*:*/*/worker.js?*", Block: on}}
		if _, err := chromedp.Call(p.tab, network.SetBlockedURLs, network.SetBlockedURLsParams{URLPatterns: patterns}); err != nil {
			t.Fatal(err)
		}
	}
	block(true)
	p.run(chromedp.Navigate(p.base), chromedp.WaitVisible(chromedp.CSS("#copy")))
	a := playground.Of(playground.Examples()[0].State, playground.View{})
	if got, want := p.shown(), want(a.State); got != want {
		t.Errorf("before the program the page shows %v, want %v", got, want)
	}
	const texts = `["because", "when"].map((id) => document.getElementById(id).textContent).join("|")`
	if got, want := js[string](p, texts), a.Because+"|expires at 2026-11-20T12:00:05Z (in 5 s)"; got != want {
		t.Errorf("before the program the page says %q, want %q", got, want)
	}
	if got := js[int](p, `document.querySelectorAll("#picture svg .tl-now").length`); got != 2 {
		t.Errorf("%d timelines are there before the program, want a wide and a narrow one", got)
	}
	p.run(chromedp.Navigate("about:blank"), chromedp.Navigate(p.base+"#p=%7Bkey%3A%7Ba%3A1%7D%7D&d=%7B%7D&s=%22%5D"), chromedp.WaitVisible(chromedp.CSS("#loading")))
	const seen = `[...document.querySelectorAll("#state, #when, #because, #picture")].map((e) => { const s = getComputedStyle(e); return s.visibility === "hidden" || s.fontSize === "0px" }).join()`
	if got, want := js[string](p, seen), "true,true,true,true"; got != want {
		t.Errorf("of the example's answer are hidden %s, want %s: a link asks something else", got, want)
	}
	if got, want := js[string](p, `document.getElementById("policy").value`), "{key:{a:1}}"; got != want {
		t.Errorf("the editor holds %q, want what the link asks, %q", got, want)
	}
	block(false)
	p.forget()
}

// release: the page answers for the typed release.
func (p *page) release(t *testing.T) {
	p.visit("#" + onNaN().Fragment())
	const typed = `((text) => { const e = document.getElementById("release"); e.value = text; e.dispatchEvent(new Event("change")); return true })`
	for text, want := range map[string]string{
		"5.0.9":  "5.0.9 ",
		"5.0.x":  `5.0.13 "5.0.x" is not a release that is known here; those from 2.2 to ` + fixture.Latest + ` are.`,
		" 4.2 ":  "4.2.25 ",
		"10.0.1": `5.0.13 "10.0.1" is not a release`, "v6": "6.0.26 ",
	} {
		js[bool](p, `(show({...state, release: "5.0.13"}), true)`)
		js[bool](p, fmt.Sprintf("%s(%q)", typed, text))
		if got := js[string](p, `document.getElementById("release-error").textContent`); got != "" && !strings.HasSuffix(got, ". The answer is for 5.0.13.") {
			t.Errorf("typed %q, the page says %q", text, got)
		}
		if got := js[string](p, `state.release + " " + document.getElementById("release-error").textContent`); got != want && (!strings.Contains(want, "is not a release") || !strings.HasPrefix(got, want)) {
			t.Errorf("typed %q, the release is %q, want %q", text, got, want)
		}
	}
	if got := js[int](p, `document.querySelectorAll("#stops option").length`); got < 27 {
		t.Errorf("%d releases are offered, want those of all lines", got)
	}
}

// position returns the position of an example in the menu.
func position(title string) int {
	return slices.IndexFunc(playground.Examples(), func(x playground.Example) bool { return x.Title == title })
}

// onNaN returns the example of a NaN.
func onNaN() playground.State { return playground.Examples()[position("NaN, by release")].State }

// choose chooses an example from the menu by its position.
func (p *page) choose(i int) {
	p.Helper()
	js[bool](p, fmt.Sprintf(`(() => { const s = document.getElementById("examples"); s.value = "%d"; s.dispatchEvent(new Event("change")); return true })()`, i))
}

// fix: the page shows the proposed fix, and opened rules stay open.
func (p *page) fix(t *testing.T) {
	p.visit("#" + onNaN().Fragment())
	fix := playground.Of(onNaN(), playground.View{}).Fixes[0]
	if got := js[string](p, `[...document.querySelectorAll("#fix pre")].map((e) => e.textContent).join("\n")`); got != fix.Count+"\n"+fix.Command {
		t.Errorf("the fix is %q", got)
	}
	js[bool](p, `(document.querySelector("#others summary").click(), document.querySelector('[data-rule="mongo.date"] summary').click(), true)`)
	later := onNaN()
	later.Now = "2026-11-20T12:00:01Z"
	p.write("now", later.Now)
	if got, want := p.shown(), want(later); got != want {
		t.Errorf("a second later the page shows %v, want %v", got, want)
	}
	if got := js[string](p, `[...document.querySelectorAll("#ladder details[open]")].map((d) => d.dataset.rule).join()`); got != "mongo.date" {
		t.Errorf("open are %s, want what was opened", got)
	}
}

// settled checks that the page has loaded the expected files, and each with its hash.
func (p *page) settled(t *testing.T) {
	requests, _ := p.heard()
	var files []string
	for _, url := range requests {
		if name, ok := strings.CutPrefix(url, p.site); ok {
			name, hash, _ := strings.Cut(name, "?v=")
			if path.Ext(name) == ".svg" {
				continue // the browser loads the icon at any time
			}
			files = append(files, name)
			if hash == "" && path.Ext(name) != "" {
				t.Errorf("%s is loaded without its hash, by which browsers may keep it", url)
			}
		}
	}
	slices.Sort(files)
	if want := []string{"playground/", "playground/app.js", "playground/messages.js", "playground/start.js", "playground/style.css", "playground/worker.js", "search.js", "site.js", "style.css", "theme.js"}; !slices.Equal(files, want) {
		t.Errorf("the page loads %q, want %q", files, want)
	}
	for _, held := range []string{"worker", "starter", "program"} { // the worker loads two of them
		if got := js[string](p, "page."+held); !strings.Contains(got, "?v=") {
			t.Errorf("the %s is %s, without a hash", held, got)
		}
	}
}

func want(s playground.State) shown {
	a := playground.Of(s, playground.View{})
	return shown{a.Verdict.String(), a.Deadline, a.Rule}
}

// samples writes the samples of the vendors' pages into the editors, and compares the
// answers.
func (p *page) samples(t *testing.T) {
	n := 0
	for _, x := range playground.Examples() {
		if x.About != "" {
			continue
		}
		n++
		p.run(chromedp.Click(chromedp.CSS(`[name=system][value=` + x.State.System + `]`)))
		if x.State.Release != "" {
			p.slide(x.State)
		}
		if x.State.CustomPath {
			p.run(chromedp.Click(chromedp.CSS("#custom")))
		}
		p.write("policy", x.State.Policy)
		p.write("document", x.State.Document)
		p.write("now", x.State.Now)
		if got, want := p.shown(), want(x.State); got != want {
			t.Errorf("%s: the page shows %v, the library says %v", x.Title, got, want)
		}
	}
	if n < 20 {
		t.Errorf("%d samples, want 20 and more", n)
	}
	if list := js[int](p, `performance.getEntriesByType("resource").length`); list > 10 {
		t.Errorf("%d files are loaded after work, want those of the beginning", list)
	}
}

// parameter sets the server parameter of 9.0, which 8.3 does not have.
func (p *page) parameter(t *testing.T) {
	p.choose(position("null on a dotted path, by release"))
	const hidden = `document.getElementById("parameter").hidden`
	if js[bool](p, hidden) {
		t.Error(fixture.Latest + " does not offer the parameter")
	}
	if got := p.shown(); got.State != "expired" {
		t.Errorf("without the parameter the page shows %v, want expired", got)
	}
	p.run(chromedp.Click(chromedp.CSS("#legacy-null")))
	if got := p.shown(); got.State != "never" {
		t.Errorf("with the parameter the page shows %v, want never", got)
	}
	if p.slide(playground.State{System: "mongodb", Release: "8.3.11"}); !js[bool](p, hidden) {
		t.Error("8.3.11 offers the parameter")
	}
}

// slide moves the slider to the stop for a release.
func (p *page) slide(s playground.State) {
	stop := playground.Of(s, playground.View{}).Stop
	js[bool](p, fmt.Sprintf(`(() => { const s = document.getElementById("slider"); s.value = %d; s.dispatchEvent(new Event("input")); return true })()`, stop))
}

// examples chooses each example from the menu.
func (p *page) examples(t *testing.T) {
	for i, x := range playground.Examples() {
		p.choose(i)
		if got, want := p.shown(), want(x.State); got != want {
			t.Errorf("%s: the page shows %v, the library says %v", x.Title, got, want)
		}
		if about := js[string](p, `document.querySelector("#about a")?.getAttribute("href") || ""`); (about == "../compare/disagreements/#"+strings.ToLower(x.About)) != numbered.MatchString(x.About) {
			t.Errorf("%s %s leads to %q", x.About, x.Title, about)
		}
		if got := js[string](p, "(remember(), location.hash.slice(1))"); got != x.State.Fragment() {
			t.Errorf("%s: the address ends with %s, want %s", x.Title, got, x.State.Fragment())
		}
	}
}

// numbered matches the numbers of entries on the page of disagreements.
var numbered = regexp.MustCompile(`^[XEU]\d+$`)

// at returns the middle of the element that a selector finds.
func (p *page) at(selector string) (x, y float64) {
	p.Helper()
	r := js[[]float64](p, fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2] })()`, selector))
	return r[0], r[1]
}

func (p *page) mouse(kind input.DispatchMouseEventType, x, y float64) {
	p.Helper()
	p.run(chromedp.MouseEvent(kind, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1), func(e *input.DispatchMouseEventParams) { e.Buttons = 1 }))
}

// drag moves the handle of now across the deadline and back.
func (p *page) drag(t *testing.T) {
	p.visit("#" + playground.Examples()[0].State.Fragment())
	if got := p.shown().State; got != "pending" {
		t.Fatalf("the first example is %s, want pending", got)
	}
	p.run(chromedp.ScrollIntoView(chromedp.CSS("#picture")))
	x, y := p.at(".tl-now line")
	deadline, _ := p.at("line.tl-deadline")
	p.mouse(chromedp.MousePressed, x, y)
	for _, tc := range []struct {
		to   float64
		want string
	}{{deadline - 40, "pending"}, {deadline + 2, "expired"}, {deadline + 20, "expired"}, {deadline - 20, "pending"}, {deadline + 1, "expired"}} {
		p.mouse(chromedp.MouseMoved, tc.to, y)
		if got := p.shown().State; got != tc.want {
			t.Errorf("now %.0f pixels from the deadline is %s, want %s", tc.to-deadline, got, tc.want)
		}
	}
	if got := js[string](p, `document.getElementById("now").value`); got != "2026-11-20T12:00:05Z" { // a position close to the deadline snaps to it
		t.Errorf("now is %s, want the deadline", got)
	}
	p.mouse(chromedp.MouseReleased, deadline+1, y)
	if got := p.shown().State; got != "expired" {
		t.Errorf("let go, it is %s, want expired", got)
	}
}

// keyboard moves the handle of now by the arrow keys, which do not move the focus.
func (p *page) keyboard(t *testing.T) {
	p.visit("#" + playground.Examples()[0].State.Fragment())
	js[bool](p, `(document.querySelector(".tl-now").focus(), true)`)
	for range 60 {
		p.run(chromedp.KeyEvent(kb.ArrowRight))
	}
	if got := p.shown().State; got != "expired" {
		t.Errorf("after 60 steps to the right it is %s, want expired", got)
	}
	p.run(chromedp.KeyEvent(kb.Home))
	if got := p.shown().State; got != "pending" {
		t.Errorf("at the beginning it is %s, want pending", got)
	}
	if got := js[string](p, `document.activeElement.getAttribute("aria-label")`); got != "now" {
		t.Errorf("the focus is on %q, want now", got)
	}
	js[bool](p, `(document.querySelector(".skip").focus(), true)`)
	p.run(chromedp.KeyEvent(kb.Enter))
	if got := js[string](p, `document.activeElement.id + location.hash.slice(0, 3)`); got != "verdict#d=" {
		t.Errorf("skipped to the answer it is at %s, want the answer, and the question still in the address", got)
	}
	p.run(chromedp.Click(chromedp.CSS("#at")))
	if got := p.shown().State; got != "expired" {
		t.Errorf("at the deadline it is %s, want expired", got)
	}
	p.run(chromedp.Click(chromedp.CSS("#before")))
	if got := p.shown().State; got != "pending" {
		t.Errorf("a millisecond before it is %s, want pending", got)
	}
}

// link opens the address of a question in a new page, which must show the same answer.
func (p *page) link(t *testing.T) {
	p.visit("")
	p.write("document", "{ createdAt: [ISODate(\"2026-11-20T11:00:00Z\"), '#&+%👋'] }")
	before := p.shown()
	_, err := chromedp.Run(p.tab, chromedp.Poll[bool](`location.hash.includes("%F0%9F%91%8B")`, chromedp.WithPollingTimeout(patience)))
	if err != nil {
		t.Fatalf("the address does not hold what was written: %v", err)
	}
	hash := js[string](p, "location.hash")
	p.visit(hash)
	if after := p.shown(); after != before || after.Rule != "mongo.array-earliest" {
		t.Errorf("the link shows %v, want %v", after, before)
	}
	if got := js[string](p, `document.getElementById("document").value`); !strings.Contains(got, "'#&+%👋'") {
		t.Errorf("the link brings %q", got)
	}
	other := playground.Examples()[4].State
	js[bool](p, fmt.Sprintf("(location.hash = %q, true)", other.Fragment()))
	_, err = chromedp.Run(p.tab, chromedp.Poll[bool](`document.querySelector("#ladder .decides code").textContent === "mongo.filter-mismatch"`, chromedp.WithPollingTimeout(patience)))
	if err != nil {
		t.Errorf("a changed address is not followed: %v", err)
	}
}

// releases clicks on the strip of releases, on both sides of a change of the answer.
func (p *page) releases(t *testing.T) {
	p.visit("#" + onNaN().Fragment())
	segments := js[[]string](p, `[...document.querySelectorAll("#strip button")].map((b) => b.dataset.verdict)`)
	if want := []string{"expired", "expired", "never", "never", "never", "never", "expired", "never", "expired", "never"}; !slices.Equal(segments, want) {
		t.Errorf("the strip is %q, want %q", segments, want)
	}
	for _, segment := range []struct {
		n    int
		want shown
	}{{8, shown{"never", "", "mongo.nan-skipped"}}, {9, shown{"expired", "2026-11-20T11:00:00.000Z", "mongo.date"}}} {
		p.run(chromedp.Click(chromedp.CSS("#strip button:nth-child(" + strconv.Itoa(segment.n) + ")")))
		if got := p.shown(); got != segment.want {
			t.Errorf("segment %d shows %v, want %v", segment.n, got, segment.want)
		}
	}
	if got := js[string](p, `document.getElementById("release").value + document.getElementById("line").textContent`); got != "6.0.1one of 6.0.0–6.0.1" {
		t.Errorf("the release is %s, want 6.0.1 of 6.0.0–6.0.1", got)
	}
	js[bool](p, `(document.querySelector("#strip button:nth-child(8)").focus(), true)`)
	p.run(chromedp.KeyEvent(kb.Enter))
	if got := js[string](p, `document.activeElement.getAttribute("aria-label")`); !strings.HasPrefix(got, "5.0.14 to 5.0.31: ") {
		t.Errorf("chosen by keyboard, the focus is on %q, want 5.0.14 to 5.0.31", got)
	}
	p.run(chromedp.Click(chromedp.CSS("#flips button")))
	if got := js[string](p, `document.getElementById("release").value`); got != "3.4.24" {
		t.Errorf("the first change of the answer leads to %s, want 3.4.24", got)
	}
}

// badInput: the page shows the place of an error in the input.
func (p *page) badInput(t *testing.T) {
	p.visit("")
	p.write("document", "{\n  createdAt: ISODat('x')\n}")
	if got, want := js[string](p, `document.getElementById("document-error").textContent`), `line 2, column 14:ISODat cannot be read here`; !strings.HasPrefix(got, want) {
		t.Errorf("beside the editor stands %q, want %q", got, want)
	}
	if got := js[bool](p, `document.getElementById("document").closest(".editor").classList.contains("bad")`); !got {
		t.Error("the editor is not marked")
	}
	p.run(chromedp.Click(chromedp.CSS("#document-error button")))
	if got := js[string](p, `document.activeElement.id + document.activeElement.selectionStart`); got != "document15" {
		t.Errorf("the place is %s, want document15", got)
	}
	if got := js[string](p, `document.getElementById("because-row").textContent`); !strings.HasPrefix(got, `ProblemDocument, line 2, column 14: ISODat cannot be read here`) {
		t.Errorf("in the place of the answer stands %q", got)
	}
	if got := js[int](p, `document.querySelectorAll("#strip button").length`); got > 0 {
		t.Errorf("%d answers by release stand beside what cannot be read", got)
	}
	p.shot("bad-input")
	p.write("document", "{}")
	if got := js[string](p, `document.getElementById("document-error").textContent + document.getElementById("state").textContent`); got != "Never expires" {
		t.Errorf("put right, the page says %q, want Never expires", got)
	}
}

// pastes: a text that the shell does not read as a Date is not a Date, the page asks for
// missing parts, and a notice says if the page reads a pasted text as something else.
func (p *page) pastes(t *testing.T) {
	notices := `[...document.querySelectorAll("#notices p")].map((n) => n.textContent).join("\n")`
	p.visit("")
	p.write("document", "db.log_events.insertOne({ createdAt: Date() })")
	if got := p.shown(); got != (shown{"never", "", "mongo.field-not-date"}) {
		t.Errorf("Date() shows %v, want never by mongo.field-not-date", got)
	}
	if got := js[string](p, notices); !strings.Contains(got, "Date() without new is a string") {
		t.Errorf("Date() has the notices %q", got)
	}
	p.shot("date-string")
	p.write("policy", "db.log_events.createIndex({ createdAt: 1 }, { expireAfterSecond: 10 })")
	if got := js[string](p, `document.getElementById("verdict").innerText`); !strings.Contains(got, "Not known") || !strings.Contains(got, "is not known from this text") || strings.Contains(got, "Never") {
		t.Errorf("an option of no driver shows %q, want that it is not known", got)
	}
	p.write("policy", "{ key: { createdAt: 1 }, expireAfterSecond: 10 }")
	if got := js[string](p, notices); !strings.Contains(got, "expireAfterSecond is not an option of an index; expireAfterSeconds is.") {
		t.Errorf("a misspelt option has the notices %q", got)
	}
	p.run(chromedp.Click(chromedp.CSS("[name=system][value=cosmos-nosql]")))
	p.write("policy", `{"name": "c", "resource": {"id": "c", "defaultTtl": 10}}`)
	p.write("document", `{"id": "1"}`)
	if got := js[string](p, `document.getElementById("state").textContent`); got != "Pending" {
		t.Errorf("without a _ts the state is %q, want that of an item written just now", got)
	}
	if got := js[string](p, notices); !strings.Contains(got, "The document says no _ts") {
		t.Errorf("without a _ts the notices are %q", got)
	}
	p.write("written", "2020-01-01T00:00:00Z")
	if got := p.shown(); got != (shown{"expired", "2020-01-01T00:00:10.000Z", "cosmos.default"}) {
		t.Errorf("written in 2020 it shows %v, want expired 10 s later", got)
	}
	p.shot("no-timestamp")
	p.write("document", `{"id": "1", "_ts": 1}`)
	if got := p.shown(); got.State != "expired" || got.Rule != "cosmos.default" {
		t.Errorf("a container under resource shows %v, want expired by cosmos.default", got)
	}
	if got := js[string](p, notices); !strings.Contains(got, "Read as the container under resource.") {
		t.Errorf("a container under resource has the notices %q", got)
	}
}

// nan: the page shows that mongo.nan-zero applies beside the deciding rule.
func (p *page) nan(t *testing.T) {
	p.visit("#" + onNaN().Fragment())
	if got := js[string](p, `[...document.querySelectorAll("#ladder .applies summary")].map((s) => s.textContent).join()`); got != "mongo.nan-zeroapplies" {
		t.Errorf("beside the rule that decides %q apply, want mongo.nan-zero", got)
	}
	if got := js[string](p, `document.getElementById("because").textContent`); !strings.Contains(got, "reads as 0 (mongo.nan-zero)") {
		t.Errorf("the sentence is %q", got)
	}
	if got := js[string](p, `document.querySelector("#strip [data-verdict=expired]").title`); !strings.Contains(got, "(mongo.nan-zero, mongo.date-strict)") {
		t.Errorf("the strip says %q", got)
	}
	p.shot("nan")
}

// names: each control has a name that says its purpose, for users of screen readers.
func (p *page) names(t *testing.T) {
	p.visit("")
	nameless := js[[]string](p, `[...document.querySelectorAll("input, select, textarea, button, [role=slider]")]
		.filter((e) => e.checkVisibility() && !e.labels?.length && !e.getAttribute("aria-label") && !e.textContent.trim()).map((e) => e.outerHTML)`)
	if len(nameless) > 0 {
		t.Errorf("controls without a name: %q", nameless)
	}
	for _, id := range []string{"policy-error", "document-error", "now-error", "verdict"} {
		if got := js[string](p, fmt.Sprintf(`document.getElementById(%q).getAttribute("aria-live")`, id)); got != "polite" {
			t.Errorf("%s is announced %q, want polite", id, got)
		}
	}
}

// nowIsWhole is true if the clock of the timeline lies within the picture.
const nowIsWhole = `(() => { const box = document.getElementById("picture").getBoundingClientRect();
	return [...document.querySelectorAll(".tl-now text, .tl-now path")].every((e) => { const r = e.getBoundingClientRect(); return r.width > 0 && r.left >= box.left && r.right <= box.right && r.top >= box.top }) })()`

// looks takes screenshots, and checks that the page fits the width of a phone.
func (p *page) looks(t *testing.T) {
	for _, name := range []string{"Log events: 10 seconds after createdAt", "NaN, by release", "null on an item", "ttl: 20.5 means nothing"} {
		i := position(name)
		for _, scheme := range []string{"light", "dark"} {
			for _, width := range []int64{1400, 360} {
				if os.Getenv("TTL_SHOTS") == "" && (width > 360 || scheme == "dark") {
					continue // without screenshots, one look is enough
				}
				features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}
				if _, err := chromedp.Call(p.tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features}); err != nil {
					t.Fatal(err)
				}
				p.run(chromedp.EmulateViewport(width, 1000))
				p.visit("#" + playground.Examples()[i].State.Fragment())
				if got := js[int64](p, "document.documentElement.scrollWidth"); got > width {
					t.Errorf("%s: %d pixels wide on a screen of %d", name, got, width)
				}
				if !js[bool](p, nowIsWhole) {
					t.Errorf("%s: now is cut off on a screen of %d", name, width)
				}
				p.shot(fmt.Sprintf("%d-%s-%d", i, scheme, width))
			}
		}
	}
}

// several: the page shows a table and counts for documents that are pasted together.
func (p *page) several(t *testing.T) {
	s := playground.Examples()[0].State
	s.Document = "{_id: 1, createdAt: ISODate(\"2026-11-20T11:00:00Z\")}\n{_id: 2, createdAt: \"x\"}\n{_id: 3, createdAt: \"<img src=x>\"}"
	p.visit("#" + s.Fragment())
	for what, want := range map[string]string{
		`document.getElementById("state").textContent`:                                                                    "3 documents",
		`[...document.querySelectorAll("#counts li")].map((e) => e.textContent).join("; ")`:                               "✕ Expired: 1, by mongo.date; ∞ Never expires: 2, by mongo.field-not-date",
		`[...document.querySelectorAll("#rows tr")].map((e) => e.children[1].textContent).join("; ")`:                     "✕ Expired; ∞ Never expires; ∞ Never expires",
		`[...document.querySelectorAll("#rows tr")].map((e) => e.children[0].textContent).join("; ")`:                     "_id: 1; _id: 2; _id: 3",
		`String(document.querySelectorAll("#batch-card img").length + document.getElementById("more").childElementCount)`: "0",
	} {
		if got := js[string](p, what); got != want {
			t.Errorf("%s = %q, want %q", what, got, want)
		}
	}
	p.shot("several")
	p.write("document", `{createdAt: null}`)
	if !js[bool](p, `document.getElementById("batch-card").hidden`) {
		t.Error("the table stays beside one document")
	}
}

// meant: for the policy of another database, the page offers that database, and shows no
// error.
func (p *page) meant(t *testing.T) {
	p.visit("#" + playground.State{System: definition.CosmosNoSQL, Policy: "db.c.createIndex({at: 1}, {expireAfterSeconds: 60})", Document: `{at: ISODate("2020-01-01T00:00:00Z")}`}.Fragment())
	if got := js[string](p, `document.getElementById("state").textContent + document.getElementById("policy-error").textContent + document.getElementById("document-error").textContent`); got != "Another database?" {
		t.Errorf("an index of MongoDB for Cosmos DB shows %q, want no error", got)
	}
	if got := js[string](p, `document.getElementById("verdict").innerText`); !strings.Contains(got, "Answer for MongoDB") {
		t.Errorf("below the question for another database stands %q, want the offer", got)
	}
	p.run(chromedp.Click(chromedp.CSS("#meant button")))
	if got := p.shown(); got.State != "expired" || got.Rule != "mongo.date" {
		t.Errorf("after the offer it shows %v, want expired by mongo.date", got)
	}
	// A paste over an example drops its database too, unless the reader chose the database.
	for _, choose := range []bool{false, true} {
		p.visit("")
		word, want := "automatic", "An item expires 1 h after its last write"
		if choose {
			p.run(chromedp.Click(chromedp.CSS("[name=system][value=cosmos-mongo]")), chromedp.Click(chromedp.CSS("[name=system][value=mongodb]")))
			word, want = "MongoDB", "Another database?"
		}
		p.paste("policy", `{"id": "c", "defaultTtl": 3600}`)
		if got := js[string](p, `document.querySelector("[name=system]:checked").nextElementSibling.textContent + ": " + document.getElementById("verdict").innerText`); !strings.HasPrefix(got, word+": ") || !strings.Contains(got, want) {
			t.Errorf("a container pasted over an example (database chosen: %t) shows %q, want %s and %q", choose, got, word, want)
		}
	}
}
