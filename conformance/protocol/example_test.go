package protocol_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/protocol"
	"github.com/ttlpolicy/ttlpolicy/conformance/reference"
)

// Serve makes an adapter of a system written in Go: a main function calls it with
// the standard streams.
func ExampleServe() {
	requests := strings.NewReader(`{"cmd":"run","seq":1,"op":"self.echo","in":{"value":5}}
{"cmd":"run","seq":2,"op":"mongodb.drop","in":{}}
{"cmd":"bye"}
`)
	if err := protocol.Serve(requests, os.Stdout, os.Stderr, reference.New()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"seq":1,"out":{"value":{"$numberInt":"5"}}}
	// {"seq":2,"skip":"no operation \"mongodb.drop\""}
}

// Start puts a program to the suite. What cannot be started, or does not answer
// hello, is an error.
func ExampleStart() {
	p, err := protocol.Start(context.Background(), []string{"./no-such-adapter"}, protocol.Options{})
	if err != nil {
		fmt.Println("not started")
		return
	}
	defer p.Close()
	report, err := conformance.Run(conformance.Embedded(), p)
	fmt.Println(report.Conforms(), err)
	// Output: not started
}
