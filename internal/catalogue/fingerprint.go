package catalogue

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Fingerprint returns the fingerprint of a policy that the parts describe, each of which
// counts with its place.
func Fingerprint(parts ...string) (f policy.Fingerprint) {
	h := sha256.New()
	for _, part := range append([]string{"ttlpolicy fingerprint 1"}, parts...) {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		h.Write([]byte(part))
	}
	copy(f[:], h.Sum(nil))
	return f
}
