package peers

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// DelaySeconds is expireAfterSeconds of the index that judges the documents.
const DelaySeconds = 3600

// DateField is the name of the indexed field. MetaField is the name of the document
// around that field if the path is dotted.
const (
	DateField = "expireAt"
	MetaField = "meta"
)

// A Place is the position of the deciding date in a document.
type Place uint8

// The places.
const (
	First Place = iota
	Middle
	Last
	Dotted // in the middle, within MetaField
	Array  // in the middle, one of ten dates
)

// A Shape is a kind of document.
type Shape struct {
	Fields int // the number of fields beside the one with the deciding date
	Place  Place
	// Blob makes a few of the strings long, to about that many bytes in all.
	Blob int
}

// The shapes of some 187, 1,013 and 10,230 bytes, and one of 10,231 bytes in
// few fields.
var (
	Small  = Shape{Fields: 9}
	Medium = Shape{Fields: 51}
	Large  = Shape{Fields: 500}
	Blob   = Shape{Fields: 13, Blob: 11_500}
)

// At returns the shape with its date in another place.
func (s Shape) At(p Place) Shape {
	s.Place = p
	return s
}

// Documents are raw BSON documents one after another.
type Documents struct {
	Bytes []byte
	// Offsets holds the start of each document, and then the end of the last document.
	Offsets []int
}

// Len returns the number of documents.
func (d Documents) Len() int { return len(d.Offsets) - 1 }

// At returns document i.
func (d Documents) At(i int) []byte { return d.Bytes[d.Offsets[i]:d.Offsets[i+1]:d.Offsets[i+1]] }

// All returns the documents.
func (d Documents) All() [][]byte {
	all := make([][]byte, d.Len())
	for i := range all {
		all[i] = d.At(i)
	}
	return all
}

// MakeDocuments returns n documents of a shape, or fewer if they would take
// more than a number of bytes.
func MakeDocuments(s Shape, n, bytes int) Documents {
	r := source(2)
	d := Documents{Offsets: []int{0}}
	for d.Len() < n && len(d.Bytes) < bytes {
		d.Bytes = s.append(d.Bytes, r)
		d.Offsets = append(d.Offsets, len(d.Bytes))
		if d.Len() == 100 {
			d.grow(n, bytes)
		}
	}
	return d
}

// grow makes room for n documents of the present average size, so that gigabytes are not
// copied from slice to slice.
func (d *Documents) grow(n, bytes int) {
	all := len(d.Bytes) / d.Len() * n
	d.Bytes = slices.Grow(d.Bytes, min(all+all/50, bytes+1<<20))
	d.Offsets = slices.Grow(d.Offsets, min(n, len(d.Offsets)*(bytes/len(d.Bytes)+1)))
}

// append appends one document. Each field except status and the deciding one is missing
// with a probability of one in eight.
func (s Shape) append(dst []byte, r *rand.Rand) []byte {
	start, dst := bsoncore.AppendDocumentStart(dst)
	at := s.Fields / 2
	switch s.Place {
	case First:
		at = 0
	case Last:
		at = s.Fields
	}
	for i := range s.Fields {
		if i == at {
			dst = s.appendDate(dst, r)
		}
		switch {
		case i == 1:
			dst = bsoncore.AppendStringElement(dst, "status", status(r))
		case r.IntN(8) > 0:
			dst = s.appendField(dst, i, r)
		}
	}
	if at == s.Fields {
		dst = s.appendDate(dst, r)
	}
	return end(bsoncore.AppendDocumentEnd(dst, start))
}

// status returns "done" for seven documents in eight.
func status(r *rand.Rand) string {
	if r.IntN(8) == 0 {
		return "open"
	}
	return "done"
}

var keys = []string{"_id", "city", "qty", "flags", "seq", "name", "ratio", "seen", "owner", "x"}

// appendField appends field i: the types take turns, and strings have random
// lengths.
func (s Shape) appendField(dst []byte, i int, r *rand.Rand) []byte {
	key := keys[i%len(keys)]
	if i >= len(keys) {
		key += strconv.Itoa(i / len(keys))
	}
	switch i % len(keys) {
	case 0:
		return bsoncore.AppendObjectIDElement(dst, key, [12]byte{byte(i), byte(r.IntN(256))})
	case 2, 4:
		return bsoncore.AppendInt32Element(dst, key, r.Int32())
	case 3:
		return bsoncore.AppendBooleanElement(dst, key, r.IntN(2) == 0)
	case 6:
		return bsoncore.AppendDoubleElement(dst, key, r.Float64())
	case 7:
		return bsoncore.AppendDateTimeElement(dst, key, Now-r.Int64N(1e9))
	case 9:
		return bsoncore.AppendInt64Element(dst, key, r.Int64())
	}
	return bsoncore.AppendStringElement(dst, key, s.text(r))
}

const letters = "the quick brown fox jumps over the lazy dog and runs home, tired"

func (s Shape) text(r *rand.Rand) string {
	if s.Blob == 0 {
		return letters[:r.IntN(len(letters))]
	}
	long := make([]byte, s.Blob/6+r.IntN(s.Blob/3))
	for i := range long {
		long[i] = letters[i%len(letters)]
	}
	return string(long)
}

// appendDate appends the field that decides.
func (s Shape) appendDate(dst []byte, r *rand.Rand) []byte {
	switch s.Place {
	case Dotted:
		start, dst := bsoncore.AppendDocumentElementStart(dst, MetaField)
		dst = bsoncore.AppendInt32Element(dst, "v", 1)
		dst = bsoncore.AppendDateTimeElement(dst, DateField, randomDate(r))
		return end(bsoncore.AppendDocumentEnd(dst, start))
	case Array:
		start, dst := bsoncore.AppendArrayElementStart(dst, DateField)
		for i := range 10 {
			// The earliest of ten dates counts, so few are early.
			dst = bsoncore.AppendDateTimeElement(dst, strconv.Itoa(i), randomDate(r)+r.Int64N(4*DelaySeconds*1000))
		}
		return end(bsoncore.AppendArrayEnd(dst, start))
	}
	return bsoncore.AppendDateTimeElement(dst, DateField, randomDate(r))
}

// end returns a document or an array whose end was appended.
func end(dst []byte, err error) []byte {
	if err != nil {
		panic(err) // the caller did not append its start
	}
	return dst
}

// randomDate returns a random date. Half of these dates are expired.
func randomDate(r *rand.Rand) int64 { return Now - r.Int64N(2*DelaySeconds*1000) }
