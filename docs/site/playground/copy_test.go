package playground

import (
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

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
		if got := Of(example(t, tc.title).State, View{}).Command; got != tc.want {
			t.Errorf("%s is\n%s\nwant\n%s", tc.title, got, tc.want)
		}
	}
}

// TestCopiedCommandBeyondDates: the copied command asks about the shown instant, even if
// that has no date, and not about the present time of its user.
func TestCopiedCommandBeyondDates(t *testing.T) {
	s := example(t, "Log events: 10 seconds after createdAt").State
	s.Now = "-9223372036854775808ms"
	if got := Of(s, View{}).Command; !strings.Contains(got, "  --now -9223372036854775808ms \\\n") {
		t.Errorf("it does not say when:\n%s", got)
	}
}
