package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/suite/conform"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/mutants"
)

func newConformMutantsCommand() *cobra.Command {
	var whole suiteFlag
	var rule, format string
	cmd := &cobra.Command{
		Use:  "mutants",
		Args: noArguments,
		RunE: whole.load(func(cmd *cobra.Command, s *suite.Suite, _ []string) error {
			m, err := judgeMutants(s, rule)
			if err != nil {
				return err
			}
			write := conform.WriteScores
			if rule != "" {
				write = conform.WriteMutants
			}
			err = show(cmd, format, conform.MatrixJSONOf(m), func(p *cli.Printer) error { return write(p, m) })
			if err == nil && len(m.Score().Survivors) > 0 {
				err = cli.ExitSilently(cli.ExitNonconformant)
			}
			return err
		}),
	}
	whole.add(cmd)
	cmd.Flags().StringVar(&rule, "rule", "", "only mutants that misread this rule, or rules that begin so")
	addFormat(cmd, &format, "text", "json")
	return cmd
}

// judgeMutants runs the suite on the mutants of each rule whose identifier has a
// prefix.
func judgeMutants(s *suite.Suite, rule string) (*mutants.Matrix, error) {
	all := slices.DeleteFunc(mutants.All(), func(m mutants.Mutant) bool { return !strings.HasPrefix(m.Rule, rule) })
	if len(all) == 0 {
		return nil, cli.Usagef("--rule %s: no mutant misreads such a rule", rule)
	}
	return mutants.Judge(s, all)
}
