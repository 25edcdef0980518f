package rulebook

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/docs/site/playground"
)

// TestFlows: each chart shows every rule of its ladder once and in order, with a question
// and an outcome, and ends with a rule that asks nothing.
func TestFlows(t *testing.T) {
	for _, q := range flowQuestions {
		e, ok := playground.Explain(q.state)
		if !ok {
			t.Fatalf("%s: no answer", q.title)
		}
		var f Flow
		for _, one := range book.flows(q.engine, readRecords().Questions) {
			if one.Slug == q.slug {
				f = one
			}
		}
		svg := f.SVG()
		if fault := flowFault(f, svg); fault != "" {
			t.Errorf("%s: %s", q.title, fault)
		}
		rest := svg
		for _, r := range e.Ladder {
			_, after, ok := strings.Cut(rest, ">"+r.ID+"</text>")
			if !ok {
				t.Errorf("%s: %s is not in the chart, or not in its place", q.title, r.ID)
				continue
			}
			rest = after
		}
	}
	f := book.flows("mongodb", readRecords().Questions)[0]
	f.Steps[3].Ask = ""
	if flowFault(f, f.SVG()) == "" {
		t.Error("a step without a question is not seen")
	}
}

func flowFault(f Flow, svg string) string {
	for i, s := range f.Steps {
		if s.Then == "" || (s.Ask == "") != (i == len(f.Steps)-1) {
			return s.Rule.ID + " has no question or no outcome in the records"
		}
	}
	for _, want := range []string{`role="img"`, "<title ", "<desc ", f.Steps[len(f.Steps)-1].Then + "."} {
		if !strings.Contains(svg, want) {
			return "there is no " + want
		}
	}
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return ""
		} else if err != nil {
			return err.Error()
		}
	}
}

// TestStepsAreUsed: for each question there is a chart that asks it.
func TestStepsAreUsed(t *testing.T) {
	asked := map[string]bool{}
	for _, q := range flowQuestions {
		for _, f := range book.flows(q.engine, readRecords().Questions) {
			for _, s := range f.Steps {
				asked[s.Rule.ID] = true
			}
		}
	}
	for id := range readRecords().Questions {
		if !asked[id] {
			t.Errorf("no chart asks about %s", id)
		}
	}
}
