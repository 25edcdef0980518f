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
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// valueFramer finds JSON objects by their brackets: the elements of one array, or a
// sequence of objects. Brackets can be trusted only while the text is JSON, so damage
// ends the reading.
type valueFramer struct {
	array bool // the objects are the elements of an array
	state state
}

// state says what may follow in an array.
type state uint8

const (
	atOpen  state = iota // [
	atFirst              // an element or ]
	atComma              // , or ]
	atNext               // an element
	atEnd                // nothing
)

var (
	errNotObject = errors.New("want an object")
	errNoArray   = errors.New("want an array")
	errNoComma   = errors.New("want a comma or the end of the array")
	errBehind    = errors.New("text follows the array")
	errBracket   = errors.New("unexpected closing bracket")
)

func (f *valueFramer) frame(data []byte, final bool, spans []Span) ([]Span, int, *damage) {
	first := len(spans)
	for pos := 0; ; {
		if pos = jsontext.SkipSpace(data, pos); pos == len(data) { // not always the end of the input
			if final && f.array && f.state != atEnd && len(spans) == first {
				f.state = atEnd
				return spans, pos, &damage{at: pos, err: fmt.Errorf("%w: the array is not closed", policy.ErrTruncated)}
			}
			return spans, pos, nil
		}
		size, isDoc, err := f.token(data[pos:], final)
		switch {
		case err != nil && len(spans) == first:
			return spans, pos, &damage{at: pos, err: err}
		case err != nil || size == 0:
			return spans, pos, nil
		case isDoc:
			spans = append(spans, Span{int32(pos), int32(pos + size)})
		}
		pos += size
	}
}

// token returns the size of the token at the start of text, or 0 if more text is needed,
// and whether the token is a document.
func (f *valueFramer) token(text []byte, final bool) (size int, isDoc bool, err error) {
	if !f.array {
		size, err = objectSize(text, final)
		return size, true, err
	}
	switch c := text[0]; {
	case f.state == atOpen && c == '[':
		f.state = atFirst
		return 1, false, nil
	case f.state == atOpen:
		return 0, false, errNoArray
	case f.state == atEnd:
		return 0, false, errBehind
	case c == ']' && f.state != atNext:
		f.state = atEnd
		return 1, false, nil
	case f.state == atComma && c == ',':
		f.state = atNext
		return 1, false, nil
	case f.state == atComma:
		return 0, false, errNoComma
	}
	if size, err = objectSize(text, final); size > 0 && err == nil {
		f.state = atComma
	}
	return size, true, err
}

// objectSize returns the size of the object at the start of text, or 0 if more text is
// needed.
func objectSize(text []byte, final bool) (int, error) {
	switch {
	case text[0] == ']' || text[0] == '}':
		return 0, errBracket
	case text[0] != '{':
		return 0, &quotation{fmt.Errorf("%w, not %q", errNotObject, beginning(text)), errNotObject.Error()}
	}
	size := jsontext.NestedEnd(text, 0)
	switch {
	case size > MaxText || size < 0 && len(text) > MaxText:
		return 0, fmt.Errorf("the document is longer than %d MiB", MaxText>>20)
	case size < 0 && final:
		return 0, fmt.Errorf("%w: %d bytes left", policy.ErrTruncated, len(text))
	}
	return max(size, 0), nil
}

const (
	lengthBytes = 4
	minBSON     = lengthBytes + 1 // a length and the terminating NUL
)

var errNoTerminator = errors.New("the document does not end where its length says")

// bsonFramer follows the lengths at the start of BSON documents. It relies on a length
// only if the data confirms it.
type bsonFramer struct{}

func (bsonFramer) frame(data []byte, final bool, spans []Span) ([]Span, int, *damage) {
	first := len(spans)
	spans, pos := whole(data, 0, spans)
	for {
		size, bad := bsonSize(data[pos:], final)
		switch {
		case bad != nil && len(spans) == first:
			bad.at = pos
			return spans, pos + size, bad
		case bad != nil || size == 0:
			return spans, pos, nil
		}
		spans = append(spans, Span{int32(pos), int32(pos + size)})
		pos += size
	}
}

// whole appends to spans the documents from pos on, up to the first that is incomplete or
// damaged, and returns its start.
func whole(data []byte, pos int, spans []Span) ([]Span, int) {
	for len(data)-pos >= lengthBytes {
		n := int(int32(binary.LittleEndian.Uint32(data[pos:])))
		if !saneLength(n) || n > len(data)-pos || data[pos+n-1] != 0 {
			break
		}
		spans = append(spans, Span{int32(pos), int32(pos + n)})
		pos += n
	}
	return spans, pos
}

// bsonSize returns the size of the document at the start of data, or 0 if more data is
// needed or none is left. With damage it returns the number of bytes to skip.
func bsonSize(data []byte, final bool) (int, *damage) {
	if len(data) < lengthBytes {
		return cutOff(data, final, lengthBytes)
	}
	n := int(int32(binary.LittleEndian.Uint32(data)))
	if !saneLength(n) {
		err := fmt.Errorf("document length %d is outside %d to %d; where the next document begins is unknown", n, minBSON, MaxBSON)
		return 0, &damage{err: &quotation{err, "the document length is out of range; where the next document begins is unknown"}}
	}
	if n > len(data) {
		return cutOff(data, final, n)
	}
	if data[n-1] == 0 {
		return n, nil
	}
	rest := data[n:]
	if len(rest) < minBSON && !final {
		return 0, nil
	}
	// The length does not lead to the last byte of a document. It is still used if it leads to
	// the next document, or to the end of data.
	return n, &damage{err: errNoTerminator, skippable: len(rest) == 0 || beginsDocument(rest)}
}

func saneLength(n int) bool { return n >= minBSON && n <= MaxBSON }

// cutOff handles data that is shorter than the document at its start.
func cutOff(data []byte, final bool, want int) (int, *damage) {
	if !final || len(data) == 0 {
		return 0, nil
	}
	err := fmt.Errorf("%w: %d bytes wanted, %d left", policy.ErrTruncated, want, len(data))
	return len(data), &damage{err: err, skippable: true}
}

// beginsDocument reports whether data may begin with a document, judging by a length and
// the type of the first field.
func beginsDocument(data []byte) bool {
	if len(data) < minBSON {
		return false
	}
	n, kind := int(int32(binary.LittleEndian.Uint32(data))), policy.Kind(data[lengthBytes])
	return saneLength(n) && (kind == policy.Missing) == (n == minBSON) && kind.String() != "invalid"
}

// lineFramer finds a document in each line that is not blank.
type lineFramer struct {
	inLong bool // within a line that was already reported as too long
}

func (f *lineFramer) frame(data []byte, final bool, spans []Span) ([]Span, int, *damage) {
	first := len(spans)
	for pos := 0; ; {
		end := bytes.IndexByte(data[pos:], '\n')
		size, found := end, end >= 0
		if !found {
			size = len(data) - pos
		}
		switch {
		case f.inLong && !found:
			return spans, len(data), nil
		case f.inLong:
			f.inLong = false
		case size > MaxText && len(spans) > first:
			return spans, pos, nil
		case size > MaxText:
			f.inLong = !found
			return spans, min(pos+size+1, len(data)), &damage{at: pos, err: errLongLine, skippable: true}
		case !found && (!final || size == 0):
			return spans, pos, nil
		default:
			line := bytes.TrimLeft(data[pos:pos+size], " \t\r\n")
			start := pos + size - len(line)
			if line = bytes.TrimRight(line, " \t\r\n"); len(line) > 0 {
				spans = append(spans, Span{int32(start), int32(start + len(line))})
			}
		}
		pos = min(pos+size+1, len(data))
	}
}

var errLongLine = fmt.Errorf("the line is longer than %d MiB", MaxText>>20)

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
