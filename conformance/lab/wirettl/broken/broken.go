// Package broken has wrong rules for a server of package wirettl: those of the mutants about
// what is deleted, and mistakes of commands and sweeps. The live suite must detect each one
// that affects its questions.
//
//	go run ./conformance/lab/wirettl/server --broken array-latest
package broken

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/suite/mutants"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/lab/wirettl"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A decider says whether a pass deletes a document, as [wirettl.Rules.Pass] returns it.
type decider = func(ns string, c *mongo.Collection, doc policy.BSON) bool

// mistakes holds the changes by which right rules become wrong ones.
var mistakes = map[string]func(*wirettl.Rules){
	"collmod-wraps":           wrapping,
	"create-any-granularity":  generous,
	"createindexes-forgetful": forgetful,
	"sweep-early":             early,
	"sweep-first-collection":  firstOnly,
	"sweep-stops":             stopping,
	"history-compiled-once":   func(r *wirettl.Rules) { remembering(r, false) },
	"history-collmod-ignored": func(r *wirettl.Rules) { remembering(r, true) },
}

// Rules returns wrong rules of a release by their name: the name of a mutant about what MongoDB
// deletes, or one of mistakes. sweep-early sweeps a minute ahead, sweep-first-collection only that of
// a database, and sweep-stops eight times. collmod-wraps stores the low 32 bits of a delay,
// create-any-granularity accepts every granularity of time series, and createindexes-forgetful
// keeps an index whose options differ without an error. history-compiled-once sweeps by each index
// as it was made first, though it was dropped; history-collmod-ignored forgets dropped indexes.
func Rules(name string, release mongo.Version) (*wirettl.Rules, error) {
	rules := wirettl.Right()
	if mistake, ok := mistakes[name]; ok {
		mistake(rules)
		return rules, nil
	}
	for _, m := range mutants.All() {
		if m.Name == name && strings.HasPrefix(m.Rule, "mongo.") && !aboutCommands.MatchString(name) {
			rules.Pass = asked{m.System(), release}.pass
			return rules, nil
		}
	}
	return nil, fmt.Errorf("broken: unknown mistake %q; want the name of a mutant about what MongoDB deletes, or one of %q", name, slices.Sorted(maps.Keys(mistakes)))
}

// aboutCommands matches the names of the mutants about commands.
var aboutCommands = regexp.MustCompile(`^(createindexes|collmod|create|own|history)-`)

// wrapping stores the low 32 bits of the delay of a collMod.
func wrapping(r *wirettl.Rules) {
	r.CollMod = func(c *mongo.Collection, body policy.D, now policy.Instant) (*mongo.Collection, policy.D, error) {
		seconds := body.Field("index").Field("expireAfterSeconds")
		if n, ok := seconds.AsInt64(); ok {
			index := policy.DOf(body.Field("index"))
			for i := range index {
				if index[i].Key == "expireAfterSeconds" {
					index[i].Value = policy.Int64Value(int64(int32(n)))
				}
			}
			body = policy.D{{Key: "index", Value: policy.ObjectValue(index)}}
		}
		return command.CollMod(c, body, now)
	}
}

// generous accepts every granularity, as the default.
func generous(r *wirettl.Rules) {
	r.Create = func(ns string, body policy.D, p mongo.Profile, now policy.Instant) (*mongo.Collection, error) {
		c, err := command.Create(ns, body, p, now)
		if series := body.Field("timeseries"); err != nil && !series.Field("granularity").IsMissing() {
			return command.Create(ns, nil, p, now)
		}
		return c, err
	}
}

// forgetful accepts an index beside one of the same key, and keeps the first.
func forgetful(r *wirettl.Rules) {
	r.CreateIndexes = func(c *mongo.Collection, indexes []policy.D, now policy.Instant) (*mongo.Collection, policy.D, error) {
		made, reply, err := command.CreateIndexes(c, indexes, now)
		if refusal, ok := errors.AsType[*mongo.SpecError](err); ok && refusal.Code == 85 {
			return c, policy.D{{Key: "numIndexesBefore", Value: policy.Int32Value(1)}, {Key: "numIndexesAfter", Value: policy.Int32Value(1)}}, nil
		}
		return made, reply, err
	}
}

// early makes passes by a clock that is a minute ahead.
func early(r *wirettl.Rules) {
	pass := r.Pass
	r.Pass = func(now policy.Instant) decider { return pass(now + 60_000) }
}

// firstOnly makes passes over the first collection of each database alone.
func firstOnly(r *wirettl.Rules) {
	pass := r.Pass
	r.Pass = func(now policy.Instant) decider {
		isDue, first := pass(now), map[string]string{}
		return func(ns string, c *mongo.Collection, doc policy.BSON) bool {
			database, _, _ := strings.Cut(ns, ".")
			if first[database] == "" {
				first[database] = ns
			}
			return first[database] == ns && isDue(ns, c, doc)
		}
	}
}

// stopping makes eight passes, and then none that deletes.
func stopping(r *wirettl.Rules) {
	pass, left := r.Pass, 8
	r.Pass = func(now policy.Instant) decider {
		if left == 0 {
			return func(string, *mongo.Collection, policy.BSON) bool { return false }
		}
		left--
		return pass(now)
	}
}

// remembering makes passes by indexes as they were made, whatever collMod changes; unless
// forgets is true, also by those that were dropped.
func remembering(r *wirettl.Rules, forgets bool) {
	made := map[string][]mongo.IndexSpec{} // by namespace
	named := func(list []mongo.IndexSpec, name string) int {
		return slices.IndexFunc(list, func(x mongo.IndexSpec) bool { return x.Name == name })
	}
	create, pass := r.CreateIndexes, r.Pass
	r.CreateIndexes = func(c *mongo.Collection, indexes []policy.D, now policy.Instant) (*mongo.Collection, policy.D, error) {
		before, ns := c.Spec().Indexes, c.Spec().Namespace
		c, reply, err := create(c, indexes, now)
		for _, x := range c.Spec().Indexes {
			switch i := named(made[ns], x.Name); {
			case i < 0:
				made[ns] = append(made[ns], x)
			case forgets && named(before, x.Name) < 0:
				made[ns][i] = x
			}
		}
		return c, reply, err
	}
	r.Pass = func(now policy.Instant) decider {
		isDue := pass(now)
		return func(ns string, c *mongo.Collection, doc policy.BSON) bool {
			spec := c.Spec()
			stored := spec.Indexes
			spec.Indexes = slices.DeleteFunc(slices.Clone(made[ns]), func(x mongo.IndexSpec) bool { return forgets && named(stored, x.Name) < 0 })
			remembered, err := mongo.CompileCollection(spec, c.Profile())
			return err == nil && isDue(ns, remembered, doc)
		}
	}
}

// asked asks a system about each document, and follows its answers.
type asked struct {
	conformance.System
	release mongo.Version
}

// isExpired asks about a document of a collection.
func (a asked) isExpired(spec mongo.CollectionSpec, doc policy.BSON, now policy.Instant) bool {
	if !strings.Contains(spec.Namespace, ".system.") {
		spec.Namespace = "" // an ordinary namespace
	}
	options, indexes := spec.Documents()
	in := policy.D{{Key: "now", Value: policy.DateValue(now)}, {Key: "indexes", Value: indexes}, {Key: "document", Value: doc.Value()}}
	if len(policy.DOf(options)) > 0 {
		in = append(in, policy.E{Key: "collection", Value: options})
	}
	answer := a.Ask(conformance.Question{
		Op: "mongodb.decide", In: policy.AppendExtJSON(nil, policy.ObjectValue(in)),
		Target: conformance.Target{System: conformance.MongoDB, Version: a.release.String()},
	})
	out, err := policy.ParseExtJSON(answer.Out)
	return err == nil && out.Field("state").Equal(policy.StringValue("expired"))
}

// control begins the path of the index by which the live suite detects sweeps.
const control = "__ttlc"

// pass asks about every document. It asks twice: about the control index alone, and about all
// other indexes. Some mutants misread only a sole index.
func (a asked) pass(now policy.Instant) decider {
	return func(_ string, c *mongo.Collection, doc policy.BSON) bool {
		spec := c.Spec()
		i := slices.IndexFunc(spec.Indexes, func(x mongo.IndexSpec) bool { return len(x.Key) == 1 && strings.HasPrefix(x.Key[0].Key, control) })
		if i < 0 {
			return a.isExpired(spec, doc, now)
		}
		alone := mongo.CollectionSpec{Indexes: slices.Clone(spec.Indexes[i : i+1])}
		spec.Indexes = slices.Delete(spec.Indexes, i, i+1)
		return a.isExpired(alone, doc, now) || a.isExpired(spec, doc, now)
	}
}
