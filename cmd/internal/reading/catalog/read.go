package catalog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/input"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A collection is a collection of MongoDB as a listing or a dump describes it.
type collection struct {
	options policy.Value
	indexes policy.A
	notes   []string // remarks on the reading of a text that is not a listing
}

// A container is a container of Cosmos DB as a listing or a template describes
// it.
type container struct {
	resource policy.Value
	id       armID
	// wanted means that the settings will be sent to the service. Null counts as a value
	// in such settings, but not in settings that the service listed.
	wanted bool
	notes  []string // remarks on the reading of a text that is not a listing
}

// Read reads policies from r, an input with the given name: replies of listIndexes or
// getIndexes, metadata files of mongodump, containers of Cosmos DB, or templates with
// containers. The input is JSON, Extended JSON or BSON, plain or compressed, and holds
// one document, several documents or an array. Indexes that do not name their collection
// count as indexes of one collection. In any other text only the literal commands are read,
// and a target names the other mentions of a time to live, see [Target.Unread].
//
// The error names the input, and the byte where the faulty document begins.
func Read(name string, r io.Reader) ([]*Target, error) {
	head, err := io.ReadAll(io.LimitReader(r, maxInput+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	targets, err := readListings(name, bytes.NewReader(head))
	decoded, wrong := input.Text(head)
	text := string(decoded)
	switch {
	case errors.Is(err, errExpressions):
		if targets = placed(name, targets, text, true); len(targets) > 0 {
			return targets, nil
		}
		return nil, err
	case err == nil || errors.As(err, new(refusal)):
		return placed(name, targets, text, false), err
	case len(head) == 0 && name != StdinName && !isSource(name):
		return nil, fmt.Errorf("%s: the file is empty", name)
	case len(head) > maxInput:
		return nil, err
	case wrong != nil && isSource(name):
		return nil, fmt.Errorf("%s: %w", name, wrong)
	case wrong != nil:
		return nil, err
	}
	now := policy.InstantOf(time.Now())
	if isListing(text, now) {
		if targets, err := readShellListing(name, text, now); targets != nil || err != nil {
			return targets, err
		}
	}
	if begin := strings.TrimLeft(text, "[ \t\r\n"); isSource(name) || !strings.HasPrefix(begin, `{"`) { // broken JSON is an error, not a program
		if targets := readProgram(name, text, now); targets != nil {
			return targets, nil
		}
	}
	switch {
	case isSource(name):
		return nil, fmt.Errorf("%s: %w", name, ErrNoMention)
	case isProse(name):
		return nil, fmt.Errorf("%s: no policy found in this prose", name)
	}
	return nil, err
}

// readShellListing reads a listing, or one typed policy, as the shell prints and accepts them. It
// returns nil for other values.
func readShellListing(name, text string, now policy.Instant) ([]*Target, error) {
	if targets := readShown(name, text); targets != nil {
		return targets, nil
	}
	t, wrong := readTyped(name, text, now)
	misplaced := (*pasted.MisplacedError)(nil)
	switch {
	case errors.As(wrong, new(*mongo.SpecError)):
		return nil, fmt.Errorf("%s: %w", name, wrong)
	case errors.As(wrong, &misplaced):
		return nil, fmt.Errorf("%s: %w", name, misplaced)
	case t == nil:
		return nil, nil
	}
	return []*Target{t}, nil
}

// ReadTyped reads a policy that a person has typed, as [ReadText] does, but also a command whose
// collection a variable holds, as [pasted.ReadCollection] reads it.
func ReadTyped(name, text string) ([]*Target, error) {
	targets, err := ReadText(name, []byte(text))
	if err == nil && !slices.ContainsFunc(targets, func(t *Target) bool { return len(t.Unread) > 0 }) {
		return targets, nil
	}
	t, wrong := readTyped(name, text, policy.InstantOf(time.Now()))
	switch {
	case wrong == nil && t != nil:
		return []*Target{t}, nil
	case err == nil && len(targets) == 1 && wrong != nil:
		return nil, fmt.Errorf("%s: %w", name, wrong)
	}
	return targets, err
}

// ErrNoMention is wrapped by the error about a program or a template that mentions no time to
// live.
var ErrNoMention = errors.New("the input mentions no time to live")

// isProse reports whether a file of this name holds text for people.
func isProse(name string) bool {
	return slices.Contains([]string{".md", ".markdown", ".rst", ".adoc", ".txt"}, strings.ToLower(filepath.Ext(name)))
}

// placed gives the resources of a template their lines, and adds the mentions of a time to live
// in other resources. text is the part of the input that was kept. A template without targets
// holds expressions.
func placed(name string, targets []*Target, text string, holdsExpressions bool) []*Target {
	isTemplate := func(t *Target) bool { return t.path != "" }
	if !holdsExpressions && !slices.ContainsFunc(targets, isTemplate) || len(text) > maxSource {
		return targets
	}
	read := map[string]*Target{}
	for _, t := range targets {
		read[t.path] = t
	}
	var left []Unread
	for _, m := range mentionsIn(text) {
		var of *Target
		for path := m.path; of == nil && path != ""; path = path[:strings.LastIndexByte(path, '/')] {
			of = read[path]
		}
		switch {
		case of != nil:
			line := lineIn(text, m.at)
			if of.Line == 0 {
				of.Line = line
			}
			if n := len(of.lines); m.name == secondsOption && n < len(of.steps) { // the next index
				of.steps[n].Line, of.lines = line, append(of.lines, line)
			}
		case !m.isMisspelt && (strings.HasPrefix(m.path, "/resources/") || strings.HasPrefix(m.path, "/resource/")) && !strings.Contains(m.path, "/template/parameters/") && !strings.Contains(m.path, "/template/variables/"):
			why := "a resource of this type, or with expressions, is not read"
			if m.isExpression {
				why = "its value is an expression, which is not evaluated"
			}
			left = append(left, Unread{lineIn(text, m.at), m.name, why, true}) // an option of the API for MongoDB has MongoDB's name
		}
	}
	if len(left) > 0 {
		targets = append(targets, unreadTarget(name, left))
	}
	return targets
}

// ReadText is [Read] for a text in memory, usually one document.
func ReadText(name string, text []byte) ([]*Target, error) {
	in := newReading(name)
	if in.add(dump.ExtJSON, text) == nil && len(in.targets) > 0 {
		return in.result()
	}
	return Read(name, bytes.NewReader(text))
}

// readShown returns the collections in the output of getCollectionInfos or
// listCollections in the shell, nil for any other text.
func readShown(name, text string) []*Target {
	v, _, err := mongosh.ParseValue(text, policy.InstantOf(time.Now()))
	if err != nil {
		return nil
	}
	shown := policy.A{v}
	if v.Kind() == policy.List {
		shown = policy.AOf(v)
	}
	in := newReading(name)
	for _, v := range shown {
		replied := policy.AOf(v.Field("cursor").Field("firstBatch"))
		if !isListed(v) && !slices.ContainsFunc(replied, isListed) || in.addMongo(v) != nil {
			return nil
		}
	}
	return in.targets
}

// isListed reports whether v is a collection as listCollections shows it.
func isListed(v policy.Value) bool {
	return v.Field("options").Kind() == policy.Object && v.Field("type").Kind() == policy.String
}

// readTyped returns the target of a typed policy; nil if the text is no policy. The error
// says why the text is no policy of MongoDB.
func readTyped(name, text string, now policy.Instant) (*Target, error) {
	c, err := pasted.ReadCollection(text, now)
	if err == nil && c.Key.IsMissing() && (len(c.Indexes) > 0 || !c.Options.IsMissing()) {
		if err := c.CheckNames(); err != nil {
			return nil, err
		}
		return &Target{File: name, collection: &collection{options: c.Options, indexes: c.Indexes, notes: withoutRemarks(c)}}, nil
	}
	d, failed := pasted.ReadContainer(text)
	if failed != nil || !d.Known {
		return nil, err
	}
	resource := &container{resource: d.Value}
	for _, n := range d.Notes {
		resource.notes = append(resource.notes, cli.Visible(n.Text))
	}
	return &Target{File: name, Name: textOf(d.Value.Field("id")), container: resource}, nil
}

// withoutRemarks returns the notes on the reading of a text. It leaves out notes about
// settings that have no effect, because they become findings.
func withoutRemarks(c pasted.Collection) (notes []string) {
	remarks := remarksOn(c.Options, c.Indexes)
	for _, n := range c.Notes {
		if !slices.ContainsFunc(remarks, func(r pasted.Remark) bool { return r.Text == n.Text }) {
			notes = append(notes, cli.Visible(n.Text))
		}
	}
	return notes
}

// A refusal is an error about text that was recognised, so that no other reader is tried.
type refusal struct{ error }

func (r refusal) Unwrap() error { return r.error }

func readListings(name string, r io.Reader) ([]*Target, error) {
	stream, err := dump.NewStream(name, r, dump.Auto, dump.ExtJSON)
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	in := newReading(name)
	var b dump.Block
	for total := 0; ; {
		err := stream.Next(&b)
		switch {
		case errors.Is(err, io.EOF):
			return in.result()
		case err != nil:
			return nil, hinted(err)
		}
		if total += len(b.Data); total > maxInput {
			return nil, refusal{fmt.Errorf("%s: longer than %d MiB; are these documents? name them with --documents", name, maxInput>>20)}
		}
		for i := range b.Spans {
			if err := in.add(stream.Kind(), bytes.Clone(b.Doc(i))); err != nil {
				return nil, hinted(stream.Damaged(&b, i, err))
			}
		}
	}
}

// maxInput bounds the size of an input of policies. A thousand collections, each with as
// many indexes as a server allows, need half of it.
const maxInput = 16 << 20

// hinted adds the usual cause to an error about a text that is not JSON, and marks the
// error as not skippable.
func hinted(err error) error {
	var damage *dump.Error
	if errors.As(err, &damage) {
		damage.Skippable = false
	}
	var bad *policy.SyntaxError
	if !errors.As(err, &bad) || bad.Format == "BSON" {
		return err
	}
	return fmt.Errorf("%w; mongosh prints JSON by EJSON.stringify(db.logs.getIndexes(), {relaxed: false})", err)
}

// A reading is the state of one call of Read.
type reading struct {
	file    string
	targets []*Target
	named   map[[2]string]*collection // the collections by database and name
	// isTemplate means that a template was read, perhaps without any target.
	isTemplate bool
}

// errExpressions is about a template without a resource that is read.
var errExpressions = errors.New("no container or collection with literal values found in this template")

func newReading(name string) *reading {
	return &reading{file: name, named: map[[2]string]*collection{}}
}

func (in *reading) result() ([]*Target, error) {
	switch n := len(in.targets); {
	case n == 0 && in.isTemplate:
		return nil, fmt.Errorf("%s: %w", in.file, errExpressions)
	case n == 0:
		return nil, fmt.Errorf("%s: no index, collection or container found", in.file)
	case n > dump.MaxCollections:
		return nil, refusal{fmt.Errorf("%s: %w", in.file, dump.ErrManyCollections)}
	}
	return in.targets, nil
}

// add adds the policies that one document of the input describes. It may retain raw.
func (in *reading) add(kind dump.Kind, raw []byte) error {
	if kind != dump.BSON {
		j, err := policy.ParseJSON(raw)
		switch {
		case err == nil && !j.Field("format_version").IsMissing() && IsTerraform(j.Value()):
			return in.addTerraform(raw)
		case err == nil && j.Field("value").Kind() == policy.List && textOf(j.Field("nextLink")) != "":
			return refusal{errors.New("the reply is only one page of a longer list (it has a nextLink)")}
		case err == nil && in.addCosmos(j.Value()):
			return nil
		}
	}
	var v policy.Value
	var err error
	if kind == dump.BSON {
		var d policy.BSON
		d, err = policy.ParseBSON(raw)
		v = d.Value()
	} else {
		v, err = policy.ParseExtJSON(dump.ToVersion2(raw))
	}
	if err != nil {
		return err
	}
	return in.addMongo(v)
}

// ErrUnknown is wrapped by an error about a document that describes no policy.
var ErrUnknown = errors.New("not an index, a reply of listIndexes, metadata of mongodump, or a container of Cosmos DB")

func (in *reading) addMongo(v policy.Value) (err error) {
	switch {
	case v.Field("cursor").Kind() == policy.Object:
		err = in.addReply(v.Field("cursor"))
	case v.Field("indexes").Kind() == policy.List && v.Field("createIndexes").IsMissing():
		err = in.addMetadata(v)
	case v.Field("key").Kind() == policy.Object:
		in.addIndex(v, "")
	case isListed(v):
		in.addListed(v, "")
	case v.Field("errmsg").Kind() == policy.String:
		err = fmt.Errorf("the server's reply is an error: %q", textOf(v.Field("errmsg")))
	default:
		return ErrUnknown
	}
	if err != nil {
		err = refusal{err}
	}
	return err
}

// addReply adds the indexes or the collections in a reply of listIndexes or
// listCollections.
func (in *reading) addReply(cursor policy.Value) error {
	batch := cursor.Field("firstBatch")
	if batch.Kind() != policy.List {
		return errors.New("the reply has no cursor.firstBatch")
	}
	if id, ok := cursor.Field("id").AsInt64(); ok && id != 0 {
		return errors.New("the reply is only the first batch of a longer list (cursor.id is not 0)")
	}
	namespace := textOf(cursor.Field("ns"))
	for e := batch.Elements(); e.Next(); {
		switch v := e.Value(); {
		case v.Field("key").Kind() == policy.Object:
			in.addIndex(v, namespace)
		case v.Field("options").Kind() == policy.Object:
			in.addListed(v, strings.TrimSuffix(namespace, ".$cmd.listCollections"))
		default:
			return errors.New("cursor.firstBatch holds a value that is neither an index nor a collection")
		}
	}
	return nil
}

func (in *reading) addIndex(v policy.Value, namespace string) {
	if own, ok := v.Field("ns").AsString(); ok && namespace == "" {
		namespace = own // releases up to 4.2 list the namespace
	}
	database, name, _ := strings.Cut(namespace, ".")
	c := in.collection(database, name)
	if isOfCompass(v) {
		if read, err := pasted.CollectionOf(v); err == nil {
			v = read.Indexes[0]
			c.notes = append(c.notes, withoutRemarks(read)...)
		}
	}
	c.indexes = append(c.indexes, v)
}

// isOfCompass reports whether v is an index as MongoDB Compass describes it, with
// its options under extra (mongodb-js/compass:
// packages/data-service/src/index-detail-helper.ts). No server stores an index in
// that form.
func isOfCompass(v policy.Value) bool {
	return v.Field("extra").Kind() == policy.Object && v.Field("fields").Kind() == policy.List && v.Field("cardinality").Kind() == policy.String
}

// collection returns the collection of this name, and adds it if there is none. Indexes
// that name no collection belong to the collection without a name. Up to 8.3 a server may
// name a time-series collection by its buckets.
func (in *reading) collection(database, name string) *collection {
	name = strings.TrimPrefix(name, dump.BucketsPrefix)
	c := in.named[[2]string{database, name}]
	if c == nil {
		c = &collection{}
		in.named[[2]string{database, name}] = c
		in.targets = append(in.targets, &Target{File: in.file, Database: database, Name: name, collection: c})
	}
	return c
}

func (in *reading) addMetadata(v policy.Value) error {
	c := &collection{options: v.Field("options")}
	for i, x := range policy.AOf(v.Field("indexes")) {
		if x.Field("key").Kind() != policy.Object {
			return fmt.Errorf("indexes[%d] is not an index: it has no key", i)
		}
		c.indexes = append(c.indexes, x)
	}
	in.targets = append(in.targets, &Target{File: in.file, Name: textOf(v.Field("collectionName")), collection: c})
	return nil
}

// addListed adds a collection as listCollections shows it, without indexes. The description
// of a time-series collection stays if the collection of its buckets is listed too.
func (in *reading) addListed(v policy.Value, database string) {
	name := textOf(v.Field("name"))
	c := in.collection(database, name)
	if strings.HasPrefix(name, dump.BucketsPrefix) && !c.options.IsMissing() {
		return
	}
	c.options = v.Field("options")
}
