package dump

import (
	"bytes"
	"errors"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/input"
)

// foreign pairs the first bytes of files that hold no documents with the reason for
// the error (https://www.iana.org/assignments/media-types, and the specifications of
// the formats).
var foreign = []struct{ magic, reason string }{
	{archiveMagic, "this is a mongodump --archive file, with documents of several collections; 'ttl forecast' reads it"},
	{"\xfd7zXZ\x00", "xz compression is not supported; pipe through xz -dc"},
	{"BZh", "bzip2 compression is not supported; pipe through bzip2 -dc"},
	{"7z\xbc\xaf\x27\x1c", "this is a 7z file; unpack it first"},
	{"Rar!\x1a\x07", "this is a RAR file; unpack it first"},
	{"PAR1", "Parquet is not supported; export JSON"},
	{"SQLite format 3\x00", "this is a database of SQLite, not a dump of MongoDB"},
	{"\x89PNG\r\n\x1a\n", "this is a picture (PNG), not a dump or an export"},
	{"\xff\xd8\xff", "this is a picture (JPEG), not a dump or an export"},
	{"GIF8", "this is a picture (GIF), not a dump or an export"},
	{"%PDF-", "this is a PDF, not a dump or an export"},
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "this is an Office document, not a dump or an export"},
	{"{\\rtf", "this is an Office document (RTF), not a dump or an export"},
	{"\x7fELF", "this is a program, not a dump or an export"},
	{"PK\x03\x04", "this is a zip file or an Office document; unpack it first"},
}

// foreignTexts are the beginnings of texts, in lower case, as foreign has those of other files.
var foreignTexts = []struct{ begin, reason string }{
	{"<!doctype html", "this is a page (HTML), not a dump or an export"},
	{"<html", "this is a page (HTML), not a dump or an export"},
	{"<?xml", "this is XML, not a dump or an export"},
	{"<svg", "this is XML, not a dump or an export"},
}

// ErrPolicyFile is the error about a policy file.
var ErrPolicyFile = errors.New("this is a policy file, which ttl plan reads; it holds no documents")

// Foreign returns an error if a file of this name that begins with head holds no
// documents; the error names the kind of file. It returns nil if the file may hold
// documents. A BSON document begins with its length, which may have the same bytes as the
// mark of another format: 65,279 has the bytes of the mark of UTF-16, and 6,838,850 those
// of bzip2. Foreign returns nil for such a document too.
func Foreign(name string, head []byte) error {
	if BeginsBSON(head) {
		return nil
	}
	for _, f := range foreign {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return errors.New(f.reason)
		}
	}
	decoded, _ := input.Text(head) // an error comes back when the whole text is read
	text := bytes.TrimLeft(decoded, " \t\r\n")
	for _, f := range foreignTexts {
		if bytes.EqualFold(text[:min(len(text), len(f.begin))], []byte(f.begin)) {
			return errors.New(f.reason)
		}
	}
	base := strings.ToLower(filepath.Base(name))
	isReadme := base == "readme" || strings.HasSuffix(base, ".md") || strings.HasSuffix(base, ".markdown")
	switch {
	case policyFile.Match(text) && bytes.Contains(text, []byte("\nrules:")):
		return ErrPolicyFile
	case len(text) > 0 && text[0] != '{' && text[0] != '[' && (isReadme || heading.Match(text)):
		return errors.New("this is prose, not a dump or an export")
	}
	return nil
}

// BeginsBSON reports whether head begins a BSON document with fields. A text is never one: a
// field has a name, and in UTF-16 the high byte of a character of ASCII is 0 there.
func BeginsBSON(head []byte) bool {
	return beginsDocument(head) && len(head) > minBSON && head[minBSON] != 0
}

var (
	// policyFile matches the beginning of a policy file of ttl plan.
	policyFile = regexp.MustCompile(`^(#[^\n]*\n|\s*\n)*version:[ \t]*1[ \t]*(#[^\n]*)?\r?\n`)
	// heading matches a heading of a text: a line of text, and a line of = or - below it.
	heading = regexp.MustCompile(`^[^\n]+\n(={3,}|-{3,})\r?(\n|$)`)
)
