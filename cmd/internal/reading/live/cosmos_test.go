package live

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestParseCosmos(t *testing.T) {
	for _, c := range []struct{ text, name, database, container, uri, err string }{
		{"cosmos://account", "cosmos://account.documents.azure.com", "", "", "https://account.documents.azure.com", ""},
		{"cosmos://account/shop/", "cosmos://account.documents.azure.com", "shop", "", "https://account.documents.azure.com", ""},
		{"cosmos://account.documents.azure.cn/shop/a%20b", "cosmos://account.documents.azure.cn", "shop", "a b", "https://account.documents.azure.cn", ""},
		{"cosmos://localhost:8081/shop", "cosmos://localhost:8081", "shop", "", "https://localhost:8081", ""},
		{"cosmos+http://127.0.0.1:8081/shop/logs", "cosmos+http://127.0.0.1:8081", "shop", "logs", "http://127.0.0.1:8081", ""},
		{"cosmos+http://account/shop", "", "", "", "", "emulator"},
		{"cosmos://me:secret@account/shop", "", "", "", "", "TTL_COSMOS_KEY"},
		{"cosmos://account/shop?key=secret", "", "", "", "", "TTL_COSMOS_KEY"},
		{"cosmos://account/shop/logs/secret", "", "", "", "", "more than two names"},
		{"cosmos://account/%secret", "", "", "", "", "begins no escape"},
		{"cosmos:///shop", "", "", "", "", "names no account"},
	} {
		a, err := ParseCosmos(c.text, "")
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "secret") {
				t.Errorf("ParseCosmos(%s) has error %v, want one with %q and no secret", c.text, err, c.err)
			}
			continue
		}
		if err != nil || a.Name != c.name || a.Database != c.database || a.Collection != c.container || a.uri != c.uri {
			t.Errorf("ParseCosmos(%s) = %s %s %s %s, %v, want %+v", c.text, a.Name, a.Database, a.Collection, a.uri, err, c)
		}
	}
}

// secretKey is a key, as the environment holds it.
var secretKey = base64.StdEncoding.EncodeToString([]byte("a key that nobody may see"))

// An account answers the requests for reading as Azure Cosmos DB does, and records the
// requests.
type account struct {
	mu    sync.Mutex
	asked []string
	items http.HandlerFunc // answers queries for items
}

func (a *account) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	a.mu.Lock()
	a.asked = append(a.asked, strings.TrimSpace(r.Method+" "+r.URL.Path+" "+string(body)))
	a.mu.Unlock()
	w.Header().Set("x-ms-request-charge", "2.5")
	const logs = `{"id":"logs","_rid":"x","defaultTtl":3600,"analyticalStorageTtl":-1}`
	switch {
	case strings.HasSuffix(r.URL.Path, "/docs"):
		a.items(w, r)
	case strings.HasSuffix(r.URL.Path, "/colls"):
		fmt.Fprintf(w, `{"DocumentCollections":[%s]}`, logs)
	case r.URL.Path == "/dbs":
		io.WriteString(w, `{"Databases":[{"id":"shop"}]}`)
	case r.URL.Path == "/":
		io.WriteString(w, `{"writableLocations":[],"readableLocations":[]}`)
	default:
		io.WriteString(w, logs)
	}
}

// naming returns a handler that answers as the account does, and names this address as
// the endpoint of the account's only region.
func (a *account) naming(address string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			fmt.Fprintf(w, `{"writableLocations":[{"name":"W","databaseAccountEndpoint":%q}],"readableLocations":[{"name":"W","databaseAccountEndpoint":%[1]q}]}`, address)
			return
		}
		a.ServeHTTP(w, r)
	})
}

// twoPages answers with an item, and then with another.
func twoPages(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("x-ms-continuation") == "" {
		w.Header().Set("x-ms-continuation", "more")
		io.WriteString(w, `{"Documents":[{"id":"a","ttl":5}]}`)
		return
	}
	io.WriteString(w, `{"Documents":[{"id":"<b>"}]}`)
}

// open returns an account that answers with items, as a source of the database or
// container that path names.
func (a *account) open(t *testing.T, path string, o Options) *Cosmos {
	t.Helper()
	return a.openAs(t, a, path, o)
}

// openAs is open with the replies of as.
func (a *account) openAs(t *testing.T, as http.Handler, path string, o Options) *Cosmos {
	t.Helper()
	server := httptest.NewServer(as)
	t.Cleanup(server.Close)
	return openCosmos(t.Context(), t, "cosmos+"+server.URL+path, o)
}

// openCosmos returns the account at an address as a source.
func openCosmos(ctx context.Context, t *testing.T, address string, o Options) *Cosmos {
	t.Helper()
	a, err := ParseCosmos(address, secretKey)
	if err != nil {
		t.Fatal(err)
	}
	c, err := OpenCosmos(ctx, a, secretKey, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// readAll returns the items of a source up to the first error.
func readAll(ctx context.Context, s Source, part dump.Part) (items []string, err error) {
	in, err := s.Find(ctx)
	if err != nil {
		return nil, err
	}
	for stream := range in.Streams(dump.StreamOptions{Part: func(*dump.Collection) dump.Part { return part }}) {
		var b dump.Block
		for {
			if err := stream.Next(&b); err != nil {
				if errors.Is(err, io.EOF) {
					err = nil
				}
				return items, err
			}
			for i := range b.Spans {
				items = append(items, string(b.Doc(i)))
			}
		}
	}
	return items, nil
}

func TestCosmosWire(t *testing.T) {
	query := func(path, text string) string { return "POST " + path + ` {"query":"` + text + `"}` }
	for _, c := range []struct {
		name, path string
		part       dump.Part
		options    Options
		want       []string
	}{
		{"a container", "/shop/logs", dump.Part{Fields: []string{"_ts", "ttl", "a\"b"}}, Options{}, []string{
			"GET /", "GET /dbs/shop/colls/logs", "POST /dbs/shop/colls/logs/docs " + `{"query":"SELECT c[\"_ts\"], c[\"a\\\"b\"], c[\"id\"], c[\"ttl\"] FROM c"}`,
		}},
		{"an account", "", dump.Part{Whole: true}, Options{}, []string{
			"GET /", query("/dbs", "SELECT * FROM c"), query("/dbs/shop/colls", "SELECT * FROM c"), query("/dbs/shop/colls/logs/docs", "SELECT * FROM c"),
		}},
		{"an item", "/shop/logs", dump.Part{Whole: true}, Options{IDs: []policy.Value{policy.StringValue("x"), policy.Int64Value(5)}}, []string{
			"GET /", "GET /dbs/shop/colls/logs", `POST /dbs/shop/colls/logs/docs {"query":"SELECT * FROM c WHERE c.id = @id0","parameters":[{"name":"@id0","value":"x"}]}`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := &account{items: twoPages}
			s := a.open(t, c.path, c.options)
			items, err := readAll(t.Context(), s, c.part)
			if want := []string{`{"id":"a","ttl":5}`, `{"id":"<b>"}`}; err != nil || !slices.Equal(items, want) {
				t.Errorf("items %q, %v, want %q", items, err, want)
			}
			if diff := cmp.Diff(c.want, slices.Compact(a.asked)); diff != "" {
				t.Errorf("what was asked (-want +got):\n%s", diff)
			}
			if got, want := s.Charged(), 2.5*float64(len(a.asked)); got != want {
				t.Errorf("Charged() = %v, want %v", got, want)
			}
		})
	}
}

// A request that would change something is refused before any part of it is
// sent.
func TestCosmosWireRefuses(t *testing.T) {
	a := &account{}
	c := a.open(t, "", Options{})
	for _, r := range []struct{ method, url, query, kind string }{
		{"PUT", c.Address.uri, "True", "application/query+json"},
		{"DELETE", c.Address.uri, "", ""},
		{"PATCH", c.Address.uri, "", ""},
		{"POST", c.Address.uri, "", "application/query+json"},
		{"POST", c.Address.uri, "True", "application/json"},
		{"POST", c.Address.uri, "False", "application/query+json"},
		{"GET", "https" + strings.TrimPrefix(c.Address.uri, "http"), "", ""},
		{"GET", "http://db.example.net:8081/", "", ""},
	} {
		request, err := http.NewRequestWithContext(t.Context(), r.method, r.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("x-ms-documentdb-query", r.query)
		request.Header.Set("Content-Type", r.kind)
		var refused refusal
		if _, err := c.wire.Do(request); !errors.As(err, &refused) {
			t.Errorf("Do(%+v) has error %v, want a refusal", r, err)
		}
	}
	database, err := c.client.NewDatabase("shop")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := database.Delete(t.Context(), nil); err == nil {
		t.Error("the client has deleted a database")
	}
	if slices.ContainsFunc(a.asked, func(s string) bool { return s != "GET /" }) {
		t.Errorf("the account was sent %q, want GET / alone", a.asked)
	}
}

func TestCosmosFaults(t *testing.T) {
	usual := idleTime
	defer func() { idleTime = usual }()
	status := func(code int, header, value, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(header, value)
			w.WriteHeader(code)
			io.WriteString(w, body)
		}
	}
	for _, c := range []struct {
		name    string
		answer  http.HandlerFunc
		options Options
		want    string
		items   int
		exit    cli.ExitCode
		idle    time.Duration // 0: the usual one; a loaded machine is slow, and must not be taken for an idle service
	}{
		{"busy for an hour", status(429, "Retry-After", "3600", `{"message":"Request rate is large"}`), Options{}, "429 Too Many Requests: Request rate is large", 0, cli.ExitInput, 0},
		{"truncated", status(200, "A", "b", `{"Documents":[{"id":"a"},{"id`), Options{}, "unexpected end of JSON", 0, cli.ExitInput, 0},
		{"no items", status(200, "A", "b", `{}`), Options{}, "has no items", 0, cli.ExitInput, 0},
		{"huge", status(200, "A", "b", `{"Documents":["`+strings.Repeat("a", maxCosmosReply)+`"]}`), Options{}, "longer than 16 MiB", 0, cli.ExitIncomplete, 0},
		{"the key in the message", status(403, "A", "b", `{"message":"your key is `+secretKey+`, \u001b[2J"}`), Options{}, "403 Forbidden: your key is …", 0, cli.ExitInput, 0},
		{"a redirect", status(307, "Location", "/elsewhere", ""), Options{}, "307", 0, cli.ExitInput, 0},
		{"the key on the edge of what is shown", status(403, "A", "b", `{"message":"`+strings.Repeat("a", 290)+secretKey+`"}`), Options{}, "aaa…", 0, cli.ExitInput, 0},
		{"one page for ever", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("x-ms-continuation", "more")
			io.WriteString(w, `{"Documents":[]}`)
		}, Options{}, "the service repeats a continuation", 0, cli.ExitIncomplete, 0},
		{"two pages for ever", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("x-ms-continuation", map[string]string{"": "a", "a": "b", "b": "a"}[r.Header.Get("x-ms-continuation")])
			io.WriteString(w, `{"Documents":[{"id":"a"}]}`)
		}, Options{}, "the service repeats a continuation", 2, cli.ExitIncomplete, 0},
		{"no charge", status(200, "x-ms-request-charge", "", `{"Documents":[{"id":"a"}]}`), Options{MaxRU: 50}, `the service charges "" request units`, 0, cli.ExitIncomplete, 0},
		{"a charge that is no number", status(200, "x-ms-request-charge", "NaN", `{"Documents":[{"id":"a"}]}`), Options{MaxRU: 50}, `the service charges "NaN" request units`, 0, cli.ExitIncomplete, 0},
		{"a charge below zero", status(200, "x-ms-request-charge", "-5", `{"Documents":[{"id":"a"}]}`), Options{MaxRU: 50}, `the service charges "-5" request units`, 0, cli.ExitIncomplete, 0},
		{"an endless charge", status(200, "x-ms-request-charge", "Inf", `{"Documents":[{"id":"a"}]}`), Options{MaxRU: 50}, `the service charges "Inf" request units`, 0, cli.ExitIncomplete, 0},
		{"empty pages for ever", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("x-ms-continuation", r.Header.Get("x-ms-continuation")+"x")
			io.WriteString(w, `{"Documents":[]}`)
		}, Options{}, "empty pages for 50ms", 0, cli.ExitIncomplete, 50 * time.Millisecond},
		{"budget", twoPages, Options{MaxRU: 7}, "8 of 7 request units are used", 1, cli.ExitIncomplete, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			idleTime = c.idle
			if c.idle == 0 {
				idleTime = usual
			}
			a := &account{items: c.answer}
			items, err := readAll(t.Context(), a.open(t, "/shop/logs", c.options), dump.Part{Whole: true})
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.ContainsAny(err.Error(), "\n") || strings.Contains(err.Error(), secretKey[:5]) {
				t.Errorf("error %q, want a line with %q and no key", err, c.want)
			}
			if got := cli.ExitCodeOf(err); got != c.exit || len(items) != c.items {
				t.Errorf("exit code %d after %d items, want %d after %d", got, len(items), c.exit, c.items)
			}
			if i := slices.IndexFunc(a.asked, func(s string) bool { return strings.Contains(s, "elsewhere") }); i >= 0 {
				t.Errorf("a redirect was followed: %s", a.asked[i])
			}
		})
	}
}

// TestPages: a cycle of continuations is found, whatever its length and the pages
// before it.
func TestPages(t *testing.T) {
	for _, tt := range []struct{ before, circle int }{{0, 1}, {0, 2}, {1, 1}, {5, 3}, {100, 7}, {3, 1000}, {1000, 0}} {
		var p pages
		next := func(i int) string {
			if i >= tt.before && tt.circle > 0 {
				i = tt.before + (i-tt.before)%tt.circle
			}
			return fmt.Sprint("place ", i)
		}
		found := false
		const most = 5000
		n := 0
		for ; n < most && !found; n++ {
			found = p.got(1, &http.Response{Header: http.Header{http.CanonicalHeaderKey(continuationHeader): {next(n)}}}) != nil
		}
		if found != (tt.circle > 0) || found && n > 4*(tt.before+tt.circle)+2 {
			t.Errorf("%d places and a circle of %d: found %t after %d pages", tt.before, tt.circle, found, n)
		}
	}
}

// TestCosmosLists: the lists of an account end, however many pages it sends. Empty lists are
// an error.
func TestCosmosLists(t *testing.T) {
	defer func(d time.Duration) { listTime = d }(listTime)
	for _, tt := range []struct {
		name, of, path string
		time           time.Duration
		page           func(n int) (names int, next string)
		want           string
	}{
		{"databases for ever", "/dbs", "/", 300 * time.Millisecond, func(n int) (int, string) { return 1, fmt.Sprint("t", n) }, "the list has not ended in 300ms"},
		{"containers for ever", "/colls", "/shop", 300 * time.Millisecond, func(n int) (int, string) { return 1, fmt.Sprint("t", n) }, "the list has not ended in 300ms"},
		{"empty pages for ever", "/colls", "/shop", 300 * time.Millisecond, func(n int) (int, string) { return 0, fmt.Sprint("t", n) }, "the list has not ended in 300ms"},
		{"a circle of databases", "/dbs", "/", time.Minute, func(n int) (int, string) { return 1, fmt.Sprint("t", n%3) }, "the service repeats a continuation"},
		{"a circle of containers", "/colls", "/shop", time.Minute, func(n int) (int, string) { return 1, fmt.Sprint("t", n%2) }, "the service repeats a continuation"},
		{"many databases", "/dbs", "/", time.Minute, func(n int) (int, string) { return 30_000, fmt.Sprint("t", n) }, "more than 100,000 databases and collections"},
		{"many containers", "/colls", "/shop", time.Minute, func(n int) (int, string) { return 30_000, fmt.Sprint("t", n) }, "more than 100,000 databases and collections"},
		{"no databases", "/dbs", "/", time.Minute, func(int) (int, string) { return 0, "" }, "there is no database with containers"},
		{"no containers", "/colls", "/shop", time.Minute, func(int) (int, string) { return 0, "" }, "/shop: this database has no containers"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			listTime = tt.time
			n := 0
			a := &account{items: twoPages}
			c := a.openAs(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if !strings.HasSuffix(r.URL.Path, tt.of) {
					a.ServeHTTP(w, r)
					return
				}
				names, next := tt.page(n)
				n++
				w.Header().Set("x-ms-continuation", next)
				kind := map[string]string{"/dbs": "Databases", "/colls": "DocumentCollections"}[tt.of]
				var list []string
				for i := range names {
					list = append(list, fmt.Sprintf(`{"id":"n%d-%d"}`, n, i))
				}
				fmt.Fprintf(w, `{%q:[%s]}`, kind, strings.Join(list, ","))
			}), tt.path, Options{})
			if _, err := c.Find(t.Context()); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Find = %v, want %q", err, tt.want)
			}
		})
	}
}

func TestCosmosInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	a := &account{items: func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("x-ms-continuation") != "" {
			cancel()
			<-r.Context().Done()
		}
		twoPages(w, r)
	}}
	server := httptest.NewServer(a)
	t.Cleanup(server.Close)
	c := openCosmos(ctx, t, "cosmos+"+server.URL+"/shop/logs", Options{})
	items, err := readAll(ctx, c, dump.Part{Whole: true})
	if !errors.Is(err, context.Canceled) || len(items) > 1 {
		t.Errorf("%d items, error %v, want at most one, and that it was interrupted", len(items), err)
	}
}

func TestCosmosErrorsAreLines(t *testing.T) {
	address, err := ParseCosmos("cosmos://account", secretKey)
	if err != nil {
		t.Fatal(err)
	}
	c := &Cosmos{Address: address}
	const want = "cosmos://account.documents.azure.com: no token: none of them has …"
	if got := c.Failed(errors.New("no token:\n\tnone of them\n has " + secretKey)); got.Error() != want {
		t.Errorf("Failed(…) = %q, want %q", got, want)
	}
}

func TestCosmosKeyIsNoKey(t *testing.T) {
	address, err := ParseCosmos("cosmos://account", "not base64!")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenCosmos(t.Context(), address, "not base64!", Options{}); err == nil || !strings.Contains(err.Error(), KeyVariable) || strings.Contains(err.Error(), "not base64!") {
		t.Errorf("error %v, want one that names %s and no key", err, KeyVariable)
	}
}

// TestNobodyAnswers: a wrong address is tried once, and an address that answered before is
// tried again.
func TestNobodyAnswers(t *testing.T) {
	dial := &net.OpError{Op: "dial", Err: errors.New("no such host")}
	w := newCosmosWire(&url.URL{Scheme: "https", Host: "a.documents.azure.com"}, 0)
	if _, ok := w.noRetryIfSilent(dial).(refusal); !ok {
		t.Error("an address at which nobody answered is tried again")
	}
	if err := w.charge(&http.Response{}); err != nil {
		t.Errorf("charge of a reply without one: %v", err)
	}
	if err := w.noRetryIfSilent(dial); err != dial {
		t.Errorf("noRetryIfSilent(%v) = %v after an answer, want the same", dial, err)
	}
}

// TestCosmosHosts: the key and the texts of queries go only to the account's own
// hosts.
func TestCosmosHosts(t *testing.T) {
	for _, tt := range []struct {
		account, to string
		want        bool
	}{
		{"https://a.documents.azure.com", "https://a.documents.azure.com:443/dbs", true},
		{"https://a.documents.azure.com:443", "https://a-westeurope.documents.azure.com:443/", true},
		{"https://a.documents.azure.com", "https://A-WestEurope.Documents.Azure.com/", true},
		{"https://a.sqlx.cosmos.azure.com", "https://a-westeurope.documents.azure.com/", true},
		{"https://a.documents.azure.cn", "https://a-north.documents.azure.cn/", true},
		{"https://a.documents.azure.com", "https://a.documents.azure.com.example.net/", false},
		{"https://a.documents.azure.com", "https://documents.azure.com/", false},
		{"https://a.documents.azure.com", "https://xdocuments.azure.com/", false},
		{"https://a.documents.azure.com", "https://example.net/", false},
		{"https://a.documents.azure.com", "https://a-westeurope.documents.azure.com:8081/", false},
		{"https://a.documents.azure.com", "https://127.0.0.1/", false},
		{"https://db.net", "https://other.net/", false},
		{"https://10.0.0.5", "https://9.0.0.5/", false},
		{"https://localhost:8081", "https://127.0.0.1:8081/", true},
		{"http://localhost:8081", "http://127.0.0.1:8081/", true},
		{"http://localhost:8081", "http://[::1]:8081/", true},
		{"http://localhost:8081", "http://localhost:8082/", false},
		{"http://localhost:8081", "http://172.17.0.2:8081/", false},
		{"http://localhost:8081", "http://db.example.net:8081/", false},
	} {
		account, err := url.Parse(tt.account)
		to, wrong := url.Parse(tt.to)
		if err != nil || wrong != nil {
			t.Fatal(err, wrong)
		}
		if got := mayFollow(account, to); got != tt.want {
			t.Errorf("%s to %s: %t, want %t", tt.account, tt.to, got, tt.want)
		}
	}
}

// TestCosmosOtherHost: no request goes to a foreign host that the account names, and the
// error names that host.
func TestCosmosOtherHost(t *testing.T) {
	asked := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer other.Close()
	a := &account{items: twoPages}
	c := a.openAs(t, a.naming(other.URL+"/"), "/shop/logs", Options{})
	_, err := readAll(t.Context(), c, dump.Part{Whole: true})
	if host := strings.TrimPrefix(other.URL, "http://"); asked || err == nil || !strings.Contains(err.Error(), host) {
		t.Errorf("asked: %t, %v, want a refusal that names %s", asked, err, host)
	}
}
