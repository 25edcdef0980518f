package input

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// errUTF32 is the error about an encoding that no tool of databases writes.
var errUTF32 = errors.New("the text is UTF-32; convert it to UTF-8 first")

// The marks at the beginning of encoded texts (Unicode Standard, 23.8, byte order mark).
const (
	markUTF8    = "\xef\xbb\xbf"
	markLittle  = "\xff\xfe"
	markBig     = "\xfe\xff"
	markLittle4 = "\xff\xfe\x00\x00"
	markBig4    = "\x00\x00\xfe\xff"
)

// encodingOf returns the length of the mark at the beginning of a text, and the encoding of
// UTF-16 behind it; nil for UTF-8. Without a mark, a text is UTF-16 if its first two
// characters are of ASCII, each beside a NUL: so Windows PowerShell writes with `>`, and
// programs without a mark.
func encodingOf(head []byte) (mark int, utf16 encoding.Encoding, err error) {
	has := func(mark string) bool { return bytes.HasPrefix(head, []byte(mark)) }
	little := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	big := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	switch {
	case has(markLittle4), has(markBig4):
		return 0, nil, errUTF32
	case has(markUTF8):
		return len(markUTF8), nil, nil
	case has(markLittle):
		return len(markLittle), little, nil
	case has(markBig):
		return len(markBig), big, nil
	case len(head) < 4:
	case isASCII(head[0]) && head[1] == 0 && isASCII(head[2]) && head[3] == 0:
		return 0, little, nil
	case head[0] == 0 && isASCII(head[1]) && head[2] == 0 && isASCII(head[3]):
		return 0, big, nil
	}
	return 0, nil, nil
}

// isASCII reports whether b is a character of ASCII that texts hold.
func isASCII(b byte) bool { return b >= ' ' && b < 0x7f || b == '\t' || b == '\n' || b == '\r' }

// IsEncoded reports whether bytes that begin with head are a text with a mark, or in UTF-16 or
// UTF-32. Ask it only about bytes that are not BSON: a length of BSON may look like a mark.
func IsEncoded(head []byte) bool {
	mark, utf16, err := encodingOf(head)
	return mark > 0 || utf16 != nil || err != nil
}

// Text returns a text as UTF-8 without a byte order mark: every reader of a whole text calls
// it, and nothing else decodes bytes. The error names UTF-32, or the place of a NUL, which no
// text holds: the encoding is another one, or the bytes are no text. With the latter error
// Text returns the text as well.
func Text(b []byte) ([]byte, error) {
	mark, utf16, err := encodingOf(b)
	if err != nil {
		return nil, err
	}
	b = b[mark:]
	if utf16 != nil {
		if b, err = utf16.NewDecoder().Bytes(b); err != nil {
			return nil, fmt.Errorf("the text is not UTF-16, as its beginning says: %w", err)
		}
	}
	if at := bytes.IndexByte(b, 0); at >= 0 {
		err = fmt.Errorf("byte %d is NUL, which no text holds: convert the file to UTF-8 if it is a text", mark+at)
	}
	return b, err
}

// Reader is [Text] for a text that is read piece by piece; it does not look for NUL. skipped is
// the number of bytes of a mark before the text. isDecoded reports whether the text is not in
// the file as it is returned.
func Reader(src *bufio.Reader) (text *bufio.Reader, skipped int, isDecoded bool, err error) {
	head, _ := src.Peek(len(markLittle4)) // an error comes back when the text is read
	mark, utf16, err := encodingOf(head)
	if err != nil {
		return nil, 0, false, err
	}
	if _, err := src.Discard(mark); err != nil {
		return nil, 0, false, err
	}
	if utf16 == nil {
		return src, mark, false, nil
	}
	return bufio.NewReaderSize(transform.NewReader(src, utf16.NewDecoder()), src.Size()), mark, true, nil
}
