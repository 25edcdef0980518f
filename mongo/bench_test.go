package mongo

import (
	"fmt"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// benchDocument returns a document of n fields, alternately strings and numbers, followed
// by the fields in last.
func benchDocument(n int, last ...policy.E) policy.D {
	var d policy.D
	for i := range n {
		e := policy.E{Key: fmt.Sprintf("field%d", i), Value: policy.Int64Value(int64(i))}
		if i%2 == 0 {
			e.Value = policy.StringValue("some text")
		}
		d = append(d, e)
	}
	return append(d, last...)
}

func benchDates(n int) policy.Value {
	var a policy.A
	for i := range n {
		a = append(a, policy.DateValue(1_700_000_000_000+policy.Instant(i)))
	}
	return policy.ListValue(a)
}

// benchFilter returns a conjunction of n comparisons that all hold.
func benchFilter(n int) policy.Value {
	var d policy.D
	for i := range n {
		d = append(d, policy.E{Key: fmt.Sprintf("field%d", 2*i+1), Value: policy.ObjectValue(policy.D{{Key: "$gte", Value: policy.Int32Value(0)}})})
	}
	return policy.ObjectValue(d)
}

// BenchmarkDecide decides one document, as unchecked raw BSON and in memory
// through policy.Document.
func BenchmarkDecide(b *testing.B) {
	date := policy.DateValue(1_700_000_000_000)
	nested := policy.ObjectValue(policy.D{{Key: "at", Value: date}})
	tests := []struct {
		name     string
		path     string
		document policy.D
		filter   policy.Value
	}{
		{"first", "t", append(policy.D{{Key: "t", Value: date}}, benchDocument(10)...), policy.Value{}},
		{"first-of-500", "t", append(policy.D{{Key: "t", Value: date}}, benchDocument(500)...), policy.Value{}},
		{"last-of-10", "t", benchDocument(10, policy.E{Key: "t", Value: date}), policy.Value{}},
		{"last-of-500", "t", benchDocument(500, policy.E{Key: "t", Value: date}), policy.Value{}},
		{"dotted", "meta.at", benchDocument(10, policy.E{Key: "meta", Value: nested}), policy.Value{}},
		{"array-of-10", "t", benchDocument(10, policy.E{Key: "t", Value: benchDates(10)}), policy.Value{}},
		{"array-of-1000", "t", benchDocument(10, policy.E{Key: "t", Value: benchDates(1000)}), policy.Value{}},
		{"filter-of-1", "t", benchDocument(128, policy.E{Key: "t", Value: date}), benchFilter(1)},
		{"filter-of-4", "t", benchDocument(128, policy.E{Key: "t", Value: date}), benchFilter(4)},
		{"filter-of-16", "t", benchDocument(128, policy.E{Key: "t", Value: date}), benchFilter(16)},
		{"filter-of-64", "t", benchDocument(128, policy.E{Key: "t", Value: date}), benchFilter(64)},
	}
	for _, tt := range tests {
		spec := IndexSpec{Key: policy.D{{Key: tt.path, Value: policy.Int32Value(1)}}, ExpireAfterSeconds: policy.Int32Value(3600), PartialFilterExpression: tt.filter}
		x, err := CompileIndex(CollectionSpec{}, spec, vectorProfile(b, "8.2.11"))
		if err != nil {
			b.Fatal(err)
		}
		raw, err := policy.AppendBSON(nil, policy.ObjectValue(tt.document))
		if err != nil {
			b.Fatal(err)
		}
		const now = 1_700_003_600_000
		if d := x.DecideBSON(raw, now); d.State != policy.Expired || x.Decide(tt.document, now) != d {
			b.Fatalf("%s: %v by %s, want expired both ways", tt.name, d.State, d.Rule)
		}
		b.Run(tt.name+"/raw", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				benchSink = x.DecideBSON(raw, now)
			}
		})
		b.Run(tt.name+"/memory", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				benchSink = x.Decide(&tt.document, now)
			}
		})
	}
}

var benchSink policy.Decision
