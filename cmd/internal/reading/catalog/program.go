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

// readProgram returns the targets of a text that is no listing: the policies of its literal
// commands, and a target with its other mentions of a time to live. It returns nil if the text
// mentions none. No name and no expression of a program is evaluated.
func readProgram(file, text string, now policy.Instant) (targets []*Target) {
	r := programReader{file: file, text: text, list: mentions.In(file, text)}
	if len(r.list) == 0 {
		return nil
	}
	var p pasted.Program
	var err error
	if !isProse(file) {
		p, err = pasted.ReadProgram(text, now)
	}
	switch {
	case errors.Is(err, mongosh.ErrTooMuch):
		one := r.list[0]
		return []*Target{unreadTarget(file, []Unread{{Line: one.Line, Word: one.Word, Why: "the file is too much to read, because calls are nested too often", IsCosmos: one.IsCosmos}})}
	case err == nil:
		r.sort(p)
	}
	for _, g := range r.groups {
		targets = append(targets, g.target(&r, now))
	}
	if left := r.unread(); len(left) > 0 {
		targets = append(targets, unreadTarget(file, left))
	}
	return targets
}

// A programReader is the state of one call of readProgram.
type programReader struct {
	file, text string
	list       []mentions.Mention
	groups     []*group
	refused    []pasted.Part // the commands that are no policy, in the order of the text
}

// A group is the commands about one collection, in the order of the text.
type group struct{ parts []pasted.Part }

// sort divides the commands of a program into groups by collection. In a script they run in
// this order. In any other program, the commands about one index must agree: it is not known
// which of them run, or when.
func (r *programReader) sort(p pasted.Program) {
	of := map[[2]string]*group{}
	for _, part := range p.Parts {
		if part.Err != nil {
			r.refused = append(r.refused, part)
			continue
		}
		key := [2]string{part.Database, part.Name}
		if of[key] == nil {
			of[key] = &group{}
			r.groups = append(r.groups, of[key])
		}
		of[key].parts = append(of[key].parts, part)
	}
	r.groups = slices.DeleteFunc(r.groups, func(g *group) bool {
		if !p.IsScript {
			g.settle(r)
		}
		return !slices.ContainsFunc(g.parts, isAboutTTL)
	})
	slices.SortStableFunc(r.refused, func(a, b pasted.Part) int { return a.At - b.At })
}

// isAboutTTL reports whether a command gives or changes a time to live.
func isAboutTTL(p pasted.Part) bool {
	isTTL := func(x policy.Value) bool {
		return !x.Field(secondsOption).IsMissing() || len(pasted.IndexRemarks(x)) > 0
	}
	return slices.ContainsFunc(p.Indexes, isTTL) || !p.Options.Field(secondsOption).IsMissing() || len(pasted.OptionRemarks(p.Options)) > 0 ||
		!policy.ObjectValue(p.Change).Field(secondsOption).IsMissing()
}

// settle removes the commands of a group that contradict each other.
func (g *group) settle(r *programReader) {
	wrong := map[int]int{} // for each contradicted command, another one that contradicts it
	if i := slices.IndexFunc(g.parts, isDrop); i >= 0 {
		for j := range g.parts {
			wrong[j] = i
		}
	}
	first := map[[2]string]claim{}
	for i, p := range g.parts {
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
	var kept []pasted.Part
	for i, p := range g.parts {
		other, isWrong := wrong[i]
		if !isWrong {
			kept = append(kept, p)
			continue
		}
		p.Err = fmt.Errorf("line %d says something else about the same index or collection, and which of the two counts is not known", r.lineOf(g.parts[other].At))
		r.refused = append(r.refused, p)
	}
	g.parts = kept
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
	if seconds := p.Options.Field(secondsOption); !seconds.IsMissing() {
		list = append(list, claim{says: seconds.String()})
	}
	if seconds := policy.ObjectValue(p.Change).Field(secondsOption); !seconds.IsMissing() {
		list = append(list, claim{says: seconds.String()})
	}
	if p.Name == "" && len(list) > 0 { // the collections of two such commands may differ, or not
		list = append(list, claim{about: [2]string{"unnamed"}, says: strconv.Itoa(p.At)})
	}
	return list
}

// isDrop reports whether a command drops indexes or a collection.
func isDrop(p pasted.Part) bool {
	change := policy.ObjectValue(p.Change)
	return !change.Field("drop").IsMissing() || !change.Field("dropIndexes").IsMissing()
}

// lineOf returns the line of a byte, from 1.
func (r *programReader) lineOf(at int) int { return lineIn([]byte(r.text), at) }

// target returns the collection of a group.
func (g *group) target(r *programReader, now policy.Instant) *Target {
	t := &Target{File: r.file, Database: g.parts[0].Database, Name: g.parts[0].Name, Line: r.lineOf(g.parts[0].At), IsWritten: true}
	var options policy.Value
	var c pasted.Collection
	for _, p := range g.parts {
		one := Step{Line: r.lineOf(p.At), ByThousand: byThousand().MatchString(r.text[p.At:p.End])}
		if !p.Options.IsMissing() && p.Change == nil {
			options = p.Options
		}
		c.Notes = append(c.Notes, p.Notes...)
		if p.Change != nil {
			one.Change = p.Change
			if len(p.Indexes) > 0 {
				one.Index = p.Indexes[0]
			}
			t.steps = append(t.steps, one)
			continue
		}
		for _, x := range p.Indexes {
			one.Index = x
			t.steps = append(t.steps, one)
		}
	}
	left := t.written(options, now)
	c.Options, c.Indexes, t.lines = left.Options, left.Indexes, left.Lines
	for _, n := range left.Notes {
		c.Notes = append(c.Notes, mongosh.Note{Text: n})
	}
	t.collection = &collection{options: c.Options, indexes: c.Indexes, notes: withoutRemarks(c)}
	return t
}

// byThousand matches a multiplication by 1000.
var byThousand = pattern.Lazy(`\*\s*1000\b|\b1000\s*\*`)

// unread returns the mentions outside of the commands that are read, each with the reason if
// it stands in a command.
func (r *programReader) unread() (list []Unread) {
	var read [][2]int
	for _, g := range r.groups {
		for _, p := range g.parts {
			read = append(read, [2]int{p.At, p.End})
		}
	}
	slices.SortFunc(read, func(a, b [2]int) int { return a[0] - b[0] })
	refused := r.refused
	for _, m := range mentions.Outside(r.list, read) {
		for len(refused) > 1 && refused[1].At <= m.At {
			refused = refused[1:]
		}
		u := Unread{Line: m.Line, Word: m.Word, IsCosmos: m.IsCosmos}
		if len(refused) > 0 && refused[0].At <= m.At && m.At < refused[0].End {
			u.Why = reasonOf(refused[0].Err)
		}
		list = append(list, u)
	}
	return list
}

// reasonOf returns an error as a sentence without its place and its full stop.
func reasonOf(err error) string {
	if s := (*mongosh.SyntaxError)(nil); errors.As(err, &s) {
		err = s.Err
	}
	return cli.Clip(cli.Visible(strings.TrimSuffix(err.Error(), ".")), 300)
}
