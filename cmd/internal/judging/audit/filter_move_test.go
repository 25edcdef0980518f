package audit

import (
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/moves"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// filtered returns an index on t with a delay of an hour and this partial
// filter.
func filtered(filter string) string {
	return `{"key":{"t":1},"name":"t_1","expireAfterSeconds":3600,"partialFilterExpression":` + filter + `}`
}

// TestMovesOfFilters: another release interprets the filter differently, and the finding
// counts the affected documents.
func TestMovesOfFilters(t *testing.T) {
	const (
		past   = `,"t":{"$date":"2020-01-01T00:00:00Z"}}` + "\n"
		future = `,"t":{"$date":"2030-01-01T00:00:00Z"}}` + "\n"
		// The field a in documents 1 to 6 is undefined with a future date, with a past
		// date and without a date; null; missing; 1. Documents 4 to 6 have a past date.
		undefined = `{"_id":1,"a":{"$undefined":true}` + future + `{"_id":2,"a":{"$undefined":true}` + past + `{"_id":3,"a":{"$undefined":true}}` + "\n" +
			`{"_id":4,"a":null` + past + `{"_id":5` + past + `{"_id":6,"a":1` + past
		// The field a in documents 1 to 7 is an empty array; an array of scalars; an
		// array with an array and a subdocument; missing; an array with an empty
		// subdocument; an array with a subdocument with b; a subdocument with a null b.
		// Documents 2 and 7 have a future date, the others a past date.
		broken = `{"_id":1,"a":[]` + past + `{"_id":2,"a":["x"]` + future + `{"_id":3,"a":[[],{"b":1}]` + past + `{"_id":4` + past +
			`{"_id":5,"a":[{}]` + past + `{"_id":6,"a":[{"b":1}]` + past + `{"_id":7,"a":{"b":null}` + future
		arrays = `{"_id":1,"a":[]` + past + `{"_id":2,"a":[1]` + past + `{"_id":3,"a":[[]]` + past
	)
	tests := []struct {
		why, filter, from, to string
		by                    moves.Operation
		documents             string
		want, text, advice    string
		concerned             int64
		samples               []string
	}{
		{"a downgrade takes in undefined", `{"a":null}`, "8.0.4", "7.0.5", 0, undefined,
			"deletes mongo.move-filter-more t_1", `: the partial filter {a: null} takes in documents there that it leaves out here. Releases differ in what null, the extreme keys and $type: "array" take in. The index is taken over as it is stored: it holds a document, which then expires, once that is written there or the index is built anew, by an initial sync or a restore for instance. Of 6 documents here, 2 expire there and never here; 1 of them is past its deadline.`,
			"", 2, []string{`{"$numberInt":"2"}`}},
		{"so does an initial sync, at once", `{"a":null}`, "8.0.4", "7.0.5", moves.InitialSync, undefined,
			"deletes mongo.move-filter-more t_1", `An initial sync builds the index anew, so that it holds them from the start. Of 6`, "", 2, []string{`{"$numberInt":"2"}`}},
		{"and a restore", `{"a":null}`, "8.0.4", "7.0.5", moves.DumpRestore, undefined,
			"deletes mongo.move-filter-more t_1", `A restore builds the index anew, so that it holds them from the start. Of 6`, "", 2, []string{`{"$numberInt":"2"}`}},
		{"without a look at documents", `{"a":null}`, "8.0.4", "7.0.5", 0, ``,
			"deletes mongo.move-filter-more t_1", `by an initial sync or a restore for instance.`, "", 0, nil},
		{"with none that is concerned", `{"a":null}`, "8.0.4", "7.0.5", 0, `{"_id":5` + past + `{"_id":6,"a":1` + past,
			"deletes mongo.move-filter-more t_1", `None of 2 documents here is concerned.`, "", 0, nil},
		{"with none that is past", `{"a":null}`, "8.0.4", "7.0.5", 0, `{"_id":1,"a":{"$undefined":true}` + future,
			"deletes mongo.move-filter-more t_1", `Of 1 document here, 1 expires there and never here; none of them is past its deadline yet.`, "", 1, []string{`{"$numberInt":"1"}`}},
		{"an upgrade to 9.0 takes in what an array breaks off", `{"a.b":null}`, "8.0.4", "9.0.0", 0, broken,
			"deletes mongo.move-filter-more t_1", `: the partial filter {"a.b": null} takes in documents there that it leaves out here. From 9.0 on null at a dotted path counts also where an array breaks the path off: one that is empty, or holds scalars or arrays (rule mongo.filter-null-path). The index is taken over as it is stored: it holds a document, which then expires, once that is written there or the index is built anew, by an initial sync or a restore for instance. Of 7 documents here, 3 expire there and never here; 2 of them are past their deadline.`,
			"documents without the field then stay.", 3, []string{`{"$numberInt":"1"}`, `{"$numberInt":"3"}`}},
		{"so does a member of 9.0, at once", `{"a.b":null}`, "8.3.13", "9.0.0", moves.InitialSync, broken,
			"deletes mongo.move-filter-more t_1", `An initial sync builds the index anew, so that it holds them from the start. Of 7 documents here, 3 expire there`, "documents without the field then stay.", 3, []string{`{"$numberInt":"1"}`, `{"$numberInt":"3"}`}},
		{"$in takes in as much", `{"a.b":{"$in":[1,null]}}`, "8.0.4", "9.0.0", 0, `{"_id":1,"a":[]` + past,
			"deletes mongo.move-filter-more t_1", `Of 1 document here, 1 expires there and never here; 1 of them is past its deadline.`, "documents without the field then stay.", 1, []string{`{"$numberInt":"1"}`}},
		{"a downgrade from 9.0 leaves it out again", `{"a.b":null}`, "9.0.0", "8.3.13", 0, broken,
			"keeps mongo.move-filter-fewer t_1", `Of 7 documents here, 3 expire here and not there.`, "", 3, []string{`{"$numberInt":"1"}`, `{"$numberInt":"2"}`, `{"$numberInt":"3"}`}},
		{"what the least key takes in is unspecified", `{"a.b":{"$gte":{"$minKey":1}}}`, "8.0.4", "9.0.0", 0, broken,
			"unspecified mongo.move-filter-unspecified t_1", `Of 7 documents here, that is so for 2.`, "", 2, []string{`{"$numberInt":"1"}`, `{"$numberInt":"2"}`}},
		{"a type in an array", `{"a":{"$type":4}}`, "3.4.0", "3.6.0", 0, arrays,
			"deletes mongo.move-filter-more t_1", `Of 3 documents here, 2 expire there and never here; 2 of them are past their deadline.`, "", 2, []string{`{"$numberInt":"1"}`, `{"$numberInt":"2"}`}},
		{"an upgrade leaves undefined out", `{"a":null}`, "7.0.5", "8.0.4", 0, undefined,
			"keeps mongo.move-filter-fewer t_1", `Of 6 documents here, 2 expire here and not there.`, "", 2, []string{`{"$numberInt":"1"}`, `{"$numberInt":"2"}`}},
		{"beyond the greatest key lay all others", `{"a":{"$gt":{"$maxKey":1}}}`, "8.0.4", "3.6.0", moves.Downgrade, `{"_id":6,"a":1` + past,
			"deletes mongo.move-filter-more t_1", `Of 1 document here, 1 expires there and never here; 1 of them is past its deadline.`, "", 1, []string{`{"$numberInt":"6"}`}},
		{"what cannot be there", `{"a":{"$in":[1]}}`, "6.0.0", "5.0.0", moves.Downgrade, `{"_id":6,"a":1` + past,
			"unspecified mongo.move-filter-unspecified t_1", `Here the filter is {a: {$in: [1]}}.`, "", 0, nil},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			target := with(t, described(t, `{}`, filtered(tt.filter)), tt.documents)
			r := audited(t, target, Options{Options: on(t, tt.from, tt.to).Options, By: tt.by})
			r.Findings = only(r.Findings, " to MongoDB "+tt.to+": ")
			checkFindings(t, r, tt.want)
			f := r.Findings[0]
			var samples []string
			for _, s := range f.Samples {
				samples = append(samples, string(s.ID))
			}
			if !strings.Contains(f.Text, tt.text) || !strings.HasSuffix(f.Advice, tt.advice) || (f.Advice == "") != (tt.advice == "") || f.Documents != tt.concerned || !slices.Equal(samples, tt.samples) {
				t.Errorf("%q, %q, %d documents, samples %q; want %q, %q, %d, %q", f.Text, f.Advice, f.Documents, samples, tt.text, tt.advice, tt.concerned, tt.samples)
			}
		})
	}
}

// TestMovesOfSeries: for a filter on the metadata of a time-series collection, the
// finding counts measurements and stored buckets.
func TestMovesOfSeries(t *testing.T) {
	const old = `{"$date":"2020-01-01T00:00:00Z"}`
	target := with(t, described(t, `{"timeseries":{"timeField":"t","metaField":"m","granularity":"seconds"}}`, filtered(`{"m.k":null}`)),
		`{"_id":1,"t":`+old+`,"m":[]}`+"\n"+`{"_id":2,"t":`+old+`,"m":{"k":1}}`+"\n"+`{"_id":3,"t":`+old+`}`+"\n"+
			`{"_id":{"$oid":"5e0be1000000000000000000"},"control":{"version":1,"min":{"t":`+old+`},"max":{"t":`+old+`}},"meta":[1],"data":{}}`)
	r := audited(t, target, on(t, "8.0.4", "9.0.0"))
	checkFindings(t, r, "deletes mongo.move-filter-more t_1")
	if f := r.Findings[0]; f.Documents != 2 || len(f.Repairs) != 2 {
		t.Errorf("%d documents, %d repairs, want 2 and 2", f.Documents, len(f.Repairs))
	}
}

// TestFilterRepairs: the repairs keep the documents that the filter matches only at the
// destination.
func TestFilterRepairs(t *testing.T) {
	const shop = `db.getSiblingDB("shop").runCommand(`
	keeping := func(filter string) []string {
		return []string{"keep every document", `{dropIndexes: "logs", index: "t_1"})`, `{createIndexes: "logs", indexes: [{key: {t: 1}, name: "t_1", partialFilterExpression: ` + filter + `}]})`}
	}
	parameter := []string{"have null read as before, start every server of MongoDB 9.0.0 with", "mongod --setParameter internalQueryLegacyDottedPathNullSemantics=true"}
	tests := []struct {
		why, filter, from, to string
		want                  []string
	}{
		{"null on a dotted path", `{"a.b":null}`, "8.0.4", "9.0.0", slices.Concat(parameter, keeping(`{"a.b": null}`))},
		{"beside null on another path", `{"c":null,"a.b":null}`, "8.0.4", "9.0.0", slices.Concat(parameter, keeping(`{c: null, "a.b": null}`))},
		{"null in $in", `{"a.b":{"$in":[null]}}`, "8.0.4", "9.0.0", slices.Concat(parameter, keeping(`{"a.b": {$in: [null]}}`))},
		{"from where null also is undefined", `{"a.b":null}`, "7.0.5", "9.0.0", slices.Concat(parameter, keeping(`{"a.b": null}`))},
		{"null", `{"a":null}`, "8.0.4", "7.0.5", keeping(`{a: null}`)},
		{"with other clauses", `{"k":"guest","a.b":{"$lte":null}}`, "8.0.4", "7.0.5", keeping(`{k: "guest", "a.b": {$lte: null}}`)},
		{"$in", `{"a":{"$in":[1,null]}}`, "8.0.4", "7.0.5", keeping(`{a: {$in: [1, null]}}`)},
		{"no null", `{"a":{"$type":4}}`, "3.4.0", "3.6.0", keeping(`{a: {$type: 4}}`)},
		{"fewer", `{"a":null}`, "7.0.5", "8.0.4", nil},
	}
	for _, tt := range tests {
		r := audited(t, described(t, `{}`, filtered(tt.filter)), on(t, tt.from, tt.to))
		var got []string
		for _, repair := range r.Findings[0].Repairs {
			got = append(got, repair.Purpose)
			for _, c := range repair.Commands {
				got = append(got, strings.TrimPrefix(c, shop))
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: repairs\n  %s\nwant\n  %s", tt.why, strings.Join(got, "\n  "), strings.Join(tt.want, "\n  "))
		}
	}
}

// TestParameters: a server parameter set at the destination keeps the documents that the
// filter would match only there. A parameter that neither release has is an error.
func TestParameters(t *testing.T) {
	set := policy.D{{Key: behaviour.LegacyNullParameter, Value: policy.BoolValue(true)}}
	more := func(o Options) int {
		r := audited(t, described(t, `{}`, filtered(`{"a.b":null}`)), o)
		return len(only(r.Findings, " to MongoDB 9.0.0: "))
	}
	o := on(t, "8.0.4", "9.0.0")
	if got := more(o); got != 1 {
		t.Fatalf("%d findings about the move to 9.0.0, want 1", got)
	}
	o.Parameters = set
	if got := more(o); got != 0 {
		t.Errorf("%d findings about the move with the parameter set, want none", got)
	}
	for _, o := range []Options{on(t, "8.0.4"), on(t, "8.0.4", "8.3.1")} {
		o.Parameters = set
		if _, err := auditOne(t, described(t, `{}`, filtered(`{"a.b":null}`)), o); cli.ExitCodeOf(err) != cli.ExitUsage {
			t.Errorf("a parameter that %s does not have: %v, want a usage error", o.Release, err)
		}
	}
	containers := read(t, `{"id":"c","defaultTtl":5}`)
	if _, err := auditOne(t, containers[0], Options{Options: catalog.Options{Parameters: set}}); cli.ExitCodeOf(err) != cli.ExitUsage {
		t.Errorf("a server parameter of a container: %v, want a usage error", err)
	}
}
