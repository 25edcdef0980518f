package dump

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxWindow limits the memory of decompressing Zstandard. It is the default limit of the
// zstd tool.
const maxWindow = 128 << 20

// decompress returns a reader of the plain bytes of r, whose first bytes tell the
// compression; whether r is plain; and a function that releases the reader.
func decompress(r io.Reader) (src *bufio.Reader, plain bool, done func(), err error) {
	src = bufio.NewReaderSize(r, headSize)
	head, _ := src.Peek(4) // if this fails, the first Read returns the same error
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b\x08")): // RFC 1952, section 2.3.1; without the 8 it may be the length of a document
		z, err := gzip.NewReader(src)
		if err != nil {
			return nil, false, nil, fmt.Errorf("damaged gzip header: %w", err)
		}
		return bufio.NewReaderSize(z, headSize), false, func() { z.Close() }, nil
	case isZstd(head):
		// One goroutine decompresses in less time than several on two cores, and leaves
		// the other core for deciding.
		z, err := zstd.NewReader(src, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, false, nil, fmt.Errorf("damaged Zstandard data: %w", err)
		}
		return bufio.NewReaderSize(z, headSize), false, z.Close, nil
	}
	return src, true, func() {}, nil
}

// isZstd reports whether head begins a Zstandard frame, or one of the
// skippable frames that some tools write first (RFC 8878, section 3.1).
func isZstd(head []byte) bool {
	if len(head) < 4 {
		return false
	}
	return bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")) ||
		head[0]&0xf0 == 0x50 && bytes.HasPrefix(head[1:], []byte("\x2a\x4d\x18"))
}
