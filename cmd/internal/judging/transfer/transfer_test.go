package transfer

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// byNumber decides about and rewrites documents by their field n: an even n is
// transferred, an odd n is a conflict, and 7 is an error.
type byNumber struct{}

func (byNumber) Decide(doc policy.Document, _ policy.Instant) policy.Decision {
	n, _ := doc.Field("n").AsInt64()
	return policy.DecisionOf(policy.Pending, policy.Instant(n), policy.Rule{})
}

var errSeven = errors.New("seven")

func rewrite(doc policy.Document, d policy.Decision) (Edit, error) {
	switch {
	case fixture.Deadline(d) == 7:
		return Edit{}, errSeven
	case fixture.Deadline(d)%2 == 1:
		return Edit{}, hasField("n", "")
	}
	return Edit{Field: "m", Value: policy.Int32Value(int32(fixture.Deadline(d))), Fidelity: []Fidelity{Lost, Exact}[fixture.Deadline(d)%4/2]}, nil
}

// copy rewrites the documents of s, which holds one collection, and writes them to w.
func (r *Run) copy(ctx context.Context, w io.Writer, s *dump.Stream) error {
	var block dump.Block
	for wrong := error(nil); wrong == nil; {
		if wrong = s.Next(&block); ctx.Err() != nil {
			return ctx.Err()
		}
		if err := r.write(w, s, &block); err != nil || wrong != nil && wrong != io.EOF {
			return cmp.Or(err, wrong)
		}
	}
	return nil
}

func copyAll(t *testing.T, ctx context.Context, text string, form Form, w io.Writer) (Result, error) {
	t.Helper()
	s, err := dump.NewStream("input", strings.NewReader(text), dump.Auto, dump.ExtJSON)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	run := Run{Evaluator: byNumber{}, Rewrite: rewrite, Form: form, ID: "n"}
	if form == JSON {
		run.Item = &Item{IDFrom: "n"}
	}
	err = run.copy(ctx, w, s)
	return run.Result, err
}

func numbers(from, to int) string {
	var b strings.Builder
	for n := from; n <= to; n++ {
		fmt.Fprintf(&b, "{\"n\":%d}\n", n)
	}
	return b.String()
}

func TestCopyCounts(t *testing.T) {
	var out bytes.Buffer
	r, err := copyAll(t, t.Context(), numbers(8, 40), JSON, &out)
	if err != nil || r.Documents != 33 || r.Exact != 8 || r.Lost != 9 || r.Conflicts != 16 || len(r.First) != exceptions {
		t.Errorf("%+v, %v, want 33 documents: 8 exact, 9 lost, 16 in conflict, the first 10 named", r, err)
	}
	if first := r.First[0]; first.ID != `{"$numberInt":"8"}` || first.What != "is kept: its deadline cannot be expressed" {
		t.Errorf("the first exception is %+v", first)
	}
	if lines := strings.Fields(out.String()); len(lines) != 17 || lines[0] != `{"n":8,"id":"8","m":8}` || lines[16] != `{"n":40,"id":"40","m":40}` {
		t.Errorf("wrote %q", out.String())
	}
}

func TestCopyForms(t *testing.T) {
	for form, want := range map[Form]string{
		BSON:    "\x13\x00\x00\x00\x10n\x00\x08\x00\x00\x00\x10m\x00\x08\x00\x00\x00\x00",
		ExtJSON: `{"n":{"$numberInt":"8"},"m":{"$numberInt":"8"}}` + "\n", JSON: `{"n":8,"id":"8","m":8}` + "\n",
	} {
		var out bytes.Buffer
		if _, err := copyAll(t, t.Context(), numbers(8, 8), form, &out); err != nil || out.String() != want {
			t.Errorf("form %d: wrote %q, %v, want %q", form, out.String(), err, want)
		}
	}
}

type full struct{}

var errFull = errors.New("no space")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestCopyEnds(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	var damage *dump.Error
	tests := []struct {
		why  string
		ctx  context.Context
		text string
		w    io.Writer
		is   func(error) bool
	}{
		{"cannot be rewritten", t.Context(), numbers(6, 9), io.Discard, func(err error) bool { return errors.Is(err, errSeven) }},
		{"cannot be read", t.Context(), numbers(8, 8) + "{\"n\":tru}\n", io.Discard, func(err error) bool { return errors.As(err, &damage) && damage.Offset == 8 }},
		{"cannot be written", t.Context(), numbers(8, 8), full{}, func(err error) bool { return errors.Is(err, errFull) }},
		{"interrupted", canceled, numbers(8, 8), io.Discard, func(err error) bool { return errors.Is(err, context.Canceled) }},
	}
	for _, tt := range tests {
		if _, err := copyAll(t, tt.ctx, tt.text, JSON, tt.w); !tt.is(err) {
			t.Errorf("%s: %v", tt.why, err)
		}
	}
}
