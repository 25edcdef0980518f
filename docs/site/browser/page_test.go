package browser

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/ttlpolicy/ttlpolicy/cmd/loopback"
)

// patience is a time limit long enough for a busy machine.
const patience = 2 * time.Minute

// A page is the playground in a tab.
type page struct {
	*testing.T
	tab  context.Context
	site string // the address of the site
	base string // the address of the playground

	*record
}

// A record lists the requests of a browser, and its errors.
type record struct {
	mu       sync.Mutex
	requests []string
	trouble  []string // errors of the console, and exceptions
}

// folder is the path of the folder with the built programs; "" before the build.
var folder string

// built builds the command that serves the site, and returns its path.
var built = sync.OnceValues(func() (name string, err error) {
	if folder, err = os.MkdirTemp("", "playground"); err != nil {
		return "", err
	}
	name = filepath.Join(folder, "site")
	if out, err := exec.Command("go", "build", "-o", name, "github.com/ttlpolicy/ttlpolicy/docs/site").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %v\n%s", err, out)
	}
	return name, nil
})

func TestMain(m *testing.M) {
	loopback.Only()
	code := m.Run()
	if folder != "" {
		os.RemoveAll(folder)
	}
	os.Exit(code)
}

// serve starts the site as a user would, and returns its address.
func serve(t *testing.T) string {
	t.Helper()
	name, err := built()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(name, "serve")
	cmd.Dir = "../../.." // the root of the checkout
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(address)
}

// open serves the playground and starts a browser.
func open(t *testing.T) *page {
	t.Helper()
	browser := chromium(t)
	site := serve(t)
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(browser), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()), chromedp.WSURLReadTimeout(patience),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-dev-shm-usage", true), chromedp.WindowSize(1400, 1000))
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	tab, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	tab, cancel = context.WithTimeout(tab, 2*patience)
	t.Cleanup(cancel)
	p := &page{T: t, tab: tab, base: site + "playground/", site: site, record: &record{}}
	if err := chromedp.Listen(tab, p.listen); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(tab, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	messages := chromedp.Console(tab)
	go func() {
		for m, err := range messages {
			if err == nil && (m.IsException() || m.Type == chromedp.ConsoleError || m.Type == chromedp.ConsoleWarning) {
				p.mu.Lock()
				p.trouble = append(p.trouble, m.String())
				p.mu.Unlock()
			}
		}
	}()
	return p
}

// chromium returns the path of the browser. It skips the test if no browser is requested.
func chromium(t *testing.T) string {
	t.Helper()
	if os.Getenv("TTL_BROWSER") != "required" {
		t.Skip("TTL_BROWSER=required starts Chromium")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("no Chromium is installed")
	return ""
}

func (p *record) listen(event any) {
	if e, ok := event.(*network.EventRequestWillBeSent); ok {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.requests = append(p.requests, e.Request.URL)
	}
}

// heard returns the requests, and the messages of the console.
func (p *record) heard() (requests, trouble []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.requests), slices.Clone(p.trouble)
}

// forget drops requests and messages, after something was blocked on purpose.
func (p *page) forget() {
	time.Sleep(100 * time.Millisecond) // messages of the console arrive asynchronously
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests, p.trouble = nil, nil
}

func (p *page) run(actions ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	if err := chromedp.Do(p.tab, actions...); err != nil {
		_, trouble := p.heard()
		p.Fatalf("%v; the console says %q", err, trouble)
	}
}

// visit loads the playground anew, with a fragment in its address.
func (p *page) visit(fragment string) {
	p.Helper()
	p.run(chromedp.Navigate("about:blank"), chromedp.Navigate(p.base+fragment), chromedp.WaitVisible(chromedp.CSS("html[data-ready]")))
}

// js evaluates an expression in the page, once all answers have arrived.
func js[T any](p *page, expression string) T {
	p.Helper()
	p.run(chromedp.WaitNotPresent(chromedp.CSS("html[data-asking]")))
	value, err := chromedp.Run(p.tab, chromedp.Evaluate[T](expression))
	if err != nil {
		p.Fatalf("%s: %v", expression, err)
	}
	return value
}

// write replaces the text of a field, as typing would.
func (p *page) write(id, text string) {
	p.Helper()
	js[bool](p, fmt.Sprintf(`(() => { const e = document.getElementById(%q); e.value = %q; e.dispatchEvent(new Event("input", {bubbles: true})); return true })()`, id, text))
}

// A shown is the answer that the page shows.
type shown struct{ State, Deadline, Rule string }

func (p *page) shown() shown {
	p.Helper()
	return js[shown](p, `({
		State: document.getElementById("verdict").dataset.verdict,
		Deadline: document.querySelector("#summary").textContent.split(" · ")[1] || "",
		Rule: document.querySelector("#ladder .decides code")?.textContent || "",
	})`)
}

// shot takes a screenshot if screenshots are requested.
func (p *page) shot(name string) {
	p.Helper()
	dir := os.Getenv("TTL_SHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(p.tab, chromedp.FullScreenshot(100))
	if err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
		p.Error(err)
	}
}

// outside returns the requests to addresses outside of the site.
func (p *page) outside() (list []string) {
	requests, _ := p.heard()
	for _, url := range requests {
		if !strings.HasPrefix(url, p.site) && !strings.HasPrefix(url, "data:") && url != "about:blank" {
			list = append(list, url)
		}
	}
	return list
}
