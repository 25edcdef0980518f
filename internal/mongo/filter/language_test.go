package filter

import (
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestCompileFilterRefuses: the language of each release, with the server's
// codes and the place.
func TestCompileFilterRefuses(t *testing.T) {
	tests := []struct {
		version, filter string
		code            int32 // 0 for accepted
		field           string
	}{
		{"3.0.0", `{"a":1}`, codes.CannotCreateIndex, "partialFilterExpression"},
		{"3.2.0", `{"a":1,"b":{"$gt":1,"$lte":5},"c":{"$exists":true},"d":{"$type":"date"}}`, 0, ""},
		{"3.2.0", `{"$and":[{"a":1}]}`, 0, ""},
		{"5.0.0", `{"$or":[{"a":1}]}`, codes.CannotCreateIndex, "$or"},
		{"5.0.0", `{"a":{"$in":[1]}}`, codes.CannotCreateIndex, "a.$in"},
		{"5.0.0", `{"$and":[{"$and":[{"a":1}]}]}`, codes.CannotCreateIndex, "$and"},
		{"6.0.0", `{"$or":[{"a":1},{"$and":[{"b":{"$in":[1]}}]}]}`, 0, ""},
		{"8.0.0", `{"a":{"$ne":1}}`, codes.CannotCreateIndex, "a.$ne"},
		{"8.0.0", `{"a":{"$not":{"$gt":1}}}`, codes.CannotCreateIndex, "a.$not"},
		{"8.0.0", `{"$nor":[{"a":1}]}`, codes.CannotCreateIndex, "$nor"},
		{"8.0.0", `{"a":{"$exists":false}}`, codes.CannotCreateIndex, "a.$exists"},
		{"8.0.0", `{"a":{"$exists":0}}`, codes.CannotCreateIndex, "a.$exists"},
		{"8.0.0", `{"a":{"$regularExpression":{"pattern":"x","options":""}}}`, codes.CannotCreateIndex, "a"},
		{"8.0.0", `{"a":{"$mod":[2,0]}}`, codes.CannotCreateIndex, "a.$mod"},
		{"8.0.0", `{"$expr":true}`, codes.QueryFeatureNotAllowed, "$expr"},
		{"8.0.0", `{"$where":"true"}`, codes.BadValue, "$where"},
		{"8.0.0", `{"a":{"$nonsense":1}}`, codes.BadValue, "a.$nonsense"},
		{"8.0.0", `{"$and":[]}`, codes.BadValue, "$and"},
		{"8.0.0", `{"a":{"$type":"nonsense"}}`, codes.BadValue, "a.$type"},
	}
	for _, tt := range tests {
		_, err := compileClauses(policy.DOf(drawn.Value(t, tt.filter)), drawn.Behaviour(t, tt.version))
		if tt.code == 0 {
			if err != nil {
				t.Errorf("%s on %s: %v, want it accepted", tt.filter, tt.version, err)
			}
			continue
		}
		if codeOf(err) != tt.code || !strings.Contains(err.Place, tt.field) {
			t.Errorf("%s on %s: %v, want %v at %s", tt.filter, tt.version, err, tt.code, tt.field)
		}
	}
}
