package protocol_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance/conformtest"
	"github.com/ttlpolicy/ttlpolicy/conformance/protocol"
)

// Serve makes an adapter of a system in Go. It answers each request with one line,
// whatever the request holds. An adapter serves its standard input and output.
func ExampleServe() {
	requests := strings.NewReader(`{"cmd": "run", "seq": 1, "op": "self.echo", "target": {}, "in": {"value": {"$numberDouble": "-0.0"}}}
{"cmd": "run", "seq": 2
{"cmd": "bye"}
`)
	var answers bytes.Buffer
	if err := protocol.Serve(requests, &answers, io.Discard, conformtest.Reference()); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(answers.String())
	// Output:
	// {"seq":1,"out":{"value":{"$numberDouble":"-0.0"}}}
	// {"seq":null,"fault":"malformed JSON at byte 23: the input ends inside the document: want a closing bracket"}
}

// Start runs the suite against a program. A program that cannot be started, or
// does not answer hello, is an error.
func ExampleStart() {
	p, err := protocol.Start(context.Background(), []string{"./no-such-adapter"}, protocol.Options{})
	if err != nil {
		fmt.Println("not started")
		return
	}
	defer p.Close()
	report, err := conformtest.Run(p)
	fmt.Println(report.Conforms, err)
	// Output: not started
}
