// Package broken has wrong rules for a server of package wirettl: those of every mutant
// of the suite, and mistakes that only a server can make. The live suite must detect
// each one that affects its questions.
//
//	go run ./conformance/lab/wirettl/server --broken array-latest
package broken

import (
	"errors"
	"fmt"
	"maps"
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

// mistakes holds the changes by which right rules become wrong ones that only servers have.
var mistakes = map[string]func(*wirettl.Rules){
	"sweep-early":             early,
	"sweep-first-collection":  firstOnly,
	"sweep-stops":             stopping,
	"history-compiled-once":   func(r *wirettl.Rules) { remembering(r, false) },
	"history-collmod-ignored": func(r *wirettl.Rules) { remembering(r, true) },
}

// Rules returns wrong rules of a release by their name: the name of a mutant about MongoDB, or
// sweep-early (a minute), sweep-first-collection (of
// a database) and sweep-stops (after eight passes). history-compiled-once sweeps by each index
// as it was made first, though it was dropped; history-collmod-ignored forgets dropped indexes.
func Rules(name string, release mongo.Version) (*wirettl.Rules, error) {
	rules := wirettl.Right()
	if mistake, ok := mistakes[name]; ok {
		mistake(rules)
		return rules, nil
	}
	for _, m := range mutants.All() {
		if m.Name == name && strings.HasPrefix(m.Rule, "mongo.") {
			a := asked{m.System(), release}
			return &wirettl.Rules{Create: a.create, CreateIndexes: a.createIndexes, CollMod: a.collMod, Pass: a.pass}, nil
		}
	}
	return nil, fmt.Errorf("broken: unknown mistake %q; want the name of a mutant about MongoDB, or one of %q", name, slices.Sorted(maps.Keys(mistakes)))
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

// asked asks a system about each definition and each document, and follows its answers. If
// the system accepts a definition that the right rules refuse, the definition is stored as
// given.
type asked struct {
	conformance.System
	release mongo.Version
}

func (a asked) ask(op string, now policy.Instant, in policy.D) conformance.Answer {
	in = append(in, policy.E{Key: "now", Value: policy.DateValue(now)})
	return a.Ask(conformance.Question{
		Op: op, In: policy.AppendExtJSON(nil, policy.ObjectValue(in)),
		Target: conformance.Target{System: conformance.MongoDB, Version: a.release.String()},
	})
}

// command asks about a command. It returns the result, and the library's refusal if there is
// one.
func (a asked) command(op string, now policy.Instant, name string, body policy.D, c *mongo.Collection) (out policy.Value, err error) {
	in := policy.D{{Key: name, Value: policy.ObjectValue(body)}}
	if c != nil {
		in = append(in, about(c.Spec(), "existing")...)
	}
	answer := a.ask(op, now, in)
	if answer.Kind == conformance.KindRefused {
		return out, &mongo.SpecError{Code: mongo.ErrorCode(answer.Refusal.Code), Reason: answer.Refusal.Message}
	}
	out, _ = policy.ParseExtJSON(answer.Out) // Missing for a skipped question, which the right rules answer
	return out, nil
}

// about returns the part of a question that describes a collection.
func about(spec mongo.CollectionSpec, indexes string) policy.D {
	if !strings.Contains(spec.Namespace, ".system.") {
		spec.Namespace = "" // an ordinary namespace
	}
	options, list := spec.Documents()
	d := policy.D{{Key: indexes, Value: list}}
	if len(policy.DOf(options)) > 0 {
		d = append(d, policy.E{Key: "collection", Value: options})
	}
	return d
}

// unlessRefused returns nil for a refusal by the right rules.
func unlessRefused(err error) error {
	if _, ok := errors.AsType[*mongo.SpecError](err); ok {
		return nil
	}
	return err
}

func (a asked) create(ns string, body policy.D, p mongo.Profile, now policy.Instant) (*mongo.Collection, error) {
	if _, err := a.command("mongodb.create", now, "command", body, nil); err != nil {
		return nil, err
	}
	c, err := command.Create(ns, body, p, now)
	if err == nil || unlessRefused(err) != nil {
		return c, err
	}
	if spec, err := mongo.ParseListedCollection(policy.ObjectValue(body), policy.Value{}); err == nil {
		spec.Namespace = ns
		if c, err := mongo.CompileCollection(spec, p); err == nil {
			return c, nil
		}
	}
	return command.Create(ns, nil, p, now) // in place of a definition that no catalog can hold
}

func (a asked) createIndexes(c *mongo.Collection, indexes []policy.D, now policy.Instant) (_ *mongo.Collection, reply policy.D, err error) {
	for _, index := range indexes {
		if c, reply, err = a.createIndex(c, index, now); err != nil {
			break
		}
	}
	return c, reply, err
}

func (a asked) createIndex(c *mongo.Collection, index policy.D, now policy.Instant) (*mongo.Collection, policy.D, error) {
	out, err := a.command("mongodb.createIndexes", now, "index", index, c)
	if err != nil {
		return c, nil, err
	}
	made, reply, err := command.CreateIndexes(c, []policy.D{index}, now)
	if unlessRefused(err) != nil || out.IsMissing() {
		return made, reply, err
	}
	x, err := mongo.ParseListedIndex(policy.ObjectValue(index))
	if err != nil {
		return c, nil, err
	}
	isMade := out.Field("created").Equal(policy.BoolValue(true))
	with, err := withSeconds(made, x, isMade, out.Field("expireAfterSeconds"))
	if err != nil {
		x.PartialFilterExpression = policy.Value{} // which no catalog can hold
		with, err = withSeconds(made, x, isMade, out.Field("expireAfterSeconds"))
	}
	return with, reply, err
}

// withSeconds returns a collection with the option of an index set, and with the index if it
// is missing and isMade is true.
func withSeconds(c *mongo.Collection, x mongo.IndexSpec, isMade bool, seconds policy.Value) (*mongo.Collection, error) {
	spec, key := c.Spec(), policy.ObjectValue(x.Key)
	i := slices.IndexFunc(spec.Indexes, func(y mongo.IndexSpec) bool {
		return y.Name == x.Name || !isMade && key.Equal(policy.ObjectValue(y.Key))
	})
	switch {
	case i >= 0:
		spec.Indexes[i].ExpireAfterSeconds = seconds
	case isMade:
		x.ExpireAfterSeconds = seconds
		spec.Indexes = append(spec.Indexes, x)
	}
	return mongo.CompileCollection(spec, c.Profile())
}

func (a asked) collMod(c *mongo.Collection, body policy.D, now policy.Instant) (*mongo.Collection, policy.D, error) {
	out, err := a.command("mongodb.collMod", now, "command", body, c)
	if err != nil {
		return c, nil, err
	}
	changed, reply, err := command.CollMod(c, body, now)
	if unlessRefused(err) != nil || out.IsMissing() {
		return changed, reply, err
	}
	index, after := body.Field("index"), out.Field("expireAfterSeconds_new")
	if !index.IsMissing() && !after.IsMissing() {
		name, _ := index.Field("name").AsString()
		changed, err = withSeconds(changed, mongo.IndexSpec{Name: name, Key: policy.DOf(index.Field("keyPattern"))}, false, after)
	}
	return changed, policy.DOf(out), unlessRefused(err)
}

// control begins the path of the index by which the live suite detects sweeps.
const control = "__ttlc"

// pass asks about every document. It asks twice: about the control index alone, and about all
// other indexes. Some mutants misread only a sole index.
func (a asked) pass(now policy.Instant) decider {
	return func(_ string, c *mongo.Collection, doc policy.BSON) bool {
		isExpired := func(spec mongo.CollectionSpec) bool {
			answer := a.ask("mongodb.decide", now, append(about(spec, "indexes"), policy.E{Key: "document", Value: doc.Value()}))
			out, err := policy.ParseExtJSON(answer.Out)
			return err == nil && out.Field("state").Equal(policy.StringValue("expired"))
		}
		spec := c.Spec()
		i := slices.IndexFunc(spec.Indexes, func(x mongo.IndexSpec) bool { return len(x.Key) == 1 && strings.HasPrefix(x.Key[0].Key, control) })
		if i < 0 {
			return isExpired(spec)
		}
		alone := mongo.CollectionSpec{Indexes: slices.Clone(spec.Indexes[i : i+1])}
		spec.Indexes = slices.Delete(spec.Indexes, i, i+1)
		return isExpired(alone) || isExpired(spec)
	}
}
