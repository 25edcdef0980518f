package mongo

import (
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// dates writes each D(n) of a document as a date in Extended JSON.
func dates(document string) string {
	parts := strings.Split(document, "D(")
	for i, part := range parts[1:] {
		n, rest, _ := strings.Cut(part, ")")
		parts[i+1] = `{"$date":{"$numberLong":"` + n + `"}}` + rest
	}
	return strings.Join(parts, "")
}

// TestKeysVectors: the vectors of the second part come from the server's tests of its
// btree key generation, with dates in place of numbers.
func TestKeysVectors(t *testing.T) {
	tests := []struct {
		why, path, document, rule string
		deadline                  policy.Instant
	}{
		{"a date", "t", `{"t":D(5)}`, rules.Date.ID(), 5},
		{"no field", "t", `{}`, rules.FieldMissing.ID(), kept},
		{"null", "t", `{"t":null}`, rules.FieldNull.ID(), kept},
		{"a string", "t", `{"t":"2020-01-01T00:00:00Z"}`, rules.FieldNotDate.ID(), kept},
		{"a number", "t", `{"t":{"$numberLong":"5"}}`, rules.FieldNotDate.ID(), kept},
		{"an ObjectId", "t", `{"t":{"$oid":"6ad7e46e5f3a91c2000000dc"}}`, rules.FieldNotDate.ID(), kept},
		{"a timestamp", "t", `{"t":{"$timestamp":{"t":1,"i":1}}}`, rules.FieldNotDate.ID(), kept},
		{"an empty array", "t", `{"t":[]}`, rules.ArrayEmpty.ID(), kept},
		{"the earliest date of an array", "t", `{"t":[D(5),D(3),"x",null]}`, rules.Earliest.ID(), 3},
		{"an array within an array", "t", `{"t":[[D(3)]]}`, rules.ArrayNested.ID(), kept},
		{"a date beside an array", "t", `{"t":[[D(3)],D(7)]}`, rules.Earliest.ID(), 7},
		{"the first instant", "t", `{"t":D(-9223372036854775808)}`, rules.Date.ID(), policy.MinInstant},
		{"the last instant", "t", `{"t":D(9223372036854775807)}`, rules.Date.ID(), policy.MaxInstant},
		{"a path", "a.b", `{"a":{"b":D(4)}}`, rules.Date.ID(), 4},
		{"a scalar on the path", "a.b", `{"a":5}`, rules.FieldNull.ID(), kept},
		{"an object without the field", "a.b", `{"a":{}}`, rules.FieldMissing.ID(), kept},
		{"an empty array on the path", "a.b", `{"a":[]}`, rules.FieldNull.ID(), kept},
		{"a dot within a name", "a.b", `{"a.b":D(4)}`, rules.FieldMissing.ID(), kept},
		{"objects, scalars and arrays on the path", "a.b", `{"a":[{"b":D(4)},{"b":[D(2)]},5,{}]}`, rules.Earliest.ID(), 2},
		{"an array within an array on the path", "a.b", `{"a":[[{"b":D(3)}]]}`, rules.ArrayNested.ID(), kept},
		{"a position", "a.0", `{"a":[D(9),D(1)]}`, rules.Date.ID(), 9},
		{"an array at the position", "a.0", `{"a":[[D(3)]]}`, rules.ArrayNested.ID(), kept},
		{"a number as a field's name", "a.0", `{"a":{"0":D(8)}}`, rules.Date.ID(), 8},
		{"a position and a field of its element", "a.0", `{"a":[{"0":D(1)}]}`, rules.PathAmbiguous.ID(), kept},
		{"an array below a position", "a.0.b", `{"a":[{"b":[D(3)]}]}`, rules.Earliest.ID(), 3},
		{"objects in the array at a position", "a.0.b", `{"a":[[{"b":D(3)}]]}`, rules.Earliest.ID(), 3},
		{"an array within an array below a position", "a.0.b", `{"a":[{"b":[[D(3)]]}]}`, rules.ArrayNested.ID(), kept},
		{"a position only of an inner array", "a.2", `{"a":[[1,2,D(6)]]}`, rules.ArrayNested.ID(), kept},

		{"two positions lead to one key", "a.0.0", `{"a":[[D(4)]]}`, rules.Date.ID(), 4},
		{"an array at the last position is the key", "a.0.0", `{"a":[[[D(4)]]]}`, rules.ArrayNested.ID(), kept},
		{"an empty array there gives undefined", "a.0", `{"a":[[]]}`, rules.ArrayNested.ID(), kept},
		{"a position of each inner array", "a.b.0", `{"a":[{"b":[D(9),D(1)]},{"b":[D(5)]}]}`, rules.Earliest.ID(), 5},
		{"a position through an object", "a.0.b.1", `{"a":[{"b":[D(1),D(7)]}]}`, rules.Date.ID(), 7},
		{"an absent position is a field name", "a.1", `{"a":[{"1":D(3)}]}`, rules.Earliest.ID(), 3},
		{"which scalars have not", "a.1", `{"a":[D(3)]}`, rules.FieldNull.ID(), kept},
		{"a position needs its canonical spelling", "a.01", `{"a":[D(3),D(4)]}`, rules.FieldNull.ID(), kept},
		{"no sign either", "a.-1", `{"a":[D(3)]}`, rules.FieldNull.ID(), kept},
		{"a field may be spelled so", "a.01", `{"a":{"01":D(3)}}`, rules.Date.ID(), 3},
		{"an empty array has no position", "a.0", `{"a":[]}`, rules.FieldNull.ID(), kept},
		{"nor has one in the middle", "a.0.b", `{"a":[]}`, rules.FieldNull.ID(), kept},
		{"a position that leads to an object", "a.0", `{"a":[{"b":D(3)}]}`, rules.FieldNotDate.ID(), kept},
		{"a position and a field of another element", "a.0", `{"a":[D(3),{"0":D(4)}]}`, rules.PathAmbiguous.ID(), kept},
		{"also further along the path", "a.0.b", `{"a":[{"b":D(3)},{"0":1}]}`, rules.PathAmbiguous.ID(), kept},
		{"also below an expanded array, whatever else is found", "a.b.0", `{"a":[{"b":D(1)},{"b":[D(3),{"0":1}]}]}`, rules.PathAmbiguous.ID(), kept},
		{"a field of an inner array's element is none of the array's", "a.0.0", `{"a":[[D(2)],[{"0":1}]]}`, rules.Date.ID(), 2},
		{"an array inside an array is not entered by name", "a.b", `{"a":[[{"b":D(3)}],{"b":D(8)}]}`, rules.Earliest.ID(), 8},
		{"arrays on two levels", "a.b", `{"a":[{"b":[D(9),D(2)]},{"b":D(4)}]}`, rules.Earliest.ID(), 2},
		{"arrays on three levels", "a.b.c", `{"a":[{"b":[{"c":[D(6)]},{"c":D(5)}]}]}`, rules.Earliest.ID(), 5},
		{"scalars beside subdocuments are ignored", "a.b", `{"a":[D(1),"x",{"b":D(4)}]}`, rules.Earliest.ID(), 4},
		{"all elements lack the field", "a.b", `{"a":[{"c":D(1)},{}]}`, rules.FieldNull.ID(), kept},
		{"a date in the middle has no fields", "a.b", `{"a":D(1)}`, rules.FieldNull.ID(), kept},
		{"a whole document is a key", "a", `{"a":{"b":D(1)}}`, rules.FieldNotDate.ID(), kept},
		{"an array of nulls", "a", `{"a":[null,null]}`, rules.FieldNull.ID(), kept},
		{"one other element tells more", "a", `{"a":[null,"x"]}`, rules.FieldNotDate.ID(), kept},
		{"an array of one", "a", `{"a":[D(5)]}`, rules.Earliest.ID(), 5},
		{"equal dates", "a", `{"a":[D(5),D(5)]}`, rules.Earliest.ID(), 5},
		{"negative before positive", "a", `{"a":[D(5),D(-5)]}`, rules.Earliest.ID(), -5},
		{"the date of _id", "_id", `{"_id":D(5)}`, rules.Date.ID(), 5},
		{"a DBRef's field can be indexed", "a.$id", `{"a":{"$ref":"c","$id":D(5),"x":1}}`, rules.Date.ID(), 5},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			c := vectorCollection(t, "8.0.4", `{}`, `[{"key":{"`+tt.path+`":1},"expireAfterSeconds":0}]`)
			checkVector(t, c, dates(tt.document), tt.rule, tt.deadline)
		})
	}
}

// TestKeysOfEveryKind: no kind but Date expires, alone or in an array.
func TestKeysOfEveryKind(t *testing.T) {
	id := [12]byte{1: 1}
	others := []policy.Value{
		policy.DoubleValue(5), policy.StringValue("1970-01-01"), policy.ObjectValue(policy.D{}), policy.BinaryValue(0, []byte{1}),
		valuefunc.F.RareValue(policy.Undefined, ""), policy.ObjectIDValue(id), policy.BoolValue(true), policy.RegexValue("x", ""),
		valuefunc.F.DBPointerValue("c", id), valuefunc.F.RareValue(policy.Code, "x"), valuefunc.F.RareValue(policy.Symbol, "x"), valuefunc.F.CodeWithScopeValue("x", policy.D{}),
		policy.Int32Value(5), policy.TimestampValue(0, 5), policy.Int64Value(5), policy.DecimalValue(0x3040<<48, 5),
		valuefunc.F.RareValue(policy.MinKey, ""), valuefunc.F.RareValue(policy.MaxKey, ""),
	}
	c := vectorCollection(t, "8.0.4", `{}`, `[{"key":{"t":1},"expireAfterSeconds":0}]`)
	for _, v := range others {
		for _, v := range []policy.Value{v, policy.ListValue(policy.A{v})} {
			d := c.Decide(policy.D{{Key: "t", Value: v}}, policy.MaxInstant)
			if d.State != policy.Never || d.Rule != rules.FieldNotDate {
				t.Errorf("%s: %v by %s, want never by %s", v.Kind(), d.State, d.Rule, rules.FieldNotDate)
			}
		}
		beside := policy.D{{Key: "t", Value: policy.ListValue(policy.A{v, policy.DateValue(7)})}}
		if d := c.Decide(beside, 7); d.State != policy.Expired || drawn.Deadline(d) != 7 {
			t.Errorf("%s beside a date: %v at %d, want expired at 7", v.Kind(), d.State, drawn.Deadline(d))
		}
	}
}

// TestKeysTimestamps: releases up to 2.6 compare the 64 bits of a timestamp with the
// milliseconds of the cutoff. The cutoff may lie before 1970 only if the delay is longer
// than the time from 1970 to 2012, the earliest clock of a server; the outcome is then
// unspecified. Timestamp(s, i) is s*2^32 + i.
func TestKeysTimestamps(t *testing.T) {
	stamp := func(s, i string) string { return `{"$timestamp":{"t":` + s + `,"i":` + i + `}}` }
	for _, tt := range []struct {
		version, delay, field, rule string
		deadline                    policy.Instant
	}{
		{"2.6.12", "0", stamp("1", "1"), rules.DateStrict.ID(), 4294967297 + 1},
		{"2.2.0", "10", stamp("100", "1"), rules.DateStrict.ID(), 429496729601 + 10_001},
		{"2.4.14", "0", stamp("1600000000", "1"), rules.DateStrict.ID(), 6871947673600000001 + 1},
		{"2.4.14", "0", stamp("2147483647", "4294967294"), rules.DateStrict.ID(), policy.MaxInstant},
		{"2.4.14", "0", stamp("2147483647", "4294967295"), rules.Unreachable.ID(), kept},
		{"2.4.14", "0", stamp("2147483648", "0"), rules.Unreachable.ID(), kept},
		{"2.4.14", "0", stamp("4294967295", "1"), rules.Unreachable.ID(), kept},
		{"3.0.0", "0", stamp("1", "1"), rules.FieldNotDate.ID(), kept},
		{"2.6.12", "1325376000", stamp("1", "1"), rules.DateStrict.ID(), 4294967297 + 1325376000_001},
		{"2.6.12", "1325376001", stamp("1", "1"), rules.TimestampUnspecified.ID(), kept},
		{"2.6.12", "2147483647", `["x",` + stamp("1", "1") + `]`, rules.TimestampUnspecified.ID(), kept},
		{"2.6.12", "0", `["x",` + stamp("1", "1") + `]`, rules.DateStrict.ID(), 4294967298},
		{"2.6.12", "0", `[` + stamp("1", "1") + `,D(4)]`, rules.DateStrict.ID(), 5},
		{"2.6.12", "0", `[D(4294967299),` + stamp("1", "1") + `]`, rules.DateStrict.ID(), 4294967298},
		{"3.0.0", "0", `[D(4294967299),` + stamp("1", "1") + `]`, rules.DateStrict.ID(), 4294967300},
	} {
		c := vectorCollection(t, tt.version, `{}`, `[{"key":{"t":1},"expireAfterSeconds":`+tt.delay+`}]`)
		checkVector(t, c, dates(`{"t":`+tt.field+`}`), tt.rule, tt.deadline)
	}
	within := vectorCollection(t, "2.6.12", `{}`, `[{"key":{"a.t":1},"expireAfterSeconds":0}]`)
	checkVector(t, within, `{"a":[{"t":`+stamp("1", "1")+`}]}`, rules.DateStrict.ID(), 4294967298)
	zero := vectorCollection(t, "2.6.12", `{}`, `[{"key":{"t":1},"v":0,"expireAfterSeconds":0}]`)
	checkVector(t, zero, dates(`{"t":[D(-5),`+stamp("1", "1")+`]}`), rules.DateStrict.ID(), 4294967298)
}

func TestKeysFirstOfRepeatedField(t *testing.T) {
	c := vectorCollection(t, "8.0.4", `{}`, `[{"key":{"t":1},"expireAfterSeconds":0}]`)
	doc := policy.D{{Key: "t", Value: policy.StringValue("x")}, {Key: "t", Value: policy.DateValue(1)}}
	raw := drawn.BSONOf(t, doc).Bytes()
	if d := c.DecideBSON(raw, 5); d.Rule != rules.FieldNotDate {
		t.Errorf("a string, then a date: %s, want %s", d.Rule, rules.FieldNotDate)
	}
	doc[0], doc[1] = doc[1], doc[0]
	raw = drawn.BSONOf(t, doc).Bytes()
	if d := c.DecideBSON(raw, 5); d.State != policy.Expired {
		t.Errorf("a date, then a string: %v by %s, want expired", d.State, d.Rule)
	}
}

// TestKeysCostIsLinear: the work over a hostile document is bounded by its size, not by
// the number of paths through it.
func TestKeysCostIsLinear(t *testing.T) {
	v := policy.DateValue(1)
	for range 100 {
		v = policy.ListValue(policy.A{v})
	}
	c := vectorCollection(t, "8.0.4", `{}`, `[{"key":{"t`+strings.Repeat(".0", 50)+`":1},"expireAfterSeconds":0}]`)
	if d := c.Decide(policy.D{{Key: "t", Value: v}}, 5); d.Rule != rules.ArrayNested {
		t.Errorf("50 positions into 100 arrays: %s, want %s", d.Rule, rules.ArrayNested)
	}
}

// TestVersionZero: up to 3.0 indexes of version 0 find no date before 1970 and read
// numbers in paths as names; up to 4.0 their effect is unspecified; 4.2 and later have no
// such indexes.
func TestVersionZero(t *testing.T) {
	tests := []struct {
		path, v, document string
		versions          []string
		rule              string
		deadline          policy.Instant
	}{
		{"t", `0`, `{"t":D(-1)}`, []string{"2.2.0", "2.4.14", "3.0.15"}, rules.VersionZero.ID(), kept},
		{"t", `{"$numberDouble":"0.0"}`, `{"t":D(-1)}`, []string{"2.4.14"}, rules.VersionZero.ID(), kept},
		{"t", `0`, `{"t":D(0)}`, []string{"2.2.0", "2.4.14", "3.0.15"}, rules.DateStrict.ID(), 1001},
		{"t", `0`, `{"t":[D(-1),D(5)]}`, []string{"2.2.0", "3.0.15"}, rules.DateStrict.ID(), 1006},
		{"t", `0`, `{"t":[D(-1),D(-5),"x"]}`, []string{"2.4.0"}, rules.VersionZero.ID(), kept},
		{"a.t", `0`, `{"a":[{"t":D(-1)},{"t":[D(7),D(-7)]}]}`, []string{"2.4.0"}, rules.DateStrict.ID(), 1008},
		{"t", `0`, `{"t":"x"}`, []string{"2.4.0"}, rules.FieldNotDate.ID(), kept},
		{"a.0", `0`, `{"a":[D(5)]}`, []string{"2.4.0"}, rules.FieldNull.ID(), kept},
		{"a.0", `0`, `{"a":[{"0":D(5)}]}`, []string{"2.4.0"}, rules.DateStrict.ID(), 1006},
		{"t", `0`, `{"t":D(5)}`, []string{"3.2.0", "4.0.28"}, rules.VersionZeroUnspecified.ID(), kept},
		{"t", `0`, `{"t":D(-5)}`, []string{"4.2.0", "8.0.4"}, rules.Date.ID(), 995},
		{"t", `1`, `{"t":D(-5)}`, []string{"2.2.0", "3.0.15"}, rules.DateStrict.ID(), 996},
		{"a.0", `1`, `{"a":[D(5)]}`, []string{"2.4.0"}, rules.DateStrict.ID(), 1006},
		{"t", `"0"`, `{"t":D(-5)}`, []string{"2.4.0"}, rules.DateStrict.ID(), 996}, // the version is not a number
	}
	for _, tt := range tests {
		for _, version := range tt.versions {
			t.Run(version+" v "+tt.v+" "+tt.path+" "+tt.document, func(t *testing.T) {
				c := vectorCollection(t, version, `{}`, `[{"v":`+tt.v+`,"key":{"`+tt.path+`":1},"expireAfterSeconds":1}]`)
				checkVector(t, c, dates(tt.document), tt.rule, tt.deadline)
				x := c.sources[0].index
				key, ok := x.Key(drawn.Value(t, dates(tt.document)))
				if wanted := tt.deadline != kept; ok != wanted && tt.rule != rules.VersionZero.ID() {
					t.Errorf("Key = %d, %v, want a key: %v", key, ok, wanted)
				} else if d := x.DecideKey(key, policy.MaxInstant); ok && wanted && drawn.Deadline(d) != tt.deadline {
					t.Errorf("by its key %d the deadline is %d, want %d", key, drawn.Deadline(d), tt.deadline)
				}
			})
		}
	}
	c := vectorCollection(t, "2.4.0", `{}`, `[{"v":0,"key":{"t":1},"expireAfterSeconds":1}]`)
	if d := c.sources[0].index.DecideKey(-1, policy.MaxInstant); d.State != policy.Never || d.Rule != rules.VersionZero {
		t.Errorf("the key -1: %v by %s, want never by %s", d.State, d.Rule, rules.VersionZero)
	}
}
