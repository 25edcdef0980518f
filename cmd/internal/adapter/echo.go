package adapter

import (
	"encoding/json"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// echo returns the value that it gets, read and written by the library, so that
// a runner sees what the adapter loses on the way: nothing.
func echo(in object, _ target) (any, error) {
	v, err := in.value("value")
	if err != nil {
		return nil, err
	}
	return map[string]json.RawMessage{"value": policy.AppendExtJSON(nil, v)}, nil
}
