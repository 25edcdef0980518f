package adapter

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"unicode/utf8"
)

// Serve answers the requests in r on w, one line each and each at once, until
// r ends or a request says bye. What is for people goes to log. The version is
// that of the library, for the greeting.
//
// The error is one of r or of w; no request causes one.
func Serve(r io.Reader, w, log io.Writer, version string) error {
	s := server{version: version, log: log}
	in := newLines(r)
	for {
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
		if _, err := w.Write(append(reply, '\n')); err != nil {
			return err
		}
	}
}

type server struct {
	version string
	log     io.Writer
}

// reply returns the answer to one line, without a newline: nil for a blank
// line. It reports true for the request to end.
func (s *server) reply(line []byte, trouble error) (reply []byte, bye bool) {
	if len(line) == 0 || blank(line) {
		return nil, false
	}
	members, err := cut(line)
	if trouble == nil {
		trouble = check(line, err)
	}
	request := object{members: members}
	seq := request.number("seq")
	if trouble != nil {
		return encode(answer{Seq: seq, Fault: trouble.Error()}), false
	}
	cmd, err := request.text("cmd")
	switch {
	case err != nil:
		return encode(answer{Seq: seq, Fault: err.Error()}), false
	case cmd == "hello":
		return s.hello(request), false
	case cmd == "bye":
		return nil, true
	case cmd == "run":
		return encode(s.run(seq, request)), false
	}
	return encode(answer{Seq: seq, Fault: fmt.Sprintf("cmd: no command %q; want hello, run or bye", clip(cmd))}), false
}

func blank(line []byte) bool {
	c := cutter{text: line}
	c.space()
	return c.at == len(line)
}

// check returns what is wrong with a line that cut returned an error for, or
// none.
func check(line []byte, err error) error {
	switch {
	case err != nil:
		return err
	case !utf8.Valid(line):
		return errors.New("malformed JSON: the line is not UTF-8")
	}
	var whole json.RawMessage
	if err := json.Unmarshal(line, &whole); err != nil {
		return fmt.Errorf("malformed JSON: %w", err)
	}
	return nil
}

// run runs one operation. A panic of the library is a fault, told in full to
// the log.
func (s *server) run(seq json.RawMessage, request object) (a answer) {
	defer func() {
		if trouble := recover(); trouble != nil {
			fmt.Fprintf(s.log, "seq %s: panic: %v\n%s", seq, trouble, debug.Stack())
			a = answer{Seq: seq, Fault: fmt.Sprintf("panic: %v", trouble)}
		}
	}()
	if seq == nil {
		return answer{Fault: request.unwanted("seq", "a number").Error()}
	}
	out, err := perform(request)
	return answerFor(seq, out, err)
}

// perform finds the operation that is asked for and performs it.
func perform(request object) (any, error) {
	name, err := request.text("op")
	if err != nil {
		return nil, err
	}
	for _, o := range operations {
		if o.name == name {
			return o.perform(request)
		}
	}
	return nil, skipf("no operation %q", clip(name))
}

// clip keeps what is quoted from a request short.
func clip(s string) string {
	if len(s) <= 64 {
		return s
	}
	return s[:64] + "…"
}
