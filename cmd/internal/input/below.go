package input

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// OpenBelow opens a regular file that a folder holds, at any depth, and puts it on the list.
// The user has named the folder, not the file, so a link that leads out of the folder is an
// error. So is a file that is not regular, such as a named pipe, on which a read might wait for
// ever.
func OpenBelow(folder, path string) (*os.File, error) {
	f, err := PeekBelow(folder, path)
	if err == nil {
		Add(path)
	}
	return f, err
}

// PeekBelow is [OpenBelow], but does not put the file on the list.
func PeekBelow(folder, path string) (*os.File, error) {
	root, within, err := inside(folder, path)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if _, err := regular(root, within, path); err != nil {
		return nil, err
	}
	return root.Open(within) // which does not leave the folder, whatever has changed since
}

// StatBelow describes a file that [OpenBelow] would open, or a folder below the folder.
func StatBelow(folder, path string) (fs.FileInfo, error) {
	root, within, err := inside(folder, path)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return regular(root, within, path)
}

// inside resolves the links in a folder and in a path below it, and returns both. The error
// is about a path that leads out.
func inside(folder, path string) (root *os.Root, within string, err error) {
	top, err := realPath(folder)
	if err != nil {
		return nil, "", err
	}
	there, err := realPath(path)
	if err != nil {
		return nil, "", err
	}
	within, err = filepath.Rel(top, there)
	if err != nil || !filepath.IsLocal(within) {
		return nil, "", fmt.Errorf("%s is a link that leads out of %s, and is not followed; name it itself to read it", path, folder)
	}
	root, err = os.OpenRoot(top)
	return root, within, err
}

func realPath(path string) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(target)
}

// regular describes a file, unless it is neither a regular file nor a folder.
func regular(root *os.Root, within, path string) (fs.FileInfo, error) {
	info, err := root.Lstat(within)
	if err != nil {
		return nil, err
	}
	if mode := info.Mode(); !mode.IsRegular() && !mode.IsDir() {
		return nil, fmt.Errorf("%s is %s, and only regular files are read in a folder; name it itself to read it", path, kindOf(mode))
	}
	return info, nil
}

// kindOf names the kind of a file that is not regular.
func kindOf(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "no regular file"
}
