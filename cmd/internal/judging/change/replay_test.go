package change

import (
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestReplay: steps as they are scheduled replay, and steps with one fault do not.
func TestReplay(t *testing.T) {
	const dayMillis = 86_400_000
	var data []byte
	for _, daysAgo := range []policy.Instant{20, 19, 18, 18, 18, 12, 11, 10, 31} {
		var err error
		if data, err = policy.AppendBSON(data, policy.ObjectValue(policy.D{{Key: "t", Value: policy.DateValue(now - daysAgo*dayMillis)}})); err != nil {
			t.Fatal(err)
		}
	}
	dir := fixture.Files(t, map[string]string{
		"shop/logs.metadata.json": `{"options":{},"indexes":[{"v":2,"key":{"_id":1},"name":"_id_"},{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":2592000}]}`,
		"shop/logs.bson":          string(data),
	})
	o := Options{Options: catalog.Options{Now: now, Release: mongo.Version{Major: 8}}, MaxDeletes: 2}
	targets, err := catalog.Find(dir, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	c, err := targets[0].Collection(o.Options)
	if err != nil {
		t.Fatal(err)
	}
	x, err := OfCollection(c, Wanted{Indexes: []Index{{Key: fixture.Value(t, `{"t":1}`), Seconds: 7 * 86_400}}}, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := Read(t.Context(), []Reading{{x, targets[0].Documents}}, o); err != nil {
		t.Fatal(err)
	}
	check := func(steps []Step, width int64) error {
		spec, states := c.Spec, []mongo.CollectionSpec(nil)
		for _, s := range steps {
			if spec, err = c.After(spec, s.Run); err != nil {
				t.Fatal(err)
			}
			states = append(states, spec)
		}
		r := replay{of: &x.staging.stands, name: "t_1", ages: x.Documents.Ages.List(), width: width, gone: x.Documents.Ages.Gone, most: o.MaxDeletes, now: now}
		return r.check(steps, states, 7*86_400)
	}
	steps := x.Steps()
	if len(steps) != 4 || steps[1].Over == nil || *steps[1].Over != 3 || steps[0].Expired == nil || *steps[0].Expired != 1 {
		t.Fatalf("the steps are %+v", steps)
	}
	if err := check(steps, 1); err != nil {
		t.Errorf("the scheduled steps: %v", err)
	}
	for _, tt := range []struct {
		why  string
		with func(s []Step) []Step
		want string
	}{
		{"the first is missing", func(s []Step) []Step { return s[1:] }, "on day 3 5 documents go, and the step says 3"},
		{"the last is missing", func(s []Step) []Step { return s[:3] }, "the last step leaves"},
		{"one says another number", func(s []Step) []Step { n := *s[2].Deletes + 1; s[2].Deletes = &n; return s }, "and the step says"},
		{"one does not say that it is above the limit", func(s []Step) []Step { s[1].Over = nil; return s }, "on day 3 3 documents go, and no step says that this is more than 2"},
		{"one says that it is above the limit by another number", func(s []Step) []Step { n := int64(4); s[1].Over = &n; return s }, "and no step says"},
		{"one is a day late", func(s []Step) []Step { at := *s[3].At; at.Millis += dayMillis; s[3].At = &at; return s }, "on day 6 0 documents go, and the step says 1"},
		{"one is an hour late", func(s []Step) []Step { at := *s[3].At; at.Millis += 3_600_000; s[3].At = &at; return s }, "a step is at"},
		{"two are in the wrong order", func(s []Step) []Step { s[2], s[3] = s[3], s[2]; return s }, "a step is at"},
		{"one has the delay of the last", func(s []Step) []Step { s[0].Run = s[3].Run; return s }, "on day 1"},
	} {
		if err := check(tt.with(append([]Step{}, steps...)), 1); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, want %q", tt.why, err, tt.want)
		}
	}
	// Each count may then lie on both sides of a midnight.
	if err := check(steps, 200_000); err == nil || !strings.Contains(err.Error(), "spans of 200,000 seconds") {
		t.Errorf("wide counts: %v", err)
	}
}
