// Package broken has wrong rules for a server of package wirettl: those of every mutant
// of the suite, and mistakes that only a server can make. The live suite must detect
// each one that affects its questions.
//
//	go run ./conformance/lab/wirettl/server --broken array-latest
package broken

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/ttlpolicy/ttlpolicy/cmd/suite/mutants"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/examples/boltttl"
	"github.com/ttlpolicy/ttlpolicy/conformance/lab/wirettl"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// mistakes holds wrong rules that only servers have, by name.
var mistakes = map[string]func(asked) wirettl.Rules{
	"sweep-early":            func(a asked) wirettl.Rules { return fast{a.Rules, 60_000} },
	"sweep-after-deadline":   func(a asked) wirettl.Rules { return fast{a.Rules, -1} },
	"sweep-first-collection": func(a asked) wirettl.Rules { a.isFirstOnly = true; return a },
	"sweep-stops":            func(a asked) wirettl.Rules { return &stopping{Rules: a.Rules, left: 8} },

	"history-compiled-once":   func(a asked) wirettl.Rules { return remembering(a, false) },
	"history-collmod-ignored": func(a asked) wirettl.Rules { return remembering(a, true) },
}

// Rules returns wrong rules by their name: the name of a mutant about MongoDB, or
// sweep-early (a minute), sweep-after-deadline (a millisecond), sweep-first-collection (of
// a database) and sweep-stops (after eight passes). history-compiled-once sweeps by each index
// as it was made first, though it was dropped; history-collmod-ignored forgets dropped indexes.
func Rules(name string, store *boltttl.Store) (wirettl.Rules, error) {
	a := asked{Rules: wirettl.NewRules(store), store: store, system: library.New()}
	if mistake, ok := mistakes[name]; ok {
		return mistake(a), nil
	}
	for _, m := range mutants.All() {
		if m.Name == name && strings.HasPrefix(m.Rule, "mongo.") {
			a.system = m.System()
			return a, nil
		}
	}
	return nil, fmt.Errorf("broken: unknown mistake %q; want the name of a mutant about MongoDB, or one of %q", name, slices.Sorted(maps.Keys(mistakes)))
}

// fast are rules that sweep by a clock that is some milliseconds ahead.
type fast struct {
	wirettl.Rules
	by policy.Instant
}

func (f fast) Sweep(ctx context.Context, now policy.Instant) (int, error) {
	return f.Rules.Sweep(ctx, now+f.by)
}

// stopping are rules that stop sweeping after a number of sweeps.
type stopping struct {
	wirettl.Rules
	left int
}

func (s *stopping) Sweep(ctx context.Context, now policy.Instant) (int, error) {
	if s.left == 0 {
		return 0, nil
	}
	s.left--
	return s.Rules.Sweep(ctx, now)
}

// A memory keeps indexes as they were made. The monitor sweeps by them, whatever collMod
// changes; unless forgets is true, it also sweeps by those that were dropped.
type memory struct {
	asked
	forgets bool
	mu      *sync.Mutex
	made    map[string][]mongo.IndexSpec // by namespace
}

func remembering(a asked, forgets bool) wirettl.Rules {
	m := memory{a, forgets, new(sync.Mutex), map[string][]mongo.IndexSpec{}}
	m.sweptBy = m.recall
	return m
}

func named(list []mongo.IndexSpec, name string) int {
	return slices.IndexFunc(list, func(x mongo.IndexSpec) bool { return x.Name == name })
}

func (m memory) CreateIndexes(ns string, indexes []policy.D, now policy.Instant) error {
	before, err := m.store.Spec(ns)
	if err == nil {
		err = m.asked.CreateIndexes(ns, indexes, now)
	}
	after, specErr := m.store.Spec(ns)
	if err = errors.Join(err, specErr); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, x := range after.Indexes {
		switch i := named(m.made[ns], x.Name); {
		case i < 0:
			m.made[ns] = append(m.made[ns], x)
		case m.forgets && named(before.Indexes, x.Name) < 0:
			m.made[ns][i] = x
		}
	}
	return nil
}

func (m memory) recall(ns string, stored mongo.CollectionSpec) mongo.CollectionSpec {
	m.mu.Lock()
	defer m.mu.Unlock()
	indexes := slices.Clone(m.made[ns])
	if m.forgets {
		indexes = slices.DeleteFunc(indexes, func(x mongo.IndexSpec) bool { return named(stored.Indexes, x.Name) < 0 })
	}
	stored.Indexes = indexes
	return stored
}

// asked asks a system about each definition and each document, and follows its
// answers. If the system accepts a definition that the right rules refuse, the
// definition is stored as given.
type asked struct {
	wirettl.Rules // the right ones
	store         *boltttl.Store
	system        conformance.System
	isFirstOnly   bool // only the first collection of each database is swept
	// sweptBy, if not nil, returns the definition to sweep by in place of the stored one.
	sweptBy func(ns string, stored mongo.CollectionSpec) mongo.CollectionSpec
}

func (a asked) ask(op string, now policy.Instant, in policy.D) conformance.Answer {
	in = append(in, policy.E{Key: "now", Value: policy.DateValue(now)})
	return a.system.Ask(conformance.Question{
		Op: op, In: policy.AppendExtJSON(nil, policy.ObjectValue(in)),
		Target: conformance.Target{System: conformance.MongoDB, Version: a.store.Release().String()},
	})
}

// refused returns the library's refusal in an answer; nil if there is none.
func refused(a conformance.Answer) error {
	if a.Kind != conformance.KindRefused {
		return nil
	}
	return &mongo.SpecError{Code: mongo.ErrorCode(a.Refusal.Code), Reason: a.Refusal.Message}
}

// unlessRefused returns nil for a refusal by the right rules.
func unlessRefused(err error) error {
	if _, ok := errors.AsType[*mongo.SpecError](err); ok {
		return nil
	}
	return err
}

func (a asked) Create(ns string, command policy.D, now policy.Instant) error {
	if err := refused(a.ask("mongodb.create", now, policy.D{{Key: "command", Value: policy.ObjectValue(command)}})); err != nil {
		return err
	}
	err := a.Rules.Create(ns, command, now)
	if err == nil || unlessRefused(err) != nil {
		return err
	}
	if spec, err := mongo.ParseListedCollection(policy.ObjectValue(command), policy.Value{}); err == nil {
		spec.Namespace = ns
		if err := a.store.Adopt(ns, spec); unlessRefused(err) != nil || err == nil {
			return err
		}
	}
	return a.store.Adopt(ns, mongo.CollectionSpec{Namespace: ns}) // in place of a definition that no catalog can hold
}

func (a asked) CreateIndexes(ns string, indexes []policy.D, now policy.Instant) error {
	for _, x := range indexes {
		if err := a.createIndex(ns, x, now); err != nil {
			return err
		}
	}
	return nil
}

func (a asked) createIndex(ns string, index policy.D, now policy.Instant) error {
	spec, err := a.store.Spec(ns)
	if err != nil {
		return err
	}
	in := policy.D{{Key: "index", Value: policy.ObjectValue(index)}}
	answer := a.ask("mongodb.createIndexes", now, append(in, about(spec, "existing")...))
	if err := refused(answer); err != nil {
		return err
	}
	if err := unlessRefused(a.Rules.CreateIndexes(ns, []policy.D{index}, now)); err != nil {
		return err
	}
	out, err := policy.ParseExtJSON(answer.Out)
	if err != nil {
		return nil // a skipped question: the right rules answer it
	}
	made, err := mongo.ParseListedIndex(policy.ObjectValue(index))
	if err != nil {
		return err
	}
	isMade := out.Field("created").Equal(policy.BoolValue(true))
	if err := a.setSeconds(ns, made, isMade, out.Field("expireAfterSeconds")); unlessRefused(err) != nil || err == nil {
		return err
	}
	made.PartialFilterExpression = policy.Value{} // which no catalog can hold
	return a.setSeconds(ns, made, isMade, out.Field("expireAfterSeconds"))
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

// setSeconds stores the option of an index, and makes the index if it is missing.
func (a asked) setSeconds(ns string, x mongo.IndexSpec, isMade bool, seconds policy.Value) error {
	return a.store.Define(ns, func(spec mongo.CollectionSpec) (mongo.CollectionSpec, error) {
		spec.Indexes = slices.Clone(spec.Indexes)
		key := policy.ObjectValue(x.Key)
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
		return spec, nil
	})
}

func (a asked) CollMod(ns string, command policy.D, now policy.Instant) (before, after policy.Value, err error) {
	spec, err := a.store.Spec(ns)
	if err != nil {
		return before, after, err
	}
	in := policy.D{{Key: "command", Value: policy.ObjectValue(command)}}
	answer := a.ask("mongodb.collMod", now, append(in, about(spec, "existing")...))
	if err := refused(answer); err != nil {
		return before, after, err
	}
	if _, _, err := a.Rules.CollMod(ns, command, now); unlessRefused(err) != nil {
		return before, after, err
	}
	out, err := policy.ParseExtJSON(answer.Out)
	before, after = out.Field("expireAfterSeconds_old"), out.Field("expireAfterSeconds_new")
	if index := command.Field("index"); err == nil && !after.IsMissing() {
		name, _ := index.Field("name").AsString()
		err = a.setSeconds(ns, mongo.IndexSpec{Name: name, Key: policy.DOf(index.Field("keyPattern"))}, false, after)
	}
	return before, after, err
}

// Sweep asks about every document there is.
func (a asked) Sweep(ctx context.Context, now policy.Instant) (deleted int, err error) {
	names, err := a.store.Collections()
	for i, ns := range names {
		if err != nil || ctx.Err() != nil {
			return deleted, errors.Join(err, ctx.Err())
		}
		if a.isFirstOnly && i > 0 && databaseOf(names[i-1]) == databaseOf(ns) {
			continue
		}
		var n int
		n, err = a.sweep(ns, now)
		deleted += n
	}
	return deleted, err
}

func databaseOf(ns string) string { name, _, _ := strings.Cut(ns, "."); return name }

func (a asked) sweep(ns string, now policy.Instant) (deleted int, err error) {
	spec, err := a.store.Spec(ns)
	if err != nil {
		return 0, ignore(err, boltttl.ErrNoCollection)
	}
	if a.sweptBy != nil {
		spec = a.sweptBy(ns, spec)
	}
	var due []policy.Value
	questions := questionsAbout(spec)
	_, err = a.store.Scan(ns, nil, func(raw []byte) bool {
		doc, err := policy.ParseBSON(slices.Clone(raw))
		isDue := func(in policy.D) bool { return a.isExpired(in, doc, now) }
		if err == nil && slices.ContainsFunc(questions, isDue) {
			due = append(due, doc.Field("_id"))
		}
		return true
	})
	for _, id := range due {
		if err = a.store.Delete(ns, id); err == nil {
			deleted++
		}
	}
	return deleted, ignore(err, boltttl.ErrNoCollection, boltttl.ErrNoDocument)
}

// control begins the path of the index by which the live suite detects sweeps.
const control = "__ttlc"

// questionsAbout returns the questions about each document: one by the control index alone,
// and one by all other indexes. Some mutants misread only a sole index.
func questionsAbout(spec mongo.CollectionSpec) []policy.D {
	isControl := func(x mongo.IndexSpec) bool { return len(x.Key) == 1 && strings.HasPrefix(x.Key[0].Key, control) }
	i := slices.IndexFunc(spec.Indexes, isControl)
	if i < 0 {
		return []policy.D{about(spec, "indexes")}
	}
	alone := mongo.CollectionSpec{Indexes: spec.Indexes[i : i+1]}
	spec.Indexes = slices.Delete(slices.Clone(spec.Indexes), i, i+1)
	return []policy.D{about(alone, "indexes"), about(spec, "indexes")}
}

// ignore returns nil for errors about a collection or document that a client
// removed.
func ignore(err error, known ...error) error {
	if slices.ContainsFunc(known, func(k error) bool { return errors.Is(err, k) }) {
		return nil
	}
	return err
}

func (a asked) isExpired(in policy.D, doc policy.BSON, now policy.Instant) bool {
	answer := a.ask("mongodb.decide", now, append(slices.Clone(in), policy.E{Key: "document", Value: doc.Value()}))
	out, err := policy.ParseExtJSON(answer.Out)
	return err == nil && out.Field("state").Equal(policy.StringValue("expired"))
}
