package mingo

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/pushdown"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestFindSelectsWhatExpires compares the filter that --find prints, as the model of queries
// answers it, with the library's decisions about random documents.
func TestFindSelectsWhatExpires(t *testing.T) {
	const (
		policiesDrawn = 400
		documents     = 50
		now           = 1000 // dates are drawn around it
	)
	r := source(t)
	version, err := mongo.ParseVersion(imitatedRelease)
	if err != nil {
		t.Fatal(err)
	}
	expired, refused := 0, 0
	for range policiesDrawn {
		spec := mongo.CollectionSpec{Namespace: "shop.logs"}
		var paths []string
		for i := range 1 + r.IntN(2) {
			paths = append(paths, randomPath(r))
			x := mongo.IndexSpec{Name: fmt.Sprint("index", i), Key: policy.D{{Key: paths[i], Value: policy.Int32Value(1)}}, ExpireAfterSeconds: policy.Int32Value(0)}
			if r.IntN(3) == 0 {
				x.PartialFilterExpression = policy.ObjectValue(randomFilter(r, 1))
			}
			spec.Indexes = append(spec.Indexes, x)
		}
		p, err := reasons.Compile(definition.OfMongoDB(spec, version, nil))
		if err != nil {
			t.Fatal(err)
		}
		plan, err := pushdown.Mongo(p, now, true)
		if position := strings.ContainsAny(strings.Join(paths, " "), "01"); (err != nil) != position {
			t.Fatalf("%s: %v", p.Description, err)
		}
		if err != nil {
			refused++
			continue
		}
		filter := filterOf(t, plan)
		for range documents {
			d := documentWith(r, paths[r.IntN(len(paths))], randomDate(r))
			want := p.Decide(d, now).State == policy.Expired
			if got := (model{}).ask(question{filter, d}); got != want {
				t.Fatalf("%s: the filter selects %s: %v, want %v", p.Description, policy.AppendExtJSON(nil, policy.ObjectValue(d)), got, want)
			}
			if want {
				expired++
			}
		}
	}
	t.Logf("%d policies were refused; of %d documents %d have expired", refused, documents*(policiesDrawn-refused), expired)
	if expired < 1000 || refused > policiesDrawn*9/10 {
		t.Errorf("only %d documents have expired, and %d policies were refused", expired, refused)
	}
}

// filterOf returns the filter in a plan's find command.
func filterOf(t *testing.T, plan pushdown.Plan) policy.D {
	t.Helper()
	command, err := policy.ParseExtJSON(plan.Statements[0].Command)
	if err != nil {
		t.Fatal(err)
	}
	return policy.DOf(command.Field("filter"))
}
