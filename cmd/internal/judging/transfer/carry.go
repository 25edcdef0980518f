package transfer

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/internal/policies"
)

// A File receives the documents of a migration. It is complete with Commit, or does not
// appear. Discard after Commit does nothing.
type File interface {
	io.Writer
	Commit() error
	Discard()
}

const (
	// maxOpen is the maximum number of collections of an archive that are rewritten side by
	// side, each with a file and its identifiers in memory. mongodump writes four side by side unless it is
	// told otherwise (mongodb/mongo-tools: mongodump/options.go, numParallelCollections). The
	// others are left for another reading.
	maxOpen = 32

	// maxReadings is the maximum number of readings of one input.
	maxReadings = 500
)

// CopyAll rewrites the documents of migrations, each into a file that create makes for the
// migration of an index in list, and counts them. Each input is read once, unless it holds
// more than maxOpen collections side by side, or several of one migration. Migrations that
// have an error are passed over.
//
// An error is recorded in its migration and ends it, and the others go on. CopyAll returns
// the error of the only migration, an error of usage, or that of ctx.
func CopyAll(ctx context.Context, list []*Migration, o Options, create func(i int) (File, error)) error {
	c := carrying{Options: o, create: create, isOnly: len(list) == 1}
	for i, m := range list {
		if m.Err == nil {
			c.list = append(c.list, c.begin(m, i))
		}
	}
	defer func() {
		for _, m := range c.list {
			c.close(m)
		}
	}()
	for len(c.list) > 0 {
		if err := c.input(ctx, c.list[0].left[0].Input); err != nil {
			return err
		}
	}
	return nil
}

// A carrying is one call of CopyAll.
type carrying struct {
	Options
	create func(i int) (File, error)
	isOnly bool       // there is one migration
	list   []*carried // those that are not done
	open   int        // files
}

// A carried is a migration under way.
type carried struct {
	*Migration
	run   *Run
	index int                // among all migrations
	left  []*dump.Collection // whose documents are still to be read, the next one first
	file  File               // nil before its first documents
	// passed reports that this reading passes over the rest of the next collection.
	passed atomic.Bool
}

func (c *carrying) begin(m *Migration, index int) *carried {
	run := &Run{
		Evaluator: m.policy, Rewrite: withoutBuckets(m.policy.Collection, m.rewrite), Now: c.Now, ID: m.policy.IDField(), DropExpired: c.Drop, NoIDs: c.NoIDs,
		Result: Result{Dropped: c.Drop, First: []Exception{}},
	}
	if c.To == policies.CosmosNoSQL {
		run.Item = &c.Item
	}
	return &carried{Migration: m, run: run, index: index, left: m.of}
}

// A reading is the collections that one reading of an input rewrites.
type reading map[*dump.Collection]*carried

// input reads an input until it holds no next collection of any migration.
func (c *carrying) input(ctx context.Context, in *dump.Input) error {
	most := maxReadings
	if in.IsOnce() {
		most = 1
	}
	for n := 0; ; n++ {
		wanted := c.wanted(in)
		if len(wanted) == 0 {
			return nil
		}
		read := c.read
		if n == most {
			read = c.refuse
		}
		err := read(ctx, in, wanted)
		c.list = slices.DeleteFunc(c.list, func(m *carried) bool { return m.left == nil })
		if err != nil {
			return err
		}
	}
}

// wanted returns the next collection of each migration, if the input holds it.
func (c *carrying) wanted(in *dump.Input) reading {
	list := reading{}
	for _, m := range c.list {
		if next := m.left[0]; next.Input == in {
			m.passed.Store(false)
			list[next] = m
		}
	}
	return list
}

// read reads an input once, and rewrites the wanted collections.
func (c *carrying) read(ctx context.Context, in *dump.Input, wanted reading) error {
	o := dump.StreamOptions{Kind: c.Kind, NoText: c.NoIDs, Read: c.Read}
	for _, m := range wanted {
		o.Text = forecast.TextKind(m.policy) // a file of text holds one collection
	}
	for s := range in.Streams(o) {
		if err := c.stream(ctx, s, wanted); err != nil {
			return err
		}
	}
	return nil
}

// refuse takes the place of read if the input cannot be read once more: the wanted migrations
// get an error.
func (c *carrying) refuse(_ context.Context, in *dump.Input, wanted reading) error {
	return c.failAll(in.Collections, fmt.Errorf("%s would have to be read again for this collection, because it interleaves more than %d collections or several go into one file; save it as a file first, or choose a collection with --ns", in.Name(), maxOpen), wanted)
}

// stream rewrites those documents of a stream that are wanted.
func (c *carrying) stream(ctx context.Context, s *dump.Stream, wanted reading) error {
	held := slices.DeleteFunc(slices.Clone(s.Collections()), func(one *dump.Collection) bool { return wanted[one] == nil })
	for _, one := range held {
		wanted[one].run.Form = c.formOf(s.Kind())
	}
	if len(held) == 0 {
		return nil
	}
	all := copying{stream: s, take: func(x *slot) error { return c.take(s, x, wanted) }}
	all.run = func(one *dump.Collection) *Run {
		if m := wanted[one]; m != nil && !m.passed.Load() {
			return m.run
		}
		return nil
	}
	all.isOver = func() bool {
		for len(held) > 0 && wanted[held[0]].passed.Load() {
			held = held[1:]
		}
		return len(held) == 0
	}
	return all.copy(ctx)
}

// take writes a rewritten block, and ends the migrations whose documents end there.
func (c *carrying) take(s *dump.Stream, x *slot, wanted reading) error {
	ended := x.ended
	if m := wanted[x.block.Collection]; m != nil && x.run != nil && !m.passed.Load() {
		if err := c.write(s, x, m); err != nil {
			return err
		}
	}
	if x.isLast && x.err == io.EOF {
		ended = s.Collections()
	}
	for _, one := range ended {
		if m := wanted[one]; m != nil && !m.passed.Load() {
			if err := c.end(m); err != nil {
				return err
			}
		}
	}
	if x.isLast && x.err != io.EOF {
		return c.failAll(s.Unfinished(), nothingWritten(x.err), wanted)
	}
	return nil
}

// write writes a block of a migration, which is left for another reading if too many are
// under way.
func (c *carrying) write(s *dump.Stream, x *slot, m *carried) error {
	if m.file == nil && c.open == maxOpen {
		m.passed.Store(true)
		return nil
	}
	if err := c.openFile(m); err != nil {
		return c.fail(m, err)
	}
	if err := m.run.write(m.file, s, x); err != nil {
		return c.fail(m, nothingWritten(err))
	}
	return nil
}

// end ends a collection, and its migration if that has no other.
func (c *carrying) end(m *carried) error {
	if err := c.openFile(m); err != nil {
		return c.fail(m, err)
	}
	m.passed.Store(true)
	if m.left = m.left[1:]; len(m.left) > 0 {
		return nil
	}
	if err := m.file.Commit(); err != nil {
		return c.fail(m, err)
	}
	m.Result = &m.run.Result
	c.close(m)
	return nil
}

// fail ends a migration with an error, and returns the error if it ends the others too.
func (c *carrying) fail(m *carried, err error) error {
	m.Err = err
	c.close(m)
	if c.isOnly || cli.ExitCodeOf(err) == cli.ExitUsage {
		return err
	}
	return nil
}

// failAll ends the migrations of the listed collections that are under way, as fail does.
func (c *carrying) failAll(list []*dump.Collection, err error, wanted reading) error {
	for _, one := range list {
		if m := wanted[one]; m != nil && !m.passed.Load() {
			if err := c.fail(m, err); err != nil {
				return err
			}
		}
	}
	return nil
}

func nothingWritten(err error) error { return fmt.Errorf("%w; nothing was written", err) }

func (c *carrying) openFile(m *carried) (err error) {
	if m.file != nil {
		return nil
	}
	if m.file, err = c.create(m.index); err != nil {
		m.file = nil
		return err
	}
	c.open++
	return nil
}

// close ends a migration. What was written of it is discarded unless it is committed.
func (c *carrying) close(m *carried) {
	m.passed.Store(true)
	m.left, m.run.ids = nil, idSet{}
	if m.file != nil {
		m.file.Discard()
		m.file = nil
		c.open--
	}
}
