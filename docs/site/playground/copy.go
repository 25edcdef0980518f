package playground

import (
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func extended(v policy.Value) string { return string(policy.AppendExtJSON(nil, v)) }

// command writes the command line that explains the same question.
func (d stored) command(s State, e reasons.Explanation, doc policy.Value) string {
	parts := []string{"ttl explain"}
	switch {
	case s.System == definition.CosmosNoSQL:
		parts = append(parts, "--container "+quoteShell(d.container.JSON))
	case d.Options.Kind() == policy.Object:
		metadata := policy.ObjectValue(policy.D{{Key: "options", Value: d.Options}, {Key: "indexes", Value: policy.ListValue(d.Indexes)}})
		parts = append(parts, "--metadata <(echo "+quoteShell(extended(metadata))+")")
	default:
		for _, index := range d.Indexes {
			parts = append(parts, "--index "+quoteShell(extended(index)))
		}
	}
	if s.System == definition.CosmosMongo {
		parts = append(parts, "--cosmos-mongo")
		if s.CustomPath {
			parts = append(parts, "--capability EnableTtlOnCustomPath")
		}
	}
	if s.Release != "" {
		parts = append(parts, "--server "+s.Release)
	}
	for _, p := range s.parameters() {
		parts = append(parts, fmt.Sprintf("--server-parameter %s=%v", p.Key, p.Value))
	}
	parts = append(parts, "--now "+e.Now.String())
	text := extended(doc)
	if s.System == definition.CosmosNoSQL {
		text = strings.TrimSpace(s.Document)
	}
	return strings.Join(parts, " \\\n  ") + " \\\n  " + quoteShell(text) + "\n"
}

// quoteShell writes text as one word of a POSIX shell.
func quoteShell(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
