package audit

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// plain writes an option for people: a number without its type, what is none
// as Extended JSON.
func plain(v policy.Value) string {
	text := v.String()
	for _, wrapper := range []string{`{"$numberInt":"`, `{"$numberLong":"`, `{"$numberDouble":"`, `{"$numberDecimal":"`} {
		if number, ok := strings.CutPrefix(text, wrapper); ok {
			return strings.TrimSuffix(number, `"}`)
		}
	}
	return clip(cli.Visible(text))
}

// clip keeps a value or a name short enough for a sentence.
func clip(s string) string { return cli.Clip(s, 80) }
