package pasted

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/pattern"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mentions"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Collection is the definition of one collection in a text.
type Collection struct {
	// Name is the name of the collection, "" if the text does not say it.
	Name    string
	Options policy.Value // options of the collection; Missing if there are none
	Indexes policy.A     // as listIndexes shows them
	Places  []int        // offset of each index, in bytes
	// Key is a key pattern alone, such as {createdAt: 1}, without any other part of an
	// index. It is Missing if there is none.
	Key policy.Value
	// Notes explain the reading of the text where it is not obvious, and name the parts
	// without effect.
	Notes []mongosh.Note
	// Change is the last command that changes or drops something that exists: collMod,
	// dropIndexes or drop. It is nil if there is none.
	Change policy.D

	exact bool // the definition comes from a server or a dump
}

// notStored are names that drivers and commands accept among the options of an index or a
// collection, but that a server does not store with it.
var notStored = []string{
	"session", "commitQuorum", "maxTimeMS", "timeoutMS", "comment", "writeConcern", "readConcern", "readPreference", "w", "j", "wtimeout", "safe", "raw",
	"cache_for", "bucket_size", "check_exists", "codec_options", "read_preference", "write_concern", "read_concern", "strict", "pkFactory",
	"forceNonUnique", "dryRun",
}

// CheckNames returns an error, which wraps a [*mongo.SpecError], for an option that no index
// or no collection has in any release: it is likely misspelt. It accepts the listing of a
// server or a dump as it is; an index with its version, v, counts as listed.
func (c Collection) CheckNames() error {
	if c.exact {
		return nil
	}
	stored := func(v policy.Value) policy.Value {
		if v.Kind() != policy.Object {
			return v
		}
		return policy.ObjectValue(slices.DeleteFunc(policy.DOf(v), func(e policy.E) bool { return slices.Contains(notStored, e.Key) || strings.HasPrefix(e.Key, "$") }))
	}
	for _, x := range c.Indexes {
		if _, err := mongo.ParseIndexSpec(stored(x)); err != nil && x.Field("v").IsMissing() {
			return err
		}
	}
	_, err := mongo.ParseCollectionSpec(stored(c.Options), policy.Value{})
	return err
}

// ErrNothing is wrapped by the error about a text that defines nothing.
var ErrNothing = errors.New("want an index such as {key: {createdAt: 1}, expireAfterSeconds: 3600}, an array of them, createIndex(…) or {options: {…}, indexes: […]}")

// ReadCollection reads indexes, and the options of a collection, in Extended JSON, as the
// shell has them, or as literal commands in a program of JavaScript, Python or PHP: a
// listing, a command, calls such as createIndex, createCollection, pymongo's create_index and
// mongoose's schema.index, or a schema of mongoose. It evaluates no names and no expressions:
// a text that mentions a time to live in another form is an error. A [*mongosh.SyntaxError]
// says where the text is wrong.
func ReadCollection(text string, now policy.Instant) (Collection, error) {
	plain := text
	if len(text) <= mongosh.MaxText {
		if v, err := policy.ParseExtJSON([]byte(text)); err == nil && !repeats(v) {
			return CollectionOf(v)
		}
		plain = prompt().ReplaceAllStringFunc(text, func(found string) string { return strings.Repeat(" ", len(found)) })
	}
	script, err := mongosh.Parse(plain, now)
	if err == nil {
		return readScript(script, false)
	}
	if c, notes, err := mongosh.Loose(text, now); err == nil {
		if len(c.Args) > 1 { // the arguments of a call
			c.Method = "createIndex"
		}
		return readScript(mongosh.Script{Calls: []mongosh.Call{c}, Notes: notes}, true)
	}
	calls, wrong := mongosh.Calls(text, now, isRead)
	if wrong != nil {
		return Collection{}, wrong
	}
	r := &reading{program: true}
	r.Notes = calls.Notes
	for _, c := range calls.Calls {
		if err := r.add(c); err != nil && err != errNotRead {
			return Collection{}, placed(err, c.At)
		}
	}
	if begin := strings.TrimSpace(text); len(r.handled) == 0 && begin != "" && (begin[0] == '{' || begin[0] == '[') {
		return Collection{}, err // a value with a fault
	}
	for _, m := range mentions.Outside(mentions.In("", text), r.handled) { // a time to live outside of the calls that were read
		return Collection{}, &mongosh.SyntaxError{Offset: m.At, Err: fmt.Errorf("%s mentions a time to live and is not evaluated here; write createIndex({createdAt: 1}, {expireAfterSeconds: 3600})", show(m.Word))}
	}
	if len(r.handled) == 0 {
		return Collection{}, err
	}
	return r.finish(len(calls.Notes))
}

// prompt matches the shell's prompt at the begin of a line.
var prompt = pattern.Lazy(`(?m)^[A-Za-z0-9_-]*(?: \[[^\]\n]*\] [A-Za-z0-9_-]+)?> `)

// repeats reports whether an object in v has a member twice. No catalog shows such an
// object; in text that people write the last member counts, as in the shell.
func repeats(v policy.Value) bool {
	names := map[string]bool{}
	for f := v.Fields(); f.Next(); {
		if names[f.Name()] || repeats(f.Value()) {
			return true
		}
		names[f.Name()] = true
	}
	return slices.ContainsFunc(policy.AOf(v), repeats)
}

// placed gives an error without a place the place at.
func placed(err error, at int) error {
	if errors.As(err, new(*mongosh.SyntaxError)) {
		return err
	}
	return &mongosh.SyntaxError{Offset: at, Err: err}
}

// CollectionOf is [ReadCollection] for a value that was read already.
func CollectionOf(v policy.Value) (Collection, error) {
	return readScript(mongosh.Script{Calls: []mongosh.Call{{Args: []policy.Value{v}}}}, false)
}

// A reading is the state of one call of ReadCollection.
type reading struct {
	Collection
	program bool
	steps   bool     // each call is read by itself
	handled [][2]int // the places of the calls that were read
	owners  []string // for each of these calls, the expression before its method
	schema  bool     // a schema of mongoose with a TTL index was read
	listed  bool     // an array of indexes was read, which may be empty
}

func readScript(s mongosh.Script, program bool) (Collection, error) {
	r := &reading{program: program}
	r.Notes = s.Notes
	for _, c := range s.Calls {
		if err := r.add(c); err != nil {
			return Collection{}, placed(err, c.At)
		}
	}
	return r.finish(len(s.Notes))
}

// finish returns the collection that was read. The first notes, as many as given, are about
// values alone.
func (r *reading) finish(notes int) (Collection, error) {
	if len(r.Indexes) == 0 && r.Options.IsMissing() && r.Key.IsMissing() && !r.listed {
		if len(r.Notes) > notes { // the last note is the reason
			return Collection{}, errors.New(r.Notes[len(r.Notes)-1].Text)
		}
		return Collection{}, ErrNothing
	}
	for _, remark := range OptionRemarks(r.Options) {
		r.note(0, remark.Text)
	}
	return r.Collection, nil
}

func (r *reading) note(at int, text string) {
	r.Notes = append(r.Notes, mongosh.Note{At: at, Text: text})
}

// A method knows how to add the definitions of its calls, and how to find their
// collection.
type method struct {
	add   func(*reading, mongosh.Call) error
	owner func(mongosh.Call) string // nil if a call does not name its collection
	// onDatabase means that the method is one of a database, and names the collection by its
	// arguments.
	onDatabase bool
}

// methods are the calls that are read.
var methods = map[string]method{
	"IndexModel":   {(*reading).addCall, nil, false},
	"adminCommand": {(*reading).addCommand, nil, true},
	"Schema":       {(*reading).addSchema, nil, false},
	"createIndex":  onIndex, "ensureIndex": onIndex, "create_index": onIndex, "ensure_index": onIndex, "index": onIndex,
	"createIndexes": onIndexes, "create_indexes": onIndexes,
	"createCollection": onOptions, "create_collection": onOptions,
	"runCommand": onCommand, "$runCommandRaw": onCommand, "command": onCommand,
	"dropIndex": onDrop, "dropIndexes": onDrop, "drop_index": onDrop, "drop_indexes": onDrop, "drop": onDrop,
}

// Methods that have several names.
var (
	onIndex   = method{(*reading).addCall, calledOn, false}
	onIndexes = method{(*reading).addCalls, calledOn, false}
	onOptions = method{(*reading).addOptions, named, true}
	onCommand = method{(*reading).addCommand, named, true}
	onDrop    = method{(*reading).addDrop, calledOn, false}
)

func isRead(name string) bool { return methods[name].add != nil }

func calledOn(c mongosh.Call) string { return c.On }

// commandNames are the commands that are read.
var commandNames = []string{"createIndexes", "create", "collMod", "dropIndexes"}

// named returns the collection that the first argument names, "" if it names
// none.
func named(c mongosh.Call) string {
	if len(c.Args) == 0 {
		return ""
	}
	name := c.Args[0]
	if len(c.Args) > 1 && c.Method == "command" && slices.Contains(commandNames, textOf(name)) {
		name = c.Args[1]
	}
	if of := cmp.Or(CommandOn(c.Args[0]), textOf(name)); of != "" {
		return c.On + "." + of
	}
	return ""
}

// CommandOn returns the collection that a command is about, "" if it names none.
func CommandOn(command policy.Value) string {
	for _, name := range commandNames {
		if of := command.Field(name); of.Kind() == policy.String {
			return textOf(of)
		}
	}
	return ""
}

// listings are the methods that show indexes; people copy such calls along with
// their output.
var listings = []string{"getIndexes", "getIndices", "indexes", "listIndexes", "index_information", "list_indexes"}

// errNotRead is returned for a call of an unknown method.
var errNotRead = errors.New("this call is not read")

func (r *reading) add(c mongosh.Call) error {
	m, err := methods[c.Method], errNotRead
	switch {
	case c.Method == "":
		err = r.addValue(c.Args[0], c.At)
	case c.Method == "index" && c.On == "": // the index of Mongoid is not that of mongoose
	case m.add != nil:
		err = m.add(r, c)
	}
	switch {
	case err == nil && r.program && !c.IsLiteral && c.Method != "Schema" && c.Method != "":
		return fmt.Errorf("%s(…) holds an expression, which is not evaluated here; write the value itself", c.Method)
	case err == nil:
		r.handled = append(r.handled, [2]int{c.At, c.End})
		return r.checkOwner(c, m)
	case err == errNotRead && slices.Contains(listings, c.Method):
		return nil
	case err == errNotRead && !r.program:
		return fmt.Errorf("%s is not read here; write createIndex(key, options) or createCollection(name, options)", c.Method)
	}
	return err
}

// addCommand reads runCommand(command), and command("collMod", "logs", index=…) of pymongo.
func (r *reading) addCommand(c mongosh.Call) error {
	if len(c.Args) == 2 && slices.Contains(commandNames, textOf(c.Args[0])) {
		command := append(policy.D{{Key: textOf(c.Args[0]), Value: c.Args[1]}}, c.Keywords...)
		return r.addValue(policy.ObjectValue(command), c.At)
	}
	if len(c.Args) == 0 || c.Args[0].Kind() != policy.Object {
		return errNotRead
	}
	return r.addValue(c.Args[0], c.At)
}

// checkOwner refuses a call on another collection than that of earlier calls, because the
// deadlines of one collection say nothing about the documents of another.
func (r *reading) checkOwner(c mongosh.Call, m method) error {
	if m.owner == nil {
		return nil
	}
	owner := m.owner(c)
	_, name := namesIn(owner)
	r.setName(name)
	if owner == "" || slices.Contains(r.owners, owner) {
		return nil
	}
	for _, other := range r.owners {
		if isOfShell(other) == isOfShell(owner) { // in a program one collection may have two names
			return fmt.Errorf("these are indexes of several collections, %s and %s; write the indexes of one", show(other), show(owner))
		}
	}
	r.owners = append(r.owners, owner)
	return nil
}

func isOfShell(owner string) bool { return strings.HasPrefix(owner, "db.") }

// hasTTLName reports whether a field within v has a name that is about a time to live.
func hasTTLName(v policy.Value) bool {
	for f := v.Fields(); f.Next(); {
		if isAboutTTL(f.Name()) || hasTTLName(f.Value()) {
			return true
		}
	}
	return slices.ContainsFunc(policy.AOf(v), hasTTLName)
}

func isWordPart(c rune) bool {
	return c == '_' || c == '$' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// addOptions reads createCollection(name, options).
func (r *reading) addOptions(c mongosh.Call) error {
	options := c.Keywords
	if len(c.Args) > 0 {
		r.setName(textOf(c.Args[0]))
	}
	if len(c.Args) > 1 {
		if c.Args[1].Kind() != policy.Object {
			return fmt.Errorf("the options of createCollection are %s, want a document", describe(c.Args[1]))
		}
		options = append(policy.DOf(c.Args[1]), options...)
	}
	r.Options = policy.ObjectValue(options)
	return r.evaluated(secondsOption, r.Options.Field(secondsOption))
}

// describe returns a description of a value, for an error about the wrong kind of value.
func describe(v policy.Value) string {
	if v.Kind() == policy.Code {
		return code(v) + ", which is not evaluated here"
	}
	return v.Kind().String()
}

func code(v policy.Value) string {
	wrapper, _ := policy.ParseJSON(policy.AppendExtJSON(nil, v)) // this JSON is always valid
	return show(textOf(wrapper.Value().Field("$code")))
}

// evaluated returns an error if a value that matters contains an expression.
func (r *reading) evaluated(what string, v policy.Value) (err error) {
	if !r.program {
		return nil
	}
	if v.Kind() == policy.Code {
		return fmt.Errorf("%s is %s, which is not evaluated here; write the value itself", what, code(v))
	}
	for f := v.Fields(); f.Next() && err == nil; {
		err = r.evaluated(what, f.Value())
	}
	for e := v.Elements(); e.Next() && err == nil; {
		err = r.evaluated(what, e.Value())
	}
	return err
}

// A Program is the result of [ReadProgram].
type Program struct {
	Parts []Part // in the order of the text
	// IsScript means that the text consists of such commands alone, so that they run in this
	// order. In any other text the order is not known, or whether a command runs at all.
	IsScript bool
}

// A Part is a command in a program, with its definition.
type Part struct {
	Database string // "" if the command does not name it
	At, End  int    // offsets of the command in the text
	Collection
	// Err is the reason why the command is no definition; nil if it is one.
	Err error
}

// errUnnamed is about a command on a collection that a variable holds.
var errUnnamed = errors.New("the command does not name its collection")

// ReadProgram reads the literal commands of a program as [ReadCollection] does, each by
// itself, because a program may define several collections. A command defines something only
// if it names its collection itself; a schema of mongoose needs no name. The error is that of
// [mongosh.Calls].
func ReadProgram(text string, now policy.Instant) (p Program, err error) {
	script, err := mongosh.Calls(text, now, isRead)
	if err != nil {
		return p, err
	}
	for _, c := range script.Calls {
		r := &reading{program: true, steps: true}
		part := Part{At: c.At, End: c.End}
		part.Err = r.add(c)
		part.Collection = r.Collection
		if part.Database, _ = namesIn(c.On); methods[c.Method].onDatabase {
			part.Database = databaseIn(c.On)
		}
		if part.Err == nil && len(r.Indexes) == 0 && r.Options.IsMissing() && r.Change == nil {
			continue
		}
		if part.Err == nil && part.Name == "" && c.Method != "Schema" {
			part.Err = errUnnamed
		}
		if part.Err == nil {
			part.Err = part.CheckNames()
		}
		p.Parts = append(p.Parts, part)
	}
	p.asScript(text, now)
	return p, nil
}

// choice matches a line by which a script of the shell chooses its database.
var choice = pattern.Lazy(`(?m)^[ \t]*(?:use[ \t]+([A-Za-z0-9_-]+)|db[ \t]*=[ \t]*db\.getSiblingDB\((?:"([^"\n]*)"|'([^'\n]*)')\))[ \t]*;?[ \t]*$`)

// asScript sets IsScript. In a script, the commands get the database that it has chosen before
// them.
func (p *Program) asScript(text string, now policy.Instant) {
	plain := choice().ReplaceAllStringFunc(text, func(found string) string { return strings.Repeat(" ", len(found)) })
	shell, err := mongosh.Parse(plain, now)
	if p.IsScript = err == nil && len(shell.Calls) > 0; !p.IsScript {
		return
	}
	choices, database := choice().FindAllStringSubmatchIndex(text, -1), ""
	for i := range p.Parts {
		part := &p.Parts[i]
		for len(choices) > 0 && choices[0][0] < part.At {
			for group := 2; group < len(choices[0]); group += 2 {
				if choices[0][group] >= 0 {
					database = text[choices[0][group]:choices[0][group+1]]
				}
			}
			choices = choices[1:]
		}
		if part.Database == "" {
			part.Database = database
		}
	}
}

// databaseIn returns the name of the database on which a call is made, "" if it is not said.
func databaseIn(owner string) string {
	if m := ofDatabase().FindStringSubmatch(owner); len(owner) <= maxOwner && m != nil && isPlain(m[1]+m[2]) {
		return m[1] + m[2]
	}
	return ""
}

// The ways in which an expression before a method names a collection itself: db.logs,
// db["logs"], db.getSiblingDB("shop").logs, db.getCollection("logs") and
// client.db("shop").collection("logs"). A variable names none.
var (
	byProperty = pattern.Lazy(`^(\$?db|.*[.>](?:getSiblingDB|getDB)\(\s*(?:"[^"]*"|'[^']*')\s*\))\s*(?:\.|->)\s*([A-Za-z0-9_$]+(?:\.[A-Za-z0-9_$]+)*)$`)
	byIndex    = pattern.Lazy(`^(\$?db|.*[.>](?:getSiblingDB|getDB)\(\s*(?:"[^"]*"|'[^']*')\s*\))\s*\[\s*(?:"([^"]*)"|'([^']*)')\s*\]$`)
	byCall     = pattern.Lazy(`(?s)^(.*)[.>]\s*(?:getCollection|collection|selectCollection|get_collection)\s*(?:<[^()]*>)?\(\s*(?:"([^"]*)"|'([^']*)')[^"'()]*\)$`)
	ofDatabase = pattern.Lazy(`(?:^|[.>])\s*(?:getSiblingDB|getDB|db|selectDatabase|get_database)\(\s*(?:"([^"]*)"|'([^']*)')[^"'()]*\)$`)
)

// maxOwner bounds the length of an expression that names a collection, in bytes.
const maxOwner = 1000

// namesIn returns the names of the database and the collection on which a call is made. A
// name that the expression does not say, or that a text may compute, is "".
func namesIn(owner string) (database, name string) {
	if len(owner) > maxOwner {
		return "", ""
	}
	before := ""
	if m := byProperty().FindStringSubmatch(owner); m != nil {
		before, name = m[1], m[2]
	} else if m := byIndex().FindStringSubmatch(owner); m != nil {
		before, name = m[1], m[2]+m[3]
	} else if m := byCall().FindStringSubmatch(owner); m != nil {
		before, name = m[1], m[2]+m[3]
	}
	if m := ofDatabase().FindStringSubmatch(strings.TrimSpace(before)); m != nil && isPlain(m[1]+m[2]) {
		database = m[1] + m[2]
	}
	if !isPlain(name) {
		return "", ""
	}
	return database, name
}

// isPlain reports whether a name holds no sign by which a language puts a text together.
func isPlain(name string) bool { return !strings.ContainsAny(name, "\\${}%\n") }

func (r *reading) setName(name string) {
	if r.Name == "" {
		r.Name = name
	}
}

// setNamespace sets the name of the collection from a namespace such as db.logs. Releases
// before 4.4 list each index with its namespace.
func (r *reading) setNamespace(ns policy.Value) {
	if text, ok := ns.AsString(); ok {
		_, name, _ := strings.Cut(text, ".")
		r.setName(strings.TrimPrefix(name, "$cmd.listIndexes."))
	}
}
