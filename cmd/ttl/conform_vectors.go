package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/suite/conform"
	"github.com/ttlpolicy/ttlpolicy/cmd/suite/results"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

func newConformExplainCommand() *cobra.Command {
	var whole suiteFlag
	var format string
	cmd := &cobra.Command{
		Use:               "explain ID",
		Args:              oneArgument("the identifier of a vector"),
		ValidArgsFunction: completeVector,
		RunE: whole.load(func(cmd *cobra.Command, s *suite.Suite, args []string) error {
			v := s.Vector(args[0])
			if v == nil {
				return fmt.Errorf("no vector %q; 'ttl conform list' lists them", args[0])
			}
			return show(cmd, format, v.Text, func(p *cli.Printer) error { return conform.WriteVector(p, s, v) })
		}),
	}
	whole.add(cmd)
	addFormat(cmd, &format, "text", "json")
	return cmd
}

func newConformListCommand() *cobra.Command {
	var whole suiteFlag
	var filter conform.VectorFilter
	var format string
	cmd := &cobra.Command{
		Use:  "list",
		Args: noArguments,
		RunE: whole.load(func(cmd *cobra.Command, s *suite.Suite, _ []string) error {
			all := len(s.Vectors)
			if s = s.Only(filter.Keep); len(s.Vectors) == 0 {
				return fmt.Errorf("none of %s fits --rule, --op and --flag", cli.Count(int64(all), "vector", "vectors"))
			}
			list := []json.RawMessage{}
			for _, v := range s.Vectors {
				list = append(list, v.Text)
			}
			return show(cmd, format, list, func(p *cli.Printer) error { return conform.WriteVectors(p, s) })
		}),
	}
	whole.add(cmd)
	set := cmd.Flags()
	set.StringVar(&filter.Rule, "rule", "", "only vectors that bear on this rule, or on rules that begin so")
	set.StringVar(&filter.Op, "op", "", "only vectors of this operation, such as mongodb.decide")
	set.StringVar(&filter.Flag, "flag", "", "only vectors with this flag, such as Threshold")
	addFormat(cmd, &format, "text", "json")
	addChoice(cmd, "op", &filter.Op, conformance.Operations()...)
	return cmd
}

func newConformCopyCommand() *cobra.Command {
	var target string
	cmd := &cobra.Command{
		Use:  "copy --target SYSTEM[@RELEASE]",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if target == "" {
				return cli.Usagef("whose answers? give --target, such as --target mongodb@6.0.1 or --target cosmos-nosql")
			}
			vectors, err := results.Expand(suite.Embedded(), conformance.ParseTarget(target))
			if err != nil {
				return cli.Usagef("--target: %w", err)
			}
			return cli.WriteJSON(cmd.OutOrStdout(), vectors)
		},
	}
	cmd.Flags().StringVar(&target, "target", "", "whose answers: mongodb@6.0.1, cosmos-nosql, cosmos-mongo@4.2+EnableTtlOnCustomPath")
	return cmd
}
