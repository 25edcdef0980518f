package dump

import "github.com/ttlpolicy/ttlpolicy/policy"

func decodeExtJSON(raw []byte) (policy.Document, error) {
	d, err := policy.ParseJSON(raw)
	return d, err
}
