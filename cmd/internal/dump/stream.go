package dump

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
)

// A Stream is one input on its way into documents.
type Stream struct {
	name   string
	kind   Kind
	framer framer
	src    *bufio.Reader
	plain  bool // not compressed
	close  func()
	offset int64      // where carry begins, in bytes of uncompressed input
	carry  []byte     // read, but not yet handed out
	err    error      // why src has no more: io.EOF or an error
	shared *stretches // nil unless several goroutines may read
}

// NewStream returns a stream of the documents in r, decompressing r if its
// first bytes are those of gzip or Zstandard. If kind is [Auto] the kind is
// found out too; of the two kinds of text it is then taken to be text.
//
// The error names the input and what to do about it.
func NewStream(name string, r io.Reader, kind, text Kind) (*Stream, error) {
	plain, done, err := decompress(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s := &Stream{name: name, kind: kind, src: bufio.NewReaderSize(plain, headSize), close: done}
	_, s.plain = plain.(*bufio.Reader) // all others decompress
	if err := s.begin(text); err != nil {
		done()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// headSize is how much of an input is looked at to find out its kind.
const headSize = 64 << 10

// begin finds out how s's documents follow one another.
func (s *Stream) begin(text Kind) error {
	head, err := s.src.Peek(headSize)
	if len(head) == 0 && err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	framer, skip, err := framerFor(s.kind, head)
	if err != nil {
		return err
	}
	if _, err := s.src.Discard(skip); err != nil {
		return err
	}
	s.framer, s.offset = framer, int64(skip)
	if s.kind == Auto {
		s.kind = kindOf(framer, text)
	}
	return nil
}

func kindOf(f framer, text Kind) Kind {
	if _, ok := f.(bsonFramer); ok {
		return BSON
	}
	return text
}

// Kind returns the kind of the documents; it is not [Auto].
func (s *Stream) Kind() Kind { return s.kind }

// Name returns the name s was made with.
func (s *Stream) Name() string { return s.name }

// Close releases what decompressing took. It does not close the input.
func (s *Stream) Close() { s.close() }

// Next fills b with the documents that follow, at least one unless there is
// only space between documents. It returns io.EOF at the end of the input, and
// an [*Error] for damage, which comes after all documents before it. After a
// skippable error Next may be called again, after any other it may not.
func (s *Stream) Next(b *Block) error {
	if s.shared != nil {
		s.unshare()
	}
	b.Reset()
	b.Offset = s.offset
	b.Data = append(b.Data, s.carry...)
	// The first round is content with less, so that a slow pipe is not waited for.
	for enough, want := blockSize/8, blockSize; ; enough = min(2*len(b.Data), largest) {
		want = max(want, enough)
		final := s.fill(b, enough, want)
		spans, settled, bad := s.framer.frame(b.Data, final, b.Spans)
		b.Spans = spans
		switch {
		case bad != nil:
			s.settle(b, settled)
			return &Error{Name: s.name, Offset: b.Offset + int64(bad.at), Err: bad.err, Skippable: bad.skippable}
		case settled > 0:
			s.settle(b, settled)
			return nil
		case final:
			return io.EOF
		case s.err != nil:
			return &Error{Name: s.name, Offset: b.Offset, Err: fmt.Errorf("reading on failed: %w", s.err)}
		}
	}
}

// largest is how much a block holds at most: one document of any kind and what
// tells that it is too large.
const largest = MaxText + blockSize

// settle keeps for the next block what follows the first n bytes of b.
func (s *Stream) settle(b *Block, n int) {
	if cap(s.carry) > 2*blockSize {
		s.carry = nil
	}
	s.carry = append(s.carry[:0], b.Data[n:]...)
	b.Data = b.Data[:n]
	s.offset += int64(n)
}

// fill reads up to want bytes into b, until it holds enough. It reports whether
// nothing follows.
func (s *Stream) fill(b *Block, enough, want int) (final bool) {
	if len(b.Data) < want {
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

// An Error says that a document, or all that follows it, cannot be read.
type Error struct {
	Name   string // the input, a file's path as it was given or "standard input"
	Offset int64  // where the document begins, in bytes of uncompressed input
	Err    error  // what is wrong; often a [*policy.SyntaxError], whose own offset counts from there
	// Skippable reports whether the place where the next document begins is
	// known, so that reading can go on behind this one.
	Skippable bool
}

// Error returns the input, the place and what is wrong there, in one line.
func (e *Error) Error() string {
	return fmt.Sprintf("%s: document at byte %d: %v", e.Name, e.Offset, e.Err)
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }
