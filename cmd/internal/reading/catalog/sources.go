package catalog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/input"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mentions"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// maxSource is the maximum size of a program or a template, in bytes.
const maxSource = 16 << 20

// sourceEnds are the ends of the names of programs and templates. In a folder only such files
// are searched.
var sourceEnds = strings.Fields(`
		.js .mjs .cjs .jsx .ts .mts .cts .tsx .mongodb .vue .svelte .py .pyi .go .php .rb .rake .erb .rs .java .kt .kts .scala .sc .groovy .gradle
		.cs .csx .cshtml .razor .fs .fsx .vb .swift .dart .c .h .cc .cpp .cxx .hh .hpp .m .mm .lua .clj .cljs .cljc .edn .ex .exs .erl .hs .ml .nim .zig .cr
		.pl .pm .jl .r .tf .tofu .tfvars .hcl .bicep .bicepparam .sh .bash .zsh .fish .ps1 .psm1 .psd1 .bat .cmd .yml .yaml .toml .properties .ini .cfg .conf
		.env .prisma .graphql .sql .xml .cue .dhall .j2 .tpl .tmpl`)

// isSource reports whether a file of this name is a program or a template.
func isSource(name string) bool {
	return slices.Contains(sourceEnds, strings.ToLower(filepath.Ext(name)))
}

// IsProgram reports whether a file of this name is a program or a template, and cannot be a file
// in YAML.
func IsProgram(name string) bool {
	end := strings.ToLower(filepath.Ext(name))
	return isSource(name) && end != ".yml" && end != ".yaml"
}

func isJSON(name string) bool { return strings.EqualFold(filepath.Ext(name), ".json") }

// isListing reports whether a text consists only of values as the shell prints them.
func isListing(text string, now policy.Instant) bool {
	if len(text) > mongosh.MaxText {
		return false
	}
	s, err := mongosh.Parse(text, now)
	return err == nil && !slices.ContainsFunc(s.Calls, func(c mongosh.Call) bool { return c.Method != "" })
}

// skippedFolders are folders of third-party or generated files.
var skippedFolders = []string{"node_modules", ".git", "vendor", ".terraform", "bin", "obj", "target", "dist", "build", "venv", ".venv", "site-packages", "__pycache__"}

// maxSources is the largest number of programs and templates below a folder.
const maxSources = 100_000

// findSources returns the targets of the programs and templates below a folder that
// mention a time to live, and the number of all its programs and templates.
func findSources(dir string) (targets []*Target, n int, err error) {
	isWanted := func(name string) bool {
		return isSource(name) || isJSON(name) && !strings.HasSuffix(name, dump.MetadataEnd) // metadata of mongodump is no template
	}
	files, err := dump.Below(dir, isWanted, skippedFolders, func(path string, err error) {
		targets = append(targets, &Target{File: path, unread: err})
	})
	if err != nil {
		return nil, 0, err
	}
	if len(files) > maxSources {
		return nil, 0, fmt.Errorf("%s: %d programs and templates below this folder, and at most %d are read; name folders within it", dir, len(files), maxSources)
	}
	for _, f := range files {
		if !isJSON(f.Path) { // a JSON file need not be a template
			n++
		}
		found, err := readSource(f)
		if err != nil {
			found = []*Target{{File: f.Path, unread: err}}
		}
		targets = append(targets, found...)
	}
	return targets, n, nil
}

// readSource reads one program or template, nil if it has nothing to do with a time to live.
func readSource(f dump.File) (targets []*Target, err error) {
	text, err := sourceText(f)
	switch {
	case err != nil || text == nil:
		return nil, err
	case isJSON(f.Path):
		return readJSON(f.Path, text)
	}
	if targets, err = Read(f.Path, bytes.NewReader(text)); errors.Is(err, ErrNoMention) {
		err = nil
	}
	return targets, err
}

// readJSON reads a template, or a file with indexes or a container. It ignores other files,
// which may belong to any program, if they mention no time to live.
func readJSON(path string, text []byte) ([]*Target, error) {
	list := mentions.In(path, string(text))
	lower := bytes.ToLower(text)
	has := func(part string) bool { return bytes.Contains(lower, []byte(part)) }
	isTerraform := has(`"format_version"`) && (has("cosmosdb") || has("documentdb") || has(`"mongodb_`))
	if len(list) == 0 && !isTerraform && !has(accounts) {
		return nil, nil
	}
	input.Add(path)
	targets, err := Read(path, bytes.NewReader(text))
	if len(targets) > 0 && err == nil || len(list) == 0 {
		return targets, nil
	}
	var left []Unread
	for _, m := range list {
		left = append(left, unreadOf(m, "this is neither an index nor a template that is read"))
	}
	return []*Target{unreadTarget(path, left)}, nil
}

// sourceText returns the contents of a file. A longer JSON file, which is mostly an export of
// documents, is nil unless its beginning mentions a time to live.
func sourceText(f dump.File) ([]byte, error) {
	tooLong := fmt.Errorf("%s: larger than %d MiB, so that it is not read", f.Path, maxSource>>20)
	if f.Size > maxSource && !isJSON(f.Path) {
		return nil, tooLong
	}
	in, err := f.Peek()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if isSource(f.Path) {
		input.Add(f.Path)
	}
	text, err := io.ReadAll(io.LimitReader(in, maxSource+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxSource {
		if isJSON(f.Path) && len(mentions.In(f.Path, string(text))) == 0 {
			return nil, nil
		}
		return nil, tooLong
	}
	if text, err = input.Text(text); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	return text, nil
}

// FindWithSources is [Find], but also reads the programs and templates below a folder. If
// no program or template mentions a time to live, and Find returns no targets, it returns
// one target with the number of these files, see [Target.Silent].
func FindWithSources(path string, stdin io.Reader, documents bool) ([]*Target, error) {
	info, err := os.Stat(path)
	if path == dump.Stdin || err != nil || !info.IsDir() {
		targets, err := Find(path, stdin, documents)
		if errors.Is(err, ErrNoMention) {
			return []*Target{silentTarget(path, 1)}, nil
		}
		return targets, err
	}
	sources, looked, err := findSources(path)
	if err != nil {
		return nil, err
	}
	targets, err := findBelow(path, documents)
	switch {
	case len(targets) > 0 || len(sources)+looked == 0:
		return append(targets, sources...), err
	case len(sources) == 0:
		return []*Target{silentTarget(path, looked)}, nil
	}
	return sources, nil
}
