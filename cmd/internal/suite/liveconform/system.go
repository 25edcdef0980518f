package liveconform

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// Options configure the questions to a server.
type Options struct {
	// Release is the release to judge by; the zero Version means the release that
	// the server reports.
	Release mongo.Version
	// SweepTimeout is the longest time without the deletion of a control document; 0 means
	// five minutes.
	SweepTimeout time.Duration
	// Sweep makes the server sweep. It is nil for a server that sweeps by itself.
	Sweep func(context.Context) error
	// Collections is the largest number of collections at a time; 0 means 100.
	Collections int
	// Share puts documents of several questions into one collection if the questions are
	// about the same indexes and filters. It serves runs of thousands of questions; the
	// vectors of a suite are asked one at a time.
	Share bool
}

// connections is the number of commands at a time.
const connections = 4

// A System answers questions by asking a server. It is not safe for concurrent use. The
// caller must close it.
type System struct {
	ctx     context.Context
	name    string // the name of the run, which is also that of its database
	client  *live.Client
	server  live.Server
	options Options
	hello   conformance.Hello

	sleepBefore int64         // ttlMonitorSleepSecs before it was changed; 0 if it was not
	near        []*ask        // questions on a boundary, for scales
	window      time.Duration // between the early and the late copies of the next batch
	ahead       time.Duration // by which the server's clock is ahead of this machine's
	hasSwept    bool          // a control document was deleted
	longest     time.Duration // time between two deletions of control documents

	numbered int        // collections so far
	sweeping sync.Mutex // held while a sweep is requested

	mu     sync.Mutex // guards failed
	failed error
}

// ErrNeverSwept means that no control document was deleted.
var ErrNeverSwept = errors.New("this server never ran a TTL sweep")

// ErrStopped means that the server deleted some control documents, and then no more.
var ErrStopped = errors.New("this server ran TTL sweeps, and then stopped")

// Start claims a fresh database on a server, and shortens its monitor's pause to one
// second if it may. It returns an error for a server that cannot be asked.
func Start(ctx context.Context, client *live.Client, o Options) (*System, error) {
	s := &System{ctx: ctx, name: newName(), client: client, options: o}
	if s.options.SweepTimeout == 0 {
		s.options.SweepTimeout = 5 * time.Minute
	}
	if s.options.Collections == 0 {
		s.options.Collections = 100
	}
	var err error
	if s.server, err = client.Server(ctx); err != nil {
		return nil, err
	}
	if err := s.greet(); err != nil {
		return nil, err
	}
	switch {
	case s.server.Product == live.CosmosMongo:
		return nil, fmt.Errorf("%s decides by _ts, which nobody can backdate, so a run cannot test it", s.server.Product)
	case s.server.MonitorOff && o.Sweep == nil:
		return nil, errors.New("ttlMonitorEnabled is false: this server deletes nothing by itself; --sweep-command can name a command that makes it delete")
	}
	if o.Sweep == nil && s.server.MonitorSeconds > 1 {
		s.sleepBefore = s.server.MonitorSeconds
	}
	if err := s.measureClock(ctx); err != nil {
		return nil, err
	}
	if err := s.claim(ctx); err != nil {
		return nil, err
	}
	s.shortenPause(ctx)
	s.window = s.firstWindow()
	return s, nil
}

// measureClock measures by how much the server's clock is ahead of this machine's. A
// server that does not report its time is assumed to have the same clock.
func (s *System) measureClock(ctx context.Context) error {
	asked := time.Now()
	reply, err := s.client.Run(ctx, "admin", bson.D{{Key: "isMaster", Value: 1}})
	if there, ok := reply.Lookup("localTime").TimeOK(); ok {
		s.ahead = there.Sub(asked.Add(time.Since(asked) / 2))
	}
	return err
}

// greet sets the server's claims: everything that MongoDB, or DocumentDB, does in the release to
// judge by.
func (s *System) greet() error {
	release := s.options.Release
	if release == (mongo.Version{}) {
		var err error
		if release, err = s.server.Release(); err != nil {
			return err
		}
	}
	system, text := conformance.MongoDB, release.String()
	if release.Product != "" {
		system, text, _ = strings.Cut(text, "@")
	}
	version := s.server.Own
	if version == "" {
		version = s.server.Version
	}
	features := []string{conformance.FeatureNever, conformance.FeatureErrorCode, conformance.FeatureTypes}
	s.hello = conformance.Hello{
		Protocol: 1, Name: string(s.server.Product), Version: version,
		Ops: slices.DeleteFunc(conformance.Operations(), func(op string) bool {
			return conformance.SystemOf(op) != system
		}),
		Systems:  map[string]string{system: text},
		Features: append(features, slices.Sorted(maps.Keys(suite.Embedded().Features))...),
	}
	return nil
}

// Server describes the server.
func (s *System) Server() live.Server { return s.server }

// Hello returns the server's claims.
func (s *System) Hello() conformance.Hello { return s.hello }

// Ask asks one question.
func (s *System) Ask(q conformance.Question) conformance.Answer {
	return conformance.AskAll(s, []conformance.Question{q})[0]
}

// AskAll asks the questions about commands, then the histories, and then the questions about
// documents, which need sweeps too. It yields the answers batch by batch.
func (s *System) AskAll(questions []conformance.Question) iter.Seq2[int, conformance.Answer] {
	return func(yield func(int, conformance.Answer) bool) {
		var commands, histories, decisions []*ask
		for i, q := range questions {
			a := &ask{Question: q, at: i}
			switch {
			case q.Op == historyOp:
				histories = append(histories, a)
			case strings.HasSuffix(q.Op, ".decide"):
				decisions = append(decisions, a)
			default:
				commands = append(commands, a)
			}
		}
		give := func(batch []*ask) bool {
			if s.Err() != nil { // the answers of an interrupted batch are not valid
				return false
			}
			for _, a := range batch {
				if a.answer.Kind == conformance.KindNone {
					continue
				}
				if a.isGiven = true; !yield(a.at, a.answer) {
					return false
				}
			}
			return true
		}
		_ = s.askCommands(commands, give) && s.askHistories(histories, give) && s.askDecisions(decisions, give)
		s.abort(slices.Concat(commands, histories, decisions), yield)
	}
}

// abort answers the questions that the end of the run left without an answer.
func (s *System) abort(all []*ask, yield func(int, conformance.Answer) bool) {
	if s.Err() == nil {
		return
	}
	for _, a := range all {
		if !a.isGiven && !yield(a.at, conformance.Answer{Kind: conformance.KindAborted, Text: s.failed.Error()}) {
			return
		}
	}
}

// An ask is a question that waits for its answer.
type ask struct {
	conformance.Question
	at      int
	answer  conformance.Answer // none yet if its kind is KindNone
	isGiven bool               // to the caller
}

// Close removes everything that the run made, and restores the monitor's pause.
func (s *System) Close() error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), time.Minute)
	defer cancel()
	err := errors.Join(s.restore(ctx), s.tearDown(ctx))
	if err != nil {
		return fmt.Errorf("%w; ttl conform run --cleanup %s removes what is left", err, s.name)
	}
	return nil
}

const sleepParameter = "ttlMonitorSleepSecs"

// shortenPause sets the monitor's pause to one second, if the user may do so.
func (s *System) shortenPause(ctx context.Context) {
	if s.sleepBefore != 0 && s.setSleep(ctx, 1) == nil {
		s.server.MonitorSeconds = 1
	}
}

// restore restores the monitor's pause.
func (s *System) restore(ctx context.Context) error {
	if s.sleepBefore == 0 {
		return nil
	}
	err := s.setSleep(ctx, s.sleepBefore)
	if _, isRefused := refusalOf(err); isRefused || s.server.MonitorSeconds == s.sleepBefore {
		return nil // the pause was never changed
	}
	return err
}

func (s *System) setSleep(ctx context.Context, seconds int64) error {
	_, err := s.client.Run(ctx, "admin", bson.D{{Key: "setParameter", Value: 1}, {Key: sleepParameter, Value: int32(seconds)}})
	return err
}

// firstWindow is the distance between the two copies in the first batch. The awaited sweeps
// must fit into it.
func (s *System) firstWindow() time.Duration {
	pause := s.server.MonitorSeconds
	if pause == 0 {
		pause = 60
	}
	if s.options.Sweep != nil {
		pause = 1
	}
	return 20*time.Second + (rounds+1)*time.Duration(pause)*time.Second
}

// Name returns the name of the run, which is also that of its database.
func (s *System) Name() string { return s.name }

// Err returns the error that ended the run early, nil if everything was asked.
func (s *System) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

// fail records an error that ends the run: a failed connection, or Ctrl-C.
func (s *System) fail(err error) {
	if s.ctx.Err() != nil {
		err = s.ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil {
		s.failed = err
	}
}

// nextName returns the name of a collection that does not exist.
func (s *System) nextName() string {
	s.numbered++
	return fmt.Sprintf("c%d", s.numbered)
}

// sleep waits for some time, or until the run is to end.
func (s *System) sleep(d time.Duration) {
	select {
	case <-s.ctx.Done():
		s.fail(s.ctx.Err())
	case <-time.After(d):
	}
}
