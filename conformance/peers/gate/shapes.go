package main

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A shape is hostile input. Each is made with the sizes n and 2n and passed once to
// a function of the library; .ci/instructions checks that the work does not grow
// faster than the input.
type shape struct {
	name string
	n    int
	way  way
	// policy and input are texts that grow, see expand.
	policy, input string
}

// make returns the work on input of size n.
func (s shape) make(n int) func() { return s.way(expand(s.policy, n), expand(s.input, n)) }

// shapeTable has a line for each shape: its name, the smaller size, the name of its way,
// a policy and an input, with tabs between them. Texts are JSON, and Extended JSON where
// the way takes BSON.
//
//go:embed shapes.tsv
var shapeTable string

func shapes() (all []shape) {
	for line := range strings.Lines(shapeTable) {
		if strings.HasPrefix(line, "# ") {
			continue
		}
		column := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		n, err := strconv.Atoi(column[1])
		way := ways[column[2]]
		if err != nil || way == nil || len(column) != 5 {
			panic(fmt.Sprintf("not a shape: %q", line))
		}
		all = append(all, shape{column[0], n, way, column[3], column[4]})
	}
	return all
}

// expand writes out the repetitions in a text: «x» is n times x with commas between
// them, ‹x› the same without. «50:x» and ‹50:x› are 50 times x whatever n is. In what
// repeats, # is how many came before, and @ the same in four digits. Repetitions nest.
func expand(text string, n int) string {
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
		b.WriteString(repeat(expand(repeated, n), comma, times))
		text = rest
	}
}

// cutRepetition returns what is between the mark that text begins with and its
// counterpart, and what follows.
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
	if !strings.ContainsAny(text, "#@") {
		return strings.TrimSuffix(strings.Repeat(text+comma, times), comma)
	}
	var b strings.Builder
	for i := range times {
		if i > 0 {
			b.WriteString(comma)
		}
		number := strconv.Itoa(i)
		for _, c := range []byte(text) {
			switch c {
			case '#':
				b.WriteString(number)
			case '@':
				b.WriteString("0000"[:4-len(number)] + number)
			default:
				b.WriteByte(c)
			}
		}
	}
	return b.String()
}
