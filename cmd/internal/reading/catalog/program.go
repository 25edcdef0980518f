package catalog

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/pattern"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mentions"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/internal/commandfunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An Unread is a mention of a time to live that yields no policy.
type Unread struct {
	Line int
	Word string // the word that mentions a time to live
	Why  string // the reason, as a sentence without its full stop; empty if the word is no part of a command that is read
	// IsCosmos reports that only Azure Cosmos DB has an option of this name.
	IsCosmos bool
}

func unreadOf(m mentions.Mention, why string) Unread { return Unread{m.Line, m.Word, why, m.IsCosmos} }

// readProgram returns the targets of a text that is no listing: the policies of its literal
// commands, and a target with its other mentions of a time to live. It returns nil if the text
// mentions none. No name and no expression of a program is evaluated.
func readProgram(file, text string, now policy.Instant) (targets []*Target) {
	list := mentions.In(file, text)
	if len(list) == 0 {
		return nil
	}
	var p pasted.Program
	if !isProse(file) {
		var err error
		if p, err = pasted.ReadProgram(text, now); errors.Is(err, mongosh.ErrTooMuch) {
			return []*Target{unreadTarget(file, []Unread{unreadOf(list[0], "the file is too much to read, because calls are nested too often")})}
		}
	}
	groups, refused := grouped(p, text)
	var read [][2]int
	for _, g := range groups {
		targets = append(targets, targetOf(file, text, g, now))
		for _, one := range g {
			read = append(read, [2]int{one.At, one.End})
		}
	}
	slices.SortFunc(read, func(a, b [2]int) int { return a[0] - b[0] })
	var left []Unread
	for _, m := range mentions.Outside(list, read) {
		for len(refused) > 1 && refused[1].At <= m.At {
			refused = refused[1:]
		}
		why := ""
		if len(refused) > 0 && refused[0].At <= m.At && m.At < refused[0].End {
			why = reasonOf(refused[0].Err)
		}
		left = append(left, unreadOf(m, why))
	}
	if len(left) > 0 {
		targets = append(targets, unreadTarget(file, left))
	}
	return targets
}

// grouped divides the commands of a program into groups by collection, each in the order of the
// text, and the commands that are no policy. In a script they run in this order. In any other
// program, the commands about one index must agree: it is not known which of them run, or when.
func grouped(p pasted.Program, text string) (groups [][]pasted.Part, refused []pasted.Part) {
	of := map[[2]string]int{}
	for _, part := range p.Parts {
		if part.Err != nil {
			refused = append(refused, part)
			continue
		}
		i, ok := of[[2]string{part.Database, part.Name}]
		if !ok {
			i = len(groups)
			of[[2]string{part.Database, part.Name}], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], part)
	}
	for i, g := range groups {
		if !p.IsScript {
			var wrong []pasted.Part
			groups[i], wrong = settled(g, text)
			refused = append(refused, wrong...)
		}
	}
	slices.SortStableFunc(refused, func(a, b pasted.Part) int { return a.At - b.At })
	return slices.DeleteFunc(groups, func(g []pasted.Part) bool { return !slices.ContainsFunc(g, isAboutTTL) }), refused
}

// isAboutTTL reports whether a command gives or changes a time to live.
func isAboutTTL(p pasted.Part) bool {
	isTTL := func(x policy.Value) bool {
		return !x.Field(secondsOption).IsMissing() || len(pasted.IndexRemarks(x)) > 0
	}
	return slices.ContainsFunc(p.Indexes, isTTL) || !p.Options.Field(secondsOption).IsMissing() || len(pasted.OptionRemarks(p.Options)) > 0 ||
		!policy.ObjectValue(p.Change).Field(secondsOption).IsMissing()
}

// settled returns the commands about one collection that do not contradict each other, and those
// that do. A command that drops indexes or the collection contradicts all.
func settled(g []pasted.Part, text string) (kept, refused []pasted.Part) {
	wrong := map[int]int{} // for each contradicted command, another one that contradicts it
	isDrop := func(p pasted.Part) bool {
		change := policy.ObjectValue(p.Change)
		return !change.Field("drop").IsMissing() || !change.Field("dropIndexes").IsMissing()
	}
	if i := slices.IndexFunc(g, isDrop); i >= 0 {
		for j := range g {
			wrong[j] = i
		}
	}
	first := map[[2]string]claim{}
	for i, p := range g {
		for _, c := range claimsOf(p) {
			c.part = i
			before, ok := first[c.about]
			switch {
			case !ok:
				first[c.about] = c
			case c.says != before.says:
				wrong[i], wrong[before.part] = before.part, i
			}
		}
	}
	for i, p := range g {
		other, isWrong := wrong[i]
		if !isWrong {
			kept = append(kept, p)
			continue
		}
		p.Err = fmt.Errorf("line %d says something else about the same index or collection, and which of the two counts is not known", lineIn(text, g[other].At))
		refused = append(refused, p)
	}
	return kept, refused
}

// A claim is the statement of a command about an index, or about the option of a collection.
type claim struct {
	about [2]string // "key" and the key, or "name" and the name; empty for the option
	says  string
	part  int
}

// claimsOf returns the claims of a command. An index has two claims, because it is identified
// by its key and by its name.
func claimsOf(p pasted.Part) (list []claim) {
	for _, x := range p.Indexes {
		named := policy.ObjectValue(command.WithDefaultName(policy.DOf(x)))
		says := pasted.WithoutField(named, "name").String()
		list = append(list, claim{about: [2]string{"key", x.Field("key").String()}, says: says}, claim{about: [2]string{"name", textOf(named.Field("name"))}, says: says})
	}
	for _, v := range []policy.Value{p.Options, policy.ObjectValue(p.Change)} {
		if seconds := v.Field(secondsOption); !seconds.IsMissing() {
			list = append(list, claim{says: seconds.String()})
		}
	}
	if p.Name == "" && len(list) > 0 { // the collections of two such commands may differ, or not
		list = append(list, claim{about: [2]string{"unnamed"}, says: strconv.Itoa(p.At)})
	}
	return list
}

func targetOf(file, text string, g []pasted.Part, now policy.Instant) *Target {
	t := &Target{File: file, Database: g[0].Database, Name: g[0].Name, Line: lineIn(text, g[0].At), IsWritten: true}
	var c pasted.Collection
	for _, p := range g {
		one := Step{Line: lineIn(text, p.At), ByThousand: byThousand().MatchString(text[p.At:p.End]), Change: p.Change}
		c.Notes = append(c.Notes, p.Notes...)
		if p.Change != nil {
			if len(p.Indexes) > 0 {
				one.Index = p.Indexes[0]
			}
			t.steps = append(t.steps, one)
			continue
		}
		if !p.Options.IsMissing() {
			c.Options = p.Options
		}
		for _, x := range p.Indexes {
			one.Index = x
			t.steps = append(t.steps, one)
		}
	}
	left := t.written(c.Options, now)
	c.Options, c.Indexes, t.lines = left.Options, left.Indexes, left.Lines
	for _, n := range left.Notes {
		c.Notes = append(c.Notes, mongosh.Note{Text: n})
	}
	t.collection = &collection{options: c.Options, indexes: c.Indexes, notes: withoutRemarks(c)}
	return t
}

// byThousand matches a multiplication by 1000.
var byThousand = pattern.Lazy(`\*\s*1000\b|\b1000\s*\*`)

// reasonOf returns an error as a sentence without its place and its full stop.
func reasonOf(err error) string {
	if s := (*mongosh.SyntaxError)(nil); errors.As(err, &s) {
		err = s.Err
	}
	return cli.Clip(cli.Visible(strings.TrimSuffix(err.Error(), ".")), 300)
}

// lineIn returns the number of the line that contains a byte of a text, from 1.
func lineIn(text string, at int) int { return 1 + strings.Count(text[:min(at, len(text))], "\n") }

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
	reply, err := commandfunc.F.ValidateCreateIndexes(w.spec, command.WithDefaultName(policy.DOf(s.Index)), w.profile, w.now)
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
	result, err := commandfunc.F.ValidateCollMod(w.spec, s.Change[1:], w.profile, w.now)
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
