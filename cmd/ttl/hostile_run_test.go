package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live/wiretest"
)

// asHostileAdapter is the argument that makes the test program a hostile adapter.
const asHostileAdapter = "hostile-adapter"

const hostileHello = `{"protocol":1,"name":"x","version":"1","ops":OPS,"systems":{"mongodb":"8.0.4"},"maxInFlight":10}`

// nested is JSON of many levels.
func nested(levels int) string {
	return strings.Repeat("[", levels) + strings.Repeat("]", levels)
}

// hostileAdapters are hostile behaviours of an adapter: its hello, and its answer to each
// question. OPS stands for the operations that it claims, SEQ for the number of the
// question, HUGE for a MiB of text, and DEEP for JSON of many levels.
var hostileAdapters = map[string][2]string{
	"endless hello":       {"ENDLESS", ""},
	"blank hello":         {"BLANK", ""},
	"a huge hello":        {`{"protocol":1,"name":"HUGE"}`, ""},
	"a deep hello":        {`{"protocol":1,"name":DEEP}`, ""},
	"a hello of controls": {`{"protocol":1,"name":"\u001b[2J\u202e","version":"\u0007\n\u009b31m","ops":OPS,"systems":{"mongodb":"8.0.4"}}`, `{"seq":SEQ,"fault":"x"}`},
	"raw controls":        {"\x1b]0;owned\x07\x1b[2J", ""},
	"no JSON":             {"\xff\xfe{", ""},
	"endless answers":     {hostileHello, "ENDLESS"},
	"blank answers":       {hostileHello, "BLANK"},
	"slow answers":        {hostileHello, "SLOW"},
	"huge answers":        {hostileHello, `{"seq":SEQ,"fault":"HUGE"}`},
	"deep answers":        {hostileHello, `{"seq":SEQ,"out":{"state":DEEP}}`},
	"answers of controls": {hostileHello, `{"seq":SEQ,"fault":"\u001b[2J\u202e\u0007\r\n\u009b31m"}`},
	"controls in results": {hostileHello, `{"seq":SEQ,"out":{"state":"\u001b[2J\u202e\u0007","value":"\u001b[2J"}}`},
	"raw answers":         {hostileHello, "\x1b]0;owned\x07\x1b[2J"},
	"wrong numbers":       {hostileHello, `{"seq":99999,"out":{}}`},
	"negative numbers":    {hostileHello, `{"seq":-1,"out":{}}`},
	"large numbers":       {hostileHello, `{"seq":1e400,"out":{}}`},
	"each answer twice":   {hostileHello, `{"seq":SEQ,"out":{}}` + "\n" + `{"seq":SEQ,"out":{}}`},
	"answers to all":      {hostileHello, `{"seq":1,"out":{}}` + "\n" + `{"seq":2,"out":{}}` + "\n" + `{"seq":3,"out":{}}`},
	"half an answer":      {hostileHello, "END {\"seq\":"},
}

// beHostile runs as the hostile adapter of a kind, which claims these operations.
func beHostile(kind, ops string) {
	what := hostileAdapters[kind]
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 16<<20)
	says := strings.NewReplacer("OPS", ops, "HUGE", strings.Repeat("x", 1<<20), "DEEP", nested(20_000))
	fmt.Fprint(os.Stderr, "\x1b]0;owned\x07 last words \x1b[2J")
	for n := 0; in.Scan(); n++ {
		sayHostile(says.Replace(strings.ReplaceAll(what[min(n, 1)], "SEQ", fmt.Sprint(n))))
	}
	os.Exit(0)
}

func sayHostile(text string) {
	switch {
	case text == "ENDLESS":
		for {
			os.Stdout.WriteString(strings.Repeat("x", 1<<16))
		}
	case text == "BLANK":
		for {
			os.Stdout.WriteString(strings.Repeat("\n", 1<<16))
		}
	case text == "SLOW":
		for {
			os.Stdout.WriteString("x")
			time.Sleep(100 * time.Millisecond)
		}
	case strings.HasPrefix(text, "END "):
		os.Stdout.WriteString(text[4:])
		os.Exit(0)
	}
	os.Stdout.WriteString(text + "\n")
}

// TestHostileAdapters: whatever an adapter says, a run ends, does not call it conformant,
// and shows no control characters. With -short most adapters do not claim self.echo,
// whose 15 questions would start most of them again.
func TestHostileAdapters(t *testing.T) {
	t.Parallel()
	for kind := range hostileAdapters {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			patience := "2s"
			if kind == "slow answers" {
				patience = "250ms" // each question runs into this limit
			}
			ops := `["self.echo","mongodb.decide"]`
			if needsMany := kind == "each answer twice" || kind == "answers to all" || strings.Contains(kind, "controls"); testing.Short() && !needsMany {
				ops = `["mongodb.decide"]`
			}
			r := ttl(t, "", "conform", "run", "--timeout", patience, "--hello-timeout", "5s", "--id", "mongodb-date-on-deadline", "--", os.Args[0], asHostileAdapter, kind, ops)
			if r.code == cli.ExitOK || r.code == cli.ExitUsage {
				t.Errorf("exit code %d:\n%s%s", r.code, r.out, r.err)
			}
			checkTold(t, r)
		})
	}
}

// checkTold checks that the output of a run is short and has no control
// characters.
func checkTold(t *testing.T, r result) {
	t.Helper()
	if isRaw(r.out) || isRaw(r.err) || len(r.out)+len(r.err) > 64<<10 {
		t.Errorf("%d and %d bytes: %.500q %.500q", len(r.out), len(r.err), r.out, r.err)
	}
}

// TestHostileServers: a run that asks a server comes to an end and shows no control
// characters, whatever the server says.
func TestHostileServers(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for servers that say nothing")
	}
	controls := "\x1b[2J\u202e\x07\r\n\u009b31m"
	header := func(length, code uint32) []byte {
		b := binary.LittleEndian.AppendUint32(nil, length)
		b = append(b, make([]byte, 8)...)
		return binary.LittleEndian.AppendUint32(b, code)
	}
	type starter func(t *testing.T) *wiretest.Server
	raw := func(reply []byte) starter {
		return func(t *testing.T) *wiretest.Server {
			return wiretest.StartRaw(t, func(int32, wiretest.Command) []byte { return reply })
		}
	}
	answers := func(answer func(wiretest.Command) bson.D) starter {
		return func(t *testing.T) *wiretest.Server { return wiretest.Start(t, answer) }
	}
	isOf := func(release string) starter {
		return answers(func(c wiretest.Command) bson.D {
			if c.Name == "buildInfo" {
				return bson.D{{Key: "version", Value: release}, {Key: "ok", Value: 1}}
			}
			return nil
		})
	}
	saysAlways := func(reply bson.D) starter { // except while the driver connects
		return answers(func(c wiretest.Command) bson.D {
			if c.Name == "hello" || c.Name == "isMaster" || c.Name == "ismaster" || c.Name == "buildInfo" {
				return nil
			}
			return reply
		})
	}
	for kind, start := range map[string]starter{
		"a length that lies":        raw(header(1<<31-1, 2013)),
		"a negative length":         raw(header(1<<31+5, 2013)),
		"an endless reply":          raw(append(header(1<<31-1, 2013), bytes.Repeat([]byte("x"), 64<<20)...)),
		"a compressed reply":        raw(append(header(1000, 2012), make([]byte, 984)...)),
		"a wrong reply":             raw(append(header(30, 2013), make([]byte, 14)...)),
		"errors of controls":        saysAlways(wiretest.Error(1, controls, controls+strings.Repeat("x", 1<<20))),
		"success whatever is asked": saysAlways(bson.D{{Key: "ok", Value: 1}}),
		"a release of controls":     isOf("8.0.4" + controls),
		"a huge release":            isOf(strings.Repeat("8.", 1<<20)),
		"a password hashed for long": answers(func(c wiretest.Command) bson.D {
			if c.Name != "saslStart" {
				return nil
			}
			_, payload, _ := c.Body.Lookup("payload").BinaryOK()
			_, nonce, _ := strings.Cut(string(payload), "r=")
			return bson.D{{Key: "conversationId", Value: 1}, {Key: "done", Value: false}, {Key: "payload", Value: []byte("r=" + nonce + "abc,s=MDEyMzQ1Njc4OWFiY2RlZg==,i=20000000")}, {Key: "ok", Value: 1}}
		}),
	} {
		t.Run(kind, func(t *testing.T) {
			user := ""
			if strings.Contains(kind, "password") {
				user = "me:hunter2@"
			}
			t.Setenv(live.Variable, "mongodb://"+user+start(t).Host()+"/?serverSelectionTimeoutMS=2000&connectTimeoutMS=2000")
			r := ttl(t, "", "conform", "run", "--mongodb-uri", "mongodb://", "--sweep-timeout", "2s", "--id", "mongodb-date-on-deadline")
			if r.code == cli.ExitOK || r.code == cli.ExitUsage {
				t.Errorf("exit code %d:\n%s%s", r.code, r.out, r.err)
			}
			checkTold(t, r)
			t.Logf("exit code %d: %.200s", r.code, r.err)
		})
	}
}

// startAccount starts a server in the place of an account of Azure Cosmos DB, and returns its
// address.
func startAccount(t *testing.T, account http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewUnstartedServer(account)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	t.Cleanup(server.Close)
	return "cosmos+" + server.URL
}

// TestHostileAccounts: whatever an account of Azure Cosmos DB says, an audit that reads it
// ends, and shows no control characters.
func TestHostileAccounts(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for accounts that say nothing")
	}
	t.Setenv(live.KeyVariable, hostileKey)
	const controls = `\u001b[2J\u202e\u0007\r\n\u009b31m`
	says := func(status int, body string, header ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
	}
	lists := func(page func(asked string) (body, next string)) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			body, next := `{"writableLocations":[],"readableLocations":[]}`, ""
			if r.URL.Path != "/" {
				body, next = page(r.Header.Get("x-ms-continuation"))
			}
			w.Header().Set("x-ms-continuation", next)
			io.WriteString(w, body)
		}
	}
	const oneOfEach = `{"Databases":[{"id":"a"}],"DocumentCollections":[{"id":"c","defaultTtl":5}],"Documents":[{"id":"i"}]}`
	for kind, account := range map[string]http.HandlerFunc{
		"errors of controls":         says(400, `{"code":"`+controls+`","message":"`+controls+strings.Repeat("x", 1<<20)+`"}`),
		"raw controls":               says(200, "\x1b]0;owned\x07\x1b[2J\u202e"),
		"errors of raw controls":     says(500, "\x1b]0;owned\x07\x1b[2J\u202e"),
		"a redirect":                 says(307, "", "Location", "http://192.0.2.1/elsewhere"),
		"a refusal":                  says(403, `{"message":"the key is `+hostileKey+`"}`),
		"busy for an hour":           says(429, `{"message":"busy"}`, "Retry-After", "3600"),
		"success whatever is asked":  says(200, `{}`),
		"creation whatever is asked": says(201, `{"id":"`+controls+`"}`),
		"a deep reply":               says(200, nested(100_000)),
		"a huge reply":               says(200, `{"Databases":[{"id":"`+strings.Repeat("x", 20<<20)+`"}]}`),
		"a length that lies":         says(200, `{`, "Content-Length", "1000000"),
		"regions elsewhere":          says(200, `{"writableLocations":[{"name":"`+controls+`","databaseAccountEndpoint":"http://192.0.2.1:80/`+controls+`"}],"readableLocations":[]}`),
		"a wrong encoding":           says(200, "\x1b[2J", "Content-Encoding", "gzip"),
		"an endless reply": func(w http.ResponseWriter, _ *http.Request) {
			for text := []byte(`{"id":"` + strings.Repeat("x", 1<<16)); ; text = text[7:] {
				if _, err := w.Write(text); err != nil || len(text) < 1<<15 {
					return
				}
			}
		},
		"an answer that breaks off": func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) },
		"one page for ever":         lists(func(string) (string, string) { return oneOfEach, "more" }),
		"two pages for ever": lists(func(asked string) (string, string) {
			return oneOfEach, map[string]string{"": "a", "a": "b", "b": "a"}[asked]
		}),
		"names of controls": lists(func(string) (string, string) { return strings.ReplaceAll(oneOfEach, `"c"`, `"c`+controls+`"`), "" }),
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel() // the tool repeats some requests for ten seconds
			r := ttl(t, "", "audit", startAccount(t, account))
			isListed := kind == "names of controls" || kind == "creation whatever is asked"
			if r.code == cli.ExitUsage || r.code == cli.ExitOK && !isListed {
				t.Errorf("exit code %d:\n%s%s", r.code, r.out, r.err)
			}
			if strings.Contains(r.out+r.err, hostileKey) {
				t.Errorf("it shows the key:\n%s%s", r.out, r.err)
			}
			checkTold(t, r)
			t.Logf("exit code %d: %.200s", r.code, r.err)
		})
	}
}

// TestFailingAccounts: if an account fails every request, the error shows the cause,
// because the retries end before the time limit of a list.
func TestFailingAccounts(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for retries")
	}
	t.Setenv(live.KeyVariable, hostileKey)
	for want, account := range map[string]http.HandlerFunc{
		"500 Internal Server Error: out of order": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(500)
			io.WriteString(w, `{"message":"out of order"}`)
		},
		"properties: unexpected EOF": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, "{")
		},
		": EOF": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		for _, path := range []string{"", "/shop/carts"} {
			t.Run(want+path, func(t *testing.T) {
				t.Parallel()
				r := ttl(t, "", "audit", startAccount(t, account)+path)
				if r.code != cli.ExitInput || !strings.Contains(r.err, want) {
					t.Errorf("exit code %d: %.500s, want 1 and %s", r.code, r.err, want)
				}
			})
		}
	}
}

// hostileKey is a key that a hostile account tries to bring onto the terminal.
const hostileKey = "YSBrZXkgdGhhdCBub2JvZHkgbWF5IHNlZQ=="
