package rows

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/cockroachdb/apd/v3"
	"github.com/shopspring/decimal"
	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/inputs"
	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/race"
	"github.com/ttlpolicy/ttlpolicy/internal/decimal128"
	"github.com/ttlpolicy/ttlpolicy/internal/jsontext"
)

const (
	parseFloat = "strconv.ParseFloat"
	shopspring = "shopspring/decimal, guarded"
	apdDecimal = "apd"
	bigRat     = "big.Rat"
)

// noInt32 is the answer that a number is no int32.
const noInt32 = math.MaxInt64

// A text is a number to be read, and what the peers make of it.
type text struct {
	name, digits string
	exceptions   []race.Exception
}

// notSpelled is for what is an integer that is not spelled as one: Cosmos DB
// tells 20.0 from 20, the peers are asked for the number's value.
func notSpelled(name, digits string) text {
	const why = "20.0 and 2e1 are no integers for Cosmos DB's core; the peer is asked for the value"
	t := text{name: name, digits: digits}
	for _, side := range []string{parseFloat, shopspring, apdDecimal, bigRat} {
		t.exceptions = append(t.exceptions, race.Exception{Side: side, Why: why})
	}
	return t
}

var texts = []text{
	{name: "20", digits: "20"},
	{name: "2592000", digits: "2592000"},
	notSpelled("20.0", "20.0"),
	notSpelled("2e1", "2e1"),
	{name: "20.5", digits: "20.5"},
	{name: "1e400", digits: "1e400"},
	{name: "1e1000000000", digits: "1e1000000000"},
	{name: "20. with 47 zeros and a 1", digits: "20." + strings.Repeat("0", 47) + "1", exceptions: []race.Exception{
		{Side: parseFloat, Why: "it rounds to 20"}}},
	{name: "10,000 digits", digits: strings.Repeat("7", 10_000)},
}

// numbers are one text each: what a text costs is another thing for each.
func numbers() (works []Maker) {
	for _, t := range texts {
		works = append(works, func(Size) (race.Work, error) {
			return race.Work{
				Row: "G9", Name: t.name, Exceptions: t.exceptions,
				Sides: []race.Side{
					textOurs(t.digits),
					textSide(parseFloat, t.digits, float),
					textSide(shopspring, t.digits, func(s string) int64 { return guarded(decimal.NewFromString(s)) }),
					textSide(apdDecimal, t.digits, apdSide()),
					textSide(bigRat, t.digits, rat),
				},
				Goals: []race.Goal{
					race.Ahead(parseFloat, 1.89), race.Ahead(shopspring, 5.2), race.Ahead(apdDecimal, 7.4), race.Ahead(bigRat, 15.3),
				},
			}, nil
		})
	}
	return append(works, millionDigits)
}

// millionDigits is what a byte of a hostile text costs. A number of that length
// is none as soon as it is found; what takes time is to check that it ends, so
// that is measured too.
func millionDigits(Size) (race.Work, error) {
	const n = 1_000_000
	item := []byte(`{"ttl":` + strings.Repeat("7", n) + `}`)
	picks := []jsontext.Pick{{Name: "ttl"}}
	ours := race.Side{Name: race.Ours, N: 1, Do: func(int, int) int64 {
		jsontext.Check(item, picks)
		number, ok := picks[0].AsInt64()
		return int32Or(number, ok)
	}}
	return race.Work{
		Row: "G9", Name: "1,000,000 digits, found and read", Sides: []race.Side{ours},
		Goals: []race.Goal{{Name: "a byte", Want: 0.2, AtMost: true, Unit: "ns", Ratio: func(m race.Medians) float64 { return m.Of(race.Ours) / n }}},
	}, nil
}

// textOurs reads the number where it was found in an item.
func textOurs(digits string) race.Side {
	picks := []jsontext.Pick{{Name: "ttl"}}
	jsontext.Check([]byte(`{"ttl":`+digits+`}`), picks)
	return race.Side{Name: race.Ours, N: 1, Do: func(int, int) int64 {
		n, ok := picks[0].AsInt64()
		return int32Or(n, ok)
	}}
}

func int32Or(n int64, ok bool) int64 {
	if !ok || n != int64(int32(n)) {
		return noInt32
	}
	return n
}

func textSide(name, digits string, read func(string) int64) race.Side {
	return race.Side{Name: name, N: 1, Do: func(int, int) int64 { return read(digits) }}
}

func float(s string) int64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<40 {
		return noInt32
	}
	return int32Or(int64(f), true)
}

// guarded is the order of questions in which no value of any exponent is
// costly: its digits and exponent first, its integer last.
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

// apdSide reuses one number.
func apdSide() func(string) int64 {
	var d apd.Decimal
	return func(s string) int64 {
		if _, _, err := d.SetString(s); err != nil {
			return noInt32
		}
		n, err := d.Int64()
		return int32Or(n, err == nil)
	}
}

// rat reuses nothing: SetString makes the integers anew.
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

// decimals are the values of all sorts: small, with zeros behind, far outside,
// far too small, and of as many digits as there can be.
var decimals = []string{
	"20", "20.0", "2E+1", "20.5", "2592000.000000000000000000000000",
	"1E+400", "1E+6111", "1E-6176", "9.999999999999999999999999999999999E+6144",
}

// decimalsToInt32 asks a Decimal128 for its int32. A peer is given what the
// driver makes of the same 128 bits.
func decimalsToInt32() (works []Maker) {
	for _, value := range decimals {
		works = append(works, func(Size) (race.Work, error) {
			d := inputs.Must(bson.ParseDecimal128(value))
			var number apd.Decimal
			return race.Work{
				Row: "G10", Name: value,
				Sides: []race.Side{
					decimalSide(race.Ours, d),
					{Name: bigIntDecimal, N: 1, Do: func(int, int) int64 {
						n, exponent, err := d.BigInt()
						return guarded(fromBigInt(n, exponent), err)
					}},
					{Name: stringApd, N: 1, Do: func(int, int) int64 {
						if _, _, err := number.SetString(d.String()); err != nil {
							return noInt32
						}
						n, err := number.Int64()
						return int32Or(n, err == nil)
					}},
				},
				Goals: []race.Goal{race.Ahead(bigIntDecimal, 10), race.Ahead(stringApd, 10)},
			}, nil
		})
	}
	return append(works, constant)
}

// constant compares the dearest of the values with the cheapest.
func constant(Size) (race.Work, error) {
	w := race.Work{Row: "G10", Name: "any value"}
	for _, value := range decimals {
		s := decimalSide(value, inputs.Must(bson.ParseDecimal128(value)))
		s.Apart = true
		w.Sides = append(w.Sides, s)
	}
	w.Goals = []race.Goal{{Name: "the dearest over the cheapest", Want: 1.95, AtMost: true, Ratio: func(m race.Medians) float64 {
		least, most := math.Inf(1), 0.0
		for _, ns := range m {
			least, most = min(least, ns), max(most, ns)
		}
		return most / least
	}}}
	return w, nil
}

// decimalSide makes the Value of the bits each time, as a reader of BSON does.
func decimalSide(name string, d bson.Decimal128) race.Side {
	return race.Side{Name: name, N: 1, Do: func(int, int) int64 {
		n, ok := decimal128.Int32(d.GetBytes())
		return int32Or(int64(n), ok)
	}}
}

// fromBigInt is a decimal of the driver's two parts, the second of which fits
// 15 bits.
func fromBigInt(n *big.Int, exponent int) decimal.Decimal {
	if n == nil {
		return decimal.Decimal{}
	}
	return decimal.NewFromBigInt(n, int32(exponent))
}
