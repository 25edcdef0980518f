package dump

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Stdin is the path that stands for standard input.
const Stdin = "-"

// A File is an input that can be opened.
type File struct {
	Path string // as given, [Stdin] for standard input
	Size int64  // in bytes as stored, compressed or not; -1 if that is unknown
}

// Name returns how messages call f.
func (f File) Name() string {
	if f.Path == Stdin {
		return "standard input"
	}
	return f.Path
}

// OnDisk returns the path of f, and "" for standard input.
func (f File) OnDisk() string {
	if f.Path == Stdin {
		return ""
	}
	return f.Path
}

// Open opens f. Standard input stays open when the result is closed.
func (f File) Open() (io.ReadCloser, error) {
	if f.Path == Stdin {
		return io.NopCloser(os.Stdin), nil
	}
	return os.Open(f.Path)
}

// Stream opens f as [NewStream] does. read, unless it is nil, is called with how
// many bytes were read, as stored. Closing the stream closes the file.
func (f File) Stream(kind, text Kind, read func(n int)) (*Stream, error) {
	file, err := f.Open()
	if err != nil {
		return nil, err
	}
	pos := int64(0)
	counted := counter{file, f.Size, &pos, read}
	s, err := NewStream(f.Name(), counted, kind, text)
	if err != nil {
		file.Close()
		return nil, err
	}
	done := s.close
	s.close = func() { done(); file.Close() }
	if at, ok := file.(io.ReaderAt); ok && s.plain && s.kind == BSON && f.Size > pos {
		s.share(at, pos, f.Size, read)
	}
	return s, nil
}

// A counter calls read, unless it is nil, with how many bytes each Read yields,
// and keeps their sum. An end before size is an error: the file got shorter.
type counter struct {
	r    io.Reader
	size int64
	pos  *int64
	read func(n int)
}

func (c counter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	if *c.pos += int64(n); c.read != nil {
		c.read(n)
	}
	if err == io.EOF && *c.pos < c.size {
		err = fmt.Errorf("%w: it had %d bytes, and ends at %d", errShrunk, c.size, *c.pos)
	}
	return n, err
}

var errShrunk = errors.New("the file got shorter while it was read")

// Collection returns the name of the collection that f is a dump of, going by
// the file's name as mongodump makes it: without the endings, with escapes
// undone, and without the prefix of a time-series collection's buckets.
func (f File) Collection() string {
	if f.Path == Stdin {
		return f.Name()
	}
	return strings.TrimPrefix(Unescaped(filepath.Base(stem(f.Path))), BucketsPrefix)
}

// Namespace returns the namespace of the collection that f is a dump of, such
// as "shop.logs": mongodump names the folder by the database. That of a
// time-series collection is that of its buckets where the file has their name.
// It is empty for standard input, and for a path that names no collection.
func (f File) Namespace() string {
	whole, err := filepath.Abs(f.Path)
	if f.Path == Stdin || err != nil {
		return ""
	}
	dir, name := filepath.Split(stem(whole))
	database, name := filepath.Base(dir), Unescaped(name)
	if strings.ContainsAny(database, `./\`) || database == "" || name == "" || name[0] == '.' {
		return ""
	}
	return database + "." + name
}

// Unescaped undoes the escapes of mongodump's file names (mongodb/mongo-tools:
// mongorestore/filepath.go). Those of folders have none.
func Unescaped(name string) string {
	if plain, err := url.QueryUnescape(name); err == nil {
		return plain
	}
	return name
}

// Buckets reports whether f has the name of the collection that holds the
// buckets of a time-series collection. Such are the dumps of a server before
// 8.3; those of a later one have the collection's own name (mongodb/mongo-tools:
// mongodump/prepare.go).
func (f File) Buckets() bool { return strings.HasPrefix(filepath.Base(f.Path), BucketsPrefix) }

// IsBSON reports whether f has the ending of mongodump's files.
func (f File) IsBSON() bool { return strings.HasSuffix(Uncompressed(f.Path), ".bson") }

// BucketsPrefix begins the name of the collection that stores a time-series
// collection, where it has one of its own.
const BucketsPrefix = "system.buckets."

// stem returns path without the endings of a kind and a compression.
func stem(path string) string {
	path = Uncompressed(path)
	for _, end := range []string{".bson", ".ndjson", ".jsonl", ".json"} {
		if s, ok := strings.CutSuffix(path, end); ok {
			return s
		}
	}
	return path
}

// Uncompressed returns path without the ending of a compression.
func Uncompressed(path string) string {
	for _, end := range compressions {
		path = strings.TrimSuffix(path, end)
	}
	return path
}

var compressions = []string{".gz", ".zst"}

// Find returns the files that paths stand for: a file for itself, a directory
// for all dumps of collections below it, in the order of their paths. A
// directory without any is an error.
func Find(paths []string) ([]File, error) {
	var files []File
	for _, path := range paths {
		found, err := find(path)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	return files, nil
}

func find(path string) ([]File, error) {
	if path == Stdin {
		return []File{{Path: Stdin, Size: -1}}, nil
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return findBelow(path)
	case !info.Mode().IsRegular():
		return []File{{Path: path, Size: -1}}, nil // a named pipe, say
	}
	return []File{{Path: path, Size: info.Size()}}, nil
}

func findBelow(dir string) ([]File, error) {
	files, err := Below(dir, isDump)
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: no .bson file in this directory; name the files to read", dir)
	}
	return files, err
}

// Below returns the files below a directory whose names are wanted, in the order
// of their paths.
func Below(dir string, wanted func(name string) bool) (files []File, err error) {
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !wanted(entry.Name()) {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			files = append(files, File{Path: path, Size: info.Size()})
		}
		return err
	})
	return files, err
}

// isDump reports whether mongodump puts the documents of a collection that a
// user made into a file of this name.
func isDump(name string) bool {
	name = Uncompressed(name)
	system := strings.HasPrefix(name, "system.") && !strings.HasPrefix(name, BucketsPrefix)
	return strings.HasSuffix(name, ".bson") && !system && name != "oplog.bson"
}

// Metadata returns the path and the text of the file that mongodump puts
// beside f to describe the collection. The path is empty if there is none.
func (f File) Metadata() (path string, text []byte, err error) {
	if f.Path == Stdin {
		return "", nil, nil
	}
	dir, name := filepath.Split(stem(f.Path))
	return beside(dir, strings.TrimPrefix(name, BucketsPrefix)+".metadata.json")
}

// Prelude returns the path and the text of the file in which mongodump notes
// the server's version: in f's folder or the one above. The path is empty if
// there is none.
func (f File) Prelude() (path string, text []byte, err error) {
	if f.Path == Stdin {
		return "", nil, nil
	}
	dir := filepath.Dir(f.Path)
	if path, text, err = beside(dir, "prelude.json"); path != "" || err != nil {
		return path, text, err
	}
	return beside(filepath.Join(dir, ".."), "prelude.json")
}

// beside reads the file of this name in dir, compressed or not.
func beside(dir, name string) (path string, text []byte, err error) {
	for _, end := range slices.Concat([]string{""}, compressions) {
		path = filepath.Join(dir, name+end)
		text, err := ReadFile(path, MaxMetadata)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", nil, err
		}
		return path, text, nil
	}
	return "", nil, nil
}

// MaxMetadata bounds what is read of a file that describes a collection or a
// container, in bytes.
const MaxMetadata = 16 << 20

// ReadFile reads a whole file, plain or compressed, that may hold limit bytes.
func ReadFile(path string, limit int) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := readWhole(file, limit)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}

func readWhole(r io.Reader, limit int) ([]byte, error) {
	plain, done, err := decompress(r)
	if err != nil {
		return nil, err
	}
	defer done()
	text, err := io.ReadAll(io.LimitReader(plain, int64(limit)+1))
	if err == nil && len(text) > limit {
		err = fmt.Errorf("larger than %d MiB", limit>>20)
	}
	return text, err
}
