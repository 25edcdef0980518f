package dump

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

// DocSize returns the size of document i as it is stored, in bytes.
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

	// MaxText is the largest document in JSON, which is longer than the
	// same in BSON.
	MaxText = 32 << 20
)
