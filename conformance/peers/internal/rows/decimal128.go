package rows

import (
	"math"
	"math/big"

	"github.com/cockroachdb/apd/v3"
	"github.com/shopspring/decimal"
	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/inputs"
	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/race"
	"github.com/ttlpolicy/ttlpolicy/internal/decimal128"
)

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
	w.Goals = []race.Goal{{Name: "the dearest over the cheapest", Want: 4, AtMost: true, Ratio: func(m race.Medians) float64 {
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
