package catalog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/input"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/namespace"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mentions"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Target is a collection or a container with its policy.
type Target struct {
	File string // the file from which its policy was read
	// Database and Name are the names of the collection or container; empty if not known.
	Database, Name string
	// Documents are the inputs that hold its documents, if any.
	Documents  []*dump.Collection
	dumped     *dump.Collection // the collection that mongodump's metadata file describes, nil if there is none
	collection *collection      // nil for a container, or if there is no policy
	container  *container       // nil for a collection, or if there is no policy
	unread     error            // the reason why there is no policy
	// IsWritten reports whether t was read in a program or a template: then it is the wanted
	// policy, not a server's present policy.
	IsWritten bool
	// IsOfTerraform reports whether t is a resource of Terraform with arguments of the provider's
	// own, so that a repair is an argument and not a command; or mentions in a plan or a state.
	IsOfTerraform bool
	// Unread are the places of a file that mention a time to live and yield no policy. A target
	// with such places has no policy.
	Unread []Unread
	// Silent is the number of programs and templates that t stands for, if none of them mentions
	// a time to live; 0 for any other target. A target of such files has no policy.
	Silent int
	// Line is the line of the policy in a program or a template, 0 in anything
	// else.
	Line      int
	isOfAzure bool  // a collection of Azure Cosmos DB's API for MongoDB
	lines     []int // the lines of the indexes in a program
	steps     []Step
	path      string // the path of the resource in a template
}

// Title returns the title of t: "shop.logs", or the file's name, with the line if there is one.
func (t *Target) Title() string {
	switch {
	case t.Name == "" && t.Line > 0:
		return t.File + ":" + strconv.Itoa(t.Line)
	case t.Name == "":
		return t.File
	case t.Database == "":
		return t.Name
	}
	return t.Database + "." + t.Name
}

// Rename gives t the name of a namespace such as "shop.logs", or of a collection without a
// database.
func (t *Target) Rename(namespace string) {
	database, name, ok := strings.Cut(namespace, ".")
	if !ok || t.IsContainer() {
		t.Name = namespace
		return
	}
	t.Database, t.Name = database, name
}

// IsContainer reports whether t is a container of Cosmos DB.
func (t *Target) IsContainer() bool { return t.container != nil }

// Options configure the judging of targets and the reading of their documents. The zero
// Options mean the newest release, 1970-01-01, and no move.
type Options struct {
	Now policy.Instant
	// Release is the release of the server. The zero Version means the release that the
	// target names, or else the newest.
	Release mongo.Version
	// Capabilities are the capabilities of the account of Azure Cosmos DB's API for MongoDB.
	Capabilities []string
	// MovingTo are the releases to which the data moves, in this order.
	MovingTo []mongo.Version
	// Parameters are set on all servers whose releases have them.
	Parameters policy.D
	// Kind is the kind of the documents.
	Kind dump.Kind
	// SkipBad counts documents that cannot be read and goes on.
	SkipBad bool
	// NoIDs leaves identifiers and other values of documents out of every result
	// and error.
	NoIDs bool
	// Read, if not nil, is called with the number of bytes of documents that were read.
	Read func(n int)
}

// Find returns the targets at the path. For a file they are the policies that [Read]
// finds, for a dump the policies in its metadata, and for a folder the policies in all of
// mongodump's metadata below it. Metadata that cannot be read is a target with an error.
// If documents is true, the dump beside a metadata file holds the documents of the file's
// target.
func Find(path string, stdin io.Reader, documents bool) ([]*Target, error) {
	if path == dump.Stdin {
		return findPiped(path, StdinName, io.NopCloser(stdin), documents)
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return findBelow(path, documents)
	case !info.Mode().IsRegular(): // a named pipe, say
		file, err := input.Open(path)
		if err != nil {
			return nil, err
		}
		return findPiped(path, path, file, documents)
	}
	if !strings.HasSuffix(dump.Uncompressed(path), ".bson") {
		if found, err := dump.Find([]string{path}); err == nil && found.Inputs[0].IsPacked() {
			return TargetsOf(found.Inputs[0], documents)
		}
		return readFile(dump.File{Path: path}, documents)
	}
	metadata, err := dump.File{Path: path}.Metadata()
	if err == nil && metadata.Name == "" && info.Size() == 0 {
		err = fmt.Errorf("%s: the file is empty", path)
	}
	if err == nil && metadata.Name == "" {
		err = fmt.Errorf("%s has no *%s beside it; name the file with the indexes, and give this file with --documents", path, dump.MetadataEnd)
	}
	if err != nil {
		return nil, err
	}
	targets, err := Read(metadata.Name, bytes.NewReader(metadata.Text))
	if err == nil && len(targets) == 1 {
		targets[0].place(dump.File{Path: metadata.Name}, documents)
	}
	return targets, err
}

// Select returns the targets that s selects, and the others. A pattern that matches no
// target is an error.
func Select(targets []*Target, s namespace.Selection) (chosen, others []*Target, err error) {
	var names []string
	for _, t := range targets {
		names = append(names, t.Title())
	}
	if err := s.Check(names); err != nil {
		return nil, nil, err
	}
	for i, t := range targets {
		if s.Selects(names[i]) {
			chosen = append(chosen, t)
		} else {
			others = append(others, t)
		}
	}
	return chosen, others, nil
}

// StdinName is the name of standard input in messages.
const StdinName = "standard input"

// findPiped reads policies, including policies in an archive, from an input that can be
// read only once.
func findPiped(path, name string, r io.ReadCloser, documents bool) ([]*Target, error) {
	in, text := dump.Piped(path, r)
	if in != nil {
		return TargetsOf(in, documents)
	}
	defer r.Close()
	return Read(name, text)
}

// TargetsOf returns the targets of all collections in an input that holds metadata and
// documents: an archive, a tar file or a server.
func TargetsOf(in *dump.Input, documents bool) (targets []*Target, err error) {
	for _, c := range in.Collections {
		targets = append(targets, packedTarget(c, documents))
	}
	if in.Err != nil && len(targets) > 0 {
		return append(targets, &Target{File: in.Name(), unread: in.Err}), nil
	}
	return targets, in.Err
}

func packedTarget(c *dump.Collection, documents bool) *Target {
	metadata, err := c.Metadata()
	if err == nil && metadata.Name == "" {
		err = fmt.Errorf("%s: the input has no metadata of %s", c.Place(), c.Title())
	}
	var found []*Target
	if err == nil {
		found, err = ReadText(metadata.Name, metadata.Text)
	}
	if err == nil && len(found) != 1 {
		err = fmt.Errorf("%s: want the metadata of exactly one collection", metadata.Name)
	}
	if err != nil {
		return &Target{File: c.Place(), Database: c.Database, Name: c.Name, unread: err}
	}
	t := found[0]
	t.Database, t.Name, t.dumped = c.Database, c.Name, c
	if documents {
		t.Documents = []*dump.Collection{c}
	}
	return t
}

// findBelow reads all metadata below a folder, in the order of their paths.
func findBelow(dir string, documents bool) (targets []*Target, err error) {
	unread := func(f dump.File, err error) *Target {
		t := &Target{File: f.Path, unread: err}
		t.place(f, false)
		return t
	}
	files, err := dump.Below(dir, isMetadata, nil, func(path string, err error) {
		if !slices.Contains(skippedFolders, filepath.Base(path)) {
			targets = append(targets, unread(dump.File{Path: path}, err))
		}
	})
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		found, err := readFile(f, documents)
		if err != nil {
			found = []*Target{unread(f, err)}
		}
		targets = append(targets, found...)
	}
	// In a folder with documents, a collection whose documents are lost has an error in their
	// place. If there are none at all, the folder has policies alone.
	if slices.ContainsFunc(targets, func(t *Target) bool { return len(t.Documents) > 0 }) {
		for _, t := range targets {
			if t.unread != nil || t.dumped == nil || len(t.Documents) > 0 {
				continue
			}
			if c := dump.Lost(t.dumped.Input.File); c != nil {
				t.Documents = []*dump.Collection{c}
			}
		}
	}
	for _, f := range dump.Unlisted(dir) {
		if len(targets) > 0 {
			targets = append(targets, unread(f, fmt.Errorf("%s has no *%s beside it, so its indexes are unknown", f.Path, dump.MetadataEnd)))
		}
	}
	if len(targets) == 0 {
		err = fmt.Errorf("%s: no *%s of mongodump in this folder; name the files to audit", dir, dump.MetadataEnd)
	}
	return targets, err
}

// isMetadata reports whether name is the name of a metadata file of mongodump that
// describes a user's collection.
func isMetadata(name string) bool {
	return strings.HasSuffix(dump.Uncompressed(name), dump.MetadataEnd) && !strings.HasPrefix(name, "system.")
}

func readFile(file dump.File, documents bool) ([]*Target, error) {
	f, err := file.Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	targets, err := Read(file.Path, f)
	if err != nil || len(targets) != 1 || !isMetadata(filepath.Base(file.Path)) {
		return targets, err
	}
	targets[0].place(file, documents)
	return targets, nil
}

// place adds to t the facts that follow from the place of mongodump's metadata: the
// names, the documents, and the place of the server's release.
func (t *Target) place(file dump.File, documents bool) {
	base := strings.TrimSuffix(dump.Uncompressed(file.Path), dump.MetadataEnd)
	if t.Name == "" {
		t.Name = dump.Unescaped(filepath.Base(base))
	}
	if whole, err := filepath.Abs(file.Path); err == nil {
		t.Database = filepath.Base(filepath.Dir(whole))
	}
	t.dumped = dump.NewInput(file).Collections[0]
	name := filepath.Base(base)
	for _, stem := range []string{name, dump.BucketsPrefix + name} {
		for _, end := range dump.Endings {
			f, err := file.Beside(stem + ".bson" + end)
			if errors.Is(err, fs.ErrNotExist) {
				continue // any other error comes back when documents are read
			}
			if input.Add(f.Path); documents {
				t.Documents = append(t.Documents, dump.NewInput(f).Collections...)
			}
			return
		}
	}
}

// maxSource is the maximum size of a program or a template, in bytes.
const maxSource = 16 << 20

// sourceEnds are the ends of the names of programs and templates. In a folder only such files
// are searched.
var sourceEnds = strings.Fields(`
		.js .mjs .cjs .jsx .ts .mts .cts .tsx .mongodb .vue .svelte .py .pyi .go .php .rb .rake .erb .rs .java .kt .kts .scala .sc .groovy .gradle
		.cs .csx .cshtml .razor .fs .fsx .vb .swift .dart .c .h .cc .cpp .cxx .hh .hpp .m .mm .lua .clj .cljs .cljc .edn .ex .exs .erl .hs .ml .nim .zig .cr
		.pl .pm .jl .r .tf .tofu .tfvars .hcl .bicep .bicepparam .sh .bash .zsh .fish .ps1 .psm1 .psd1 .bat .cmd .yml .yaml .toml .properties .ini .cfg .conf
		.env .prisma .graphql .sql .xml .cue .dhall .j2 .tpl .tmpl`)

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
