package dump

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/input"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/namespace"
)

// Found holds the inputs that paths lead to.
type Found struct {
	Inputs []*Input
	Notes  []string // the skipped files, with reasons
}

// Collections returns the collections of all inputs.
func (f Found) Collections() (list []*Collection) {
	for _, in := range f.Inputs {
		list = append(list, in.Collections...)
	}
	return list
}

// Select removes the collections from f that s does not select. A pattern that matches none
// of them is an error.
func (f *Found) Select(s namespace.Selection) error {
	var names []string
	for _, c := range f.Collections() {
		names = append(names, c.Title())
	}
	if err := s.Check(names); err != nil {
		return err
	}
	for _, in := range f.Inputs {
		in.Collections = slices.DeleteFunc(in.Collections, func(c *Collection) bool { return !s.Selects(c.Title()) })
	}
	f.Inputs = slices.DeleteFunc(f.Inputs, func(in *Input) bool { return in.Err == nil && len(in.Collections) == 0 })
	return nil
}

// Find returns the inputs at paths. A path is a file or standard input, with several
// collections if it is an archive or a tar file, or a folder, which stands for all dumps
// below it in the order of their paths. Symbolic links are followed. A file that is found
// twice is taken once. A path without a file is an error, and so is a folder without dumps.
// Other failures to read are errors of the input.
func Find(paths []string) (Found, error) {
	f := finder{seen: map[int64][]seen{}}
	for _, path := range paths {
		if err := f.find(path); err != nil {
			return Found{}, err
		}
	}
	return f.Found, nil
}

// A finder is one Find.
type finder struct {
	Found
	seen map[int64][]seen // by size
}

// A seen is a regular file that was added before.
type seen struct {
	info os.FileInfo
	in   *Input
}

func (f *finder) find(path string) error {
	if path == Stdin {
		f.add(examined(File{Path: Stdin, Size: -1}, true), nil)
		return nil
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return f.findBelow(path)
	case !info.Mode().IsRegular(): // a named pipe, say
		f.add(examined(File{Path: path, Size: -1}, true), nil)
		return nil
	}
	file := File{Path: path, Size: info.Size()}
	file.keep()
	f.add(examined(file, false), info)
	return nil
}

// add adds an input, unless the same file was added as the same collections.
func (f *finder) add(in *Input, info os.FileInfo) {
	if info != nil {
		for _, other := range f.seen[info.Size()] {
			if os.SameFile(info, other.info) && sameTitles(in, other.in) {
				f.Notes = append(f.Notes, fmt.Sprintf("%s is the same file as %s, and is read once", in.Name(), other.in.Name()))
				return
			}
		}
		f.seen[info.Size()] = append(f.seen[info.Size()], seen{info, in})
	}
	f.Inputs = append(f.Inputs, in)
}

// sameTitles reports whether two inputs name the same collections: hard links with other
// names are collections that happen to be equal.
func sameTitles(a, b *Input) bool {
	return slices.EqualFunc(a.Collections, b.Collections, func(c, d *Collection) bool { return c.Title() == d.Title() })
}

// findBelow adds the dumps below a folder.
func (f *finder) findBelow(dir string) error {
	w := walk{wanted: isDump}
	w.below(dir, nil)
	for _, e := range w.found {
		in := NewInput(e.File)
		if in.Err = e.err; e.err != nil {
			in.Collections = nil
		}
		f.add(in, e.info)
	}
	switch {
	case len(w.found) > 0:
		return nil
	case len(w.others) > 0:
		return fmt.Errorf("%s: no .bson file of a user's collection in this folder, only %s", dir, cli.SomeOf(w.others))
	}
	return fmt.Errorf("%s: no .bson file in this folder; name the files to read", dir)
}

// Below returns the files below a folder whose names are wanted, in the order
// of their paths. Symbolic links are followed.
func Below(dir string, wanted func(name string) bool) (files []File, err error) {
	return (&walk{wanted: wanted}).files(dir)
}

// Peek is [Below] for files that may turn out to be no inputs of the command. Those that
// are have to be put on the list of package input.
func Peek(dir string, wanted func(name string) bool) (files []File, err error) {
	return (&walk{wanted: wanted, peeks: true}).files(dir)
}

func (w *walk) files(dir string) (files []File, err error) {
	w.below(dir, nil)
	for _, e := range w.found {
		if e.err != nil {
			return nil, e.err
		}
		files = append(files, e.File)
	}
	return files, nil
}

// A walk finds files.
type walk struct {
	wanted func(name string) bool
	peeks  bool // wanted files may turn out to be no inputs
	found  []entry
	others []string // the names of dumps that are not wanted
}

// An entry is a file that was found, or the error of one or of a folder.
type entry struct {
	File
	info os.FileInfo
	err  error
}

// below adds what is below dir, which lies below the directories above. It stops at a
// folder that is its own parent.
func (w *walk) below(dir string, above []os.FileInfo) {
	self, err := os.Stat(dir)
	var list []fs.DirEntry
	if err == nil && !slices.ContainsFunc(above, func(i os.FileInfo) bool { return os.SameFile(i, self) }) {
		list, err = os.ReadDir(dir)
	}
	if err != nil {
		w.found = append(w.found, entry{File: File{Path: dir}, err: err})
	}
	for _, e := range list {
		w.add(filepath.Join(dir, e.Name()), append(above, self))
	}
}

// add adds a file, or what is below a folder.
func (w *walk) add(path string, above []os.FileInfo) {
	name := filepath.Base(path)
	info, err := os.Stat(path)
	if err == nil && (w.wanted(name) && !w.peeks || isDumped(name)) {
		input.Add(path)
	}
	switch {
	case err == nil && info.IsDir():
		w.below(path, above)
	case w.wanted(name) && err != nil:
		w.found = append(w.found, entry{File: File{Path: path}, err: err})
	case w.wanted(name):
		w.found = append(w.found, entry{File: File{Path: path, Size: sizeOf(info)}, info: info})
	case isBSONName(name) || isPackedName(name):
		w.others = append(w.others, name)
	}
}

// sizeOf returns the size of a file; -1 if it is not a regular file.
func sizeOf(info os.FileInfo) int64 {
	if info.Mode().IsRegular() {
		return info.Size()
	}
	return -1
}

// isDump reports whether mongodump writes the documents of a user's collection to a file of
// this name.
func isDump(name string) bool {
	return isBSONName(name) && !isSystem(stem(name)) && Uncompressed(name) != "oplog.bson"
}

// isDumped reports whether dump tools write files of this name. Such a file in a given
// folder is never overwritten.
func isDumped(name string) bool {
	return isBSONName(name) || isPackedName(name) || hasEnd(Uncompressed(name), metadataEnd) || Uncompressed(name) == preludeName
}

func isPackedName(name string) bool { return hasEnd(Uncompressed(name), ".archive", ".tar", ".tgz") }

func isBSONName(name string) bool { return strings.HasSuffix(Uncompressed(name), ".bson") }

// isSystem reports whether a collection of this name is the server's own.
func isSystem(name string) bool {
	return strings.HasPrefix(name, "system.") && !strings.HasPrefix(name, BucketsPrefix) || strings.HasPrefix(name, "$")
}

func hasEnd(name string, ends ...string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(name, end) })
}

// examined returns the input of f, with the collections in it. An input that is once cannot
// be opened again.
func examined(f File, once bool) *Input {
	in := NewInput(f)
	file, err := f.Open()
	var o *opened
	if err == nil {
		o, err = f.begin(file, nil)
	}
	if err != nil {
		in.Collections[0].Err = err
		return in
	}
	in.settle(o, once)
	return in
}

// settle examines in, which o reads. An input that is once stays open.
func (in *Input) settle(o *opened, once bool) {
	err := in.examine(o, once)
	if err != nil {
		in.Err, in.Collections = fmt.Errorf("%s: %w", in.Name(), err), nil
	}
	if once && err == nil {
		in.held = o
	} else {
		o.Close()
	}
}

// Named returns the input that open opens; open is called once. The input gets the name,
// and is read as a file with that path, from which the name of the collection follows.
func Named(name string, open func() (io.ReadCloser, error)) *Input {
	return examined(File{Path: name, Size: -1, Reader: open}, true)
}

// Piped returns the input in r, which can be read only once, if it is an archive or
// unreadable. Otherwise it returns nil and the whole content of r, decompressed. The input,
// or else the caller, closes r.
func Piped(path string, r io.ReadCloser) (*Input, io.Reader) {
	in := NewInput(File{Path: path, Size: -1})
	o, err := in.begin(r, nil)
	if err != nil {
		in.Err, in.Collections = err, nil
		return in, nil
	}
	if in.settle(o, true); in.Err == nil && !in.IsPacked() {
		return nil, o.src
	}
	return in, nil
}

// examine finds out whether in, which o reads, holds several collections. Its error is about
// a file that holds none.
func (in *Input) examine(o *opened, once bool) error {
	const tarHeader = 512
	head, _ := o.src.Peek(tarHeader) // an error comes back when documents are read
	in.IsEmpty = len(head) == 0
	switch {
	case IsArchive(head):
		return openArchive(in, o.src)
	case isTar(head) && once:
		return errors.New("a tar file is read twice, for the metadata first; save it to a file and name that")
	case isTar(head):
		return openTar(in, o.src)
	}
	return Foreign(in.Name(), head)
}
