package rulebook

import (
	"cmp"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/catalogtest"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/docs/site/playground"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// asked returns a server with the contents of a question of the playground: its policy,
// its document as "it", and other documents.
func asked(t *testing.T, s playground.State) (x situation, ok bool) {
	t.Helper()
	e, ok := playground.Explain(s)
	if !ok {
		return x, false
	}
	if s.System == definition.CosmosNoSQL {
		c, err := pasted.ReadContainer(s.Policy)
		item, wrong := policy.ParseJSON([]byte(s.Document))
		coll := &catalogtest.Collection{Container: c.Spec, Documents: append(items(e.Now), catalogtest.Document{Name: "1", Value: &item})}
		coll.Documents = slices.DeleteFunc(coll.Documents, func(d catalogtest.Document) bool { return d.Name == "1" && d.Value != &item })
		return situation{server: &catalogtest.Server{System: s.System, Now: e.Now, Collections: map[string]*catalogtest.Collection{"coll": coll}}}, err == nil && wrong == nil
	}
	c, err := pasted.ReadCollection(s.Policy, e.Now)
	script, wrong := mongosh.Parse(s.Document, e.Now)
	if err != nil || wrong != nil || len(script.Calls) != 1 {
		return x, false
	}
	it := catalogtest.Document{Name: "it", Value: policy.DOf(script.Calls[0].Args[0])}
	coll := &catalogtest.Collection{}
	x.server = &catalogtest.Server{System: s.System, Release: e.Policy.Version(), Now: e.Now, Collections: map[string]*catalogtest.Collection{cmp.Or(c.Name, "coll"): coll}}
	if s.System == definition.CosmosMongo {
		coll.Documents = append(items(e.Now), it)
		x.server.Release = s.Release
		if s.CustomPath {
			coll.API.Capabilities = []string{definition.CustomPathCapability}
		}
		coll.API.Indexes, ok = apiIndexes(c.Indexes)
		return x, ok
	}
	coll.Mongo, err = mongo.ParseCollectionSpec(c.Options, policy.ListValue(withNames(c.Indexes)))
	coll.Documents = append(others(e.Now, e.Source.Field), it)
	return x, err == nil && len(c.Indexes) > 0
}

var (
	fixDeletes  = regexp.MustCompile(`This deletes every (?:document|copy) (that the filter takes in and )?whose (.+) is (?:more than ([0-9]+) (d|h|min|s) ago|past), as soon as it runs\.$`)
	fixConverts = regexp.MustCompile(`This deletes every document (that the filter takes in and )?whose (.+) is a (string|number of (?:milli)?seconds)( with a zone| without a zone)? and stands for a time (?:more than [0-9]+ (?:d|h|min|s) ago|in the past), as soon as it runs\.$`)
	fixWrites   = regexp.MustCompile(`This deletes every (?:item|document) that was last written more than its own ttl seconds ago(?:, and every one without a ttl that was last written more than ([0-9]+) (d|h|min|s) ago)?, as soon as it runs\.$`)
	spans       = map[string]int64{"d": 86400, "h": 3600, "min": 60, "s": 1, "": 0}
)

// copied finds the collection to which a fix copies the documents.
var copied = regexp.MustCompile(`\{\$out: "([^"]+)"\}`)

// goesBy reports whether the sentence of a fix says that a document is deleted at once.
// The argument before is the document as it was before the fix, and d is the document
// after it. The result ok is false if the sentence is not known.
func goesBy(text string, now policy.Instant, before, d policy.Document) (says, ok bool) {
	if m := fixConverts.FindStringSubmatch(text); m != nil {
		if before == nil {
			return false, true
		}
		was := at(before, m[2])
		if (m[3] == "string") != (was.Kind() == policy.String) || (m[3] != "string") != was.Kind().IsNumber() {
			return false, true
		}
		if written, isText := was.AsString(); isText && (strings.HasSuffix(written, "Z") || strings.ContainsAny(written, "+")) != (m[4] == " with a zone") {
			return false, true
		}
		text = regexp.MustCompile(` is a .* and stands for a time `).ReplaceAllString(strings.Replace(text, "in the past", "past", 1), " is ")
	}
	if m := fixDeletes.FindStringSubmatch(text); m != nil {
		n, _ := strconv.ParseInt(m[3], 10, 64)
		v := at(d, m[2])
		for _, one := range append(policy.AOf(v), v) {
			if i, isDate := one.AsDate(); isDate && i+policy.Instant(n*spans[m[4]]*1000) <= now {
				return true, true
			}
		}
		return false, true
	}
	if m := fixWrites.FindStringSubmatch(text); m != nil {
		n, _ := strconv.ParseInt(m[1], 10, 64)
		if _, own := d.Field("ttl").AsInt64(); own {
			return isOver(now, d), true
		}
		ts, _ := d.Field("_ts").AsInt64()
		return m[1] != "" && ts+n*spans[m[2]] <= int64(now)/1000, true
	}
	return false, strings.Contains(text, "Nothing goes at once: ")
}

// fixFaults carries out a fix. The document must go, and the sentence must name each document that
// goes at once.
func fixFaults(t *testing.T, s playground.State, f playground.Fix) (faults []string) {
	t.Helper()
	x, ok := asked(t, s)
	if !ok {
		return nil
	}
	r, err := try(x, strings.Split(strings.ReplaceAll(f.Command, " \\\n", " "), "\n"))
	if err != nil {
		return []string{err.Error()}
	}
	name := "it"
	if s.System == definition.CosmosNoSQL {
		name = "1"
	}
	var coll string
	for coll = range x.server.Collections { // there is exactly one collection
	}
	if copies := copied.FindStringSubmatch(f.Command); copies != nil {
		coll = copies[1]
	}
	name = coll + "/" + name
	if later, err := r.after.Gone(x.server.Now + 20_000*24*3_600_000); err != nil || !later[name] {
		faults = append(faults, "the document stays")
	}
	before := map[string]policy.Document{}
	if c := x.server.Collections[coll]; c != nil {
		for _, d := range c.Documents {
			before[d.Name] = d.Value
		}
	}
	for _, d := range r.after.Collections[coll].Documents {
		says, known := goesBy(f.AtOnce, x.server.Now, before[d.Name], d.Value)
		if !known {
			return append(faults, "it does not say what goes at once: "+f.AtOnce)
		}
		if r.more[0][coll+"/"+d.Name] && !says {
			faults = append(faults, d.Name+" goes at once, and it does not say so: "+f.AtOnce)
		}
	}
	return faults
}

// fixStates are the examples of the playground, and every vector as a question to it.
func fixStates() (states []playground.State) {
	for _, x := range playground.Examples() {
		states = append(states, x.State)
	}
	for _, c := range book.Cases {
		for _, a := range c.Answers {
			if s, ok := c.State(a); ok && len(a.Scope.Parameters) == 0 {
				states = append(states, s)
			}
		}
	}
	return states
}

// TestFixesKeepTheirWord carries out the commands that the playground proposes for its
// examples and for every vector.
func TestFixesKeepTheirWord(t *testing.T) {
	states := fixStates()
	rules, done := map[string]int{}, 0
	for _, s := range states {
		answer := playground.Of(s, playground.View{})
		for _, f := range answer.Fixes {
			if _, ok := asked(t, answer.State); ok {
				done++
				rules[answer.Rule]++
			}
			for _, fault := range fixFaults(t, answer.State, f) {
				t.Errorf("%s\n%s\n%s by %s: %s\n%s", answer.State.Policy, answer.State.Document, answer.State.Release, answer.Rule, f.Command, fault)
			}
		}
	}
	if done < 100 || len(rules) < 10 {
		t.Errorf("%d fixes for %d rules were carried out, want more", done, len(rules))
	}
}

// TestFixSaysWhatThePageSays: the fix for a date that is stored as a string has the
// sentence of the page about that problem and of the rule's repair, with the delay of the
// index in place of the option's name.
func TestFixSaysWhatThePageSays(t *testing.T) {
	text, err := fs.ReadFile(pages, "problems/dates-are-strings.md")
	if err != nil {
		t.Fatal(err)
	}
	page := strings.ReplaceAll(strings.Join(strings.Fields(string(text)), " "), "`", "")
	for field, where := range map[string]string{"createdAt": page, "t": book.Page("mongo.field-not-date").Repair.Ways[1].AtOnce} {
		s := playground.State{System: definition.MongoDB, Release: "8.0.4", Now: "2026-11-20T12:00:00Z", Policy: `{key: {` + field + `: 1}, expireAfterSeconds: 3600}`, Document: `{` + field + `: "2026-11-20T09:00:00Z"}`}
		fixes := playground.Of(s, playground.View{}).Fixes
		if len(fixes) != 1 || fixes[0].AtOnce == "" {
			t.Fatalf("the fixes are %+v, want one that says what goes at once", fixes)
		}
		if want := strings.Replace(fixes[0].AtOnce, "1 h ago", "expireAfterSeconds seconds ago", 1); !strings.Contains(where, strings.TrimSuffix(want, ".")) {
			t.Errorf("the fix says %q, and %s does not", want, field)
		}
	}
}

// TestOneConversion: the page about strings, the rule and the box have the same commands to count
// and to convert strings, except for the names in them.
func TestOneConversion(t *testing.T) {
	text, err := fs.ReadFile(pages, "problems/dates-are-strings.md")
	if err != nil {
		t.Fatal(err)
	}
	plain := regexp.MustCompile(`"(\w+)":`)
	same := func(command, collection, field string) string {
		command = strings.ReplaceAll(plain.ReplaceAllString(command, "$1:"), `db.getCollection("`+collection+`")`, "db."+collection)
		command = strings.ReplaceAll(strings.ReplaceAll(command, "$"+field+`"`, `$createdAt"`), "{"+field+":", "{createdAt:")
		return strings.Join(strings.Fields(strings.ReplaceAll(command, "db."+collection+".", "db.logs.")), " ")
	}
	page := same(string(text), "logs", "createdAt")
	way := book.Page("mongo.field-not-date").Repair.Ways[1]
	commands := []string{same(way.Count, "coll", "t"), same(way.Commands[0], "coll", "t")}
	for _, date := range []string{"2026-11-20T09:00:00Z", "2026-11-20T09:00:00"} {
		s := playground.State{System: definition.MongoDB, Now: "2026-11-20T12:00:00Z", Policy: `db.c.createIndex({createdAt: 1}, {expireAfterSeconds: 3600})`, Document: `{createdAt: "` + date + `"}`}
		for _, f := range playground.Of(s, playground.View{}).Fixes {
			commands = append(commands, same(f.Count, "c", "createdAt"), same(f.Command, "c", "createdAt"))
		}
	}
	if len(commands) != 6 {
		t.Fatalf("the commands are %q, want two of the rule and four of the box", commands)
	}
	for _, command := range commands {
		if !strings.Contains(page, command) {
			t.Errorf("the page has not %s", command)
		}
	}
}

// TestWrongFixesAreSeen: a fix with another number, another field or another document
// breaks its word.
func TestWrongFixesAreSeen(t *testing.T) {
	const now = "2026-11-20T12:00:00Z"
	for _, tt := range []struct {
		state    playground.State
		from, to string
	}{
		{playground.State{System: definition.MongoDB, Release: "4.4.29", Now: now, Policy: `{key: {t: 1}, name: "t_1", expireAfterSeconds: NaN}`, Document: `{t: ISODate("2026-11-20T11:30:00Z")}`}, "3600", "60"},
		{playground.State{System: definition.MongoDB, Release: "8.0.4", Now: now, Policy: `{key: {u: 1, t: 1}, name: "x", expireAfterSeconds: 3600}`, Document: `{u: 1, t: ISODate("2026-11-20T11:30:00Z")}`}, "{t: 1}", "{u: 1}"},
		{playground.State{System: definition.MongoDB, Release: "8.0.4", Now: now, Policy: `{key: {t: 1}, name: "t_1", expireAfterSeconds: 0}`, Document: `{}`}, `{$add: ["$$NOW", 604800000]}`, `"$$NOW"`},
		{playground.State{System: definition.MongoDB, Release: "8.0.4", Now: now, Policy: `{key: {t: 1}, name: "t_1", expireAfterSeconds: 3600}`, Document: `{t: "2026-11-20T11:30:00Z"}`}, `+T[0-9`, `+U[0-9`},
		{playground.State{System: definition.CosmosNoSQL, Now: now, Policy: `{}`, Document: `{"id": "1", "_ts": 1795176000}`}, "--ttl 3600", "--ttl 60"},
		{playground.State{System: definition.CosmosNoSQL, Now: now, Policy: `{"defaultTtl": -1}`, Document: `{"id": "1", "_ts": 1795172399}`}, "--ttl 3600", "--ttl 60"},
	} {
		fixes := playground.Of(tt.state, playground.View{}).Fixes
		if len(fixes) != 1 || !strings.Contains(fixes[0].Command, tt.from) {
			t.Errorf("%s: the fixes are %+v, want one with %s", tt.state.Policy, fixes, tt.from)
			continue
		}
		if faults := fixFaults(t, tt.state, fixes[0]); len(faults) > 0 {
			t.Errorf("%s: %q", fixes[0].Command, faults)
		}
		fixes[0].Command = strings.ReplaceAll(fixes[0].Command, tt.from, tt.to)
		if len(fixFaults(t, tt.state, fixes[0])) == 0 {
			t.Errorf("%s is not seen", fixes[0].Command)
		}
	}
}

// TestEveryRuleHasARepair: each rule has a repair, and each repair belongs to a rule.
func TestEveryRuleHasARepair(t *testing.T) {
	used := map[string]bool{}
	for _, p := range all() {
		if len(p.Repair.Ways) == 0 {
			t.Errorf("%s has no repair: add one to docs/site/records/rules.json", p.ID())
			continue
		}
		used[p.Repair.Rules[0]] = true
	}
	for _, r := range readRecords().Repairs {
		if !used[r.Rules[0]] {
			t.Errorf("no rule has the repair for %q: one above it takes its rules", r.Rules)
		}
	}
}

func TestRepairOf(t *testing.T) {
	all := []Repair{{Rules: []string{"mongo.nan-zero"}}, {Rules: []string{"mongo.a", "mongo.nan-*"}}}
	for rule, want := range map[string]int{"mongo.nan-zero": 1, "mongo.nan-skipped": 2, "mongo.date": 0} {
		if got := repairOf(all, rule); len(got.Rules) != want {
			t.Errorf("repairOf(%s) = %+v, want the one with %d rules", rule, got, want)
		}
	}
}

// TestTopicsBeginWithExpiry: the first rule of each engine is its rule for expiry.
func TestTopicsBeginWithExpiry(t *testing.T) {
	for i, want := range []string{"mongo.date", "documentdb.date", "cosmos.default"} {
		if got := book.Engines[i].Topics[0].Pages[0].ID(); got != want {
			t.Errorf("the rules of %s begin with %s, want %s", book.Engines[i].Name, got, want)
		}
	}
}
