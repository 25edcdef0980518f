package peers

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Rows returns the cells of each row of a table. A row is a line, whose cells are
// separated by tabs. Lines that begin with "# " are comments.
func Rows(table string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for line := range strings.Lines(table) {
			if !strings.HasPrefix(line, "# ") && !yield(strings.Split(strings.TrimSuffix(line, "\n"), "\t")) {
				return
			}
		}
	}
}

// Expand writes out the repetitions in a text: «x» is n times x with commas between them,
// and ‹x› is n times x without commas. «50:x» and ‹50:x› are 50 times x for every n. In a
// repeated text, # is the number of the copy, counted from 0; § is the same in four digits,
// and № is the number counted from 1. Repetitions can be nested: the signs then count the
// copies of the innermost one.
func Expand(text string, n int) string {
	var b strings.Builder
	for {
		i := strings.IndexAny(text, "«‹")
		if i < 0 {
			return b.String() + text
		}
		b.WriteString(text[:i])
		repeated, rest := cutRepetition(text[i:])
		comma := ""
		if strings.HasPrefix(text[i:], "«") {
			comma = ","
		}
		times := n
		if fixed, of, ok := strings.Cut(repeated, ":"); ok {
			if k, err := strconv.Atoi(fixed); err == nil {
				times, repeated = k, of
			}
		}
		b.WriteString(repeat(Expand(repeated, n), comma, times))
		text = rest
	}
}

// cutRepetition returns the text between the opening mark at the start of text and its
// closing mark, and the rest of text.
func cutRepetition(text string) (repeated, rest string) {
	_, mark := utf8.DecodeRuneInString(text)
	depth := 0
	for i, c := range text {
		switch c {
		case '«', '‹':
			depth++
		case '»', '›':
			if depth--; depth == 0 {
				return text[mark:i], text[i+utf8.RuneLen(c):]
			}
		}
	}
	panic("a repetition without an end: " + text)
}

func repeat(text, comma string, times int) string {
	if !strings.ContainsAny(text, "#§№") {
		return strings.TrimSuffix(strings.Repeat(text+comma, times), comma)
	}
	all := make([]string, times)
	for i := range all {
		all[i] = Numbered(text, i)
	}
	return strings.Join(all, comma)
}

// Numbered replaces #, § and № in text as in repetition i.
func Numbered(text string, i int) string {
	text = strings.ReplaceAll(text, "#", strconv.Itoa(i))
	if !strings.ContainsAny(text, "§№") {
		return text // most texts have neither sign
	}
	return strings.NewReplacer("§", fmt.Sprintf("%04d", i), "№", strconv.Itoa(i+1)).Replace(text)
}
