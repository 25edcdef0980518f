package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

const packageFolder = "../../../docs/site/ttlwasm/npm/"

// show writes values as Node's console does, for the kinds of values in the examples, and
// sends the log to the waiting test.
const show = `
const logged = [];
const inner = (v) => typeof v === "string" ? "'" + v + "'" : show(v);
const show = (v) => typeof v === "bigint" ? v + "n" : Array.isArray(v) ? v.length ? "[ " + v.map(inner).join(", ") + " ]" : "[]"
  : typeof v === "object" && v ? Object.keys(v).length === 0 ? "{}" : "{ " + Object.entries(v).map(([k, w]) => k + ": " + inner(w)).join(", ") + " }" : String(v);
console.log = (...list) => logged.push(list.map((v) => show(v)).join(" ") + "\n");
`

// inBrowser turns an example for Node into one for a browser, which cannot read a file
// synchronously.
var inBrowser = strings.NewReplacer(`import { createReadStream } from "node:fs";`, "", `createReadStream("sessions.bson")`, `(await fetch("/sessions.bson")).body`,
	"import { loadSync }", "import { compileModule, loadSync }", "loadSync()", "loadSync(await compileModule())")

// onOneLine returns what Node logs with its long lists on one line each.
func onOneLine(text string) string {
	return strings.NewReplacer("[\n", "[ ", "{\n", "{ ", ",\n", ", ", "\n]", " ]", "\n}", " }").Replace(
		regexp.MustCompile(`\n +`).ReplaceAllString(text, "\n"))
}

// TestPackage runs the examples of the npm package's README, and sends a compiled module
// to a worker, in a page and in a module worker. Only what the package holds is served.
func TestPackage(t *testing.T) {
	readme := read(t, packageFolder+"README.md")
	examples := regexp.MustCompile("(?ms)^```js\n(.*?)^```\n\n```text\n(.*?)^```").FindAllStringSubmatch(readme, -1)
	if len(examples) != 6 {
		t.Fatalf("the README has %d examples, want 6", len(examples))
	}
	const compiled = `import { compileModule } from "ttlpolicy";
const worker = new Worker("/in-worker.js", { type: "module" });
worker.postMessage(await compileModule());
console.log(await new Promise((done) => { worker.onmessage = (e) => done(e.data); }));
`
	codes, want := []string{compiled}, []string{"expired\n"}
	for _, e := range examples {
		code := inBrowser.Replace(e[1])
		codes, want = append(codes, code), append(want, e[2])
	}
	p := open(t)
	server := servePackage(t, codes)
	for i := range codes {
		for _, where := range []string{"page", "worker"} {
			p.run(chromedp.Navigate(fmt.Sprintf("%s/%s/%d", server, where, i)))
			p.run(chromedp.WaitVisible(chromedp.CSS("#logged")))
			if got := js[string](p, `document.querySelector("#logged").textContent`); got != onOneLine(want[i]) {
				t.Errorf("program %d in a %s logs\n%s\nwant\n%s", i, where, got, want[i])
			}
		}
	}
	if _, trouble := p.heard(); len(trouble) > 0 {
		t.Errorf("the console has errors: %q", trouble)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// servePackage serves the package as an archive of npm holds it, and programs that use it:
// /page/N runs number N in a page, and /worker/N in a worker.
func servePackage(t *testing.T, codes []string) (address string) {
	t.Helper()
	var manifest struct {
		Files   []string
		Exports map[string]any
	}
	if err := json.Unmarshal([]byte(read(t, packageFolder+"package.json")), &manifest); err != nil {
		t.Fatal(err)
	}
	main := strings.Trim(fmt.Sprint(manifest.Exports["."].(map[string]any)["default"]), ".")
	// A worker has no import map, so the name is replaced by the address, as a bundler
	// does.
	resolved := func(code string) string { return strings.ReplaceAll(code, `"ttlpolicy"`, `"/package`+main+`"`) }
	mux := http.NewServeMux()
	for _, name := range manifest.Files {
		mux.HandleFunc("/package/"+name, func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, packageFolder+name) })
	}
	text := func(path, kind, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			fmt.Fprint(w, body)
		})
	}
	const put = `const put = (text) => { const pre = document.createElement("pre"); pre.id = "logged"; document.body.append(pre); pre.textContent = text; };
addEventListener("error", (e) => put(e.message)); addEventListener("unhandledrejection", (e) => put(e.reason));
`
	for i, code := range codes {
		text(fmt.Sprint("/page/", i), "text/html", `<!doctype html><link rel="icon" href="data:,"><script type="importmap">{"imports": {"ttlpolicy": "/package`+main+`"}}</script>
<body><script>`+put+`</script><script type="module">`+show+code+`put(logged.join(""));</script>`)
		text(fmt.Sprint("/worker/", i), "text/html", `<!doctype html><link rel="icon" href="data:,"><body><script>`+put+`
const worker = new Worker("/program/`+fmt.Sprint(i)+`", { type: "module" });
worker.onmessage = (e) => put(e.data);
worker.onerror = (e) => put(e.message);</script>`)
		text(fmt.Sprint("/program/", i), "text/javascript", resolved(show+code)+`postMessage(logged.join(""));`)
	}
	text("/in-worker.js", "text/javascript", resolved(`import { load } from "ttlpolicy";
onmessage = async (e) => {
  const ttl = await load(e.data);
  const container = ttl.compile({ target: { system: "cosmos-nosql" }, in: { container: { defaultTtl: 60 } } });
  postMessage(container.decide({ id: "1", _ts: 1 }, 61000).state);
};`))
	text("/sessions.bson", "application/octet-stream", sessions(t))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// sessions are the documents that the README's first example reads.
func sessions(t *testing.T) string {
	t.Helper()
	const hourBefore = 1_767_222_000_000 // 2025-12-31T23:00:00Z
	var text []byte
	for _, at := range []policy.Value{policy.DateValue(hourBefore), policy.DateValue(hourBefore + 1), policy.StringValue("never"), policy.DateValue(0)} {
		var err error
		if text, err = policy.AppendBSON(text, policy.ObjectValue(policy.D{{Key: "createdAt", Value: at}})); err != nil {
			t.Fatal(err)
		}
	}
	return string(text)
}
