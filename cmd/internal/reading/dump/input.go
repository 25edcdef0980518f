// Package dump reads the files that database tools write, and cuts them into
// documents: mongodump's BSON, mongoexport's Extended JSON, and the JSON items
// of a Cosmos DB export, each plain or compressed.
//
// A [Stream] reads one input front to back and fills [Block]s: runs of whole documents
// that other goroutines can read while the next block is filled. These goroutines can also
// share the reading of a large file that is not compressed, with [Stream.Claim] and
// [Stream.Load]. A Stream needs memory for a few blocks, whatever the size of the input. A
// [Decoder] turns the bytes of one document into a policy.Document.
//
// Inputs are not trusted. A false length, an endless line or an unclosed bracket ends in
// an [*Error], which names the input and the byte where the document begins. Finding the
// fault needs no more memory than the largest allowed document.
package dump

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/input"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An Input holds the documents of one collection or of several. It is a file, such as an
// archive of mongodump, or standard input, or it comes from a [Feed].
type Input struct {
	File
	Collections []*Collection
	// Err is the reason why some collections of the input are unknown; nil if all are
	// known.
	Err error
	// IsEmpty reports that the input was opened to be examined, and has no bytes.
	IsEmpty bool
	// IsFeed reports that the documents come from a [Feed].
	IsFeed bool
	// Count returns the approximate number of a feed's documents, -1 if it is not known. It
	// is nil without a feed.
	Count func() int64

	streams func(o StreamOptions, yield func(*Stream) bool) // nil for a file of one collection
	// held is the open file of an input that cannot be opened again; nil for any other input,
	// and from the first call of open on.
	held *opened
}

// A Collection is a collection, or a part of one, in a single input.
type Collection struct {
	Input *Input
	// Database and Name are its names. Database is empty if it is unknown. The name of a
	// time-series collection is its own name, even if the dump holds its buckets.
	Database, Name string
	// Buckets means that the documents are stored under the name of a collection of
	// buckets. Dumps of a server before 8.3 do this; dumps of later servers use the
	// collection's own name (mongodb/mongo-tools: mongodump/prepare.go).
	Buckets bool
	// Container means that the collection is a container of Azure Cosmos DB. Its metadata
	// are the container's properties.
	Container bool
	// Err is the error that keeps its documents from being read, nil if no error is known.
	Err error

	member   string // its path within a tar file
	place    string // its place, if a feed delivers it
	inside   bool   // metadata and release come from the input, not from files beside it
	metadata Text
	release  release
}

// A release is mongodump's note about the server's version.
type release struct {
	version, place string
	err            error
}

// A Text is a small file that describes a dump, or the part of an archive that describes
// a collection. The zero Text stands for no file.
type Text struct {
	Name string // the name of the file, or of the archive
	Text []byte
}

// MaxCollections is the largest number of collections in one archive, tar file or listing.
const MaxCollections = 100_000

// ErrManyCollections is the error about more than [MaxCollections].
var ErrManyCollections = fmt.Errorf("more than %d collections in one file: dump or list one database at a time", MaxCollections)

func (in *Input) bounded() error {
	if len(in.Collections) > MaxCollections {
		return ErrManyCollections
	}
	return nil
}

// NewInput returns the input of f with one collection, named as mongodump names files. It
// does not open f.
func NewInput(f File) *Input {
	in := &Input{File: f}
	database, name := "", f.Name()
	if f.Path != Stdin {
		name = f.Path
		if whole, err := filepath.Abs(f.Path); err == nil {
			name = whole
		}
		database, name = namesOf(filepath.ToSlash(name))
	}
	in.Collections = []*Collection{newCollection(in, database, name)}
	return in
}

func newCollection(in *Input, database, name string) *Collection {
	plain, buckets := strings.CutPrefix(name, BucketsPrefix)
	return &Collection{Input: in, Database: database, Name: plain, Buckets: buckets}
}

// namesOf returns the names of the database and the collection whose documents mongodump
// writes to the path file. The folder has the name of the database. database is empty if the
// path names none.
func namesOf(file string) (database, name string) {
	dir, base := path.Split(stem(file))
	database, name = path.Base(dir), Unescaped(base)
	if strings.ContainsAny(database, `./\`) || database == "" || name == "" || name[0] == '.' {
		database = ""
	}
	return database, name
}

// IsBSON reports whether a server gave c its names: c is a .bson file of mongodump, or in
// an archive, a tar file or a feed.
func (c *Collection) IsBSON() bool {
	return c.inside || strings.HasSuffix(Uncompressed(c.Input.Path), ".bson")
}

// Title returns the title of c: "shop.logs", or the name alone if the database is unknown or
// if [Collection.IsBSON] reports false.
func (c *Collection) Title() string {
	if c.Database == "" || !c.IsBSON() {
		return c.Name
	}
	return c.Database + "." + c.Name
}

// Namespace returns the namespace under which c's documents were stored, such as
// "shop.logs". It is the namespace of its buckets if [Collection.Buckets] says so, and
// empty if the database is unknown.
func (c *Collection) Namespace() string {
	if c.Database == "" {
		return ""
	}
	return c.Database + "." + c.Stored()
}

// Stored returns the name under which c's documents are stored, without the database. It is
// the name of the collection of buckets if [Collection.Buckets] says so.
func (c *Collection) Stored() string {
	if c.Buckets {
		return BucketsPrefix + c.Name
	}
	return c.Name
}

// Place returns the place of c's documents: the input's name, and the path within a tar
// file.
func (c *Collection) Place() string {
	if c.place != "" {
		return c.place
	}
	if c.member != "" {
		return c.Input.Name() + ":" + c.member
	}
	return c.Input.Name()
}

// Metadata returns mongodump's metadata of c: its options and indexes. It is the zero Text
// without metadata.
func (c *Collection) Metadata() (Text, error) {
	if c.Input.IsFeed && c.Err != nil {
		return Text{}, c.Err
	}
	if c.inside {
		return c.metadata, nil
	}
	return c.Input.Metadata()
}

// Release returns the server's version as mongodump noted it, such as "8.0.4" or
// "8.0.4-rc1", and the place of that note. Both are empty if mongodump noted no version.
func (c *Collection) Release() (version, place string, err error) {
	if c.inside {
		return c.release.version, c.release.place, c.release.err
	}
	prelude, err := c.Input.Prelude()
	if err != nil || prelude.Name == "" {
		return "", "", err
	}
	version, err = releaseIn(prelude.Text)
	return version, prelude.Name, err
}

func releaseIn(prelude []byte) (version string, err error) {
	v, err := policy.ParseExtJSON(prelude)
	version, _ = v.Field("ServerVersion").AsString()
	return version, err
}

// IsPacked reports whether the input is an archive or a tar file, which holds several
// collections with their metadata.
func (in *Input) IsPacked() bool { return in.streams != nil }

// StreamOptions say how to read documents.
type StreamOptions struct {
	// Kind is the kind of the documents; [Auto] means the kind that the first bytes show.
	Kind Kind
	// Text is the kind assumed for text input if Kind is [Auto].
	Text Kind
	// NoText keeps the contents of documents out of errors, see [WithoutText].
	NoText bool
	// Read, unless it is nil, is called with the number of stored bytes that were read,
	// or, for a feed, the number of documents.
	Read func(n int)
	// Part, unless it is nil, returns the part of a collection's documents that a feed
	// should deliver. Files are always read whole.
	Part func(c *Collection) Part
}

// Streams opens the streams of the input's documents, one after the other. It closes each
// stream before it opens the next. If the input cannot be opened, Next of the stream
// returns the reason.
func (in *Input) Streams(o StreamOptions) iter.Seq[*Stream] {
	streams := in.streams
	if streams == nil {
		streams = in.single(in.stream)
	}
	return func(yield func(*Stream) bool) {
		streams(o, func(s *Stream) bool {
			s.noText = o.NoText
			return yield(s)
		})
	}
}

// single returns an iterator over the input's only stream, which the function open opens.
func (in *Input) single(open func(StreamOptions) (*Stream, error)) func(StreamOptions, func(*Stream) bool) {
	return func(o StreamOptions, yield func(*Stream) bool) {
		s, err := open(o)
		if err != nil {
			s = failed(in.Name(), err, in.Collections...)
		}
		defer s.Close()
		yield(s)
	}
}

func (in *Input) stream(o StreamOptions) (*Stream, error) {
	file, err := in.open(o.Read)
	if err != nil {
		return nil, err
	}
	s, err := newStream(in.Name(), file.src, o.Kind, o.Text)
	if err != nil {
		file.Close()
		return nil, err
	}
	s.close, s.collections = file.Close, in.Collections
	if at, ok := file.file.(io.ReaderAt); ok && file.plain && !s.isDecoded && in.Size > file.pos {
		s.share(at, file.pos, in.Size, o.Read)
	}
	return s, nil
}

// open begins to read in, or continues to read the open file.
func (in *Input) open(read func(n int)) (*opened, error) {
	if o := in.held; o != nil {
		in.held, o.read = nil, read
		return o, nil
	}
	file, err := in.Open()
	if err != nil {
		return nil, err
	}
	return in.begin(file, read)
}

// opened is an open file that is decompressed while it is read.
type opened struct {
	file  io.ReadCloser
	src   *bufio.Reader // the decompressed bytes
	plain bool          // the file is not compressed
	done  func()
	size  int64 // the size when the file was found, -1 if unknown
	pos   int64 // the number of stored bytes read so far
	read  func(n int)
}

// begin begins to read f through file. It closes file if it returns an error.
func (f File) begin(file io.ReadCloser, read func(n int)) (_ *opened, err error) {
	o := &opened{file: file, size: f.Size, read: read}
	if o.src, o.plain, o.done, err = decompress(o); err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	if f.Size == 0 && Uncompressed(f.Path) != f.Path { // a compressed file has a header even without documents
		o.Close()
		return nil, fmt.Errorf("%s: the file is empty, without even the header of compression: it was truncated", f.Name())
	}
	return o, nil
}

// Read reads stored bytes. An end before the file's size is an error: the file got shorter.
func (o *opened) Read(b []byte) (int, error) {
	n, err := o.file.Read(b)
	if o.pos += int64(n); o.read != nil {
		o.read(n)
	}
	if err == io.EOF && o.pos < o.size {
		err = fmt.Errorf("%w: it had %d bytes, and ends at %d", errShrunk, o.size, o.pos)
	}
	return n, err
}

// Close closes the file.
func (o *opened) Close() {
	o.done()
	o.file.Close()
}

// Stdin is the path that means standard input.
const Stdin = "-"

// A File is an input that can be opened.
type File struct {
	Path string // the path as given, [Stdin] for standard input
	Size int64  // the stored size in bytes, compressed or not; -1 if unknown
	// Reader, if not nil, opens an input that is not a file, such as an object of a store.
	// Path is then only its name, and no file lies beside it.
	Reader func() (io.ReadCloser, error)
	// folder is the given folder below which f was found; empty if f itself was given.
	folder string
}

func (f File) isElsewhere() bool { return f.Path == Stdin || f.Reader != nil }

// Name returns the name of f in messages.
func (f File) Name() string {
	if f.Path == Stdin {
		return "standard input"
	}
	return f.Path
}

// Open opens f. Standard input stays open when the result is closed.
func (f File) Open() (io.ReadCloser, error) {
	switch {
	case f.Reader != nil:
		return f.Reader()
	case f.Path == Stdin:
		return io.NopCloser(os.Stdin), nil
	}
	if f.folder != "" {
		return input.OpenBelow(f.folder, f.Path)
	}
	return input.Open(f.Path)
}

// Peek opens f without adding it to the command's inputs. f must be a file that the function
// [Peek] returned.
func (f File) Peek() (io.ReadCloser, error) { return input.PeekBelow(f.folder, f.Path) }

var errShrunk = errors.New("the file got shorter while it was read")

// Unescaped undoes the escapes of mongodump's file names (mongodb/mongo-tools:
// mongorestore/filepath.go). Names of folders have no escapes.
func Unescaped(name string) string {
	if plain, err := url.QueryUnescape(name); err == nil {
		return plain
	}
	return name
}

// BucketsPrefix begins the name of the collection of buckets of a time-series collection,
// on servers with such collections.
const BucketsPrefix = "system.buckets."

// stem returns path without the endings of a compression and of a format.
func stem(path string) string {
	path = Uncompressed(path)
	for _, end := range []string{".bson", ".ndjson", ".jsonl", ".json"} {
		if s, ok := strings.CutSuffix(path, end); ok {
			return s
		}
	}
	return path
}

// Uncompressed returns path without the ending of a compression.
func Uncompressed(path string) string {
	for _, end := range Endings {
		path = strings.TrimSuffix(path, end)
	}
	return path
}

// Endings are the endings of the names of plain and of compressed files.
var Endings = []string{"", ".gz", ".zst"}

// Metadata returns the file that mongodump puts beside f to describe the
// collection, the zero Text if there is none.
func (f File) Metadata() (Text, error) {
	if f.isElsewhere() {
		return Text{}, nil
	}
	dir, name := f.metadata()
	return f.beside(dir, name)
}

// metadata returns the folder and the name of the file that mongodump puts beside f.
func (f File) metadata() (dir, name string) {
	dir, name = filepath.Split(stem(f.Path))
	return dir, strings.TrimPrefix(name, BucketsPrefix) + MetadataEnd
}

// keep protects f, and the files that mongodump put beside it, from being overwritten.
func (f File) keep() {
	input.Add(f.Path)
	dir, name := f.metadata()
	for _, name := range []string{name, preludeName} {
		for _, end := range Endings {
			path := filepath.Join(dir, name+end)
			if _, err := os.Stat(path); err == nil {
				input.Add(path)
			}
		}
	}
}

// MetadataEnd ends the name of mongodump's file about a collection: NAME.metadata.json.
const MetadataEnd = ".metadata.json"

const preludeName = "prelude.json"

// Prelude returns the file in which mongodump notes the server's version, in f's
// folder or the one above; the zero Text if there is none.
func (f File) Prelude() (Text, error) {
	if f.isElsewhere() {
		return Text{}, nil
	}
	dir := filepath.Dir(f.Path)
	if text, err := f.beside(dir, preludeName); text.Name != "" || err != nil {
		return text, err
	}
	return f.beside(filepath.Join(dir, ".."), preludeName)
}

// Beside describes the file of this name in the folder of f. The user has not named it, so it
// must be a regular file, and not a link out of the folder.
func (f File) Beside(name string) (File, error) {
	dir := filepath.Dir(f.Path)
	other := File{Path: filepath.Join(dir, name), folder: cmp.Or(f.folder, dir)}
	info, err := input.StatBelow(other.folder, other.Path)
	if err == nil {
		if other.Size = info.Size(); info.IsDir() {
			err = fs.ErrNotExist
		}
	}
	return other, err
}

// beside reads the file of this name, compressed or not, in the folder dir: the folder of
// f, or the folder above it.
func (f File) beside(dir, name string) (Text, error) {
	for _, end := range Endings {
		path := filepath.Join(dir, name+end)
		folder := f.folder
		if within, err := filepath.Rel(folder, dir); folder == "" || err != nil || !filepath.IsLocal(within) { // the prelude may lie above it
			folder = dir
		}
		file, err := input.OpenBelow(folder, path)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENAMETOOLONG) {
			continue
		}
		if err != nil {
			return Text{}, err
		}
		defer file.Close()
		text, err := readWhole(path, file, MaxMetadata)
		if err != nil {
			return Text{}, err
		}
		return Text{path, text}, nil
	}
	return Text{}, nil
}

// MaxMetadata limits the size of a file that describes a collection or a container, in
// bytes.
const MaxMetadata = 16 << 20

// ReadFile reads a whole file, plain or compressed, of at most limit bytes.
func ReadFile(path string, limit int) ([]byte, error) {
	file, err := input.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readWhole(path, file, limit)
}

// readWhole reads the whole file of this name, plain or compressed, of at most limit bytes. A
// text is decoded by [input.Text].
func readWhole(name string, r io.Reader, limit int) ([]byte, error) {
	plain, _, done, err := decompress(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer done()
	text, err := io.ReadAll(io.LimitReader(plain, int64(limit)+1))
	if err == nil && len(text) > limit {
		err = fmt.Errorf("larger than %d MiB", limit>>20)
	}
	if err == nil && !BeginsBSON(text) {
		decoded, wrong := input.Text(text)
		switch {
		case wrong == nil:
			text = decoded
		case Foreign(name, text) == nil: // otherwise the caller says what the file is
			err = wrong
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return text, nil
}
