package playground

import (
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
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
