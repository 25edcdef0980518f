package mongo

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A definition is stored as the documents that a server lists. Each writer reads back what it
// has written, and fails if that is another definition.

// MarshalJSON returns the index as listIndexes shows it, in canonical Extended JSON. It fails
// for a definition that [ParseIndexSpec] does not read back as the same one: one with a value
// that BSON cannot hold, or with an option of no release, which servers up to 3.2 store.
func (s IndexSpec) MarshalJSON() ([]byte, error) {
	doc := s.Document()
	if err := s.checkReadBack(doc, ParseIndexSpec); err != nil {
		return nil, err
	}
	return doc.MarshalJSON()
}

// UnmarshalJSON reads Extended JSON as [ParseIndexSpec] reads a document: a name that no release
// knows is an error, because a misspelt option would turn the policy off. For the listing of a
// server parse the JSON with [policy.ParseExtJSON], and the value with [ParseListedIndex].
func (s *IndexSpec) UnmarshalJSON(text []byte) error {
	var v policy.Value
	if err := v.UnmarshalJSON(text); err != nil {
		return err
	}
	return s.read(v, ParseIndexSpec)
}

// MarshalBSON returns the index as listIndexes shows it. It fails for a definition that
// [ParseListedIndex] does not read back as the same one.
func (s IndexSpec) MarshalBSON() ([]byte, error) {
	doc := s.Document()
	if err := s.checkReadBack(doc, ParseListedIndex); err != nil {
		return nil, err
	}
	return policy.AppendBSON(nil, policy.ObjectValue(doc))
}

// UnmarshalBSON reads a document as [ParseListedIndex] does, because drivers call it for the
// listing of a server. It copies the bytes.
func (s *IndexSpec) UnmarshalBSON(b []byte) error {
	doc, err := policy.ParseBSON(bytes.Clone(b))
	if err != nil {
		return err
	}
	return s.read(doc.Value(), ParseListedIndex)
}

func (s *IndexSpec) read(v policy.Value, parse func(policy.Value) (IndexSpec, error)) error {
	x, err := parse(v)
	if err == nil {
		*s = x
	}
	return err
}

// checkReadBack fails if doc, which was written for s, is parsed as another index.
func (s IndexSpec) checkReadBack(doc policy.D, parse func(policy.Value) (IndexSpec, error)) error {
	again, err := parse(policy.ObjectValue(doc))
	if err == nil && !policy.ObjectValue(again.Document()).Equal(policy.ObjectValue(doc)) {
		err = errors.New("it is read back as another definition")
	}
	if err != nil {
		return fmt.Errorf("mongo: the index %q cannot be stored: %w", s.Name, err)
	}
	return nil
}

// MarshalJSON returns the collection as {"options": …, "indexes": …}, in canonical Extended
// JSON: the two values of Documents. It fails for a definition that [ParseCollectionSpec]
// does not read back as the same one; see [IndexSpec.MarshalJSON].
func (s CollectionSpec) MarshalJSON() ([]byte, error) {
	doc, err := s.stored(ParseCollectionSpec)
	if err != nil {
		return nil, err
	}
	return doc.MarshalJSON()
}

// UnmarshalJSON reads what MarshalJSON writes, as [ParseCollectionSpec] does. A name that no
// release knows is an error; see [IndexSpec.UnmarshalJSON].
func (s *CollectionSpec) UnmarshalJSON(text []byte) error {
	var doc policy.D
	if err := doc.UnmarshalJSON(text); err != nil {
		return err
	}
	return s.read(doc, ParseCollectionSpec)
}

// MarshalBSON returns the document that MarshalJSON spells. It fails for a definition that
// [ParseListedCollection] does not read back as the same one.
func (s CollectionSpec) MarshalBSON() ([]byte, error) {
	doc, err := s.stored(ParseListedCollection)
	if err != nil {
		return nil, err
	}
	return policy.AppendBSON(nil, policy.ObjectValue(doc))
}

// UnmarshalBSON reads what MarshalBSON writes, as [ParseListedCollection] does. It copies the
// bytes.
func (s *CollectionSpec) UnmarshalBSON(b []byte) error {
	doc, err := policy.ParseBSON(bytes.Clone(b))
	if err != nil {
		return err
	}
	return s.read(policy.DOf(doc.Value()), ParseListedCollection)
}

// A collectionParser is ParseCollectionSpec or ParseListedCollection.
type collectionParser func(options, indexes policy.Value) (CollectionSpec, error)

func (s CollectionSpec) stored(parse collectionParser) (policy.D, error) {
	doc := s.document()
	var again CollectionSpec
	err := again.read(doc, parse)
	if err == nil && !policy.ObjectValue(again.document()).Equal(policy.ObjectValue(doc)) {
		err = errors.New("it is read back as another definition")
	}
	if err != nil {
		return nil, fmt.Errorf("mongo: the collection %q cannot be stored: %w", s.Namespace, err)
	}
	return doc, nil
}

// document returns both values of Documents in one document.
func (s CollectionSpec) document() policy.D {
	options, indexes := s.Documents()
	return policy.D{{Key: "options", Value: options}, {Key: "indexes", Value: indexes}}
}

// read reads the fields of a stored collection. A document without indexes is none: a
// definition that is left out must not be read as one that was dropped.
func (s *CollectionSpec) read(doc policy.D, parse collectionParser) error {
	if len(doc) != 2 || doc[0].Key != "options" || doc[1].Key != "indexes" || doc[1].Value.Kind() != policy.List {
		return errors.New(`mongo: a stored collection is a document {"options": {…}, "indexes": […]}`)
	}
	c, err := parse(doc[0].Value, doc[1].Value)
	if err == nil {
		*s = c
	}
	return err
}
