package filter

import (
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A kindSet is the operand of $type.
type kindSet struct {
	kinds [4]uint64 // one bit for each kind
	// inside means that only the elements of an array are tested, so that "array" matches
	// an array inside an array, as before 3.6.
	inside bool
}

func (s *kindSet) add(kinds ...policy.Kind) {
	for _, k := range kinds {
		s.kinds[k/64] |= 1 << (k % 64)
	}
}

func (s *kindSet) has(k policy.Kind) bool { return s.kinds[k/64]>>(k%64)&1 != 0 }

func (s *kindSet) isEmpty() bool { return s.kinds == [4]uint64{} }

// kindsOf returns the kinds that an operand of $type stands for.
func kindsOf(p behaviour.Profile, v policy.Value, place *place) ([]policy.Kind, *Refusal) {
	alias := value.Text(v)
	kind, known := kindByAlias(alias)
	switch {
	case v.Kind().IsNumber():
		return kindOfNumber(p, v, place)
	case v.Kind() != policy.String:
		return nil, refuse(codes.TypeMismatch, place, "type must be represented as a number or a string")
	case alias == "number":
		return []policy.Kind{policy.Double, policy.Int32, policy.Int64, policy.Decimal}, nil
	case !known:
		return nil, refuse(codes.BadValue, place, "Unknown type name alias: "+alias)
	}
	return []policy.Kind{kind}, nil
}

// kindByAlias returns the kind with an alias such as "date". It reports false for any
// other string, and for "number", which stands for several kinds.
func kindByAlias(alias string) (policy.Kind, bool) {
	for n := int64(-1); n <= 127; n++ {
		if isKind(n) && policy.Kind(n).String() == alias {
			return policy.Kind(n), true
		}
	}
	return 0, false
}

// isKind reports whether n is the number of a kind in $type. MinKey, 0xFF in BSON, is -1.
func isKind(n int64) bool {
	return n >= -1 && n != 0 && n <= 127 && policy.Kind(n).String() != "invalid"
}

// kindOfNumber returns the kind for a number in $type. Up to 4.0 there is a kind 0, which
// no value has; and up to 3.4 a number that is not whole or does not fit 32 bits stands
// for MinKey.
func kindOfNumber(p behaviour.Profile, v policy.Value, place *place) ([]policy.Kind, *Refusal) {
	n, isWhole := value.ExactInt64(v)
	switch old := p.Features < behaviour.FeaturesBanned; {
	case p.TypeZero && isWhole && n == 0:
		return []policy.Kind{policy.Missing}, nil
	case old && (!isWhole || n != int64(int32(n))):
		return []policy.Kind{policy.MinKey}, nil
	case isWhole && isKind(n):
		return []policy.Kind{policy.Kind(n)}, nil
	case p.TypeAny:
		return []policy.Kind{policy.Missing}, nil // no value has an unknown kind either
	}
	return nil, refuse(codes.BadValue, place, "Invalid numerical type code")
}
