package mongo

import (
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/filter"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// checkFilterSize refuses partial filters that are too large together.
func checkFilterSize(indexes []IndexSpec) error {
	return filter.CheckSizes(func(yield func(string, policy.Value) bool) {
		for _, x := range indexes {
			if !yield(x.Name, x.PartialFilterExpression) {
				return
			}
		}
	})
}

// specErrorOf returns the refusal of a partial filter, nil for none.
func specErrorOf(refused *filter.Refusal) error {
	if refused == nil {
		return nil
	}
	return &SpecError{Code: ErrorCode(refused.Code), Field: refused.Place, Reason: refused.Reason}
}
