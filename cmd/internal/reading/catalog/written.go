package catalog

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// unreadTarget returns the target about the places of a file that yield no
// policy.
func unreadTarget(name string, list []Unread) *Target {
	u := list[0]
	why := ""
	if u.Why != "" {
		why = ": " + u.Why
	}
	err := fmt.Errorf("%s:%d: %s mentions a time to live, but no policy could be read there%s", name, u.Line, cli.Visible(u.Word), why)
	return &Target{File: name, Unread: list, unread: err}
}

// silentTarget returns the target about programs and templates that mention no
// time to live.
func silentTarget(name string, n int) *Target {
	return &Target{File: name, Silent: n, unread: fmt.Errorf("%s: %w", name, ErrNoMention)}
}

// A Step is a command of a program about the indexes of a collection.
type Step struct {
	Line int
	// Index is the index that createIndexes gets, if Change is nil. For a collMod it is
	// the index after the command, if the program does not create that index earlier.
	Index policy.Value
	// Change is a collMod, a dropIndexes or a drop as the server gets it, nil if there is
	// none.
	Change policy.D
	// ByThousand means that the program computes the seconds by a multiplication by 1000.
	ByThousand bool
}

// A Written is the result of a program's commands on a collection without indexes.
type Written struct {
	Options policy.Value
	Indexes policy.A // the indexes as a server lists them after the commands
	Specs   []mongo.IndexSpec
	Lines   []int // for each index, the line that sets its seconds
	// ByThousand reports for each index whether the program multiplies its seconds by
	// 1000.
	ByThousand []bool
	Notes      []string
	Refused    []Refusal
}

// A Refusal describes a command of a program that the server refuses.
type Refusal struct {
	Line int
	// Index is the index that the command would create; Missing for other commands.
	Index policy.Value
	// Change is a collMod. Name is the name of the index that the collMod addresses, or
	// empty. If the program creates this index, the field Of is the index as a server
	// lists it; otherwise Of is Missing.
	Change policy.D
	Name   string
	Of     policy.Value
	Err    *mongo.SpecError
}

// Written carries out the commands of a program in their order, by the rules of a release. Spec
// is the collection as [Target.Collection] returns it. An index counts as created if the
// release's behaviour about it is unspecified.
func (t *Target) Written(spec mongo.CollectionSpec, p mongo.Profile, now policy.Instant) Written {
	spec.Indexes = nil
	w := writing{Written: Written{Options: t.collection.options}, spec: spec, profile: p, now: now}
	for _, s := range t.steps[:min(len(t.steps), maxSteps)] {
		w.step(s)
	}
	w.Specs = w.spec.Indexes
	return w.Written
}

// maxSteps bounds the commands of one collection, because each index is compared with all
// earlier indexes.
const maxSteps = 1000

// written returns the result of the commands in the newest release. It adds the indexes
// that the release refuses.
func (t *Target) written(options policy.Value, now policy.Instant) Written {
	t.collection = &collection{options: options}
	profile, err := mongo.ProfileOf(mongo.Latest())
	spec, wrong := mongo.ParseListedCollection(options, policy.ListValue(nil))
	w := Written{Options: options}
	if err == nil && wrong == nil && len(t.steps) <= maxSteps {
		w = t.Written(spec, profile, now)
	} else {
		for _, s := range t.steps {
			w.Refused = append(w.Refused, Refusal{Line: s.Line, Index: s.Index})
		}
	}
	for _, r := range w.Refused {
		if !r.Index.IsMissing() {
			w.Indexes, w.Lines = append(w.Indexes, r.Index), append(w.Lines, r.Line)
		}
	}
	return w
}

// A writing is the state of one call of Written.
type writing struct {
	Written
	spec    mongo.CollectionSpec
	profile mongo.Profile
	now     policy.Instant
}

func (w *writing) step(s Step) {
	switch change := policy.ObjectValue(s.Change); {
	case s.Change == nil:
		w.create(s)
	case !change.Field("drop").IsMissing():
		w.Options, w.spec.TimeSeries, w.spec.Clustered, w.spec.ExpireAfterSeconds = policy.Value{}, policy.Value{}, false, policy.Value{}
		w.keep(func(policy.Value) bool { return false })
	case !change.Field("dropIndexes").IsMissing():
		w.keep(func(x policy.Value) bool { return !pasted.Drops(change.Field("index"), x) })
	default:
		w.change(s, change)
	}
}

// keep removes the indexes for which stays returns false.
func (w *writing) keep(stays func(policy.Value) bool) {
	n := 0
	for i, x := range w.Indexes {
		if stays(x) {
			w.Indexes[n], w.Lines[n], w.ByThousand[n], w.spec.Indexes[n] = x, w.Lines[i], w.ByThousand[i], w.spec.Indexes[i]
			n++
		}
	}
	w.Indexes, w.Lines, w.ByThousand, w.spec.Indexes = w.Indexes[:n], w.Lines[:n], w.ByThousand[:n], w.spec.Indexes[:n]
}

func (w *writing) create(s Step) {
	reply, err := command.ValidateCreateIndexes(w.spec, command.WithDefaultName(policy.DOf(s.Index)), w.profile, w.now)
	refused := (*mongo.SpecError)(nil)
	switch {
	case err == nil && !reply.Created: // the index exists already
	case err == nil:
		w.add(s, reply.Index)
	case errors.As(err, &refused) && refused.Code != 0:
		w.Refused = append(w.Refused, Refusal{Line: s.Line, Index: s.Index, Err: refused})
	default:
		w.assume(s)
	}
}

// assume adds an index as the program defines it, without the server's checks.
func (w *writing) assume(s Step) bool {
	x, err := mongo.ParseListedIndex(policy.ObjectValue(command.WithDefaultName(policy.DOf(s.Index))))
	if err == nil {
		w.add(s, x)
	}
	return err == nil
}

func (w *writing) add(s Step, x mongo.IndexSpec) {
	raw := s.Index
	if raw.Field("name").IsMissing() && x.Name != "" {
		raw = policy.ObjectValue(append(policy.DOf(raw), policy.E{Key: "name", Value: policy.StringValue(x.Name)}))
	}
	w.Indexes, w.Lines, w.ByThousand, w.spec.Indexes = append(w.Indexes, raw), append(w.Lines, s.Line), append(w.ByThousand, s.ByThousand), append(w.spec.Indexes, x)
}

// change carries out collMod. An index that the program does not make is assumed to exist.
func (w *writing) change(s Step, body policy.Value) {
	address := body.Field("index")
	find := func() int {
		return slices.IndexFunc(w.Indexes, func(x policy.Value) bool { return pasted.Addresses(address, x) })
	}
	i := find()
	isAssumed := i < 0 && !s.Index.IsMissing()
	if isAssumed {
		before := pasted.WithField(pasted.WithoutField(s.Index, secondsOption), secondsOption, policy.Int32Value(1))
		if w.assume(Step{Line: s.Line, Index: before}) {
			i = find()
		}
		w.Notes = append(w.Notes, pasted.ChangeNote(address))
	}
	result, err := command.ValidateCollMod(w.spec, s.Change[1:], w.profile, w.now)
	refused := (*mongo.SpecError)(nil)
	if errors.As(err, &refused) && refused.Code != 0 {
		r := Refusal{Line: s.Line, Change: s.Change, Err: refused}
		switch {
		case i >= 0 && isAssumed:
			r.Name = w.spec.Indexes[i].Name
			w.keep(func(x policy.Value) bool { return !pasted.Addresses(address, x) })
		case i >= 0:
			r.Of, r.Name = w.Indexes[i], w.spec.Indexes[i].Name
		}
		w.Refused = append(w.Refused, r)
		return
	}
	seconds := body.Field(secondsOption)
	if address.Kind() != policy.Object {
		if off, _ := seconds.AsString(); off == "off" {
			seconds = policy.Value{}
		}
		w.Options = withSeconds(w.Options, seconds)
		w.spec.ExpireAfterSeconds = seconds
		return
	}
	if i < 0 {
		return
	}
	if seconds = address.Field(secondsOption); err == nil {
		seconds = result.Collection.Indexes[i].ExpireAfterSeconds
	}
	w.spec.Indexes = slices.Clone(w.spec.Indexes)
	w.spec.Indexes[i].ExpireAfterSeconds = seconds
	w.Indexes[i], w.Lines[i], w.ByThousand[i] = withSeconds(w.Indexes[i], seconds), s.Line, s.ByThousand
}

const secondsOption = "expireAfterSeconds"

// withSeconds returns an index or options with the seconds set, or without them if they are
// Missing.
func withSeconds(v, seconds policy.Value) policy.Value {
	if seconds.IsMissing() {
		return pasted.WithoutField(v, secondsOption)
	}
	return pasted.WithField(v, secondsOption, seconds)
}

// LineOf returns the line of the file that defines the index at a position, or the line of
// the policy for a negative position; 0 if the line is unknown.
func (t *Target) LineOf(position int) int {
	if position >= 0 && position < len(t.lines) {
		return t.lines[position]
	}
	return t.Line
}
