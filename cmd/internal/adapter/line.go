package adapter

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxLine is the longest line that is looked at, without its end.
const maxLine = 16 << 20

// errLongLine is told about a line beyond maxLine.
var errLongLine = errors.New("the line is longer than 16 MiB")

// lines reads lines of bounded length. What it returns is overwritten by the
// next call.
type lines struct {
	r   *bufio.Reader
	buf []byte
}

func newLines(r io.Reader) *lines { return &lines{r: bufio.NewReaderSize(r, 64<<10)} }

// next returns the next line without its end. With errLongLine it returns the
// beginning of the line, and has passed over the rest. The last line may lack
// its newline.
func (l *lines) next() ([]byte, error) {
	l.buf = l.buf[:0]
	long := false
	for {
		piece, err := l.r.ReadSlice('\n')
		long = long || len(l.buf)+len(piece) > maxLine+1
		if !long {
			l.buf = append(l.buf, piece...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err != nil && (err != io.EOF || len(l.buf) == 0):
			return nil, err
		}
		line := l.release()
		if long || len(line) > maxLine {
			return line, errLongLine
		}
		return line, nil
	}
}

// release returns the line that was read. The memory of a long line is not
// kept for the short ones behind it.
func (l *lines) release() []byte {
	line := bytes.TrimSuffix(l.buf, []byte("\n"))
	if cap(l.buf) > 1<<20 {
		l.buf = nil
	}
	return line
}
