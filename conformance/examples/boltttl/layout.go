package boltttl

import (
	"encoding/binary"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The file. A number stands for one collection for ever and is never used
// again, so that the remains of a dropped collection cannot be mistaken for a
// part of a later one of the same name.
//
//	meta          "swept" → when the store was last swept, as a deadline
//	names         name → number
//	collections   number / "name" → name
//	              number / "spec" → catalog entry, BSON; none once dropped
//	              number / "fingerprint" → of the policy by which deadlines were decided
//	              number / "documents" / key of _id → record
//	deadlines     deadline, number, key of _id → nothing
//	unfinished    number → where the documents not yet judged anew begin
var (
	metaBucket        = []byte("meta")
	namesBucket       = []byte("names")
	collectionsBucket = []byte("collections")
	deadlinesBucket   = []byte("deadlines")
	unfinishedBucket  = []byte("unfinished")

	sweptKey     = []byte("swept")
	nameKey      = []byte("name")
	specKey      = []byte("spec")
	fingerprint  = []byte("fingerprint")
	documentsKey = []byte("documents")
)

// numberSize and deadlineSize are the widths, in bytes, of the first parts of
// keys in deadlines.
const numberSize, deadlineSize = 8, 8

func numberOf(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// appendDeadline appends i so that bytes sort as instants do: the most significant byte
// first, and the sign flipped because dates before 1970 come first.
func appendDeadline(b []byte, i policy.Instant) []byte {
	return binary.BigEndian.AppendUint64(b, uint64(i)^1<<63)
}

func deadlineOf(b []byte) policy.Instant {
	return policy.Instant(binary.BigEndian.Uint64(b) ^ 1<<63)
}

// An entry is a key in the bucket of deadlines.
type entry struct {
	deadline    policy.Instant
	number, key []byte
}

func (e entry) bytes() []byte {
	b := appendDeadline(make([]byte, 0, deadlineSize+numberSize+len(e.key)), e.deadline)
	return append(append(b, e.number...), e.key...)
}

func parseEntry(b []byte) (entry, error) {
	if len(b) <= deadlineSize+numberSize {
		return entry{}, fmt.Errorf("%w: an entry of %d bytes in deadlines", ErrDamaged, len(b))
	}
	return entry{deadlineOf(b), b[deadlineSize:][:numberSize], b[deadlineSize+numberSize:]}, nil
}

// A record is a document with its deadline. The deadline is stored beside the
// document because the policy that computed it may be gone when its entry must
// be found again.
type record struct {
	doc      []byte
	deadline policy.Instant // means nothing unless listed
	listed   bool           // there is an entry
}

// recordOf returns the record of a document with this decision. A document that never
// expires has no entry.
func recordOf(doc []byte, d policy.Decision) record {
	deadline, expires := d.Deadline()
	return record{doc, deadline, expires}
}

// bytes returns 0 and the document, or 1, the deadline and the document.
func (r record) bytes() []byte {
	if !r.listed {
		return append([]byte{0}, r.doc...)
	}
	return append(appendDeadline([]byte{1}, r.deadline), r.doc...)
}

func parseRecord(b []byte) (record, error) {
	switch {
	case len(b) > 0 && b[0] == 0:
		return record{doc: b[1:]}, nil
	case len(b) > deadlineSize && b[0] == 1:
		return record{b[1+deadlineSize:], deadlineOf(b[1:]), true}, nil
	}
	return record{}, fmt.Errorf("%w: a record of %d bytes", ErrDamaged, len(b))
}
