package dump

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/input"
	"github.com/ttlpolicy/ttlpolicy/internal/base/enum"
	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
)

// A Kind is the format of an input's documents. The zero Kind is [Auto].
type Kind uint8

// The kinds.
const (
	Auto    Kind = iota // detected from the first bytes
	BSON                // BSON documents one after another, as mongodump writes them
	ExtJSON             // MongoDB Extended JSON v2, as mongoexport writes it
	JSON                // plain JSON, as exported from Cosmos DB
)

var kindNames = []string{Auto: "auto", BSON: "bson", ExtJSON: "extjson", JSON: "json"}

// String returns k's name, such as "bson".
func (k Kind) String() string { return enum.String(k, kindNames) }

// ParseKind returns the kind with the given name.
func ParseKind(name string) (Kind, error) {
	i := slices.Index(kindNames, name)
	if i < 0 {
		return Auto, fmt.Errorf("unknown kind of input %q, want bson, extjson, json or auto", name)
	}
	return Kind(i), nil
}

// framerFor chooses the framer of an input by the kind that the user names, or for [Auto] by
// the input's name and its beginning, head. If head is a text, it is decoded.
//
// For [Auto] the length at the start of a document tells BSON: four characters of text read as a
// length are above 150 million. Lengths a little above the limit count as BSON too, so that the
// error names the limit.
func framerFor(name string, k Kind, head []byte) (f framer, err error) {
	isBSON := k == BSON
	if k == Auto {
		if err := Foreign(name, head); err != nil {
			return nil, err
		}
		if len(head) >= lengthBytes {
			n := int32(binary.LittleEndian.Uint32(head))
			isBSON = n >= minBSON && n <= 2*MaxBSON
		}
	}
	text := bytes.TrimLeft(head, " \t\r\n")
	switch {
	case isBSON:
		return bsonFramer{}, nil
	case len(text) == 0:
		return &lineFramer{}, nil
	case text[0] == '[':
		return &valueFramer{array: true}, nil
	case text[0] != '{':
		err := fmt.Errorf("the input begins with %q, which is neither BSON nor JSON; --input names the kind", beginning(text))
		return nil, &quotation{err, "the input is neither BSON nor JSON; --input names the kind"}
	}
	line, _, more := bytes.Cut(text, []byte("\n"))
	if more && jsontext.NestedEnd(line, 0) < 0 {
		return &valueFramer{}, nil // the first document goes on in the next line
	}
	return &lineFramer{}, nil
}

func beginning(text []byte) []byte { return text[:min(12, len(text))] }

// A framer finds where documents begin and end, and does not look into them.
type framer interface {
	// frame appends to spans the complete documents at the start of data. settled is the
	// number of bytes that frame has finished with; the next call gets the bytes after
	// them again, followed by more bytes. final says that nothing follows data.
	//
	// An error in the first document is returned as damage, and settled then includes the
	// bytes to skip. An error after good documents is returned by the next call.
	frame(data []byte, final bool, spans []Span) (out []Span, settled int, bad *damage)
}

// damage describes the fault of the first document of a framer's data.
type damage struct {
	at        int // the start of the document within the data
	err       error
	skippable bool
	goesOn    bool // there is nothing to skip, but other collections follow
}

// maxWindow limits the memory of decompressing Zstandard. It is the default limit of the
// zstd tool.
const maxWindow = 128 << 20

// decompress returns a reader of the plain bytes of r, whose first bytes tell the
// compression; whether r is plain; and a function that releases the reader.
func decompress(r io.Reader) (src *bufio.Reader, plain bool, done func(), err error) {
	src = bufio.NewReaderSize(r, headSize)
	head, _ := src.Peek(4) // if this fails, the first Read returns the same error
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b\x08")): // RFC 1952, section 2.3.1; without the 8 it may be the length of a document
		z, err := gzip.NewReader(src)
		if err != nil {
			return nil, false, nil, fmt.Errorf("damaged gzip header: %w", err)
		}
		return bufio.NewReaderSize(z, headSize), false, func() { z.Close() }, nil
	case isZstd(head):
		// One goroutine decompresses in less time than several on two cores, and leaves
		// the other core for deciding.
		z, err := zstd.NewReader(src, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, false, nil, fmt.Errorf("damaged Zstandard data: %w", err)
		}
		return bufio.NewReaderSize(z, headSize), false, z.Close, nil
	}
	return src, true, func() {}, nil
}

// isZstd reports whether head begins a Zstandard frame, or one of the
// skippable frames that some tools write first (RFC 8878, section 3.1).
func isZstd(head []byte) bool {
	if len(head) < 4 {
		return false
	}
	return bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")) ||
		head[0]&0xf0 == 0x50 && bytes.HasPrefix(head[1:], []byte("\x2a\x4d\x18"))
}

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
	decoded, _ := input.Text(head) // an error comes back when the whole text is read
	text := bytes.TrimLeft(decoded, " \t\r\n")
	for _, f := range foreign {
		isText := f.magic[0] == '<' // a text may have white space before it, and capital letters
		if bytes.HasPrefix(head, []byte(f.magic)) || isText && bytes.EqualFold(text[:min(len(text), len(f.magic))], []byte(f.magic)) {
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
