package audit

import (
	"errors"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// repairs returns the two repairs of s: to keep every document, and to let documents
// expire after the seconds that s or --expire-after gives.
func (a *collectionAudit) repairs(s *source) []Repair {
	all := a.keepRepair(s)
	if n, ok := a.meant(s); ok {
		expire := a.expireRepair(n, a.expiring(s, n))
		for i := range expire {
			expire[i].isNew = s.index != "" && !a.deletes(s.spec, n)
		}
		all = append(all, expire...)
	}
	return all
}

// keepRepair returns the repair that keeps every document.
func (a *collectionAudit) keepRepair(s *source) []Repair {
	return a.repair("keep every document", a.keeping(s))
}

// expireRepair returns the repair that lets documents expire after n seconds.
func (a *collectionAudit) expireRepair(n int64, x *change.Way) []Repair {
	return a.withAtOnce(n, a.repair("let documents expire after "+catalog.Span(n), x), x)
}

// meant returns the expireAfterSeconds that s should have: the value of --expire-after,
// or the stored value. The result is false if the value is not a valid number; a number
// in quotes is valid.
func (a *collectionAudit) meant(s *source) (int64, bool) {
	option := s.Option
	if !a.options.ExpireAfter.IsMissing() {
		option = a.options.ExpireAfter
	}
	if text, ok := option.AsString(); ok {
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		return n, err == nil && 0 < n && n < int64(policy.MaxSeconds)
	}
	n, _ := seconds(option)
	return n, option.Kind().IsNumber() && !option.IsNaN() && 0 <= n && n < int64(policy.MaxSeconds)
}

// repair returns the repair with the commands of a change; nil if there are no commands,
// or if a command cannot be written.
func (a *collectionAudit) repair(purpose string, x *change.Way) []Repair {
	if x == nil {
		return nil
	}
	lines, err := x.Lines()
	if err != nil {
		a.unnamed = a.unnamed || errors.Is(err, change.ErrUnnamed)
		return nil
	}
	return []Repair{{Purpose: purpose, Commands: lines}}
}

// keeping returns the commands that stop s from deleting: they switch off the
// collection's option, or create the index again without expireAfterSeconds.
func (a *collectionAudit) keeping(s *source) *change.Way {
	if s.index == "" {
		return a.accepted(a.CollMod(policy.E{Key: "expireAfterSeconds", Value: policy.StringValue("off")}))
	}
	return a.recreate(s, a.WithoutTTL(s.raw))
}

// expiring returns the commands that make s delete after n seconds.
func (a *collectionAudit) expiring(s *source, n int64) *change.Way {
	switch {
	case s.index == "":
		return a.accepted(a.CollMod(secondsOption(n)))
	case !a.deletes(s.spec, n) && len(s.spec.Key) == 1 && indexType(s.spec) == "hashed":
		return a.indexing(s.Field, n) // a plain index beside the hashed one
	case !a.deletes(s.spec, n):
		return nil
	}
	reached := func(after mongo.CollectionSpec) bool { return catalog.HasSeconds(after, s.index, n) }
	x, _ := change.First(a.Collection, a.Spec, reached, a.SecondsWays(s.raw, n)...)
	return x
}

// deletes reports whether an index like x with a delay of n seconds deletes documents.
func (a *collectionAudit) deletes(x mongo.IndexSpec, n int64) bool {
	x.ExpireAfterSeconds = pasted.Integer(n)
	alone := a.Spec
	alone.Indexes, alone.ExpireAfterSeconds = []mongo.IndexSpec{x}, policy.Value{}
	by, err := mongo.CompileCollection(alone, a.Profile)
	return err == nil && change.IdleRule(by).IsZero()
}

// secondsOption returns the field expireAfterSeconds of a command.
func secondsOption(n int64) policy.E {
	return policy.E{Key: "expireAfterSeconds", Value: pasted.Integer(n)}
}

// indexing returns the command that creates a TTL index of one field; nil if the index
// would delete nothing.
func (a *collectionAudit) indexing(field string, n int64) *change.Way {
	plain := mongo.IndexSpec{Name: field + "_1", Key: policy.D{{Key: field, Value: policy.Int32Value(1)}}}
	if !a.deletes(plain, n) {
		return nil
	}
	return a.accepted(a.CreateIndexes(policy.D{
		{Key: "key", Value: policy.ObjectValue(plain.Key)}, {Key: "name", Value: policy.StringValue(plain.Name)}, secondsOption(n),
	}))
}

// recreate returns the commands that drop s and create the given index in its place.
func (a *collectionAudit) recreate(s *source, index policy.D) *change.Way {
	return a.accepted(a.DropIndexes(s.index), a.CreateIndexes(index))
}

// accepted returns the commands if the server accepts them one after another. It returns
// nil if the server refuses a command, or if it is unspecified whether the server does.
func (a *collectionAudit) accepted(commands ...catalog.Command) *change.Way {
	x, err := change.By(a.Collection, a.Spec, commands...)
	if err != nil {
		return nil
	}
	return x
}
