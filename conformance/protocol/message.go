package protocol

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// version is the version of the protocol.
const version = 1

// A request is a line to an adapter.
type request struct {
	Cmd      string              `json:"cmd"`
	Protocol int                 `json:"protocol,omitempty"` // in a hello request
	Runner   string              `json:"runner,omitempty"`   // in a hello request
	Seq      int                 `json:"seq,omitempty"`      // in a run request
	Op       string              `json:"op,omitempty"`       // in a run request
	Target   *conformance.Target `json:"target,omitempty"`   // in a run request, even for self.echo, because adapters read it before op
	In       json.RawMessage     `json:"in,omitempty"`       // in a run request
}

// run returns the request that carries a question.
func run(seq int, q conformance.Question) request {
	return request{Cmd: "run", Seq: seq, Op: q.Op, Target: &q.Target, In: q.In}
}

func (r request) line() []byte {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // the suite's questions are JSON
	}
	return text
}

// A reply is a line from an adapter: an answer, and the number of the request.
type reply struct {
	seq json.RawMessage
	conformance.Answer
}

// readReply reads a line. The error says how it breaches the protocol.
func readReply(line string) (r reply, err error) {
	var members map[string]json.RawMessage
	err = json.Unmarshal([]byte(line), &members)
	if err == nil {
		err = json.Unmarshal([]byte(line), &r.Answer)
	}
	switch {
	case err != nil && !json.Valid([]byte(line)):
		return r, fmt.Errorf("not an answer: %s (debug output belongs on standard error)", clip(line))
	case err != nil:
		return r, fmt.Errorf("not an answer: %s (%w)", clip(line), err)
	}
	answers := 0
	for k := conformance.KindOut; k <= conformance.KindFault; k++ {
		if raw, ok := members[k.String()]; ok && string(raw) != "null" {
			answers++
		}
	}
	if answers != 1 {
		return r, fmt.Errorf("got %d of the members out, error, skip, unknown, boundary and fault, want 1: %s", answers, clip(line))
	}
	r.seq = members["seq"]
	return r, nil
}

// number returns the number of the request that r answers.
func (r reply) number() (seq int, ok bool) {
	seq, err := strconv.Atoi(string(r.seq))
	return seq, err == nil
}

// readHello reads the answer to hello.
func readHello(line string) (h conformance.Hello, err error) {
	var a conformance.Answer
	if json.Unmarshal([]byte(line), &a) == nil && a.Kind == conformance.KindFault {
		return h, breach("hello is answered with a fault: %s", clip(a.Text))
	}
	if err := json.Unmarshal([]byte(line), &h); err != nil {
		return h, breach("not an answer to hello: %s (%v)", clip(line), err)
	}
	switch {
	case h.Protocol != version:
		return h, breach("hello: protocol %d is not supported, want %d", h.Protocol, version)
	case h.Name == "" || h.Version == "":
		return h, breach("hello: name or version is missing: %s", clip(line))
	case len(h.Ops) == 0:
		return h, breach("hello: no ops are claimed: %s", clip(line))
	}
	return h, nil
}

// clip returns s, shortened if it is too long to quote.
func clip(s string) string {
	const longest = 200
	if len(s) <= longest {
		return s
	}
	return s[:longest] + "…"
}

// The maximum lengths of a request and of an answer, without their line ends. The maximum
// of an answer is smaller, because a runner keeps many answers. Answers to the suite take
// up to 2 kB.
const (
	maxLine   = 16 << 20
	maxAnswer = 64 << 10
)

var (
	errLongLine   = errors.New("the line is longer than 16 MiB")
	errLongAnswer = errors.New("the line is longer than 64 KiB, the limit of an answer")
	errBlankLines = errors.New("the program wrote only blank lines")
)

// maxBlank is the largest number of blank lines that a program may write in a row.
const maxBlank = 1000

// A lineReader reads lines of bounded length. Each call of next overwrites the line that
// the previous call returned.
type lineReader struct {
	r      *bufio.Reader
	within bool // the remainder of an overlong line has to be skipped
}

// newLineReader returns a reader of lines of at most longest bytes, without their ends.
func newLineReader(r io.Reader, longest int) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, longest+1)}
}

// next returns the next line without its end. If the line is too long, it returns its
// beginning and errLongLine at once, because the line may never end. The last line may lack
// its newline.
func (l *lineReader) next() ([]byte, error) {
	for l.within {
		_, err := l.r.ReadSlice('\n')
		if err != nil && err != bufio.ErrBufferFull {
			return nil, err
		}
		l.within = err != nil
	}
	line, err := l.r.ReadSlice('\n')
	switch {
	case err == bufio.ErrBufferFull:
		l.within = true
		return line, errLongLine
	case err == io.EOF && len(line) > 0:
		return line, nil
	}
	return bytes.TrimSuffix(line, []byte("\n")), err
}
