package policy_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

type status string

type named struct{ policy.Map }

func TestMap(t *testing.T) {
	date := time.Date(2026, 11, 20, 12, 0, 0, 999_999, time.FixedZone("", 3600))
	day := policy.DateValue(1795172400000)
	var noMap policy.Map
	var noList []any
	for _, tt := range []struct {
		name  string
		value any
		want  policy.Value
	}{
		{"nil", nil, policy.NullValue()},
		{"bool", true, policy.BoolValue(true)},
		{"string", "x", policy.StringValue("x")},
		{"a time in another zone, in the millisecond that contains it", date, day},
		{"Instant", policy.Instant(1795172400000), day},
		{"int", 7, policy.Int32Value(7)},
		{"int8", int8(-7), policy.Int32Value(-7)},
		{"int16", int16(-7), policy.Int32Value(-7)},
		{"int32", int32(-7), policy.Int32Value(-7)},
		{"int64", int64(7), policy.Int64Value(7)},
		{"uint8", uint8(7), policy.Int32Value(7)},
		{"uint16", uint16(7), policy.Int32Value(7)},
		{"uint32", uint32(math.MaxUint32), policy.Int64Value(math.MaxUint32)},
		{"uint", uint(7), policy.Int64Value(7)},
		{"uint64", uint64(math.MaxInt64), policy.Int64Value(math.MaxInt64)},
		{"an unsigned number beyond int64", uint64(math.MaxInt64 + 1), policy.OpaqueValue()},
		{"float32", float32(0.5), policy.DoubleValue(0.5)},
		{"float64", 20.0, policy.DoubleValue(20)},
		{"a whole float64, which may have been 10 or 10.0", 10.0, policy.DoubleValue(10)},
		{"json.Number", json.Number("10"), policy.Int32Value(10)},
		{"json.Number with a point", json.Number("10.0"), policy.DoubleValue(10)},
		{"json.Number with an exponent", json.Number("1e1"), policy.DoubleValue(10)},
		{"json.Number, exact", json.Number("9007199254740993"), policy.Int64Value(9007199254740993)},
		{"json.Number of -0", json.Number("-0"), policy.DoubleValue(math.Copysign(0, -1))},
		{"json.Number beyond", json.Number("9223372036854775808"), policy.DoubleValue(1 << 63)},
		{"json.Number of none", json.Number("ten"), policy.OpaqueValue()},
		{"json.Number of nothing", json.Number(""), policy.OpaqueValue()},
		{"json.Number with a rest", json.Number("10 "), policy.OpaqueValue()},
		{"raw text", json.RawMessage("10"), policy.OpaqueValue()},
		{"bytes", []byte("x"), policy.BinaryValue(0, []byte("x"))},
		{"no bytes", []byte(nil), policy.NullValue()},
		{"a list", []any{date, 1}, policy.ListValue(policy.A{day, policy.Int32Value(1)})},
		{"strings", []string{"x"}, policy.ListValue(policy.A{policy.StringValue("x")})},
		{"times", []time.Time{date}, policy.ListValue(policy.A{day})},
		{"no list", noList, policy.NullValue()},
		{"no map", noMap, policy.NullValue()},
		{"a Value", valuefunc.F.RareValue(policy.MinKey, ""), valuefunc.F.RareValue(policy.MinKey, "")},
		{"a Document", policy.D{{Key: "a", Value: day}}, policy.ObjectValue(policy.D{{Key: "a", Value: day}})},
		{"an Array", policy.A{day}, policy.ListValue(policy.A{day})},
		{"a named type", status("x"), policy.OpaqueValue()},
		{"a pointer", &date, policy.OpaqueValue()},
		{"a duration", time.Hour, policy.OpaqueValue()},
		{"a channel", make(chan int), policy.OpaqueValue()},
	} {
		if got := (policy.Map{"f": tt.value}).Field("f"); got.Kind() != tt.want.Kind() || got.Kind() != policy.Opaque && !got.Equal(tt.want) {
			t.Errorf("%s: Field = %v, want %v", tt.name, got, tt.want)
		}
	}
	if strconv.IntSize == 64 {
		for _, n := range []int64{math.MaxInt32 + 1, math.MinInt32 - 1} {
			if got := (policy.Map{"f": int(n)}).Field("f"); !got.Equal(policy.Int64Value(n)) {
				t.Errorf("an int of %d: Field = %v, want an Int64", n, got)
			}
		}
	}
	if !(policy.Map{"f": 1}).Field("g").IsMissing() || !(policy.Map)(nil).Field("f").IsMissing() {
		t.Error("a field that is not there is found")
	}
	inner := policy.Map{"a": map[string]any{"b": []policy.Map{{"c": date}}}}.Field("a").Field("b")
	if list := policy.AOf(inner); len(list) != 1 || !list[0].Field("c").Equal(day) {
		t.Errorf("within a map, a list and a Map stands %v", inner)
	}
}

func TestMapCheck(t *testing.T) {
	for _, tt := range []struct {
		m    policy.Map
		want string
	}{
		{nil, ""},
		{policy.Map{"a": 1, "b": []any{nil, policy.Map{"c": time.Unix(0, 0)}}, "d": policy.OpaqueValue()}, ""},
		{policy.Map{"z": status(""), "a": time.Hour}, "policy: a is of type time.Duration, which Map does not support"},
		{policy.Map{"a": []any{1, map[string]any{"b": []policy.Map{{"c": status("")}}}}}, "policy: a.1.b.0.c is of type policy_test.status, which Map does not support"},
		{policy.Map{"a": uint64(math.MaxUint64)}, "policy: a is of type uint64, which Map does not support"},
		{policy.Map{"a": named{}}, ""}, // a Document
	} {
		got := ""
		if err := tt.m.Check(); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("Check = %q, want %q", got, tt.want)
		}
	}
}

// TestMapOfNumbers: a map that encoding/json decodes with UseNumber has the same fields as
// JSON reads from the text.
func TestMapOfNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := fuzzing.Drawn.Draw(t, "choices").JSON(2, "ttl", "_ts", "a")
		var m map[string]any
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&m); err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(m) // the last of two members of one name
		if err != nil {
			t.Fatal(err)
		}
		raw, err := policy.ParseJSON(again)
		if err != nil {
			t.Fatal(err)
		}
		for name := range m {
			checkSame(t, string(again), policy.Map(m).Field(name), raw.Field(name))
		}
	})
}

func checkSame(t *rapid.T, text string, got, want policy.Value) {
	switch want.Kind() {
	case policy.Object:
		for f := want.Fields(); f.Next(); {
			checkSame(t, text, got.Field(f.Name()), f.Value())
		}
	case policy.List:
		g, w := policy.AOf(got), policy.AOf(want)
		if len(g) != len(w) {
			t.Fatalf("%s: %s, want %s", text, got, want)
		}
		for i := range w {
			checkSame(t, text, g[i], w[i])
		}
	default:
		if !got.Equal(want) {
			t.Fatalf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestMapAllocates(t *testing.T) {
	m := policy.Map{"createdAt": time.Unix(0, 0), "a": policy.Map{"b": 1}, "n": json.Number("10")}
	if n := testing.AllocsPerRun(100, func() { m.Field("createdAt"); m.Field("a").Field("b"); m.Field("n") }); n > 0 {
		t.Errorf("Field allocates %v times", n)
	}
}

// TestUnsetTimes: a time that nobody has set, or that no date can hold, keeps its document.
func TestUnsetTimes(t *testing.T) {
	at := time.Unix(0, 0)
	type stamp time.Time
	for _, tt := range []struct {
		v    any
		want policy.Kind
		err  string
	}{
		{at, policy.Date, ""},
		{time.UnixMilli(math.MinInt64), policy.Date, ""},
		{time.UnixMilli(math.MaxInt64), policy.Date, ""},
		{time.UnixMilli(math.MaxInt64).Add(time.Millisecond - 1), policy.Date, ""},
		{time.UnixMilli(math.MaxInt64).Add(time.Millisecond), policy.Opaque, "is the time"},
		{time.UnixMilli(math.MinInt64).Add(-1), policy.Opaque, "is the time"},
		{time.Unix(-1<<62, 0), policy.Opaque, "is the time"},
		{time.Time{}, policy.Opaque, "at is the time 0001-01-01T00:00:00Z"},
		{time.Time{}.In(time.FixedZone("", 3600)), policy.Opaque, "at is the time 0001-01-01T00:00:00Z"},
		{[]time.Time{at, {}}, policy.List, "at.1 is the time"},
		{policy.InstantOf(time.Time{}), policy.Date, ""},
		{&at, policy.Opaque, "*time.Time"},
		{stamp(at), policy.Opaque, "stamp"},
		{sql.NullTime{Time: at, Valid: true}, policy.Opaque, "sql.NullTime"},
	} {
		m := policy.Map{"at": tt.v}
		err := m.Check()
		if got := m.Field("at").Kind(); got != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%T %v is a %s, %v, want a %s and an error with %q", tt.v, tt.v, got, err, tt.want, tt.err)
		}
	}
}

// TestMapOfMaps: a list of map[string]any is a list of documents, as decoders make it.
func TestMapOfMaps(t *testing.T) {
	m := policy.Map{"a": []map[string]any{{"t": policy.Instant(5)}, nil, {"t": time.Time{}}}, "none": []map[string]any(nil)}
	list := m.Field("a").Elements()
	if !list.Next() || list.Value().Field("t").String() != policy.DateValue(5).String() || !list.Next() || list.Value().Kind() != policy.Null {
		t.Errorf("the list is %s", m.Field("a"))
	}
	if got := m.Field("none").Kind(); got != policy.Null {
		t.Errorf("a nil slice is %s", got)
	}
	if err := m.Check(); err == nil || !strings.Contains(err.Error(), "a.2.t") {
		t.Errorf("Check = %v, want an error about a.2.t", err)
	}
}
