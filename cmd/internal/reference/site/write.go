package site

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/output"
)

// listed is the file in which a written site lists its files, so that writing the site
// again replaces only these files.
const listed = ".ttl-docs"

// maxListed is the largest size of the file named listed, in bytes.
const maxListed = 1 << 20

// ErrForeign is wrapped by the error about a folder that holds other files.
var ErrForeign = errors.New("holds files that ttl docs did not write")

// Save writes the files of the site into dir, which is made if it is not there.
// A folder with an earlier site is brought up to date. Into a folder with other
// files Save writes nothing, and the error matches [ErrForeign].
func (s Site) Save(dir string) error {
	old, err := s.check(dir)
	if err != nil {
		return err
	}
	// The list is written first, so that files left by a full disk are known as ours.
	if err := list(dir, s.with(old)); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if err := output.Replace(filepath.Join(dir, filepath.FromSlash(name)), s[name]); err != nil {
			return err
		}
	}
	for name := range old {
		if _, ok := s[name]; !ok {
			if err := output.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
				return err
			}
		}
	}
	return list(dir, s.with(map[string]bool{}))
}

// check returns the files that an earlier site left in dir. It fails if
// writing would change anything else.
func (s Site) check(dir string) (old map[string]bool, err error) {
	old = map[string]bool{}
	names, err := output.ReadBack(filepath.Join(dir, listed), maxListed)
	if errors.Is(err, fs.ErrNotExist) {
		return old, checkEmpty(dir)
	}
	if err != nil {
		return nil, err
	}
	for name := range strings.Lines(string(names)) {
		// A list that somebody edited must not lead out of the folder.
		if name = strings.TrimSuffix(name, "\n"); !fs.ValidPath(name) {
			return nil, fmt.Errorf("%s: the name %q cannot be a file of a site", filepath.Join(dir, listed), name)
		}
		old[name] = true
	}
	folders := map[string]bool{}
	for name := range s.with(old) {
		there, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name)))
		if err == nil && (!old[name] || !there.Mode().IsRegular()) {
			return nil, fmt.Errorf("%s %w: %s is not a file of an earlier site", dir, ErrForeign, name)
		}
		for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
			folders[folder] = true
		}
	}
	for folder := range folders { // a link would lead out of dir
		if there, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(folder))); err == nil && !there.IsDir() {
			return nil, fmt.Errorf("%s %w: %s is not a folder of an earlier site", dir, ErrForeign, folder)
		}
	}
	return old, nil
}

// with returns the names of the files of s and of an earlier site.
func (s Site) with(old map[string]bool) map[string]bool {
	names := maps.Clone(old)
	for name := range s {
		names[name] = true
	}
	return names
}

// list writes names into the file of dir that lists the files of a site.
func list(dir string, names map[string]bool) error {
	text := strings.Join(slices.Sorted(maps.Keys(names)), "\n") + "\n"
	return output.Replace(filepath.Join(dir, listed), []byte(text))
}

// checkEmpty returns an error if a folder for a site already contains files.
func checkEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return output.IsUnfinished(e.Name()) })
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("%s %w, such as %s; name a folder that is empty, new, or holds an earlier site", dir, ErrForeign, entries[0].Name())
	}
	return nil
}
