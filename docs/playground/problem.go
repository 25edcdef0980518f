package playground

import (
	"errors"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/mongosh"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Problem is what could not be read in an editor, and where.
type Problem struct {
	Editor  string `json:"editor"`  // "policy", "document" or "now"
	Line    int    `json:"line"`    // from 1
	Column  int    `json:"column"`  // from 1, in characters
	Offset  int    `json:"offset"`  // from 0, in UTF-16, as a browser counts
	Message string `json:"message"` // without the place
}

// problemOf says what an error is about in the text of an editor.
func problemOf(editor, text string, err error) Problem {
	offset := min(max(offsetOf(text, err), 0), len(text))
	for offset > 0 && offset < len(text) && !utf8.RuneStart(text[offset]) {
		offset--
	}
	before := text[:offset]
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return Problem{
		Editor: editor, Line: 1 + strings.Count(before, "\n"), Column: 1 + utf8.RuneCountInString(line),
		Offset: len(utf16.Encode([]rune(before))), Message: messageOf(err),
	}
}

// offsetOf returns the byte of text that an error is about: where the reader
// stopped, or where the field is written that a definition is refused for.
func offsetOf(text string, err error) int {
	var (
		shell  *mongosh.SyntaxError
		json   *policy.SyntaxError
		index  *mongo.SpecError
		cosmos *cosmos.SpecError
		lacks  *reasons.DocumentError
	)
	switch {
	case errors.As(err, &shell):
		return shell.Offset
	case errors.As(err, &json):
		return json.Offset
	case errors.As(err, &index):
		return find(text, index.Field)
	case errors.As(err, &cosmos):
		return find(text, cosmos.Field)
	case errors.As(err, &lacks):
		return find(text, lacks.Field)
	}
	return 0
}

// find returns where the last name of a dotted path that text has is written.
// It is a guess to put the cursor somewhere useful, and no more.
func find(text, path string) int {
	names := strings.Split(path, ".")
	for i := len(names) - 1; i >= 0; i-- {
		if at := strings.Index(text, names[i]); at >= 0 && names[i] != "" {
			return at
		}
	}
	return 0
}

// messageOf is an error without the place, which is shown by itself.
func messageOf(err error) string {
	var shell *mongosh.SyntaxError
	var json *policy.SyntaxError
	switch {
	case errors.As(err, &shell):
		return shell.Err.Error()
	case errors.As(err, &json):
		return json.Err.Error()
	}
	return err.Error()
}
