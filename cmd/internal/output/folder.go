package output

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// MakeFolder creates a folder, and its parents, if they do not exist.
func MakeFolder(path string) error {
	path = filepath.Clean(path)
	there, err := stat(path)
	switch {
	case err == nil && there.IsDir():
		return nil
	case err == nil:
		return fmt.Errorf("%s: not a folder", path)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	parent := filepath.Dir(path)
	if err := MakeFolder(parent); err != nil {
		return err
	}
	if err := mkdir(path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncDir(parent)
}

// Remove removes an output file, if it exists. The error wraps [ErrNotRegular] or
// [ErrInput], or is an error of the disk.
func Remove(path string) error {
	if _, err := check(path, Options{Force: true}); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return ignoreMissing(remove(path))
}

// WriteFolder creates a folder with files, given by name. The folder appears with all
// files or not at all. An existing folder must be empty.
func WriteFolder(path string, files map[string][]byte) (err error) {
	path = filepath.Clean(path)
	if err := checkEmpty(path); err != nil {
		return err
	}
	if err := MakeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	temp, err := makeTemp(path, mkdir)
	defer func() {
		if err != nil {
			for name := range files {
				remove(filepath.Join(temp, name))
			}
			remove(temp)
		}
	}()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := WriteFile(filepath.Join(temp, name), files[name], Options{Force: true}); err != nil {
			return err
		}
	}
	if err := rename(temp, path); err != nil {
		remove(path) // not every system can rename onto an empty folder
		if err := rename(temp, path); err != nil {
			return err
		}
	}
	return syncDir(filepath.Dir(path))
}

// checkEmpty returns an error if a folder is not empty.
func checkEmpty(path string) error {
	there, err := os.ReadDir(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(there) > 0:
		return fmt.Errorf("%s is not empty; choose an empty or new folder", path)
	}
	return nil
}
