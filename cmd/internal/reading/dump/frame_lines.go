package dump

import (
	"bytes"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
)

// lineFramer finds a document in each line that is not blank.
type lineFramer struct {
	inLong bool // within a line that was already reported as too long
}

func (f *lineFramer) frame(data []byte, final bool, spans []Span) ([]Span, int, *damage) {
	first := len(spans)
	for pos := 0; ; {
		end := bytes.IndexByte(data[pos:], '\n')
		size, found := end, end >= 0
		if !found {
			size = len(data) - pos
		}
		switch {
		case f.inLong && !found:
			return spans, len(data), nil
		case f.inLong:
			f.inLong = false
		case size > MaxText && len(spans) > first:
			return spans, pos, nil
		case size > MaxText:
			f.inLong = !found
			return spans, min(pos+size+1, len(data)), &damage{at: pos, err: errLongLine, skippable: true}
		case !found && !final || size == 0 && !found:
			return spans, pos, nil
		default:
			spans = addLine(spans, data, pos, pos+size)
		}
		pos = min(pos+size+1, len(data))
	}
}

var errLongLine = fmt.Errorf("the line is longer than %d MiB", MaxText>>20)

// addLine appends the line data[start:end] without the white space around it.
func addLine(spans []Span, data []byte, start, end int) []Span {
	for start < end && jsontext.IsSpace(data[start]) {
		start++
	}
	for start < end && jsontext.IsSpace(data[end-1]) {
		end--
	}
	if start == end {
		return spans
	}
	return append(spans, Span{int32(start), int32(end)})
}
