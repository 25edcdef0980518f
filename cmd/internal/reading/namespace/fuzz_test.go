package namespace

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzParse: a pattern matches as a regular expression does; an escaped name matches only
// itself; and if one pattern covers another, it matches every name that the other
// matches.
func FuzzParse(f *testing.F) {
	for _, seed := range [][3]string{{"shop.*", "shop.logs", "*.logs"}, {`shop.a\*b`, "shop.a*b", `shop.\`}, {`a\\*`, `a\b`, "**"}, {"a*a", "a", "a*b*c"}, {"", "", "*"}} {
		f.Add(seed[0], seed[1], seed[2])
	}
	unescaped := regexp.MustCompile(`\\[\\*]|\*|.|\n`)
	f.Fuzz(func(t *testing.T, pattern, name, other string) {
		if !utf8.ValidString(pattern + " " + name + " " + other) {
			return // no name of a collection
		}
		p := Parse(pattern)
		expression := unescaped.ReplaceAllStringFunc(pattern, func(part string) string {
			switch part {
			case "*":
				return ".*"
			case `\\`, `\*`:
				part = part[1:]
			}
			return regexp.QuoteMeta(part)
		})
		if got, want := p.Match(name), regexp.MustCompile(`(?s)\A`+expression+`\z`).MatchString(name); got != want {
			t.Fatalf("Parse(%q).Match(%q) = %t, want %t", pattern, name, got, want)
		}
		if got, alone := Parse(Escaped(name)).Name(); got != name || !alone {
			t.Fatalf("Parse(Escaped(%q)).Name() = %q, %t", name, got, alone)
		}
		if q := Parse(other); p.Covers(q) && q.Match(name) && !p.Match(name) && !strings.Contains(pattern+other+name, "\x00") {
			t.Fatalf("%q covers %q, but does not match %q", pattern, other, name)
		}
	})
}
