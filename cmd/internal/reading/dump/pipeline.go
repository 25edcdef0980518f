package dump

import (
	"context"
	"sync"
	"time"
)

// A Pipeline passes slots from one reading goroutine to several workers, and to the caller
// of Run in the order of reading. Slots are reused. Their small number limits the memory.
type Pipeline[S any] struct {
	Slots   []S
	Workers int
	// Read takes slots from Next, fills them, and gives them to Hand. It returns when
	// there is nothing more to read, or when its context ends.
	Read func(ctx context.Context)
	// Worker returns the function that one worker applies to slots.
	Worker func(ctx context.Context) func(S)
	// Take gets the slots in order, all in the goroutine of Run. Its error ends Run.
	Take func(S) error

	free        chan S
	work, order chan handed[S]
}

// A handed slot was read. Its channel is closed once a worker is done with it.
type handed[S any] struct {
	slot S
	done chan struct{}
}

// Run returns once all slots are taken. It ends early with ctx or an error of Take. A read
// may still be running then, and may never end.
func (p *Pipeline[S]) Run(ctx context.Context) error {
	n := len(p.Slots)
	p.free, p.work, p.order = make(chan S, n), make(chan handed[S], n), make(chan handed[S], n)
	for _, s := range p.Slots {
		p.free <- s
	}
	ctx, cancel := context.WithCancel(ctx)
	var busy sync.WaitGroup
	defer waitFor(&busy)
	defer cancel()
	busy.Go(func() {
		defer close(p.order)
		defer close(p.work)
		p.Read(ctx)
	})
	for range p.Workers {
		busy.Go(func() {
			do := p.Worker(ctx)
			for x := range p.work {
				do(x.slot)
				close(x.done)
			}
		})
	}
	for {
		x, ok := receive(ctx, p.order)
		if !ok {
			return ctx.Err()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-x.done:
		}
		if err := p.Take(x.slot); err != nil {
			return err
		}
		p.Return(x.slot)
	}
}

// waitFor waits for goroutines for a limited time, because one may be blocked by its input.
func waitFor(busy *sync.WaitGroup) {
	done := make(chan struct{})
	go func() { busy.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(100 * time.Millisecond):
	}
}

// Next returns a slot to fill. It reports false if the pipeline has ended.
func (p *Pipeline[S]) Next(ctx context.Context) (S, bool) { return receive(ctx, p.free) }

// Return makes a slot from Next free again. A reader calls it in place of Hand if it has not
// filled the slot.
func (p *Pipeline[S]) Return(s S) { p.free <- s }

// Hand gives a filled slot to the workers.
func (p *Pipeline[S]) Hand(s S) {
	x := handed[S]{s, make(chan struct{})}
	p.work <- x
	p.order <- x
}

// receive receives from c. It reports false if c is closed or ctx has ended.
func receive[T any](ctx context.Context, c <-chan T) (x T, ok bool) {
	if ctx.Err() != nil { // select would choose at random
		return x, false
	}
	select {
	case <-ctx.Done():
	case x, ok = <-c:
	}
	return x, ok
}
