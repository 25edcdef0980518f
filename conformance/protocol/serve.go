package protocol

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// Serve answers the requests in r on w, until r ends or a request says bye: the
// adapter of a system written in Go. What panics is a fault. The error is one of
// r or of w.
func Serve(r io.Reader, w io.Writer, system conformance.System) error {
	in := bufio.NewReaderSize(r, 64<<10)
	for {
		text, err := readLine(in)
		if text != "" {
			answer := serve(text, system)
			if answer == nil {
				return nil
			}
			if _, err := w.Write(append(answer, '\n')); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// serve returns the answer to one line, nil for bye.
func serve(text string, system conformance.System) []byte {
	var q struct {
		Cmd    string             `json:"cmd"`
		Seq    json.RawMessage    `json:"seq"`
		Op     string             `json:"op"`
		Target conformance.Target `json:"target"`
		In     json.RawMessage    `json:"in"`
	}
	if err := json.Unmarshal([]byte(text), &q); err != nil {
		return encode(nil, conformance.Fault(err.Error()))
	}
	switch q.Cmd {
	case "hello":
		hello := system.Hello()
		hello.Protocol = version
		line, err := json.Marshal(hello)
		if err != nil {
			return encode(nil, conformance.Fault(err.Error()))
		}
		return line
	case "bye":
		return nil
	case "run":
		return encode(q.Seq, answer(system, conformance.Question{Op: q.Op, Target: q.Target, In: q.In}))
	}
	return encode(q.Seq, conformance.Fault("unknown cmd "+clip(q.Cmd)))
}

// answer asks the system. A panic is a fault.
func answer(system conformance.System, q conformance.Question) (a conformance.Answer) {
	defer func() {
		if trouble := recover(); trouble != nil {
			a = conformance.Fault(fmt.Sprintf("panic: %v", trouble))
		}
	}()
	return system.Ask(q)
}

// encode returns an answer with its number.
func encode(seq json.RawMessage, a conformance.Answer) []byte {
	members := map[string]json.RawMessage{}
	text, err := json.Marshal(a)
	if err == nil {
		err = json.Unmarshal(text, &members)
	}
	if err != nil {
		members["fault"] = json.RawMessage(`"an answer that is no JSON"`)
	}
	members["seq"] = seq
	if seq == nil {
		members["seq"] = json.RawMessage("null")
	}
	line, _ := json.Marshal(members) // all its parts are JSON
	return line
}
