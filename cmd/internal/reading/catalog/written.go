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
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/input"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/terraform"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/policytext"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/program"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An Unread is a place in a program that mentions a time to live and yields no policy.
type Unread = program.Unread

// readProgram returns the targets of a program or a template in a file, nil if the text
// neither defines nor mentions a policy. The extension of name tells the language.
func readProgram(file, name, text string, module *terraform.Module, beside besideFunc) (targets []*Target) {
	now := policy.InstantOf(time.Now())
	if begin := strings.TrimLeft(text, "[ \t\r\n\ufeff"); isListing(text, now) || !program.IsSource(name) && strings.HasPrefix(begin, `{"`) {
		return nil // broken JSON is an error, not a program
	}
	f := terraform.Read(module, beside, name, text, now)
	for _, p := range f.Policies {
		t := &Target{File: file, Database: p.Database, Name: p.Name, Line: p.Line, isWritten: true}
		t.isOfAzure = slices.Contains(p.Notes, program.CosmosMongo)
		notes := make([]string, len(p.Notes))
		for i, n := range p.Notes {
			notes[i] = cli.Visible(n)
		}
		if p.Container.Kind() == policy.Object {
			t.container = &container{resource: p.Container, wanted: true, notes: notes}
			t.isByThousand = p.ByThousand
		} else {
			t.steps = p.Steps
			left := t.written(p.Options, now)
			c := policytext.Collection{Options: left.Options, Indexes: left.Indexes}
			for _, n := range append(notes, left.Notes...) {
				c.Notes = append(c.Notes, mongosh.Note{Text: n})
			}
			t.lines = left.Lines
			t.collection = &collection{options: c.Options, indexes: c.Indexes, notes: withoutRemarks(c)}
		}
		targets = append(targets, t)
	}
	if len(f.Unread) > 0 {
		targets = append(targets, unreadTarget(file, f.Unread))
	}
	return targets
}

// unreadTarget returns the target about the places of a file that yield no
// policy.
func unreadTarget(name string, list []Unread) *Target {
	u := list[0]
	err := fmt.Errorf("%s:%d: %s mentions a time to live, but no policy could be read there: %s", name, u.Line, u.Word, u.Why)
	return &Target{File: name, mentions: list, unread: err}
}

// silentTarget returns the target about programs and templates that mention no
// time to live.
func silentTarget(name string, n int) *Target {
	return &Target{File: name, silent: n, unread: fmt.Errorf("%s: %w", name, ErrNoMention)}
}

// Silent returns the number of programs and templates that t stands for, if none of them
// mentions a time to live; 0 for any other target. A target of such files has no policy.
func (t *Target) Silent() int { return t.silent }

// A Written is the result of a program's commands on a collection without indexes.
type Written struct {
	Options policy.Value
	Indexes policy.A // the indexes as a server lists them after the commands
	Specs   []mongo.IndexSpec
	Lines   []int // for each index, the line that sets its seconds
	// ByThousand reports for each index whether the program multiplies its seconds by
	// 1000.
	ByThousand []bool
	Notes      []string
	Refused    []Refusal
}

// A Refusal describes a command of a program that the server refuses.
type Refusal struct {
	Line int
	// Index is the index that the command would create; Missing for other commands.
	Index policy.Value
	// Change is a collMod. Name is the name of the index that the collMod addresses, or
	// empty. If the program creates this index, the field Of is the index as a server
	// lists it; otherwise Of is Missing.
	Change policy.D
	Name   string
	Of     policy.Value
	Err    *mongo.SpecError
}

// Written carries out the commands of a program in their order, by the rules of a release. Spec
// is the collection as [Target.Collection] returns it. An index counts as created if the
// release's behaviour about it is unspecified.
func (t *Target) Written(spec mongo.CollectionSpec, p mongo.Profile, now policy.Instant) Written {
	spec.Indexes = nil
	w := writing{Written: Written{Options: t.collection.options}, spec: spec, profile: p, now: now}
	for _, s := range t.steps[:min(len(t.steps), maxSteps)] {
		w.step(s)
	}
	w.Specs = w.spec.Indexes
	return w.Written
}

// maxSteps bounds the commands of one collection, because each index is compared with all
// earlier indexes.
const maxSteps = 1000

// written returns the result of the commands in the newest release. It adds the indexes
// that the release refuses.
func (t *Target) written(options policy.Value, now policy.Instant) Written {
	t.collection = &collection{options: options}
	profile, err := mongo.ProfileOf(mongo.Latest)
	spec, wrong := mongo.ParseListedCollection(options, policy.ListValue(nil))
	w := Written{Options: options}
	if err == nil && wrong == nil && len(t.steps) <= maxSteps {
		w = t.Written(spec, profile, now)
	} else {
		for _, s := range t.steps {
			w.Refused = append(w.Refused, Refusal{Line: s.Line, Index: s.Index})
		}
	}
	for _, r := range w.Refused {
		if !r.Index.IsMissing() {
			w.Indexes, w.Lines = append(w.Indexes, r.Index), append(w.Lines, r.Line)
		}
	}
	return w
}

// A writing is the state of one call of Written.
type writing struct {
	Written
	spec    mongo.CollectionSpec
	profile mongo.Profile
	now     policy.Instant
}

func (w *writing) step(s program.Step) {
	switch change := policy.ObjectValue(s.Change); {
	case s.Change == nil:
		w.create(s)
	case !change.Field("drop").IsMissing():
		w.Options, w.spec.TimeSeries, w.spec.Clustered, w.spec.ExpireAfterSeconds = policy.Value{}, policy.Value{}, false, policy.Value{}
		w.keep(func(policy.Value) bool { return false })
	case !change.Field("dropIndexes").IsMissing():
		w.keep(func(x policy.Value) bool { return !policytext.Drops(change.Field("index"), x) })
	default:
		w.change(s, change)
	}
}

// keep removes the indexes for which stays returns false.
func (w *writing) keep(stays func(policy.Value) bool) {
	n := 0
	for i, x := range w.Indexes {
		if stays(x) {
			w.Indexes[n], w.Lines[n], w.ByThousand[n], w.spec.Indexes[n] = x, w.Lines[i], w.ByThousand[i], w.spec.Indexes[i]
			n++
		}
	}
	w.Indexes, w.Lines, w.ByThousand, w.spec.Indexes = w.Indexes[:n], w.Lines[:n], w.ByThousand[:n], w.spec.Indexes[:n]
}

func (w *writing) create(s program.Step) {
	reply, err := command.ValidateCreateIndexes(w.spec, command.WithDefaultName(policy.DOf(s.Index)), w.profile, w.now)
	refused := (*mongo.SpecError)(nil)
	switch {
	case err == nil && !reply.Created: // the index exists already
	case err == nil:
		w.add(s, reply.Index)
	case errors.As(err, &refused) && refused.Code != 0:
		w.Refused = append(w.Refused, Refusal{Line: s.Line, Index: s.Index, Err: refused})
	default:
		w.assume(s)
	}
}

// assume adds an index as the program defines it, without the server's checks.
func (w *writing) assume(s program.Step) bool {
	x, err := mongo.ParseListedIndex(policy.ObjectValue(command.WithDefaultName(policy.DOf(s.Index))))
	if err == nil {
		w.add(s, x)
	}
	return err == nil
}

func (w *writing) add(s program.Step, x mongo.IndexSpec) {
	raw := s.Index
	if raw.Field("name").IsMissing() && x.Name != "" {
		raw = policy.ObjectValue(append(policy.DOf(raw), policy.E{Key: "name", Value: policy.StringValue(x.Name)}))
	}
	w.Indexes, w.Lines, w.ByThousand, w.spec.Indexes = append(w.Indexes, raw), append(w.Lines, s.Line), append(w.ByThousand, s.ByThousand), append(w.spec.Indexes, x)
}

// change carries out collMod. An index that the program does not make is assumed to exist.
func (w *writing) change(s program.Step, body policy.Value) {
	address := body.Field("index")
	find := func() int {
		return slices.IndexFunc(w.Indexes, func(x policy.Value) bool { return policytext.Addresses(address, x) })
	}
	i := find()
	isAssumed := i < 0 && !s.Index.IsMissing()
	if isAssumed {
		before := policytext.WithField(policytext.WithoutField(s.Index, secondsOption), secondsOption, policy.Int32Value(1))
		if w.assume(program.Step{Line: s.Line, Index: before}) {
			i = find()
		}
		w.Notes = append(w.Notes, policytext.ChangeNote(address))
	}
	result, err := command.ValidateCollMod(w.spec, s.Change[1:], w.profile, w.now)
	refused := (*mongo.SpecError)(nil)
	if errors.As(err, &refused) && refused.Code != 0 {
		r := Refusal{Line: s.Line, Change: s.Change, Err: refused}
		switch {
		case i >= 0 && isAssumed:
			r.Name = w.spec.Indexes[i].Name
			w.keep(func(x policy.Value) bool { return !policytext.Addresses(address, x) })
		case i >= 0:
			r.Of, r.Name = w.Indexes[i], w.spec.Indexes[i].Name
		}
		w.Refused = append(w.Refused, r)
		return
	}
	seconds := body.Field(secondsOption)
	if address.Kind() != policy.Object {
		if off, _ := seconds.AsString(); off == "off" {
			seconds = policy.Value{}
		}
		w.Options = withSeconds(w.Options, seconds)
		w.spec.ExpireAfterSeconds = seconds
		return
	}
	if i < 0 {
		return
	}
	if seconds = address.Field(secondsOption); err == nil {
		seconds = result.Collection.Indexes[i].ExpireAfterSeconds
	}
	w.spec.Indexes = slices.Clone(w.spec.Indexes)
	w.spec.Indexes[i].ExpireAfterSeconds = seconds
	w.Indexes[i], w.Lines[i], w.ByThousand[i] = withSeconds(w.Indexes[i], seconds), s.Line, s.ByThousand
}

const secondsOption = "expireAfterSeconds"

// withSeconds returns an index or options with the seconds set, or without them if they are
// Missing.
func withSeconds(v, seconds policy.Value) policy.Value {
	if seconds.IsMissing() {
		return policytext.WithoutField(v, secondsOption)
	}
	return policytext.WithField(v, secondsOption, seconds)
}

// isListing reports whether a text consists only of values as the shell prints them.
func isListing(text string, now policy.Instant) bool {
	if len(text) > mongosh.MaxText {
		return false
	}
	s, err := mongosh.Parse(text, now)
	return err == nil && !slices.ContainsFunc(s.Calls, func(c mongosh.Call) bool { return c.Method != "" })
}

// IsWritten reports whether t was read in a program or a template: then it is the wanted
// policy, not a server's present policy.
func (t *Target) IsWritten() bool { return t.isWritten }

// IsOfAzure reports whether t is a collection of Azure Cosmos DB's API for MongoDB, as a template
// defines it.
func (t *Target) IsOfAzure() bool { return t.isOfAzure }

// IsByThousand reports whether the program that defines a container multiplies its default by
// 1000.
func (t *Target) IsByThousand() bool { return t.isByThousand }

// Unread returns the places of a file that mention a time to live and yield no policy. A
// target with such places has no policy.
func (t *Target) Unread() []Unread { return t.mentions }

// LineOf returns the line of the file that defines the index at a position, or the line of
// the policy for a negative position; 0 if the line is unknown.
func (t *Target) LineOf(position int) int {
	if position >= 0 && position < len(t.lines) {
		return t.lines[position]
	}
	return t.Line
}

// skippedFolders are folders of third-party or generated files.
var skippedFolders = []string{"node_modules", ".git", "vendor", ".terraform", "bin", "obj", "target", "dist", "build", "venv", ".venv", "site-packages", "__pycache__"}

// maxSources is the largest number of programs and templates below a folder.
const maxSources = 100_000

// findSources returns the targets of the programs and templates below a folder that
// mention a time to live, and the number of all its programs and templates.
func findSources(dir string) (targets []*Target, n int, err error) {
	isWanted := func(name string) bool {
		return program.IsSource(name) || isJSON(name) && !strings.HasSuffix(name, dump.MetadataEnd) // metadata of mongodump is no template
	}
	files, err := dump.Peek(dir, isWanted, skippedFolders, func(path string, err error) {
		targets = append(targets, &Target{File: path, unread: err})
	})
	if err != nil {
		return nil, 0, err
	}
	if len(files) > maxSources {
		return nil, 0, fmt.Errorf("%s: %d programs and templates below this folder, and at most %d are read; name folders within it", dir, len(files), maxSources)
	}
	found := make([][]*Target, len(files))
	modules, sent := modulesOf(files), map[string]bool{}
	for _, i := range byFolder(files) {
		f := files[i]
		if !isJSON(f.Path) { // a JSON file need not be a template
			n++
		}
		if found[i], err = readSource(f, modules, sent); err != nil {
			found[i] = []*Target{{File: f.Path, unread: err}}
		}
	}
	for i, f := range files {
		if sent[filepath.Clean(f.Path)] { // it was read together with a script
			found[i] = nil
		}
	}
	return append(targets, slices.Concat(found...)...), n, nil
}

// isTerraform reports whether a file belongs to a module of Terraform, which OpenTofu reads too.
func isTerraform(name string) bool {
	return strings.HasSuffix(name, ".tf") || strings.HasSuffix(name, ".tofu")
}

func isJSON(name string) bool { return strings.EqualFold(filepath.Ext(name), ".json") }

// readSource reads one program or template, nil if it has nothing to do with a time to live.
func readSource(f dump.File, modules *modules, sent map[string]bool) ([]*Target, error) {
	text, err := sourceText(f)
	if err != nil || text == nil {
		return nil, err
	}
	if isTerraform(f.Path) {
		return readProgram(f.Path, f.Path, string(text), modules.of(f.Path), nil), nil
	}
	if program.IsSource(f.Path) {
		return readProgram(f.Path, f.Path, string(text), nil, besides(f, sent)), nil
	}
	return readJSON(f.Path, text)
}

// A besideFunc returns the text of a file that a script names, as the field Beside of
// [program.Readers] does.
type besideFunc func(path string) (string, error)

// besides returns a reader of files that a script names. The reader adds their paths to
// sent. It refuses files outside the folder that the user named, or outside the script's
// folder if the user named the script.
func besides(script dump.File, sent map[string]bool) besideFunc {
	return func(path string) (string, error) {
		other, err := script.Beside(filepath.FromSlash(path))
		if errors.Is(err, fs.ErrNotExist) {
			return "", errors.New("the file does not exist")
		}
		if err != nil {
			return "", err
		}
		in, err := other.Open()
		if err != nil {
			return "", err
		}
		defer in.Close()
		sent[other.Path] = true
		text, err := io.ReadAll(io.LimitReader(in, program.MaxText+1))
		if err == nil && len(text) > program.MaxText {
			err = fmt.Errorf("larger than %d MiB", program.MaxText>>20)
		}
		return string(text), err
	}
}

// containerSettings are, in lower case, the names of settings that only containers have.
var containerSettings = []string{"defaultttl", "default_ttl", "defaulttimetolive", "analyticalstoragettl"}

// readJSON reads a template, or a file with indexes or a container. It ignores other files,
// which may belong to any program.
func readJSON(path string, text []byte) ([]*Target, error) {
	has := func(s string) bool { return bytes.Contains(text, []byte(`"`+s+`"`)) }
	lower := bytes.ToLower(text)
	isTemplate := bytes.Contains(lower, []byte("microsoft.documentdb/databaseaccounts/"))
	isContainer := bytes.Contains(lower, []byte("partitionkey")) && slices.ContainsFunc(containerSettings, func(s string) bool { return bytes.Contains(lower, []byte(`"`+s+`"`)) })
	isTerraform := has("format_version") && (bytes.Contains(lower, []byte("cosmosdb")) || bytes.Contains(lower, []byte("documentdb")) || bytes.Contains(lower, []byte(`"mongodb_`)))
	if !isTemplate && !has(secondsOption) && !isContainer && !isTerraform {
		return nil, nil
	}
	input.Add(path)
	targets, err := Read(path, bytes.NewReader(text))
	if len(targets) > 0 && err == nil {
		return targets, nil
	}
	var left []Unread
	for _, m := range mentionsIn(text) {
		if !m.isMisspelt {
			left = append(left, m.unread(text, "this is neither an index nor a template that is read"))
		}
	}
	if len(left) == 0 {
		return nil, nil
	}
	return []*Target{unreadTarget(path, left)}, nil
}

// sourceText returns the contents of a file, nil for a file that is too long to be written by
// hand, such as a bundle.
func sourceText(f dump.File) ([]byte, error) {
	if f.Size > program.MaxText {
		return nil, nil
	}
	in, err := f.Peek()
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

// byFolder returns the positions of files, ordered so that files of one folder follow each
// other.
func byFolder(files []dump.File) []int {
	order := make([]int, len(files))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(filepath.Dir(files[a].Path), filepath.Dir(files[b].Path)) })
	return order
}

// maxModule is the maximum number of files of a Terraform module whose variables and locals
// are read.
const maxModule = 50

// modules are the modules of Terraform below a folder. Only the last requested module is
// kept.
type modules struct {
	files  map[string][]dump.File // the files by folder
	folder string
	last   *terraform.Module
}

func modulesOf(files []dump.File) *modules {
	m := &modules{files: map[string][]dump.File{}}
	for _, f := range files {
		if dir := filepath.Dir(f.Path); isTerraform(f.Path) && len(m.files[dir]) < maxModule {
			m.files[dir] = append(m.files[dir], f)
		}
	}
	return m
}

// The method of returns the module of a file. Callers pass the files of one folder in
// sequence, so that each module is read once.
func (m *modules) of(path string) *terraform.Module {
	if dir := filepath.Dir(path); m.last == nil || m.folder != dir {
		m.folder, m.last = dir, terraform.NewModule(func(yield func(name, text string) bool) {
			for _, f := range m.files[dir] {
				if text, err := sourceText(f); err == nil && text != nil && !yield(f.Path, string(text)) {
					return
				}
			}
		})
	}
	return m.last
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
