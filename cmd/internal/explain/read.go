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
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// ErrNone is the error where no document is given.
var ErrNone = cli.Usagef(`no document; give one, such as '{"createdAt":{"$date":"2026-11-01T00:00:00Z"}}', a file, or standard input`)

// errSeveral is the error for a file with more than one document.
var errSeveral = errors.New("more than one document; give one, or use 'ttl forecast' for all of them")

// Read returns the document that arg is, if it begins with a brace, or that the
// file arg holds; "-" or nothing is stdin. It may be one BSON document, or
// text: plain JSON if plain, Extended JSON otherwise.
func Read(arg string, stdin io.Reader, plain bool) (policy.Document, error) {
	if strings.HasPrefix(strings.TrimSpace(arg), "{") {
		v, err := parse([]byte(arg), plain)
		return v, named("the document", err)
	}
	if arg == "-" || arg == "" {
		v, err := readFrom(stdin, plain)
		return v, named("standard input", err)
	}
	f, err := os.Open(arg)
	if err != nil {
		return nil, fmt.Errorf("%w; a document that is no file begins with {", err)
	}
	defer f.Close()
	v, err := readFrom(f, plain)
	return v, named(arg, err)
}

func named(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", name, err)
}

func readFrom(r io.Reader, plain bool) (policy.Document, error) {
	b, err := io.ReadAll(io.LimitReader(r, dump.MaxText+1))
	switch {
	case err != nil:
		return nil, err
	case len(b) > dump.MaxText:
		return nil, fmt.Errorf("longer than %d MiB; use 'ttl forecast' for many documents", dump.MaxText>>20)
	case len(bytes.TrimSpace(b)) == 0:
		return nil, ErrNone
	case isBSON(b):
		return parseBSON(b)
	}
	v, err := parse(b, plain)
	if line, _, more := bytes.Cut(b, []byte("\n")); err != nil && more {
		if _, e := parse(line, plain); e == nil {
			return v, errSeveral
		}
	}
	return v, err
}

// isBSON goes by the length that BSON begins with: the last of its four bytes
// is 0 or 1 in a document of less than 32 MiB, and no text has that.
func isBSON(b []byte) bool { return len(b) >= 5 && b[3] < 2 }

func parseBSON(b []byte) (policy.Document, error) {
	if n := int(binary.LittleEndian.Uint32(b)); n >= 5 && n < len(b) {
		if _, err := policy.ParseBSON(b[:n]); err == nil {
			return nil, errSeveral
		}
	}
	d, err := policy.ParseBSON(b)
	return d, err
}

func parse(text []byte, plain bool) (policy.Document, error) {
	if plain {
		d, err := policy.ParseJSON(text)
		return &d, err
	}
	d, err := policy.ExtJSONToBSON(nil, text, dump.MaxBSON)
	return d, err
}
