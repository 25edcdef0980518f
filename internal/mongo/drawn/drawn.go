// Package drawn is for tests alone. It draws stored options, filters, collections and releases,
// and has a model of delays, the releases by name, and documents that are not BSON.
package drawn

import (
	"bytes"
	"fmt"
	"io/fs"
	"math"
	"regexp"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
	"github.com/ttlpolicy/ttlpolicy/testdata"
)

// Value reads Extended JSON.
func Value(t testing.TB, text string) policy.Value {
	t.Helper()
	v, err := policy.ParseExtJSON([]byte(text))
	if err != nil {
		t.Fatalf("ParseExtJSON(%s): %v", text, err)
	}
	return v
}

// NamedInVectors returns the rules that the vectors of the suite name, by identifier.
func NamedInVectors(t testing.TB) map[string]bool {
	t.Helper()
	files, err := fs.Glob(testdata.Files, "vectors/[dm]o*.json") // documentdb and mongodb
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files of vectors, %v; want at least 10", len(files), err)
	}
	named := map[string]bool{}
	for _, name := range files {
		text, err := testdata.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range identifier.FindAllSubmatch(text, -1) {
			named[string(m[1])] = true
		}
	}
	return named
}

var identifier = regexp.MustCompile(`"((?:documentdb|mongo)\.[a-z0-9-]+)"`)

// Latest is the newest known release, in a form such as "8.0.4".
var Latest = behaviour.Latest.String()

// Behaviour returns the behaviour of a release, such as "8.0.4".
func Behaviour(t rapid.TB, release string) behaviour.Profile {
	t.Helper()
	var v behaviour.Version
	if _, err := fmt.Sscanf(release, "%d.%d.%d", &v.Major, &v.Minor, &v.Patch); err != nil {
		t.Fatalf("%s: %v", release, err)
	}
	p, ok := behaviour.Of(v)
	if !ok {
		t.Fatalf("%s is not described", release)
	}
	return p
}

// Numbers draws numbers that are close to one another, so that small differences occur.
var Numbers = rapid.Custom(func(t *rapid.T) policy.Value {
	base := rapid.OneOf(rapid.SampledFrom([]int64{0, 1, 5, 1 << 53, 1<<53 + 1, math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1, -1 << 53}),
		rapid.Int64()).Draw(t, "base")
	switch rapid.IntRange(0, 6).Draw(t, "kind") {
	case 0:
		return policy.Int32Value(int32(base))
	case 1, 2:
		return policy.Int64Value(base)
	case 3:
		step := rapid.SampledFrom([]float64{0, 0.5, -0.5, math.NaN(), math.Inf(1), math.Inf(-1)}).Draw(t, "step")
		return policy.DoubleValue(float64(base) + step)
	case 4:
		return policy.DoubleValue(rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 0.1, 5e-324, 1e300, -1e300, 0x1p63, -0x1p63}).Draw(t, "double"))
	case 5:
		exponent := rapid.SampledFrom([]uint64{6176, 6176 - 1, 6176 - 3, 6176 + 3, 6176 - 34, 0, 12287}).Draw(t, "exponent")
		sign := uint64(rapid.IntRange(0, 1).Draw(t, "sign")) << 63
		return policy.DecimalValue(sign|exponent<<49, uint64(base))
	}
	high := rapid.SampledFrom([]uint64{NaNBits, 0x78 << 56, 0xF8 << 56, 0x60 << 56, 1<<49 - 1}).Draw(t, "special")
	return policy.DecimalValue(high, rapid.Uint64().Draw(t, "low"))
})

// NaNBits is the upper 64 bits of a NaN in decimal128.
const NaNBits = 0x7C << 56

// scalars draws values of every scalar type, close to one another.
var scalars = rapid.OneOf(
	Numbers,
	Numbers,
	rapid.SampledFrom([]policy.Value{
		policy.StringValue(""), policy.StringValue("a"), policy.StringValue("ab"), policy.StringValue("b"), valuefunc.F.RareValue(policy.Symbol, "a"), valuefunc.F.RareValue(policy.Symbol, "ab"),
		policy.NullValue(), valuefunc.F.RareValue(policy.Undefined, ""), valuefunc.F.RareValue(policy.MinKey, ""), valuefunc.F.RareValue(policy.MaxKey, ""), policy.BoolValue(true), policy.BoolValue(false),
		policy.DateValue(0), policy.DateValue(1), policy.DateValue(math.MinInt64), policy.TimestampValue(0, 1), policy.TimestampValue(1, 0),
		policy.ObjectIDValue([12]byte{1}), policy.ObjectIDValue([12]byte{2}), valuefunc.F.DBPointerValue("a", [12]byte{1}), valuefunc.F.DBPointerValue("b", [12]byte{1}), valuefunc.F.DBPointerValue("ab", [12]byte{}),
		policy.BinaryValue(0, []byte("ab")), policy.BinaryValue(2, []byte("ab")), policy.BinaryValue(5, []byte("b")),
		policy.RegexValue("a", ""), policy.RegexValue("a", "i"), policy.RegexValue("ab", ""), valuefunc.F.RareValue(policy.Code, "a"), valuefunc.F.RareValue(policy.Code, "ab"),
	}),
)

// Kinds and Instants are declared in internal/drawn.
type Kinds = drawn.Kinds

var Instants = drawn.Instants

// Close draws values of every BSON type, close to one another, including documents with
// repeated names and code with variables.
var Close = Kinds{
	Scalars: scalars, Names: rapid.SampledFrom([]string{"a", "b", "c", "0", "ab", ""}), Repeated: true, Code: rapid.SampledFrom([]string{"a", "ab"}),
}

// BSONOf returns d as raw BSON.
func BSONOf(t rapid.TB, d policy.Document) policy.BSON {
	t.Helper()
	raw, err := policy.AppendBSON(nil, policy.ObjectValue(d))
	if err != nil {
		t.Fatal(err)
	}
	bson, err := policy.ParseBSON(raw)
	if err != nil {
		t.Fatal(err)
	}
	return bson
}

// A Row is a database's own type of document.
type Row struct{ Columns policy.D }

func (r *Row) Field(name string) policy.Value { return r.Columns.Field(name) }

// OddNames returns raw BSON with arrays whose elements have other names than their
// positions. A field "#name" with a document becomes a field "-name" with an array, whose
// elements have the names of the document's fields.
func OddNames(t testing.TB, text string) []byte {
	t.Helper()
	raw, err := policy.AppendBSON(nil, Value(t, text))
	if err != nil {
		t.Fatal(err)
	}
	// 0x03 is the type of a document, and "#" the first byte of its name.
	for i := bytes.Index(raw, []byte("\x03#")); i >= 0; i = bytes.Index(raw, []byte("\x03#")) {
		raw[i], raw[i+1] = byte(policy.List), '-'
	}
	return raw
}

// Deadline returns the deadline of a decision, or the last instant if there is none.
func Deadline(d policy.Decision) policy.Instant {
	deadline, _ := d.Deadline()
	return deadline
}
