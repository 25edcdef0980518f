// Package input opens the files that a command reads, and keeps a list of these files.
// Package output refuses to write to a file on the list.
package input

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
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

// Peek opens a file to find out whether it is an input, without adding it to the list. If
// the file is an input, call Add.
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

// Files calls stat for the files on the list and returns the results for those that
// exist. Standard input is on the list. The error is about a path on which stat fails.
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

// FS returns the files of a folder. An opened file goes on the list of the command's inputs.
// The files named in except do not, because the command updates them.
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

// OpenBelow opens a regular file at any depth of a folder, and puts the file on the list.
// The user has named the folder, not the file, so a link that leads out of the folder is
// an error. So is a file that is not regular, such as a named pipe, on which a read might
// wait for ever.
func OpenBelow(folder, path string) (*os.File, error) {
	f, err := PeekBelow(folder, path)
	if err == nil {
		Add(path)
	}
	return f, err
}

// PeekBelow is [OpenBelow], but does not put the file on the list.
func PeekBelow(folder, path string) (*os.File, error) {
	root, within, _, err := inside(folder, path)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.Open(within) // root cannot leave the folder, even if a link has changed since the check
}

// StatBelow describes a file that [OpenBelow] would open, or a subfolder.
func StatBelow(folder, path string) (fs.FileInfo, error) {
	root, _, info, err := inside(folder, path)
	if err == nil {
		root.Close()
	}
	return info, err
}

// inside resolves the links in folder and path. It returns the root folder, and the path and the
// description of the file within it. A path that leads out of the folder is an error, and so is a
// file that is neither regular nor a folder.
func inside(folder, path string) (root *os.Root, within string, info fs.FileInfo, err error) {
	top, err := realPath(folder)
	if err != nil {
		return nil, "", nil, err
	}
	there, err := realPath(path)
	if err != nil {
		return nil, "", nil, err
	}
	within, err = filepath.Rel(top, there)
	if err != nil || !filepath.IsLocal(within) {
		return nil, "", nil, fmt.Errorf("%s is a link that leads out of %s, and is not followed; name it directly to read it", path, folder)
	}
	if root, err = os.OpenRoot(top); err != nil {
		return nil, "", nil, err
	}
	if info, err = root.Lstat(within); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		kind := "no regular file"
		for mode, name := range map[fs.FileMode]string{fs.ModeNamedPipe: "a named pipe", fs.ModeSocket: "a socket", fs.ModeDevice: "a device"} {
			if info.Mode()&mode != 0 {
				kind = name
			}
		}
		err = fmt.Errorf("%s is %s, and only regular files are read in a folder; name it directly to read it", path, kind)
	}
	if err != nil {
		root.Close()
	}
	return root, within, info, err
}

func realPath(path string) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(target)
}

// errUTF32 is the error about an encoding that no tool of databases writes.
var errUTF32 = errors.New("the text is UTF-32; convert it to UTF-8 first")

// The marks at the beginning of encoded texts (Unicode Standard, 23.8, byte order mark).
const (
	markUTF8    = "\xef\xbb\xbf"
	markLittle  = "\xff\xfe"
	markBig     = "\xfe\xff"
	markLittle4 = "\xff\xfe\x00\x00"
	markBig4    = "\x00\x00\xfe\xff"
)

// encodingOf returns the length of the mark at the beginning of a text, and the encoding of
// UTF-16 behind it; nil for UTF-8. Without a mark, a text is UTF-16 if its first two
// characters are of ASCII, each beside a NUL: so Windows PowerShell writes with `>`, and
// programs without a mark.
func encodingOf(head []byte) (mark int, utf16 encoding.Encoding, err error) {
	has := func(mark string) bool { return bytes.HasPrefix(head, []byte(mark)) }
	little := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	big := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	switch {
	case has(markLittle4), has(markBig4):
		return 0, nil, errUTF32
	case has(markUTF8):
		return len(markUTF8), nil, nil
	case has(markLittle):
		return len(markLittle), little, nil
	case has(markBig):
		return len(markBig), big, nil
	case len(head) < 4:
	case isASCII(head[0]) && head[1] == 0 && isASCII(head[2]) && head[3] == 0:
		return 0, little, nil
	case head[0] == 0 && isASCII(head[1]) && head[2] == 0 && isASCII(head[3]):
		return 0, big, nil
	}
	return 0, nil, nil
}

// isASCII reports whether b is a character of ASCII that texts hold.
func isASCII(b byte) bool { return b >= ' ' && b < 0x7f || b == '\t' || b == '\n' || b == '\r' }

// IsEncoded reports whether bytes that begin with head are a text with a mark, or in UTF-16 or
// UTF-32. Ask it only about bytes that are not BSON: a length of BSON may look like a mark.
func IsEncoded(head []byte) bool {
	mark, utf16, err := encodingOf(head)
	return mark > 0 || utf16 != nil || err != nil
}

// Text returns a text as UTF-8 without a byte order mark: every reader of a whole text calls
// it, and nothing else decodes bytes. The error names UTF-32, or the place of a NUL, which no
// text holds: the encoding is another one, or the bytes are no text. With the latter error
// Text returns the text as well.
func Text(b []byte) ([]byte, error) {
	mark, utf16, err := encodingOf(b)
	if err != nil {
		return nil, err
	}
	b = b[mark:]
	if utf16 != nil {
		if b, err = utf16.NewDecoder().Bytes(b); err != nil {
			return nil, fmt.Errorf("the text is not UTF-16, as its beginning says: %w", err)
		}
	}
	if at := bytes.IndexByte(b, 0); at >= 0 {
		err = fmt.Errorf("byte %d is NUL, which no text holds: convert the file to UTF-8 if it is a text", mark+at)
	}
	return b, err
}

// Reader is [Text] for a text that is read piece by piece; it does not look for NUL. skipped is
// the number of bytes of a mark before the text. isDecoded reports whether the text is not in
// the file as it is returned.
func Reader(src *bufio.Reader) (text *bufio.Reader, skipped int, isDecoded bool, err error) {
	head, _ := src.Peek(len(markLittle4)) // an error comes back when the text is read
	mark, utf16, err := encodingOf(head)
	if err != nil {
		return nil, 0, false, err
	}
	if _, err := src.Discard(mark); err != nil {
		return nil, 0, false, err
	}
	if utf16 == nil {
		return src, mark, false, nil
	}
	return bufio.NewReaderSize(transform.NewReader(src, utf16.NewDecoder()), src.Size()), mark, true, nil
}
