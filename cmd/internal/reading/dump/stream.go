package dump

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/input"
)

// A Stream reads one input, or a file in it, as documents.
type Stream struct {
	name        string
	kind        Kind
	framer      framer
	collections []*Collection // the collections of its documents, nil if unknown
	src         *bufio.Reader
	close       func()
	offset      int64  // the start of carry, in bytes of uncompressed input
	carry       []byte // read but not yet delivered: the end of buffer
	buffer      []byte
	err         error      // the end of src: io.EOF or an error
	failure     error      // the reason why nothing can be read from the stream
	shared      *stretches // nil unless several goroutines may read
	feed        Feed       // unless nil, the feed that delivers the blocks
	noText      bool       // see [StreamOptions]
	isDecoded   bool       // the text is not in the file as the stream reads it
}

// NewStream returns a stream of the documents in r. It decompresses r if the first bytes
// are those of gzip or Zstandard. If kind is [Auto], NewStream detects whether the input
// is BSON or text; the parameter text is then the kind of text input.
//
// The error names the input.
func NewStream(name string, r io.Reader, kind, text Kind) (*Stream, error) {
	src, _, done, err := decompress(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s, err := newStream(name, src, kind, text)
	if err != nil {
		done()
		return nil, err
	}
	s.close = done
	return s, nil
}

// newStream is [NewStream] for decompressed input.
func newStream(name string, src *bufio.Reader, kind, text Kind) (*Stream, error) {
	s := &Stream{name: name, kind: kind, src: src, close: func() {}}
	err := s.begin(text)
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return s, err
}

func failed(name string, err error, collections ...*Collection) *Stream {
	return &Stream{name: name, collections: collections, failure: err, close: func() {}}
}

// headSize is the number of bytes from which the kind of an input is detected.
const headSize = 64 << 10

// begin detects the kind and the framing of s's documents.
func (s *Stream) begin(text Kind) error {
	head, err := s.src.Peek(headSize)
	if len(head) == 0 && err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if s.kind != BSON && !BeginsBSON(head) && input.IsEncoded(head) {
		src, skipped, isDecoded, err := input.Reader(s.src)
		if err != nil {
			return err
		}
		s.src, s.offset, s.isDecoded = src, int64(skipped), isDecoded
		head, _ = src.Peek(headSize)
	}
	framer, err := framerFor(s.name, s.kind, head)
	if err != nil {
		return err
	}
	s.framer = framer
	if s.kind == Auto {
		s.kind = text
		if _, ok := framer.(bsonFramer); ok {
			s.kind = BSON
		}
	}
	return nil
}

// Kind returns the kind of the documents; it is not [Auto].
func (s *Stream) Kind() Kind { return s.kind }

// Name returns the name s was made with.
func (s *Stream) Name() string { return s.name }

// Close releases the memory of decompressing. It closes the file that an [Input] has opened,
// but not the reader that [NewStream] was given.
func (s *Stream) Close() { s.close() }

// Collections returns the collections whose documents s holds.
func (s *Stream) Collections() []*Collection { return s.collections }

// Unfinished returns, after an error that ended the reading, the collections of s whose
// documents were not all read.
func (s *Stream) Unfinished() []*Collection {
	if s.feed != nil {
		return s.feed.Unfinished()
	}
	if f, ok := s.framer.(*archiveFramer); ok {
		return f.unfinished()
	}
	return s.collections
}

// Next fills b with the next documents of one collection: at least one, unless the input
// has other bytes at that place. It returns io.EOF at the end of the input. For damage it
// returns an [*Error], after all documents before the damage, and sets b.Collection to the
// damaged collection if it is known. Reading can go on after an error that is Skippable or
// that sets b.Collection, and after no other error.
func (s *Stream) Next(b *Block) error {
	err := s.next(b)
	if !s.noText {
		return err
	}
	if e, ok := err.(*Error); ok {
		e.Err = WithoutText(e.Err)
		return e
	}
	return WithoutText(err)
}

// Ended returns the collections whose end Next has found since the last call. Only a
// stream of an archive reports such ends, because other collections may follow.
func (s *Stream) Ended() (list []*Collection) {
	if f, ok := s.framer.(*archiveFramer); ok {
		list, f.ended = f.ended, nil
	}
	return list
}

// next is Next without the removal of quotations from errors.
func (s *Stream) next(b *Block) error {
	if s.failure != nil {
		b.Reset()
		return s.failure
	}
	if s.feed != nil {
		b.Reset()
		return s.feed.Next(b)
	}
	if s.shared != nil {
		s.unshare()
	}
	b.Reset()
	b.Offset = s.offset
	if spans, settled, bad := s.framer.frame(s.carry, false, b.Spans); settled > 0 || bad != nil {
		// Blocks of an archive may be small, so the bytes after a block are not copied.
		b.Data, s.carry = append(b.Data, s.carry[:settled]...), s.carry[settled:]
		return s.deliver(b, spans, bad)
	}
	b.Data = append(b.Data, s.carry...)
	// The first round accepts an eighth of a block, so that it does not wait for a slow
	// pipe. At the start of a stream it also requests no more, because many inputs are
	// small.
	enough, want := blockSize/8, blockSize
	if s.offset == 0 {
		want = enough
	}
	for ; ; enough = min(2*len(b.Data), largest) {
		want = max(want, enough)
		final := s.fill(b, enough, want)
		spans, settled, bad := s.framer.frame(b.Data, final, b.Spans)
		b.Spans = spans
		switch {
		case settled > 0 || bad != nil:
			s.keep(b.Data[settled:])
			b.Data = b.Data[:settled]
			return s.deliver(b, spans, bad)
		case final:
			return io.EOF
		case s.err != nil:
			return &Error{Name: s.name, Offset: b.Offset, Err: fmt.Errorf("reading further failed: %w", s.err)}
		}
	}
}

func (s *Stream) deliver(b *Block, spans []Span, bad *damage) error {
	b.Spans, b.Collection = spans, s.collection()
	s.offset += int64(len(b.Data))
	if bad == nil {
		return nil
	}
	if !bad.skippable && !bad.goesOn {
		b.Collection = nil
	}
	return &Error{Name: s.name, Offset: b.Offset + int64(bad.at), Err: bad.err, Skippable: bad.skippable}
}

// largest is the maximum size of a block: a document of any kind, and enough bytes to
// detect a document that is too large.
const largest = MaxText + blockSize

// collection returns the collection whose documents were framed last.
func (s *Stream) collection() *Collection {
	if f, ok := s.framer.(*archiveFramer); ok {
		return f.current
	}
	if len(s.collections) == 0 {
		return nil
	}
	return s.collections[0]
}

func (s *Stream) keep(data []byte) {
	if cap(s.buffer) > 2*blockSize {
		s.buffer = nil
	}
	s.buffer = append(s.buffer[:0], data...)
	s.carry = s.buffer
}

// fill reads until b holds enough bytes, and never more than want. It reports whether the
// input ends there.
func (s *Stream) fill(b *Block, enough, want int) (final bool) {
	if s.err == nil && len(b.Data) < want {
		b.Data = slices.Grow(b.Data, want-len(b.Data))
	}
	for empty := 0; s.err == nil && len(b.Data) < enough; {
		n, err := s.src.Read(b.Data[len(b.Data):want])
		b.Data, s.err = b.Data[:len(b.Data)+n], err
		if empty++; n > 0 {
			empty = 0
		} else if empty == 100 && err == nil {
			s.err = io.ErrNoProgress
		}
	}
	return s.err == io.EOF
}

// An Error is an error about a document that cannot be read, or about an input that
// cannot be read from that place on.
type Error struct {
	Name   string // the input, a file's path as it was given or "standard input"
	Offset int64  // the start of the document, in bytes of uncompressed input
	Err    error  // the fault; often a [*policy.SyntaxError], whose own offset counts from Offset
	// Skippable reports whether the start of the next document is known, so that reading
	// can go on after the damaged document.
	Skippable bool
}

// Error returns the input, the place and the fault, in one line.
func (e *Error) Error() string {
	return fmt.Sprintf("%s: document at byte %d: %v", e.Name, e.Offset, e.Err)
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// A Block is a run of whole documents of one input. The zero Block is ready to
// be filled by [Stream.Next], which reuses its memory.
type Block struct {
	// Offset is where Data begins, in bytes of uncompressed input.
	Offset int64
	// Data holds the documents, and the bytes between them.
	Data []byte
	// Spans are the documents within Data, in order.
	Spans []Span
	// Sizes are the stored sizes of the documents in bytes, if Data holds only parts of
	// them; nil if it holds them whole.
	Sizes []int32
	// Collection is the collection of the documents; nil if they come from no [Input].
	Collection *Collection

	claim claim
}

// A Span is the place of one document in a block's data: Data[Start:End].
type Span struct{ Start, End int32 }

// Doc returns the bytes of document i, from 0 to len(b.Spans)-1.
func (b *Block) Doc(i int) []byte { return b.Data[b.Spans[i].Start:b.Spans[i].End] }

// DocSize returns the stored size of document i in bytes.
func (b *Block) DocSize(i int) int {
	if b.Sizes != nil {
		return int(b.Sizes[i])
	}
	return int(b.Spans[i].End - b.Spans[i].Start)
}

// DocOffset returns where document i begins, in bytes of uncompressed input.
func (b *Block) DocOffset(i int) int64 { return b.Offset + int64(b.Spans[i].Start) }

// Large reports whether b holds more memory than a block of small documents
// needs.
func (b *Block) Large() bool { return cap(b.Data) > 2*blockSize }

// Reset forgets b's documents, and releases the memory of a large block.
func (b *Block) Reset() {
	if b.Large() {
		b.Data = nil
	}
	if b.claim.buffer != nil {
		buffers.Put(b.claim.buffer)
		b.Data = nil
	}
	b.Offset, b.Data, b.Spans, b.Sizes, b.Collection = 0, b.Data[:0], b.Spans[:0], nil, nil
	b.claim = claim{}
}

const (
	// blockSize is the number of bytes read at a time. A block fits into a core's L2
	// cache, so that framing and deciding read it from there.
	blockSize = 512 << 10

	// MaxBSON is the largest document a server stores: 16 MiB for users, and
	// 16 KiB more for the server's own additions
	// (mongodb/mongo: src/mongo/bson/util/builder.h).
	MaxBSON = 16<<20 + 16<<10

	// MaxText is the maximum size of a document in JSON, which is longer than in BSON.
	MaxText = 32 << 20
)

// A Feed delivers documents that are not in a file, such as those of a server.
type Feed interface {
	// Next fills an empty block as [Stream.Next] does, with documents of one collection
	// of the input, and sets b.Collection to this collection. An error with a collection
	// in the block ends only that collection.
	Next(b *Block) error
	// Unfinished returns the collections that were not read to their end.
	Unfinished() []*Collection
	// Close ends the feed, even while Next is waiting.
	Close()
}

// A Part says which part of documents a feed should deliver. The zero Part asks for the
// identifiers and the sizes of the documents.
type Part struct {
	None   bool     // no part of the documents
	Whole  bool     // whole documents
	Fields []string // otherwise these fields; a feed may deliver the whole top-level field of each
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
	Place          string // the place of its documents, for messages
	Metadata       []byte // options and indexes as mongodump writes them, or a container
	Container      bool   // see [Collection.Container]
	Release        string // the release of the server, such as "8.0.4"
	Err            error  // the reason why the collection or its metadata cannot be read
}

// Add adds a collection to a feed.
func (in *Input) Add(d Described) *Collection {
	c := &Collection{Input: in, Database: d.Database, Name: d.Name, Buckets: d.Buckets, Container: d.Container, Err: d.Err, inside: true, place: d.Place}
	c.metadata = Text{d.Place, d.Metadata}
	c.release = release{version: d.Release, place: in.Name()}
	in.Collections = append(in.Collections, c)
	return c
}

// stretches lets several goroutines read one large plain file. A stretch is a piece of
// the file. Stretches are claimed in order and loaded in any order. A chain of channels
// passes the rest of each stretch, the beginning of a document, to the next. Copying the
// file out of the page cache is a third of the work on a dump, and a core decides faster
// about data that it has copied itself.
//
// stretches handle only whole stretches and ordinary documents. At the first
// error they stop, and [Stream.Next] reads on from the last document that was
// found.
type stretches struct {
	file      io.ReaderAt
	pos, size int64 // the start of the next claim, and the end of the file when it was opened
	read      func(n int)
	claimed   bool      // at least one stretch was claimed
	last      chan rest // the rest of the last stretch
	stopped   atomic.Bool
}

// A rest holds the last bytes of a stretch, which begin the first document of the next
// stretch.
type rest struct {
	bytes    []byte
	offset   int64 // the start of these bytes in the file
	reported int64 // the position up to which reading was reported
}

// A claim is the stretch of a file that is loaded into a block.
type claim struct {
	from   int64
	size   int // 0 if there is none
	before <-chan rest
	after  chan<- rest
	buffer *buffer
}

// A buffer has room for a stretch, and for the rest of the previous stretch.
type buffer [2 * blockSize]byte

var buffers = sync.Pool{New: func() any { return new(buffer) }}

// share makes s, the stream of one collection, ready for Claim. s has read the first pos
// bytes of file, and has all of them in its buffer.
func (s *Stream) share(file io.ReaderAt, pos, size int64, read func(n int)) {
	first := rest{make([]byte, pos-s.offset), s.offset, pos}
	io.ReadFull(s.src, first.bytes)
	s.shared = &stretches{file: file, pos: pos, size: size, read: read, last: make(chan rest, 1)}
	s.shared.last <- first
}

// Claim reserves the next part of the input for b. A goroutine must call Load for every
// claim. Claim reports false if only Next can read on, as it does for every stream that is not
// of a large plain file.
func (s *Stream) Claim(b *Block) bool {
	x := s.shared
	if x == nil || x.pos >= x.size || x.stopped.Load() {
		return false
	}
	b.Reset()
	after := make(chan rest, 1)
	b.Collection = s.collection()
	b.claim = claim{from: x.pos, size: int(min(blockSize, x.size-x.pos)), before: x.last, after: after}
	x.pos, x.last, x.claimed = x.pos+int64(b.claim.size), after, true
	return true
}

// Load fills b with the documents of its claim, as soon as all earlier claims are loaded.
// After an error it leaves b empty, and Next will return the error. It does not change a
// block that Next filled. Any goroutine may call it.
func (s *Stream) Load(b *Block) {
	c, x := &b.claim, s.shared
	if c.size == 0 {
		return
	}
	c.buffer = buffers.Get().(*buffer)
	stretch := c.buffer[blockSize:][:c.size]
	n, _ := x.file.ReadAt(stretch, c.from) // Next returns the error later
	r := <-c.before
	if n < len(stretch) || x.stopped.Load() || !s.split(b, &r) {
		x.stopped.Store(true)
	}
	c.after <- r
}

// split finds the documents in r, the rest of the previous stretch, and in the loaded
// data of b. It sets r to the rest of b's stretch. It reports false if Next has to read
// the documents.
func (s *Stream) split(b *Block, r *rest) bool {
	if len(r.bytes) > blockSize {
		return false
	}
	data := b.claim.buffer[blockSize-len(r.bytes) : blockSize+b.claim.size]
	copy(data, r.bytes)
	spans, settled, bad := s.framer.frame(data, false, b.Spans)
	if bad != nil || settled == 0 {
		return false
	}
	b.Offset, b.Data, b.Spans = r.offset, data[:settled], spans
	r.bytes = append(r.bytes[:0], data[settled:]...)
	r.offset += int64(settled)
	r.report(r.offset, s.shared.read)
	return true
}

// report calls read with the number of bytes before pos that were not reported yet. So no
// byte counts twice, even if it is read again.
func (r *rest) report(pos int64, read func(n int)) {
	if pos > r.reported && read != nil {
		read(int(pos - r.reported))
		r.reported = pos
	}
}

// unshare waits until all claims are loaded. After that only Next reads.
func (s *Stream) unshare() {
	x := s.shared
	r := <-x.last
	s.shared = nil
	if !x.claimed {
		s.carry = r.bytes
		return
	}
	pos := r.offset
	remaining := io.NewSectionReader(x.file, pos, math.MaxInt64-pos)
	counted := &opened{file: io.NopCloser(remaining), size: x.size, pos: pos}
	counted.read = func(int) { r.report(counted.pos, x.read) }
	s.offset, s.carry, s.src = r.offset, nil, bufio.NewReaderSize(counted, headSize)
}
