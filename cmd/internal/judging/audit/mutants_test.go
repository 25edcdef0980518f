package audit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/catalogtest"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A repaired is a mistake with its expected repair, in a collection of a hundred
// documents. due returns the time at which each document is deleted after a repair that
// lets documents expire; if due is nil, no document is deleted.
type repaired struct {
	name, indexes, release string
	fields                 func(i int) string
	after                  policy.Value // the value of --expire-after
	due                    func(i int) (at int64, ok bool)
}

// ago returns the instant the given number of hours before now.
func ago(hours int) int64 { return int64(now) - int64(hours)*time.Hour.Milliseconds() }

// dueAfter returns a function for the deadline of document i, which is the given number
// of hours after the document's date. The date of document i is step hours before that of
// document i-1.
func dueAfter(hours, step int) func(i int) (int64, bool) {
	return func(i int) (int64, bool) { return ago(step*i - hours), true }
}

func repairedMistakes() []repaired {
	const days = 24
	isDraft := func(i int) bool { return i%2 == 0 }
	drafts := func(i int) string { return fmt.Sprintf(`"draft":%v,%s`, isDraft(i), hoursAgo("at", i)) }
	dueOfDrafts := func(hours int) func(i int) (int64, bool) {
		return func(i int) (int64, bool) { return ago(i - hours), isDraft(i) }
	}
	// The function mostly returns the fields of a document by its number. Each tenth
	// document has the fields that the function other returns. No update may change these
	// fields.
	mostly := func(fields func(i int) string, other func(i int) string) func(i int) string {
		return func(i int) string {
			if i%10 == 9 {
				return other(i)
			}
			return fields(i)
		}
	}
	right := func(i int) string { return hoursAgo("at", 12*i) }
	text := func(int) string { return `"at":"soon"` }
	dueOfMost := func(i int) (int64, bool) { return ago(12*i - 30*days), i%10 != 9 }
	number := func(int) string { return `"at":{"$numberLong":"5"}` }
	with := func(index, more string) string { return strings.TrimSuffix(index, "}") + "," + more + "}" }
	return []repaired{
		{"milliseconds", ttl("at", 604_800_000), "8.0.4", func(i int) string { return hoursAgo("at", 4*i) }, policy.Value{}, dueAfter(7*days, 4)},
		{"zero", ttl("createdAt", 0), "8.0.4", func(i int) string { return hoursAgo("createdAt", i) }, day, dueAfter(days, 1)},
		{"leftover", ttl("createdAt", 60) + "," + ttl("expireAt", 0), "8.0.4", func(i int) string { return hoursAgo("createdAt", 1) + "," + hoursAgo("expireAt", -i) }, policy.Value{}, func(i int) (int64, bool) { return ago(-i), true }},
		{"spelling", ttl("createdAt", 86400), "8.0.4", func(i int) string { return hoursAgo("created_at", i) }, policy.Value{}, dueAfter(days, 1)},
		{"deadline", `{"v":2,"key":{"expires_at":1},"name":"expires_at_1"}`, "8.0.4", func(i int) string { return hoursAgo("expires_at", i-30) }, policy.Value{}, func(i int) (int64, bool) { return ago(i - 30), true }},
		{"another field", ttl("user", month), "8.0.4", func(i int) string { return `"user":"u","meta":{` + hoursAgo("seen", 12*i) + `}` }, policy.Value{}, dueAfter(30*days, 12)},
		{"texts", ttl("at", month), "8.0.4", mostly(func(i int) string { return fmt.Sprintf(`"at":%q`, policy.Instant(ago(12*i))) }, number), policy.Value{}, dueOfMost},
		{"milliseconds in numbers", ttl("at", month), "8.0.4", mostly(func(i int) string { return fmt.Sprintf(`"at":%d`, ago(12*i)) }, text), policy.Value{}, dueOfMost},
		{"seconds in numbers", ttl("at", month), "4.2.0", mostly(func(i int) string { return fmt.Sprintf(`"at":%d`, ago(12*i)/1000) }, right), policy.Value{}, dueAfter(30*days, 12)},
		{"seconds in dates", ttl("at", month), "8.0.4", mostly(func(i int) string { return date("at", ago(12*i)/1000) }, right), policy.Value{}, dueAfter(30*days, 12)},
		{"microseconds in dates", ttl("at", month), "8.0.4", mostly(func(i int) string { return date("at", ago(12*i)*1000) }, right), policy.Value{}, dueAfter(30*days, 12)},
		{"nanoseconds in dates", ttl("at", month), "8.0.4", mostly(func(i int) string { return date("at", ago(12*i)*1_000_000) }, text), policy.Value{}, dueOfMost},
		{"a compound index", `{"v":2,"key":{"region":1,"at":1},"name":"region_1_at_1","expireAfterSeconds":86400}`, "8.0.4", func(i int) string { return `"region":"x",` + hoursAgo("at", i) }, policy.Value{}, dueAfter(days, 1)},
		{"a misspelt filter", with(ttl("at", 86400), `"partialFilter":{"draft":true}`), "8.0.4", drafts, policy.Value{}, dueOfDrafts(days)},
		{"NaN with a filter", with(strings.Replace(ttl("at", 0), `"expireAfterSeconds":0`, `"expireAfterSeconds":{"$numberDouble":"NaN"}`, 1), `"partialFilterExpression":{"draft":true}`), "5.0.9", drafts, day, dueOfDrafts(days)},
	}
}

// faultsOf carries out a repair and checks its purpose: after "keep every document",
// nothing expires; after any other repair, each document is deleted when it is due. Every
// index for queries must remain.
func (m repaired) faultsOf(before *catalogtest.Server, r Repair) (faults []string) {
	faults = printedFaults(before, r)
	after, err := ran(before, r.Commands)
	if err != nil {
		return append(faults, err.Error())
	}
	isDrop := strings.HasPrefix(r.Purpose, "let this index")
	for _, x := range before.Collections["logs"].Mongo.Indexes {
		isKept := func(y mongo.IndexSpec) bool {
			isSame := policy.ObjectValue(y.Key).Equal(policy.ObjectValue(x.Key))
			if r.Purpose == "keep every document" { // such a repair drops only the option
				return isSame && y.ExpireAfterSeconds.IsMissing() && y.PartialFilterExpression.Equal(x.PartialFilterExpression)
			}
			return isSame
		}
		if !isDrop && !slices.ContainsFunc(after.Collections["logs"].Mongo.Indexes, isKept) {
			faults = append(faults, "the index "+x.Name+" is not kept as it was meant")
		}
	}
	for _, h := range []int{0, 1, 7, 24, 200, 1000, 20_000, 2_000_000} {
		at := policy.Instant(ago(-h))
		gone, err := after.Gone(at)
		if err != nil {
			return append(faults, err.Error())
		}
		for i := range 100 {
			due, ok := m.due(i)
			want := ok && due <= int64(at) && r.Purpose != "keep every document"
			if got := gone[fmt.Sprintf("logs/%d", i)]; got != want {
				return append(faults, fmt.Sprintf("document %d is gone after %d h: %v, want %v", i, h, got, want))
			}
		}
	}
	return faults
}

// A mutation is a mistake in the text of a command.
type mutation struct {
	name string
	of   *regexp.Regexp
	to   func(groups []string) string
}

var mutations = []mutation{
	{"another field of an index", regexp.MustCompile(`(key: \{)("?[\w.]+"?)(: 1\})`), func(m []string) string { return m[1] + "other" + m[3] }},
	{"another field of an update", regexp.MustCompile(`\$set: \{("?[\w.]+"?):`), func(m []string) string { return "$set: {other:" }},
	{"another field is read", regexp.MustCompile(`"\$(at|meta\.at)"`), func(m []string) string { return `"$other"` }},
	{"another field is looked for", regexp.MustCompile(`q: \{at:`), func([]string) string { return "q: {other:" }},
	{"a thousand times", regexp.MustCompile(`(expireAfterSeconds: )([1-9][0-9]*)`), func(m []string) string { return m[1] + m[2] + "000" }},
	{"a thousandth", regexp.MustCompile(`(expireAfterSeconds: )([1-9][0-9]*)`), func(m []string) string { return m[1] + "86" }},
	{"more than 0", regexp.MustCompile(`expireAfterSeconds: 0\b`), func(m []string) string { return "expireAfterSeconds: 1000000" }},
	{"another factor", regexp.MustCompile(`, 1000\]`), func([]string) string { return ", 1000000]" }},
	{"no factor", regexp.MustCompile(`, 1000(000)?\]`), func([]string) string { return ", 1]" }},
	{"no filter of an index", regexp.MustCompile(`, partialFilterExpression: \{[^}]*\}`), func([]string) string { return "" }},
	{"an inverted filter", regexp.MustCompile(`draft: true`), func([]string) string { return "draft: false" }},
	{"no filter of an update", regexp.MustCompile(`q: \{.*\}, u:`), func([]string) string { return "q: {}, u:" }},
	{"inverted bounds", regexp.MustCompile(`\$(gte|lt): (new Date|NumberLong|ISODate|[0-9])`), func(m []string) string { return map[string]string{"gte": "$lt: ", "lt": "$gte: "}[m[1]] + m[2] }},
	{"another index", regexp.MustCompile(`((?:index|name): )"[\w.]+_1"`), func(m []string) string { return m[1] + `"other_1"` }},
	{"another collection", regexp.MustCompile(`(collMod|createIndexes|dropIndexes|update): "logs"`), func(m []string) string { return m[1] + `: "others"` }},
	{"one document alone", regexp.MustCompile(`multi: true`), func([]string) string { return "multi: false" }},
	{"the first command alone", nil, nil},
}

// TestMutatedRepairs: the printed commands do what the audit says, and commands with a
// mistake do not.
func TestMutatedRepairs(t *testing.T) {
	applied := map[string]int{}
	for _, m := range repairedMistakes() {
		indexes := m.indexes + `,{"v":2,"key":{"other":1},"name":"other_1"}`
		documents := hundred(func(i int) string { return m.fields(i) + `,"other":5` })
		r := audited(t, with(t, described(t, `{}`, indexes), documents), Options{Options: on(t, m.release).Options, ExpireAfter: m.after})
		before := serverOf(t, m.release, indexes, documents)
		repairs := 0
		for _, f := range r.Findings {
			for _, repair := range f.Repairs {
				repairs++
				for _, fault := range m.faultsOf(before, repair) {
					t.Errorf("%s: to %s: %q: %s", m.name, repair.Purpose, repair.Commands, fault)
				}
				for _, mutation := range mutations {
					mutant := repair
					mutant.Commands = mutation.applyTo(repair.Commands)
					if slices.Equal(mutant.Commands, repair.Commands) {
						continue
					}
					if applied[mutation.name]++; len(m.faultsOf(before, mutant)) == 0 {
						t.Errorf("%s: to %s: %s is not seen: %q", m.name, repair.Purpose, mutation.name, mutant.Commands)
					}
				}
			}
		}
		if repairs == 0 {
			t.Errorf("%s: no repair, want one", m.name)
		}
	}
	for _, mutation := range mutations {
		if applied[mutation.name] == 0 {
			t.Errorf("%s: in no repair, want it in one", mutation.name)
		}
	}
}

// applyTo returns the commands with the mistake applied wherever it matches.
func (m mutation) applyTo(commands []string) (mutants []string) {
	if m.of == nil {
		return commands[:1]
	}
	for _, c := range commands {
		mutants = append(mutants, m.of.ReplaceAllStringFunc(c, func(part string) string { return m.to(m.of.FindStringSubmatch(part)) }))
	}
	return mutants
}

// serverOf returns a server with the collections logs and others, which have the same
// indexes.
func serverOf(t *testing.T, release, indexes, documents string) *catalogtest.Server {
	t.Helper()
	stored, err := described(t, `{}`, indexes).Collection(on(t, release).Options)
	if err != nil {
		t.Fatal(err)
	}
	logs, others := &catalogtest.Collection{Mongo: stored.Spec, Documents: documentsOf(t, documents)}, &catalogtest.Collection{Mongo: stored.Spec}
	return mongoServer(release, map[string]*catalogtest.Collection{"logs": logs, "others": others})
}
