package audit

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
)

// Find returns what the path stands for: a file's policies as [Read] finds
// them, those of a dump's metadata for the dump itself, and for a folder all of
// mongodump's metadata below it. With documents, the dumps beside metadata are
// the documents of their targets.
func Find(path string, stdin io.Reader, documents bool) ([]*Target, error) {
	if path == dump.Stdin {
		return Read("standard input", stdin)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return findBelow(path, documents)
	}
	if !strings.HasSuffix(packed(path), ".bson") {
		return readFile(path, documents)
	}
	metadata, _, err := dump.File{Path: path}.Metadata()
	if err == nil && metadata == "" {
		err = fmt.Errorf("%s has no %s beside it; give the indexes, and this file with --documents", path, "*"+metadataEnd)
	}
	if err != nil {
		return nil, err
	}
	return readFile(metadata, documents)
}

const metadataEnd = ".metadata.json"

// findBelow reads all metadata below a folder, in the order of their paths.
func findBelow(dir string, documents bool) ([]*Target, error) {
	var targets []*Target
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !isMetadata(entry.Name()) {
			return err
		}
		found, err := readFile(path, documents)
		targets = append(targets, found...)
		return err
	})
	if err == nil && len(targets) == 0 {
		err = fmt.Errorf("%s: no %s of mongodump in this folder; name the files to audit", dir, "*"+metadataEnd)
	}
	return targets, err
}

// isMetadata reports whether mongodump describes a collection that a user made
// in a file of this name.
func isMetadata(name string) bool {
	return strings.HasSuffix(packed(name), metadataEnd) && !strings.HasPrefix(name, "system.")
}

// packed returns name without the ending of a compression.
func packed(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
}

func readFile(path string, documents bool) ([]*Target, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	targets, err := Read(path, f)
	if err != nil || len(targets) != 1 || !isMetadata(filepath.Base(path)) {
		return targets, err
	}
	targets[0].place(path, documents)
	return targets, nil
}

// place tells t what mongodump says by the place of its metadata: the names,
// the documents, and where the server's release is noted.
func (t *Target) place(path string, documents bool) {
	base := strings.TrimSuffix(packed(path), metadataEnd)
	if t.Name == "" {
		t.Name = dump.Unescaped(filepath.Base(base))
	}
	if whole, err := filepath.Abs(path); err == nil {
		t.Database = filepath.Base(filepath.Dir(whole))
	}
	t.metadata = dump.File{Path: path}
	if !documents {
		return
	}
	dir, name := filepath.Split(base)
	for _, stem := range []string{name, buckets + name} {
		for _, end := range []string{".bson", ".bson.gz", ".bson.zst"} {
			info, err := os.Stat(filepath.Join(dir, stem+end))
			if err == nil && info.Mode().IsRegular() {
				t.Documents = append(t.Documents, dump.File{Path: filepath.Join(dir, stem+end), Size: info.Size()})
				return
			}
		}
	}
}
