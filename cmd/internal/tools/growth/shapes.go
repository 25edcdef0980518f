//go:build linux

package main

import (
	"archive/tar"
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump/dumptest"
	"github.com/ttlpolicy/ttlpolicy/cmd/shapes"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A shape is hostile input, in the sizes n and 2n.
type shape struct {
	name  string
	n     int
	args  string   // of the tool, see shapes.Expand
	files []string // the name and the content of each file, in turn
}

// limited are the shapes whose size the tool limits to 2n: patterns and fields of a
// policy file, and indexes of a collection.
var limited = []string{"policy-indexes", "policy-keys-unknown", "policy-patterns-long"}

// shapeTable has a line for each shape. In contents, \n is an end of line, and № outside
// of repetitions is the size. A file whose name holds # is written once for each number
// below the size.
//
//go:embed shapes.tsv
var shapeTable string

func allShapes() (all []shape) {
	for cells := range shapes.Rows(shapeTable) {
		n, err := strconv.Atoi(cells[1])
		if err != nil || len(cells) < 5 || len(cells)%2 == 0 {
			panic(fmt.Sprintf("not a shape: %q", cells))
		}
		all = append(all, shape{cells[0], n, cells[2], cells[3:]})
	}
	return all
}

// make writes the files of size n into a folder, and returns the arguments of the tool,
// which is to run there.
func (s shape) make(ttl, dir string, n int) (args []string, err error) {
	for i := 0; i < len(s.files); i += 2 {
		name, text := s.files[i], strings.ReplaceAll(s.files[i+1], `\n`, "\n")
		if !strings.Contains(name, "#") {
			err = write(ttl, dir, name, text, n)
		} else {
			for number := range n {
				err = errors.Join(err, write(ttl, dir, shapes.Numbered(name, number), shapes.Numbered(text, number), n))
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return strings.Fields(shapes.Expand(s.args, n)), nil
}

// write writes a file into a folder. An archive or a tar file holds n collections; in an
// archive, the text is the metadata of each collection. For a .bson file, the text holds
// documents as lines of Extended JSON. The file parts.json holds n parts of one input
// each; the text is the name of the input. A text that begins with "-> " is the target of
// a link.
func write(ttl, dir, name, text string, n int) error {
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if target, ok := strings.CutPrefix(text, "-> "); ok {
		return os.Symlink(target, path)
	}
	content := []byte(strings.ReplaceAll(shapes.Expand(text, n), "№", strconv.Itoa(n)))
	var err error
	switch {
	case name == "parts.json":
		content, err = parts(ttl, dir, text, n)
	case strings.HasSuffix(name, ".archive"):
		content = archive(n, string(content))
	case strings.HasSuffix(name, ".tar"):
		content = tarFile(n)
	case strings.HasSuffix(name, ".bson"):
		content = bson(string(content))
	}
	if err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o600)
}

// bson returns the documents of text as BSON. The text has a document in Extended JSON on
// each line.
func bson(text string) (docs []byte) {
	for line := range strings.Lines(text) {
		v, err := policy.ParseExtJSON([]byte(line))
		if err == nil {
			docs, err = policy.AppendBSON(docs, v)
		}
		if err != nil {
			panic(err)
		}
	}
	return docs
}

const (
	// anIndex is the metadata of a collection with a TTL index.
	anIndex   = `{"options":{},"indexes":[{"v":2,"key":{"_id":1},"name":"_id_"},{"v":2,"key":{"at":1},"name":"at_1","expireAfterSeconds":10}]}`
	aDocument = `{"_id":1,"at":{"$date":"2026-11-19T00:00:00Z"}}`
)

// archive returns an archive of n collections with a document each, with one TTL index
// each if metadata is empty.
func archive(n int, metadata string) []byte {
	list := make([]dumptest.Collection, n)
	for i := range list {
		list[i] = dumptest.Collection{Name: fmt.Sprint("c", i), Metadata: cmp.Or(metadata, anIndex), Blocks: [][]byte{bson(aDocument)}}
	}
	return dumptest.Archive("8.0.4", list...)
}

// tarFile returns a tar file of n collections, with all metadata behind the documents.
func tarFile(n int) []byte {
	var out bytes.Buffer
	t := tar.NewWriter(&out)
	add := func(name string, content []byte) {
		if err := t.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(content))}); err != nil {
			panic(err)
		}
		t.Write(content)
	}
	for i := range n {
		add(fmt.Sprintf("dump/shop/c%d.bson", i), bson(aDocument))
	}
	for i := range n {
		add(fmt.Sprintf("dump/shop/c%d.metadata.json", i), []byte(anIndex))
	}
	t.Close()
	return out.Bytes()
}

// parts returns n parts of one input each: copies of the part that the tool makes of one
// file, each with its own number in place of # in the name.
func parts(ttl, dir, name string, n int) ([]byte, error) {
	input := strings.Replace(name, "#", "NUMBER", 1)
	if err := write(ttl, dir, input, aDocument+"\n", 1); err != nil {
		return nil, err
	}
	cmd := exec.Command(ttl, "forecast", "--format", "part", "--now", "2026-11-20T00:00:00Z", "--index", `{"at":1}`, "--expire-after", "10", input)
	cmd.Dir = dir
	part, err := cmd.Output()
	return []byte(shapes.Expand("‹"+strings.ReplaceAll(string(part), "NUMBER", "#")+"›", n)), err
}
