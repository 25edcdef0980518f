// Package input opens the files that a command reads, and keeps the list of them.
// Package output writes to nothing on the list.
package input

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// list holds the paths of the files that the command of this process reads.
var list struct {
	sync.Mutex
	paths map[string]struct{}
}

// Open opens a file to read, and puts it on the list.
func Open(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err == nil {
		Add(path)
	}
	return f, err
}

// Peek opens a file to see whether it is an input, and does not put it on the list. Add it
// if it is one.
func Peek(path string) (*os.File, error) { return os.Open(path) }

// Add puts the files named on the command line on the list, whether the command opens
// them or not. A path without a file is allowed.
func Add(paths ...string) {
	list.Lock()
	defer list.Unlock()
	if list.paths == nil {
		list.paths = map[string]struct{}{}
	}
	for _, path := range paths {
		list.paths[path] = struct{}{}
	}
}

// Forget empties the list, when a command has ended.
func Forget() {
	list.Lock()
	defer list.Unlock()
	list.paths = nil
}

// Files describes the existing files on the list, as stat does: it follows links. Standard
// input is among them. The error is that of a path which cannot be looked at.
func Files(stat func(path string) (fs.FileInfo, error)) (files []fs.FileInfo, err error) {
	if info, err := os.Stdin.Stat(); err == nil && info.Mode().IsRegular() {
		files = append(files, info)
	}
	list.Lock()
	defer list.Unlock()
	for path := range list.paths {
		info, err := stat(path)
		switch {
		case err == nil:
			files = append(files, info)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	return files, nil
}

// FS returns the files of a folder. Each opened file goes on the list, except those of the
// given names, which the command updates.
func FS(dir string, except ...string) fs.FS { return folder{os.DirFS(dir), dir, except} }

type folder struct {
	fs.FS
	dir    string
	except []string
}

// Open opens a file of the folder.
func (f folder) Open(name string) (fs.File, error) {
	path := filepath.Join(f.dir, filepath.FromSlash(name))
	if _, err := StatBelow(f.dir, path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	file, err := f.FS.Open(name)
	if err == nil && !slices.Contains(f.except, name) {
		Add(path)
	}
	return file, err
}
