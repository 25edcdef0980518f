package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/explain"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/policyflags"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
)

func newExplainCommand() *cobra.Command {
	var flags policyflags.Flags
	var format string
	cmd := &cobra.Command{
		Use:   "explain [DOCUMENT | FILE | -]",
		Short: "Say why one document expires, or does not",
		Long: `explain judges one document: its state, its deadline, the rule that decided with its
sources, the ladder of rules that were consulted, and a timeline.

The document is Extended JSON on the command line, or a file with Extended JSON or
one BSON document, or standard input. With --container it is a Cosmos DB item.`,
		Example: examples(
			"a date and its time to live", `ttl explain --index '{"createdAt":1}' --expire-after 30d '{"createdAt":{"$date":"2026-11-01T00:00:00Z"}}'`,
			"why does this one never expire?", `ttl explain --index '{"createdAt":1}' --expire-after 30d '{"createdAt":"2026-11-01"}'`,
			"an item of Cosmos DB", `ttl explain --container '{"defaultTtl":-1}' '{"ttl":60,"_ts":1795161600}'`,
			"as a picture", `ttl explain --index '{"createdAt":1}' --expire-after 30d --format svg '{"createdAt":{"$date":"2026-11-01T00:00:00Z"}}' > life.svg`,
			"by the indexes of a dump, for a program", "ttl explain --metadata dump/shop/logs.metadata.json --format json doc.json",
		),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return cli.Usagef("explain takes one document, and there are %d arguments; put a document with spaces between quotes: '{createdAt: …}'", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			e, err := explainOne(cmd, &flags, strings.Join(args, ""))
			if err != nil {
				return err
			}
			switch format {
			case "svg":
				note(cmd, e.Policy.Notes) // the other formats hold them
				return e.SVG(cmd.OutOrStdout())
			case "html":
				return e.HTML(cmd.OutOrStdout())
			}
			return show(cmd, format, e.JSON(), e.Text)
		},
	}
	flags.Add(cmd)
	addFormat(cmd, &format, "text", "json", "svg", "html")
	addFileCheck(cmd)
	return cmd
}

// note writes how a policy was read to standard error, where the output has no
// room for it.
func note(cmd *cobra.Command, notes []string) {
	for _, text := range notes {
		cli.NewPrinter(cmd.ErrOrStderr()).Line("ttl: note: %s", text)
	}
}

// explainOne reads the policy and the document, and explains what the one says
// about the other.
func explainOne(cmd *cobra.Command, flags *policyflags.Flags, arg string) (e explain.Explanation, err error) {
	now, err := flags.Instant(time.Now())
	if err != nil {
		return e, err
	}
	p, err := flags.Compile()
	if err != nil {
		return e, err
	}
	if arg == "" && cli.IsTerminal(cmd.InOrStdin()) {
		return e, explain.ErrNone // rather than wait for somebody to type
	}
	reader := explain.Reader{Plain: p.System == reasons.CosmosNoSQL, Now: now}
	doc, err := reader.Read(arg, cmd.InOrStdin())
	if err != nil {
		return e, err
	}
	p.Notes = append(p.Notes, reader.Notes...)
	e = explain.Of(p, doc, now)
	if err := e.Check(); err != nil {
		return e, fmt.Errorf("the document: %w", err)
	}
	return e, nil
}
