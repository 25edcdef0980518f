package transfer

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/maphash"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Form is a format in which documents are written. The zero Form is [BSON].
type Form uint8

// The formats of documents.
const (
	BSON    Form = iota // documents one after another, for mongorestore
	ExtJSON             // canonical Extended JSON, one a line, for mongoimport
	JSON                // plain JSON, one a line, for Azure Cosmos DB for NoSQL
)

// maxDocument is the largest document that MongoDB stores for a user (MongoDB
// manual, "MongoDB Limits and Thresholds").
const maxDocument = 16 << 20

// MaxItem is the largest item of Azure Cosmos DB for NoSQL, as UTF-8 (Azure Cosmos
// DB service quotas, per-item limits).
const MaxItem = 2 << 20

// maxItemText is the maximum length of an item's text in bytes, including spaces.
const maxItemText = 2 * MaxItem

// An Item configures the conversion of documents to items of Azure Cosmos DB for NoSQL.
type Item struct {
	IDFrom string          // the field of the document that becomes the id of the item; "" for an id of type string, or else the _id
	Stamp  policy.Value    // the _ts of the item; Missing for no _ts
	Dates  plainjson.Dates // the notation of dates in the item
}

// appendBSON appends a document as BSON, with the field of an edit after the document's
// own fields.
func appendBSON(dst []byte, doc policy.Document, edit Edit) ([]byte, error) {
	start := len(dst)
	dst, err := policy.AppendBSON(dst, policy.ObjectValue(doc))
	if err != nil {
		return dst, err
	}
	if n, ok := edit.Value.AsInt64(); ok {
		dst = append(dst[:len(dst)-1], byte(policy.Int32))
		dst = append(append(dst, edit.Field...), 0)
		dst = append(binary.LittleEndian.AppendUint32(dst, uint32(n)), 0)
		binary.LittleEndian.PutUint32(dst[start:], uint32(len(dst)-start))
	}
	if len(dst)-start > maxDocument {
		return dst, refusedf("with its deadline it is larger than 16 MiB")
	}
	return dst, nil
}

// appendMember adds a member to the JSON object at the end of dst, unless v is Missing.
func appendMember(dst []byte, name string, v policy.Value) []byte {
	if v.IsMissing() {
		return dst
	}
	dst = appendName(dst[:len(dst)-1], name)
	return append(policy.AppendExtJSON(dst, v), '}')
}

// appendName appends the name of a member, after a comma unless the member is the first.
func appendName(dst []byte, name string) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	dst, _ = jsontext.AppendQuoted(dst, name)
	return append(dst, ':')
}

// checkName returns an error for a field that has a special meaning in the service.
func (i *Item) checkName(name string) error {
	switch name {
	case "_ts", "_rid", "_self", "_etag", "_attachments":
		return ownField(name)
	case "id":
		return hasField("id", "")
	}
	return nil
}

func (i *Item) source(doc policy.Document) (string, policy.Value) {
	if i.IDFrom != "" {
		return i.IDFrom, doc.Field(i.IDFrom)
	}
	if id := doc.Field("id"); id.Kind() == policy.String {
		return "id", id
	}
	return "_id", doc.Field("_id")
}

// otherField is the kind in [Run] of an id that is made of another field than _id.
const otherField = 1 << 63

// appendItem appends a document as an item, and returns the hash of its id.
func (r *Run) appendItem(doc policy.Document, edit Edit) (hash uint64, err error) {
	from, v := r.Item.source(doc)
	if r.id, err = appendID(r.id[:0], v); err != nil {
		return 0, refusedID(from, err)
	}
	kind := uint64(1) << v.Kind()
	if from != "_id" {
		kind = otherField
	}
	r.json.Skip = "" // a field that says the same as the id is left out
	if from == "id" || from == "_id" && v.Kind() == policy.String {
		r.json.Skip = from
	}
	start := len(r.out)
	if r.out, err = r.appendPlain(r.out, doc); err != nil {
		return 0, err
	}
	exact := false
	if r.out, exact = jsontext.AppendQuoted(appendName(r.out, "id"), r.id); !exact {
		return 0, refusedID(from, plainjson.ErrNotUTF8)
	}
	if n, ok := edit.Value.AsInt64(); ok {
		r.out = strconv.AppendInt(appendName(r.out, edit.Field), n, 10)
	}
	if n, ok := r.Item.Stamp.AsInt64(); ok {
		r.out = strconv.AppendInt(appendName(r.out, "_ts"), n, 10)
	}
	if r.out = append(r.out, '}'); len(r.out)-start > MaxItem {
		return 0, refusedf("it is larger than the 2 MB of an item")
	}
	r.out = append(r.out, '\n')
	r.kinds |= kind
	return hashOf(r.id), nil
}

func refusedID(from string, err error) error {
	field := fmt.Sprintf("its field %q ", from)
	var e *RefusedError
	if errors.As(err, &e) {
		return &RefusedError{field + e.Reason, field + e.Plain}
	}
	return &RefusedError{Reason: field + err.Error()}
}

// appendPlain appends a document as plain JSON without the closing brace.
func (r *Run) appendPlain(dst []byte, doc policy.Document) ([]byte, error) {
	dst, err := r.json.AppendFields(append(dst, '{'), doc)
	if errors.Is(err, plainjson.ErrTooLarge) {
		return dst, refusedf("it is larger than the 2 MB of an item")
	}
	return dst, refusedItem(err)
}

func refusedItem(err error) error {
	for _, fault := range []error{plainjson.ErrNotUTF8, plainjson.ErrTwice, plainjson.ErrTooDeep, plainjson.ErrNoISODate} {
		if errors.Is(err, fault) {
			return &RefusedError{err.Error(), "a field " + fault.Error()}
		}
	}
	return err
}

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

// An idSet is a set of up to maxIDs hashes of identifiers. The zero idSet is empty.
type idSet struct{ hashes map[uint64]struct{} }

var seed = maphash.MakeSeed()

// hashOf returns the hash of an identifier. It is never 0.
func hashOf(id []byte) uint64 { return maphash.Bytes(seed, id) | 1 }

func (s *idSet) add(hash uint64) (known bool) {
	if s.hashes == nil {
		s.hashes = map[uint64]struct{}{}
	}
	if _, known = s.hashes[hash]; !known && !s.isFull() {
		s.hashes[hash] = struct{}{}
	}
	return known
}

// isFull reports whether the set has no room for further identifiers.
func (s *idSet) isFull() bool { return len(s.hashes) == maxIDs }
