package playground

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
)

func copyOf(t *testing.T, a Answer, name string) string {
	t.Helper()
	for _, c := range a.Copies {
		if c.Name == name {
			return c.Text
		}
	}
	t.Fatalf("no copy is called %q of %+v", name, a.State)
	return ""
}

// TestCopiedVectors: the reference answers a copied vector as the playground
// does.
func TestCopiedVectors(t *testing.T) {
	for _, x := range Examples() {
		a := Of(x.State, View{})
		var v struct {
			Op    string
			Rules []string
			In    json.RawMessage
			Want  []struct {
				System, Versions string
				AsOf             *string
				Capabilities     []string
			}
		}
		if err := json.Unmarshal([]byte(copyOf(t, a, "Vector")), &v); err != nil {
			t.Errorf("%s: %v", x.Title, err)
			continue
		}
		if service := a.State.System != definition.MongoDB; service != (v.Want[0].AsOf != nil) {
			t.Errorf("%s: whether the vector asks for the day of the page is %t, want %t", x.Title, !service, service)
		}
		target := conformance.Target{System: v.Want[0].System, Version: strings.TrimPrefix(v.Want[0].Versions, ">="), Capabilities: v.Want[0].Capabilities}
		answer := library.New().Ask(conformance.Question{Op: v.Op, Target: target, In: v.In})
		var out struct{ State, Rule string }
		if err := json.Unmarshal(answer.Out, &out); err != nil || out.State != a.Verdict.String() || out.Rule != a.Rule || v.Rules[0] != a.Rule {
			t.Errorf("%s: the vector is answered %v, want %v by %s", x.Title, answer, a.Verdict, a.Rule)
		}
	}
}

// TestCopiedGoTests: copied tests in Go compile, and pass.
func TestCopiedGoTests(t *testing.T) {
	dir := t.TempDir()
	overlay := map[string]map[string]string{"Replace": {}}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for i, title := range []string{"Log events: 10 seconds after createdAt", "X6 is capped", "Two ttl in one item", "ttl: 20.5 means nothing", "TTL on another field, by capability", "A quotation"} {
		s := map[string]State{
			"X6 is capped": example(t, "A capped collection").State,
			"A quotation":  onMongo("2.2.7", "{key: {a: 1}, expireAfterSeconds: 1}", "{b: 'a`b\\n'}", ""),
		}[title]
		if s.System == "" {
			s = example(t, title).State
		}
		file := filepath.Join(dir, fmt.Sprint(i, "_test.go"))
		text := copyOf(t, Of(s, View{}), "Go test")
		text = strings.Replace(text, "func TestTTL(", fmt.Sprintf("func TestTTL%d(", i), 1)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		overlay["Replace"][filepath.Join(root, "docs", "site", "playground", "copied", fmt.Sprintf("c%d_test.go", i))] = file
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "copied.test")
	compile := exec.Command("go", "test", "-c", "-vet=off", "-o", binary, "-overlay", filepath.Join(dir, "overlay.json"), "github.com/ttlpolicy/ttlpolicy/docs/site/playground/copied")
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	out, err := exec.Command(binary, "-test.v").CombinedOutput()
	if err != nil || strings.Count(string(out), "--- PASS") != 6 {
		t.Errorf("%v:\n%s", err, out)
	}
}

// TestCopiedShell: the text copied for mongosh is read as the same question.
func TestCopiedShell(t *testing.T) {
	for _, title := range []string{"Log events: 10 seconds after createdAt", "Partial index: D is 3", "A bucket goes by its minimum", "ttl: NumberLong(20)", "NaN, by release"} {
		a := Of(example(t, title).State, View{})
		text := copyOf(t, a, "mongosh")
		script, err := mongosh.Parse(text, 0)
		if err != nil || script.Calls[0].Method != "drop" {
			t.Errorf("%s: %v in\n%s", title, err, text)
			continue
		}
		s := a.State
		lines := strings.Split(strings.TrimSpace(text), "\n")
		s.Policy, s.Document = strings.Join(lines[1:len(lines)-1], "\n"), strings.TrimSuffix(lines[len(lines)-1], ";")
		if b := Of(s, View{}); len(b.Problems) > 0 || b.Verdict != a.Verdict || b.Deadline != a.Deadline || b.Rule != a.Rule {
			t.Errorf("%s: pasted back it is %v at %q by %s %v, want %v at %q by %s", title, b.Verdict, b.Deadline, b.Rule, b.Problems, a.Verdict, a.Deadline, a.Rule)
		}
	}
}

func TestCopiedCommand(t *testing.T) {
	for _, tc := range []struct{ title, want string }{
		{"Log events: 10 seconds after createdAt", `ttl explain \
  --index '{"key":{"createdAt":{"$numberInt":"1"}},"expireAfterSeconds":{"$numberInt":"10"}}' \
  --server ` + fixture.Latest + ` \
  --now 2026-11-20T12:00:00.000Z \
  '{"createdAt":{"$date":{"$numberLong":"1795175995000"}},"logEvent":{"$numberInt":"2"},"logMessage":"Success!"}'
`},
		{"Default 10, ttl 60", "ttl explain \\\n  --container '{\"defaultTtl\": 10}' \\\n  --now 2026-11-20T12:00:30.000Z \\\n  '{\"id\": \"1\", \"ttl\": 60, \"_ts\": 1795176000}'\n"},
		{"The millisecond of a field's deadline", "ttl explain \\\n  --index '{\"key\":{\"at\":{\"$numberInt\":\"1\"}},\"name\":\"at_1\",\"expireAfterSeconds\":{\"$numberInt\":\"10\"}}' \\\n  --cosmos-mongo \\\n  --capability EnableTtlOnCustomPath \\\n  --server 4.2 \\\n  --now 2026-11-20T12:00:00.000Z \\\n  '{\"at\":{\"$date\":{\"$numberLong\":\"1795175990000\"}},\"_ts\":{\"$numberInt\":\"1795175990\"}}'\n"},
	} {
		if got := copyOf(t, Of(example(t, tc.title).State, View{}), "ttl"); got != tc.want {
			t.Errorf("%s is\n%s\nwant\n%s", tc.title, got, tc.want)
		}
	}
}

// TestCopiedCommandBeyondDates: the copied command asks about the shown instant, even if
// that has no date, and not about the present time of its user.
func TestCopiedCommandBeyondDates(t *testing.T) {
	s := example(t, "Log events: 10 seconds after createdAt").State
	s.Now = "-9223372036854775808ms"
	if got := copyOf(t, Of(s, View{}), "ttl"); !strings.Contains(got, "  --now -9223372036854775808ms \\\n") {
		t.Errorf("it does not say when:\n%s", got)
	}
}

// TestCopiedCurl: the bodies equal the editors' texts without the properties that the
// service sets, and no text can break out of its quotes.
func TestCopiedCurl(t *testing.T) {
	text := copyOf(t, Of(onCore(`{"id": "orders", "partitionKey": {"paths": ["/tenant"]}, "defaultTtl": 20.0, "x": [true, null]}`, `{"id": "it's", "ttl": 5, "_ts": 1, "n": 1.5}`, ""), View{}), "curl")
	for _, want := range []string{
		`dbs/$DATABASE/colls" `, `-d '{"id":"ttl","partitionKey":{"paths":["/id"],"kind":"Hash","version":2},"defaultTtl":20.0,"x":[true,null]}'`,
		`colls/ttl/docs" `, `'x-ms-documentdb-partitionkey: ["it'\''s"]'`, `-d '{"id":"it'\''s","ttl":5,"n":1.5}'`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}
