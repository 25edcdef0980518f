package mongo

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestClusteredVectors: a Date _id from 1970 on expires; nothing else does.
func TestClusteredVectors(t *testing.T) {
	const clustered = `"clusteredIndex":{"key":{"_id":1},"unique":true,"name":"c"}`
	tests := []struct {
		why, version, seconds, document, rule string
		deadline                              policy.Instant
	}{
		{"a date", "5.3.0", `10`, `{"_id":D(5)}`, "mongo.clustered", 10_005},
		{"the epoch", "8.2.0", `10`, `{"_id":D(0)}`, "mongo.clustered", 10_000},
		{"before the epoch", "8.2.0", `10`, `{"_id":D(-1)}`, "mongo.clustered-before-1970", kept},
		{"before the epoch", "7.0.5", `10`, `{"_id":D(-1)}`, "mongo.clustered-before-1970", kept},
		{"before the epoch", "6.0.13", `10`, `{"_id":D(-1)}`, "mongo.clustered-before-1970", kept},
		{"before the epoch, unspecified", "7.1.0", `10`, `{"_id":D(-1)}`, "mongo.clustered-before-1970-unspecified", kept},
		{"before the epoch, unspecified", "7.3.4", `10`, `{"_id":D(-1)}`, "mongo.clustered-before-1970-unspecified", kept},
		{"the epoch in a release where that is unspecified", "7.3.4", `10`, `{"_id":D(0)}`, "mongo.clustered", 10_000},
		{"before the epoch, without a floor", "7.0.4", `10`, `{"_id":D(-1)}`, "mongo.clustered", 9_999},
		{"before the epoch, without a floor", "6.0.12", `10`, `{"_id":D(-1)}`, "mongo.clustered", 9_999},
		{"before the epoch, without a floor", "6.3.2", `10`, `{"_id":D(-1)}`, "mongo.clustered", 9_999},
		{"the first instant, without a floor", "5.3.0", `0`, `{"_id":D(-9223372036854775808)}`, "mongo.clustered", policy.MinInstant},
		{"the first instant", "8.2.0", `0`, `{"_id":D(-9223372036854775808)}`, "mongo.clustered-before-1970", kept},
		{"at once", "8.2.0", `0`, `{"_id":D(5)}`, "mongo.clustered", 5},
		{"beyond int32", "8.2.0", `{"$numberLong":"3000000000"}`, `{"_id":D(5)}`, "mongo.clustered", 3000000000_005},
		{"an ObjectId", "8.2.0", `10`, `{"_id":{"$oid":"000000000123456789abcdef"}}`, "mongo.clustered-not-date", kept},
		{"a document with a date", "8.2.0", `10`, `{"_id":{"t":D(5)}}`, "mongo.clustered-not-date", kept},
		{"no _id", "8.2.0", `10`, `{"t":D(5)}`, "mongo.clustered-not-date", kept},
		{"too late", "8.2.0", `1`, `{"_id":D(9223372036854774808)}`, "mongo.unreachable", kept},
		{"the last deadline", "8.2.0", `1`, `{"_id":D(9223372036854774807)}`, "mongo.clustered", policy.MaxInstant},
		{"no valid option", "8.2.0", `-1`, `{"_id":D(5)}`, "mongo.collection-seconds-unspecified", kept},
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
	checkVector(t, listed, dates(`{"_id":D(5)}`), "mongo.clustered", 10_005)
	checkVector(t, listed, dates(`{"_id":D(-5),"t":D(-5)}`), "mongo.date", 995)
	checkVector(t, listed, dates(`{"_id":D(-5)}`), "mongo.clustered-before-1970", kept)
	// An ordinary index on _id, were there one, has no floor either.
	plain := vectorCollection(t, "4.0.0", `{}`, `[{"key":{"_id":1},"expireAfterSeconds":10}]`)
	checkVector(t, plain, dates(`{"_id":D(-5)}`), "mongo.date", 9_995)
}
