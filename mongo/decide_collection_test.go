package mongo

import (
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestCollectionSources(t *testing.T) {
	c := vectorCollection(t, "8.2.0", `{"clusteredIndex":true,"expireAfterSeconds":60}`,
		`[{"key":{"_id":1},"name":"_id_"},{"key":{"t":1},"expireAfterSeconds":5},{"key":{"u":-1},"expireAfterSeconds":5},
		  {"key":{"v":"hashed"},"name":"h","expireAfterSeconds":0}]`)
	if got, want := c.Sources(), []string{"collection", "t_1", "u_-1", "h"}; !slices.Equal(got, want) {
		t.Fatalf("Sources() = %q, want %q", got, want)
	}
	tests := []struct {
		why, document string
		source        uint8
		rule          policy.Rule
		deadline      policy.Instant
	}{
		{"only the collection's", `{"_id":D(0)}`, 0, rules.Clustered, 60_000},
		{"an index is earlier", `{"_id":D(0),"u":D(54999)}`, 2, rules.Date, 59_999},
		{"of equal ones the first decides", `{"_id":D(0),"t":D(55000)}`, 0, rules.Clustered, 60_000},
		{"of equal indexes the first too", `{"u":D(7),"t":D(7)}`, 1, rules.Date, 5_007},
		{"an index is later", `{"_id":D(0),"u":D(55001)}`, 0, rules.Clustered, 60_000},
		{"a field that is missing protects from nothing", `{"_id":1,"u":D(1)}`, 2, rules.Date, 5_001},
		{"without a deadline the first source's reason stands", `{"_id":1,"v":D(0)}`, 0, rules.ClusteredNotDate, kept},
		{"an unreachable deadline is none", `{"_id":1,"t":D(9223372036854775807),"u":D(2)}`, 2, rules.Date, 5_002},
	}
	for _, tt := range tests {
		d := c.Decide(drawn.Value(t, dates(tt.document)), 0)
		if d.Source != tt.source || d.Rule != tt.rule || tt.deadline != kept && drawn.Deadline(d) != tt.deadline {
			t.Errorf("%s: source %d, %s, deadline %d, want %d, %s, %d", tt.why, d.Source, d.Rule, drawn.Deadline(d), tt.source, tt.rule, tt.deadline)
		}
		if got, want := c.SourceOf(d), c.Sources()[tt.source]; got != want {
			t.Errorf("%s: SourceOf = %q, want %q", tt.why, got, want)
		}
		alone := hidden.OnlySource(c, int(tt.source)).Decide(drawn.Value(t, dates(tt.document)), 0)
		if alone.Source != 0 || alone.Rule != tt.rule || tt.deadline != kept && drawn.Deadline(alone) != tt.deadline {
			t.Errorf("%s: alone source %d, %s, deadline %d, want 0, %s, %d", tt.why, alone.Source, alone.Rule, drawn.Deadline(alone), tt.rule, tt.deadline)
		}
	}
}

// TestCollectionWithoutThatSource: methods with the position of a missing
// source return nothing, and delete nothing.
func TestCollectionWithoutThatSource(t *testing.T) {
	doc := policy.D{{Key: "t", Value: policy.DateValue(0)}}
	one := vectorCollection(t, "8.2.0", `{}`, `[{"key":{"t":1},"expireAfterSeconds":5}]`)
	for why, c := range map[string]*Collection{
		"the zero Collection": {}, "no source": vectorCollection(t, "8.2.0", `{}`, `[]`), "one source": one,
	} {
		for _, source := range []int{-1, 1, 255, 1 << 30} {
			if got := hidden.OnlySource(c, source).Decide(doc, policy.MaxInstant); got.State != policy.Never || got.Rule != rules.NoTTL {
				t.Errorf("%s: OnlySource(%d) decides %v by %s, want never by %s", why, source, got.State, got.Rule, rules.NoTTL)
			}
			if got := boundsOf(c, source, policy.MaxInstant); !got.isEmpty() {
				t.Errorf("%s: Bounds(%d) = %v, want none", why, source, got)
			}
		}
		if got := c.SourceOf(policy.Decision{Source: 1}); got != "" {
			t.Errorf("%s: SourceOf = %q, want none", why, got)
		}
	}
	if got := new(Collection).SourceOf(policy.Decision{}); got != "" {
		t.Errorf("the zero Collection: SourceOf = %q, want none", got)
	}
	if got := boundsOf(one, 0, 5_000); got != (bounds{policy.MinInstant, 0}) {
		t.Errorf("Bounds(0) = %v, want up to 1970", got)
	}
	series := vectorCollection(t, "8.2.0", `{"timeseries":{"timeField":"t"},"expireAfterSeconds":5}`, `[]`)
	if got := boundsOf(series, 0, policy.MaxInstant); !got.isEmpty() {
		t.Errorf("a time-series collection: Bounds(0) = %v, want none", got)
	}
}

// TestCollectionManySources: a collection has as many sources as a Decision can
// number, and no more.
func TestCollectionManySources(t *testing.T) {
	spec := CollectionSpec{Indexes: slices.Repeat([]IndexSpec{{
		Key:                policy.D{{Key: "t", Value: policy.Int32Value(1)}},
		ExpireAfterSeconds: policy.Int32Value(9),
	}}, 256)}
	spec.Indexes[255].ExpireAfterSeconds = policy.Int32Value(1)
	p := vectorProfile(t, "8.2.0")
	c, err := CompileCollection(spec, p)
	if err != nil {
		t.Fatalf("CompileCollection with 256 indexes: %v", err)
	}
	if d := c.Decide(policy.D{{Key: "t", Value: policy.DateValue(0)}}, 0); d.Source != 255 || drawn.Deadline(d) != 1000 {
		t.Errorf("source %d, deadline %d, want 255, 1000", d.Source, drawn.Deadline(d))
	}
	spec.Indexes = append(spec.Indexes, spec.Indexes[0])
	if _, err := CompileCollection(spec, p); err == nil || !strings.Contains(err.Error(), "257") {
		t.Errorf("CompileCollection with 257 indexes = %v, want an error", err)
	}
}
