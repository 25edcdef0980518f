package dump

// A Feed delivers documents that are not in a file, such as those of a server.
type Feed interface {
	// Next fills an empty block as [Stream.Next] does, with documents of one
	// collection of the input, which it sets in the block. An error with a
	// collection in the block ends that collection alone.
	Next(b *Block) error
	// Unfinished returns the collections that were not read to their end.
	Unfinished() []*Collection
	// Close ends the feed, also while Next is waiting.
	Close()
}

// A Part says which part of documents a feed should deliver. The zero Part is the
// identifiers of its documents and their sizes.
type Part struct {
	None   bool     // nothing of it
	Whole  bool     // whole documents
	Fields []string // else these fields; of each the whole top-level field may come
}

// NewFeed returns an input without collections. open returns the feed of its documents,
// which are of the kind BSON or JSON.
func NewFeed(name string, kind Kind, open func(in *Input, o StreamOptions) Feed) *Input {
	in := &Input{File: File{Path: name, Size: -1}, IsFeed: true}
	in.streams = func(o StreamOptions, yield func(*Stream) bool) {
		f := open(in, o)
		defer f.Close()
		yield(&Stream{name: name, kind: kind, framer: bsonFramer{}, collections: in.Collections, feed: f, close: func() {}})
	}
	return in
}

// A Described is the description of a collection by a feed.
type Described struct {
	Database, Name string
	Buckets        bool   // see [Collection.Buckets]
	Place          string // where its documents are, for people
	Metadata       []byte // options and indexes as mongodump writes them, or a container
	Container      bool   // see [Collection.Container]
	Release        string // of the server, such as "8.0.4"
	Err            error  // why the collection or its metadata cannot be read
}

// Add adds a collection to a feed.
func (in *Input) Add(d Described) *Collection {
	c := &Collection{Input: in, Database: d.Database, Name: d.Name, Buckets: d.Buckets, Container: d.Container, Err: d.Err, inside: true, place: d.Place}
	c.metadata = Text{d.Place, d.Metadata}
	c.release = release{version: d.Release, place: in.Name()}
	in.Collections = append(in.Collections, c)
	return c
}
