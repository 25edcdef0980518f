package liveconform

import (
	"errors"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A history sets the clock, and nobody can set a server's clock. So at each tick the run
// moves the dates of all stored documents, until the history's clock is the server's. Then
// it waits for sweeps. The histories of a batch wait for the same sweeps.
//
// Between two ticks the server sweeps too, and its clock runs. A history is judged only if,
// according to this library, neither affects what it sees.

// historyOp is the operation about a policy that changes.
const historyOp = "mongodb.history"

// A played is a history that happens to a collection.
type played struct {
	*ask
	name  string
	steps []policy.D // those that are left
	clock policy.Instant
	set   policy.Instant // the server's time at which its clock was the history's
	drift policy.Instant // the longest time for which the server's clock ran on
	order policy.A       // the _ids in the order in which the documents were first stored
	looks policy.A
}

// ahead returns by how much the dates in the server are ahead of those of the history.
func (p *played) ahead() int64 { return int64(p.set - p.clock) }

// askHistories plays the histories.
func (s *System) askHistories(list []*ask, give func([]*ask) bool) bool {
	for batch := range slices.Chunk(list, s.options.Collections) {
		s.play(batch)
		if s.Err() != nil || !give(batch) {
			return false
		}
	}
	return true
}

// play plays the histories of a batch side by side, from tick to tick.
func (s *System) play(batch []*ask) {
	var all []*played
	for _, a := range batch {
		if p := s.planHistory(a); p != nil {
			all = append(all, p)
		}
	}
	defer s.each(len(all), func(i int) {
		if err := s.drop(s.ctx, all[i].name); err != nil {
			s.fail(err)
		}
	})
	for open := all; len(open) > 0 && s.Err() == nil; {
		s.each(len(open), func(i int) { s.advance(open[i]) })
		open = slices.DeleteFunc(slices.Clone(open), func(p *played) bool { return p.answer.Kind != conformance.KindNone })
		if len(open) > 0 && s.Err() == nil {
			s.tick(open)
		}
	}
}

// planHistory begins a history. It returns nil if the history cannot be asked, and sets the
// answer.
func (s *System) planHistory(a *ask) *played {
	in, err := a.Input()
	if err != nil {
		a.answer = conformance.Fault(err.Error())
		return nil
	}
	if known := library.New().Ask(a.Question); known.Kind == conformance.KindFault {
		a.answer = known // a step that no history has
		return nil
	}
	p := &played{ask: a, name: s.nextName(), steps: in.Steps, clock: in.Now, set: s.now()}
	why := unaskableHistory(a.Question, in)
	if q, err := moved(a.Question, p.ahead()); why == "" && (err != nil || !answersAlike(a.Question, q)) {
		why = "the answer depends on the calendar, and not only on how long ago something was"
	}
	if why != "" {
		a.answer = conformance.Unknown(why)
		return nil
	}
	return p
}

// unaskableHistory returns the reason why a run cannot play a history; "" if there is none.
func unaskableHistory(q conformance.Question, in conformance.Input) string {
	if len(q.Target.Parameters) > 0 {
		return "a run sets no server parameters"
	}
	for _, step := range in.Steps {
		first, last, hasDates := datesIn(step[0].Value)
		_, _, idMoves := datesIn(step[0].Value.Field("_id"))
		switch step[0].Key {
		case "restart":
			return "a run does not restart the server"
		case "create", "createIndexes", "collMod":
			if hasDates {
				return "the dates of a definition do not move with the clock"
			}
		case "delete":
			idMoves = hasDates
		}
		switch {
		case idMoves:
			return "an _id does not move with the clock"
		case first < -farthest || last > farthest:
			return "the dates are too far from today to be moved"
		}
	}
	return ""
}

// answersAlike reports whether this library answers two questions alike.
func answersAlike(q, other conformance.Question) bool {
	return library.New().Ask(q).String() == library.New().Ask(other).String()
}

// isSteady reports whether a history sees the same, according to this library, if the server
// sweeps after every step, at the clock of the last tick and when that clock has run on.
func (p *played) isSteady(drift policy.Instant) bool {
	in, err := p.Input()
	return err == nil && answersAlike(p.Question, sweptOften(p.Question, in, 0)) && answersAlike(p.Question, sweptOften(p.Question, in, drift))
}

// sweptOften returns a history with a tick after every step, and later clocks.
func sweptOften(q conformance.Question, in conformance.Input, by policy.Instant) conformance.Question {
	clock, steps := in.Now, policy.A{}
	for _, step := range in.Steps {
		if at, ok := step.Field("tick").AsDate(); ok {
			clock = at
		} else {
			steps = append(steps, policy.ObjectValue(step))
		}
		steps = append(steps, policy.ObjectValue(policy.D{{Key: "tick", Value: policy.DateValue(clock + by)}}))
	}
	return with(q, "steps", policy.ListValue(steps))
}

// advance takes the steps of a history before its next tick. At the end of the history it
// sets the answer.
func (s *System) advance(p *played) {
	for len(p.steps) > 0 && p.answer.Kind == conformance.KindNone && s.Err() == nil {
		step := p.steps[0][0]
		if step.Key == "tick" {
			return
		}
		p.steps = p.steps[1:]
		p.answer = s.took(s.take(p, step.Key, step.Value))
	}
	if p.answer.Kind != conformance.KindNone || s.Err() != nil {
		return
	}
	p.drift = max(p.drift, s.now()-p.set)
	if p.answer = result(policy.D{{Key: "looks", Value: policy.ListValue(p.looks)}}); !p.isSteady(p.drift + policy.Instant(slack.Milliseconds())) {
		p.answer = conformance.OnBoundary("a sweep between two steps, or the time that was waited, can change what is seen")
	}
}

// took returns the answer that the error of a step means; the zero Answer for nil.
func (s *System) took(err error) conformance.Answer {
	var each writeError
	switch {
	case err == nil:
		return conformance.Answer{}
	case errors.As(err, &each):
		return conformance.Unknown(fmt.Sprintf("the server refuses the document (%d)", each.code))
	}
	return s.answered(conformance.Answer{}, err)
}

// take takes a step that is no tick.
func (s *System) take(p *played, name string, argument policy.Value) error {
	switch name {
	case "look":
		ids, err := s.left(p.name, len(p.order)+100)
		p.looks = append(p.looks, policy.ListValue(inOrder(ids, p.order)))
		return err
	case "create":
		return s.create(p.name, policy.DOf(argument))
	case "createIndexes":
		return s.createIndex(p.name, command.WithDefaultName(policy.DOf(argument)))
	case "collMod":
		_, err := s.run(s.ctx, commandOf("collMod", p.name, policy.DOf(argument)))
		return err
	case "dropIndexes":
		_, err := s.run(s.ctx, commandOf("dropIndexes", p.name, policy.D{{Key: "index", Value: argument}}))
		return err
	case "drop":
		p.order = nil
		return s.drop(s.ctx, p.name)
	case "write":
		isNew, err := s.update(p.name, argument.Field("_id"), movedValue(argument, p.ahead()), true)
		if isNew {
			id := argument.Field("_id")
			p.order = append(slices.DeleteFunc(p.order, func(have policy.Value) bool { return suite.Same(have, id) }), id)
		}
		return err
	case "update":
		unset := policy.D{}
		for e := argument.Field("unset").Elements(); e.Next(); {
			field, _ := e.Value().AsString()
			unset = append(unset, policy.E{Key: field, Value: policy.StringValue("")})
		}
		operators := policy.D{{Key: "$set", Value: argument.Field("set")}, {Key: "$unset", Value: policy.ObjectValue(unset)}}
		operators = slices.DeleteFunc(operators, func(e policy.E) bool { return len(policy.DOf(e.Value)) == 0 }) // which servers before 5.0 refuse
		if len(operators) == 0 {
			return nil
		}
		_, err := s.update(p.name, argument.Field("_id"), movedValue(policy.ObjectValue(operators), p.ahead()), false)
		return err
	case "delete":
		q := bson.D{{Key: "_id", Value: argument}}
		_, err := s.run(s.ctx, bson.D{{Key: "delete", Value: p.name}, {Key: "deletes", Value: bson.A{bson.D{{Key: "q", Value: q}, {Key: "limit", Value: 1}}}}})
		return err
	}
	return fmt.Errorf("unknown step %q", name)
}

// update replaces or changes the document with an _id, and reports whether it was inserted.
func (s *System) update(name string, id, u policy.Value, upsert bool) (isNew bool, err error) {
	q := bson.D{{Key: "_id", Value: id}}
	reply, err := s.run(s.ctx, bson.D{{Key: "update", Value: name}, {Key: "updates", Value: bson.A{bson.D{{Key: "q", Value: q}, {Key: "u", Value: u}, {Key: "upsert", Value: upsert}}}}})
	if refused, err := refusedWrites(err); err != nil {
		return false, err
	} else if e, ok := refused[0]; ok {
		return false, e
	}
	return !reply.Field("upserted").IsMissing(), nil
}

// inOrder returns the _ids in the order in which their documents were stored, and then those
// of documents that nobody stored.
func inOrder(ids, order policy.A) policy.A {
	others := slices.DeleteFunc(slices.Clone(ids), func(id policy.Value) bool { return isAmong(order, id) })
	return append(slices.DeleteFunc(append(policy.A{}, order...), func(id policy.Value) bool { return !isAmong(ids, id) }), others...)
}

func isAmong(list policy.A, id policy.Value) bool {
	return slices.ContainsFunc(list, func(have policy.Value) bool { return suite.Same(have, id) })
}

// tick sets the clocks of histories that stand before a tick, and waits for sweeps.
func (s *System) tick(open []*played) {
	b, _ := s.gather(nil, 0)
	defer func() {
		for _, c := range b.sentinels {
			if err := s.drop(s.ctx, c.name); err != nil {
				s.fail(err)
			}
		}
	}()
	s.makeCollection(b.sentinels[0])
	s.each(len(open), func(i int) { open[i].answer = s.took(s.setClock(open[i])) })
	s.makeCollection(b.sentinels[1])
	if s.Err() != nil {
		return
	}
	switch err := s.wait(b); {
	case errors.Is(err, errStalled):
		if stopped := s.probe(); stopped != nil {
			s.fail(stopped)
		}
		for _, p := range open {
			p.answer = unswept
		}
	case err != nil:
		s.fail(err)
	}
}

// setClock takes the step tick: it moves the dates of all documents, so that the clock of
// the step is the server's. A document that a sweep deletes meanwhile stays deleted, because
// a replacement inserts nothing.
func (s *System) setClock(p *played) error {
	clock, _ := p.steps[0].Field("tick").AsDate()
	p.steps = p.steps[1:]
	now := s.now()
	by := int64(now-clock) - p.ahead()
	p.drift, p.clock, p.set = max(p.drift, now-p.set), clock, now
	documents, err := s.list(s.ctx, bson.D{{Key: "find", Value: p.name}, {Key: "batchSize", Value: len(p.order) + 100}})
	if err != nil {
		return err
	}
	for _, d := range documents {
		if _, _, hasDates := datesIn(d); !hasDates {
			continue
		}
		if _, err := s.update(p.name, d.Field("_id"), movedValue(d, by), false); err != nil {
			return err
		}
	}
	return nil
}
