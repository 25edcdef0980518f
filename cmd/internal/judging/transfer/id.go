package transfer

import (
	"encoding/hex"
	"errors"
	"fmt"
	"hash/maphash"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// maxID is the longest id of an item, in bytes (Azure Cosmos DB service quotas,
// per-item limits, https://learn.microsoft.com/azure/cosmos-db/concepts-limits).
const maxID = 1023

// forbidden are the characters that no id may hold (Microsoft.Azure.Documents,
// Resource.Id, https://learn.microsoft.com/dotnet/api/microsoft.azure.documents.resource.id).
const forbidden = `/\?#`

// appendID appends the id of the item whose document has the identifier v: a text
// unchanged, an ObjectId and binary data in hexadecimal digits, a UUID with hyphens, a
// number in decimal digits, and a date as in RFC 3339. The error is the reason why v
// cannot become an id.
func appendID(dst []byte, v policy.Value) ([]byte, error) {
	start := len(dst)
	dst, err := appendIDText(dst, v)
	if err != nil {
		return dst, err
	}
	text := dst[start:]
	switch {
	case len(text) == 0:
		return dst, errors.New("is empty, but an id must not be empty")
	case len(text) > maxID:
		return dst, fmt.Errorf("makes an id of more than %d bytes", maxID)
	}
	for _, c := range text {
		if strings.IndexByte(forbidden, c) >= 0 {
			return dst, &RefusedError{fmt.Sprintf("holds %q, which no id may hold", string(rune(c))), "holds a character that no id may hold"}
		}
	}
	return dst, nil
}

func appendIDText(dst []byte, v policy.Value) ([]byte, error) {
	switch v.Kind() {
	case policy.Missing:
		return dst, errors.New("is missing, and an item needs an id")
	case policy.String:
		text, _ := v.AsString()
		return append(dst, text[:min(len(text), maxID+1)]...), nil
	case policy.ObjectID:
		id, _ := v.AsObjectID()
		return hex.AppendEncode(dst, id[:]), nil
	case policy.Int32, policy.Int64, policy.Double, policy.Decimal, policy.Bool:
		return append(dst, numberText(v)...), nil
	case policy.Date:
		i, _ := v.AsDate()
		return append(dst, i.String()...), nil
	case policy.Binary:
		subtype, data, _ := v.AsBinary()
		return appendData(dst, subtype, data[:min(len(data), maxID)]), nil
	}
	return dst, fmt.Errorf("is %s, which cannot become an id; name another field with --id-from", v.Kind())
}

// numberText returns a number or a boolean as text, without the wrapper of Extended JSON.
// A whole double is written as an integer, because 1 and 1.0 are the same key.
func numberText(v policy.Value) string {
	if n, ok := v.AsInt64(); ok {
		return fmt.Sprint(n)
	}
	text := v.String()
	if at := strings.LastIndexByte(text, ':'); at >= 0 {
		text = strings.Trim(text[at+1:], `"}`)
	}
	if text == "-0.0" {
		return "0"
	}
	return strings.TrimSuffix(text, ".0")
}

// uuid is the subtype of binary data for a UUID in the form of RFC 9562.
const uuid = 4

func appendData(dst []byte, subtype byte, data []byte) []byte {
	if subtype != uuid || len(data) != 16 {
		return hex.AppendEncode(dst, data)
	}
	from := 0
	for _, end := range []int{4, 6, 8, 10, 16} {
		if from > 0 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, data[from:end])
		from = end
	}
	return dst
}

// maxIDs is the maximum number of identifiers that an idSet holds.
const maxIDs = 1 << 20

// An idSet is a set of up to maxIDs hashes of identifiers.
type idSet struct {
	table []uint64 // a hash table; 0 marks a free place, and at most half of the places are used
	n     int
}

var seed = maphash.MakeSeed()

// hashOf returns the hash of an identifier. It is never 0.
func hashOf(id []byte) uint64 { return maphash.Bytes(seed, id) | 1 }

// add adds a hash unless the set is full, and reports whether the set had the hash
// before.
func (s *idSet) add(hash uint64) (known bool) {
	if 2*s.n == len(s.table) && !s.isFull() {
		s.grow()
	}
	at := s.find(hash)
	if known = *at == hash; !known && !s.isFull() {
		*at = hash
		s.n++
	}
	return known
}

// find returns the place of a hash, or the free place for it.
func (s *idSet) find(hash uint64) *uint64 {
	for i := hash >> 1; ; i++ {
		if at := &s.table[i%uint64(len(s.table))]; *at == hash || *at == 0 {
			return at
		}
	}
}

func (s *idSet) grow() {
	old := s.table
	s.table = make([]uint64, max(2*len(old), 256))
	for _, hash := range old {
		if hash != 0 {
			*s.find(hash) = hash
		}
	}
}

// isFull reports whether the set has no room for further identifiers.
func (s *idSet) isFull() bool { return s.n == maxIDs }
