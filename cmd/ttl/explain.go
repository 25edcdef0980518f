package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/explain"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/namespace"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/policyflags"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func newExplainCommand() *cobra.Command {
	var flags policyflags.Flags
	var format, id string
	cmd := &cobra.Command{
		Use:   "explain [DOCUMENT | FILE | -]",
		Short: "Say why one document expires, or does not",
		Long: `explain judges one document: its state, its deadline, the rule that decided with its
sources, the ladder of rules that were consulted, and a timeline.

The document is Extended JSON on the command line, or a file with Extended JSON or
one BSON document, or standard input. With --container it is a Cosmos DB item. With --id
it is found in a dump, an archive or an export, and the policy is that of the dump unless
flags name one.`,
		Example: examples(
			"a date and its time to live", `ttl explain --index '{"createdAt":1}' --expire-after 30d '{"createdAt":{"$date":"2026-11-01T00:00:00Z"}}'`,
			"why does this one never expire?", `ttl explain --index '{"createdAt":1}' --expire-after 30d '{"createdAt":"2026-11-01"}'`,
			"an item of Cosmos DB", `ttl explain --container '{"defaultTtl":-1}' '{"ttl":60,"_ts":1795161600}'`,
			"as a picture", `ttl explain --index '{"createdAt":1}' --expire-after 30d --format svg '{"createdAt":{"$date":"2026-11-01T00:00:00Z"}}' > life.svg`,
			"one document of a dump", "ttl explain --id 6ac5fd0d5f3a91c200000000 dump/shop/logs.bson",
			"by the indexes of a dump, for a program", "ttl explain --metadata dump/shop/logs.metadata.json --format json doc.json",
		),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return cli.Usagef("explain takes one document, and there are %d arguments; put a document with spaces between quotes: '{createdAt: …}'", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			e, err := explainOne(cmd, &flags, strings.Join(args, ""), id)
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
	cmd.Flags().StringVar(&id, "id", "", `explain the document of a dump or an export with this _id or id, such as 'ObjectId("…")', its digits, 5 or abc`)
	policyflags.Complete(cmd, "id")
	addNeed(cmd, "id", func() bool {
		return cmd.Flags().NArg() == 1 && !strings.HasPrefix(strings.TrimSpace(cmd.Flags().Arg(0)), "{")
	}, "without a dump or an export to look for it in")
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
func explainOne(cmd *cobra.Command, flags *policyflags.Flags, arg, id string) (e explain.Explanation, err error) {
	now, err := flags.Instant(time.Now())
	if err != nil {
		return e, err
	}
	if id != "" {
		return explainFound(cmd, flags, arg, id, now)
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
	return explained(p, doc, now)
}

func explained(p *reasons.Policy, doc policy.Document, now policy.Instant) (explain.Explanation, error) {
	e := explain.Of(p, doc, now)
	if err := e.Check(); err != nil {
		return e, fmt.Errorf("the document: %w", err)
	}
	return e, nil
}

// explainFound explains the document with an identifier in what path stands for.
func explainFound(cmd *cobra.Command, flags *policyflags.Flags, path, id string, now policy.Instant) (e explain.Explanation, err error) {
	found, err := find(cmd, []string{path}, namespace.Selection{})
	if err != nil {
		return e, err
	}
	collections, err := known(found)
	if err != nil {
		return e, err
	}
	groups, err := groupCollections(flags, collections)
	if err != nil {
		return e, err
	}
	search, options := explain.NewSearch(id, "_id", now), dump.StreamOptions{Text: dump.ExtJSON}
	if flags.Container != "" {
		search, options = explain.NewSearch(id, "id", now), dump.StreamOptions{Text: dump.JSON}
	}
	for _, in := range inputsOf(collections) {
		if err := search.Run(in, options, func(c *dump.Collection) bool { return slices.Contains(collections, c) }); err != nil {
			return e, err
		}
	}
	switch {
	case search.Found == 0:
		return e, fmt.Errorf("no document of %s has the identifier %s; %s were looked at", path, cli.Clip(id, 100), cli.Documents(search.Read))
	case search.Found > 1:
		advice := ""
		if search.Matches[0].Collection != search.Matches[len(search.Matches)-1].Collection {
			advice = "; name the file of one of them"
		}
		return e, fmt.Errorf("%d documents have the identifier %s: %s%s", search.Found, cli.Clip(id, 100), places(search.Matches), advice)
	}
	m := search.Matches[0]
	g := groups[slices.IndexFunc(groups, func(g group) bool { return slices.Contains(g.collections, m.Collection) })]
	if g.err != nil {
		return e, g.err
	}
	g.policy.Notes = append(g.policy.Notes, "The document is "+places(search.Matches)+".")
	return explained(g.policy, m.Document, now)
}

// places says where documents are.
func places(list []explain.Match) string {
	var text []string
	for _, m := range list {
		text = append(text, fmt.Sprintf("at byte %d of %s, in %s", m.Offset, m.Collection.Place(), m.Collection.Title()))
	}
	return strings.Join(text, "; ")
}
