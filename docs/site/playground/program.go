package playground

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/policytext"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/program"
	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// readProgram reads a policy in a program of a language that package policytext does not read:
// Go, Java, C#, PHP and others, and decorators of TypeScript. The parameter wrong is the error of
// policytext.
func readProgram(text string, now policy.Instant, wrong error) (c policytext.Collection, err error) {
	if !program.IsForeign(text) {
		return c, wrong
	}
	f := program.Read("", text, now)
	switch {
	case len(f.Unread) > 0:
		u := f.Unread[0]
		why := fmt.Sprintf("%s is not read: %s", u.Word, u.Why)
		return c, &mongosh.SyntaxError{Offset: max(strings.Index(text, u.Word), lineAt(text, u.Line)), Err: fmt.Errorf("%s. Write the index itself, such as {key: {createdAt: 1}, expireAfterSeconds: 3600}", why)}
	case len(f.Policies) == 0:
		return c, wrong
	case len(f.Policies) > 1:
		second := f.Policies[1]
		return c, &mongosh.SyntaxError{Offset: lineAt(text, second.Line), Err: fmt.Errorf("%d collections are written here; write one of them", len(f.Policies))}
	}
	p := f.Policies[0]
	c.Name, c.Options = p.Name, p.Options
	for _, s := range p.Steps {
		at := lineAt(text, s.Line)
		if s.Change != nil {
			return c, &mongosh.SyntaxError{Offset: at, Err: errors.New("a command that changes an index is not carried out here; write the index as it is after the command")}
		}
		c.Indexes, c.Places = append(c.Indexes, s.Index), append(c.Places, at)
		c.Notes = append(c.Notes, mongosh.Note{At: at, Text: "Read as the index " + literalOf(s.Index) + "."})
	}
	for _, note := range p.Notes {
		c.Notes = append(c.Notes, mongosh.Note{At: lineAt(text, p.Line), Text: note})
	}
	return c, nil
}

// lineAt returns the offset of the first byte of a line after its white space.
func lineAt(text string, line int) (at int) {
	for range line - 1 {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
	}
	return at + len(text[at:]) - len(strings.TrimLeft(text[at:], " \t"))
}

// literalOf writes a value as a literal of the shell.
func literalOf(v policy.Value) string {
	text, _ := mongosh.Literal(v)
	return syntax.Clip(text, 120)
}

// programDocument reads a document that a program writes. The parameter wrong is the error of
// the reader of the shell.
func programDocument(text string, now policy.Instant, wrong error) (list policy.A, notes []mongosh.Note, err error) {
	if !program.WritesDocument(text) {
		return nil, nil, wrong
	}
	v, err := program.ReadDocument(text, now)
	if e := (*program.DocumentError)(nil); errors.As(err, &e) {
		return nil, nil, &mongosh.SyntaxError{Offset: e.Offset, Err: e}
	}
	return policy.A{v}, []mongosh.Note{{Text: "Read as the document " + literalOf(v) + "."}}, nil
}
