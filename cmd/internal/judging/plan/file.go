package plan

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/namespace"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/internal/base/spelling"
	"github.com/ttlpolicy/ttlpolicy/internal/commandfunc"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A File is a policy file: the wanted time to live of each collection.
// docs/policy.schema.json describes it.
type File struct {
	Version  Version  `yaml:"version"`
	Server   Release  `yaml:"server"`
	Defaults Defaults `yaml:"defaults"`
	Rules    []Rule   `yaml:"rules"`
	name     string

	collections, containers ruleList // the rules about collections and about containers
}

type ruleList struct {
	namespace.Table
	rules []*Rule // the rules, by their number in the table
}

// Defaults are the settings for rules about MongoDB. A default has an effect only on a
// rule that does not give the setting itself.
type Defaults struct {
	Key                Key     `yaml:"key"`
	ExpireAfterSeconds Seconds `yaml:"expireAfterSeconds"`
}

// A Rule is the wanted time to live of the collections or containers of a namespace. The
// first rule of a file that matches a collection decides.
type Rule struct {
	Namespace Pattern `yaml:"namespace"`
	Index     `yaml:",inline"`
	Indexes   []Index `yaml:"indexes"`
	// DefaultTTL is for containers of Azure Cosmos DB; all other fields are for MongoDB.
	DefaultTTL Seconds `yaml:"defaultTtl"`
}

// An Index is a TTL index. An Index without a key is the option of a time-series or
// clustered collection; for other collections it has the default key.
type Index struct {
	Key                Key     `yaml:"key"`
	ExpireAfterSeconds Seconds `yaml:"expireAfterSeconds"`
	Partial            Filter  `yaml:"partialFilterExpression"`
	Name               string  `yaml:"name"`
}

// place is a position in the file; line 0 means no position.
type place struct{ line, column int }

func placeOf(n *yaml.Node) place { return place{n.Line, n.Column} }

func (p place) isGiven() bool { return p.line > 0 }

// A Version is the version of the file's format. The only version is 1.
type Version struct{ place }

// UnmarshalYAML reads the version, and refuses every number other than 1.
func (v *Version) UnmarshalYAML(n *yaml.Node) error {
	v.place = placeOf(n)
	if n.ShortTag() != "!!int" || n.Value != "1" {
		return fmt.Errorf("this tool reads version 1, not %s", shown(n))
	}
	return nil
}

// A Release is a release of MongoDB in a policy file.
type Release struct {
	place
	mongo.Version
}

// UnmarshalYAML reads a release such as 8.0.4. YAML takes 8.0 for a number, so
// UnmarshalYAML reads the text as written.
func (r *Release) UnmarshalYAML(n *yaml.Node) (err error) {
	r.place = placeOf(n)
	r.Version, err = pasted.ParseRelease(n.Value)
	return err
}

// A Pattern matches namespaces.
type Pattern struct {
	place
	namespace.Pattern
	text string
}

// UnmarshalYAML reads a text, and refuses an empty text.
func (p *Pattern) UnmarshalYAML(n *yaml.Node) error {
	p.place, p.Pattern, p.text = placeOf(n), namespace.Parse(n.Value), n.Value
	if n.Kind != yaml.ScalarNode || n.Value == "" {
		return errors.New("want a namespace, such as shop.logs, shop.* or carts")
	}
	return nil
}

// Seconds are a time to live: a number of seconds, none, or off.
type Seconds struct {
	place
	n    int64
	word string // "none" or "off"; empty for a number of seconds
}

// UnmarshalYAML reads a number of seconds, a time such as 30d, none, or off.
func (s *Seconds) UnmarshalYAML(n *yaml.Node) (err error) {
	s.place = placeOf(n)
	switch {
	case n.Kind != yaml.ScalarNode:
		return errors.New("want seconds, a time such as 30d, none, or off")
	case n.Value == "none" || n.Value == "off":
		s.word = n.Value
		return nil
	case ambiguous.MatchString(n.Value):
		return fmt.Errorf("%s is read differently by different programs; begin with a digit other than 0", shown(n))
	}
	if s.n, err = policyflags.ParseSeconds(strings.ReplaceAll(n.Value, "_", "")); err != nil {
		err = fmt.Errorf("%w, none, or off", err)
	}
	return err
}

// ambiguous matches numbers that programs read in different ways. Some programs read 010
// as 8.
var ambiguous = regexp.MustCompile(`^-?(0[0-9_]|[+_])|^-0`)

func shown(n *yaml.Node) string {
	if n.Kind == yaml.ScalarNode {
		return strconv.Quote(n.Value)
	}
	return kindNames[n.Kind]
}

var kindNames = map[yaml.Kind]string{yaml.MappingNode: "a mapping", yaml.SequenceNode: "a list", yaml.AliasNode: "an alias"}

// Limits of a policy file. Reading takes time in proportion to the number
// of patterns times the size of the file, and to the square of the number of fields of a
// mapping.
const (
	maxFile     = 1 << 20 // the size of the file in bytes
	maxPatterns = 1000    // the number of rules whose namespace has an asterisk
	maxFields   = 1000    // the number of fields of one mapping
)

// ReadFile reads a policy file. The error names the file, the line and the column.
func ReadFile(path string) (*File, error) {
	text, err := dump.ReadFile(path, maxFile)
	if err != nil {
		return nil, err
	}
	f, err := parseFile(path, text)
	if err != nil {
		if catalog.IsProgram(path) {
			return nil, fmt.Errorf("%s: this is a program or a template; write a policy file with: %s", path, cli.ShellWords("ttl", "plan", "init", path))
		}
		if other := dump.Foreign(path, text); other != nil && other != dump.ErrPolicyFile {
			return nil, fmt.Errorf("%s: want a policy file, which begins with version: 1; %w", path, other)
		}
	}
	return f, err
}

func parseFile(name string, text []byte) (*File, error) {
	f := &File{name: name}
	var whole yaml.Node
	if err := yaml.Load(text, &whole); err != nil {
		return nil, f.faultOf(err)
	}
	if err := f.checkSizes(&whole); err != nil {
		return nil, err
	}
	if err := yaml.Load(text, f, yaml.WithKnownFields(), yaml.WithUniqueKeys()); err != nil {
		return nil, f.faultOf(err)
	}
	if err := f.checkGiven(&whole); err != nil {
		return nil, err
	}
	return f, f.check()
}

// checkSizes returns an error for a mapping with too many fields at or below n.
func (f *File) checkSizes(n *yaml.Node) error {
	if n.Kind == yaml.MappingNode && len(n.Content) > 2*maxFields {
		return f.errorf(placeOf(n), "this mapping has %d fields; at most %d are allowed", len(n.Content)/2, maxFields)
	}
	for _, child := range n.Content {
		if err := f.checkSizes(child); err != nil {
			return err
		}
	}
	return nil
}

// checkGiven returns an error for a field without a value below n. The YAML library would
// drop the field, so that a forgotten filter would mean no filter.
func (f *File) checkGiven(n *yaml.Node) error {
	for i, child := range n.Content {
		name := ""
		if n.Kind == yaml.MappingNode && i%2 == 1 {
			name = n.Content[i-1].Value
		}
		if err := f.checkValue(name, child); err != nil {
			return err
		}
		if name == "partialFilterExpression" { // in a filter, null is a value
			continue
		}
		if err := f.checkGiven(child); err != nil {
			return err
		}
	}
	return nil
}

// checkValue checks the value of the field with this name. For an element of a list, the
// name is empty.
func (f *File) checkValue(name string, n *yaml.Node) error {
	isText := name == "namespace" || name == "key" || name == "name"
	switch {
	case n.ShortTag() == "!!null", name == "name" && n.Kind == yaml.ScalarNode && n.Value == "":
		return f.errorf(placeOf(n), "nothing is written here: give a value, or leave the field out")
	case name == "indexes" && n.Kind == yaml.SequenceNode && len(n.Content) == 0:
		return f.errorf(placeOf(n), "no index is listed; say expireAfterSeconds: none if nothing is to expire")
	case isText && n.Kind == yaml.ScalarNode && n.ShortTag() != "!!str":
		return f.errorf(placeOf(n), "%s is no text; put it between quotes", shown(n))
	}
	return nil
}

func (f *File) errorf(at place, format string, args ...any) error {
	return fmt.Errorf("%s:%d:%d: %w", f.name, max(at.line, 1), max(at.column, 1), fmt.Errorf(format, args...))
}

// Patterns of messages of the YAML library about Go types. faultOf replaces such a message.
var (
	unknownField = regexp.MustCompile(`^field (.*) not found in type .*$`)
	wrongKind    = regexp.MustCompile("^cannot construct !!(\\w+)( `.*`)? into .*$")
)

// libraryWords map the library's messages about faults to advice.
var libraryWords = strings.NewReplacer(
	"no documents in stream", "the file is empty; it begins with version: 1",
	"found character that cannot start any token", "no value begins so; indent by spaces, not tabs, and put odd text between quotes",
	"expected single document, found multiple", "there are several documents, with --- between them; write one",
	"yaml: ", "", "mongo: ", "",
)

var fieldNames = []string{"version", "server", "defaults", "rules", "namespace", "key", "expireAfterSeconds", "partialFilterExpression", "name", "indexes", "defaultTtl"}

// yamlKinds maps the YAML library's names of kinds to words for people.
var yamlKinds = map[string]string{"map": "a mapping", "seq": "a list", "str": "a text", "int": "a number", "float": "a number", "bool": "true or false"}

// faultOf returns the first fault that the YAML library found, with its place.
func (f *File) faultOf(err error) error {
	var one *yaml.LoadError
	var several *yaml.LoadErrors
	switch {
	case errors.As(err, &several) && len(several.Errors) > 0:
		one = several.Errors[0]
	case !errors.As(err, &one):
		return fmt.Errorf("%s: %w", f.name, err)
	}
	text := libraryWords.Replace(one.Message)
	if m := unknownField.FindStringSubmatch(text); m != nil {
		text = "no field is called " + m[1] + " here"
		if i := slices.IndexFunc(fieldNames, func(other string) bool { return m[1] != other && spelling.Distance(m[1], other) <= 2 }); i >= 0 {
			text += "; did you mean " + fieldNames[i] + "?"
		}
	} else if m := wrongKind.FindStringSubmatch(text); m != nil {
		text = "this is " + yamlKinds[m[1]] + ", which is not wanted here; 'ttl plan init' prints a file to begin with"
	}
	return f.errorf(place{one.Mark.Line, one.Mark.Column}, "%s", text)
}

func (f *File) check() error {
	switch {
	case !f.Version.isGiven():
		return f.errorf(place{}, "the version is missing; the file begins with version: 1")
	case f.Defaults.ExpireAfterSeconds.word == "off":
		return f.errorf(f.Defaults.ExpireAfterSeconds.place, "off is a defaultTtl; say none")
	case len(f.Rules) == 0:
		return f.errorf(place{}, "there is no rule; write one below rules")
	}
	for i := range f.Rules {
		if err := f.checkRule(&f.Rules[i]); err != nil {
			return err
		}
		if err := f.enlist(i); err != nil {
			return err
		}
	}
	return nil
}

// enlist appends rule i to its list. It returns an error if an earlier rule matches all
// namespaces of the rule.
func (f *File) enlist(i int) error {
	r := &f.Rules[i]
	list := f.list(r.isCosmos())
	covering := list.Add(r.Namespace.Pattern)
	list.rules = append(list.rules, r)
	switch {
	case covering >= 0:
		before := list.rules[covering].Namespace
		return f.errorf(r.Namespace.place, "no collection or container reaches this rule: rule %s in line %d decides about all that it matches", before.text, before.line)
	case list.Patterns() > maxPatterns:
		return f.errorf(r.Namespace.place, "more than %d rules have a namespace with *; write names, or wider patterns", maxPatterns)
	}
	return nil
}

func (f *File) list(cosmos bool) *ruleList {
	if cosmos {
		return &f.containers
	}
	return &f.collections
}

func (r *Rule) isCosmos() bool { return r.DefaultTTL.isGiven() }

func (f *File) checkRule(r *Rule) error {
	at, single := r.Namespace.place, r.Key.isGiven() || r.ExpireAfterSeconds.isGiven() || r.Partial.isGiven() || r.Name != ""
	switch {
	case !at.isGiven():
		x := r.all()[0]
		return f.errorf(cmp.Or(r.DefaultTTL.place, x.Key.place, x.ExpireAfterSeconds.place, x.Partial.place), "a rule has no namespace")
	case r.isCosmos() && (single || len(r.Indexes) > 0):
		return f.errorf(at, "defaultTtl is for containers of Azure Cosmos DB, the rest for MongoDB; write two rules")
	case r.isCosmos() && r.DefaultTTL.word == "none":
		return f.errorf(r.DefaultTTL.place, "none is an expireAfterSeconds; say off, or -1 for no limit except that of an item's ttl")
	case r.isCosmos() && (r.DefaultTTL.n < -1 || r.DefaultTTL.n >= 1<<31):
		return f.errorf(r.DefaultTTL.place, "%d s is not from -1 to 2147483647", r.DefaultTTL.n)
	case r.isCosmos():
		return nil
	case single && len(r.Indexes) > 0:
		return f.errorf(at, "put every index of this rule into its indexes")
	}
	all := r.all()
	for i, x := range all {
		if err := f.checkIndex(x, at); err != nil {
			return err
		}
		wish := f.indexOf(x)
		if slices.ContainsFunc(all[:i], func(y Index) bool { return change.IsSameWish(wish, f.indexOf(y)) }) {
			return f.errorf(x.place(at), "an earlier index of this rule takes in the same documents, and the shorter time decides; write one of them")
		}
	}
	return nil
}

// indexOf returns the index that x describes, with the default key if x has
// none.
func (f *File) indexOf(x Index) change.Index {
	key := x.Key
	if !key.isGiven() {
		key = f.Defaults.Key
	}
	return change.Index{Key: key.Value, Partial: x.Partial.Value, Name: x.Name, Seconds: f.secondsOf(x).n}
}

// place returns the position of an index in the file. If the index gives neither a key
// nor a time, its position is the argument at.
func (x Index) place(at place) place {
	switch {
	case x.Key.isGiven():
		return x.Key.place
	case x.ExpireAfterSeconds.isGiven():
		return x.ExpireAfterSeconds.place
	}
	return at
}

func (r *Rule) all() []Index {
	if len(r.Indexes) > 0 {
		return r.Indexes
	}
	return []Index{r.Index}
}

func (f *File) checkIndex(x Index, at place) error {
	if x.ExpireAfterSeconds.isGiven() {
		at = x.ExpireAfterSeconds.place
	}
	switch s := f.secondsOf(x); {
	case !s.isGiven():
		return f.errorf(at, "the time to live is missing; set expireAfterSeconds here or in the defaults (none stands for no time to live)")
	case s.word == "off":
		return f.errorf(at, "off is a defaultTtl; say none")
	case s.word == "none" && (x.Key.isGiven() || x.Partial.isGiven()):
		return f.errorf(at, "none means that nothing deletes; leave the key and the filter out")
	case s.word == "" && (s.n < 0 || s.n >= 1<<31):
		return f.errorf(at, "%d s is not from 0 to 2147483647; say none for no time to live", s.n)
	case x.Partial.isGiven() && !x.Key.isGiven() && !f.Defaults.Key.isGiven():
		return f.errorf(x.Partial.place, "a filter is part of an index; say its key")
	}
	return nil
}

// CheckIndexes returns an error for an index that the release of the file refuses in
// every collection. Without a release in the file, it checks by the newest release.
func (f *File) CheckIndexes(now policy.Instant) error {
	release := f.Server.Version
	if release == (mongo.Version{}) {
		release = mongo.Latest()
	}
	profile, err := mongo.ProfileOf(release)
	if err != nil {
		return err
	}
	for i := range f.Rules {
		r := &f.Rules[i]
		for _, x := range r.all() {
			wish := f.indexOf(x)
			if r.isCosmos() || f.secondsOf(x).word != "" || wish.Key.IsMissing() {
				continue
			}
			var refused *mongo.SpecError
			made, err := commandfunc.F.ValidateCreateIndexes(mongo.CollectionSpec{}, wish.Document(), profile, now)
			switch at := x.place(r.Namespace.place); {
			case len(made.Ignored) > 0:
				return f.errorf(at, "%s would keep %s without reading it, so that the index would delete more", definition.ServerName(release.String()), made.Ignored[0])
			case errors.As(err, &refused) && refused.Code != 0:
				return f.errorf(at, "%s refuses this index: %s", definition.ServerName(release.String()), refused.Reason)
			}
		}
	}
	return nil
}

// secondsOf returns the time to live of an index, or the default if the index gives none.
func (f *File) secondsOf(x Index) Seconds {
	if x.ExpireAfterSeconds.isGiven() {
		return x.ExpireAfterSeconds
	}
	return f.Defaults.ExpireAfterSeconds
}

// ruleFor returns the rule about a collection or a container; nil if there is none.
func (f *File) ruleFor(title string, isContainer bool) *Rule {
	list := f.list(isContainer)
	if i := list.Find(title); i >= 0 {
		return list.rules[i]
	}
	return nil
}

// Summary returns a summary of the file in one line.
func (f *File) Summary() string {
	text := cli.Count(int64(len(f.Rules)), "rule", "rules")
	if f.Server.isGiven() {
		text += " for MongoDB " + f.Server.String()
	}
	return text
}

// A Key is the key of an index.
type Key struct {
	place
	policy.Value
}

// UnmarshalYAML reads a key pattern, or the name of a field, which stands for an
// ascending key.
func (k *Key) UnmarshalYAML(n *yaml.Node) (err error) {
	k.place = placeOf(n)
	if n.Kind == yaml.ScalarNode && n.Value != "" && n.Value[0] != '{' {
		k.Value = policy.ObjectValue(policy.D{{Key: n.Value, Value: policy.Int32Value(1)}})
		return nil
	}
	k.Value, err = readObject(n)
	if err == nil && len(policy.DOf(k.Value)) == 0 {
		err = errors.New("the key names no field")
	}
	return err
}

// A Filter is a partialFilterExpression.
type Filter struct {
	place
	policy.Value
}

// UnmarshalYAML reads a filter as a document.
func (f *Filter) UnmarshalYAML(n *yaml.Node) (err error) {
	f.place = placeOf(n)
	f.Value, err = readObject(n)
	return err
}

// readObject reads a document. It may be YAML, with values such as dates in Extended
// JSON, or a text in the syntax of JSON or of the shell.
func readObject(n *yaml.Node) (v policy.Value, err error) {
	if n.Kind == yaml.ScalarNode {
		if v, err = policy.ParseExtJSON([]byte(n.Value)); err != nil {
			v, _, err = mongosh.ParseValue(n.Value, 0)
		}
	} else {
		var text []byte
		if text, err = appendJSON(nil, n); err == nil {
			v, err = policy.ParseExtJSON(text)
		}
	}
	if err == nil && v.Kind() != policy.Object {
		err = fmt.Errorf("%s is not a document", shown(n))
	}
	return v, err
}

func appendJSON(text []byte, n *yaml.Node) (_ []byte, err error) {
	begin, end, pair := byte('['), byte(']'), false
	switch n.Kind {
	case yaml.ScalarNode:
		return appendScalar(text, n)
	case yaml.AliasNode:
		return nil, errors.New("aliases are not supported here; write the value itself")
	case yaml.MappingNode:
		begin, end, pair = '{', '}', true
	}
	text = append(text, begin)
	for i, child := range n.Content {
		switch {
		case pair && i%2 == 1:
			text = append(text, ':')
		case i > 0:
			text = append(text, ',')
		}
		if pair && i%2 == 0 {
			child = &yaml.Node{Kind: child.Kind, Tag: "!!str", Value: child.Value}
		}
		if text, err = appendJSON(text, child); err != nil {
			return nil, err
		}
	}
	return append(text, end), nil
}

func appendScalar(text []byte, n *yaml.Node) ([]byte, error) {
	if !slices.Contains([]string{"!!str", "!!int", "!!float", "!!bool", "!!null"}, n.ShortTag()) {
		return nil, fmt.Errorf("%s is read as %s; write values such as ISODate(…) in quotes", shown(n), n.ShortTag())
	}
	var v any = n.Value
	if n.ShortTag() != "!!str" {
		if err := n.Decode(&v); err != nil {
			return nil, fmt.Errorf("%s cannot be read", shown(n))
		}
	}
	b, err := json.Marshal(v)
	return append(text, b...), err
}
