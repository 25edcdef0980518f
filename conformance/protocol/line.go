package protocol

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// The maximum lengths of lines, without their ends: of a request, and of an answer,
// of which a runner keeps many. The answers to the suite take up to 2 kB.
const (
	maxLine   = 16 << 20
	maxAnswer = 64 << 10
)

var (
	errLongLine   = errors.New("the line is longer than 16 MiB")
	errLongAnswer = errors.New("the line is longer than the 64 KiB of an answer")
	errBlankLines = errors.New("nothing but blank lines")
)

// maxBlank is how many blank lines a program may write in a row.
const maxBlank = 1000

// A lineReader reads lines of bounded length. The next call overwrites the line
// that it returned.
type lineReader struct {
	r      *bufio.Reader
	max    int
	buf    []byte
	within bool // a line that was too long, the rest of which is to be passed over
}

func newLineReader(r io.Reader, longest int) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 64<<10), max: longest}
}

// next returns the next line without its end. With errLongLine it returns the
// beginning of the line, at once: the rest may never end. The last line may
// lack its newline.
func (l *lineReader) next() ([]byte, error) {
	if err := l.passOver(); err != nil {
		return nil, err
	}
	for {
		piece, err := l.r.ReadSlice('\n')
		if err != nil && err != bufio.ErrBufferFull && (err != io.EOF || len(l.buf)+len(piece) == 0) {
			return nil, err
		}
		if len(l.buf)+len(piece) > l.max+1 {
			l.within = err == bufio.ErrBufferFull
			return l.release(), errLongLine
		}
		l.buf = append(l.buf, piece...)
		if err == bufio.ErrBufferFull {
			continue
		}
		line := l.release()
		if len(line) > l.max {
			return line, errLongLine
		}
		return line, nil
	}
}

// passOver skips the rest of a line that was too long.
func (l *lineReader) passOver() error {
	for l.within {
		_, err := l.r.ReadSlice('\n')
		if err != nil && err != bufio.ErrBufferFull {
			return err
		}
		l.within = err != nil
	}
	return nil
}

// release returns the line that was read. The memory of a long line is not
// kept for the short ones behind it.
func (l *lineReader) release() []byte {
	line := bytes.TrimSuffix(l.buf, []byte("\n"))
	l.buf = l.buf[:0]
	if cap(l.buf) > 1<<20 {
		l.buf = nil
	}
	return line
}
