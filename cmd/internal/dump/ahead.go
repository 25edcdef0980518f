package dump

import (
	"bufio"
	"io"
	"math"
	"sync"
)

// ahead is for reading one large file of BSON by several goroutines, in
// stretches that are claimed in their order and read in any. Copying them out
// of the page cache is a third of the work on a dump, and what a core has
// copied itself it need not fetch from the other when it decides.
//
// Only the way that all is well is gone so: whole stretches, and documents
// that are smaller. At the first trouble ahead stops, and [Stream.Next] reads
// on, one block after another, from the last document that was cut.
type ahead struct {
	file      io.ReaderAt
	pos, size int64 // what is claimed next, and where the file ended when it was opened
	tell      func(n int)
	told      int64 // how far into the file that was told
	claims    int

	rooms   rooms
	mu      sync.Mutex // guards what follows, and the stream's offset and carry
	turned  sync.Cond
	turn    int // the claim to be cut next
	stopped bool
}

// A claim is the stretch of a file that a block is to hold.
type claim struct {
	turn  int
	from  int64
	size  int // 0 if there is none
	rooms *rooms
	room  []byte // for the beginning of a document from the block before, and for the stretch
}

// rooms are the rooms that no block has. The one that was given back last is
// taken first: most of it is still in the cache of the core that asks.
type rooms struct {
	mu   sync.Mutex
	free [][]byte
}

func (r *rooms) take() []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.free); n > 0 {
		room := r.free[n-1]
		r.free = r.free[:n-1]
		return room
	}
	return make([]byte, 2*blockSize)
}

func (r *rooms) giveBack(room []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.free = append(r.free, room)
}

// readAhead makes s, whose documents are found by their lengths alone, ready
// for Claim. s has read the first pos bytes of file, which are all buffered.
func (s *Stream) readAhead(file io.ReaderAt, pos, size int64, tell func(n int)) {
	s.carry = make([]byte, pos-s.offset)
	io.ReadFull(s.src, s.carry)
	s.ahead = &ahead{file: file, pos: pos, told: pos, size: size, tell: tell}
	s.ahead.turned.L = &s.ahead.mu
}

// Claim sets aside the part of the input that follows for b, for a goroutine
// that calls Load, which must happen for every claim. It reports false where
// only Next goes on: always, unless s is a large file of plain BSON.
func (s *Stream) Claim(b *Block) bool {
	a := s.ahead
	if a == nil || a.pos >= a.size || a.isStopped() {
		return false
	}
	b.Reset()
	b.claim.turn, b.claim.from, b.claim.size = a.claims, a.pos, int(min(blockSize, a.size-a.pos))
	a.claims++
	a.pos += int64(b.claim.size)
	return true
}

func (a *ahead) isStopped() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.stopped
}

// Load fills b with the documents of what was claimed for it, as soon as all
// that was claimed before is loaded. It leaves b empty if there was trouble,
// which Next comes to in its turn. It does nothing to a block that Next
// filled. Any goroutine may call it.
func (s *Stream) Load(b *Block) {
	if b.claim.size == 0 {
		return
	}
	a := s.ahead
	b.claim.rooms, b.claim.room = &a.rooms, a.rooms.take()
	stretch := b.claim.room[blockSize:][:b.claim.size]
	n, _ := a.file.ReadAt(stretch, b.claim.from) // trouble is met again by Next
	a.mu.Lock()
	defer a.mu.Unlock()
	for a.turn != b.claim.turn {
		a.turned.Wait()
	}
	a.stopped = a.stopped || n < len(stretch) || !s.cut(b)
	a.turn++
	a.turned.Broadcast()
}

// cut finds the documents in what b has loaded and what was left over before.
// It reports false if that is not done by following lengths.
func (s *Stream) cut(b *Block) bool {
	if len(s.carry) > blockSize {
		return false
	}
	b.Offset = s.offset
	data := b.claim.room[blockSize-len(s.carry) : blockSize+b.claim.size]
	copy(data, s.carry)
	spans, settled, bad := s.framer.frame(data, false, b.Spans)
	if bad != nil || settled == 0 {
		return false
	}
	b.Data, b.Spans = data, spans
	s.settle(b, settled)
	s.ahead.tellUpTo(s.offset)
	return true
}

// tellUpTo tells of what has been read, once even if it is read again.
func (a *ahead) tellUpTo(pos int64) {
	if pos > a.told && a.tell != nil {
		a.tell(int(pos - a.told))
		a.told = pos
	}
}

// readOn ends reading ahead, when all that was claimed is loaded.
func (s *Stream) readOn() {
	a := s.ahead
	a.mu.Lock()
	defer a.mu.Unlock()
	for a.turn != a.claims {
		a.turned.Wait()
	}
	if s.ahead = nil; a.claims == 0 {
		return
	}
	pos := s.offset
	rest := io.NewSectionReader(a.file, pos, math.MaxInt64-pos)
	s.src = bufio.NewReaderSize(Counted(rest, func(n int) { pos += int64(n); a.tellUpTo(pos) }), headSize)
	s.carry = nil
}
