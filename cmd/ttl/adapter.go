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
		Example: examples("say hello", `echo '{"cmd":"hello","protocol":1}' | ttl adapter`),
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return adapter.Serve(cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr(), buildVersion().tool)
		},
	}
}
