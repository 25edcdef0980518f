package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/rulelist"
)

func newRulesCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:               "rules [ID]",
		Args:              oneAtMost("the identifier of a rule, or its beginning"),
		ValidArgsFunction: completeRule,
		RunE: func(cmd *cobra.Command, args []string) error {
			return showRules(cmd, format, strings.Join(args, ""))
		},
	}
	addFormat(cmd, &format, "text", "json")
	return cmd
}

func showRules(cmd *cobra.Command, format, id string) error {
	list := rulelist.Select(rulelist.All(), id)
	if len(list) == 0 {
		return noRule(id)
	}
	return show(cmd, format, list, func(p *cli.Printer) error {
		if len(list) == 1 {
			rulelist.WriteWhole(p, list[0])
		} else {
			rulelist.Write(p, list)
		}
		return p.Err()
	})
}

func noRule(id string) error {
	if near := rulelist.Near(rulelist.All(), id); len(near) > 0 {
		return fmt.Errorf("no rule %q; did you mean %s?", id, strings.Join(near, ", "))
	}
	return fmt.Errorf("no rule %q; 'ttl rules' lists them", id)
}

// completeRule offers the identifiers to the shell, with their statements.
func completeRule(_ *cobra.Command, args []string, begun string) (offers []string, _ cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for _, r := range rulelist.Select(rulelist.All(), begun) {
		offers = append(offers, cobra.CompletionWithDesc(r.ID(), r.Statement()))
	}
	return offers, cobra.ShellCompDirectiveNoFileComp
}
