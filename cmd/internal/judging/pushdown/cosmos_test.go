package pushdown

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func specOf(t *testing.T, text string) cosmos.ContainerSpec {
	t.Helper()
	spec, err := cosmos.ParseContainerSpec([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

func compile(t *testing.T, spec string, now policy.Instant) *Queries {
	t.Helper()
	q, err := CompileQueries(specOf(t, spec), now)
	if err != nil {
		t.Fatalf("CompileQueries(%s): %v", spec, err)
	}
	return q
}

// TestCompile compares all queries for each kind of container with the expected text.
func TestCompile(t *testing.T) {
	const (
		absent  = "NOT IS_DEFINED(c.ttl)"
		never   = "IS_NUMBER(c.ttl) AND c.ttl = -1"
		own     = "IS_NUMBER(c.ttl) AND c.ttl >= 1 AND c.ttl <= 2147483647 AND FLOOR(c.ttl) = c.ttl"
		invalid = "IS_DEFINED(c.ttl) AND (NOT IS_NUMBER(c.ttl) OR (c.ttl != -1 AND (c.ttl < 1 OR c.ttl > 2147483647 OR FLOOR(c.ttl) != c.ttl)))"
		ts      = " AND IS_NUMBER(c._ts) AND FLOOR(c._ts) = c._ts"
		noTS    = " AND (NOT IS_NUMBER(c._ts) OR FLOOR(c._ts) != c._ts)"
		at      = ` AND IS_NUMBER(c["a"]["b"]) AND FLOOR(c["a"]["b"]) = c["a"]["b"] AND c["a"]["b"] >= 1`
		noAt    = ` AND (NOT IS_NUMBER(c["a"]["b"]) OR FLOOR(c["a"]["b"]) != c["a"]["b"] OR c["a"]["b"] < 1)`
	)
	for _, c := range []struct {
		name, spec string
		now        policy.Instant
		want       []string
		find       string
	}{
		{"off", `{}`, 0, []string{"cosmos.off never"}, ""},
		{"a default that is refused", `{"defaultTtl":0}`, 0, []string{"cosmos.container-unspecified never"}, ""},
		{"seconds", `{"defaultTtl":60}`, 100_999, []string{
			"cosmos.no-timestamp never (" + absent + noTS + ") OR (" + own + noTS + ")",
			"cosmos.default expired " + absent + ts + " AND c._ts <= 40",
			"cosmos.default pending " + absent + ts + " AND c._ts > 40",
			"cosmos.item-never never " + never,
			"cosmos.item expired " + own + ts + " AND c._ts + c.ttl <= 100",
			"cosmos.item pending " + own + ts + " AND c._ts + c.ttl > 100",
			"cosmos.item-unspecified never " + invalid,
		}, "(" + absent + ts + " AND c._ts <= 40) OR (" + own + ts + " AND c._ts + c.ttl <= 100)"},
		{"no default, before 1970", `{"defaultTtl":-1}`, -1, []string{
			"cosmos.no-default never " + absent,
			"cosmos.item-never never " + never,
			"cosmos.no-timestamp never " + own + noTS,
			"cosmos.item expired " + own + ts + " AND c._ts + c.ttl <= -1",
			"cosmos.item pending " + own + ts + " AND c._ts + c.ttl > -1",
			"cosmos.item-unspecified never " + invalid,
		}, own + ts + " AND c._ts + c.ttl <= -1"},
		{"a path", `{"defaultTtl":60,"ttlPropertyPath":"/a/b"}`, 60_000, []string{
			"cosmos.path-unspecified never (((" + absent + noAt + ") OR (" + never + ")) OR (" + own + ")) OR (" + invalid + ")",
			"cosmos.path expired " + absent + at + ` AND c["a"]["b"] <= 0`,
			"cosmos.path pending " + absent + at + ` AND c["a"]["b"] > 0`,
		}, absent + at + ` AND c["a"]["b"] <= 0`},
		{"no index", `{"defaultTtl":60,"indexingPolicy":{"indexingMode":"none"}}`, 60_000, []string{"cosmos.container-unspecified never"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := compile(t, c.spec, c.now)
			var got []string
			for _, n := range q.Counts {
				where := strings.TrimPrefix(strings.TrimPrefix(n.SQL, "SELECT VALUE COUNT(1) FROM c"), " WHERE ")
				got = append(got, strings.TrimSuffix(fmt.Sprintf("%s %s %s", n.Rule, n.State, where), " "))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("counts (-want +got):\n%s", diff)
			}
			if find := strings.TrimPrefix(q.Find, "SELECT * FROM c WHERE "); find != c.find {
				t.Errorf("Find = %s, want %s", find, c.find)
			}
			if (q.Unclear == "") != (c.find == "") {
				t.Errorf("Unclear = %q, want one if something can expire", q.Unclear)
			}
		})
	}
}

func TestCompileRefusesPath(t *testing.T) {
	if q, err := CompileQueries(specOf(t, `{"defaultTtl":5,"ttlPropertyPath":"a"}`), 0); q != nil || err == nil {
		t.Errorf("Compile with a malformed path = %v, %v, want an error", q, err)
	}
}

// TestPropertyAt: a name cannot close the quoted text around it.
func TestPropertyAt(t *testing.T) {
	for path, want := range map[string]string{
		"": "c._ts", "/_ts": "c._ts", "/a": `c["a"]`, "/order/value": `c["order"]["value"]`,
		`/a"] = 1 OR c["b`: `c["a\"] = 1 OR c[\"b"]`, "/a\\": `c["a\\"]`, "/a\nb": `c["a\nb"]`,
	} {
		if got := propertyAt(path); got != want {
			t.Errorf("propertyAt(%q) = %s, want %s", path, got, want)
		}
	}
}
