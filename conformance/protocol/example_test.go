package protocol_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance/protocol"
	"github.com/ttlpolicy/ttlpolicy/conformance/reference"
)

// Serve makes an adapter of a system in Go: one line for each request, whatever the
// request holds. An adapter serves its standard input and output.
func ExampleServe() {
	requests := strings.NewReader(`{"cmd": "run", "seq": 1, "op": "self.echo", "target": {}, "in": {"value": {"$numberDouble": "-0.0"}}}
{"cmd": "run", "seq": 2
{"cmd": "bye"}
`)
	var answers bytes.Buffer
	if err := protocol.Serve(requests, &answers, io.Discard, reference.New()); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(answers.String())
	// Output:
	// {"seq":1,"out":{"value":{"$numberDouble":"-0.0"}}}
	// {"seq":null,"fault":"malformed JSON: the line ends where a closing bracket was expected"}
}
