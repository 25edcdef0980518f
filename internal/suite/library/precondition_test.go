package library

import (
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

func TestEmbeddedPreconditions(t *testing.T) {
	if err := CheckPreconditions(suite.Embedded()); err != nil {
		t.Error(err)
	}
}

// TestCheckPreconditions: a vector whose needs lack a feature, or have a superfluous
// feature, is reported.
func TestCheckPreconditions(t *testing.T) {
	for _, tt := range []struct{ id, without, with, want string }{
		{"mongodb-seconds-nan", "stale-catalog", "", "no command brings about what mongodb-seconds-nan presumes on mongodb@7.0.26: mongo: expireAfterSeconds: "},
		{"mongodb-index-compound", "stale-catalog", "", "no command brings about what mongodb-index-compound presumes on mongodb@4.4.29: "},
		{"mongodb-clustered-stored-nan", "stale-catalog", "", `expireAfterSeconds {"$numberDouble":"NaN"} is stored as {"$numberLong":"0"}`},
		{"mongodb-timeseries-flagged", "state", "", "no command sets requiresExtendedRangeSupport"},
		{"mongodb-collmod-view", "state", "", "no command brings about what mongodb-collmod-view presumes"},
		{"cosmos-off-null", "state", "", "no command brings about what cosmos-off-null presumes on cosmos-nosql: cosmos: defaultTtl: "},
		{"cosmos-stored-ttl-zero", "any-document", "", "the item of cosmos-stored-ttl-zero cannot be stored on cosmos-nosql: "},
		{"cosmosmongo-index-two", "state", "", "no command brings about what cosmosmongo-index-two presumes"},
		{"mongodb-date-on-deadline", "", "stale-catalog", `mongodb-date-on-deadline has "stale-catalog" or "state" in "needs", but commands bring about`},
		{"mongodb-index-capped-one", "", "state", `mongodb-index-capped-one has "stale-catalog" or "state" in "needs"`},
		{"mongodb-date-epoch", "unusual-clock", "", `the clock of mongodb-date-epoch is 1970-01-01T00:00:02.000Z, before 2000 or after 2099: add "unusual-clock"`},
		{"mongodb-date-on-deadline", "", "unusual-clock", "the clock of mongodb-date-on-deadline is not before 2000"},
		{"mongodb-seconds-nan", "stale-catalog", "state", ""},
		{"mongodb-date-on-deadline", "", "", ""},
	} {
		whole := suite.Embedded().Vector(tt.id)
		if whole == nil || tt.without != "" && !slices.Contains(whole.Needs, tt.without) {
			t.Errorf("no vector %s, or it does not need %q", tt.id, tt.without)
			continue
		}
		v := *whole
		v.Needs = slices.DeleteFunc(append(slices.Clone(v.Needs), tt.with), func(f string) bool { return f == tt.without || f == "" })
		s := suite.Embedded().Only(func(*suite.Vector) bool { return false })
		s.Vectors = []*suite.Vector{&v}
		got := ""
		if err := CheckPreconditions(s); err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, tt.want) || (got == "") != (tt.want == "") {
			t.Errorf("%s without %q, with %q: CheckPreconditions() = %q, want %q", tt.id, tt.without, tt.with, got, tt.want)
		}
	}
}
