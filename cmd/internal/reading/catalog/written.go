package catalog

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/input"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/program"
	"github.com/ttlpolicy/ttlpolicy/internal/mongosh"
	"github.com/ttlpolicy/ttlpolicy/internal/policytext"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An Unread is a place in a program that mentions a time to live and yields no policy.
type Unread = program.Unread

// readProgram reads a program or a template, nil if it defines no policy and mentions none.
func readProgram(name, text string, others ...string) (targets []*Target) {
	now := policy.InstantOf(time.Now())
	if begin := strings.TrimLeft(text, "[ \t\r\n\ufeff"); isListing(text, now) || !program.IsSource(name) && strings.HasPrefix(begin, `{"`) {
		return nil // what is wrong with JSON is an error, and no program
	}
	f := program.ReadBeside(name, text, others, now)
	for _, p := range f.Policies {
		t := &Target{File: name, Database: p.Database, Name: p.Name, Line: p.Line, isWritten: true}
		t.isOfAzure = slices.Contains(p.Notes, program.CosmosMongo)
		notes := make([]string, len(p.Notes))
		for i, n := range p.Notes {
			notes[i] = cli.Visible(n)
		}
		if p.Container.Kind() == policy.Object {
			t.container = &container{resource: p.Container, wanted: true, notes: notes}
		} else {
			c := policytext.Collection{Options: p.Options}
			for _, x := range p.Indexes {
				c.Indexes = append(c.Indexes, x.Spec)
				t.lines = append(t.lines, x.Line)
			}
			for _, n := range notes {
				c.Notes = append(c.Notes, mongosh.Note{Text: n})
			}
			t.collection = &collection{options: c.Options, indexes: c.Indexes, notes: withoutRemarks(c)}
		}
		targets = append(targets, t)
	}
	if len(f.Unread) > 0 {
		u := f.Unread[0]
		t := &Target{File: name, mentions: f.Unread}
		t.unread = fmt.Errorf("%s:%d: %s mentions a time to live, and no policy is read there: %s", name, u.Line, u.Word, u.Why)
		targets = append(targets, t)
	}
	return targets
}

// isListing reports whether a text is values of the shell alone, as it prints them.
func isListing(text string, now policy.Instant) bool {
	if len(text) > mongosh.MaxText {
		return false
	}
	s, err := mongosh.Parse(text, now)
	return err == nil && !slices.ContainsFunc(s.Calls, func(c mongosh.Call) bool { return c.Method != "" })
}

// IsWritten reports whether t was read in a program or a template: what it wants of a server,
// and not what a server has.
func (t *Target) IsWritten() bool { return t.isWritten }

// IsOfAzure reports whether t is a collection of Azure Cosmos DB's API for MongoDB, as a template
// defines it.
func (t *Target) IsOfAzure() bool { return t.isOfAzure }

// Unread returns the places of a file that mention a time to live and yield no policy. A
// target that has some has nothing else.
func (t *Target) Unread() []Unread { return t.mentions }

// LineOf returns the line of the file in which the index at a position is written, or that of
// the policy for a negative position; 0 if that is not known.
func (t *Target) LineOf(position int) int {
	if position >= 0 && position < len(t.lines) {
		return t.lines[position]
	}
	return t.Line
}

// skippedFolders hold what others have written, or what was made.
var skippedFolders = []string{"node_modules", ".git", "vendor", ".terraform", "bin", "obj", "target", "dist", "build", "venv", ".venv", "site-packages", "__pycache__"}

// maxSources bounds the programs of one folder.
const maxSources = 100_000

// findSources reads the programs and templates below a folder that mention a time to live.
func findSources(dir string) (targets []*Target, err error) {
	files, err := dump.Peek(dir, func(name string) bool {
		return program.IsSource(name) || strings.EqualFold(filepath.Ext(name), ".json")
	})
	if err != nil {
		return nil, err
	}
	if len(files) > maxSources {
		return nil, fmt.Errorf("%s: %d programs and templates below this folder, and %d are read at most; name folders within it", dir, len(files), maxSources)
	}
	modules := map[string][]string{}
	for _, f := range files {
		below, _ := filepath.Rel(dir, f.Path)
		folders := strings.Split(filepath.ToSlash(filepath.Dir(below)), "/")
		if isMetadata(filepath.Base(f.Path)) || slices.ContainsFunc(folders, func(d string) bool { return slices.Contains(skippedFolders, d) }) {
			continue
		}
		found, err := readSource(f, modules)
		if err != nil {
			found = []*Target{{File: f.Path, unread: err}}
		}
		targets = append(targets, found...)
	}
	return targets, nil
}

// readSource reads one program or template, nil if it has nothing to do with a time to live.
func readSource(f dump.File, modules map[string][]string) ([]*Target, error) {
	text, err := sourceText(f)
	if err != nil || text == nil {
		return nil, err
	}
	if strings.HasSuffix(f.Path, ".tf") {
		return readProgram(f.Path, string(text), othersOf(f.Path, modules)...), nil
	}
	if program.IsSource(f.Path) {
		return readProgram(f.Path, string(text)), nil
	}
	lower := bytes.ToLower(text)
	if !bytes.Contains(lower, []byte("microsoft.documentdb/databaseaccounts/")) || !bytes.Contains(lower, []byte("/containers")) && !bytes.Contains(lower, []byte("/collections")) {
		return nil, nil // no template of a container or a collection
	}
	input.Add(f.Path)
	targets, err := Read(f.Path, bytes.NewReader(text))
	if len(targets) == 0 {
		return nil, nil
	}
	return targets, err
}

// sourceText returns what a file holds, nil for one that is too long to be written by hand, such
// as a bundle.
func sourceText(f dump.File) ([]byte, error) {
	if f.Size > program.MaxText {
		return nil, nil
	}
	in, err := input.Peek(f.Path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if program.IsSource(f.Path) {
		input.Add(f.Path)
	}
	text, err := io.ReadAll(io.LimitReader(in, program.MaxText+1))
	if err != nil || len(text) > program.MaxText {
		return nil, err
	}
	return text, nil
}

// maxModule bounds the files of one module of Terraform that are read beside each of them.
const maxModule = 50

// othersOf returns the files of Terraform in the folder of one, which are a module with it.
// Modules hold those that were read before; the file itself is among them, which does no harm.
func othersOf(path string, modules map[string][]string) []string {
	dir := filepath.Dir(path)
	if list, known := modules[dir]; known {
		return list
	}
	list := []string{}
	names, _ := filepath.Glob(filepath.Join(globbed.Replace(dir), "*.tf"))
	for _, name := range names[:min(len(names), maxModule)] {
		info, err := os.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if text, err := sourceText(dump.File{Path: name, Size: info.Size()}); err == nil && text != nil {
			list = append(list, string(text))
		}
	}
	modules[dir] = list
	return list
}

// globbed writes a path as a pattern that stands for it alone.
var globbed = strings.NewReplacer("*", "\\*", "?", "\\?", "[", "\\[", "\\", "\\\\")

// FindWithSources is [Find], with the programs and templates below a folder.
func FindWithSources(path string, stdin io.Reader, documents bool) ([]*Target, error) {
	info, err := os.Stat(path)
	if path == dump.Stdin || err != nil || !info.IsDir() {
		return Find(path, stdin, documents)
	}
	sources, err := findSources(path)
	if err != nil {
		return nil, err
	}
	targets, err := findBelow(path, documents)
	if len(sources) > 0 && len(targets) == 0 {
		return sources, nil
	}
	return append(targets, sources...), err
}
