// Package dump reads what mongodump has written: a folder, an archive, a tar file or a file
// of BSON, plain or compressed with gzip or Zstandard. It returns the collections with
// their definitions, and their documents one after another.
//
// A part that cannot be read is an error that names its place. It is never left out, and
// never looks like a collection without a time to live or like a document that stays.
//
// Experimental: these names may change in a minor release.
package dump

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// A Dump is an opened dump. Its collections are known, and its documents are not read yet.
type Dump struct {
	// Collections are the collections of users, in the order of the dump: no view, and no
	// collection of the server's own.
	Collections []*Collection

	inputs []*dump.Input
	of     map[*dump.Collection]*Collection
}

// A Collection is a collection in a dump.
type Collection struct {
	// Database and Name are its names. Database is empty if it is unknown. Name is the name of
	// a time-series collection itself, also where its documents are buckets.
	Database, Name string
	// Place is the file of its documents, or the reader's name, for messages.
	Place string

	raw    *dump.Collection
	target *catalog.Target
}

// A Document is a document in a dump.
type Document struct {
	Collection *Collection
	// Offset is the place of the document in the file, in bytes of uncompressed input.
	Offset int64
	// Raw is the document, well-formed BSON. It is valid until the next document is read.
	Raw []byte
}

// An Error is an error about a place within a file: a document that cannot be read, or a
// byte from which on nothing can be read.
type Error = dump.Error

var errReadTwice = errors.New("the documents of a reader can be read only once")

// Open opens the dump at a path: a folder with the files of mongodump at any depth, an
// archive, a tar file, or one .bson file. It returns an error if collections cannot be
// found, and for a folder without a dump.
func Open(path string) (*Dump, error) {
	found, err := dump.Find([]string{path})
	if err != nil {
		return nil, err
	}
	return of(found.Inputs)
}

// Read opens the dump in r: an archive, or the BSON documents of one collection. The
// collection gets its names from name, the path of a file as mongodump names it, such as
// "dump/shop/logs.bson". Messages have this name too. The documents can be read once. r is
// not closed.
func Read(name string, r io.Reader) (*Dump, error) {
	wasRead := false
	return of([]*dump.Input{dump.Named(name, func() (io.ReadCloser, error) {
		if wasRead {
			return nil, errReadTwice
		}
		wasRead = true
		return io.NopCloser(r), nil
	})})
}

func of(inputs []*dump.Input) (*Dump, error) {
	d := &Dump{inputs: inputs, of: map[*dump.Collection]*Collection{}}
	for _, in := range inputs {
		if in.Err != nil {
			return nil, in.Err
		}
		targets, err := catalog.TargetsOf(in, false)
		if err != nil {
			return nil, err
		}
		for i, raw := range in.Collections {
			c := &Collection{Database: raw.Database, Name: raw.Name, Place: raw.Place(), raw: raw, target: targets[i]}
			d.Collections, d.of[raw] = append(d.Collections, c), c
		}
	}
	return d, nil
}

// Spec returns the definition of c that the dump holds, for [mongo.CompileCollection]. It
// returns an error if the dump has no metadata of c, as for a file of BSON alone, or if the
// metadata cannot be read: whether documents of c expire is then unknown.
func (c *Collection) Spec() (mongo.CollectionSpec, error) {
	if system := c.target.System(); system != definition.MongoDB {
		return mongo.CollectionSpec{}, fmt.Errorf("%s: the metadata is of another system: %s", c.Place, system)
	}
	stored, err := c.target.Collection(catalog.Options{Release: mongo.Latest()})
	return stored.Spec, err
}

// Release returns the release of the server as mongodump noted it, for [mongo.ProfileOf];
// the final release for a release candidate. It is the zero Version if the dump names none.
func (c *Collection) Release() (mongo.Version, error) { return catalog.DumpedRelease(c.raw) }

// Documents reads the documents of all collections, file by file. The collections of an
// archive may alternate.
//
// For a part that cannot be read, Documents yields an error that names the place, and a
// Document without Raw. It yields the error once for each collection of which documents are
// lost; Collection is nil if that is unknown. Then it goes on with the next part that can be
// read: the next document, collection or file. The caller decides whether to stop. Damage is
// an [*Error], except for a file that is missing or cannot be opened. A file of BSON that
// ends between two documents cannot be told from a whole one; an archive can.
func (d *Dump) Documents() iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for _, in := range d.inputs {
			isLost := false
			for _, raw := range in.Collections {
				if raw.Err != nil && !yield(Document{Collection: d.of[raw]}, raw.Err) {
					return
				}
				isLost = isLost || raw.Err != nil && !in.IsPacked()
			}
			if isLost {
				continue
			}
			for s := range in.Streams(dump.StreamOptions{Kind: dump.BSON}) {
				if !d.stream(s, yield) {
					return
				}
			}
		}
	}
}

// stream yields the documents of one stream. It reports whether yield wants more.
func (d *Dump) stream(s *dump.Stream, yield func(Document, error) bool) bool {
	var block dump.Block
	var decoder dump.Decoder
	for {
		err := s.Next(&block)
		if err == io.EOF {
			return true
		}
		c := d.of[block.Collection]
		for i := range block.Spans {
			doc := Document{Collection: c, Offset: block.DocOffset(i), Raw: block.Doc(i)}
			_, bad := decoder.Decode(dump.BSON, doc.Raw)
			if bad != nil {
				bad = &Error{Name: s.Name(), Offset: doc.Offset, Err: bad, Skippable: true}
				doc.Raw = nil
			}
			if !yield(doc, bad) {
				return false
			}
		}
		switch bad := (*Error)(nil); {
		case err == nil:
		case block.Collection != nil || errors.As(err, &bad) && bad.Skippable:
			if !yield(Document{Collection: c}, err) {
				return false
			}
		default:
			for _, raw := range s.Unfinished() {
				if !yield(Document{Collection: d.of[raw]}, err) {
					return false
				}
			}
			return true
		}
	}
}
