package change

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/catalogtest"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A planned is a collection with its wanted policy. due returns the time at which the
// wanted policy deletes a document whose field k has this value, in hours after the date
// in the field t. If due is nil or returns false, the document is never deleted.
type planned struct {
	name, release, options, indexes string
	wanted                          Wanted
	due                             func(k int) (hours int64, ok bool)
}

func plannedChanges(t *testing.T) []planned {
	key := func(text string) policy.Value { return fixture.Value(t, text) }
	after := func(hours int64) func(int) (int64, bool) { return func(int) (int64, bool) { return hours, true } }
	day := int64(86_400)
	const t30 = `{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":2592000}`
	ofT := func(seconds int64) Wanted { return Wanted{Indexes: []Index{{Key: key(`{"t":1}`), Seconds: seconds}}} }
	return []planned{
		{"shorter", "8.0.4", `{}`, t30, ofT(7 * day), after(7 * 24)},
		{"shorter, by the key", "3.2.0", `{}`, t30, ofT(7 * day), after(7 * 24)},
		{"longer", "8.0.4", `{}`, t30, ofT(60 * day), after(60 * 24)},
		{"created", "8.0.4", `{}`, ``, ofT(7 * day), after(7 * 24)},
		{"of an index without one", "8.0.4", `{}`, `{"v":2,"key":{"t":1},"name":"t_1"}`, ofT(7 * day), after(7 * 24)},
		{"of an index without one, built again", "4.4.0", `{}`, `{"v":2,"key":{"t":1},"name":"t_1"}`, ofT(7 * day), after(7 * 24)},
		{"with a filter", "8.0.4", `{}`, ``, Wanted{Indexes: []Index{{Key: key(`{"t":1}`), Partial: key(`{"k":1}`), Seconds: 7 * day}}}, func(k int) (int64, bool) { return 7 * 24, k == 1 }},
		{"taken away", "8.0.4", `{}`, t30, Wanted{}, nil},
		{"of the collection", "8.0.4", `{"clusteredIndex":true,"expireAfterSeconds":2592000}`, ``, Wanted{Own: &[]int64{7 * day}[0]}, after(7 * 24)},
		{"taken from the collection", "8.0.4", `{"clusteredIndex":true,"expireAfterSeconds":2592000}`, ``, Wanted{}, nil},
	}
}

// faults carries out the commands and returns the differences from the wanted result: a
// document is deleted at another time, or an index for queries is lost.
func (p planned) faults(before *catalogtest.Server, commands []string) (faults []string) {
	after := before.Clone()
	for _, c := range commands {
		if !strings.Contains(c, `"shop"`) {
			faults = append(faults, "another database")
		}
		if _, err := after.Run(c, nil); err != nil {
			return append(faults, err.Error())
		}
	}
	for _, x := range before.Collections["logs"].Mongo.Indexes {
		isKept := func(y mongo.IndexSpec) bool { return policy.ObjectValue(y.Key).Equal(policy.ObjectValue(x.Key)) }
		if !slices.ContainsFunc(after.Collections["logs"].Mongo.Indexes, isKept) {
			faults = append(faults, "the index "+x.Name+" is lost")
		}
	}
	for _, hours := range []int64{0, 1, 24, 7 * 24, 30 * 24, 60 * 24, 70_000} {
		gone, err := after.Gone(now + policy.Instant(hours*3_600_000))
		if err != nil {
			return append(faults, err.Error())
		}
		for i := range 100 {
			want := false
			if p.due != nil {
				due, ok := p.due(i % 3)
				want = ok && due-int64(12*i) <= hours
			}
			if got := gone[fmt.Sprintf("logs/%d", i)]; got != want {
				return append(faults, fmt.Sprintf("document %d is gone after %d h: %v, want %v", i, hours, got, want))
			}
		}
	}
	return faults
}

// server returns a server with documents. The dates t and _id of each document are 12 h
// older than those of the preceding document. The field other, the index other_1 and the
// collection others are for commands with mistakes.
func (p planned) server(t *testing.T, spec mongo.CollectionSpec) *catalogtest.Server {
	logs := &catalogtest.Collection{Mongo: spec}
	for i := range 100 {
		date := policy.DateValue(now - policy.Instant(12*i*3_600_000))
		logs.Documents = append(logs.Documents, catalogtest.Document{Name: fmt.Sprint(i), Value: policy.D{
			{Key: "_id", Value: date}, {Key: "t", Value: date}, {Key: "k", Value: policy.Int32Value(int32(i % 3))}, {Key: "other", Value: policy.DateValue(now)}}})
	}
	others := &catalogtest.Collection{Mongo: spec}
	return &catalogtest.Server{System: definition.MongoDB, Release: p.release, Now: now, Collections: map[string]*catalogtest.Collection{"logs": logs, "others": others}}
}

var planMutations = []struct {
	name string
	of   *regexp.Regexp
	to   string
}{
	{"another field", regexp.MustCompile(`key: \{t: 1\}`), "key: {other: 1}"},
	{"another index", regexp.MustCompile(`((?:index: |name: ))"t_1"`), `${1}"other_1"`},
	{"another key", regexp.MustCompile(`keyPattern: \{t: 1\}`), "keyPattern: {other: 1}"},
	{"a thousand times", regexp.MustCompile(`expireAfterSeconds: ([0-9]+)`), "expireAfterSeconds: ${1}000"},
	{"a thousandth", regexp.MustCompile(`expireAfterSeconds: ([0-9]+)000?\b`), "expireAfterSeconds: ${1}"},
	{"0 seconds", regexp.MustCompile(`expireAfterSeconds: [0-9]+`), "expireAfterSeconds: 0"},
	{"no filter", regexp.MustCompile(`, partialFilterExpression: \{[^}]*\}`), ""},
	{"another filter", regexp.MustCompile(`\{k: 1\}`), "{k: 2}"},
	{"on in the place of off", regexp.MustCompile(`expireAfterSeconds: "off"`), "expireAfterSeconds: 3600"},
	{"another collection", regexp.MustCompile(`(collMod|createIndexes|dropIndexes): "logs"`), `${1}: "others"`},
	{"another database", regexp.MustCompile(`"shop"`), `"test"`},
}

// TestMutatedPlans: the printed commands lead to the wanted policy, and commands with a
// mistake do not. The test itself computes the expected deadlines.
func TestMutatedPlans(t *testing.T) {
	applied := map[string]int{}
	for _, p := range plannedChanges(t) {
		c := catalog.StoredCollection{Collection: catalog.Collection{Database: "shop", Name: "logs", Profile: fixture.Profile(t, p.release), Now: now}}
		for text := range strings.SplitSeq(strings.TrimPrefix(p.indexes+`;{"v":2,"key":{"other":1},"name":"other_1"}`, ";"), ";") {
			c.ListedIndexes = append(c.ListedIndexes, fixture.Value(t, text))
		}
		var err error
		if c.Release, err = mongo.ParseVersion(p.release); err != nil {
			t.Fatal(err)
		}
		if c.Spec, err = mongo.ParseListedCollection(fixture.Value(t, p.options), policy.ListValue(c.ListedIndexes)); err != nil {
			t.Fatal(err)
		}
		x, err := OfCollection(c, p.wanted, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var commands []string
		for _, s := range x.Steps() {
			commands = append(commands, s.Command)
		}
		before := p.server(t, c.Spec)
		for _, fault := range p.faults(before, commands) {
			t.Errorf("%s: %q: %s", p.name, commands, fault)
		}
		for _, m := range planMutations {
			var mutant []string
			for _, command := range commands {
				mutant = append(mutant, m.of.ReplaceAllString(command, m.to))
			}
			if slices.Equal(mutant, commands) {
				continue
			}
			if applied[m.name]++; len(p.faults(before, mutant)) == 0 {
				t.Errorf("%s: %s is not seen: %q", p.name, m.name, mutant)
			}
		}
		for i := range commands { // each command is needed
			if left := slices.Delete(slices.Clone(commands), i, i+1); len(p.faults(before, left)) == 0 {
				t.Errorf("%s: without command %d of %q nothing is missing", p.name, i, commands)
			}
		}
	}
	for _, m := range planMutations {
		if applied[m.name] == 0 {
			t.Errorf("%s: in no command, want it in one", m.name)
		}
	}
}
