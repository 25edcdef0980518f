package audit

import (
	"fmt"
	"strings"
	"unicode"

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
	return clip(visible(text))
}

// maxShown is how much of a value or a name is shown in a sentence, in runes.
const maxShown = 80

func clip(s string) string {
	if runes := []rune(s); len(runes) > maxShown {
		return string(runes[:maxShown-1]) + "…"
	}
	return s
}

// visible writes names from outside such that a terminal shows them and obeys
// nothing in them.
func visible(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, `\u{%x}`, r)
	}
	return b.String()
}
