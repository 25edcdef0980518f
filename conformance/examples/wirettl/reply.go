package wirettl

import (
	"fmt"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// document returns fields of names and values in turn.
func document(pairs ...any) (d policy.D) {
	for i := 0; i < len(pairs); i += 2 {
		d = append(d, field(pairs[i].(string), pairs[i+1]))
	}
	return d
}

func field(name string, v any) policy.E { return policy.E{Key: name, Value: valueOf(v)} }

// valueOf returns the value of one of the Go types that replies are made of.
func valueOf(v any) policy.Value {
	switch v := v.(type) {
	case policy.Value:
		return v
	case policy.D:
		return policy.ObjectValue(v)
	case []policy.Value:
		return policy.ListValue(policy.A(v))
	case string:
		return policy.StringValue(v)
	case bool:
		return policy.BoolValue(v)
	case int: // a length or a constant
		return policy.Int32Value(int32(v))
	case int32:
		return policy.Int32Value(v)
	case int64:
		return policy.Int64Value(v)
	case float64:
		return policy.DoubleValue(v)
	case time.Time:
		return policy.DateValue(policy.InstantOf(v))
	}
	panic(fmt.Sprintf("wirettl: a reply cannot hold a %T", v)) // a mistake of this package, which any call shows
}

// withMissing appends a field unless the value is Missing.
func withMissing(d policy.D, name string, v policy.Value) policy.D {
	if v.IsMissing() {
		return d
	}
	return append(d, policy.E{Key: name, Value: v})
}
