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

// unreadOf returns the finding about a mention, with a reason.
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

// targetOf returns the collection of a group.
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
