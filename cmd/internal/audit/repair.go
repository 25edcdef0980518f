package audit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/mongosh"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A command is one server command, before it is written for mongosh.
type command policy.D

// repairs returns the ways to make s say what it does: to keep every document,
// and to let documents expire after the seconds that are known or given.
func (a *collectionAudit) repairs(s *source) []Repair {
	n, ok := a.meant(s)
	all := []Repair{a.repair("keep every document", a.keeping(s))}
	if ok {
		all = append(all, a.repair("let documents expire after "+duration(n), a.expiring(s, n)))
	}
	return present(all)
}

// present leaves out repairs that nothing can be done for.
func present(all []Repair) (some []Repair) {
	for _, r := range all {
		if len(r.Commands) > 0 {
			some = append(some, r)
		}
	}
	return some
}

// meant returns the expireAfterSeconds that s should have: the one that was
// given, or else its own if that is a number an index may have, also one that
// was put between quotes.
func (a *collectionAudit) meant(s *source) (int64, bool) {
	option := s.Option
	if !a.ExpireAfter.IsMissing() {
		option = a.ExpireAfter
	}
	n, _ := seconds(option)
	if text, ok := option.AsString(); ok {
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		return n, err == nil && 0 < n && n < int64(policy.MaxSeconds)
	}
	known := option.Kind().IsNumber() && !option.IsNaN() && 0 <= n && n < int64(policy.MaxSeconds)
	return n, known
}

// repair writes commands for mongosh. It has none if one of them cannot be
// written.
func (a *collectionAudit) repair(purpose string, commands []command) Repair {
	r := Repair{Purpose: purpose}
	for _, c := range commands {
		line, ok := a.line(c)
		if !ok {
			return Repair{}
		}
		r.Commands = append(r.Commands, line)
	}
	return r
}

// line writes one command for mongosh. It reports false if the collection's
// name is not known.
func (a *collectionAudit) line(c command) (string, bool) {
	if a.target.Name == "" {
		return "", false
	}
	if a.target.Database == "" {
		text, ok := mongosh.Literal(policy.ObjectValue(policy.D(c)))
		return "db.runCommand(" + text + ")", ok
	}
	return mongosh.Command(a.target.Database, policy.D(c))
}

// keeping returns the commands by which s deletes nothing any more: the
// collection's option is switched off, an index created again without it.
func (a *collectionAudit) keeping(s *source) []command {
	if s.index == "" {
		return a.accepted(a.collMod(policy.E{Key: "expireAfterSeconds", Value: policy.StringValue("off")}))
	}
	return a.recreate(s, a.withoutTTL(s.raw))
}

// expiring returns the commands by which s deletes after n seconds.
func (a *collectionAudit) expiring(s *source, n int64) []command {
	option := policy.E{Key: "expireAfterSeconds", Value: number(n)}
	if s.index == "" {
		return a.accepted(a.collMod(option))
	}
	if !a.deletes(s.spec, n) {
		return a.plainTTL(s, option)
	}
	for _, address := range []policy.E{
		{Key: "name", Value: policy.StringValue(s.index)},
		{Key: "keyPattern", Value: s.raw.Field("key")}, // up to 3.2 there is no other address
	} {
		index := policy.ObjectValue(policy.D{address, option})
		if c := a.accepted(a.collMod(policy.E{Key: "index", Value: index})); c != nil {
			return c
		}
	}
	return a.recreate(s, append(a.withoutTTL(s.raw), option))
}

// deletes reports whether an index like this deletes after n seconds.
func (a *collectionAudit) deletes(x mongo.IndexSpec, n int64) bool {
	x.ExpireAfterSeconds = number(n)
	alone := a.spec
	alone.Indexes, alone.ExpireAfterSeconds = []mongo.IndexSpec{x}, policy.Value{}
	by, err := mongo.CompileCollection(alone, a.profile)
	return err == nil && idleRule(by) == nil
}

// plainTTL returns the command that makes a plain index beside a hashed one.
func (a *collectionAudit) plainTTL(s *source, option policy.E) []command {
	n, _ := option.Value.AsInt64()
	plain := mongo.IndexSpec{Name: s.Field + "_1", Key: policy.D{{Key: s.Field, Value: policy.Int32Value(1)}}}
	if len(s.spec.Key) != 1 || indexType(s.spec) != "hashed" || !a.deletes(plain, n) {
		return nil
	}
	return a.accepted(a.createIndexes(policy.D{
		{Key: "key", Value: policy.ObjectValue(plain.Key)}, {Key: "name", Value: policy.StringValue(plain.Name)}, option,
	}))
}

// recreate returns the commands that drop s and create it again as given.
func (a *collectionAudit) recreate(s *source, index policy.D) []command {
	return a.accepted(a.dropIndexes(s), a.createIndexes(index))
}

// wholeRepair returns the repair that stores n for what works as n.
func (a *collectionAudit) wholeRepair(s *source, n int64) []Repair {
	return present([]Repair{a.repair("store what it works as", a.expiring(s, n))})
}

// dropRepair returns the repair that drops s.
func (a *collectionAudit) dropRepair(s *source, purpose string) []Repair {
	return present([]Repair{a.repair(purpose, a.accepted(a.dropIndexes(s)))})
}

func (a *collectionAudit) collMod(change policy.E) command {
	return command{{Key: "collMod", Value: policy.StringValue(a.target.Name)}, change}
}

func (a *collectionAudit) createIndexes(index policy.D) command {
	return command{
		{Key: "createIndexes", Value: policy.StringValue(a.target.Name)},
		{Key: "indexes", Value: policy.ListValue(policy.A{policy.ObjectValue(index)})},
	}
}

func (a *collectionAudit) dropIndexes(s *source) command {
	return command{
		{Key: "dropIndexes", Value: policy.StringValue(a.target.Name)},
		{Key: "index", Value: policy.StringValue(s.index)},
	}
}

// number returns n as an int if it is one.
func number(n int64) policy.Value {
	if n == int64(int32(n)) {
		return policy.Int32Value(int32(n))
	}
	return policy.Int64Value(n)
}

// notCreated are the fields of a listed index that createIndexes is not given
// again.
var notCreated = []string{"v", "ns", "background"}

// asCreated returns a listed index as createIndexes accepts it. The simple
// collation, which releases list or leave out, is said only where the collection
// has another that the index would be given.
func (a *collectionAudit) asCreated(raw policy.Value) policy.D {
	d := slices.DeleteFunc(policy.DOf(raw), func(e policy.E) bool {
		return slices.Contains(notCreated, e.Key) || e.Key == "collation" && isSimple(e.Value)
	})
	if isSimple(raw.Field("collation")) && !isSimple(a.collation) {
		simple := policy.D{{Key: "locale", Value: policy.StringValue("simple")}}
		d = append(d, policy.E{Key: "collation", Value: policy.ObjectValue(simple)})
	}
	return d
}

// isSimple reports whether package mongo reads a collation as the simple one, which
// a missing one is too.
func isSimple(collation policy.Value) bool {
	x, err := mongo.ParseIndexSpec(policy.ObjectValue(policy.D{
		{Key: "key", Value: policy.ObjectValue(policy.D{{Key: "a", Value: policy.Int32Value(1)}})}, {Key: "collation", Value: collation},
	}))
	return err == nil && x.Collation.IsMissing()
}

// withoutTTL is asCreated without the option.
func (a *collectionAudit) withoutTTL(raw policy.Value) policy.D {
	return slices.DeleteFunc(a.asCreated(raw), func(e policy.E) bool { return e.Key == "expireAfterSeconds" })
}

// accepted returns the commands if the server accepts them one after another, nil
// if it refuses one, or if that is not established.
func (a *collectionAudit) accepted(commands ...command) []command {
	spec := a.spec
	for _, c := range commands {
		var ok bool
		if spec, ok = a.after(spec, c); !ok {
			return nil
		}
	}
	return commands
}

// after returns the collection as it is after a command. It reports false if
// the server refuses it.
func (a *collectionAudit) after(spec mongo.CollectionSpec, c command) (mongo.CollectionSpec, bool) {
	switch c[0].Key {
	case "collMod":
		reply, err := mongo.ValidateCollMod(spec, policy.D(c[1:]), a.profile, a.Now)
		return reply.Collection, err == nil
	case "dropIndexes":
		return dropped(spec, textOf(c[1].Value))
	}
	return a.created(spec, c[1].Value)
}

// dropped returns the collection without the index of this name. The index on
// _id cannot be dropped.
func dropped(spec mongo.CollectionSpec, name string) (mongo.CollectionSpec, bool) {
	i := slices.IndexFunc(spec.Indexes, func(x mongo.IndexSpec) bool { return x.Name == name })
	if i < 0 || spec.Indexes[i].Clustered || isID(spec.Indexes[i].Key) {
		return spec, false
	}
	spec.Indexes = slices.Delete(slices.Clone(spec.Indexes), i, i+1)
	return spec, true
}

func isID(key policy.D) bool {
	return len(key) == 1 && key[0].Key == "_id" && key[0].Value.Kind().IsNumber()
}

// created returns the collection with the indexes that are listed. It reports
// false if one is refused, or is there already.
func (a *collectionAudit) created(spec mongo.CollectionSpec, list policy.Value) (mongo.CollectionSpec, bool) {
	spec.Indexes = slices.Clone(spec.Indexes)
	e := list.Elements()
	for e.Next() {
		x, err := mongo.ValidateCreateIndexes(spec, mongo.WithName(policy.DOf(e.Value())), a.profile, a.Now)
		if err != nil || !x.Created {
			return spec, false
		}
		spec.Indexes = append(spec.Indexes, x.Index)
	}
	return spec, true
}
