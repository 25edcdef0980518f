package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/members"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/answers"
)

// Serve is the adapter of a system written in Go. It answers each request in r with a
// line on w, at once, until r ends or a request says bye.
//
// Requests are not trusted. A request that cannot be read is answered with a fault that
// says so, in bounded time and memory, and never reaches the system. A request of the
// suite's operations without a valid target does not reach it either. The In of a
// question may be any JSON, or nil: the system must check it. If the system panics, the
// answer is a fault and log gets the stack; log may be nil.
//
// An error comes from r or w; no request causes an error.
func Serve(r io.Reader, w, log io.Writer, system conformance.System) error {
	s := server{system, log}
	if log == nil {
		s.log = io.Discard
	}
	for in := newLineReader(r, maxLine); ; {
		line, err := in.next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil && err != errLongLine:
			return err
		}
		reply, bye := s.reply(line, err)
		if bye {
			return nil
		}
		if reply == nil {
			continue
		}
		if _, err := w.Write(reply); err != nil {
			return err
		}
	}
}

type server struct {
	system conformance.System
	log    io.Writer
}

// reply returns the line that answers a request, or nil for a blank line. bye reports
// whether the request says bye.
func (s server) reply(line []byte, trouble error) (reply []byte, bye bool) {
	if trouble == nil && len(bytes.Trim(line, " \t\r\n")) == 0 {
		return nil, false
	}
	request, err := members.Cut(line)
	if trouble == nil {
		trouble = check(line, err)
	}
	cmd := ""
	if trouble == nil {
		cmd, trouble = request.Text("cmd")
	}
	switch {
	case trouble != nil:
		return fault(request.Number("seq"), trouble), false
	case cmd == "bye":
		return nil, true
	}
	return s.answer(cmd, request), false
}

// check returns the fault of a line; err is the error of reading it, or nil.
func check(line []byte, err error) error {
	switch {
	case err != nil:
		return err
	case !utf8.Valid(line):
		return errors.New("malformed JSON: the line is not UTF-8")
	}
	if err := json.Unmarshal(line, new(json.RawMessage)); err != nil {
		return fmt.Errorf("malformed JSON: %w", err)
	}
	return nil
}

// answer answers a complete request. A panic of the system becomes a fault, and is
// written in full to the log.
func (s server) answer(cmd string, request members.Object) (line []byte) {
	seq := request.Number("seq")
	defer func() {
		if trouble := recover(); trouble != nil {
			fmt.Fprintf(s.log, "%s %s: panic: %v\n%s", cmd, seq, trouble, debug.Stack())
			line = fault(seq, fmt.Errorf("panic: %v", trouble))
		}
	}()
	switch cmd {
	case "hello":
		return s.hello(request)
	case "run":
		q, err := questionOf(request)
		if err != nil {
			return fault(seq, err)
		}
		return replyTo(seq, s.system.Ask(q))
	}
	return fault(seq, fmt.Errorf("cmd: no command %q; want hello, run or bye", members.Clip(cmd)))
}

// hello returns the system's Hello, or a fault for a protocol that is not
// supported.
func (s server) hello(request members.Object) []byte {
	if asked := request.Raw("protocol"); asked != nil && string(asked) != fmt.Sprint(version) {
		return fault(nil, fmt.Errorf("protocol: %s is not supported, want %d", members.Clip(string(asked)), version))
	}
	hello := s.system.Hello()
	hello.Protocol = version
	return encode(hello)
}

// questionOf reads the question of a request. Only the operations that are
// about a system need a target.
func questionOf(request members.Object) (q conformance.Question, err error) {
	if request.Number("seq") == nil {
		return q, request.Unwanted("seq", "a number")
	}
	if q, err = answers.Read(request); err == nil {
		q.In = bytes.Clone(q.In) // the next line overwrites this one
	}
	return q, err
}

// replyTo returns the line that answers request seq, which may be nil.
func replyTo(seq json.RawMessage, a conformance.Answer) []byte {
	if !canSend(a) {
		return fault(seq, fmt.Errorf("the system's answer cannot be sent: %v", a.Kind))
	}
	if seq == nil {
		seq = json.RawMessage("null")
	}
	return fmt.Appendf(nil, `{"seq":%s,%s`, seq, encode(a)[len("{"):])
}

// canSend reports whether a system can give such an answer.
func canSend(a conformance.Answer) bool {
	switch a.Kind {
	case conformance.KindOut:
		return json.Valid(a.Out)
	case conformance.KindRefused:
		return a.Refusal != nil
	}
	return a.Kind != conformance.KindNone && a.Kind <= conformance.KindFault
}

func fault(seq json.RawMessage, err error) []byte {
	return replyTo(seq, conformance.Fault(err.Error()))
}

// encode returns v as one line of JSON.
func encode(v any) []byte {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // text and valid JSON can be written
	}
	return line.Bytes()
}
