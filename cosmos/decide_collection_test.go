package cosmos

import (
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

const (
	onTS     = `[{"key":{"_ts":1},"name":"_ts_1","expireAfterSeconds":10}]`
	onTSOnly = `[{"key":{"_ts":1},"expireAfterSeconds":-1}]`
)

func TestCollectionDecide(t *testing.T) {
	tests := []struct {
		indexes, document, rule string
		deadline                policy.Instant
		why                     string
	}{
		{`[]`, `{"ttl":5}`, ruleMongoOff.ID(), never, "without a TTL index the document's ttl is inert"},
		{`[{"key":{"_ts":1}}]`, `{"ttl":5}`, ruleMongoOff.ID(), never, "an index without the option is none"},
		{onTS, `{}`, ruleDefault.ID(), 110_000, "the collection's value"},
		{onTS, `{"ttl":{"$numberInt":"20"}}`, ruleItem.ID(), 120_000, "int32, lengthening"},
		{onTS, `{"ttl":{"$numberInt":"1"}}`, ruleItem.ID(), 101_000, "the least"},
		{onTS, `{"ttl":{"$numberLong":"20"}}`, ruleItem.ID(), 120_000, "int64 that fits"},
		{onTS, `{"ttl":{"$numberLong":"2147483647"}}`, ruleItem.ID(), 2147483747_000, "the greatest int64 that fits"},
		{onTS, `{"ttl":{"$numberLong":"2147483648"}}`, ruleMongoTTLIgnored.ID(), 110_000, "one too many"},
		{onTS, `{"ttl":{"$numberLong":"-2147483649"}}`, ruleMongoTTLIgnored.ID(), 110_000, "one too few"},
		{onTS, `{"ttl":{"$numberDouble":"20.0"}}`, ruleItem.ID(), 120_000, "double without fraction"},
		{onTS, `{"ttl":{"$numberDouble":"2147483647.0"}}`, ruleItem.ID(), 2147483747_000, "the greatest double that fits"},
		{onTS, `{"ttl":{"$numberDouble":"2147483648.0"}}`, ruleMongoTTLIgnored.ID(), 110_000, "one too many"},
		{onTS, `{"ttl":{"$numberDouble":"20.5"}}`, ruleMongoTTLIgnored.ID(), 110_000, "fraction"},
		{onTS, `{"ttl":{"$numberDouble":"20.000001"}}`, ruleMongoTTLIgnored.ID(), 110_000, "small fraction"},
		{onTS, `{"ttl":{"$numberDouble":"1e300"}}`, ruleMongoTTLIgnored.ID(), 110_000, "huge"},
		{onTS, `{"ttl":{"$numberDouble":"NaN"}}`, ruleMongoTTLIgnored.ID(), 110_000, "NaN"},
		{onTS, `{"ttl":{"$numberDouble":"-Infinity"}}`, ruleMongoTTLIgnored.ID(), 110_000, "infinity"},
		{onTS, `{"ttl":{"$numberDecimal":"20"}}`, ruleMongoTTLIgnored.ID(), 110_000, "decimal is not one of the three types"},
		{onTS, `{"ttl":"20"}`, ruleMongoTTLIgnored.ID(), 110_000, "string"},
		{onTS, `{"ttl":true}`, ruleMongoTTLIgnored.ID(), 110_000, "bool"},
		{onTS, `{"ttl":null}`, ruleMongoTTLIgnored.ID(), 110_000, "null"},
		{onTS, `{"ttl":{"$date":{"$numberLong":"20"}}}`, ruleMongoTTLIgnored.ID(), 110_000, "date"},
		{onTS, `{"ttl":[20]}`, ruleMongoTTLIgnored.ID(), 110_000, "array"},
		{onTS, `{"meta":{"ttl":20},"TTL":30,"Ttl":40}`, ruleDefault.ID(), 110_000, "only the root property ttl"},
		{onTS, `{"ttl":{"$numberInt":"-1"}}`, ruleItemNever.ID(), never, "-1 as int32"},
		{onTS, `{"ttl":{"$numberLong":"-1"}}`, ruleItemNever.ID(), never, "-1 as int64"},
		{onTS, `{"ttl":{"$numberDouble":"-1.0"}}`, ruleItemNever.ID(), never, "-1 as double"},
		{onTS, `{"ttl":{"$numberInt":"0"}}`, ruleMongoTTLUnspecified.ID(), never, "0"},
		{onTS, `{"ttl":{"$numberDouble":"-0.0"}}`, ruleMongoTTLUnspecified.ID(), never, "-0.0"},
		{onTS, `{"ttl":{"$numberInt":"-2"}}`, ruleMongoTTLUnspecified.ID(), never, "-2"},
		{onTSOnly, `{}`, ruleNoDefault.ID(), never, "-1 is on, no default"},
		{onTSOnly, `{"ttl":20}`, ruleItem.ID(), 120_000, "documents with their own still expire"},
		{onTSOnly, `{"ttl":"20"}`, ruleNoDefault.ID(), never, "an ignored ttl leaves the default, and there is none"},
		{`[{"key":{"_ts":1},"expireAfterSeconds":0}]`, `{}`, ruleMongoIndexUnspecified.ID(), never, "0 on _ts"},
		{`[{"key":{"_ts":1},"expireAfterSeconds":2147483648}]`, `{}`, ruleMongoIndexUnspecified.ID(), never, "too large"},
		{`[{"key":{"_ts":1},"expireAfterSeconds":"10"}]`, `{}`, ruleMongoIndexUnspecified.ID(), never, "string"},
		{`[{"key":{"_ts":1,"a":1},"expireAfterSeconds":10}]`, `{}`, ruleMongoIndexUnspecified.ID(), never, "compound"},
		{`[{"key":{"_ts":-1},"expireAfterSeconds":10}]`, `{}`, ruleDefault.ID(), 110_000, "descending is as ascending"},
		{`[{"key":{"_ts":2},"expireAfterSeconds":10}]`, `{}`, ruleMongoIndexUnspecified.ID(), never, "no direction"},
		{`[{"key":{"_ts":"hashed"},"expireAfterSeconds":10}]`, `{}`, ruleMongoIndexUnspecified.ID(), never, "hashed"},
		{`[{"key":{"_ts":1},"expireAfterSeconds":10,"partialFilterExpression":{"x":1}}]`, `{}`, ruleMongoIndexUnspecified.ID(), never, "partial"},
		{`[{"key":{"_ts":1},"expireAfterSeconds":10},{"key":{"a":1},"expireAfterSeconds":5}]`, `{}`, ruleMongoIndexUnspecified.ID(), never, "two TTL indexes"},
		{`[{"key":{"at":1},"expireAfterSeconds":10}]`, `{"at":{"$date":{"$numberLong":"5"}}}`, ruleMongoIndexUnspecified.ID(), never, "a field other than _ts without the capability"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			c := collection(t, tt.indexes, CollectionSpec{})
			doc := append(policy.D{{Key: "x", Value: policy.Int32Value(1)}}, policy.DOf(extJSON(t, tt.document))...)
			check(t, func(now policy.Instant) policy.Decision { return c.DecideAt(doc, TimestampSeconds(100), now) }, tt.rule, tt.deadline)
		})
	}
}

// TestCollectionOldServer: a ttl that counts on server version 3.6 and later keeps the
// document on version 3.2, whether the collection has a default or not. A ttl that counts
// on no version is ignored.
func TestCollectionOldServer(t *testing.T) {
	var unspecified = ruleMongoTTLVersion.ID()
	for _, tt := range []struct {
		indexes, document, rule string
		deadline                policy.Instant
	}{
		{onTS, `{"ttl":20}`, unspecified, never},
		{onTS, `{"ttl":5}`, unspecified, never},
		{onTS, `{"ttl":-1}`, unspecified, never},
		{onTSOnly, `{"ttl":20}`, unspecified, never},
		{onTS, `{"ttl":0}`, ruleMongoTTLUnspecified.ID(), never},
		{onTS, `{"ttl":"20"}`, ruleMongoTTLIgnored.ID(), 110_000},
		{onTS, `{}`, ruleDefault.ID(), 110_000},
		{`[]`, `{"ttl":5}`, ruleMongoOff.ID(), never},
	} {
		c := collection(t, tt.indexes, CollectionSpec{ServerVersion: "3.2"})
		doc := extJSON(t, tt.document)
		check(t, func(now policy.Instant) policy.Decision { return c.DecideAt(doc, TimestampSeconds(100), now) }, tt.rule, tt.deadline)
	}
	for _, account := range []CollectionSpec{{ServerVersion: "3.6"}, {ServerVersion: "4.0"}, {}, {ServerVersion: "3.2", Capabilities: []string{"EnableMongo", "mongoEnableDocLevelTTL"}}} {
		d := collection(t, onTS, account).DecideAt(extJSON(t, `{"ttl":20}`), TimestampSeconds(100), 0)
		if d.Rule.ID() != ruleItem.ID() || deadlineOf(d) != 120_000 {
			t.Errorf("%+v decides by %s with the deadline %d, want %s and 120000", account, d.Rule, deadlineOf(d), ruleItem)
		}
	}
}

func TestCollectionReadsTS(t *testing.T) {
	c := collection(t, onTS, CollectionSpec{})
	tests := []struct {
		document, rule string
		deadline       policy.Instant
	}{
		{`{"_ts":100}`, ruleDefault.ID(), 110_000},
		{`{"_ts":{"$numberLong":"100"}}`, ruleDefault.ID(), 110_000},
		{`{"_ts":{"$numberDouble":"100.0"}}`, ruleDefault.ID(), 110_000},
		{`{"_ts":{"$numberDouble":"100.5"}}`, ruleNoTimestamp.ID(), never},
		{`{"_ts":"100"}`, ruleNoTimestamp.ID(), never},
		{`{}`, ruleNoTimestamp.ID(), never},
		{`{"ttl":-1}`, ruleItemNever.ID(), never},
	}
	for _, tt := range tests {
		doc := extJSON(t, tt.document)
		check(t, func(now policy.Instant) policy.Decision { return c.Decide(doc, now) }, tt.rule, tt.deadline)
		raw, err := policy.AppendBSON(nil, doc)
		if err != nil {
			t.Fatal(err)
		}
		check(t, func(now policy.Instant) policy.Decision { return c.DecideBSON(raw, now) }, tt.rule, tt.deadline)
		check(t, func(now policy.Instant) policy.Decision { return c.DecideBSON(raw[:len(raw)-1], now) }, ruleMalformed.ID(), never)
	}
}

func TestCollectionCustomPath(t *testing.T) {
	const index = `[{"key":{"at":1},"expireAfterSeconds":10}]`
	account := CollectionSpec{Capabilities: []string{"EnableTtlOnCustomPath"}}
	tests := []struct {
		document, rule string
		deadline       policy.Instant
		why            string
	}{
		{`{"at":{"$date":{"$numberLong":"5"}}}`, ruleMongoField.ID(), 10_006, "date"},
		{`{"at":5}`, ruleMongoField.ID(), 10_006, "int32 milliseconds, not seconds"},
		{`{"at":{"$numberLong":"1700000000000"}}`, ruleMongoField.ID(), 1700000010_001, "int64 milliseconds"},
		{`{"at":{"$numberDouble":"5.0"}}`, ruleMongoField.ID(), 10_006, "double milliseconds"},
		{`{"at":[7,"x",{"$date":{"$numberLong":"6"}}]}`, ruleMongoField.ID(), 10_007, "smallest of an array"},
		{`{}`, ruleMongoFieldMissing.ID(), never, "missing"},
		{`{"at":"5"}`, ruleMongoFieldType.ID(), never, "string"},
		{`{"at":[]}`, ruleMongoFieldType.ID(), never, "empty array"},
		{`{"at":{"$numberDouble":"NaN"}}`, ruleMongoFieldType.ID(), never, "NaN"},
		{`{"at":{"$numberLong":"9223372036854775807"}}`, ruleUnreachable.ID(), never, "beyond the clock"},
		{`{"at":{"$numberLong":"9223372036854765805"}}`, ruleMongoField.ID(), policy.MaxInstant - 1, "the last instant but one of the clock"},
		{`{"at":{"$numberLong":"9223372036854765807"}}`, ruleUnreachable.ID(), never, "a millisecond beyond the clock"},
		{`{"at":5,"ttl":3}`, ruleMongoFieldTTL.ID(), never, "beside a document ttl"},
		{`{"at":5,"ttl":0}`, ruleMongoFieldTTL.ID(), never, "beside one that the core refuses"},
		{`{"at":5,"ttl":"x"}`, ruleMongoField.ID(), 10_006, "beside one that is stored and ignored"},
		{`{"at":{"$numberDouble":"5.1"}}`, ruleMongoField.ID(), 10_006, "a fraction of a millisecond ends within the next one"},
		{`{"at":{"$numberDouble":"-5.1"}}`, ruleMongoField.ID(), 9_995, "before 1970 too"},
		{`{"at":{"$numberDouble":"1e300"}}`, ruleMongoFieldType.ID(), never, "a number that no clock can hold"},
		{`{"at":{"$numberDouble":"-1e300"}}`, ruleMongoFieldType.ID(), never, "nor on the other side"},
		{`{"at":{"$numberDecimal":"5"}}`, ruleMongoFieldType.ID(), never, "decimal is not one of the types"},
		{`{"at":{"$timestamp":{"t":5,"i":0}}}`, ruleMongoFieldType.ID(), never, "nor is a timestamp"},
		{`{"at":null}`, ruleMongoFieldType.ID(), never, "null"},
		{`{"at":["x",true]}`, ruleMongoFieldType.ID(), never, "an array without any"},
		{`{"at":[[5]]}`, ruleMongoFieldType.ID(), never, "an array within an array"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			c := collection(t, index, account)
			doc := extJSON(t, tt.document)
			check(t, func(now policy.Instant) policy.Decision { return c.Decide(doc, now) }, tt.rule, tt.deadline)
		})
	}
	for _, tt := range []struct{ path, document, rule string }{
		{"a.at", `{"a":{"at":5}}`, ruleMongoField.ID()},
		{"a.at", `{"a":[{"at":5}]}`, ruleMongoFieldArray.ID()},
		{"a.at", `{"a":{}}`, ruleMongoFieldMissing.ID()},
		{"a.at", `{"a":5}`, ruleMongoFieldMissing.ID()},
		{"a.at", `{"a.at":5}`, ruleMongoFieldMissing.ID()},
		{"ttl.at", `{"ttl":{"at":5}}`, ruleMongoField.ID()},
		{"ttl.at", `{"ttl":5}`, ruleMongoFieldTTL.ID()},
	} {
		c := collection(t, `[{"key":{"`+tt.path+`":1},"expireAfterSeconds":10}]`, account)
		if d := c.Decide(extJSON(t, tt.document), 0); d.Rule.ID() != tt.rule {
			t.Errorf("%s of %s decides by %s, want %s", tt.path, tt.document, d.Rule, tt.rule)
		}
	}
	if d := collection(t, index, account).Decide(extJSON(t, `{"at":{"$numberLong":"9223372036854765806"}}`), policy.MaxInstant); d.State != policy.Expired {
		t.Errorf("a deadline at the last instant: %v then, want expired", d.State)
	}
	for _, unspecified := range []string{"ttl", "_id"} {
		c := collection(t, `[{"key":{"`+unspecified+`":1},"expireAfterSeconds":10}]`, account)
		for _, document := range []string{`{"ttl":-1,"_id":-1}`, `{"ttl":20,"_id":20}`, `{"ttl":{"$date":{"$numberLong":"5"}},"_id":{"$date":{"$numberLong":"5"}}}`, `{}`} {
			if d := c.Decide(extJSON(t, document), policy.MaxInstant); d.State != policy.Never || d.Rule.ID() != ruleMongoIndexUnspecified.ID() {
				t.Errorf("with the index on %s: %s is %v by %s, want never by %s", unspecified, document, d.State, d.Rule, ruleMongoIndexUnspecified)
			}
		}
	}
	for version, rule := range map[string]string{
		"3.6": ruleMongoIndexUnspecified.ID(), "4.0": ruleMongoIndexUnspecified.ID(),
		"4.2": ruleMongoField.ID(), "7.0": ruleMongoField.ID(), "": ruleMongoField.ID(),
	} {
		account.ServerVersion = version
		if d := collection(t, index, account).Decide(extJSON(t, `{"at":5}`), 0); d.Rule.ID() != rule {
			t.Errorf("server %q decides by %s, want %s", version, d.Rule, rule)
		}
	}
}

// TestCollectionRepeats: a document that can list its fields is kept if a field that
// decides occurs twice.
func TestCollectionRepeats(t *testing.T) {
	c := collection(t, onTS, CollectionSpec{})
	five, six := policy.E{Key: "ttl", Value: policy.Int32Value(5)}, policy.E{Key: "ttl", Value: policy.Int32Value(6)}
	twice := policy.D{five, {Key: "_ts", Value: policy.Int32Value(100)}, six}
	raw, err := policy.AppendBSON(nil, policy.ObjectValue(twice))
	if err != nil {
		t.Fatal(err)
	}
	custom := collection(t, `[{"key":{"a.at":1},"expireAfterSeconds":10}]`, CollectionSpec{Capabilities: []string{"EnableTtlOnCustomPath"}})
	at := policy.E{Key: "a", Value: policy.ObjectValue(policy.D{{Key: "at", Value: policy.DateValue(0)}})}
	within := policy.E{Key: "a", Value: policy.ObjectValue(policy.D{{Key: "at", Value: policy.DateValue(0)}, {Key: "at", Value: policy.DateValue(9)}})}
	for name, d := range map[string]policy.Decision{
		"in memory":          c.Decide(twice, policy.MaxInstant),
		"raw":                c.DecideBSON(raw, policy.MaxInstant),
		"the indexed field":  custom.Decide(policy.D{at, at}, policy.MaxInstant),
		"within a document":  custom.Decide(policy.D{within}, policy.MaxInstant),
		"ttl beside a field": custom.Decide(policy.D{at, five, six}, policy.MaxInstant),
	} {
		if d.State != policy.Never || d.Rule.ID() != ruleDuplicateUnspecified.ID() {
			t.Errorf("%s: %v by %s, want never by %s", name, d.State, d.Rule, ruleDuplicateUnspecified)
		}
	}
	if d := collection(t, `[]`, CollectionSpec{}).Decide(twice, 0); d.Rule != ruleMongoOff {
		t.Errorf("without an index: by %s, want %s", d.Rule, ruleMongoOff)
	}
}

func TestParseIndexSpecErrors(t *testing.T) {
	for _, text := range []string{`{}`, `{"key":"a"}`, `[]`} {
		if _, err := ParseIndexSpec(extJSON(t, text)); err == nil {
			t.Errorf("ParseIndexSpec(%s) = nil error", text)
		}
	}
	if _, err := CompileCollection(CollectionSpec{Indexes: []IndexSpec{{Name: "x"}}}); err == nil {
		t.Error("CompileCollection accepts an index without a key")
	}
}

// TestWrittenNames: the functions that read written settings refuse unknown names, and
// the functions that read listed settings accept them.
func TestWrittenNames(t *testing.T) {
	for _, tt := range []struct{ text, near string }{
		{`{"key":{"_ts":1},"expireAfterSecond":5}`, `did you mean "expireAfterSeconds"?`},
		{`{"key":{"_ts":1},"other":5}`, `no property "other"`},
	} {
		v := extJSON(t, tt.text)
		if _, err := ParseIndexSpec(v); err == nil || !strings.Contains(err.Error(), tt.near) {
			t.Errorf("ParseIndexSpec(%s) = %v, want %s", tt.text, err, tt.near)
		}
		if _, err := ParseListedIndex(v); err != nil {
			t.Errorf("ParseListedIndex(%s) = %v", tt.text, err)
		}
	}
	for _, tt := range []struct{ text, near string }{
		{`{"id":"c","defaultTTL":5}`, `did you mean "defaultTtl"?`},
		{`{"defaultTtl":5,"ttlPropertypath":"/a"}`, `did you mean "ttlPropertyPath"?`},
		{`{"defaultTtl":5,"indexingPolicy":{"indexingmode":"none"}}`, `did you mean "indexingMode"?`},
		{`{"defaultTtl":5,"other":1}`, `no property "other"`},
	} {
		if _, err := ParseContainerSpec([]byte(tt.text)); err == nil || !strings.Contains(err.Error(), tt.near) {
			t.Errorf("ParseContainerSpec(%s) = %v, want %s", tt.text, err, tt.near)
		}
		if _, err := ParseListedContainer([]byte(tt.text)); err != nil {
			t.Errorf("ParseListedContainer(%s) = %v", tt.text, err)
		}
	}
	for _, text := range []string{
		`{"id":"c","indexingPolicy":{"indexingMode":"consistent","automatic":true,"includedPaths":[{"path":"/*"}],"excludedPaths":[{"path":"/\"_etag\"/?"}]},
			"partitionKey":{"paths":["/p"],"kind":"Hash","version":2},"uniqueKeyPolicy":{"uniqueKeys":[]},"conflictResolutionPolicy":{},"geospatialConfig":{"type":"Geography"},
			"defaultTtl":-1,"analyticalStorageTtl":-1,"_rid":"r","_ts":1,"_self":"s","_etag":"e","_docs":"docs/","computedProperties":[]}`,
	} {
		if _, err := ParseContainerSpec([]byte(text)); err != nil {
			t.Errorf("ParseContainerSpec(%s) = %v", text, err)
		}
	}
}
