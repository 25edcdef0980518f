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

// maxShown is how much of a value or a name is shown in a sentence, in runes.
const maxShown = 80

func clip(s string) string {
	if runes := []rune(s); len(runes) > maxShown {
		return string(runes[:maxShown-1]) + "…"
	}
	return s
}
