package liveconform

import (
	"fmt"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/answers"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// create creates a collection.
func (s *System) create(name string, options policy.D) error {
	_, err := s.run(s.ctx, commandOf("create", name, options))
	return err
}

// createIndex creates an index from any definition.
func (s *System) createIndex(name string, index policy.D) error {
	_, err := s.run(s.ctx, bson.D{{Key: "createIndexes", Value: name}, {Key: "indexes", Value: bson.A{policy.ObjectValue(index)}}})
	return err
}

// indexes returns the definitions in a collection, as the server shows them.
func (s *System) indexes(name string) (policy.A, error) {
	return s.list(s.ctx, bson.D{{Key: "listIndexes", Value: name}, {Key: "cursor", Value: bson.D{{Key: "batchSize", Value: 1000}}}})
}

// define creates the collection of a question, and its indexes. It returns the zero
// Answer if they exist as asked, else the answer to the question.
func (s *System) define(q conformance.Question, name string, options policy.D, indexes []policy.D) conformance.Answer {
	trouble := s.refused(whyRefused(q), "create", s.create(name, answers.CreateCommand(options)))
	for i := 0; i < len(indexes) && trouble.Kind == conformance.KindNone; i++ {
		indexes[i] = command.WithDefaultName(indexes[i])
		trouble = s.refused(whyRefused(q), "createIndexes", s.createIndex(name, indexes[i]))
	}
	if trouble.Kind != conformance.KindNone {
		return trouble
	}
	if answers.CheckPrecondition(q) == nil { // commands can create these definitions
		return conformance.Answer{}
	}
	isStored, err := s.stores(name, options, indexes)
	if err != nil || isStored {
		return s.answered(conformance.Answer{}, err)
	}
	return conformance.Unknown("the server takes what the question presumes for something else")
}

const refusesPresumed = "the server refuses what the question presumes"

// whyRefused returns the reason to report if a server refuses the collection of a
// question. If this library expects the refusal, the reason is that only an older release
// creates the collection, and an upgrade keeps it.
func whyRefused(q conformance.Question) string {
	if answers.CheckPrecondition(q) != nil {
		return "left by an older release: this one refuses to make it"
	}
	return refusesPresumed
}

// refused returns the answer to a question after a command that creates its collection: none if
// err is nil, unknown if the server refused the command, else a fault.
func (s *System) refused(why, command string, err error) conformance.Answer {
	a := s.answered(conformance.Answer{}, err)
	if r := a.Refusal; r != nil {
		return conformance.Unknown(fmt.Sprintf("%s: %s, %s (%d)", why, command, r.CodeName, r.Code))
	}
	return a
}

// stores reports whether a collection and its indexes were created as asked. It is called
// for definitions that, according to this library, commands cannot create.
func (s *System) stores(name string, options policy.D, indexes []policy.D) (bool, error) {
	collections, err := s.list(s.ctx, bson.D{{Key: "listCollections", Value: 1}, {Key: "filter", Value: bson.D{{Key: "name", Value: name}}}})
	if err != nil || len(collections) != 1 {
		return false, err
	}
	for _, e := range options {
		if e.Key != "clusteredIndex" && !isAlike(collections[0].Field("options").Field(e.Key), e.Value) {
			return false, nil // a server adds fields to clusteredIndex
		}
	}
	stored, err := s.indexes(name)
	if err != nil {
		return false, err
	}
	for _, x := range indexes {
		if !slices.ContainsFunc(stored, func(have policy.Value) bool { return isStoredAs(x, have) }) {
			return false, nil
		}
	}
	return true, nil
}

// isStoredAs reports whether a stored index has everything that was asked for.
func isStoredAs(asked policy.D, have policy.Value) bool {
	for _, e := range asked {
		if !isAlike(have.Field(e.Key), e.Value) {
			return false
		}
	}
	return true
}

// isAlike reports whether two values are identical, or are equal whole numbers of any
// types.
func isAlike(v, w policy.Value) bool {
	n, ok := mongofunc.WholeSeconds(v)
	m, isWhole := mongofunc.WholeSeconds(w)
	return suite.Same(v, w) || ok && isWhole && n == m
}

// askCommands answers questions about commands by sending them.
func (s *System) askCommands(list []*ask, give func([]*ask) bool) bool {
	for batch := range slices.Chunk(list, s.options.Collections) {
		names := make([]string, len(batch))
		for i := range batch {
			names[i] = s.nextName()
		}
		s.each(len(batch), func(i int) {
			batch[i].answer = s.command(batch[i].Question, names[i])
			if err := s.drop(s.ctx, names[i]); err != nil {
				s.fail(err)
			}
		})
		if !give(batch) {
			return false
		}
	}
	return true
}

// command answers a question about a command.
func (s *System) command(q conformance.Question, name string) conformance.Answer {
	in, err := q.Input()
	if err != nil {
		return conformance.Fault(err.Error())
	}
	if why := unaskable(q, in); why != "" {
		return conformance.Unknown(why)
	}
	if then, now := library.New().Ask(q), library.New().Ask(at(q, s.now())); then.String() != now.String() {
		return conformance.Unknown("the answer depends on the calendar, and not only on how long ago something was")
	}
	if strings.HasSuffix(q.Op, ".create") {
		err := s.create(name, in.Command)
		return s.answered(conformance.Result(struct{}{}), err)
	}
	if a := s.define(q, name, in.Collection, in.Existing); a.Kind != conformance.KindNone {
		return a
	}
	if strings.HasSuffix(q.Op, ".collMod") {
		return s.collMod(name, in.Command)
	}
	return s.createIndexes(q, name, in.Index)
}

// answered returns the answer a if err is nil, else the refusal or the fault that err
// means.
func (s *System) answered(a conformance.Answer, err error) conformance.Answer {
	if err == nil {
		return a
	}
	if r, ok := refusalOf(err); ok {
		return conformance.Refused(r)
	}
	s.fail(err)
	return conformance.Fault(err.Error())
}

// collMod sends a collMod command, and returns the server's reply as an answer.
func (s *System) collMod(name string, arguments policy.D) conformance.Answer {
	reply, err := s.run(s.ctx, commandOf("collMod", name, arguments))
	out := policy.D{}
	for _, name := range []string{"expireAfterSeconds_old", "expireAfterSeconds_new"} {
		if f := reply.Field(name); !f.IsMissing() {
			out = append(out, policy.E{Key: name, Value: f})
		}
	}
	return s.answered(result(out), err)
}

func result(d policy.D) conformance.Answer {
	return conformance.Answer{Kind: conformance.KindOut, Out: policy.AppendExtJSON(nil, policy.ObjectValue(d))}
}

// createIndexes creates an index, and answers with the definition that listIndexes shows
// afterwards.
func (s *System) createIndexes(q conformance.Question, name string, index policy.D) conformance.Answer {
	before, err := s.indexes(name)
	if err == nil {
		err = s.createIndex(name, index)
	}
	if err != nil {
		return s.answered(conformance.Answer{}, err)
	}
	after, err := s.indexes(name)
	out := policy.D{}
	if seconds := listedAs(after, index).Field("expireAfterSeconds"); !seconds.IsMissing() {
		out = append(out, policy.E{Key: "expireAfterSeconds", Value: storedAs(q, seconds)})
	}
	out = append(out, policy.E{Key: "created", Value: policy.BoolValue(len(after) > len(before))})
	return s.answered(result(out), err)
}

// listedAs returns the listed index with the name of index, or else the listed index with
// its key: a release that makes no second index of a key keeps the first name. Without
// such an index it returns a missing value.
func listedAs(list policy.A, index policy.D) policy.Value {
	for _, field := range []string{"name", "key"} {
		for _, have := range list {
			if suite.Same(have.Field(field), index.Field(field)) {
				return have
			}
		}
	}
	return policy.Value{}
}

// storedAs returns the stored seconds, given the listed ones. Some releases list another
// value than they store. If the listed value is the one that this library predicts,
// storedAs returns the predicted stored value, else the listed value.
func storedAs(q conformance.Question, shown policy.Value) policy.Value {
	out, err := policy.ParseExtJSON(library.New().Ask(q).Out)
	v, parseErr := mongo.ParseVersion(strings.TrimPrefix(q.Target.System+"@", conformance.MongoDB+"@") + q.Target.Version)
	if err != nil || parseErr != nil {
		return shown
	}
	p, err := mongo.ProfileOf(v)
	if err != nil {
		return shown
	}
	stored := out.Field("expireAfterSeconds")
	if expected, ok := mongofunc.F.Listed(p, stored); ok && suite.Same(expected, shown) {
		return stored
	}
	return shown
}
