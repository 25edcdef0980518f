package policy_test

import (
	"github.com/ttlpolicy/ttlpolicy/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func init() { policy.DrawnValues, policy.DrawnDocuments = drawn.Any.Values, drawn.Any.Documents }
