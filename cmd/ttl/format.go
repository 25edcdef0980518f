package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
)

// addFormat adds --format with the given choices, of which the first is the
// default.
func addFormat(cmd *cobra.Command, format *string, choices ...string) {
	cmd.Flags().StringVar(format, "format", choices[0], "form of the output: "+strings.Join(choices, ", "))
	completeFixed(cmd, "format", choices...)
}

// completeFixed makes the shell offer these values for a flag, and no files.
func completeFixed(cmd *cobra.Command, flag string, values ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag does not exist, or has its completion already
	}
}

func checkFormat(format string, choices ...string) error {
	if slices.Contains(choices, format) {
		return nil
	}
	return cli.Usagef("--format %s: want one of %s", format, strings.Join(choices, ", "))
}
