package audit

import (
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

// TestRepairsKeepCollation: a repair that creates an index again keeps the index's
// collation, whether or not a listing shows the collation, and whether or not it is the
// collection's default.
func TestRepairsKeepCollation(t *testing.T) {
	const german, simple = `,"collation":{"locale":"de","strength":2}`, `,"collation":{"locale":"simple"}`
	options := map[string]string{"none": `{}`, "german": `{` + german[1:] + `}`, "simple": `{` + simple[1:] + `}`}
	tests := []struct {
		release, collection, index string
		want                       string // what follows the key and the name in the command
	}{
		{"4.4.0", "none", ``, ``},
		{fixture.Latest, "none", simple, ``},
		{fixture.Latest, "simple", simple, ``},
		{"4.4.0", "none", german, `, collation: {locale: "de", strength: 2}`},
		{"4.4.0", "german", german, `, collation: {locale: "de", strength: 2}`},
		{"4.4.0", "german", ``, `, collation: {locale: "simple"}`},
		{fixture.Latest, "german", simple, `, collation: {locale: "simple"}`},
	}
	for _, tt := range tests {
		index := `{"key":{"t":1},"name":"t_1","expireAfterSeconds":{"$numberDouble":"NaN"}` + tt.index + `}`
		r := audited(t, described(t, options[tt.collection], index), on(t, tt.release))
		got := r.Findings[0].Repairs[0].Commands[1]
		if want := `{createIndexes: "logs", indexes: [{key: {t: 1}, name: "t_1"` + tt.want + `}]})`; !strings.HasSuffix(got, want) {
			t.Errorf("%s, collation of the collection: %s, of the index: %q: %s, want %s", tt.release, tt.collection, tt.index, got, want)
		}
	}
}

// TestSimpleCollationIsNone: the simple collation that 9.0 lists means the same as no
// collation in a listing of 8.3.
func TestSimpleCollationIsNone(t *testing.T) {
	const series = `{"timeseries":{"timeField":"t","metaField":"m"}}`
	const filter = `,"partialFilterExpression":{"m":{"$gt":"a"}}`
	for _, tt := range []struct{ options, more string }{{`{}`, ``}, {`{}`, filter}, {series, filter}} {
		index := `{"key":{"t":1},"name":"t_1","expireAfterSeconds":60` + tt.more
		for _, listed := range []string{index + `}`, index + `,"collation":{"locale":"simple"}}`} {
			checkFindings(t, audited(t, described(t, tt.options, listed), on(t, fixture.Latest)))
		}
	}
}

// TestNoteOfListedCollation: an audit for 9.0 has a note about listed collations, if the
// collection has a TTL index.
func TestNoteOfListedCollation(t *testing.T) {
	const ordinary = `{"key":{"t":1},"name":"t_1","expireAfterSeconds":60}`
	tests := []struct {
		options, indexes, release, to string
		want                          bool
	}{
		{`{}`, ordinary, fixture.Latest, "", true},
		{`{}`, ordinary, "8.0.4", fixture.Latest, true},
		{`{}`, ordinary, "9.0.0", "8.3.0", true},
		{`{}`, ordinary, "8.3.17", "", false},
		{`{}`, ordinary, "7.0.4", "8.0.4", false},
		{`{}`, ordinary, "", "", false}, // no release is named, so the newest is only assumed
		{`{}`, `{"key":{"t":1},"name":"t_1"}`, fixture.Latest, "", false},
		{`{"timeseries":{"timeField":"t"},"expireAfterSeconds":60}`, ``, fixture.Latest, "", false},
	}
	for _, tt := range tests {
		r := audited(t, described(t, tt.options, tt.indexes), on(t, tt.release, tt.to))
		got := slices.ContainsFunc(r.Notes, func(note string) bool { return strings.Contains(note, "mongo.index-collation-listed") })
		if got != tt.want {
			t.Errorf("%s to %q, %s: notes %q, want one: %v", tt.release, tt.to, tt.indexes, r.Notes, tt.want)
		}
	}
}
