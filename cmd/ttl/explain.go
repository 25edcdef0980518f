package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/exit"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/explain"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/policyflags"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/term"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// maxDocument is how much is read of a document to explain.
const maxDocument = 32 << 20

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
			"by the indexes of a dump, for a program", "ttl explain --metadata dump/shop/logs.metadata.json --format json doc.json",
		),
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFormat(format, "text", "json"); err != nil {
				return err
			}
			e, err := explainOne(&flags, cmd.InOrStdin(), strings.Join(args, ""))
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			if format == "json" {
				return writeJSON(out, e.JSON())
			}
			e.Text(out, term.StyleFor(out), term.Width(out, 80))
			return nil
		},
	}
	flags.Add(cmd)
	addFormat(cmd, &format, "text", "json")
	return cmd
}

func explainOne(flags *policyflags.Flags, stdin io.Reader, arg string) (explain.Explanation, error) {
	now, err := flags.Instant(time.Now())
	if err != nil {
		return explain.Explanation{}, err
	}
	p, err := flags.Compile()
	if err != nil {
		return explain.Explanation{}, err
	}
	name, raw, err := readDocument(stdin, arg)
	if err != nil {
		return explain.Explanation{}, err
	}
	doc, err := parseDocument(p.System, raw)
	if err != nil {
		return explain.Explanation{}, fmt.Errorf("%s: %w", name, err)
	}
	return explain.Of(p, doc, now), nil
}

// readDocument returns the document that arg is, or names, and what messages
// call it.
func readDocument(stdin io.Reader, arg string) (name string, raw []byte, err error) {
	switch {
	case strings.HasPrefix(strings.TrimSpace(arg), "{"):
		return "the document", []byte(arg), nil
	case arg == "" || arg == "-":
		name, raw, err = "standard input", nil, nil
		raw, err = io.ReadAll(io.LimitReader(stdin, maxDocument+1))
	default:
		name = arg
		raw, err = readFile(arg)
	}
	if err == nil && len(raw) > maxDocument {
		err = fmt.Errorf("%s: larger than one document can be; 'ttl forecast' reads many", name)
	}
	if err == nil && len(bytes.TrimSpace(raw)) == 0 {
		err = exit.Usagef(`%s: no document; give one, such as '{"createdAt":{"$date":"2026-11-01T00:00:00Z"}}'`, name)
	}
	return name, raw, err
}

func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxDocument+1))
}

// parseDocument reads a document of a system: a Cosmos DB item is plain JSON,
// any other is BSON or Extended JSON.
func parseDocument(system string, raw []byte) (policy.Value, error) {
	if system == policyflags.CosmosNoSQL {
		d, err := policy.ParseJSON(raw)
		return d.Value(), err
	}
	if text := bytes.TrimSpace(raw); text[0] != '{' || isBSON(raw) {
		d, err := policy.ParseBSON(raw)
		return d.Value(), err
	}
	v, err := policy.ParseExtJSON(raw)
	if err == nil && v.Kind() != policy.Object {
		err = fmt.Errorf("want a document, not %s", v.Kind())
	}
	return v, err
}

// isBSON reports whether text that begins with a brace is a BSON document whose
// length happens to look like one.
func isBSON(raw []byte) bool {
	_, err := policy.ParseBSON(raw)
	return err == nil
}
