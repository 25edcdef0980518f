package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/explain"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/policyflags"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

var explainFormats = []string{"text", "json", "svg", "html"}

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
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFormat(format, explainFormats...); err != nil {
				return err
			}
			e, err := explainOne(cmd, &flags, strings.Join(args, ""))
			if err != nil {
				return err
			}
			if format == "svg" {
				tell(cmd, e.Policy.Notes) // the others hold them
			}
			return writeExplanation(cmd.OutOrStdout(), e, format)
		},
	}
	flags.Add(cmd)
	addFormat(cmd, &format, explainFormats...)
	return cmd
}

// tell writes what there is to say about how a policy was read, where what the
// command writes has no room for it.
func tell(cmd *cobra.Command, notes []string) {
	for _, note := range notes {
		fmt.Fprintln(cmd.ErrOrStderr(), "ttl: note: "+cli.Visible(note))
	}
}

func writeExplanation(w io.Writer, e explain.Explanation, format string) error {
	switch format {
	case "json":
		return cli.WriteJSON(w, e.JSON())
	case "svg":
		return e.SVG(w)
	case "html":
		return e.HTML(w)
	}
	return e.Text(cli.NewPrinter(w))
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
	var doc policy.Document
	err = interruptible(cmd.Context(), func() (err error) {
		doc, err = explain.Read(arg, cmd.InOrStdin(), p.System == reasons.CosmosNoSQL)
		return err
	})
	if err != nil {
		return e, err
	}
	e = explain.Of(p, doc, now)
	if err := e.Check(); err != nil {
		return e, fmt.Errorf("the document: %w", err)
	}
	return e, nil
}
