package explain

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/input"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/reply"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// ErrNone is the error if no document is given.
var ErrNone = cli.Usagef(`no document; give one, such as '{"createdAt":{"$date":"2026-11-01T00:00:00Z"}}', a file, or standard input`)

// errSeveral is the error for a file with several documents.
var errSeveral = errors.New("more than one document; give one, pick one with --id, or use 'ttl forecast' for all of them")

// A Reader reads one document. The zero Reader reads BSON, Extended JSON and the
// shell's syntax.
type Reader struct {
	Plain bool           // text is read as plain JSON, not as Extended JSON
	Now   policy.Instant // the value of new Date() in the shell's syntax
	Notes []string       // notes on how the document was read
}

// Read returns the document in arg if arg begins with a brace, otherwise the document in
// the file named arg. "-" and "" stand for stdin.
func (r *Reader) Read(arg string, stdin io.Reader) (policy.Document, error) {
	if strings.HasPrefix(strings.TrimSpace(arg), "{") {
		v, err := r.parse([]byte(arg))
		return checked("the document", v, err)
	}
	if arg == "-" || arg == "" {
		v, err := r.readFrom(stdinName, stdin)
		return checked(stdinName, v, err)
	}
	f, err := input.Open(arg)
	if err != nil {
		return nil, fmt.Errorf("%w; a document given in place of a file begins with {", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s: this is a folder; --id picks one of its documents", arg)
	}
	v, err := r.readFrom(arg, f)
	return checked(arg, v, err)
}

// checked returns v, or an error with the name of the input: err, or that of a reply in the
// place of a document.
func checked(name string, v policy.Document, err error) (policy.Document, error) {
	if err == nil {
		err = reply.Check(v)
	}
	return v, named(name, err)
}

// Check returns an error if the file at arg cannot hold a document; the error names the
// kind of file. It returns nil if the file may hold a document, or if arg is not a file.
func Check(arg string) error {
	info, err := os.Stat(arg)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := input.Open(arg)
	if err != nil {
		return err
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 512))
	if err != nil {
		return err
	}
	return named(arg, foreign(arg, head))
}

// foreign returns an error if text that begins with head is not a document.
func foreign(name string, head []byte) error {
	if len(head) == 0 && name != stdinName {
		return errors.New("the file is empty")
	}
	return dump.Foreign(name, head)
}

func named(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", name, err)
}

// stdinName is the name of standard input in messages.
const stdinName = "standard input"

func (r *Reader) readFrom(name string, in io.Reader) (policy.Document, error) {
	b, err := io.ReadAll(io.LimitReader(in, dump.MaxText+1))
	// The fourth byte of a BSON document of less than 32 MiB is 0 or 1. Text has no such
	// control character.
	isBSON := len(b) >= 5 && b[3] < 2
	switch {
	case err != nil:
		return nil, err
	case len(b) > dump.MaxText:
		return nil, fmt.Errorf("longer than %d MiB; use 'ttl forecast' for many documents", dump.MaxText>>20)
	case len(bytes.TrimSpace(b)) == 0:
		return nil, ErrNone
	case isBSON && (dump.BeginsBSON(b) || !input.IsEncoded(b)): // UTF-16 may look like a length too
		if n := int(binary.LittleEndian.Uint32(b)); n >= 5 && n < len(b) {
			if _, err := policy.ParseBSON(b[:n]); err == nil {
				return nil, errSeveral
			}
		}
		d, err := policy.ParseBSON(b)
		return d, err
	case dump.IsArchive(b):
		return nil, errors.New("this is a mongodump --archive file; give one document of it, or use 'ttl forecast' for all of them")
	}
	if err := foreign(name, b); err != nil {
		return nil, err
	}
	if b, err = input.Text(b); err != nil {
		return nil, err
	}
	v, err := r.parse(b)
	if line, _, more := bytes.Cut(b, []byte("\n")); err != nil && more {
		if _, e := r.parse(line); e == nil {
			return v, errSeveral
		}
	}
	return v, err
}

func (r *Reader) parse(text []byte) (policy.Document, error) {
	if r.Plain {
		d, err := policy.ParseJSON(text)
		return &d, err
	}
	d, err := valuefunc.F.ExtJSONToBSON(nil, text, dump.MaxBSON)
	if err == nil || len(text) > mongosh.MaxText {
		return d, err
	}
	v, err := r.parseShell(text, err)
	if err == nil && v.Kind() != policy.Object {
		err = fmt.Errorf("want a document, got %s", v.Kind())
	}
	return v, err
}

// parseShell reads text in the shell's syntax. strict is the error from reading the text
// as Extended JSON. If both fail, parseShell returns the error at the later position.
func (r *Reader) parseShell(text []byte, strict error) (policy.Value, error) {
	v, notes, err := mongosh.ParseValue(string(text), r.Now)
	var shell *mongosh.SyntaxError
	var json *policy.SyntaxError
	if errors.As(err, &shell) && errors.As(strict, &json) && json.Offset >= shell.Offset {
		return v, strict
	}
	for _, n := range notes {
		r.Notes = append(r.Notes, "The document: "+n.Text)
	}
	return v, err
}
