package dump

import (
	"archive/tar"
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The format of mongodump --archive (mongodb/mongo-tools: common/archive). After the
// magic number comes the prelude: a header with the server's version, and a document for
// each collection with the text of its metadata.json. Then come the blocks, and blocks of
// different collections may alternate. A block has a header with the namespace of a
// collection, documents of the collection, and a terminator. The last block of a
// collection has no documents; its header says EOF, and holds the CRC-64 of all documents
// of the collection (multiplexer.go: formatBody, formatEOF; parser.go: ReadBlock).
const (
	archiveMagic = "\x6d\xe2\x99\x81"

	// maxTexts limits the size of all metadata in an archive or a tar file, in bytes. A server
	// with a hundred thousand collections has less.
	maxTexts = 64 << 20
)

var errLongTexts = fmt.Errorf("the metadata is larger than %d MiB", maxTexts>>20)

// An archive is an input of mongodump --archive.
type archive struct {
	in      *Input
	named   map[string]*Collection // by namespace; nil for a collection that is skipped
	prelude int64                  // the size of the prelude, in bytes
	release string                 // the server's version, as noted
	version mongo.Version          // release as a version; zero if release is no version
}

func openArchive(in *Input, src *bufio.Reader) error {
	a := &archive{in: in, named: map[string]*Collection{}, prelude: int64(len(archiveMagic))}
	in.Collections, in.streams = nil, in.single(a.stream)
	src.Discard(len(archiveMagic)) // it was looked at before
	header, _, err := a.next(src)
	if err != nil {
		return err
	}
	a.release, _ = header.Field("server_version").AsString()
	number, _, _ := strings.Cut(a.release, "-")
	a.version, _ = mongo.ParseVersion(number)
	for {
		doc, more, err := a.next(src)
		if err != nil || !more {
			return err
		}
		if err := a.add(doc); err != nil {
			return err
		}
	}
}

// next reads a document of the prelude. It reports false at the end of the prelude.
func (a *archive) next(src *bufio.Reader) (doc policy.Value, more bool, err error) {
	at := a.prelude
	failed := func(err error) (policy.Value, bool, error) {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = fmt.Errorf("%w: the archive ends before its documents", policy.ErrTruncated)
		}
		return policy.Value{}, false, fmt.Errorf("the prelude of the archive, at byte %d: %w", at, err)
	}
	head, err := src.Peek(lengthBytes)
	if err != nil {
		return failed(err)
	}
	if isTerminator(head) {
		src.Discard(lengthBytes)
		a.prelude += lengthBytes
		return doc, false, nil
	}
	n := int(int32(binary.LittleEndian.Uint32(head)))
	if a.prelude += int64(n); !saneLength(n) {
		return failed(fmt.Errorf("document length %d is outside %d to %d", n, minBSON, MaxBSON))
	}
	if a.prelude > maxTexts {
		return failed(errLongTexts)
	}
	raw, err := io.ReadAll(io.LimitReader(src, int64(n)))
	if err == nil && len(raw) < n {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return failed(err)
	}
	parsed, err := policy.ParseBSON(raw)
	if err != nil {
		return failed(err)
	}
	return parsed.Value(), true, nil
}

// IsArchive reports whether head begins a file of mongodump --archive.
func IsArchive(head []byte) bool { return bytes.HasPrefix(head, []byte(archiveMagic)) }

func isTerminator(b []byte) bool {
	return len(b) >= lengthBytes && binary.LittleEndian.Uint32(b) == 0xffff_ffff
}

// add adds the collection that a document of the prelude describes. It leaves out views,
// collections without a database, and the server's own collections.
func (a *archive) add(doc policy.Value) error {
	database, _ := doc.Field("db").AsString()
	name, ok := doc.Field("collection").AsString()
	if !ok {
		return errors.New("the prelude of the archive describes a collection without a name")
	}
	kind, _ := doc.Field("type").AsString()
	text, _ := doc.Field("metadata").AsString()
	if kind == "timeseries" && a.version.Compare(mongo.Version{Major: 8, Minor: 3}) < 0 {
		name = BucketsPrefix + name // the metadata has the collection's own name, but the blocks have the name of its buckets
	}
	c := newCollection(a.in, database, name)
	c.inside = true
	c.metadata = Text{a.in.Name() + ": metadata of " + c.Title(), []byte(text)}
	if text == "" {
		c.metadata = Text{}
	}
	c.release = release{version: a.release, place: a.in.Name()}
	stored := database + "." + name
	if _, twice := a.named[stored]; twice {
		return fmt.Errorf("the prelude of the archive describes %s twice", stored)
	}
	if kind == "view" || database == "" || isSystem(name) {
		c = nil
	}
	a.named[stored] = c
	if c != nil {
		a.in.Collections = append(a.in.Collections, c)
	}
	return a.in.bounded()
}

func (a *archive) stream(o StreamOptions) (*Stream, error) {
	if o.Kind != Auto && o.Kind != BSON {
		return nil, fmt.Errorf("%s: this is a mongodump --archive file, which holds BSON; leave out --input", a.in.Name())
	}
	isHeld := a.in.held != nil
	file, err := a.in.open(o.Read)
	if err != nil {
		return nil, err
	}
	if !isHeld {
		_, err = io.CopyN(io.Discard, file.src, a.prelude)
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", a.in.Name(), err)
	}
	f := &archiveFramer{archive: a, sums: map[*Collection]uint64{}, done: map[*Collection]bool{}}
	return &Stream{name: a.in.Name(), kind: BSON, framer: f, src: file.src, offset: a.prelude, close: file.Close, collections: a.in.Collections}, nil
}

// An archiveFramer finds the documents in the blocks of an archive. One call of frame
// returns documents of one collection.
type archiveFramer struct {
	*archive
	inBlock bool        // between a header and its terminator
	current *Collection // the block's collection; nil if it is skipped
	sums    map[*Collection]uint64
	done    map[*Collection]bool
	ended   []*Collection // collections of done that were not reported yet
	over    bool          // the end was reported
}

// unfinished returns the collections whose end was not found.
func (f *archiveFramer) unfinished() []*Collection {
	return slices.DeleteFunc(slices.Clone(f.in.Collections), func(c *Collection) bool { return f.done[c] })
}

func (f *archiveFramer) frame(data []byte, final bool, spans []Span) ([]Span, int, *damage) {
	first, pos := len(spans), 0
	for len(spans) == first {
		size, bad := 0, (*damage)(nil)
		if f.inBlock {
			spans, size, bad = f.documents(data, pos, final, spans)
		} else {
			size, bad = f.header(data[pos:], final)
		}
		if bad != nil {
			bad.at += pos
			return spans, pos + size, bad
		}
		if pos += size; size == 0 {
			break
		}
	}
	return spans, pos, nil
}

// header reads the header of a block, and returns the size of the header; 0 if more data is
// needed or none is left.
func (f *archiveFramer) header(data []byte, final bool) (int, *damage) {
	if len(data) == 0 {
		if !final || f.over || len(f.unfinished()) == 0 {
			return 0, nil
		}
		f.over = true
		return 0, &damage{err: fmt.Errorf("%w: the archive ends before its collections do", policy.ErrTruncated)}
	}
	size, bad := bsonSize(data, final)
	if bad != nil {
		return size, &damage{err: fmt.Errorf("the header of a block: %w", bad.err)}
	}
	if size == 0 {
		return 0, nil
	}
	header, err := policy.ParseBSON(data[:size])
	if err != nil {
		return size, &damage{err: fmt.Errorf("the header of a block: %w", err)}
	}
	database, _ := header.Field("db").AsString()
	name, _ := header.Field("collection").AsString()
	c, known := f.named[database+"."+name]
	if !known || f.done[c] {
		err := fmt.Errorf("unexpected block of %s.%s, a collection that is not in the prelude or has ended", database, name)
		return size, &damage{err: &quotation{err, "a block of a collection that is not in the prelude or has ended"}}
	}
	f.inBlock, f.current = true, c
	if eof, _ := header.Field("EOF").AsBool(); eof && c != nil {
		f.done[c], f.ended = true, append(f.ended, c)
		if n, ok := header.Field("CRC").AsInt64(); !ok || uint64(n) != f.sums[c] {
			return size, &damage{err: errChecksum, goesOn: true}
		}
	}
	return size, nil
}

var errChecksum = errors.New("the checksum at the end of the collection does not match its documents: the archive is damaged")

// documents finds the documents of a block from pos on, and returns their size.
func (f *archiveFramer) documents(data []byte, pos int, final bool, spans []Span) ([]Span, int, *damage) {
	list, end := whole(data, pos, spans)
	f.sum(data[pos:end])
	if f.current != nil {
		spans = list
	}
	switch rest := data[end:]; {
	case isTerminator(rest):
		f.inBlock = false
		end += lengthBytes
	case end == pos:
		n, bad := bsonSize(rest, final)
		if bad == nil && final && n == 0 { // bsonSize takes the end of the data for the end of a file
			bad = &damage{err: fmt.Errorf("%w: the archive ends within a block", policy.ErrTruncated)}
		}
		if bad != nil {
			bad.skippable = n < len(rest) && (bad.skippable || isTerminator(rest[n:]))
			f.sum(rest[:n])
			if bad.skippable && f.current == nil {
				bad = nil
			}
			return spans, n, bad
		}
	}
	return spans, end - pos, nil
}

// checksums is the table of the checksum of a collection in an archive.
var checksums = crc64.MakeTable(crc64.ECMA)

func (f *archiveFramer) sum(documents []byte) {
	if f.current != nil {
		f.sums[f.current] = crc64.Update(f.sums[f.current], checksums, documents)
	}
}

// A tarFile is an input: a folder of mongodump, packed by tar. It is read twice, because
// metadata may follow the documents: first for the texts and the names, then for the
// documents. Nothing is unpacked, so no path in the tar file is ever written to.
type tarFile struct {
	in    *Input
	named map[string]*Collection // the collections by path
	texts map[string]Text        // the small files, by path without the ending of a compression
	size  int                    // the size of all texts, in bytes
}

// isTar reports whether head begins a tar file of POSIX, of GNU, or of the oldest format,
// which is recognised only by its checksum.
func isTar(head []byte) bool {
	if len(head) < 512 {
		return false
	}
	_, err := tar.NewReader(bytes.NewReader(head)).Next()
	return string(head[257:262]) == "ustar" || head[0] != 0 && err == nil
}

func openTar(in *Input, src *bufio.Reader) error {
	t := &tarFile{in: in, named: map[string]*Collection{}, texts: map[string]Text{}}
	in.Collections, in.streams = nil, t.streams
	err := t.each(src, t.add)
	for _, c := range in.Collections {
		t.describe(c)
	}
	if err == nil {
		t.addLost()
	}
	switch {
	case err != nil:
		in.Err = fmt.Errorf("%s: %w; the files after this place are unknown", in.Name(), err)
	case len(in.Collections) == 0:
		return errors.New("this tar file holds no .bson file of a user's collection")
	}
	return nil
}

// each calls visit with each regular file in a tar file, up to the first error.
func (t *tarFile) each(src io.Reader, visit func(h *tar.Header, r io.Reader) error) error {
	for r := tar.NewReader(src); ; {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil && h.Typeflag == tar.TypeReg {
			err = visit(h, r)
		}
		if err != nil {
			return err
		}
	}
}

// add records a file: a collection, or a text about collections.
func (t *tarFile) add(h *tar.Header, r io.Reader) error {
	name := memberName(h)
	plain := Uncompressed(name)
	switch {
	case isDump(path.Base(name)):
		c := t.collection(name)
		if t.named[name] != nil {
			c.Err = fmt.Errorf("%s: the tar file holds two files of this name", c.Place())
		} else {
			t.named[name] = c
		}
		return t.in.bounded()
	case strings.HasSuffix(plain, MetadataEnd) || path.Base(plain) == preludeName:
		text, err := readWhole(name, r, MaxMetadata)
		if err != nil {
			return err
		}
		if t.size += len(text); t.size > maxTexts {
			return errLongTexts
		}
		t.texts[plain] = Text{t.in.Name() + ":" + name, text}
	}
	return nil
}

// collection adds the collection whose documents are in a file of this name.
func (t *tarFile) collection(name string) *Collection {
	database, collection := namesOf("/" + name)
	c := newCollection(t.in, database, collection)
	c.inside, c.member = true, name
	t.in.Collections = append(t.in.Collections, c)
	return c
}

// describe sets the metadata and the release of c, by the files beside its documents.
func (t *tarFile) describe(c *Collection) {
	dir, base := path.Split(stem(c.member))
	c.metadata = t.texts[dir+strings.TrimPrefix(base, BucketsPrefix)+MetadataEnd]
	for _, place := range []string{dir, path.Join(dir, "..")} {
		if prelude := t.texts[path.Join(place, preludeName)]; prelude.Name != "" {
			c.release.version, c.release.err = releaseIn(prelude.Text)
			c.release.place = prelude.Name
			return
		}
	}
}

// addLost adds the collections of which the tar file has only the metadata, in the order of
// their paths.
func (t *tarFile) addLost() {
	have := map[string]bool{}
	for name := range t.named {
		dir, base := path.Split(stem(name))
		have[dir+strings.TrimPrefix(base, BucketsPrefix)] = true
	}
	for _, name := range slices.Sorted(maps.Keys(t.texts)) {
		base, ok := strings.CutSuffix(name, MetadataEnd)
		if text := t.texts[name]; ok && !have[base] && !isSystem(path.Base(base)) && !isView(text.Text) {
			c := t.collection(base + ".bson")
			c.Err = c.lostError(text.Name, path.Base(base))
			t.describe(c)
		}
	}
}

// errStop ends the reading of a tar file.
var errStop = errors.New("stop")

func (t *tarFile) streams(o StreamOptions, yield func(*Stream) bool) {
	left := maps.Clone(t.named)
	file, err := t.in.open(o.Read)
	if err == nil {
		defer file.Close()
		err = t.each(file.src, func(h *tar.Header, r io.Reader) error {
			c := left[memberName(h)]
			if c == nil {
				return nil
			}
			delete(left, memberName(h))
			s, err := NewStream(c.Place(), r, o.Kind, o.Text)
			if err != nil {
				s = failed(c.Place(), err)
			}
			defer s.Close()
			if s.collections = []*Collection{c}; !yield(s) {
				return errStop
			}
			return nil
		})
	}
	if errors.Is(err, errStop) {
		return
	}
	if err == nil {
		err = errors.New("the tar file has changed while it was read")
	}
	for _, c := range t.in.Collections {
		if left[c.member] == c && !yield(failed(c.Place(), fmt.Errorf("%s: %w", c.Place(), err), c)) {
			return
		}
	}
}

// memberName returns the path of a file in a tar file, as if the tar file were
// the root.
func memberName(h *tar.Header) string { return path.Clean("/" + h.Name)[1:] }
