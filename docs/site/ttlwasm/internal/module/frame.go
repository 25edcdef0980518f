package module

import (
	"bytes"
	"encoding/binary"
)

// minBSON is the length of an empty document.
const minBSON = 5

// next finds the document that begins at text[at]. For JSON it first skips blank lines.
// The end is 0 if the document does not end within text.
func (m *Module) next(f Format, text []byte, at int) (start, end int, code Code) {
	if f == BSON {
		end, code = m.endOfBSON(text, at)
		return at, end, code
	}
	for at < len(text) {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			break
		}
		if end = at + n + 1; len(bytes.TrimSpace(text[at:end])) > 0 {
			return at, end, 0
		}
		at = end
	}
	return at, 0, 0
}

func (m *Module) endOfBSON(text []byte, at int) (end int, code Code) {
	if len(text)-at < 4 {
		return 0, 0
	}
	n := binary.LittleEndian.Uint32(text[at:])
	if n < minBSON || n > maxDocument {
		return 0, m.fail(BadDocument, "the document at byte %d has the length %d; documents have 5 to %d", at, int32(n), maxDocument)
	}
	if n > uint32(len(text)-at) {
		return 0, 0
	}
	return at + int(n), 0
}
