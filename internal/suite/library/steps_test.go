package library_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A scribe carries out a history by asking about each document, with the policy that stands
// at the moment: it keeps policies and documents as the values of the steps.
type scribe struct {
	t      *testing.T
	target conformance.Target
	now    policy.Value
	index  policy.Value // the index of the collection, or the settings of the container
	exists bool         // the collection or container
	docs   map[string]policy.Value
	order  []string
}

// isExpired asks the operation that decides.
func (s *scribe) isExpired(doc policy.Value) bool {
	op, in := "mongodb.decide", policy.D{{Key: "now", Value: s.now}, {Key: "document", Value: doc}, {Key: "indexes", Value: policy.ListValue(nil)}}
	if !s.index.IsMissing() {
		in[2].Value = policy.ListValue(policy.A{s.index})
	}
	if s.target.System == conformance.CosmosNoSQL {
		op, in = "cosmos.decide", policy.D{{Key: "now", Value: s.now}, {Key: "container", Value: s.index}, {Key: "item", Value: doc}}
	}
	a := library.New().Ask(cases.Case{Op: op, Target: s.target, In: in}.Question())
	var out struct{ State string }
	if err := json.Unmarshal(a.Out, &out); err != nil {
		s.t.Fatalf("%s: %v", a, err)
	}
	return out.State == "expired"
}

// isRefused reports whether create is refused: before 7.0 if there is a collection, and
// always if there is a container. No drawn collection has options.
func (s *scribe) isRefused(step policy.Value) bool {
	major, _, _ := strings.Cut(s.target.Version, ".")
	n, _ := strconv.Atoi(major)
	return !step.Field("create").IsMissing() && s.exists && (n < 7 || s.target.System == conformance.CosmosNoSQL)
}

// take carries out a step, and returns what it sees if it looks.
func (s *scribe) take(step policy.Value) (seen []string, looks bool) {
	f := step.Fields()
	f.Next()
	v := f.Value()
	switch f.Name() {
	case "create", "createIndexes", "write":
		s.exists = true
	case "drop":
		s.exists = false
	}
	switch f.Name() {
	case "tick":
		s.now = v
		if s.target.System == conformance.MongoDB {
			s.order = slices.DeleteFunc(s.order, func(id string) bool { return s.isExpired(s.docs[id]) })
		}
	case "look":
		for _, id := range s.order {
			if s.target.System == conformance.MongoDB || !s.isExpired(s.docs[id]) {
				seen = append(seen, id)
			}
		}
		return seen, true
	case "create":
		if s.target.System == conformance.CosmosNoSQL {
			s.index = v
		}
	case "createIndexes", "settings":
		s.index = v
	case "collMod":
		s.index = cases.Put(s.index, v.Field("index").Field("expireAfterSeconds"), "expireAfterSeconds")
	case "dropIndexes":
		s.index = policy.Value{}
	case "drop":
		s.index, s.order = policy.Value{}, nil
	case "delete":
		s.order = slices.DeleteFunc(s.order, func(id string) bool { return id == v.String() })
	case "update":
		doc := s.docs[v.Field("_id").String()]
		for e := v.Field("unset").Elements(); e.Next(); {
			name, _ := e.Value().AsString()
			doc = cases.Put(doc, policy.Value{}, name)
		}
		for e := v.Field("set").Fields(); e.Next(); {
			doc = cases.Put(doc, e.Value(), e.Name())
		}
		s.docs[v.Field("_id").String()] = doc
	case "write":
		id := v.Field("_id")
		if s.target.System == conformance.CosmosNoSQL {
			id = v.Field("id")
			at, _ := s.now.AsDate()
			v = cases.Put(v, policy.Int64Value(int64(at)/1000), "_ts")
		}
		if s.docs[id.String()] = v; !slices.Contains(s.order, id.String()) {
			s.order = append(s.order, id.String())
		}
	}
	return nil, false
}

// TestHistoriesAgreeWithDecisions: what a history sees follows from the decisions about its
// documents, each by the policy of the moment. Each kind of step is drawn.
func TestHistoriesAgreeWithDecisions(t *testing.T) {
	claim, err := cases.ClaimOf(suite.Embedded(), library.New().Hello())
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range []string{"mongodb.history", "cosmos.history"} {
		looks, hidden, refused, drawn := 0, 0, 0, map[string]int{}
		for seed := range uint64(400) {
			c := cases.Draw(claim, op, seed)
			s := &scribe{t: t, target: c.Target, now: c.At("now"), docs: map[string]policy.Value{}}
			var want [][]string
			isRefused := false
			for e := c.At("steps").Elements(); e.Next() && !isRefused; {
				drawn[policy.DOf(e.Value())[0].Key]++
				if !e.Value().Field("createIndexes").Field("partialFilterExpression").IsMissing() {
					drawn["filter"]++
				}
				isRefused = s.isRefused(e.Value())
				if seen, ok := s.take(e.Value()); ok {
					want = append(want, seen)
					looks, hidden = looks+1, hidden+len(s.docs)-len(seen)
				}
			}
			a := library.New().Ask(c.Question())
			if isRefused {
				if refused++; a.Kind != conformance.KindRefused {
					t.Fatalf("%#v\n got %s, want that create is refused", c, a)
				}
				continue
			}
			out, err := policy.ParseExtJSON(a.Out)
			if err != nil {
				t.Fatalf("%#v: %s", c, a)
			}
			var got [][]string
			for e := out.Field("looks").Elements(); e.Next(); {
				var seen []string
				for id := e.Value().Elements(); id.Next(); {
					seen = append(seen, id.Value().String())
				}
				got = append(got, seen)
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%#v\n got %v\nwant %v", c, got, want)
			}
		}
		if looks < 300 || hidden < 100 {
			t.Errorf("%s: %d looks do not see %d documents, want more", op, looks, hidden)
		}
		steps := []string{"create", "settings", "write", "delete", "drop", "restart", "tick", "look"}
		if op == "mongodb.history" {
			steps = []string{"create", "createIndexes", "collMod", "filter", "dropIndexes", "write", "update", "delete", "drop", "restart", "tick", "look"}
		}
		for _, name := range steps {
			if drawn[name] < 20 {
				t.Errorf("%s: %s is drawn %d times, want more: %v", op, name, drawn[name], drawn)
			}
		}
		if op == "mongodb.history" && refused == 0 {
			t.Errorf("%s: no create is refused", op)
		}
	}
}
