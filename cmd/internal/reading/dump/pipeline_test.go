package dump

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

// doubling is a pipeline that reads numbers up to n, and then waits for ctx if waits is
// set. It doubles them, the odd ones slowly.
func doubling(n int, waits bool, take func(*int) error) *Pipeline[*int] {
	p := &Pipeline[*int]{Slots: []*int{new(int), new(int), new(int), new(int)}, Workers: 3, Take: take}
	p.Read = func(ctx context.Context) {
		for i := range n {
			s, ok := p.Next(ctx)
			if !ok {
				return
			}
			*s = i
			p.Hand(s)
		}
		if waits {
			<-ctx.Done()
		}
	}
	p.Worker = func(context.Context) func(*int) {
		return func(s *int) {
			time.Sleep(time.Duration(*s%2) * time.Millisecond)
			*s *= 2
		}
	}
	return p
}

// TestPipeline: slots are taken in the order in which they were read, up to the end, an
// error or the end of the context.
func TestPipeline(t *testing.T) {
	full := errors.New("full")
	for _, tt := range []struct {
		name  string
		waits bool
		take  func(n int, cancel func()) error // takes the n-th slot
		taken int
		err   error
	}{
		{"whole", false, func(int, func()) error { return nil }, 50, nil},
		{"an error", true, func(n int, _ func()) error {
			if n == 20 {
				return full
			}
			return nil
		}, 21, full},
		{"cancelled", true, func(n int, cancel func()) error {
			if n == 49 {
				cancel()
			}
			return nil
		}, 50, context.Canceled},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var got, want []int
			err := doubling(50, tt.waits, func(s *int) error {
				got = append(got, *s)
				return tt.take(len(got)-1, cancel)
			}).Run(ctx)
			for i := range tt.taken {
				want = append(want, 2*i)
			}
			if err != tt.err || !slices.Equal(got, want) {
				t.Errorf("Run() = %v with %d taken, want %v with %d", err, got, tt.err, want)
			}
		})
	}
}
