package playground

import (
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Copy is the question in another form, for use elsewhere.
type Copy struct {
	Name string `json:"name"` // "ttl", "mongosh"
	Text string `json:"text"`
}

// copies returns the forms for copying that a system has, without forms that cannot express
// the definition.
func (d stored) copies(s State, e reasons.Explanation, doc policy.Value) []Copy {
	list := []Copy{{"ttl", d.command(s, e, doc)}}
	if s.System == definition.CosmosNoSQL {
		return list
	}
	if text, ok := d.shell(s, doc); ok {
		list = append(list, Copy{"mongosh", text})
	}
	return list
}

func extended(v policy.Value) string { return string(policy.AppendExtJSON(nil, v)) }

// shell writes the definition and the document for mongosh. Parameters are in a comment,
// because they are set when the server starts.
func (d stored) shell(s State, doc policy.Value) (string, bool) {
	var b strings.Builder
	ok := true
	literal := func(v policy.Value) string {
		text, written := mongosh.Literal(v)
		ok = ok && written
		return text
	}
	for _, p := range s.parameters() {
		fmt.Fprintf(&b, "// mongod --setParameter %s=%v\n", p.Key, p.Value)
	}
	b.WriteString("db.ttl.drop();\n")
	if d.Options.Kind() == policy.Object {
		b.WriteString(`db.createCollection("ttl", ` + literal(d.Options) + ");\n")
	}
	for _, index := range d.Indexes {
		options := policy.ObjectValue(pasted.Without(index, "key", "v", "ns"))
		b.WriteString("db.ttl.createIndex(" + literal(index.Field("key")) + ", " + literal(options) + ");\n")
	}
	b.WriteString("db.ttl.insertOne(" + literal(doc) + ");\n")
	return b.String(), ok
}

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
