package transfer

import (
	"context"
	"fmt"
	"io"

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

// maxOpen is the maximum number of migrations at the same time, each with an open file and
// its identifiers in memory. An archive may interleave collections; by default mongodump
// interleaves four (mongodb/mongo-tools: mongodump/options.go, numParallelCollections).
const maxOpen = 32

// CopyAll rewrites and counts the documents of migrations. It writes those of list[i]
// into the file that create(i) returns. It reads each input once, and skips migrations
// that have an error.
//
// An error in a migration ends that migration, and its field Err records the error. The
// other migrations go on, unless the error is one of usage. CopyAll returns such an error
// of usage, the error of ctx, or the error of a migration that is the only one.
func CopyAll(ctx context.Context, list []*Migration, o Options, create func(i int) (File, error)) error {
	c := carrying{Options: o, create: create, isOnly: len(list) == 1, of: map[*dump.Collection]*carried{}}
	var inputs []*dump.Input
	begun := map[*dump.Input]bool{}
	for i, m := range list {
		if m.Err != nil {
			continue
		}
		one := c.begin(m, i)
		defer c.close(one)
		for _, of := range m.of {
			if c.of[of] = one; !begun[of.Input] {
				begun[of.Input], inputs = true, append(inputs, of.Input)
			}
		}
	}
	for _, in := range inputs {
		if err := c.input(ctx, in); err != nil {
			return err
		}
	}
	return ctx.Err()
}

type carrying struct {
	Options
	create func(i int) (File, error)
	isOnly bool // there is only one migration
	of     map[*dump.Collection]*carried
	open   int // the number of open files
}

type carried struct {
	*Migration
	run    *Run
	index  int                       // the index in the list of all migrations
	left   map[*dump.Collection]bool // the collections that are not read to their end
	file   File                      // nil until documents are written
	isOver bool                      // the migration is complete, or has failed
}

func (c *carrying) begin(m *Migration, index int) *carried {
	run := &Run{
		Evaluator: c.evaluator(m.policy), Rewrite: withoutBuckets(m.policy.Collection, m.rewrite), Now: c.Now, ID: m.policy.IDField(), DropExpired: c.Drop, NoIDs: c.NoIDs,
		Result: Result{Dropped: c.Drop, First: []Exception{}},
	}
	if c.To == definition.CosmosNoSQL {
		run.Item = &c.Item
	}
	one := &carried{Migration: m, run: run, index: index, left: map[*dump.Collection]bool{}}
	for _, of := range m.of {
		one.left[of] = true
	}
	return one
}

func (c *carrying) input(ctx context.Context, in *dump.Input) error {
	o := dump.StreamOptions{Kind: c.Kind, NoText: c.NoIDs, Read: c.Read}
	for _, of := range in.Collections {
		if m := c.of[of]; m != nil {
			o.Text = forecast.TextKind(m.policy) // a file of text holds one collection
		}
	}
	for s := range in.Streams(o) {
		if err := c.stream(ctx, s); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// stream reads a stream until it ends, or until no migration wants more of its documents.
func (c *carrying) stream(ctx context.Context, s *dump.Stream) error {
	var wanted []*carried
	for _, of := range s.Collections() {
		if m := c.of[of]; m != nil {
			wanted = append(wanted, m)
			m.run.Form = c.formOf(s.Kind())
		}
	}
	var block dump.Block
	for ctx.Err() == nil {
		for len(wanted) > 0 && wanted[0].isOver {
			wanted = wanted[1:]
		}
		if len(wanted) == 0 {
			return nil
		}
		wrong := s.Next(&block)
		if m := c.of[block.Collection]; m != nil && !m.isOver {
			if err := c.write(s, &block, m, wrong); err != nil {
				return err
			}
		}
		ended, isLast := s.Ended(), wrong != nil && block.Collection == nil
		if isLast {
			ended = s.Collections()
		}
		if isLast && wrong != io.EOF {
			return c.failAll(s.Unfinished(), nothingWritten(wrong))
		}
		for _, of := range ended {
			if err := c.end(of); err != nil {
				return err
			}
		}
		if isLast {
			return nil
		}
	}
	return nil
}

// write writes a block of a migration. The argument wrong is the error at the end of the
// block, or nil.
func (c *carrying) write(s *dump.Stream, b *dump.Block, m *carried, wrong error) error {
	if err := c.openFile(m); err != nil {
		return c.fail(m, err)
	}
	err := m.run.write(m.file, s, b)
	if err == nil {
		err = wrong
	}
	if err != nil {
		return c.fail(m, nothingWritten(err))
	}
	return nil
}

// end ends a collection, and its migration if that has no other.
func (c *carrying) end(of *dump.Collection) error {
	m := c.of[of]
	if m == nil || m.isOver {
		return nil
	}
	if err := c.openFile(m); err != nil {
		return c.fail(m, err)
	}
	if delete(m.left, of); len(m.left) > 0 {
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
func (c *carrying) failAll(list []*dump.Collection, err error) error {
	for _, of := range list {
		if m := c.of[of]; m != nil && !m.isOver {
			if err := c.fail(m, err); err != nil {
				return err
			}
		}
	}
	return nil
}

func nothingWritten(err error) error { return fmt.Errorf("%w; nothing was written", err) }

func (c *carrying) openFile(m *carried) (err error) {
	switch {
	case m.file != nil:
		return nil
	case c.open == maxOpen:
		return fmt.Errorf("the input interleaves more than %d collections; choose some with --ns", maxOpen)
	}
	if m.file, err = c.create(m.index); err != nil {
		m.file = nil
		return err
	}
	c.open++
	return nil
}

func (c *carrying) close(m *carried) {
	m.isOver, m.run.ids, m.run.out = true, idSet{}, nil
	if m.file != nil {
		m.file.Discard()
		m.file = nil
		c.open--
	}
}
