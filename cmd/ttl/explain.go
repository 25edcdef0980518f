package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/explain"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/namespace"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

type explainFlags struct {
	policy policyflags.Flags
	format string
	id     string
	noIDs  bool
	why    bool
	live   liveFlags
}

func newExplainCommand() *cobra.Command {
	var flags explainFlags
	cmd := &cobra.Command{
		Use: "explain [DOCUMENT | FILE | ADDRESS | -]",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return cli.Usagef("explain takes one document, and there are %d arguments; put a document with spaces between quotes: '{createdAt: …}'", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return flags.run(cmd, strings.Join(args, "")) },
	}
	flags.policy.Add(cmd)
	addNoIDs(cmd, &flags.noIDs)
	cmd.Flags().StringVar(&flags.id, "id", "", `explain the document of a dump or an export with this _id or id, such as 'ObjectId("…")', its digits, 5 or abc`)
	cmd.Flags().BoolVar(&flags.why, "why", false, "list the rules that were consulted and do not apply, too")
	addNeed(cmd, "why", func() bool { return flags.format == "text" }, "without --format text: only the text leaves rules out")
	addNeed(cmd, "id", func() bool {
		return cmd.Flags().NArg() == 1 && !strings.HasPrefix(strings.TrimSpace(cmd.Flags().Arg(0)), "{")
	}, "without a dump or an export to look for it in")
	addFormat(cmd, &flags.format, "text", "json", "svg")
	addFileCheck(cmd, true)
	return cmd
}

func (f *explainFlags) run(cmd *cobra.Command, arg string) error {
	e, err := f.explain(cmd, arg)
	if err != nil {
		return err
	}
	if err := f.write(cmd, e); err != nil {
		return err
	}
	if err := e.Check(); err != nil {
		return fmt.Errorf("the document: %w", err)
	}
	return nil
}

// write writes the explanation. Of an unknown document too it says what is known: the
// policy, the rule, and its sources.
func (f *explainFlags) write(cmd *cobra.Command, e explain.Explanation) error {
	if f.format == "svg" {
		note(cmd, e.Policy.Notes) // the other formats hold the notes
		return e.SVG(cmd.OutOrStdout())
	}
	e.Why, e.NoValues = f.why, f.noIDs
	return show(cmd, f.format, e.JSON(), e.Text)
}

// note writes notes to standard error, a line each. It is for notes that the output of the
// command does not hold.
func note(cmd *cobra.Command, notes []string) {
	for _, text := range notes {
		cli.NewPrinter(cmd.ErrOrStderr()).Line("ttl: note: %s", text)
	}
}

// explain reads the policy and the document, and explains the decision.
func (f *explainFlags) explain(cmd *cobra.Command, arg string) (e explain.Explanation, err error) {
	now, err := f.policy.Instant(time.Now())
	if err != nil {
		return e, err
	}
	if f.id != "" {
		return f.explainFound(cmd, arg, now)
	}
	if live.IsAddress(arg) {
		return e, cli.Usagef("which document of the server? --id names one")
	}
	if err := explain.Check(arg); err != nil {
		return e, err
	}
	p, err := f.policy.Compile()
	if err != nil {
		return e, err
	}
	if arg == "" && cli.IsTerminal(cmd.InOrStdin()) {
		return e, explain.ErrNone // instead of waiting for somebody to type
	}
	reader := explain.Reader{Plain: p.System == definition.CosmosNoSQL, Now: now}
	doc, err := reader.Read(arg, cmd.InOrStdin())
	if err != nil {
		return e, err
	}
	p.Notes = append(p.Notes, reader.Notes...)
	return explain.Of(p, doc, now), nil
}

// explainFound explains the document with the identifier in the input at path.
func (f *explainFlags) explainFound(cmd *cobra.Command, path string, now policy.Instant) (e explain.Explanation, err error) {
	defer f.live.close()
	found, err := f.find(cmd, path, now)
	if err != nil {
		return e, err
	}
	path = found.Inputs[0].Name()
	collections, err := known(found)
	if err != nil {
		return e, err
	}
	groups, err := f.policy.Groups(collections)
	if err != nil {
		return e, err
	}
	if len(groups) == 1 && groups[0].Err != nil {
		return e, groups[0].Err
	}
	m, err := f.search(path, collections, now)
	if err != nil {
		return e, orInterrupted(err, "interrupted")
	}
	g := groups[slices.IndexFunc(groups, func(g policyflags.Group) bool { return slices.Contains(g.Collections, m.Collection) })]
	if g.Err != nil {
		return e, g.Err
	}
	g.Policy.Notes = append(g.Policy.Notes, f.live.notes()...)
	g.Policy.Notes = append(g.Policy.Notes, "The document is "+places([]explain.Match{m})+".")
	return explain.Of(g.Policy, m.Document, now), nil
}

// search looks for the only document with the identifier.
func (f *explainFlags) search(path string, collections []*dump.Collection, now policy.Instant) (m explain.Match, err error) {
	search, options := explain.NewSearch(f.id, "_id", now), dump.StreamOptions{Text: dump.ExtJSON}
	if f.policy.Container != "" || f.live.cosmos != nil {
		search, options = explain.NewSearch(f.id, "id", now), dump.StreamOptions{Text: dump.JSON}
	}
	lost := slices.DeleteFunc(slices.Clone(collections), func(c *dump.Collection) bool { return c.Err == nil })
	for _, in := range inputsOf(collections) {
		if !in.IsPacked() && slices.Contains(lost, in.Collections[0]) {
			continue
		}
		if err := search.Run(in, options, func(c *dump.Collection) bool { return slices.Contains(collections, c) }); err != nil {
			return m, err
		}
	}
	id := "the identifier " + cli.Clip(f.id, 100)
	if f.noIDs {
		id = "this identifier"
	}
	switch {
	case search.Found == 0 && len(lost) > 0:
		return m, fmt.Errorf("no document of the others has %s: %w", id, lost[0].Err)
	case search.Found == 0 && f.live.source != nil:
		return m, fmt.Errorf("no document of %s has %s", path, id)
	case search.Found == 0:
		return m, fmt.Errorf("no document of %s has %s; %s looked at", path, id, cli.Count(search.Read, "document was", "documents were"))
	case search.Found > 1:
		advice := ""
		if search.Matches[0].Collection != search.Matches[len(search.Matches)-1].Collection {
			advice = "; name the file, or the collection, of one of them"
		}
		return m, fmt.Errorf("%d documents have %s: %s%s", search.Found, id, places(search.Matches), advice)
	}
	return search.Matches[0], nil
}

// find finds the input at path. From a server it reads only the documents with the
// identifier.
func (f *explainFlags) find(cmd *cobra.Command, path string, now policy.Instant) (dump.Found, error) {
	if !live.IsAddress(path) {
		return find(cmd, []string{path}, namespace.Selection{})
	}
	f.live.options.IDs = explain.NewSearch(f.id, "_id", now).Values()
	return f.live.find(cmd, []string{path}, &f.policy)
}

// places returns the places of documents, for an error.
func places(list []explain.Match) string {
	var text []string
	for _, m := range list {
		if m.Collection.Input.IsFeed {
			text = append(text, "in "+m.Collection.Place())
			continue
		}
		text = append(text, fmt.Sprintf("at byte %d of %s, in %s", m.Offset, m.Collection.Place(), m.Collection.Title()))
	}
	return strings.Join(text, "; ")
}
