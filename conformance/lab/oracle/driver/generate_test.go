package driver

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/base/draw"
	"github.com/ttlpolicy/ttlpolicy/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// kinds draws values of every kind. For three kinds it draws only values that the driver
// writes correctly.
var kinds = drawn.Kinds{Scalars: rapid.Custom(func(t *rapid.T) policy.Value {
	v := drawn.Any.Scalars.Draw(t, "scalar")
	switch v.Kind() {
	case policy.Binary: // the driver writes empty data of subtype 2 wrongly
		if subtype, data, _ := v.AsBinary(); len(data) == 0 {
			return policy.BinaryValue(subtype, []byte{7})
		}
	case policy.Regex: // the driver sorts the options
		pattern, _, _ := v.AsRegex()
		options := rapid.SliceOfDistinct(rapid.SampledFrom([]rune("ilmsux")), rapid.ID).Draw(t, "options")
		slices.Sort(options)
		return policy.RegexValue(pattern, string(options))
	case policy.DBPointer: // the driver does not escape a namespace
		return valuefunc.F.DBPointerValue(rapid.StringMatching(`[a-z.]{0,5}`).Draw(t, "namespace"), draw.IDs.Draw(t, "id"))
	}
	return v
}), Names: drawn.Any.Names, Repeated: true, Code: drawn.Any.Code}
