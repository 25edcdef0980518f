package rows

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/cockroachdb/apd/v3"
	"github.com/shopspring/decimal"
	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/inputs"
	"github.com/ttlpolicy/ttlpolicy/internal/base/decimal128"
	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
)

const (
	parseFloat = "strconv.ParseFloat"
	shopspring = "shopspring/decimal, guarded"
	apdDecimal = "apd"
	bigRat     = "big.Rat"
)

// noInt32 is the answer for a number that is not an int32.
const noInt32 = math.MaxInt64

// A text is the text of a number, and the peers that read it differently.
type text struct {
	name, digits string
	exceptions   []Exception
}

// notInteger returns the text of a whole number that is no integer for Cosmos DB, such as
// 20.0. The peers return 20 for it.
func notInteger(digits string) text {
	const why = "20.0 and 2e1 are no integers for Cosmos DB's core; the peer is asked for the value"
	t := text{name: digits, digits: digits}
	for _, side := range []string{parseFloat, shopspring, apdDecimal, bigRat} {
		t.exceptions = append(t.exceptions, Exception{Side: side, Why: why})
	}
	return t
}

var texts = []text{
	{name: "20", digits: "20"},
	{name: "2592000", digits: "2592000"},
	notInteger("20.0"),
	notInteger("2e1"),
	{name: "20.5", digits: "20.5"},
	{name: "1e400", digits: "1e400"},
	{name: "1e1000000000", digits: "1e1000000000"},
	{name: "20. with 47 zeros and a 1", digits: "20." + strings.Repeat("0", 47) + "1", exceptions: []Exception{
		{Side: parseFloat, Why: "it rounds to 20"}}},
	{name: "10,000 digits", digits: strings.Repeat("7", 10_000)},
}

// numbers returns a work for each text, because each text has its own cost.
func numbers() (works []maker) {
	for _, t := range texts {
		works = append(works, func(Size) Work {
			read := func(name string, read func(string) int64) Side {
				return one(name, func() int64 { return read(t.digits) })
			}
			picks := []jsontext.Pick{{Name: "ttl"}}
			jsontext.Check([]byte(`{"ttl":`+t.digits+`}`), picks)
			return Work{
				Name: t.name, Exceptions: t.exceptions,
				Sides: []Side{
					one(Ours, func() int64 { return int32Or(picks[0].AsInt64()) }), // as it was found in an item
					read(parseFloat, float),
					read(shopspring, func(s string) int64 { return guarded(decimal.NewFromString(s)) }),
					read(apdDecimal, apdInt32(new(apd.Decimal))),
					read(bigRat, rat),
				},
			}
		})
	}
	return append(works, millionDigits)
}

// millionDigits measures the cost per byte of a hostile number with a million digits. The
// number is refused as soon as it is found. Finding its end takes time, so the check of
// the text is measured too.
func millionDigits(Size) Work {
	const n = 1_000_000
	item := []byte(`{"ttl":` + strings.Repeat("7", n) + `}`)
	picks := []jsontext.Pick{{Name: "ttl"}}
	return Work{
		Name: "1,000,000 digits, found and read",
		Sides: []Side{one(Ours, func() int64 {
			jsontext.Check(item, picks)
			return int32Or(picks[0].AsInt64())
		})},
	}
}

// one returns a side with a single input.
func one(name string, read func() int64) Side {
	return Side{Name: name, N: 1, Do: func(int, int) int64 { return read() }}
}

func int32Or(n int64, ok bool) int64 {
	if !ok || n != int64(int32(n)) {
		return noInt32
	}
	return n
}

func float(s string) int64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<40 {
		return noInt32
	}
	return int32Or(int64(f), true)
}

// guarded returns d as an int32, or noInt32. It checks the number of digits and the
// exponent before it computes the integer, so that no exponent makes it slow.
func guarded(d decimal.Decimal, err error) int64 {
	if err != nil {
		return noInt32
	}
	if d.IsZero() {
		return 0
	}
	magnitude := d.NumDigits() + int(d.Exponent())
	if magnitude > 10 || magnitude < 1 || !d.IsInteger() {
		return noInt32
	}
	return int32Or(d.IntPart(), true)
}

// apdInt32 returns a function that reads a text into d, which is reused, and returns its
// int32.
func apdInt32(d *apd.Decimal) func(string) int64 {
	return func(s string) int64 {
		if _, _, err := d.SetString(s); err != nil {
			return noInt32
		}
		n, err := d.Int64()
		return int32Or(n, err == nil)
	}
}

// rat does not reuse a big.Rat, because SetString allocates new integers anyway.
func rat(s string) int64 {
	var r big.Rat
	if _, ok := r.SetString(s); !ok || !r.IsInt() {
		return noInt32
	}
	return int32Or(r.Num().Int64(), r.Num().IsInt64())
}

const (
	bigIntDecimal = "driver BigInt + shopspring/decimal, guarded"
	stringApd     = "driver String + apd"
)

// decimals are values of all sorts: small, with trailing zeros, far too large, far too
// small, and with the maximum number of digits.
var decimals = []string{
	"20", "20.0", "2E+1", "20.5", "2592000.000000000000000000000000",
	"1E+400", "1E+6111", "1E-6176", "9.999999999999999999999999999999999E+6144",
}

// decimalsToInt32 makes the works that convert a Decimal128 to an int32. A peer gets the
// driver's value of the same 128 bits.
func decimalsToInt32() (works []maker) {
	for _, value := range decimals {
		works = append(works, func(Size) Work {
			d, read := inputs.Must(bson.ParseDecimal128(value)), apdInt32(new(apd.Decimal))
			return Work{
				Name: value,
				Sides: []Side{
					decimalSide(Ours, d),
					one(bigIntDecimal, func() int64 {
						n, exponent, err := d.BigInt()
						return guarded(fromBigInt(n, exponent), err)
					}),
					one(stringApd, func() int64 { return read(d.String()) }),
				},
			}
		})
	}
	return works
}

// decimalSide reads the int32 from the 128 bits each time, as a reader of BSON does.
func decimalSide(name string, d bson.Decimal128) Side {
	return one(name, func() int64 {
		n, ok := decimal128.Int32(d.GetBytes())
		return int32Or(int64(n), ok)
	})
}

// fromBigInt makes a decimal from the driver's two parts. The exponent fits 15 bits.
func fromBigInt(n *big.Int, exponent int) decimal.Decimal {
	if n == nil {
		return decimal.Decimal{}
	}
	return decimal.NewFromBigInt(n, int32(exponent))
}
