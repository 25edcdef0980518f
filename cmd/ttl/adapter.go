package main

import (
	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/protocol"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
)

func newAdapterCommand() *cobra.Command {
	return &cobra.Command{
		Use:  "adapter",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return protocol.Serve(cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr(), released{library.New(), buildVersion().tool})
		},
	}
}

// released is a system that reports the tool's release as its own.
type released struct {
	conformance.System
	version string
}

func (r released) Hello() conformance.Hello {
	h := r.System.Hello()
	h.Version = r.version
	return h
}
