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
	"github.com/ttlpolicy/ttlpolicy/policy"
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

// Select removes the collections from f that s does not select. A pattern that matches no
// collection is an error.
func (f *Found) Select(s namespace.Selection) error {
	if len(s.Include) > 0 || len(s.Exclude) > 0 {
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
	}
	f.Inputs = slices.DeleteFunc(f.Inputs, func(in *Input) bool { return in.Err == nil && len(in.Collections) == 0 })
	return nil
}

// Find returns the inputs at paths. A path is a file, standard input or a folder. An
// archive or a tar file has several collections. A folder stands for all dumps below it,
// in the order of their paths, and then for the collections of which only the metadata are
// there, see [Lost]. A link among the paths is followed. Below a folder only
// regular files are read, and links to regular files below the same folder. A file that
// is found twice is read once. A path without a file is an error, and so is a folder
// without dumps. Other failures to read are errors of the input.
func Find(paths []string) (Found, error) {
	f := finder{seen: map[int64][]seen{}}
	for _, path := range paths {
		if err := f.find(path); err != nil {
			return Found{}, err
		}
	}
	return f.Found, nil
}

// A finder is the state of one call of Find.
type finder struct {
	Found
	seen map[int64][]seen // regular files by size
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

// add adds an input, unless the same file was added before with the same collections. Hard links
// with different names count as different collections with equal documents.
func (f *finder) add(in *Input, info os.FileInfo) {
	sameTitle := func(c, d *Collection) bool { return c.Title() == d.Title() }
	if info != nil {
		for _, other := range f.seen[info.Size()] {
			if os.SameFile(info, other.info) && slices.EqualFunc(in.Collections, other.in.Collections, sameTitle) {
				f.Notes = append(f.Notes, fmt.Sprintf("%s is the same file as %s, and is read once", in.Name(), other.in.Name()))
				return
			}
		}
		f.seen[info.Size()] = append(f.seen[info.Size()], seen{info, in})
	}
	f.Inputs = append(f.Inputs, in)
}

func (f *finder) findBelow(dir string) error {
	w := walk{folder: dir, most: maxEntries, wanted: isDump}
	w.below()
	have := map[string]bool{}
	for _, e := range w.found {
		folder, name := e.File.metadata()
		have[filepath.Join(folder, name)] = true
		in := NewInput(e.File)
		if in.Err = e.err; e.err != nil {
			in.Collections = nil
		}
		f.add(in, e.info)
	}
	lost := 0
	for _, path := range w.metadata {
		if plain := Uncompressed(path); !have[plain] {
			have[plain] = true
			if c := Lost(File{Path: path, folder: dir}); c != nil {
				f.add(c.Input, nil)
				lost++
			}
		}
	}
	f.Notes = append(f.Notes, w.notes...)
	switch {
	case len(w.found)+lost > 0:
		return nil
	case len(w.others) > 0:
		return fmt.Errorf("%s: no .bson file of a user's collection in this folder, only %s", dir, cli.SomeOf(w.others))
	}
	return fmt.Errorf("%s: no .bson file in this folder; name the files to read", dir)
}

// Lost returns the collection that a metadata file of mongodump describes, if the file of
// its documents is not there: mongodump writes that file for each collection, even without
// documents (mongodb/mongo-tools: mongodump/prepare.go, NewIntentFromOptions). The
// collection has an error with the exit code [cli.ExitIncomplete]. Lost returns nil for a
// view, which has no documents.
func Lost(metadata File) *Collection {
	base := strings.TrimSuffix(Uncompressed(metadata.Path), MetadataEnd)
	c := NewInput(File{Path: base + ".bson", folder: metadata.folder}).Collections[0]
	text, err := c.Metadata()
	if err == nil && isView(text.Text) {
		return nil
	}
	c.Err = c.lostError(metadata.Name(), filepath.Base(base))
	return c
}

// lostError returns the error of a collection of which only the metadata are there. name is
// the name of the missing file, without its ending.
func (c *Collection) lostError(metadata, name string) error {
	return cli.WithExit(cli.ExitIncomplete, fmt.Errorf("no documents of %s: there is %s, but no %s.bson, which mongodump writes even for a collection without documents, so the file is lost", c.Title(), metadata, name))
}

func isView(metadata []byte) bool {
	v, err := policy.ParseExtJSON(metadata)
	kind, _ := v.Field("type").AsString()
	return err == nil && (kind == "view" || !v.Field("options").Field("viewOn").IsMissing())
}

// Unlisted returns the dumps of users' collections below a folder that have no metadata
// beside them. A file of this name that cannot be read is one of them.
func Unlisted(dir string) (files []File) {
	w := walk{folder: dir, most: maxEntries, wanted: isDump}
	w.below()
	for _, e := range w.found {
		if metadata, err := e.File.Metadata(); isBSONName(e.Path) && err == nil && metadata.Name == "" {
			files = append(files, e.File)
		}
	}
	return files
}

// Below returns the files below a folder whose names are wanted, in the order of their
// paths: regular files, and links to regular files below the same folder. For any other
// file of a wanted name, Below calls unread with an error; if unread is nil, Below
// returns the error. It also returns an error if too many files lie below the folder.
// Folders of the skipped names are left out. If there are such names, the files are perhaps
// no inputs of the command, and the caller adds those that are to the list of package input.
func Below(dir string, wanted func(name string) bool, skipped []string, unread func(path string, err error)) (files []File, err error) {
	return (&walk{folder: dir, most: maxEntries, wanted: wanted, skipped: skipped, unread: unread}).files()
}

func (w *walk) files() (files []File, err error) {
	w.below()
	for _, e := range w.found {
		switch {
		case e.err == nil:
			files = append(files, e.File)
		case w.unread != nil && !errors.Is(e.err, errTooMany):
			w.unread(e.Path, e.err)
		default:
			return nil, e.err
		}
	}
	return files, nil
}

const (
	// maxLevels is the maximum depth of folders below a given folder.
	maxLevels = 100
	// maxEntries is the maximum number of files and folders below a given folder.
	maxEntries = 500_000
)

var errTooMany = errors.New("too many files")

// A walk finds files.
type walk struct {
	folder  string // the given folder
	most    int    // the maximum number of files and folders
	wanted  func(name string) bool
	skipped []string // names of folders to leave out; nil if wanted files are inputs
	unread  func(path string, err error)
	found   []entry
	others  []string // the names of dumps that are not wanted
	notes   []string // links to folders, which are read at their own places
	// metadata are the paths of the metadata of users' collections.
	metadata []string
}

// An entry is a file that was found, or an error about a file or a folder.
type entry struct {
	File
	info os.FileInfo
	err  error
}

func (w *walk) fail(path string, err error) {
	w.found = append(w.found, entry{File: File{Path: path}, err: err})
}

func (w *walk) below() {
	root := filepath.Clean(w.folder)
	entries := -1                                                                                                 // without the folder itself
	_ = filepath.WalkDir(w.folder+string(filepath.Separator), func(path string, e fs.DirEntry, err error) error { // the errors are in w.found
		path = filepath.Clean(path)
		isFolder, level := e != nil && e.IsDir(), strings.Count(strings.TrimPrefix(path, root), string(filepath.Separator))
		switch entries++; {
		case err != nil:
			w.fail(path, err)
		case entries > w.most:
			w.fail(path, fmt.Errorf("%s: %w: more than %s lie below this folder; name folders within it", w.folder, errTooMany, cli.Number(int64(w.most))))
			return fs.SkipAll
		case isFolder && level > maxLevels:
			w.fail(path, fmt.Errorf("%s is %d levels below %s, and at most %d are read; name it directly", path, level, w.folder, maxLevels))
			return fs.SkipDir
		case isFolder && level > 0 && slices.Contains(w.skipped, e.Name()):
			return fs.SkipDir
		case !isFolder:
			w.add(path, e.Type()&fs.ModeSymlink != 0)
		}
		return nil
	})
}

// add adds a file.
func (w *walk) add(path string, isLink bool) {
	name := filepath.Base(path)
	isWanted := w.wanted(name)
	isDumped := isBSONName(name) || isPackedName(name) || hasEnd(Uncompressed(name), MetadataEnd) || Uncompressed(name) == preludeName
	if isWanted && w.skipped == nil || isDumped { // a file of the dump tools is never overwritten
		input.Add(path)
	}
	if stem, ok := strings.CutSuffix(Uncompressed(name), MetadataEnd); ok && !isSystem(stem) {
		w.metadata = append(w.metadata, path)
	}
	if !isWanted && !isLink {
		if isBSONName(name) || isPackedName(name) {
			w.others = append(w.others, name)
		}
		return
	}
	info, err := input.StatBelow(w.folder, path)
	isFolder := false
	if isLink {
		target, err := os.Stat(path)
		isFolder = err == nil && target.IsDir()
	}
	switch {
	case isFolder: // a folder below the given folder is read at its own place
		if err == nil {
			w.notes = append(w.notes, path+" is a link to another folder here, and is not followed")
		} else if w.skipped == nil { // a walk for dumps reports a broken link
			w.fail(path, err)
		}
	case isWanted && err != nil:
		w.fail(path, err)
	case isWanted:
		w.found = append(w.found, entry{File: File{Path: path, Size: info.Size(), folder: w.folder}, info: info})
	}
}

// isDump reports whether mongodump writes the documents of a user's collection to a file of
// this name.
func isDump(name string) bool {
	return isBSONName(name) && !isSystem(stem(name)) && Uncompressed(name) != "oplog.bson"
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

// examined returns the input of f, with the collections in it. once says that the input
// cannot be opened again.
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

// settle examines the input, which o reads. An input that can be read only once stays
// open.
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

// Named returns an input that the function open opens. It calls open once. The input is
// called name, and its collection has the names that a file at the path name would give
// it.
func Named(name string, open func() (io.ReadCloser, error)) *Input {
	return examined(File{Path: name, Size: -1, Reader: open}, true)
}

// Piped returns the input of r if r holds an archive or cannot be read. The input then
// closes r. Otherwise Piped returns nil and a reader of the whole content of r,
// decompressed, and the caller closes r.
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

// examine finds out whether the input, which o reads, holds several collections. It
// returns an error for a file without collections.
func (in *Input) examine(o *opened, once bool) error {
	const tarHeader = 512
	head, _ := o.src.Peek(tarHeader) // an error comes back when documents are read
	in.IsEmpty = len(head) == 0
	switch {
	case IsArchive(head):
		return openArchive(in, o.src)
	case isTar(head) && once:
		return errors.New("a tar file is read twice, first for the metadata, and a stream only once; save it to a file and name the file")
	case isTar(head):
		return openTar(in, o.src)
	}
	return Foreign(in.Name(), head)
}
