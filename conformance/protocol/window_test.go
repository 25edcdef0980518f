package protocol

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// patientWindow is the number of questions that the program "window" waits for before it
// answers. It answers the last question first.
const patientWindow = 4

// window answers patientWindow questions together. A question about cosmos-nosql ends the
// program.
func window() {
	in := bufio.NewScanner(os.Stdin)
	in.Scan()
	fmt.Printf(`{"protocol":1,"name":"window","version":"1","ops":["mongodb.decide"],"maxInFlight":%d}`+"\n", patientWindow)
	var waiting []string
	for in.Scan() {
		if strings.Contains(in.Text(), "cosmos.decide") {
			os.Exit(3)
		}
		if waiting = append(waiting, in.Text()); len(waiting) < patientWindow {
			continue
		}
		for i := len(waiting) - 1; i >= 0; i-- {
			os.Stdout.Write(served([]byte(waiting[i])))
		}
		waiting = nil
	}
}

// TestWindow: the program gets as many questions at once as its hello allows, or it would
// not answer.
func TestWindow(t *testing.T) {
	t.Parallel()
	p := start(t, "window", patient)
	var questions []conformance.Question
	for n := range 3 * patientWindow {
		questions = append(questions, another("mongodb.decide", n))
	}
	for i, a := range conformance.AskAll(p, questions) {
		if a.Kind != conformance.KindOut {
			t.Errorf("question %d is answered %s, want a result", i, a)
		}
	}
	for range p.AskAll(questions) {
		break // AskAll must not yield again
	}
}

// TestWindowBreaks: if several questions wait while the program ends, only the question
// that ended it counts as broken.
func TestWindowBreaks(t *testing.T) {
	t.Parallel()
	p := start(t, "crash-window", patient)
	questions := []conformance.Question{question("mongodb.decide"), question("cosmos.decide"), question("cosmosmongo.decide"), another("mongodb.decide", 1)}
	var kinds []string
	for _, a := range conformance.AskAll(p, questions) {
		kinds = append(kinds, a.Kind.String())
	}
	if got, want := strings.Join(kinds, " "), "out crash out out"; got != want {
		t.Errorf("kinds are %q, want %q", got, want)
	}
}

// TestWindowOfNothing: too small a window in hello counts as 1, and too large a one as
// maxWindow.
func TestWindowOfNothing(t *testing.T) {
	for _, tt := range []struct{ claimed, want int }{{-1, 1}, {0, 1}, {7, 7}, {math.MaxInt32, maxWindow}} {
		p := Program{hello: conformance.Hello{MaxInFlight: tt.claimed}}
		if got := p.InFlight(); got != tt.want {
			t.Errorf("InFlight() of %d = %d, want %d", tt.claimed, got, tt.want)
		}
	}
}
