package playground

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// documented are the answers of the vendors' pages for their own samples,
// worked out by hand: createdAt or _ts plus the seconds.
var documented = []struct {
	title    string
	verdict  policy.State
	deadline string
}{
	{"Log events: 10 seconds after createdAt", policy.Pending, "2026-11-20T12:00:05.000Z"},
	{"The same, with new Date()", policy.Pending, "2026-11-20T12:00:10.000Z"},
	{"An array: one date is old enough", policy.Expired, "2026-11-20T11:59:10.000Z"},
	{"Partial index: D is 1", policy.Expired, "2019-03-07T20:59:28.428Z"},
	{"Partial index: D is 3", policy.Never, ""},
	{"At a clock time: 0 seconds after expireAt", policy.Pending, "2013-07-22T14:00:00.000Z"},
	{"Atlas: 1 second after expiresAfter", policy.Expired, "2023-10-01T12:00:01.000Z"},
	{"Atlas: the value left as a string", policy.Never, ""},
	{"NaN, by release", policy.Expired, "2026-11-20T11:00:00.000Z"},
	{"The collection's 10 seconds", policy.Expired, "2026-11-20T12:00:10.000Z"},
	{"ttl: 20.0", policy.Pending, "2026-11-20T12:00:20.000Z"},
	{"ttl: NumberInt(20)", policy.Pending, "2026-11-20T12:00:20.000Z"},
	{"ttl: NumberLong(20)", policy.Expired, "2026-11-20T12:00:20.000Z"},
	{"ttl: 20.5 means nothing", policy.Expired, "2026-11-20T12:00:10.000Z"},
	{"ttl: NumberLong(2147483649) means nothing", policy.Expired, "2026-11-20T12:00:10.000Z"},
	{"No default, no ttl", policy.Never, ""},
	{"No default, ttl -1", policy.Never, ""},
	{"No default, ttl 60", policy.Never, ""},
	{"Default -1, no ttl", policy.Never, ""},
	{"Default -1, ttl -1", policy.Never, ""},
	{"Default -1, ttl 60", policy.Pending, "2026-11-20T12:01:00.000Z"},
	{"Default 10, no ttl", policy.Expired, "2026-11-20T12:00:10.000Z"},
	{"Default 10, ttl -1", policy.Never, ""},
	{"Default 10, ttl 60", policy.Pending, "2026-11-20T12:01:00.000Z"},
	{"90 days by default", policy.Pending, "2027-02-18T12:00:00.000Z"},
	{"A sales order of 30 days", policy.Expired, "2026-12-20T12:00:00.000Z"},
	{"Its ttl set to 60 × 30 × 30", policy.Expired, "2026-11-21T03:00:00.000Z"},
	{"Its ttl taken away: the default applies", policy.Pending, "2026-11-20T13:00:00.000Z"},
}

func TestDocumentedExamples(t *testing.T) {
	for _, want := range documented {
		a := Of(example(t, want.title).State, View{})
		if len(a.Problems) > 0 || a.Verdict != want.verdict || a.Deadline != want.deadline {
			t.Errorf("%s: %v at %q, problems %v; want %v at %q", want.title, a.Verdict, a.Deadline, a.Problems, want.verdict, want.deadline)
		}
	}
}

func example(t *testing.T, title string) Example {
	t.Helper()
	all := Examples()
	i := slices.IndexFunc(all, func(x Example) bool { return x.Title == title })
	if i < 0 {
		t.Fatalf("no example is called %q", title)
	}
	return all[i]
}

// The entries of docs/disagreements.md that no document can show: mistakes in a text, and
// statements that are not about decisions.
var nothing = map[string]string{
	"E11": "the cost of deleting",
	"U10": "a lagging replica", "U16": "what a write sets", "U17": "a setting of another store", "U18": "what a command answers", "U19": "other containers", "U20": "a write",
}

// TestDisagreementsHaveExamples: each case of the page on disagreements has an example
// here.
func TestDisagreementsHaveExamples(t *testing.T) {
	page, err := os.ReadFile("../../../docs/disagreements.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, x := range Examples() {
		shown[x.About] = true
	}
	found := regexp.MustCompile(`(?m)^\| (?:<a[^>]*></a>)?([XEU]\d+) \|`).FindAllStringSubmatch(string(page), -1)
	if len(found) < 30 {
		t.Fatalf("%d entries in the page; has its form changed?", len(found))
	}
	for _, m := range found {
		if shown[m[1]] == (nothing[m[1]] != "") {
			t.Errorf("%s: an example %v, a reason for none %q; want one of the two", m[1], shown[m[1]], nothing[m[1]])
		}
	}
}

// TestDisagreementExamplesNameTheirRules: the row of an example on the page names a rule
// of its ladder, unless the row is about a refusal or a notice.
func TestDisagreementExamplesNameTheirRules(t *testing.T) {
	page, err := os.ReadFile("../../../docs/disagreements.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range Examples() {
		if x.About == "" || !regexp.MustCompile(`^[XEU]\d`).MatchString(x.About) {
			continue
		}
		row := regexp.MustCompile(`(?m)^\| (?:<a[^>]*></a>)?` + x.About + ` \|.*$`).FindString(string(page))
		a := Of(x.State, View{})
		if len(a.Problems) > 0 || row == "" {
			t.Errorf("%s: problems %v, and the row %q", x.Title, a.Problems, row)
		}
		named := slices.ContainsFunc(a.Ladder, func(r LadderRule) bool { return strings.Contains(row, "`"+r.ID+"`") })
		if !named && len(a.Notices) == 0 && slices.ContainsFunc(a.Ladder, func(r LadderRule) bool { return r.Decides && !slices.Contains(besides[x.About], r.ID) }) {
			t.Errorf("%s %s is decided by %s, which is not in\n%s", x.About, x.Title, a.Rule, row)
		}
	}
}

// besides lists rules that may decide the example of an entry, although the entry does
// not name them. Such an entry is not about decisions.
var besides = map[string][]string{
	"X2": {"mongo.date"}, "X10": {"mongo.date"}, "X8": {"mongo.date"}, "X9": {"mongo.date"}, "X7": {"mongo.timeseries-bucket"},
	"E3": {"cosmos.default"}, "E5": {"cosmos.no-default"}, "U1": {"cosmos.off"}, "U14": {"cosmos.item"},
}

func TestExamplesAreWhole(t *testing.T) {
	titles := map[string]bool{}
	for _, x := range Examples() {
		a := Of(x.State, View{Width: 600})
		switch {
		case len(a.Problems) > 0:
			t.Errorf("%s: %v", x.Title, a.Problems)
		case x.Group == "" || titles[x.Group+x.Title]:
			t.Errorf("%q of %q: want a group, and a title of its own", x.Title, x.Group)
		case x.State != a.State:
			t.Errorf("%s: %+v is understood as %+v, so that a link would not lead back to it", x.Title, x.State, a.State)
		}
		titles[x.Group+x.Title] = true
	}
}
