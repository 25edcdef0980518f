package engine

import (
	"encoding/binary"
	"hash/fnv"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Fingerprint returns the fingerprint of a policy that the parts describe, in their
// order.
func Fingerprint(parts ...string) (f policy.Fingerprint) {
	h := fnv.New128a()
	for _, part := range append([]string{"ttlpolicy fingerprint 1"}, parts...) {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		h.Write([]byte(part))
	}
	copy(f[:], h.Sum(nil))
	return f
}
