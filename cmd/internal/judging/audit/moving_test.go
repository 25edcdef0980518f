package audit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/moves"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// TestMoves: --moving-to adds the expected findings.
func TestMoves(t *testing.T) {
	const (
		ordinary = `{"key":{"t":1},"name":"t_1","expireAfterSeconds":3600}`
		capped   = `{"capped":true,"size":4096}`
		series   = `{"timeseries":{"timeField":"t","metaField":"m"},"expireAfterSeconds":{"$numberLong":"60"}}`
	)
	tests := []struct {
		why, options, indexes, from, to string
		by                              moves.Operation
		want                            []string // the findings about the move
	}{
		{"an ordinary index", `{}`, ordinary, "4.4.0", "8.0.0", 0, nil},
		{"initial sync into data loss", `{}`, nanIndex, "4.4.0", "5.0.9", moves.InitialSync, []string{"deletes mongo.move-nan-zero t_1"}},
		{"initial sync out of data loss, which brings a 0", `{}`, nanIndex, "5.0.9", "4.4.0", moves.InitialSync, nil},
		{"data files out of data loss, which keep the NaN", `{}`, nanIndex, "5.0.9", "4.4.0", moves.Downgrade, []string{"keeps mongo.move-sleeps t_1"}},
		{"upgrade into data loss", `{}`, nanIndex, "4.4.0", "6.0.1", moves.Upgrade, []string{"deletes mongo.move-nan-zero t_1"}},
		{"backwards it is a downgrade", `{}`, nanIndex, "5.0.14", "5.0.13", moves.Upgrade, []string{"deletes mongo.move-nan-zero t_1"}},
		{"the way is upgrade if none is given", `{}`, nanIndex, "4.4.0", "5.0.13", 0, []string{"deletes mongo.move-nan-zero t_1"}},
		{"restore into data loss", `{}`, nanIndex, "4.4.0", "5.0.13", moves.DumpRestore, []string{"deletes mongo.move-nan-zero t_1"}},
		{"a restore that is refused", `{}`, nanIndex, "4.4.0", "8.0.0", moves.DumpRestore, []string{"keeps mongo.move-refused t_1"}},
		{"68 years", `{}`, nanIndex, "4.4.0", "8.0.0", moves.Upgrade, []string{"deletes mongo.move-68-years t_1"}},
		{"the rapid releases lose data too", `{}`, nanIndex, "4.4.0", "5.1.0", moves.Upgrade, []string{"deletes mongo.move-nan-zero t_1"}},
		{"a collection that was capped to no effect", capped, ordinary, "4.4.0", "7.1.0", moves.Upgrade, []string{"deletes mongo.capped t_1"}},
		{"one that becomes unspecified", capped, ordinary, "4.4.0", "6.0.25", moves.Upgrade, []string{"unspecified mongo.capped-unspecified t_1"}},
		{"one that is idle for another reason", `{"timeseries":{"timeField":"t"}}`, `{"key":{"u":1},"name":"u_1","expireAfterSeconds":1}`, "6.0.0", "7.0.0", moves.Upgrade, nil},
		{"one that becomes idle", capped, ordinary, "7.1.0", "4.4.0", moves.Upgrade, []string{"keeps mongo.capped t_1"}},
		{"one that becomes unspecified from deleting", capped, ordinary, "7.1.0", "6.0.25", moves.Upgrade, []string{"unspecified mongo.capped-unspecified t_1"}},
		{"extended range, mended", strings.Replace(series, `}}`, `},"requiresExtendedRangeSupport":true}`, 1), ``, "8.0.4", "8.1.0", moves.Upgrade, []string{"deletes mongo.timeseries-extended-range"}},
		{"time-series unknown", series, ``, "5.0.0", "4.4.0", moves.Upgrade, []string{"unspecified mongo.move-unspecified"}},
		{"time-series as ever", series, ``, "5.0.0", "8.0.0", moves.Upgrade, nil},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			target := described(t, tt.options, tt.indexes)
			o := Options{Options: on(t, tt.from, tt.to).Options, By: tt.by}
			r := audited(t, target, o)
			r.Findings = only(r.Findings, " to MongoDB "+tt.to+": ")
			checkFindings(t, r, tt.want...)
		})
	}
}

// only returns the findings whose text contains a phrase.
func only(all []Finding, text string) (some []Finding) {
	for _, f := range all {
		if strings.Contains(f.Text, text) {
			some = append(some, f)
		}
	}
	return some
}

// TestMovesCount: the audit counts the documents that a move loses.
func TestMovesCount(t *testing.T) {
	const future = `{"_id":9,"t":{"$date":"2030-01-01T00:00:00Z"}}` + "\n"
	tests := []struct {
		why, options, indexes, from, to string
		rule, text                      string
		lost                            int64
	}{
		{"NaN", `{}`, nanIndex, "4.4.0", "5.0.9", "mongo.move-nan-zero", "Upgrade to MongoDB 5.0.9: ", 2},
		{"NaN arrives", `{}`, nanIndex, "4.4.0", "5.0.9", "mongo.move-nan-zero", "Here expireAfterSeconds arrives as NaN. Of 4 documents here, 2 have expired there and not here.", 2},
		{"68 years", `{}`, nanIndex, "4.4.0", "8.0.0", "mongo.move-68-years", "arrives as NaN, and becomes 2147483647. Of 4 documents here, 1 has expired there and not here.", 1},
		{"what had expired before is not lost", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":{"$numberLong":"2147483648"}}`, "6.0.0", "8.0.0", "mongo.move-68-years", "Of 4 documents here, none has expired there and not here.", 0},
		{"a capped collection", `{"capped":true}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":60}`, "4.4.0", "8.0.0", "mongo.capped", "Of 4 documents here, 2 have expired there and not here.", 2},
	}
	for _, tt := range tests {
		target := with(t, described(t, tt.options, tt.indexes), dated+old+text+future)
		r := audited(t, target, Options{Options: on(t, tt.from, tt.to).Options, By: moves.Upgrade})
		for _, f := range only(r.Findings, " to MongoDB "+tt.to+": ") {
			if f.Rule.ID() != tt.rule || !strings.Contains(f.Text, tt.text) || f.Documents != tt.lost {
				t.Errorf("%s: %s, %q, %d documents; want %s, %q, %d", tt.why, f.Rule, f.Text, f.Documents, tt.rule, tt.text, tt.lost)
			}
		}
	}
}

// TestMovesToSeveral: a change that is the same at several destinations is reported once.
// For an upgrade, the changes by releases on the way are reported too. The expected
// findings were worked out by hand from the tables of TestMoves and from the rules of
// moves.
func TestMovesToSeveral(t *testing.T) {
	const (
		ordinary = `{"key":{"t":1},"name":"t_1","expireAfterSeconds":3600}`
		capped   = `{"capped":true,"size":4096}`
		null     = `{"key":{"t":1},"name":"t_1","expireAfterSeconds":60,"partialFilterExpression":{"a":null}}`
	)
	for _, tt := range []struct {
		why, options, indexes, from string
		to                          []string
		by                          moves.Operation
		want                        []string // the rule and the beginning of the text
	}{
		{"nothing anywhere", `{}`, ordinary, "4.4.0", []string{"5.0.9", "7.0.0", "9.0.0"}, 0, nil},
		{"restores, each from here", `{}`, nanIndex, "4.4.0", []string{"5.0.9", "5.0.13", "8.0.0"}, moves.DumpRestore, []string{
			"mongo.move-nan-zero Restore to MongoDB 5.0.9 and 5.0.13: ", "mongo.move-refused Restore to MongoDB 8.0.0: "}},
		{"an upgrade through data loss, which is over when the option is replaced", `{}`, nanIndex, "4.4.0", []string{"5.0.9", "6.0.1", "7.0.0", "8.0.0"}, 0, []string{
			"mongo.move-nan-zero Upgrade to MongoDB 5.0.9 and 6.0.1: ", "mongo.move-68-years Upgrade to MongoDB 7.0.0 and 8.0.0: ", "mongo.move-sleeps Upgrade from MongoDB 6.0.1 to 7.0.0: "}},
		{"a NaN that is replaced on the way is one no more", `{}`, nanIndex, "4.4.0", []string{"8.0.0", "5.0.9"}, moves.Upgrade, []string{
			"mongo.move-68-years Upgrade to MongoDB 8.0.0: ", "mongo.move-nan-zero Upgrade to MongoDB 5.0.9: ",
			"mongo.move-nan-zero The way to MongoDB 8.0.0 and 5.0.9 leads through 6.0.0 to 6.0.1: "}},
		{"a filter that takes in fewer since 8.0, and as many again after the way back", `{}`, null, "7.0.0", []string{"8.0.0", "7.0.9"}, moves.Upgrade, []string{
			"mongo.move-filter-fewer Upgrade to MongoDB 8.0.0: ", "mongo.move-filter-more Downgrade from MongoDB 8.0.0 to 7.0.9: "}},
		{"the same by restores, which do not follow each other", `{}`, null, "7.0.0", []string{"8.0.0", "7.0.9"}, moves.DumpRestore, []string{
			"mongo.move-filter-fewer Restore to MongoDB 8.0.0: "}},
		{"a capped collection, in three ways", capped, ordinary, "4.4.0", []string{"6.0.25", "7.0.25", "7.1.0", "8.0.0"}, 0, []string{
			"mongo.capped-unspecified Upgrade to MongoDB 6.0.25 and 7.0.25: ", "mongo.capped Upgrade to MongoDB 7.1.0 and 8.0.0: ", "mongo.capped-unspecified Upgrade from MongoDB 7.0.25 to 7.1.0: "}},
	} {
		o := Options{Options: on(t, tt.from, tt.to...).Options, By: tt.by}
		r := audited(t, described(t, tt.options, tt.indexes), o)
		var got []string
		for i := range r.Findings {
			if f := &r.Findings[i]; len(f.MovingTo()) > 0 {
				begin, _, _ := strings.Cut(f.Text, ": ")
				got = append(got, f.Rule.ID()+" "+begin+": ")
			}
		}
		slices.Sort(got)
		slices.Sort(tt.want)
		if diff := gocmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: the findings differ (-want +got):\n%s", tt.why, diff)
		}
	}
}

// TestPropertySeveralMoves: an audit for several destinations reports every finding of
// the audits for single destinations, with the same counts of documents. Any other
// finding is about a release on the way.
func TestPropertySeveralMoves(t *testing.T) {
	releases := []string{"3.4.0", "4.0.0", "4.4.0", "5.0.9", "5.0.14", "5.1.0", "6.0.1", "6.0.25", "7.0.0", "7.1.0", "8.0.4", "8.2.0", "9.0.0"}
	options := []string{`{}`, `{}`, `{"capped":true,"size":4096}`, `{"timeseries":{"timeField":"t"},"expireAfterSeconds":60}`}
	indexes := []string{nanIndex, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":{"$numberLong":"2147483648"}}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":-1}`,
		`{"key":{"t":1},"name":"t_1","expireAfterSeconds":60,"partialFilterExpression":{"a.b":null}}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":60,"partialFilterExpression":{"a":{"$type":4}}}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":60}`}
	const lines = `{"_id":1,"t":{"$date":"2001-01-01T00:00:00Z"},"a":[[1]]}` + "\n" + `{"_id":2,"t":{"$date":"1900-01-01T00:00:00Z"},"a":{"b":null}}` + "\n" + `{"_id":3,"t":{"$date":"2030-01-01T00:00:00Z"},"a":[]}` + "\n"
	rapid.Check(t, func(rt *rapid.T) {
		target := with(t, described(t, rapid.SampledFrom(options).Draw(rt, "options"), rapid.SampledFrom(indexes).Draw(rt, "index")), lines)
		o := on(t, rapid.SampledFrom(releases).Draw(rt, "from"))
		o.By = rapid.SampledFrom([]moves.Operation{0, moves.Upgrade, moves.InitialSync, moves.DumpRestore}).Draw(rt, "by")
		tells := func(to ...mongo.Version) map[string][]string { // returns the findings by destination
			o.MovingTo = to
			r, err := auditOne(t, target, o)
			if err != nil {
				rt.Skip(err)
			}
			told := map[string][]string{}
			for i := range r.Findings {
				f := &r.Findings[i]
				_, text, _ := strings.Cut(f.Text, ": ")
				for j, to := range f.MovingTo() {
					if f.passage.isOnTheWay {
						to += " from " + f.moves[j].From.Release.String()
					}
					told[to] = append(told[to], fmt.Sprint(f.Severity, f.Rule, f.Documents, text, len(f.Repairs)))
				}
			}
			return told
		}
		list := rapid.SliceOfNDistinct(rapid.SampledFrom(releases), 1, 4, rapid.ID).Draw(rt, "to")
		var to []mongo.Version
		for _, text := range list {
			to = append(to, version(t, text))
		}
		together := tells(to...)
		for _, v := range to {
			if alone := tells(v)[v.String()]; !slices.Equal(alone, together[v.String()]) {
				rt.Fatalf("to %s beside %v: %q, want %q", v, list, together[v.String()], alone)
			}
		}
		isWay := o.By == 0 || o.By == moves.Upgrade
		for name := range together {
			if strings.Contains(name, " from ") && !isWay {
				rt.Fatalf("by %s there is no way over others, and %s tells of one", o.By, name)
			}
		}
	})
}

// TestMovesOnTheWay: an upgrade is judged by each line of releases between the present one and
// the destination, and the finding says which releases lose documents and which to use. The
// releases that read NaN as 0 are those of docs/problems/nan-after-upgrade.md.
func TestMovesOnTheWay(t *testing.T) {
	const (
		ordinary = `{"key":{"t":1},"name":"t_1","expireAfterSeconds":3600}`
		capped   = `{"capped":true,"size":4096}`
	)
	for _, tt := range []struct {
		why, options, indexes, from string
		to                          []string
		by                          moves.Operation
		want                        []string // the severity, the rule, the first words and the advice
	}{
		{"NaN to 7.0", `{}`, nanIndex, "4.4.29", []string{"7.0.5"}, 0, []string{
			"deletes mongo.move-nan-zero The way to MongoDB 7.0.5 leads through 5.0.0 to 5.0.13 and 6.0.0 to 6.0.1: On the way use 5.0.14 or later and 6.0.2 or later."}},
		{"NaN to 6.0", `{}`, nanIndex, "4.4.29", []string{"6.0.20"}, moves.Upgrade, []string{
			"deletes mongo.move-nan-zero The way to MongoDB 6.0.20 leads through 5.0.0 to 5.0.13: On the way use 5.0.14 or later."}},
		{"NaN from 3.6, where a pass fails up to 4.4.15", `{}`, nanIndex, "3.6.23", []string{"8.0.4"}, 0, []string{
			"deletes mongo.move-nan-zero The way to MongoDB 8.0.4 leads through 5.0.0 to 5.0.13 and 6.0.0 to 6.0.1: On the way use 5.0.14 or later and 6.0.2 or later."}},
		{"a stop in 5.0 that the user names is not judged again", `{}`, nanIndex, "4.4.29", []string{"5.0.31", "7.0.5"}, 0, []string{
			"deletes mongo.move-nan-zero The way to MongoDB 5.0.31 and 7.0.5 leads through 6.0.0 to 6.0.1: On the way use 6.0.2 or later."}},
		{"every stop is named", `{}`, nanIndex, "4.4.29", []string{"5.0.31", "6.0.20", "7.0.5"}, 0, nil},
		{"the next line", `{}`, nanIndex, "4.4.29", []string{"5.0.31"}, 0, nil},
		{"the destination loses all too", `{}`, nanIndex, "4.4.29", []string{"6.0.1"}, 0, nil},
		{"an initial sync goes there at once", `{}`, nanIndex, "4.4.29", []string{"7.0.5"}, moves.InitialSync, nil},
		{"a downgrade", `{}`, nanIndex, "7.0.5", []string{"4.4.29"}, 0, nil},
		{"an ordinary index", `{}`, ordinary, "3.6.23", []string{"9.0.0"}, 0, nil},
		{"a capped collection", capped, ordinary, "4.4.29", []string{"7.1.0"}, 0, []string{
			"unspecified mongo.capped-unspecified The way to MongoDB 7.1.0 leads through 6.0.25 or later and 7.0.25 or later: On the way use 6.0.0 to 6.0.24 and 7.0.0 to 7.0.24."}},
	} {
		var got []string
		for _, f := range only(audited(t, described(t, tt.options, tt.indexes), Options{Options: on(t, tt.from, tt.to...).Options, By: tt.by}).Findings, "The way to ") {
			begin, _, _ := strings.Cut(f.Text, ": ")
			got = append(got, fmt.Sprintf("%s %s %s: %s", f.Severity, f.Rule.ID(), begin, f.Advice))
		}
		if diff := gocmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: the findings differ (-want +got):\n%s", tt.why, diff)
		}
	}
}

// TestMovesInOrder: what loses every document comes first, then what loses documents older
// than 68 years, then what keeps documents; and the text says which is which. A repair is
// printed once.
func TestMovesInOrder(t *testing.T) {
	r := audited(t, described(t, `{}`, nanIndex), on(t, "4.4.29", "7.0.5"))
	var got []string
	for _, f := range r.Findings {
		got = append(got, f.Severity.String()+" "+f.Rule.ID()+" "+f.phrase())
	}
	want := []string{"deletes mongo.move-nan-zero deletes every document whose date is past", "deletes mongo.move-68-years deletes documents older than 68 years", "keeps mongo.nan-skipped keeps what should go"}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("the findings differ (-want +got):\n%s", diff)
	}
	var out strings.Builder
	report := Report{Now: now, Results: []Result{r}}
	if err := report.Text(&cli.Printer{W: &out, Width: 80}); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if n := strings.Count(text, "dropIndexes"); n != 1 || strings.Count(text, "The repair is that of mongo.move-nan-zero above.") != 2 {
		t.Errorf("the repair is printed %d times, want once:\n%s", n, text)
	}
}

// TestUnlistable: an upgrade in place to 5.0 or later brings options there that its
// listIndexes cannot read.
func TestUnlistable(t *testing.T) {
	for _, tt := range []struct {
		index, from, to string
		by              moves.Operation
		want            string // words of the finding; empty for none
	}{
		{`{"key":{"t":1},"name":"t_1","expireAfterSeconds":"60"}`, "4.4.0", "5.0.0", 0, "it cannot read expireAfterSeconds: \"60\" of t_1"},
		{`{"key":{"t":1},"name":"t_1","expireAfterSeconds":"60"}`, "4.4.0", "7.0.5", 0, "error 5254501"},
		{`{"key":{"t":1},"name":"t_1","expireAfterSeconds":true}`, "4.4.0", "5.0.0", 0, "expireAfterSeconds: true"},
		{`{"key":{"t":1},"name":"t_1","sparse":"x"}`, "4.4.0", "5.0.0", 0, "it cannot read sparse"},
		{`{"key":{"t":1},"name":"t_1","expireAfterSeconds":60,"unique":{}}`, "4.2.0", "5.0.0", 0, "it cannot read unique"},
		{`{"key":{"t":1},"name":"t_1","expireAfterSeconds":60.5,"sparse":1,"unique":true}`, "4.4.0", "5.0.0", 0, ""},
		{`{"key":{"t":1},"name":"t_1","expireAfterSeconds":null}`, "4.4.0", "5.0.0", 0, ""},
		{`{"key":{"t":1},"name":"t_1","expireAfterSeconds":"60"}`, "4.2.0", "4.4.0", 0, ""},
		{`{"key":{"t":1},"name":"t_1","expireAfterSeconds":"60"}`, "4.4.0", "5.0.0", moves.DumpRestore, ""},
		{`{"key":{"t":1},"name":"t_1","expireAfterSeconds":"60"}`, "5.0.0", "6.0.0", 0, ""},
	} {
		r := audited(t, described(t, `{}`, tt.index), Options{Options: on(t, tt.from, tt.to).Options, By: tt.by})
		got := only(r.Findings, "5254501")
		if len(got) > 1 || (len(got) == 1) != (tt.want != "") || tt.want != "" && (!strings.Contains(got[0].Text, tt.want) || got[0].Severity != Keeps) {
			t.Errorf("%s from %s to %s: %+v, want %q", tt.index, tt.from, tt.to, got, tt.want)
		}
	}
}
