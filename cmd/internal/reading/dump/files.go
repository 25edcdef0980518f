package dump

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/input"
)

// Stdin is the path that means standard input.
const Stdin = "-"

// A File is an input that can be opened.
type File struct {
	Path string // the path as given, [Stdin] for standard input
	Size int64  // the stored size in bytes, compressed or not; -1 if unknown
	// Reader, if not nil, opens an input that is not a file, such as an object of a store.
	// Path is then only its name, and no file lies beside it.
	Reader func() (io.ReadCloser, error)
	// folder is the given folder below which f was found; empty if f itself was given.
	folder string
}

func (f File) isElsewhere() bool { return f.Path == Stdin || f.Reader != nil }

// Name returns the name of f in messages.
func (f File) Name() string {
	if f.Path == Stdin {
		return "standard input"
	}
	return f.Path
}

// Open opens f. Standard input stays open when the result is closed.
func (f File) Open() (io.ReadCloser, error) {
	switch {
	case f.Reader != nil:
		return f.Reader()
	case f.Path == Stdin:
		return io.NopCloser(os.Stdin), nil
	}
	if f.folder != "" {
		return input.OpenBelow(f.folder, f.Path)
	}
	return input.Open(f.Path)
}

// Peek opens f without adding it to the command's inputs. f must be a file that the function
// [Peek] returned.
func (f File) Peek() (io.ReadCloser, error) { return input.PeekBelow(f.folder, f.Path) }

var errShrunk = errors.New("the file got shorter while it was read")

// Unescaped undoes the escapes of mongodump's file names (mongodb/mongo-tools:
// mongorestore/filepath.go). Names of folders have no escapes.
func Unescaped(name string) string {
	if plain, err := url.QueryUnescape(name); err == nil {
		return plain
	}
	return name
}

// BucketsPrefix begins the name of the collection of buckets of a time-series collection,
// on servers with such collections.
const BucketsPrefix = "system.buckets."

// stem returns path without the endings of a compression and of a format.
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
	for _, end := range Endings {
		path = strings.TrimSuffix(path, end)
	}
	return path
}

// Endings are the endings of the names of plain and of compressed files.
var Endings = []string{"", ".gz", ".zst"}

// Metadata returns the file that mongodump puts beside f to describe the
// collection, the zero Text if there is none.
func (f File) Metadata() (Text, error) {
	if f.isElsewhere() {
		return Text{}, nil
	}
	dir, name := f.metadata()
	return f.beside(dir, name)
}

// metadata returns the folder and the name of the file that mongodump puts beside f.
func (f File) metadata() (dir, name string) {
	dir, name = filepath.Split(stem(f.Path))
	return dir, strings.TrimPrefix(name, BucketsPrefix) + MetadataEnd
}

// keep protects f, and the files that mongodump put beside it, from being overwritten.
func (f File) keep() {
	input.Add(f.Path)
	dir, name := f.metadata()
	for _, name := range []string{name, preludeName} {
		for _, end := range Endings {
			path := filepath.Join(dir, name+end)
			if _, err := os.Stat(path); err == nil {
				input.Add(path)
			}
		}
	}
}

// MetadataEnd ends the name of mongodump's file about a collection: NAME.metadata.json.
const MetadataEnd = ".metadata.json"

const preludeName = "prelude.json"

// Prelude returns the file in which mongodump notes the server's version, in f's
// folder or the one above; the zero Text if there is none.
func (f File) Prelude() (Text, error) {
	if f.isElsewhere() {
		return Text{}, nil
	}
	dir := filepath.Dir(f.Path)
	if text, err := f.beside(dir, preludeName); text.Name != "" || err != nil {
		return text, err
	}
	return f.beside(filepath.Join(dir, ".."), preludeName)
}

// Beside describes the file of this name in the folder of f. The user has not named it, so it
// must be a regular file, and not a link out of the folder.
func (f File) Beside(name string) (File, error) {
	dir := filepath.Dir(f.Path)
	other := File{Path: filepath.Join(dir, name), folder: cmp.Or(f.folder, dir)}
	info, err := input.StatBelow(other.folder, other.Path)
	if err == nil {
		if other.Size = info.Size(); info.IsDir() {
			err = fs.ErrNotExist
		}
	}
	return other, err
}

// beside reads the file of this name, compressed or not, in the folder dir: the folder of
// f, or the folder above it.
func (f File) beside(dir, name string) (Text, error) {
	for _, end := range Endings {
		path := filepath.Join(dir, name+end)
		folder := f.folder
		if within, err := filepath.Rel(folder, dir); folder == "" || err != nil || !filepath.IsLocal(within) { // the prelude may lie above it
			folder = dir
		}
		file, err := input.OpenBelow(folder, path)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENAMETOOLONG) {
			continue
		}
		if err != nil {
			return Text{}, err
		}
		defer file.Close()
		text, err := readWhole(path, file, MaxMetadata)
		if err != nil {
			return Text{}, err
		}
		return Text{path, text}, nil
	}
	return Text{}, nil
}

// MaxMetadata limits the size of a file that describes a collection or a container, in
// bytes.
const MaxMetadata = 16 << 20

// ReadFile reads a whole file, plain or compressed, of at most limit bytes.
func ReadFile(path string, limit int) ([]byte, error) {
	file, err := input.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readWhole(path, file, limit)
}

// readWhole reads the whole file of this name, plain or compressed, of at most limit bytes. A
// text is decoded by [input.Text].
func readWhole(name string, r io.Reader, limit int) ([]byte, error) {
	plain, _, done, err := decompress(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer done()
	text, err := io.ReadAll(io.LimitReader(plain, int64(limit)+1))
	if err == nil && len(text) > limit {
		err = fmt.Errorf("larger than %d MiB", limit>>20)
	}
	if err == nil && !BeginsBSON(text) {
		decoded, wrong := input.Text(text)
		switch {
		case wrong == nil:
			text = decoded
		case Foreign(name, text) == nil: // otherwise the caller says what the file is
			err = wrong
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return text, nil
}
