package rulebook

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/catalogtest"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A passage is a block of commands on a page, with the prose between it and the block
// before.
type passage struct{ prose, commands string }

var fence = regexp.MustCompile("(?s)\n```([a-z]*)\n(.*?)\n```\n|\n\n((?:    az [^\n]*\n)+)")

var (
	tableRow = regexp.MustCompile("(?m)^\\| .*`db\\..*\\|$")
	inTable  = regexp.MustCompile("`(db\\.[^`]+)`")
)

// passages returns the passages below a heading: blocks of commands, and rows of a table
// with commands.
func passages(page, heading string) (all []passage) {
	_, part, _ := strings.Cut(page, "\n## "+heading+"\n")
	part, _, _ = strings.Cut(part, "\n## ")
	for _, row := range tableRow.FindAllString(part, -1) {
		var commands []string
		for _, m := range inTable.FindAllStringSubmatch(row, -1) {
			commands = append(commands, m[1])
		}
		all = append(all, passage{row, strings.Join(commands, "\n")})
	}
	at := 0
	for _, m := range fence.FindAllStringSubmatchIndex(part, -1) {
		before := strings.Join(strings.Fields(part[at:m[0]]), " ")
		at = m[1]
		switch {
		case m[6] >= 0:
			all = append(all, passage{before, strings.TrimSpace(part[m[6]:m[7]])})
		case part[m[2]:m[3]] == "js" && strings.HasPrefix(part[m[4]:m[5]], "db."):
			all = append(all, passage{before, part[m[4]:m[5]]})
		}
	}
	return all
}

var (
	onCollection = regexp.MustCompile(`db(?:\.getSiblingDB\("\w+"\))?\.(\w+)\.\w+\(|collMod: "(\w+)"`)
	onIndex      = regexp.MustCompile(`(?:dropIndex\(|name: )"([\w.]+)_1"`)
	onKey        = regexp.MustCompile(`createIndex\(\{"?([\w.]+)"?: 1\}`)
	onDate       = regexp.MustCompile(`updateOne\(\{_id: 1\},.*\{(\w+At): `)
	pageDeletes  = regexp.MustCompile("\\b[Dd]eletes every \\w+ whose `([\\w. ]+)` is (?:more than (an? \\w+|\\d+ minutes|\\d+ days) ago|past)|[Dd]eletes every bucket whose span ended more than (a day) ago|[Dd]eletes every (?:item|document) that was last written more than its own `ttl` seconds ago|[Dd]eletes every document whose `(\\w+)` is a string (with a|without a) zone and stands for a time more than `expireAfterSeconds` seconds ago")
	inWords      = map[string]int64{"": 0, "a minute": 60, "5 minutes": 300, "an hour": 3600, "a day": 86400, "29 days": 29 * 86400, "a week": 7 * 86400, "a year": 365 * 86400}
)

// onPage returns the situations in which a reader of commands may be: collections with
// the names in the commands, with or without the index that the commands name.
func onPage(t *testing.T, commands string) (all []situation) {
	t.Helper()
	name, field := "coll", "createdAt"
	if m := onCollection.FindStringSubmatch(commands); m != nil {
		name = m[1] + m[2]
	}
	for _, pattern := range []*regexp.Regexp{onKey, onIndex, onDate} {
		if m := pattern.FindStringSubmatch(commands); m != nil {
			field = m[1]
		}
	}
	if strings.HasPrefix(commands, "az ") || strings.Contains(commands, "{_ts: 1}") {
		for _, s := range plainCosmos(t) {
			if (s.server.System == definition.CosmosNoSQL) == strings.HasPrefix(commands, "az ") {
				s.server.Collections = map[string]*catalogtest.Collection{name: s.server.Collections["coll"]}
				all = append(all, s)
			}
		}
		return all
	}
	index := func(seconds string) string {
		return `[{"v":2,"key":{"` + field + `":1},"name":"` + field + `_1","expireAfterSeconds":` + seconds + `}]`
	}
	for _, x := range []struct{ name, release, options, indexes string }{
		{"no index", "8.0.4", `{}`, `[{"v":2,"key":{"_id":1},"name":"_id_"}]`},
		{"a long delay", "8.0.4", `{}`, index("94608000")},
		{"at the date", "8.0.4", `{}`, index("0")},
		{"an index", "8.0.4", `{}`, index("3600")},
		{"NaN", "4.4.29", `{}`, index(`{"$numberDouble":"NaN"}`)},
		{"a time series", "8.0.4", `{"timeseries":{"timeField":"t","granularity":"seconds"},"expireAfterSeconds":94608000}`, `[]`},
	} {
		if x.name == "at the date" && !onDate.MatchString(commands) {
			continue // the pages use updateOne only to set a date for an index of 0 seconds
		}
		s, ok := onMongo(t, x.name, x.release, x.options, x.indexes, today)
		if !ok {
			t.Fatalf("%s with %s: it cannot be", x.name, field)
		}
		s.names = nil
		if x.name != "a time series" {
			one := policy.D{{Key: "_id", Value: policy.Int32Value(1)}, {Key: field, Value: ago(today, -60)}}
			s.server.Collections["coll"].Documents = append(others(today, field), catalogtest.Document{Name: "the first", Value: one})
		}
		s.server.Collections = map[string]*catalogtest.Collection{name: s.server.Collections["coll"]}
		all = append(all, s)
	}
	return all
}

// saysOf reports whether a sentence of a page is about a document.
func saysOf(m []string, s *catalogtest.Server, d policy.Document) bool {
	switch {
	case m[1] != "":
		i, ok := at(d, m[1]).AsDate()
		return ok && i+policy.Instant(inWords[m[2]]*1000) <= s.Now
	case m[4] != "":
		text, ok := d.Field(m[4]).AsString()
		return ok && text < "2026-11-20T11" && strings.HasSuffix(text, "Z") == (m[5] == "with a")
	case m[3] != "":
		return isOlder(s.Now, bucketEnd(d), m[3])
	}
	return isOver(s.Now, d)
}

// passageFaults carries out the commands of a passage, and compares the documents deleted
// at once with those that the prose before the commands names.
func passageFaults(t *testing.T, p passage) (faults []string, carriedOut bool) {
	t.Helper()
	commands := strings.Split(p.commands, "\n")
	if strings.Contains(p.commands, "\n  ") {
		commands = []string{p.commands} // one call on several lines
	}
	said := pageDeletes.FindAllStringSubmatch(p.prose, -1)
	for _, m := range said {
		if _, known := inWords[m[2]]; !known {
			return []string{"it says " + m[0] + ", which is no span that is known"}, false
		}
	}
	for _, s := range onPage(t, p.commands) {
		if s.name == "NaN" && strings.Contains(p.prose, "raise the time of every index that deletes") {
			continue // the raised time keeps this index from deleting
		}
		r, err := tryWhatIsTaken(s, commands)
		if errors.Is(err, catalogtest.ErrUnknown) {
			return []string{err.Error()}, false
		}
		if err != nil {
			continue
		}
		carriedOut = true
		for collection, coll := range r.after.Collections {
			for _, d := range coll.Documents {
				name := collection + "/" + d.Name
				says := slices.ContainsFunc(said, func(m []string) bool { return saysOf(m, s.server, original(r, collection, d)) })
				if r.more[0][name] && !says {
					return append(faults, fmt.Sprintf("%s: %s goes at once, and the page does not say so", s.name, name)), true
				}
			}
		}
	}
	return faults, carriedOut
}

// tryWhatIsTaken runs the commands that the server accepts, and leaves out those that it
// refuses: a block may hold commands for different readers.
func tryWhatIsTaken(s situation, commands []string) (r trial, err error) {
	var taken []string
	var refusal error
	for _, c := range commands {
		if r, err = try(s, append(slices.Clone(taken), c)); err == nil {
			taken = append(taken, c)
		} else if errors.Is(err, catalogtest.ErrUnknown) {
			return r, err
		} else {
			refusal = err
		}
	}
	if len(taken) == 0 {
		return r, refusal
	}
	return try(s, taken)
}

// TestProblemsKeepTheirWord carries out the commands under Repair, and the commands of the
// first page about each database. If a command deletes at once, the prose before it must
// say which documents.
func TestProblemsKeepTheirWord(t *testing.T) {
	names, err := fs.Glob(pages, "problems/*.md")
	if err != nil {
		t.Fatal(err)
	}
	names = append(names, "start.md")
	done := 0
	for _, name := range names {
		page, err := fs.ReadFile(pages, name)
		if err != nil {
			t.Fatal(err)
		}
		commands := passages(string(page), "Repair")
		if name == "start.md" {
			if commands = append(passages(string(page), "MongoDB"), passages(string(page), "Azure Cosmos DB")...); len(commands) < 2 {
				t.Errorf("%s has %d commands, want one for each database", name, len(commands))
			}
		}
		for _, p := range commands {
			faults, carriedOut := passageFaults(t, p)
			if done++; !carriedOut && len(faults) == 0 {
				faults = append(faults, "no situation takes it")
			}
			for _, fault := range faults {
				t.Errorf("%s\n%s\n%s", path.Base(name), p.commands, fault)
			}
		}
	}
	if done < 30 {
		t.Errorf("%d passages were carried out, want dozens", done)
	}
}

// TestCommandsInTheShell carries out the commands of each page for the reader's own
// shell. The commands only read, and name collections that exist.
func TestCommandsInTheShell(t *testing.T) {
	names, err := fs.Glob(pages, "problems/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		page, err := fs.ReadFile(pages, name)
		if err != nil {
			t.Fatal(err)
		}
		part := passages(string(page), "In your shell")
		if len(part) == 0 && path.Base(name) != "README.md" {
			t.Errorf("%s has no command for the reader's own shell", name)
		}
		for _, p := range part {
			for command := range strings.SplitSeq(p.commands, "\n") {
				if fault := readFault(t, p.prose, command); fault != "" {
					t.Errorf("%s\n%s\n%s", path.Base(name), command, fault)
				}
			}
		}
	}
	for _, command := range []string{
		`db.c.deleteMany({})`, `db.c.find({x: {$size: 0}})`, `db.c.nothing()`, `az cosmosdb sql container update -n chat --ttl=-1`,
	} {
		if readFault(t, "This only reads.", command) == "" {
			t.Errorf("%s is taken for a command that reads", command)
		}
	}
}

// readFault returns the fault of a command that must only read, "" if it has none.
func readFault(t *testing.T, prose, command string) string {
	t.Helper()
	if !strings.Contains(prose, "only read") {
		return "the page does not say that it only reads"
	}
	for _, s := range onPage(t, command) {
		switch o, err := run(s.server, command, nil); {
		case err != nil:
			return s.name + ": " + err.Error()
		case o.Changes:
			return s.name + ": it changes something"
		}
	}
	return ""
}

// TestWrongPassagesAreSeen: prose that does not say which documents are deleted, or that
// says something else, is a fault.
func TestWrongPassagesAreSeen(t *testing.T) {
	const sentence = "This deletes every message whose `createdAt` is more than an hour ago, as soon as it runs:"
	const command = `db.messages.createIndex({createdAt: 1}, {expireAfterSeconds: 3600})`
	if faults, ok := passageFaults(t, passage{sentence, command}); !ok || len(faults) > 0 {
		t.Fatalf("%s\n%s\n%q", sentence, command, faults)
	}
	for _, p := range []passage{
		{"Create the index:", command},
		{strings.Replace(sentence, "an hour", "a day", 1), command},
		{strings.Replace(sentence, "createdAt", "at", 1), strings.Replace(command, "3600", "60", 1)},
		{sentence, strings.Replace(command, "createdAt", "u", 1)},
		{"Set the date:", `db.offers.updateOne({_id: 1}, [{$set: {expireAt: {$add: ["$$NOW", -1800000]}}}])`},
		{"Set the date:", `db.offers.updateOne({_id: 1}, {$set: {expireAt: new Date("2020-12-31T18:00:00+01:00")}})`},
		{"Set the date:", `db.offers.updateOne({_id: 1}, [{$sett: {expireAt: {$add: ["$$NOW", 1800000]}}}])`},
		{"Look first:", `db.messages.deleteMany({createdAt: {$lt: new Date()}})`},
		{"Raise the time:", `db.runCommand({collMod: "messages", index: {name: "createdAt_1", expireAfterSeconds: 0}})`},
	} {
		if faults, _ := passageFaults(t, p); len(faults) == 0 {
			t.Errorf("%s\n%s\nis not seen", p.prose, p.commands)
		}
	}
}
