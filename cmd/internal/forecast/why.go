package forecast

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A telling puts into words what a rule found in a document. In its text
// {field} is the field that was looked at and {found} what it holds.
type telling struct {
	text  string
	kinds map[policy.Kind]string // instead of text, for some of what was found
	field string                 // the top-level field, if it is not the source's
}

// byKind reports whether the words depend on what the field holds.
func (t telling) byKind() bool { return t.kinds != nil }

// tellings are for the rules that are about single documents. All others are
// told by their statement.
var tellings = map[string]telling{
	"mongo.filter-mismatch": {text: "outside the partial filter"},
	"mongo.field-missing":   {text: "{field} is missing"},
	"mongo.array-empty":     {text: "{field} is an empty array"},
	"mongo.array-nested":    {text: "{field} holds an array inside an array, which is no Date whatever it holds"},
	"mongo.unreachable":     {text: "the date in {field} is so late that no clock reaches the deadline"},
	"mongo.field-null": {
		text: "{field} leads to null",
		kinds: map[policy.Kind]string{
			policy.Null: "{field} is null", policy.Undefined: "{field} is undefined",
		},
	},
	"mongo.field-not-date": {
		text: "{field} holds {found}, not a Date",
		kinds: map[policy.Kind]string{
			policy.List: "{field} holds an array without a Date",
		},
	},
	"mongo.clustered-not-date":   {text: "{field} holds {found}, not a Date", kinds: none},
	"cosmos.item-never":          {text: "{field} is -1", field: "ttl"},
	"cosmos.no-default":          {text: "no {field}, and the container has no default", field: "ttl"},
	"cosmos.mongo-field-missing": {text: "{field} is missing"},
	"cosmos.mongo-field-type":    {text: "{field} holds {found}, neither a Date nor a number", kinds: none},
	"cosmos.item-unspecified": {
		text: "{field} holds {found}, not a number of seconds", field: "ttl",
		kinds: map[policy.Kind]string{
			policy.Null:   "{field} is null, which no container with a time to live accepts",
			policy.Int32:  "{field} is neither -1 nor 1 to 2147483647",
			policy.Int64:  "{field} is above 2147483647 or far below -1",
			policy.Double: "{field} is a number that is not whole, or written as if it were not",
		},
	},
	"cosmos.no-timestamp": {
		text: "{field} holds {found}, not whole seconds", field: "_ts",
		kinds: map[policy.Kind]string{policy.Missing: "{field} is missing, so when they expire cannot be told; export the system properties"},
	},
}

// none marks a telling whose only words name the kind.
var none = map[policy.Kind]string{}

// Why says in words what the rule of f found in its documents.
func (f *Finding) Why(sources []Source) string {
	t, ok := tellings[f.Rule.String()]
	field := t.field
	if field == "" && f.Source < len(sources) {
		field = sources[f.Source].Field
	}
	switch {
	case f.Rule == nil:
		return "no rule was named"
	case !ok, field == "" && strings.Contains(t.text, "{field}"):
		return f.Rule.Statement
	}
	text, ok := t.kinds[f.Kind]
	if !ok {
		text = t.text
	}
	return strings.NewReplacer("{field}", "`"+field+"`", "{found}", cli.KindName(f.Kind)).Replace(text)
}
