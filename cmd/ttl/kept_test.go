package main

import (
	"encoding/binary"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

// refusals are the errors for refusing to write a file.
var refusals = []string{"the file is being read", "the file exists", "not a regular file", "another flag writes to this file already"}

// TestInputsAreKept: a command never writes a file that it reads, whatever the flags say
// and whatever name leads to the file. KEEP in a command stands for such a file, or for a
// hard or symbolic link to it.
func TestInputsAreKept(t *testing.T) {
	logs, metadata := contents(t, samples+"shop/logs.bson"), contents(t, samples+"shop/logs.metadata.json")
	logs = logs[:binary.LittleEndian.Uint32([]byte(logs))] // one document
	item, _, _ := strings.Cut(contents(t, items), "\n")
	files := map[string]string{
		"shop/logs.bson": logs, "shop/logs.metadata.json": metadata,
		"shop/users.bson": logs, "shop/users.metadata.json": metadata, "shop/empty.bson": "", "shop/system.views.bson": "",
		"shop/prelude.json": `{"ServerVersion":"7.0.14"}`,
		"items.jsonl":       item + "\n", "container.json": contents(t, container),
		"other.metadata.json": metadata, "empty.txt": "", "known.json": `{"known":[]}`,
		"policy.yaml": contents(t, examplePolicy),
	}
	dir := fixture.Files(t, files)
	t.Chdir(dir)
	adapter := []string{"--", os.Args[0], "adapter"}
	run := []string{"conform", "run", "--id", "mongodb-date-on-deadline"}
	for _, tt := range []struct {
		keep string
		args []string
	}{
		{"shop/logs.bson", []string{"migrate", "--to", "cosmos-nosql", "--force", "--out", "KEEP", "shop/logs.bson"}},
		{"shop/logs.metadata.json", []string{"migrate", "--to", "cosmos-nosql", "--force", "--out", "KEEP", "shop/logs.bson"}},
		{"shop/prelude.json", []string{"migrate", "--to", "cosmos-nosql", "--force", "--out", "KEEP", "shop/logs.bson"}},
		{"shop/logs.metadata.json", []string{"migrate", "--to", "cosmos-nosql", "--force", "--out", "KEEP", "--ns", "shop.logs", "shop"}},
		{"shop/users.bson", []string{"migrate", "--to", "cosmos-nosql", "--force", "--out", "KEEP", "--ns", "shop.logs", "shop"}},
		{"shop/users.metadata.json", []string{"migrate", "--to", "cosmos-nosql", "--force", "--out", "KEEP", "--ns", "shop.logs", "shop"}},
		{"shop/system.views.bson", []string{"migrate", "--to", "cosmos-nosql", "--force", "--out", "KEEP", "--ns", "shop.logs", "shop"}},
		{"other.metadata.json", []string{"migrate", "--to", "cosmos-nosql", "--force", "--out", "KEEP", "--metadata", "other.metadata.json", "shop/logs.bson"}},
		{"shop/logs.metadata.json", []string{"migrate", "--to", "cosmos-nosql", "--force", "--out", "KEEP", "--metadata", "other.metadata.json", "shop/logs.bson"}},
		{"container.json", []string{"migrate", "--to", "mongodb", "--force", "--out", "KEEP", "--container", "container.json", "items.jsonl"}},
		{"items.jsonl", []string{"forecast", "--save-expired", "KEEP", "--container", "container.json", "items.jsonl"}},
		{"known.json", slices.Concat(run, []string{"--known", "known.json", "--results", "KEEP"}, adapter)},
		{"known.json", slices.Concat(run, []string{"--known", "known.json", "--report", "html=KEEP"}, adapter)},
		{"empty.txt", []string{"conform", "rejudge", "--results", "KEEP", "empty.txt"}},
		{"empty.txt", []string{"conform", "rejudge", "--report", "html=KEEP", "empty.txt"}},
	} {
		for how, link := range map[string]func(string, string) error{"itself": nil, "hard link": os.Link, "link": os.Symlink} {
			path := filepath.Join(dir, tt.keep)
			if link != nil {
				path = filepath.Join(dir, "link")
				if err := link(filepath.Join(dir, tt.keep), path); err != nil {
					t.Skip(err)
				}
			}
			args := make([]string, len(tt.args))
			for i, arg := range tt.args {
				args[i] = strings.ReplaceAll(arg, "KEEP", path)
			}
			r := ttl(t, "", args...)
			refused := slices.ContainsFunc(refusals, func(words string) bool { return strings.Contains(r.err, words) })
			if r.code == cli.ExitOK || !refused || !strings.Contains(r.err, path) {
				t.Errorf("%s, %q: exit %d, %q; want a refusal that names the file", how, args, r.code, r.err)
			}
			after := map[string]string{}
			for name := range files {
				after[name] = contents(t, filepath.Join(dir, name))
			}
			isWritten := !maps.Equal(after, files)
			if isWritten {
				t.Errorf("%s, %q: an input was written", how, args)
			}
			if link != nil && contents(t, path) != files[tt.keep] {
				t.Errorf("%s, %q: the link was replaced", how, args)
			}
			if link != nil {
				os.Remove(path)
			}
			if isWritten { // then the next cases begin with new files
				dir = fixture.Files(t, files)
				t.Chdir(dir)
			}
		}
	}
}
