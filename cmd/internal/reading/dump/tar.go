package dump

import (
	"archive/tar"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
)

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

// openTar finds the collections in a tar file, which src reads.
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

// streams yields a stream for each collection.
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
