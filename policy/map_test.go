package policy_test

import (
	"math"
	"strconv"
	"testing"
	"time"

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
		{"bytes", []byte("x"), policy.BinaryValue(0, []byte("x"))},
		{"no bytes", []byte(nil), policy.NullValue()},
		{"a list", []any{date, 1}, policy.ListValue(policy.A{day, policy.Int32Value(1)})},
		{"strings", []string{"x"}, policy.ListValue(policy.A{policy.StringValue("x")})},
		{"times", []time.Time{date}, policy.ListValue(policy.A{day})},
		{"no list", noList, policy.NullValue()},
		{"no map", noMap, policy.NullValue()},
		{"a Value", policy.MinKeyValue(), policy.MinKeyValue()},
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
		{policy.Map{"a": 1, "b": []any{nil, policy.Map{"c": time.Time{}}}, "d": policy.OpaqueValue()}, ""},
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

func TestMapAllocates(t *testing.T) {
	m := policy.Map{"createdAt": time.Unix(0, 0), "a": policy.Map{"b": 1}}
	if n := testing.AllocsPerRun(100, func() { m.Field("createdAt"); m.Field("a").Field("b") }); n > 0 {
		t.Errorf("Field allocates %v times", n)
	}
}
