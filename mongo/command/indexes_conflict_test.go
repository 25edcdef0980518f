package command

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestCreateIndexesConflict(t *testing.T) {
	const (
		ten      = `[{"key":{"a":1},"name":"a_1","expireAfterSeconds":10}]`
		plain    = `[{"key":{"a":1},"name":"a_1"}]`
		hidden   = `[{"key":{"a":1},"name":"a_1","expireAfterSeconds":10,"hidden":true}]`
		filtered = `[{"key":{"a":1},"name":"a_1","expireAfterSeconds":10,"partialFilterExpression":{"b":1,"c":{"$gt":5}}}]`
		french   = `[{"key":{"a":1},"name":"a_1","expireAfterSeconds":10,"collation":{"locale":"fr"}}]`
		full     = `[{"key":{"a":1},"name":"a_1","expireAfterSeconds":10,"collation":{"locale":"fr","caseLevel":false,"caseFirst":"off","strength":3,"numericOrdering":false,"alternate":"non-ignorable","maxVariable":"punct","normalization":false,"backwards":false,"version":"57.1"}}]`
		known    = "3.0.15 3.4.24 4.0.28 4.2.0 4.4.29 5.0.0 8.2.4"
		strict   = "4.2.0 4.4.29 5.0.0 8.2.4"
		before   = "3.0.15 3.4.24 4.4.29"
		since    = "5.0.0 6.0.1 8.2.4"
	)
	var (
		clash       = "85 " + rules.IndexConflict.ID()
		unspecified = "unspecified " + rules.IndexConflictUnspecified.ID()
	)
	a := func(more string) string { return `{"key":{"a":1}` + more + `}` }
	checkIndexes(t, []indexVector{
		{"the same", known, "", ten, a(`,"expireAfterSeconds":10`), "exists"},
		{"the same number of another type", known, "", ten, a(`,"expireAfterSeconds":{"$numberDouble":"10.0"}`), "exists"},
		{"the same whole seconds, stored as such", "7.3.0 8.2.4", "", ten, a(`,"expireAfterSeconds":{"$numberDouble":"10.5"}`), "exists"},
		{"the same whole seconds, stored as given", "5.0.0 7.2.2", "", ten, a(`,"expireAfterSeconds":{"$numberDouble":"10.5"}`), clash},
		{"other seconds", known, "", ten, a(`,"expireAfterSeconds":20`), clash},
		{"no seconds", known, "", ten, a(``), clash},
		{"seconds where there were none", known, "", plain, a(`,"expireAfterSeconds":10`), clash},
		{"other seconds, other name", known, "", ten, a(`,"name":"b","expireAfterSeconds":20`), clash},
		{"other name", strict, "", ten, a(`,"name":"b","expireAfterSeconds":10`), clash},
		{"other name, long ago", "2.6.0 3.0.15 4.0.28", "", ten, a(`,"name":"b","expireAfterSeconds":10`), "exists"},
		{"anything of the name, longer ago", "2.2.0 2.4.14", "", ten, a(`,"expireAfterSeconds":20`), "exists"},
		{"anything of the key, longer ago", "2.2.0 2.4.14", "", ten, a(`,"name":"b","unique":true`), "exists"},
		{"another key of the name, longer ago", "2.2.0 2.4.14", "", ten, `{"key":{"b":1},"name":"a_1"}`, "exists"},
		{"the name of the index on _id, longer ago", "2.2.0 2.4.14", "", "", a(`,"name":"_id_","expireAfterSeconds":20`), "exists"},
		{"the name of the index on _id, since there is a catalog", "2.6.0 3.0.15 3.2.22", "", "", a(`,"name":"_id_","expireAfterSeconds":20`), "86 " + rules.IndexName.ID()},
		{"the name of the index on _id, since fields are looked at", "3.4.0 8.2.4", "", "", a(`,"name":"_id_","expireAfterSeconds":20`), "2 " + rules.IndexName.ID()},
		{"other seconds, since there is a catalog", "2.6.0 2.6.12", "", ten, a(`,"expireAfterSeconds":20`), clash},
		{"another key of the name, since there is a catalog", "2.6.0 2.6.12", "", ten, `{"key":{"b":1},"name":"a_1"}`, "86 " + rules.IndexName.ID()},
		{"the name of another key", known, "", ten, `{"key":{"b":1},"name":"a_1","expireAfterSeconds":10}`, "86 " + rules.IndexName.ID()},
		{"another key", known, "", ten, `{"key":{"b":1},"expireAfterSeconds":20}`, "20"},
		{"another direction", known, "", ten, `{"key":{"a":-1},"expireAfterSeconds":20}`, "20"},
		{"the same direction as a double", known, "", ten, `{"key":{"a":{"$numberDouble":"1.0"}},"name":"a_1","expireAfterSeconds":10}`, "exists"},
		{"hidden did not matter", "4.4.29 7.0.24", "", ten, a(`,"expireAfterSeconds":10,"hidden":true`), "exists"},
		{"nor did its absence", "4.4.29 7.0.24", "", hidden, a(`,"expireAfterSeconds":10`), "exists"},
		{"hidden, between the two", "7.1.0 7.3.4", "", ten, a(`,"expireAfterSeconds":10,"hidden":true`), unspecified},
		{"hidden", "8.0.0 8.2.4", "", ten, a(`,"expireAfterSeconds":10,"hidden":true`), clash},
		{"no longer hidden", "8.0.0 8.2.4", "", hidden, a(`,"expireAfterSeconds":10`), clash},
		{"no longer hidden, in so many words", "8.0.0 8.2.4", "", hidden, a(`,"expireAfterSeconds":10,"hidden":false`), clash},
		{"as hidden as before", "4.4.29 7.3.4 8.0.0 8.2.4", "", hidden, a(`,"expireAfterSeconds":10,"hidden":true`), "exists"},
		{"hidden under another name", "4.4.29 7.3.4 8.2.4", "", ten, a(`,"name":"b","expireAfterSeconds":10,"hidden":true`), clash},
		{"nor does the version", "3.4.24 4.0.28 4.2.0 4.4.29 5.0.0 8.2.4", "", ten, a(`,"expireAfterSeconds":10,"v":2,"background":true`), "exists"},
		{"a collation makes another", "3.4.24 4.4.29 8.2.4", "", ten, a(`,"name":"b","expireAfterSeconds":20,"collation":{"locale":"fr"}`), "20"},
		{"under the same name a conflict of options", "3.4.24 4.0.28 4.2.0 4.4.29", "", ten, a(`,"expireAfterSeconds":10,"collation":{"locale":"fr"}`), clash},
		{"or of names", "5.0.0 8.2.4", "", ten, a(`,"expireAfterSeconds":10,"collation":{"locale":"fr"}`), "86 " + rules.IndexName.ID()},
		{"a collation as listIndexes shows it", "3.4.24 4.4.29 8.2.4", "", full, a(`,"expireAfterSeconds":10,"collation":{"locale":"fr"}`), "exists"},
		{"and with one option that it has anyway", "3.4.24 4.4.29 8.2.4", "", full, a(`,"expireAfterSeconds":10,"collation":{"strength":3,"locale":"fr"}`), "exists"},
		{"and with one that it has not", "3.4.24 4.4.29", "", full, a(`,"expireAfterSeconds":10,"collation":{"locale":"fr","strength":2}`), clash},
		{"a locale with defaults of its own", "3.4.24 8.2.4", "", `[{"key":{"a":1},"name":"a_1","collation":{"locale":"fr_CA","backwards":true}}]`, a(`,"collation":{"locale":"fr_CA"}`), "exists"},
		{"the simple collation is none", "3.4.24 8.2.4", "", ten, a(`,"expireAfterSeconds":10,"collation":{"locale":"simple"}`), "exists"},
		{"unique does not make another", before, "", ten, a(`,"name":"b","expireAfterSeconds":20,"unique":true`), clash},
		{"sparse does not make another", before, "", ten, a(`,"name":"b","expireAfterSeconds":20,"sparse":true`), clash},
		{"a filter does not make another", "3.2.22 4.4.29", "", ten, a(`,"name":"b","expireAfterSeconds":20,"partialFilterExpression":{"z":1}`), clash},
		{"sparse under the same name", before, "", ten, a(`,"expireAfterSeconds":10,"sparse":true`), clash},
		{"a collation like that of another", "3.4.24 4.4.29 8.2.4", "", french, a(`,"name":"b","expireAfterSeconds":20,"collation":{"locale":"fr"}`), clash},
		{"a collation unlike that of another", "3.4.24 4.4.29 8.2.4", "", french, a(`,"name":"b","expireAfterSeconds":20,"collation":{"locale":"de"}`), "20"},
		{"unique makes another", since, "", ten, a(`,"name":"b","expireAfterSeconds":20,"unique":true`), "20"},
		{"sparse makes another", since, "", ten, a(`,"name":"b","expireAfterSeconds":20,"sparse":true`), "20"},
		{"a filter makes another", since, "", ten, a(`,"name":"b","expireAfterSeconds":20,"partialFilterExpression":{"z":1}`), "20"},
		{"a filter needs another name", since, "", ten, a(`,"expireAfterSeconds":20,"partialFilterExpression":{"z":1}`), "86 " + rules.IndexName.ID()},
		{"the order of clauses does not matter", since, "", filtered, a(`,"expireAfterSeconds":10,"partialFilterExpression":{"c":{"$gt":5},"b":{"$eq":{"$numberLong":"1"}}}`), "exists"},
		{"nor does an $and", since, "", filtered, a(`,"expireAfterSeconds":10,"partialFilterExpression":{"$and":[{"c":{"$gt":5}},{"b":1}]}`), "exists"},
		{"another operand does", since, "", filtered, a(`,"expireAfterSeconds":10,"partialFilterExpression":{"c":{"$gt":6},"b":1}`), "86 " + rules.IndexName.ID()},
		{"another operator does", since, "", filtered, a(`,"expireAfterSeconds":10,"partialFilterExpression":{"c":{"$gte":5},"b":1}`), "86 " + rules.IndexName.ID()},
		{"a clustered collection's own key is no index", "8.2.4", `{"clusteredIndex":{"key":{"_id":1},"unique":true}}`,
			`[{"key":{"_id":1},"name":"x","clustered":true}]`, `{"key":{"a":1},"name":"y","expireAfterSeconds":5}`, "5"},
		{"but keeps its name", "5.3.0 8.2.4", `{"clusteredIndex":{"key":{"_id":1},"unique":true}}`,
			`[{"key":{"_id":1},"name":"x","clustered":true}]`, `{"key":{"a":1},"name":"x","expireAfterSeconds":5}`, "6100906 " + rules.IndexClustered.ID()},
		{"the order of clauses mattered", "3.2.22 4.0.28 4.2.0 4.4.29", "", filtered, a(`,"expireAfterSeconds":10,"partialFilterExpression":{"c":{"$gt":5},"b":1}`), clash},
		{"so did $eq", "3.2.22 4.2.0 4.4.29", "", filtered, a(`,"expireAfterSeconds":10,"partialFilterExpression":{"b":{"$eq":1},"c":{"$gt":5}}`), clash},
		{"but not the type of a number", "3.2.22 4.2.0 4.4.29", "", filtered, a(`,"expireAfterSeconds":10,"partialFilterExpression":{"b":{"$numberLong":"1"},"c":{"$gt":5}}`), "exists"},
		{"a type by its name", "5.0.0 8.2.4", "", `[{"key":{"a":1},"name":"a_1","partialFilterExpression":{"b":{"$type":"string"}}}]`, a(`,"partialFilterExpression":{"b":{"$type":2}}`), "exists"},
		{"another type", "5.0.0 8.2.4", "", `[{"key":{"a":1},"name":"a_1","partialFilterExpression":{"b":{"$type":"string"}}}]`, a(`,"partialFilterExpression":{"b":{"$type":3}}`), "86 " + rules.IndexName.ID()},
		{"$in of one", "6.0.0 8.2.4", "", `[{"key":{"a":1},"name":"a_1","partialFilterExpression":{"b":{"$in":[1]}}}]`, a(`,"partialFilterExpression":{"b":1}`), "exists"},
		{"another storage engine's options", "3.2.22 4.2.0 5.0.0 8.2.4", "", plain, a(`,"storageEngine":{"wiredTiger":{}}`), clash},
		{"the same ones", "3.2.22 4.2.0 5.0.0 8.2.4", "", `[{"key":{"a":1},"name":"a_1","storageEngine":{"wiredTiger":{}}}]`, a(`,"storageEngine":{"wiredTiger":{}}`), "exists"},
		{"prepareUnique", "6.0.0 8.2.4", "", plain, a(`,"prepareUnique":true`), clash},
		{"an option of another index type", "3.4.24 4.4.29", "", plain, a(`,"bits":20`), clash},
		{"an unknown option", "2.6.12 3.2.22", "", plain, a(`,"foo":20`), clash},
		{"null is not none", "2.6.12 4.0.28", "", plain, a(`,"expireAfterSeconds":null`), clash},
		{"sparse that is not true", "3.4.24 4.0.28 4.2.0 4.4.29 5.0.0", "", plain, a(`,"sparse":false`), "exists"},
		{"sparse that is a number", "4.2.0 4.4.29 5.0.0", "", `[{"key":{"a":1},"name":"a_1","sparse":true}]`, a(`,"sparse":1`), "exists"},
		{"NaN over what is stored for it", "5.0.14 6.0.2 6.1.0", "", `[{"key":{"a":1},"name":"a_1","expireAfterSeconds":2147483647}]`, a(`,"expireAfterSeconds":{"$numberDouble":"NaN"}`), "exists"},
		{"NaN where it is stored itself", "5.0.0 5.1.0 6.0.1", "", `[{"key":{"a":1},"name":"a_1","expireAfterSeconds":2147483647}]`, a(`,"expireAfterSeconds":{"$numberDouble":"NaN"}`), clash},
		{"a second text index", "2.6.12 4.0.28 8.2.4", "", `[{"key":{"a":"text"},"name":"t"}]`, `{"key":{"b":"text"},"name":"u"}`, "85 " + rules.IndexConflict.ID()},
		{"of the same name", "2.6.12 4.0.28 8.2.4", "", `[{"key":{"a":"text"},"name":"t"}]`, `{"key":{"b":"text"},"name":"t"}`, "85 " + rules.IndexConflict.ID()},
		{"of another prefix", "2.6.12 4.0.28 8.2.4", "", `[{"key":{"a":"text"},"name":"t"}]`, `{"key":{"c":1,"b":"text"},"name":"u"}`, "67 " + rules.IndexSpecial.ID()},
		{"a text index again, as it was given", "2.6.12 4.0.28 8.2.4", "", `[{"key":{"a":"text"},"name":"t"}]`, `{"key":{"a":"text"},"name":"t"}`, "exists"},
		{"a text index again, as it is listed", "2.6.12 4.0.28 8.2.4", "", `[{"key":{"_fts":"text","_ftsx":1},"name":"t","weights":{"a":1},"default_language":"english","language_override":"language","textIndexVersion":3}]`, `{"key":{"a":"text"},"name":"t"}`, "exists"},
	})
}

// TestExistingIndexIsKept: if nothing is created, the result is the existing index as it
// is stored.
func TestExistingIndexIsKept(t *testing.T) {
	for _, tt := range []struct {
		release, existing, asked, want string
	}{
		{"4.2.0", `{"key":{"t":1},"name":"n","expireAfterSeconds":3600.5}`, `{"key":{"t":1},"name":"n","expireAfterSeconds":3600.5}`, `3600.5`},
		{"4.2.0", `{"key":{"t":1},"name":"n","expireAfterSeconds":0.0}`, `{"key":{"t":1},"name":"n","expireAfterSeconds":0}`, `0.0`},
		{"4.0.10", `{"key":{"t":1},"name":"n","expireAfterSeconds":60.0}`, `{"key":{"t":1},"name":"other","expireAfterSeconds":60}`, `60.0`},
		{"2.4.14", `{"key":{"t":1},"name":"n","expireAfterSeconds":60}`, `{"key":{"t":1},"name":"n","expireAfterSeconds":3600}`, `60`},
		{"2.4.14", `{"key":{"t":1},"name":"n","expireAfterSeconds":60}`, `{"key":{"u":1},"name":"n"}`, `60`},
	} {
		existing, err := mongo.ParseListedIndex(drawn.Value(t, tt.existing))
		if err != nil {
			t.Fatal(err)
		}
		got, err := hidden.ValidateCreateIndexes(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{existing}}, policy.DOf(drawn.Value(t, tt.asked)), fixture.Profile(t, tt.release), 1_700_000_000_000)
		if err != nil || got.Created || got.Index.Name != "n" || !got.Index.ExpireAfterSeconds.Equal(drawn.Value(t, tt.want)) {
			t.Errorf("%s: %s beside %s = %+v, %v, want the one that exists", tt.release, tt.asked, tt.existing, got, err)
		}
	}
}
