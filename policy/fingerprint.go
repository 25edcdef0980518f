package policy

import (
	"encoding/hex"
	"fmt"
)

// A Fingerprint identifies a compiled policy, for logs, for stores that keep deadlines,
// and for replicas that must decide alike. The Fingerprint method of an evaluator returns
// it. The zero Fingerprint belongs to a zero evaluator, which keeps every document.
//
// Evaluators with the same Fingerprint make the same decision about every document at
// every instant, unless somebody chose their definitions to collide: the 128-bit FNV-1a
// hash is small and fast, and does not protect against deliberate collisions. A sweep
// that decides again before it deletes, as [github.com/ttlpolicy/ttlpolicy/policy/sweep]
// does, deletes nothing wrong after a collision.
//
// The hash covers the engine, the version of its rules, the parts of the definition
// that affect expiry, and, on MongoDB, the behaviour of the release with its
// parameters. It does not cover the names of indexes, or whether a number is an Int32
// or an Int64. Evaluators with different Fingerprints may decide alike.
//
// A Fingerprint is the same on every platform and in every patch release of this library.
// A minor or major release may change it, and changes it whenever RulesVersion of the
// engine changes. A store that finds a different Fingerprint with its deadlines therefore
// decides about its documents again.
type Fingerprint [16]byte

// String returns f as 32 hexadecimal digits.
func (f Fingerprint) String() string { return hex.EncodeToString(f[:]) }

// MarshalText returns the digits of String.
func (f Fingerprint) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, f[:]), nil }

// UnmarshalText reads what MarshalText writes.
func (f *Fingerprint) UnmarshalText(text []byte) error {
	var read Fingerprint
	if n, err := hex.Decode(read[:min(len(text)/2, 16)], text[:min(len(text), 32)]); err != nil || n != 16 || len(text) != 32 {
		return fmt.Errorf("policy: %.64q is not a fingerprint of 32 hexadecimal digits", text)
	}
	*f = read
	return nil
}
