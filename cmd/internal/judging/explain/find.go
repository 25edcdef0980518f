package explain

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Search looks for the documents with an identifier.
type Search struct {
	id     string         // the identifier as typed
	values []policy.Value // the values that the identifier may mean
	field  string
	// Read is the number of documents read.
	Read int64
	// Matches are the first documents found, and Found is the number of all documents
	// found.
	Matches []Match
	Found   int64
}

// A Match is a document that was found. It shares no memory with the input.
type Match struct {
	Document   policy.Document
	Collection *dump.Collection
	Offset     int64 // the position of the document's first byte in the uncompressed input
}

// maxMatches is the maximum number of documents that a search keeps.
const maxMatches = 5

// NewSearch returns a search for an identifier as users type it: in the shell's syntax,
// in Extended JSON, as the hexadecimal digits of an ObjectId, or as a text without
// quotes. field is the field of the identifier.
func NewSearch(id, field string, now policy.Instant) *Search {
	s := &Search{id: id, field: field, values: []policy.Value{policy.StringValue(id)}}
	if b, err := hex.DecodeString(id); err == nil && len(b) == 12 {
		s.values = append(s.values, policy.ObjectIDValue([12]byte(b)))
	}
	if v, _, err := mongosh.ParseValue(id, now); err == nil && v.Kind() != policy.Regex { // an identifier cannot be a Regex
		s.values = append(s.values, v)
	}
	return s
}

// Values returns all values that the identifier may mean.
func (s *Search) Values() []policy.Value { return s.values }

// Run searches the documents of an input's wanted collections.
func (s *Search) Run(in *dump.Input, o dump.StreamOptions, wanted func(*dump.Collection) bool) error {
	for stream := range in.Streams(o) {
		var block dump.Block
		var decoder dump.Decoder
		for ended := error(nil); ended == nil; {
			ended = stream.Next(&block)
			for i := range block.Spans {
				if !wanted(block.Collection) {
					break
				}
				if err := s.look(&decoder, stream, &block, i); err != nil {
					return err
				}
			}
			if ended != nil && !errors.Is(ended, io.EOF) {
				return ended
			}
		}
	}
	return nil
}

// look adds document i of a block to the matches if it has the identifier.
func (s *Search) look(decoder *dump.Decoder, stream *dump.Stream, b *dump.Block, i int) error {
	doc, err := decoder.View(stream.Kind(), b.Doc(i))
	if err != nil {
		return stream.Damaged(b, i, err)
	}
	s.Read++
	if !s.isMatch(doc.Field(s.field)) {
		return nil
	}
	if s.Found++; len(s.Matches) == maxMatches {
		return nil
	}
	kept, err := new(dump.Decoder).Decode(stream.Kind(), bytes.Clone(b.Doc(i)))
	s.Matches = append(s.Matches, Match{kept, b.Collection, b.DocOffset(i)})
	return err
}

// isMatch reports whether v is the identifier. Integers and doubles match if they are whole
// and equal, whatever their types. Other values match if they are the same.
func (s *Search) isMatch(v policy.Value) bool {
	if text, ok := v.AsString(); ok && text == s.id {
		return true
	}
	n, isWhole := wholeNumber(v)
	return slices.ContainsFunc(s.values, func(w policy.Value) bool {
		m, ok := wholeNumber(w)
		return v.Equal(w) || isWhole && ok && n == m
	})
}

// wholeNumber returns an integer, or a double without a fraction, as an int64.
func wholeNumber(v policy.Value) (int64, bool) {
	if f, ok := v.AsDouble(); ok && f == math.Trunc(f) && math.Abs(f) < 1<<63 {
		return int64(f), true
	}
	return v.AsInt64()
}
