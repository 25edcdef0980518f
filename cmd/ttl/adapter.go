package main

import (
	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/adapter"
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
			return interruptible(cmd.Context(), func() error {
				return adapter.Serve(cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr(), buildVersion().tool)
			})
		},
	}
}
