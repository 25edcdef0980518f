package liveconform

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"golang.org/x/sync/errgroup"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// rounds is the number of control documents that must be deleted in turn before the
// remaining documents of their collection count: a sweep may have begun before the insert,
// may handle one index before the other, and may end early.
const rounds = 3

// mostRounds is the number of control documents that the server must delete in both
// sentinels before collections with fewer deletions are read.
const mostRounds = 2 * rounds

// longestWindow is the largest window: a slow server gets a longer window, in which the
// early and the late copies are further apart.
const longestWindow = 60 * time.Minute

// state is the observed state of a collection.
type state struct {
	round      int            // the number of deleted control documents
	isDone     bool           // the remaining documents were read
	readAt     policy.Instant // the time of that reading
	hasControl bool
	trouble    conformance.Answer // the answer if the collection could not be made
}

// A batch is a group of experiments that run side by side.
type batch struct {
	experiments []*experiment
	made        []*collection          // in the order in which they are made
	sentinels   []*collection          // without a question: the first made, and the last
	shared      map[string]*collection // the collections for further copies, by definition
}

// collections returns the collections of the batch that could be made, with the
// sentinels.
func (b *batch) collections() (all []*collection) {
	all = append(all, b.sentinels[0])
	for _, c := range b.made {
		if c.trouble.Kind == conformance.KindNone {
			all = append(all, c)
		}
	}
	return append(all, b.sentinels[1:]...)
}

// askDecisions answers questions about documents by waiting for sweeps.
func (s *System) askDecisions(open []*ask, give func([]*ask) bool) bool {
	limit := s.mostExperiments()
	for len(open) > 0 && s.Err() == nil {
		b, n := s.gather(open, limit)
		var err error
		if len(b.experiments) > 0 {
			err = s.sweep(b)
		}
		if errors.Is(err, errStalled) {
			if stopped := s.probe(); stopped != nil {
				s.fail(stopped)
				return false
			}
		}
		switch {
		case errors.Is(err, errStalled) && len(b.experiments) > 1: // one experiment stops the sweeps
			limit = max(1, len(b.experiments)/2)
			continue
		case errors.Is(err, errStalled):
			b.experiments[0].answer = unswept
		case errors.Is(err, errLate) && s.window < longestWindow:
			s.window *= 2
			continue
		case err != nil && !errors.Is(err, errLate):
			s.fail(err)
			return false
		}
		if !give(s.holdBack(open[:n])) {
			return false
		}
		open, limit = open[n:], min(2*limit, s.mostExperiments())
	}
	return s.Err() == nil && s.askNear(give)
}

// probe returns [ErrStopped] unless the server sweeps a database that holds only control
// documents. Without this test each question would be tried alone, and the run would take
// hours.
func (s *System) probe() error {
	b, _ := s.gather(nil, 0)
	switch err := s.sweep(b); {
	case errors.Is(err, errStalled):
		return fmt.Errorf("%w: no control document was deleted in %s", ErrStopped, s.stall())
	case err != nil:
		return err
	}
	return nil
}

// mostExperiments is the largest number of questions in a batch.
func (s *System) mostExperiments() int {
	if s.options.Share {
		return s.options.Collections * mostCopies
	}
	return s.options.Collections
}

// holdBack returns the answers of a batch, except for those that a scale may answer.
func (s *System) holdBack(batch []*ask) (answered []*ask) {
	for _, a := range batch {
		if a.answer.Kind == conformance.KindBoundary && s.isOften() {
			s.near = append(s.near, a)
		} else {
			answered = append(answered, a)
		}
	}
	return answered
}

// gather returns a batch of at most limit experiments for the first n questions. It
// answers the questions that need no sweep.
func (s *System) gather(open []*ask, limit int) (b *batch, n int) {
	b = &batch{shared: map[string]*collection{}}
	now := s.now()
	for n < len(open) && len(b.made) < s.options.Collections && len(b.experiments) < limit {
		a := open[n]
		n++
		a.answer = conformance.Answer{}
		if x := s.plan(a, now, s.window); x != nil && x.answer.Kind == conformance.KindNone {
			b.place(s, x)
		}
	}
	for range 2 {
		b.sentinels = append(b.sentinels, &collection{name: s.nextName(), control: control{index: true}})
	}
	return b, n
}

// unswept is the answer to a question whose collection stops the sweeps.
var unswept = conformance.Unknown("no sweep came to its end while this was in the database")

var (
	errStalled = errors.New("no control document was deleted")
	errLate    = errors.New("the sweeps took longer than planned")
)

// sweep makes the collections of a batch, waits for sweeps, judges by the remaining
// documents, and drops the collections.
func (s *System) sweep(b *batch) error {
	begun := time.Now()
	all := slices.Concat(b.sentinels, b.made)
	defer s.each(len(all), func(i int) {
		if err := s.drop(s.ctx, all[i].name); err != nil {
			s.fail(err)
		}
	})
	s.build(b)
	err := s.Err()
	if err == nil {
		err = s.wait(b)
	}
	if err != nil {
		return err
	}
	err = b.judge()
	s.window = min(longestWindow, max(2*time.Since(begun), 10*time.Second)) // of the next batch
	return err
}

// build makes the collections of a batch, the sentinels first and last. It answers
// questions whose collection cannot be made, and questions with a copy that the server
// refuses.
func (s *System) build(b *batch) {
	s.makeCollection(b.sentinels[0])
	s.each(len(b.made), func(i int) { s.makeCollection(b.made[i]) })
	s.makeCollection(b.sentinels[1])
	refused := map[*copied]writeError{}
	for _, c := range b.made {
		for i, e := range c.refused {
			refused[c.copies[i]] = e
		}
	}
	for _, x := range b.experiments {
		for _, d := range x.copies {
			e, isRefused := refused[d]
			switch {
			case d.in.trouble.Kind != conformance.KindNone:
				x.answer = d.in.trouble
			case isRefused:
				x.answer = conformance.Unknown(fmt.Sprintf("the server refuses the document (%d)", e.code))
			}
		}
	}
}

// makeCollection makes a collection with its documents and the first control document.
func (s *System) makeCollection(c *collection) {
	if len(c.copies) == 0 {
		c.trouble = s.refused(refusesPresumed, "create", s.create(c.name, nil))
	} else {
		c.trouble = s.define(c.ask, c.name, c.options, c.indexes)
	}
	if c.trouble.Kind != conformance.KindNone {
		return
	}
	if c.control.index {
		_, isRefused := refusalOf(s.createIndex(c.name, controlIndex))
		c.control.index = !isRefused
	}
	var documents []any
	for _, d := range c.copies {
		documents = append(documents, d.document)
	}
	if len(documents) > 0 {
		var err error
		c.refused, err = s.insertEach(s.ctx, c.name, documents)
		if c.trouble = s.refused(refusesPresumed, "insert", err); err != nil {
			return
		}
	}
	c.hasControl = s.putControl(c)
}

// putControl inserts the next control document, and reports whether there is one.
func (s *System) putControl(c *collection) bool {
	d, ok := c.control.document(c.round, s.now())
	if !ok {
		return false
	}
	err := s.insert(s.ctx, c.name, policy.ObjectValue(d))
	if _, isRefused := refusalOf(err); err != nil && !isRefused && !errors.As(err, new(writeError)) {
		s.fail(err)
	}
	return err == nil
}

// wait waits until enough control documents were deleted in each collection of a batch,
// or until other collections show that no more deletions can be expected.
func (s *System) wait(b *batch) error {
	all := b.collections()
	progressed := time.Now()
	for {
		if err := s.makeSweep(); err != nil {
			return err
		}
		before := b.round()
		s.each(len(all), func(i int) { s.look(all[i], false) })
		switch after := b.round(); {
		case s.Err() != nil:
			return s.Err()
		case after > before:
			s.longest = max(s.longest, time.Since(progressed))
			progressed, s.hasSwept = time.Now(), true
		case time.Since(progressed) > s.options.SweepTimeout && !s.hasSwept:
			return fmt.Errorf("%w: no control document was deleted in %s", ErrNeverSwept, s.options.SweepTimeout)
		case time.Since(progressed) > s.stall() && s.hasSwept:
			return errStalled
		}
		if b.isDone() {
			s.each(len(all), func(i int) { s.look(all[i], true) })
			return s.Err()
		}
		if s.isOften() {
			s.sleep(200 * time.Millisecond)
		} else {
			s.sleep(time.Second)
		}
	}
}

// makeSweep makes the server sweep, if it does not by itself.
func (s *System) makeSweep() error {
	if s.options.Sweep == nil {
		return nil
	}
	s.sweeping.Lock()
	defer s.sweeping.Unlock()
	if err := s.options.Sweep(s.ctx); err != nil {
		return fmt.Errorf("--sweep-command: %w", err)
	}
	return nil
}

// stall returns the longest time that a server that has swept may take to delete the next
// control document.
func (s *System) stall() time.Duration {
	return min(s.options.SweepTimeout, max(5*s.longest, 15*time.Second))
}

// round returns the number of control documents that the server deleted in both
// sentinels.
func (b *batch) round() int { return min(b.sentinels[0].round, b.sentinels[1].round) }

// isDone reports whether the wait can end.
func (b *batch) isDone() bool {
	waits := func(c *collection) bool { return c.hasControl && !c.isDone }
	return b.round() >= mostRounds || b.round() >= rounds && !slices.ContainsFunc(b.collections(), waits)
}

// look checks whether the server deleted the control document of a collection. If so,
// look inserts the next one. After the last control document, or if isLast is true, look
// records which documents remain.
func (s *System) look(c *collection, isLast bool) {
	if c.isDone || !isLast && !c.hasControl {
		return
	}
	if len(c.copies) > fewCopies && !isLast && s.hasControl(c) {
		return
	}
	ids, err := s.left(c.name, len(c.copies)+100)
	if err != nil {
		s.fail(err)
		return
	}
	isGone := c.hasControl && !isAmong(ids, policy.StringValue(controlID(c.round)))
	if isGone {
		c.round++
	}
	isSentinel := len(c.copies) == 0
	if isLast || isGone && c.round == rounds && !isSentinel {
		c.isDone, c.readAt = true, s.now()
		for _, d := range c.copies {
			d.isLeft = isAmong(ids, d.id)
		}
	} else if isGone {
		c.hasControl = s.putControl(c)
	}
}

// fewCopies is the number of documents that are read repeatedly while waiting for a
// control document. If there are more, only the control document is read.
const fewCopies = 20

// hasControl reports whether the control document of a collection is still there.
func (s *System) hasControl(c *collection) bool {
	list, err := s.list(s.ctx, bson.D{{Key: "find", Value: c.name}, {Key: "filter", Value: bson.D{{Key: "_id", Value: controlID(c.round)}}}})
	if err != nil {
		s.fail(err)
	}
	return len(list) > 0
}

// left returns the _ids of the documents in a collection.
func (s *System) left(name string, most int) (ids policy.A, err error) {
	list, err := s.list(s.ctx, bson.D{{Key: "find", Value: name}, {Key: "projection", Value: bson.D{{Key: "_id", Value: 1}}}, {Key: "batchSize", Value: most}})
	for _, d := range list {
		ids = append(ids, d.Field("_id"))
	}
	return ids, err
}

// judge answers the questions of a batch by the remaining documents. The error is errLate
// if the collections were read too late for some.
func (b *batch) judge() (err error) {
	for _, x := range b.experiments {
		if x.answer.Kind != conformance.KindNone {
			continue
		}
		if x.answer = x.judge(); x.isLate() {
			err = errLate
		}
	}
	return err
}

// isLate reports whether a copy was read too late: less than the slack before the instant
// of the early copy, or after this instant.
func (x *experiment) isLate() bool {
	return slices.ContainsFunc(x.copies, func(d *copied) bool {
		return d.in.readAt+policy.Instant(slack.Milliseconds()) > x.until
	})
}

// judge answers a question by the remaining documents.
func (x *experiment) judge() conformance.Answer {
	left, count := map[role]int{}, map[role]int{}
	for _, d := range x.copies {
		count[d.role]++
		if d.isLeft {
			left[d.role]++
		}
	}
	isEarlyGone, isLateLeft := left[early] == 0 && !x.isLate(), left[late] > 0
	switch {
	case isEarlyGone && isLateLeft:
		return conformance.Fault("the server deleted a copy that is due later, and kept a copy that is due earlier")
	case isEarlyGone:
		return decided("expired")
	case !isLateLeft:
		return conformance.OnBoundary("the deadline is within the time that was waited for")
	case left[aged] < count[aged]:
		return decided("pending")
	case count[aged] > 0:
		return decided("never")
	}
	return conformance.Unknown("it is not expired; whether it ever is depends on the calendar")
}

func decided(name string) conformance.Answer {
	return result(policy.D{{Key: "state", Value: policy.StringValue(name)}})
}

// now returns the server's time.
func (s *System) now() policy.Instant { return policy.InstantOf(time.Now().Add(s.ahead)) }

// each calls do for 0 to n-1, on a few connections at a time.
func (s *System) each(n int, do func(i int)) {
	var running errgroup.Group
	running.SetLimit(connections)
	for i := range n {
		running.Go(func() error {
			do(i)
			return nil
		})
	}
	_ = running.Wait() // no call returns an error
}
