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
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
)

// A File receives the documents of a migration. After Commit the file is complete;
// without Commit it does not appear. Discard after Commit does nothing.
type File interface {
	io.Writer
	Commit() error
	Discard()
}

const (
	// maxOpen is the maximum number of interleaved collections of an archive that are
	// rewritten at the same time, each with an open file and its identifiers in memory.
	// Further collections need another reading of the archive. By default mongodump
	// interleaves four collections (mongodb/mongo-tools: mongodump/options.go,
	// numParallelCollections).
	maxOpen = 32

	// maxReadings is the maximum number of readings of one input.
	maxReadings = 500
)

// CopyAll rewrites and counts the documents of migrations. It writes those of list[i]
// into the file that create(i) returns. It reads each input once, unless the input holds
// more than maxOpen interleaved collections, or several collections of one migration. It
// skips migrations that have an error.
//
// An error in a migration ends that migration, and its field Err records the error. The
// other migrations go on, unless the error is one of usage. CopyAll returns such an error
// of usage, the error of ctx, or the error of a migration that is the only one.
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

type carrying struct {
	Options
	create func(i int) (File, error)
	isOnly bool       // there is only one migration
	list   []*carried // the migrations that are not finished
	open   int        // the number of open files
}

type carried struct {
	*Migration
	run   *Run
	index int                // the index in the list of all migrations
	left  []*dump.Collection // the collections that are not read yet, the next one first
	file  File               // nil until documents are written
	// passed reports whether the current reading of the input skips all further documents
	// of left[0].
	passed atomic.Bool
}

func (c *carrying) begin(m *Migration, index int) *carried {
	run := &Run{
		Evaluator: c.evaluator(m.policy), Rewrite: withoutBuckets(m.policy.Collection, m.rewrite), Now: c.Now, ID: m.policy.IDField(), DropExpired: c.Drop, NoIDs: c.NoIDs,
		Result: Result{Dropped: c.Drop, First: []Exception{}},
	}
	if c.To == definition.CosmosNoSQL {
		run.Item = &c.Item
	}
	return &carried{Migration: m, run: run, index: index, left: m.of}
}

// A reading maps the collections that one reading of an input rewrites to their
// migrations.
type reading map[*dump.Collection]*carried

// input reads an input, repeatedly if necessary, until no migration needs a collection of
// the input next.
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
		var err error
		if n == most {
			err = c.failAll(in.Collections, fmt.Errorf("%s would have to be read again for this collection, because the input interleaves more than %d collections, or because several of its collections go into one file; save the input as a file first, or choose a collection with --ns", in.Name(), maxOpen), wanted)
		} else {
			err = c.read(ctx, in, wanted)
		}
		c.list = slices.DeleteFunc(c.list, func(m *carried) bool { return m.left == nil })
		if err != nil {
			return err
		}
	}
}

// wanted returns the migrations whose next collection is in the input, by that
// collection. It sets passed to false for each of them.
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

func (c *carrying) read(ctx context.Context, in *dump.Input, wanted reading) error {
	o := dump.StreamOptions{Kind: c.Kind, NoText: c.NoIDs, Read: c.Read}
	for _, m := range wanted {
		o.Text = forecast.TextKind(m.policy) // a file of text holds one collection, so there is only one migration
	}
	for s := range in.Streams(o) {
		if err := c.stream(ctx, s, wanted); err != nil {
			return err
		}
	}
	return nil
}

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

// take writes a rewritten block, and ends the collections whose documents end with the
// block.
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

// write writes a block of a migration. If too many files are open, it leaves the
// collection for another reading.
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

// end ends the collection that a migration reads. If the migration has no further
// collection, end also ends the migration.
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

// fail ends a migration with an error. It returns the error if that ends the other
// migrations too.
func (c *carrying) fail(m *carried, err error) error {
	m.Err = err
	c.close(m)
	if c.isOnly || cli.ExitCodeOf(err) == cli.ExitUsage {
		return err
	}
	return nil
}

// failAll calls fail for the migrations in progress of the listed collections.
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

func (c *carrying) close(m *carried) {
	m.passed.Store(true)
	m.left, m.run.ids = nil, idSet{}
	if m.file != nil {
		m.file.Discard()
		m.file = nil
		c.open--
	}
}
