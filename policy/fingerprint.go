package policy

import "encoding/hex"

// A Fingerprint names a compiled policy, for logs, for stores that keep deadlines, and
// for replicas that must decide alike. Fingerprint of an evaluator returns it. The zero
// Fingerprint is that of a zero evaluator, which keeps every document.
//
// Evaluators with one Fingerprint make the same decision about every document at every
// instant, unless somebody chose their definitions to collide: it is a 128-bit FNV-1a hash,
// small and fast, and no protection against that. A sweep that decides again before it
// deletes, as [github.com/ttlpolicy/ttlpolicy/policy/sweep] does, loses nothing by a collision.
//
// It is made of the engine, the version of its rules, what the
// definition says about expiry, and, on MongoDB, the behaviour of the release with its
// parameters. The names of indexes are no part of it, nor are the types Int32 and Int64
// of equal numbers. Evaluators with different Fingerprints may decide alike.
//
// It is the same on every platform and in every patch release of this library. Another
// release may change it, and does with RulesVersion of the engine. So a store that finds
// another Fingerprint beside its deadlines decides about its documents again.
type Fingerprint [16]byte

// String returns f as 32 hexadecimal digits.
func (f Fingerprint) String() string { return hex.EncodeToString(f[:]) }
