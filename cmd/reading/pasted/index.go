package pasted

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func (r *reading) addValue(v policy.Value, at int) error {
	text := func(name string) bool { return v.Field(name).Kind() == policy.String }
	list := func(name string) bool { return v.Field(name).Kind() == policy.List }
	switch {
	case v.Kind() == policy.List:
		return r.addList(v, at)
	case v.Kind() != policy.Object:
		return ErrNothing
	case v.Field("cursor").Kind() == policy.Object:
		return r.addReply(v.Field("cursor"), at)
	case text("createIndexes") && list("indexes"):
		r.setName(textOf(v.Field("createIndexes")))
		return r.addList(v.Field("indexes"), at)
	case text("create"):
		r.setName(textOf(v.Field("create")))
		return r.addOptions(mongosh.Call{Args: []policy.Value{v.Field("create"), v}})
	case text("collMod"):
		r.setName(textOf(v.Field("collMod")))
		return r.addChange(v, at)
	case text("dropIndexes") && !v.Field("index").IsMissing():
		return r.drop(v.Field("index"))
	case isIndex(v):
		return r.addIndex(v, at)
	case list("indexes"), v.Field("options").Kind() == policy.Object:
		return r.addMetadata(v, at)
	case isInformation(v):
		for f := v.Fields(); f.Next(); {
			named := append(policy.DOf(f.Value()), policy.E{Key: "name", Value: policy.StringValue(f.Name())})
			if err := r.addIndex(policy.ObjectValue(named), at); err != nil {
				return err
			}
		}
		return nil
	case isSchema(v):
		return r.addSchemaFields("", v, at)
	case isKeyPattern(v) && !r.program:
		return r.addKey(v)
	}
	return ErrNothing
}

// isIndex reports whether a value is an index, in one of the forms that
// addIndex reads.
func isIndex(v policy.Value) bool {
	return !v.Field("key").IsMissingOrNull() || !v.Field("keys").IsMissingOrNull() || v.Field("fields").Kind() == policy.Object && v.Field("options").Kind() == policy.Object
}

// A MisplacedError is about a key with an option among its fields.
type MisplacedError struct{ text string }

func (e *MisplacedError) Error() string { return e.text }

func (r *reading) addKey(key policy.Value) error {
	if wrong := misplaced(key); len(wrong) > 0 {
		return &MisplacedError{fmt.Sprintf("%s stands within the key, which would make an index of several fields without a time to live; write {key: %s, %s: %s}",
			show(wrong[0].Key), literal(WithoutField(key, wrong[0].Key)), secondsOption, literal(wrong[0].Value))}
	}
	if !r.Key.IsMissing() || len(r.Indexes) > 0 {
		return ErrNothing
	}
	r.Key = key
	return nil
}

// literal returns a value in the syntax of the shell, shortened if it is long.
func literal(v policy.Value) string {
	if text, ok := mongosh.Literal(v); ok && len(text) <= 60 {
		return text
	}
	return "…"
}

// isKeyPattern reports whether v may be the key of an index: each field has a
// direction, or the name of a kind of index.
func isKeyPattern(v policy.Value) bool {
	for f := v.Fields(); f.Next(); {
		if k := f.Value().Kind(); !k.IsNumber() && k != policy.String && k != policy.Code {
			return false
		}
	}
	return v.Kind() == policy.Object
}

// addList adds an array of indexes, as getIndexes() shows them.
func (r *reading) addList(v policy.Value, at int) error {
	r.listed = r.listed || !r.program
	list := policy.AOf(v)
	for _, x := range list {
		switch {
		case x.Kind() != policy.Object || isIndex(x):
			if err := r.addIndex(x, at); err != nil {
				return err
			}
		case len(list) != 2 || list[1].Field(secondsOption).IsMissing() || len(r.Indexes) > 0:
			return fmt.Errorf("an element of this array has no key: %w", ErrNothing)
		default: // a key and options
			return r.addCall(mongosh.Call{Method: "createIndex", Args: list, At: at})
		}
	}
	return nil
}

func (r *reading) addReply(cursor policy.Value, at int) error {
	if id, ok := cursor.Field("id").AsInt64(); ok && id != 0 {
		return errors.New("the reply is only the first batch of a longer list (cursor.id is not 0); write the whole list")
	}
	r.exact = true
	r.setNamespace(cursor.Field("ns"))
	for e := cursor.Field("firstBatch").Elements(); e.Next(); {
		switch v := e.Value(); {
		case v.Field("options").Kind() == policy.Object && r.Options.IsMissing() && v.Field("key").IsMissing():
			r.Options = v.Field("options")
		case v.Field("key").Kind() == policy.Object:
			r.addExact(v, at)
		default:
			return errors.New("the reply holds several collections, or something that is neither an index nor a collection; write the indexes of one collection")
		}
	}
	return nil
}

// addMetadata adds the metadata that mongodump writes of a collection. It
// accepts unknown options, because a server ignores them.
func (r *reading) addMetadata(v policy.Value, at int) error {
	if r.Options = v.Field("options"); r.Options.IsMissingOrNull() {
		r.Options = policy.Value{}
	}
	for e := v.Field("indexes").Elements(); e.Next(); {
		r.addExact(e.Value(), at)
	}
	r.listed, r.exact = true, true
	return nil
}

// isInformation reports whether v is a result of pymongo's index_information():
// indexes by their names.
func isInformation(v policy.Value) bool {
	n := 0
	for f := v.Fields(); f.Next(); n++ {
		if f.Value().Field("key").Kind() != policy.List {
			return false
		}
	}
	return n > 0
}

// addChange applies a collMod to the index or the option that was read before it. If
// there is no such index, it adds the index in its state after the command.
func (r *reading) addChange(v policy.Value, at int) error {
	index := v.Field("index")
	if index.Kind() != policy.Object {
		return r.changeOption(v)
	}
	if index.Field(secondsOption).IsMissing() {
		return fmt.Errorf("this collMod changes no time to live: %w", ErrNothing)
	}
	for _, name := range []string{"keyPattern", "name", secondsOption} {
		if err := r.evaluated(name, index.Field(name)); err != nil {
			return err
		}
	}
	if i := slices.IndexFunc(r.Indexes, func(x policy.Value) bool { return Addresses(index, x) }); i >= 0 {
		r.Indexes[i] = WithField(r.Indexes[i], secondsOption, index.Field(secondsOption))
		return nil
	}
	key := index.Field("keyPattern")
	ok := key.Kind() == policy.Object
	if !ok {
		key, ok = keyOfName(index.Field("name"))
	}
	r.Change = policy.DOf(v)
	switch {
	case !ok && r.steps:
		return nil
	case !ok:
		return errors.New("collMod names an index whose key is not known; name its keyPattern: {collMod: \"c\", index: {keyPattern: {createdAt: 1}, expireAfterSeconds: 3600}}")
	case !r.steps:
		r.note(at, ChangeNote(index))
	}
	return r.addExactChecked(policy.ObjectValue(append(policy.D{{Key: "key", Value: key}}, Without(index, "keyPattern")...)), at)
}

// ChangeNote explains the reading of a collMod whose index is not created earlier in the
// text.
func ChangeNote(address policy.Value) string {
	if address.Field("keyPattern").Kind() == policy.Object {
		return "collMod changes an index; this is what becomes of one with this key."
	}
	return fmt.Sprintf("collMod changes the index %s, which is taken for the one on one field that has this name by default.", show(textOf(address.Field("name"))))
}

// changeOption applies a collMod to the option of a time-series or clustered collection that
// was read before it.
func (r *reading) changeOption(v policy.Value) error {
	seconds := v.Field(secondsOption)
	if seconds.IsMissing() {
		return fmt.Errorf("this collMod changes no time to live: %w", ErrNothing)
	}
	if err := r.evaluated(secondsOption, seconds); err != nil {
		return err
	}
	if r.Change = policy.DOf(v); r.steps {
		return nil
	}
	if r.Options.Field("timeseries").IsMissingOrNull() && r.Options.Field("clusteredIndex").IsMissingOrNull() {
		return errors.New("collMod changes the option of a time-series or clustered collection; write its createCollection before it, or name an index with a keyPattern")
	}
	r.Options = WithField(r.Options, secondsOption, seconds)
	return nil
}

// addDrop removes the indexes that dropIndex or dropIndexes drops. If calls are read
// separately, it reads drop as a change of the collection.
func (r *reading) addDrop(c mongosh.Call) error {
	switch {
	case c.Method == "drop" && !r.steps:
		return errNotRead
	case c.Method == "drop":
		r.Change = policy.D{{Key: "drop", Value: policy.BoolValue(true)}}
		return nil
	case len(c.Args) == 0:
		return r.drop(policy.StringValue("*"))
	}
	return r.drop(c.Args[0])
}

// drop removes indexes by name or key; "*" means all.
func (r *reading) drop(what policy.Value) error {
	r.Change = policy.D{{Key: "dropIndexes", Value: policy.BoolValue(true)}, {Key: "index", Value: what}}
	r.Indexes = slices.DeleteFunc(r.Indexes, func(x policy.Value) bool { return Drops(what, x) })
	return nil
}

// Drops reports whether dropIndexes with this value of index, which may be a name, a key, a
// list of names or "*", drops an index.
func Drops(what, index policy.Value) bool {
	switch what.Kind() {
	case policy.Object:
		return what.Equal(index.Field("key"))
	case policy.List:
		return slices.ContainsFunc(policy.AOf(what), func(name policy.Value) bool { return Drops(name, index) })
	}
	name := textOf(what)
	return name == "*" || name != "" && name == nameOf(index)
}

// nameOf returns the name of an index, or its default name if it gives no name.
func nameOf(index policy.Value) string {
	return textOf(policy.ObjectValue(command.WithDefaultName(policy.DOf(index))).Field("name"))
}

// Addresses reports whether collMod with this value of index changes an index.
func Addresses(address, index policy.Value) bool {
	if name := address.Field("name"); name.Kind() == policy.String {
		return textOf(name) == nameOf(index)
	}
	return address.Field("keyPattern").Kind() == policy.Object && address.Field("keyPattern").Equal(index.Field("key"))
}

// keyOfName returns the key of an index on one field from its default name, such as
// createdAt_1.
func keyOfName(name policy.Value) (policy.Value, bool) {
	isCompound := func(field string) bool {
		return slices.ContainsFunc([]string{"_1_", "_-1_", "_hashed_", "_text_", "_2d_", "_2dsphere_"}, func(inner string) bool { return strings.Contains(field, inner) })
	}
	for end, direction := range map[string]int32{"_1": 1, "_-1": -1} {
		field, ok := strings.CutSuffix(textOf(name), end)
		if ok && isPlainName(field) && !isCompound(field) {
			return policy.ObjectValue(policy.D{{Key: field, Value: policy.Int32Value(direction)}}), true
		}
	}
	return policy.Value{}, false
}

func textOf(v policy.Value) string {
	text, _ := v.AsString()
	return text
}

// Without returns the fields of an object except those with the given names.
func Without(object policy.Value, names ...string) policy.D {
	return slices.DeleteFunc(policy.DOf(object), func(e policy.E) bool { return slices.Contains(names, e.Key) })
}

// WithoutField returns an object without the fields of this name.
func WithoutField(object policy.Value, name string) policy.Value {
	return policy.ObjectValue(Without(object, name))
}

// WithField returns an object with a field set: the first of that name, or else a new one.
func WithField(object policy.Value, name string, v policy.Value) policy.Value {
	d := policy.DOf(object)
	if i := slices.IndexFunc(d, func(e policy.E) bool { return e.Key == name }); i >= 0 {
		d[i].Value = v
	} else {
		d = append(d, policy.E{Key: name, Value: v})
	}
	return policy.ObjectValue(d)
}

// addExact adds an index unchanged, and adds the remarks about the index to the notes.
func (r *reading) addExact(index policy.Value, at int) {
	r.setNamespace(index.Field("ns"))
	r.Indexes = append(r.Indexes, index)
	r.Places = append(r.Places, at)
	for _, remark := range IndexRemarks(index) {
		r.note(at, remark.Text)
	}
}

// addExactChecked is addExact for an index that may hold expressions. It leaves out an option
// that is an expression and does not affect deletion, such as unique.
func (r *reading) addExactChecked(index policy.Value, at int) error {
	for _, name := range []string{"key", secondsOption, filterOption} {
		if err := r.evaluated(name, index.Field(name)); err != nil {
			return err
		}
	}
	for f := index.Fields(); f.Next(); {
		if name := f.Name(); strings.Contains(name, "_") && isLikeSeconds(name) && index.Field("v").IsMissing() { // v is in listings alone
			return fmt.Errorf("%s is the option's name in another language, such as Ruby, and is not read here; write expireAfterSeconds: 3600", show(name))
		}
	}
	if index.Kind() == policy.Object {
		index = policy.ObjectValue(slices.DeleteFunc(policy.DOf(index), func(e policy.E) bool { return r.evaluated(e.Key, e.Value) != nil }))
	}
	r.addExact(index, at)
	return nil
}

// addIndex adds an index as listings show it, with the options of Compass within extra, or as an
// object of pymongo, whose key is keys.
func (r *reading) addIndex(v policy.Value, at int) error {
	if v.Kind() != policy.Object {
		return fmt.Errorf("an index is %s, want a document such as {key: {createdAt: 1}, expireAfterSeconds: 3600}", describe(v))
	}
	isCompass := v.Field("extra").Kind() == policy.Object
	var d policy.D
	for _, e := range policy.DOf(v) {
		switch {
		case isCompass && e.Key == "extra":
			d = append(d, policy.DOf(e.Value)...)
			r.note(at, "Read as an index of Compass: what stands in extra are its options.")
		case e.Key == "keys" && v.Field("key").IsMissing():
			d = append(d, policy.E{Key: "key", Value: e.Value})
		case !isCompass || e.Key == "key" || e.Key == "name" || e.Key == secondsOption || e.Key == filterOption || indexOption(e.Key) != "":
			d = append(d, e) // of the fields beside extra, only these belong to the index
		}
	}
	return r.addDefined(d, at)
}

// addDefined adds an index whose key may be written in any way.
func (r *reading) addDefined(d policy.D, at int) error {
	for i := range d {
		if d[i].Key == "key" {
			var err error
			if d[i].Value, err = r.keyOf(d[i].Value); err != nil {
				return err
			}
		}
	}
	return r.addExactChecked(policy.ObjectValue(d), at)
}

// keyOf returns a key pattern that may be a document, a field, or a list of
// fields with their directions, as pymongo and other drivers accept it.
func (r *reading) keyOf(v policy.Value) (policy.Value, error) {
	var d policy.D
	switch v.Kind() {
	case policy.String:
		name, _ := v.AsString()
		d = policy.D{{Key: name, Value: policy.Int32Value(1)}}
	case policy.Object:
		for _, e := range policy.DOf(v) {
			d = append(d, policy.E{Key: e.Key, Value: r.direction(e.Value)})
		}
	case policy.List:
		for e := v.Elements(); e.Next(); {
			pair, err := r.pairOf(e.Value())
			if err != nil {
				return v, err
			}
			d = append(d, pair)
		}
	default:
		return v, fmt.Errorf("the key of an index is %s, want a document such as {createdAt: 1}", describe(v))
	}
	return policy.ObjectValue(d), nil
}

// pairOf reads one field of a key in a list: "at", or ("at", 1).
func (r *reading) pairOf(v policy.Value) (policy.E, error) {
	if name, ok := v.AsString(); ok {
		return policy.E{Key: name, Value: policy.Int32Value(1)}, nil
	}
	parts := policy.AOf(v)
	if len(parts) == 2 {
		if name, ok := parts[0].AsString(); ok {
			return policy.E{Key: name, Value: r.direction(parts[1])}, nil
		}
	}
	return policy.E{}, fmt.Errorf("a field of a key is %s, want a pair such as (\"createdAt\", 1)", describe(v))
}

// directions are the names that pymongo has for the directions in a key.
var directions = map[string]policy.Value{"ASCENDING": policy.Int32Value(1), "DESCENDING": policy.Int32Value(-1)}

// direction returns the value of a name such as pymongo.ASCENDING. It returns
// any other value unchanged.
func (r *reading) direction(v policy.Value) policy.Value {
	if !r.program || v.Kind() != policy.Code {
		return v
	}
	name := code(v)
	if d, ok := directions[name[strings.LastIndexByte(name, '.')+1:]]; ok {
		return d
	}
	return v
}

// addCall reads createIndex(key, options) and its forms in drivers and
// mongoose.
func (r *reading) addCall(c mongosh.Call) error {
	key, options := policy.Value{}, slices.Clone(c.Keywords)
	switch {
	case len(c.Args) > 3, len(c.Args) == 3 && hasTTLName(c.Args[2]):
		return fmt.Errorf("%s has %d arguments, want a key and, as the second argument, options", c.Method, len(c.Args))
	case len(c.Args) > 0:
		key = c.Args[0]
	}
	if len(c.Args) > 1 {
		if c.Args[1].Kind() != policy.Object {
			return fmt.Errorf("the options of %s are %s, want a document", c.Method, describe(c.Args[1]))
		}
		options = append(policy.DOf(c.Args[1]), options...)
	}
	if c.Method == "index" {
		var err error
		if key, options, err = r.mongooseIndex(key, options, c.At); err != nil {
			return err
		}
	}
	d := policy.D{{Key: "key", Value: key}}
	for _, e := range options {
		if key.IsMissing() && e.Key == "keys" {
			d[0].Value = e.Value
			continue
		}
		d = append(d, e)
	}
	return r.addDefined(d, c.At)
}

// addCalls reads createIndexes, whose argument is a list of indexes, or a list of keys
// followed by the options of all these keys.
func (r *reading) addCalls(c mongosh.Call) error {
	if len(c.Args) == 0 || c.Args[0].Kind() != policy.List {
		return fmt.Errorf("%s accepts an array of keys or indexes", c.Method)
	}

	for _, v := range policy.AOf(c.Args[0]) {
		one, err := c, error(nil)
		if one.Args = append([]policy.Value{v}, c.Args[1:]...); isIndex(v) {
			err = r.addIndex(v, c.At)
		} else {
			err = r.addCall(one)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
