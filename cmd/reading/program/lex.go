package program

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/policytext"
)

// A lexis describes how a language writes comments and texts.
type lexis struct {
	lineComments []string
	hasBlocks    bool   // /* … */
	multiline    string // quotes of texts that may span lines
	hasTriple    bool   // """ … """
	hasRegexes   bool   // /…/
	hasDocs      bool   // comments may hold annotations: /** @Index(…) */
	hasLifetimes bool   // ' may begin a name
}

var (
	cLexis      = lexis{lineComments: []string{"//"}, hasBlocks: true, hasTriple: true}
	scriptLexis = lexis{lineComments: []string{"//"}, hasBlocks: true, multiline: "`", hasRegexes: true}
	pythonLexis = lexis{lineComments: []string{"#"}, hasTriple: true}
	phpLexis    = lexis{lineComments: []string{"//", "#"}, hasBlocks: true, multiline: `"'`, hasDocs: true}
	rustLexis   = lexis{lineComments: []string{"//"}, hasBlocks: true, multiline: `"`, hasLifetimes: true}
	configLexis = lexis{lineComments: []string{"//", "#"}, hasBlocks: true, multiline: `"`}
	rubyLexis   = lexis{lineComments: []string{"#"}, multiline: `"'`}
)

// A lexeme is a word of a program.
type lexeme struct {
	kind byte // 'n' for a name, 's' for a text, '0' for a number, '.' for a sign
	text string
	at   int
	end  int
}

// A tree holds the tokens of a program, and the pairs of its brackets.
type tree struct {
	text   string
	tokens []lexeme
	up     []int // the bracket around each token, -1 for none
	pair   []int // the matching bracket of each bracket, -1 for none
	// assigned holds, for each name that is set once, the range of tokens of its value.
	assigned map[string][2]int
	work     int // number of tokens read again to look up names and values, bounded by maxWork
	docEnd   int // end of the comment with annotations that is being read
}

// maxWork bounds the number of tokens that are read more than once.
const maxWork = 1 << 20

// parseTree cuts a program into tokens. It takes time in proportion to the length of the
// text.
func parseTree(text string, l lexis) *tree {
	t := &tree{text: text}
	for at := 0; at < len(text); {
		at += t.step(at, l)
	}
	t.match()
	t.assign()
	return t
}

// step reads one token, comment or space at a byte, and returns its length.
func (t *tree) step(at int, l lexis) int {
	rest := t.text[at:]
	c := rest[0]
	switch {
	case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		return 1
	case strings.HasPrefix(rest, "#["): // an attribute of PHP, and no comment
		return t.add('.', at, 1)
	case slices.ContainsFunc(l.lineComments, func(s string) bool { return strings.HasPrefix(rest, s) }):
		return lineEnd(rest)
	case at == t.docEnd-2 && c == '*', at == t.docEnd-1 && c == '/': // the end of the comment with annotations
		return 1
	case at < t.docEnd && c == '*' && strings.HasSuffix(strings.TrimRight(t.text[max(at-100, 0):at], " \t"), "\n"): // the start of a line in it
		return 1
	case l.hasDocs && strings.HasPrefix(rest, "/**") && at >= t.docEnd:
		n := endOf(rest, 3, "*/")
		if !mentions(rest[:n]) || !strings.Contains(rest[:n], "@") {
			return n
		}
		t.docEnd = at + n
		return 3
	case l.hasBlocks && strings.HasPrefix(rest, "/*"):
		return endOf(rest, 2, "*/")
	case l.hasTriple && (strings.HasPrefix(rest, `"""`) || strings.HasPrefix(rest, "'''")):
		n := endOf(rest, 3, rest[:3])
		t.tokens = append(t.tokens, lexeme{'s', strings.TrimSuffix(rest[3:n], rest[:3]), at, at + n})
		return n
	case l.hasLifetimes && c == '\'' && !isChar(rest):
		return t.add('.', at, 1)
	case c == '"' || c == '\'' || c == '`':
		if n := policytext.QuoteEnd(rest, strings.IndexByte(l.multiline, c) >= 0); n > 0 {
			t.tokens = append(t.tokens, lexeme{'s', unescaped(rest[1 : n-1]), at, at + n})
			return n
		}
		return t.add('.', at, 1)
	case l.hasRegexes && c == '/' && t.beginsValue():
		if n := policytext.QuoteEnd(rest, false); n > 0 {
			return t.add('.', at, n)
		}
		return t.add('.', at, 1)
	case isDigit(c):
		return t.add('0', at, numberEnd(rest))
	case isNameByte(c):
		n := 1
		for n < len(rest) && (isNameByte(rest[n]) || isDigit(rest[n])) {
			n++
		}
		return t.add('n', at, n)
	}
	for _, sign := range []string{"=>", "->", "::", "==", "!=", "<=", ">="} {
		if strings.HasPrefix(rest, sign) {
			return t.add('.', at, 2)
		}
	}
	return t.add('.', at, 1)
}

func (t *tree) add(kind byte, at, n int) int {
	t.tokens = append(t.tokens, lexeme{kind, t.text[at : at+n], at, at + n})
	return n
}

// beginsValue reports whether a value must follow the last token.
func (t *tree) beginsValue() bool {
	n := len(t.tokens)
	return n == 0 || t.tokens[n-1].kind == '.' && !strings.Contains(")]}", t.tokens[n-1].text) || t.tokens[n-1].text == "return"
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isNameByte reports whether a name may hold c, apart from digits. Bytes of letters of
// other scripts count too.
func isNameByte(c byte) bool {
	return c == '_' || c == '$' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}

// lineEnd returns the length of the first line of s.
func lineEnd(s string) int {
	line, _, _ := strings.Cut(s, "\n")
	return len(line)
}

// endOf returns the index after the first mark in s from an index on, or the length of s
// if there is none.
func endOf(s string, from int, mark string) int {
	if i := strings.Index(s[min(from, len(s)):], mark); i >= 0 {
		return from + i + len(mark)
	}
	return len(s)
}

// isChar reports whether a text begins with one character between quotes.
func isChar(s string) bool {
	return strings.HasPrefix(s, `'\`) || len(s) > 2 && s[2] == '\'' || len(s) > 5 && s[1] >= 0x80 && strings.IndexByte(s[2:6], '\'') >= 0
}

// unescaped returns a text without the signs that escape a quote.
func unescaped(s string) string { return withoutEscapes.Replace(s) }

var withoutEscapes = strings.NewReplacer(`\"`, `"`, `\'`, `'`, `\\`, `\`)

// numberEnd returns the end of the number at the start of s, including the letters after
// it.
func numberEnd(s string) int {
	n := 1
	for n < len(s) {
		isPoint := s[n] == '.' && n+1 < len(s) && isDigit(s[n+1])
		if !isDigit(s[n]) && !isNameByte(s[n]) && !isPoint {
			break
		}
		n++
	}
	return n
}

const opening, closing = "([{", ")]}"

// match finds the pairs of brackets. An unpaired bracket does not count as a bracket.
func (t *tree) match() {
	t.up, t.pair = make([]int, len(t.tokens)), make([]int, len(t.tokens))
	var open []int
	for i, k := range t.tokens {
		t.pair[i] = -1
		if k.kind == '.' && strings.Contains(closing, k.text) {
			for n := len(open) - 1; n >= 0 && n >= len(open)-3; n-- { // up to two brackets inside may be unclosed
				if strings.Index(opening, t.tokens[open[n]].text) == strings.Index(closing, k.text) {
					t.pair[open[n]], t.pair[i] = i, open[n]
					open = open[:n]
					break
				}
			}
		}
		t.up[i] = -1
		if len(open) > 0 {
			t.up[i] = open[len(open)-1]
		}
		if k.kind == '.' && strings.Contains(opening, k.text) {
			open = append(open, i)
		}
	}
	for i := range t.up { // the content of an unclosed bracket belongs to the bracket around it
		for n := 0; t.up[i] >= 0 && t.pair[t.up[i]] < 0; n++ {
			if t.up[i] = t.up[t.up[i]]; n > 100 {
				t.up[i] = -1
			}
		}
	}
}

// is reports whether the token at i is one of these texts, not between quotes.
func (t *tree) is(i int, texts ...string) bool {
	return i >= 0 && i < len(t.tokens) && t.tokens[i].kind != 's' && slices.Contains(texts, t.tokens[i].text)
}

func (t *tree) kind(i int) byte {
	if i < 0 || i >= len(t.tokens) {
		return 0
	}
	return t.tokens[i].kind
}

// sameLine reports whether no line ends between two tokens.
func (t *tree) sameLine(i, k int) bool {
	return !strings.Contains(t.text[t.tokens[i].at:t.tokens[k].at], "\n")
}

// end returns the offset just after the token before i.
func (t *tree) end(i int) int {
	if i >= len(t.tokens) {
		return len(t.text)
	}
	if i == 0 {
		return 0
	}
	return t.tokens[i-1].end
}

// next returns the index of the token after i, or after the closing bracket if i is an
// opening bracket.
func (t *tree) next(i int) int {
	if t.pair[i] > i {
		return t.pair[i] + 1
	}
	return i + 1
}

// list returns the parts between commas and semicolons from i to end: arguments or members.
func (t *tree) list(i, end int) (parts [][2]int) {
	start := i
	if t.work > maxWork {
		return nil
	}
	for ; i < end; i = t.next(i) {
		t.work++
		if t.is(i, ",", ";") {
			parts = append(parts, [2]int{start, i})
			start = i + 1
		}
	}
	if start < end {
		parts = append(parts, [2]int{start, end})
	}
	return parts
}

// inside returns the parts within a bracket.
func (t *tree) inside(open int) [][2]int { return t.list(open+1, t.pair[open]) }

// valueEnd returns the end of the value that begins at i: before a comma, a semicolon or a
// bracket, or at the end of a line where a statement may end.
func (t *tree) valueEnd(i int) int {
	start := i
	for i < len(t.tokens) && t.work < maxWork {
		t.work++
		if t.is(i, ",", ";", ")", "]", "}") {
			return i
		}
		if i > start && !t.sameLine(i-1, i) && !t.is(i, ".", "?", "*", "+", "-", "/", "->", "&", "|") && !t.is(i-1, "*", "+", "-", "/", ".", "=", "->", "&", "|") {
			return i
		}
		i = t.next(i)
	}
	return i
}

// assign finds the names that are set once.
func (t *tree) assign() {
	t.assigned = map[string][2]int{}
	for i, k := range t.tokens {
		if k.kind != 'n' || i+2 >= len(t.tokens) {
			continue
		}
		from := 0
		switch {
		case t.is(i+1, "=") && !t.is(i+2, "="):
			from = i + 2
		case t.is(i+1, ":") && t.is(i+2, "="):
			from = i + 3
		case t.is(i+1, ":") && t.kind(i+2) == 'n' && t.is(i+3, "="): // the declaration of the name has a type
			from = i + 4
		default:
			continue
		}
		if _, again := t.assigned[k.text]; again {
			t.assigned[k.text] = [2]int{}
			continue
		}
		t.assigned[k.text] = [2]int{from, t.valueEnd(from)}
	}
}

// resolve returns the value of a name if r is only that name, or else r itself.
func (t *tree) resolve(r [2]int) [2]int {
	for range 8 {
		if r[1]-r[0] != 1 || t.kind(r[0]) != 'n' {
			return r
		}
		to := t.assigned[t.tokens[r[0]].text]
		if to[1] <= to[0] {
			return r
		}
		r = to
	}
	return r
}
