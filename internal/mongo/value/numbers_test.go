package value

import (
	"cmp"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// exact returns the value of a number as a fraction. For NaN and the infinities it
// returns nil and a rank: -2 for NaN, -1 for minus infinity and +1 for plus infinity.
func exact(v policy.Value) (*big.Rat, int) {
	if n, ok := v.AsInt64(); ok {
		return new(big.Rat).SetInt64(n), 0
	}
	if f, ok := v.AsDouble(); ok {
		switch {
		case math.IsNaN(f):
			return nil, -2
		case math.IsInf(f, 0):
			return nil, int(math.Copysign(1, f))
		}
		return new(big.Rat).SetFloat64(f), 0
	}
	return exactDecimal(string(policy.AppendExtJSON(nil, v)))
}

// exactDecimal does what exact does for a decimal128 in canonical Extended JSON.
func exactDecimal(text string) (*big.Rat, int) {
	text = text[len(`{"$numberDecimal":"`) : len(text)-len(`"}`)]
	switch text {
	case "NaN":
		return nil, -2
	case "Infinity":
		return nil, +1
	case "-Infinity":
		return nil, -1
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text)
	}
	return r, 0
}

// modelCompare orders two numbers by exact arithmetic, NaN first.
func modelCompare(v, w policy.Value) int {
	a, placeA := exact(v)
	b, placeB := exact(w)
	if a != nil && b != nil {
		return a.Cmp(b)
	}
	return cmp.Compare(placeA, placeB)
}

func TestModelCompareNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, w := drawn.Numbers.Draw(t, "v"), drawn.Numbers.Draw(t, "w")
		if got, want := CompareNumbers(v, w), modelCompare(v, w); got != want {
			t.Fatalf("CompareNumbers(%v, %v) = %d, want %d", v, w, got, want)
		}
	})
}

// TestCompareOrder: the values of the list are in ascending order by Compare. Some types
// have several values in the list.
func TestCompareOrder(t *testing.T) {
	ascending := []string{
		`{"$minKey":1}`, `{"$undefined":true}`, `null`, `{"$numberDouble":"NaN"}`, `-1`, `{"$numberDouble":"0.5"}`, `{"$numberLong":"7"}`,
		`"a"`, `"aa"`, `"b"`, `{}`, `{"a":1}`, `{"a":2}`, `{"b":1}`, `{"b":1,"c":0}`, `{"a":"x"}`, `[]`, `[1]`, `[1,0]`, `[2]`,
		`{"$binary":{"base64":"AA==","subType":"00"}}`, `{"$binary":{"base64":"AA==","subType":"05"}}`, `{"$binary":{"base64":"AAA=","subType":"00"}}`,
		`{"$oid":"000000000000000000000001"}`, `{"$oid":"000000000000000000000002"}`, `false`, `true`,
		`{"$date":{"$numberLong":"-5"}}`, `{"$date":{"$numberLong":"5"}}`, `{"$timestamp":{"t":1,"i":1}}`, `{"$timestamp":{"t":1,"i":2}}`,
		`{"$regularExpression":{"pattern":"a","options":""}}`, `{"$regularExpression":{"pattern":"a","options":"i"}}`,
		`{"$code":"a"}`, `{"$maxKey":1}`,
	}
	for i, a := range ascending {
		for j, b := range ascending {
			got, ok := Compare(drawn.Value(t, a), drawn.Value(t, b))
			if want := cmp.Compare(i, j); !ok || got != want {
				t.Errorf("Compare(%s, %s) = %d, %v, want %d", a, b, got, ok, want)
			}
		}
	}
}

// TestCompareSortedNames: the elements of metadata have their positions as names, and the
// elements of an operand have their stored names.
func TestCompareSortedNames(t *testing.T) {
	metadata := drawn.Value(t, `[1]`)
	for name, want := range map[string]int{"0": 0, "1": -1, "": +1} {
		array := append(append([]byte{0x10}, name+"\x00"...), 1, 0, 0, 0, 0)
		doc := append([]byte{0x04, 'v', 0, byte(4 + len(array)), 0, 0, 0}, array...)
		doc = append(append([]byte{byte(4 + len(doc) + 1), 0, 0, 0}, doc...), 0)
		stored, err := policy.ParseBSON(doc)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := CompareSorted(metadata, stored.Field("v"), true); !ok || got != want {
			t.Errorf("[1] beside one whose element is called %q: %d, %t, want %d", name, got, ok, want)
		}
	}
}

func TestWholeInt32(t *testing.T) {
	const none = math.MaxInt64
	for _, test := range []struct {
		v    policy.Value
		want int64
	}{
		{policy.Int32Value(math.MinInt32), math.MinInt32},
		{policy.Int64Value(math.MaxInt32), math.MaxInt32},
		{policy.Int64Value(math.MaxInt32 + 1), none},
		{policy.Int64Value(1<<32 + 20), none},
		{policy.DoubleValue(20), 20},
		{policy.DoubleValue(math.Copysign(0, -1)), 0},
		{policy.DoubleValue(20.5), none},
		{policy.DoubleValue(-0.5), none},
		{policy.DoubleValue(math.MaxInt32), math.MaxInt32},
		{policy.DoubleValue(math.MaxInt32 + 1), none},
		{policy.DoubleValue(math.MinInt32), math.MinInt32},
		{policy.DoubleValue(math.MinInt32 - 1), none},
		{policy.DoubleValue(math.NaN()), none},
		{policy.DoubleValue(math.Inf(-1)), none},
		{policy.DecimalValue(0x3042000000000000, 2), 20},
		{policy.DateValue(20), none}, {policy.BoolValue(true), none}, {policy.NullValue(), none}, {policy.StringValue("20"), none}, {policy.Value{}, none},
	} {
		if n, ok := wholeInt32(test.v); ok != (test.want != none) || ok && int64(n) != test.want {
			t.Errorf("wholeInt32(%s) = %d, %t, want %d", test.v, n, ok, test.want)
		}
	}
}

func TestTruncate(t *testing.T) {
	tests := []struct {
		f    float64
		want int64
	}{
		{0.9, 0}, {-0.9, 0}, {1.5, 1}, {-1.5, -1}, {math.NaN(), 0}, {math.Copysign(0, -1), 0},
		{1<<63 - 1024, 1<<63 - 1024}, {1 << 63, math.MaxInt64}, {math.Inf(1), math.MaxInt64}, {math.MaxFloat64, math.MaxInt64},
		{-1 << 63, math.MinInt64}, {-1<<63 - 2048, math.MinInt64}, {math.Inf(-1), math.MinInt64},
	}
	for _, tt := range tests {
		if got := truncate(tt.f); got != tt.want {
			t.Errorf("truncate(%v) = %d, want %d", tt.f, got, tt.want)
		}
	}
}
