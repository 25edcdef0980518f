package command

import (
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// storedSeconds returns the option that the catalog holds after the new option has
// replaced the stored option.
//
// MMAPv1 writes the number over the old one and in its type, so that an int32 loses the
// bits that do not fit: 4294967296 is stored as 0, and everything expires (mongodb/mongo:
// src/mongo/db/namespace_details.cpp of 2.4, updateTTLIndex;
// src/mongo/db/catalog/index_catalog.cpp of 2.6 and
// src/mongo/db/storage/mmap_v1/catalog/namespace_details_collection_entry.cpp of 3.0 to
// 4.0, updateTTLSetting). Other engines store an int64
// (src/mongo/db/storage/bson_collection_catalog_entry.cpp).
func (m *collModCommand) storedSeconds(stored policy.Value) (policy.Value, error) {
	const at = "index.expireAfterSeconds"
	anew, inPlace := policy.Int64Value(m.seconds), inPlaceOf(stored, m.seconds)
	switch m.profile.CollModStores {
	case behaviour.StoresByDouble:
		return byDouble(stored, m.change.seconds, inPlace), nil
	case behaviour.StoresInPlace:
		return inPlace, firstOf(refusal{inPlace.IsMissing(), codes.StoredNotNumber, rules.CollModInPlaceDecimal, at, "current 'expireAfterSeconds' is not a number"})
	case behaviour.StoresByEngine:
		differ := inPlace.IsMissing() || value.CompareNumbers(inPlace, anew) != 0
		return inPlace, firstOf(refusal{differ, 0, rules.CollModEngineUnspecified, at, ""})
	}
	if m.profile.StoresInt32 {
		return policy.Int32Value(int32(m.seconds)), nil
	}
	return anew, nil
}

// inPlaceOf returns the result of overwriting a stored number with n: an int32 takes the
// low 32 bits. It returns Missing for a decimal, which cannot be overwritten.
func inPlaceOf(stored policy.Value, n int64) policy.Value {
	switch stored.Kind() {
	case policy.Int32:
		return policy.Int32Value(int32(n))
	case policy.Double:
		return policy.DoubleValue(float64(n))
	case policy.Int64:
		return policy.Int64Value(n)
	}
	return policy.Value{}
}

// byDouble returns the result of overwriting a stored number as 2.4 does. Over an int32
// or a double the new number is first converted to a double, which keeps fractions and
// NaN. Over an int64 the result is inPlace.
func byDouble(stored, wanted, inPlace policy.Value) policy.Value {
	f, ok := wanted.AsDouble()
	if n, isInteger := wanted.AsInt64(); isInteger {
		f, ok = float64(n), true
	}
	switch {
	case !ok: // no other kind gets here
	case stored.Kind() == policy.Int32:
		return policy.Int32Value(plainInt32(f))
	case stored.Kind() == policy.Double:
		return policy.DoubleValue(f)
	}
	return inPlace
}
