package main

import (
	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/protocol"
	"github.com/ttlpolicy/ttlpolicy/conformance/reference"
)

func newAdapterCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "adapter",
		Short: "Answer questions of other programs, a line of JSON each",
		Long: `adapter reads requests from standard input, one JSON object a line, and writes one
answer a line to standard output. It is the reference adapter of the conformance
protocol: it answers with this library. See docs/adapter.md.`,
		Example: examples(
			"what it can answer", `echo '{"cmd":"hello","protocol":1}' | ttl adapter`,
			"one question", `echo '{"cmd":"run","seq":1,"op":"self.echo","in":{"value":{"$numberDouble":"-0.0"}}}' | ttl adapter`,
		),
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return protocol.Serve(cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr(), released{reference.New(), buildVersion().tool})
		},
	}
}

// released is a system that says that it is of the tool's release.
type released struct {
	conformance.System
	version string
}

func (r released) Hello() conformance.Hello {
	h := r.System.Hello()
	h.Version = r.version
	return h
}
