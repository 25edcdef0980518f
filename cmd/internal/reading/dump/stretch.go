package dump

import (
	"bufio"
	"io"
	"math"
	"sync"
	"sync/atomic"
)

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
