package mongo

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestClusteredVectors: a Date _id from 1970 on expires; nothing else does.
func TestClusteredVectors(t *testing.T) {
	const clustered = `"clusteredIndex":{"key":{"_id":1},"unique":true,"name":"c"}`
	tests := []struct {
		why, version, seconds, document, rule string
		deadline                              policy.Instant
	}{
		{"a date", "5.3.0", `10`, `{"_id":D(5)}`, rules.Clustered.ID(), 10_005},
		{"the epoch", "8.2.0", `10`, `{"_id":D(0)}`, rules.Clustered.ID(), 10_000},
		{"before the epoch", "8.2.0", `10`, `{"_id":D(-1)}`, rules.ClusteredFloor.ID(), kept},
		{"before the epoch", "7.0.5", `10`, `{"_id":D(-1)}`, rules.ClusteredFloor.ID(), kept},
		{"before the epoch", "6.0.13", `10`, `{"_id":D(-1)}`, rules.ClusteredFloor.ID(), kept},
		{"before the epoch, unspecified", "7.1.0", `10`, `{"_id":D(-1)}`, rules.ClusteredFloorUnspecified.ID(), kept},
		{"before the epoch, unspecified", "7.3.4", `10`, `{"_id":D(-1)}`, rules.ClusteredFloorUnspecified.ID(), kept},
		{"the epoch in a release where that is unspecified", "7.3.4", `10`, `{"_id":D(0)}`, rules.Clustered.ID(), 10_000},
		{"before the epoch, without a floor", "7.0.4", `10`, `{"_id":D(-1)}`, rules.Clustered.ID(), 9_999},
		{"before the epoch, without a floor", "6.0.12", `10`, `{"_id":D(-1)}`, rules.Clustered.ID(), 9_999},
		{"before the epoch, without a floor", "6.3.2", `10`, `{"_id":D(-1)}`, rules.Clustered.ID(), 9_999},
		{"the first instant, without a floor", "5.3.0", `0`, `{"_id":D(-9223372036854775808)}`, rules.Clustered.ID(), policy.MinInstant},
		{"the first instant", "8.2.0", `0`, `{"_id":D(-9223372036854775808)}`, rules.ClusteredFloor.ID(), kept},
		{"at once", "8.2.0", `0`, `{"_id":D(5)}`, rules.Clustered.ID(), 5},
		{"beyond int32", "8.2.0", `{"$numberLong":"3000000000"}`, `{"_id":D(5)}`, rules.Clustered.ID(), 3000000000_005},
		{"an ObjectId", "8.2.0", `10`, `{"_id":{"$oid":"000000000123456789abcdef"}}`, rules.ClusteredNotDate.ID(), kept},
		{"a document with a date", "8.2.0", `10`, `{"_id":{"t":D(5)}}`, rules.ClusteredNotDate.ID(), kept},
		{"no _id", "8.2.0", `10`, `{"t":D(5)}`, rules.ClusteredNotDate.ID(), kept},
		{"too late", "8.2.0", `1`, `{"_id":D(9223372036854774808)}`, rules.Unreachable.ID(), kept},
		{"the last deadline", "8.2.0", `1`, `{"_id":D(9223372036854774807)}`, rules.Clustered.ID(), policy.MaxInstant},
		{"no valid option", "8.2.0", `-1`, `{"_id":D(5)}`, rules.CollectionSecondsUnspecified.ID(), kept},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			c := vectorCollection(t, tt.version, `{`+clustered+`,"expireAfterSeconds":`+tt.seconds+`}`, `[]`)
			checkVector(t, c, dates(tt.document), tt.rule, tt.deadline)
		})
	}
}

// TestClusteredAsListed: listIndexes shows the collection's own key with its
// option, and an ordinary index beside it has no floor.
func TestClusteredAsListed(t *testing.T) {
	const own = `{"v":2,"key":{"_id":1},"name":"_id_","unique":true,"clustered":true,"expireAfterSeconds":10}`
	listed := vectorCollection(t, "8.2.0", `{}`, `[`+own+`,{"key":{"t":1},"expireAfterSeconds":1}]`)
	checkVector(t, listed, dates(`{"_id":D(5)}`), rules.Clustered.ID(), 10_005)
	checkVector(t, listed, dates(`{"_id":D(-5),"t":D(-5)}`), rules.Date.ID(), 995)
	checkVector(t, listed, dates(`{"_id":D(-5)}`), rules.ClusteredFloor.ID(), kept)
	// An ordinary index on _id would have no floor either.
	plain := vectorCollection(t, "4.0.0", `{}`, `[{"key":{"_id":1},"expireAfterSeconds":10}]`)
	checkVector(t, plain, dates(`{"_id":D(-5)}`), rules.Date.ID(), 9_995)
}
