package live

import (
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live/wiretest"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestReadsIndexAlone reads plans as servers explain them, and malformed plans.
func TestReadsIndexAlone(t *testing.T) {
	scan := `{"stage":"IXSCAN","isMultiKey":false}`
	for _, tc := range []struct {
		name, plan string
		want       bool
	}{
		{"covered", `{"winningPlan":{"stage":"PROJECTION_COVERED","inputStage":` + scan + `}}`, true},
		{"as 7.0 nests it", `{"winningPlan":{"queryPlan":{"stage":"PROJECTION_COVERED","inputStage":` + scan + `},"slotBasedPlan":{"stages":"x"}}}`, true},
		{"two shards", `{"winningPlan":{"stage":"SHARD_MERGE","shards":[{"winningPlan":{"stage":"PROJECTION_COVERED","inputStage":` + scan + `}},{"winningPlan":` + scan + `}]}}`, true},
		{"another plan was rejected", `{"winningPlan":` + scan + `,"rejectedPlans":[{"stage":"COLLSCAN"}]}`, true},
		{"multikey", `{"winningPlan":{"stage":"IXSCAN","isMultiKey":true}}`, false},
		{"one shard is multikey", `{"winningPlan":{"shards":[{"winningPlan":` + scan + `},{"winningPlan":{"stage":"IXSCAN","isMultiKey":true}}]}}`, false},
		{"it does not say", `{"winningPlan":{"stage":"IXSCAN"}}`, false},
		{"documents are read", `{"winningPlan":{"stage":"FETCH","inputStage":` + scan + `}}`, false},
		{"no index", `{"winningPlan":{"stage":"COLLSCAN"}}`, false},
		{"no plan", `{}`, false},
		{"too deep", `{"winningPlan":` + strings.Repeat(`{"inputStage":`, 100) + scan + strings.Repeat("}", 101), false},
	} {
		s := wiretest.StartStore(t, &wiretest.Store{Release: "8.0.4", Before: func(c wiretest.Command) bson.D {
			if c.Name != "explain" {
				return nil
			}
			var plan bson.D
			if err := bson.UnmarshalExtJSON([]byte(tc.plan), false, &plan); err != nil {
				panic(err)
			}
			return bson.D{{Key: "queryPlanner", Value: plan}, {Key: "ok", Value: 1}}
		}})
		m := openAt(t, s.Host())
		got, err := m.ReadsIndexAlone(t.Context(), "shop", policy.D{{Key: "find", Value: policy.StringValue("logs")}})
		if got != tc.want || err != nil {
			t.Errorf("%s: ReadsIndexAlone() = %v, %v, want %v", tc.name, got, err, tc.want)
		}
		m.Close()
	}
}
