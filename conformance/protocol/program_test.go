package protocol

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// TestProgramConforms: the reference conforms through the protocol as it does in process.
func TestProgramConforms(t *testing.T) {
	if testing.Short() {
		t.Skip("asks a program the whole suite, twice")
	}
	t.Parallel()
	for _, tt := range []struct {
		fault   string
		options Options
		oneShot bool
	}{
		{"well", patient, false},
		{"buffered", Options{OneShot: true, Timeout: patience}, true},
	} {
		p := start(t, tt.fault, tt.options)
		r, err := suite.Run(suite.Embedded(), p)
		if err != nil {
			t.Fatal(err)
		}
		if !r.Conforms() || len(r.Checks) < 2000 || p.IsOneShot() != tt.oneShot {
			t.Errorf("%s, %+v: conforms %t, %d checks, one-shot %t", tt.fault, tt.options, r.Conforms(), len(r.Checks), p.IsOneShot())
			for _, c := range r.Failed()[:min(3, len(r.Failed()))] {
				t.Errorf("%s %s: %s %s", c.Vector.ID, c.Target, c.Detail, c.Answer)
			}
		}
	}
}

// TestProgramFloodsStandardError: a program that writes much to standard error
// is not blocked.
func TestProgramFloodsStandardError(t *testing.T) {
	t.Parallel()
	p := start(t, "flood", patient)
	for range 20 {
		if a := p.Ask(question("mongodb.decide")); a.Kind != conformance.KindOut {
			t.Fatalf("answered %s", a)
		}
	}
}

// TestProgramTroubles: the answer names each fault, and the next question is answered
// normally.
func TestProgramTroubles(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		fault   string
		options Options
		kind    conformance.Kind
		text    string
	}{
		{"panic", patient, conformance.KindFault, "panic: oh"},
		{"crash", patient, conformance.KindCrash, "exit status 3; standard error: last words"},
		{"hang", patient, conformance.KindTimeout, "no answer in time"},
		{"debug", patient, conformance.KindBreach, "not an answer: deciding…"},
		{"endless", patient, conformance.KindBreach, "longer than 64 KiB"},
		{"blank", patient, conformance.KindBreach, "the program wrote only blank lines"},
	} {
		p := start(t, tt.fault, tt.options)
		for n := range 2 {
			ask := p.Ask
			if tt.kind == conformance.KindTimeout {
				ask = func(q conformance.Question) conformance.Answer { return askInHaste(p, q) }
			}
			a := ask(another("cosmos.decide", n))
			if a.Kind != tt.kind || !strings.Contains(a.Text, tt.text) {
				t.Errorf("%s: %s, want %s %q", tt.fault, a, tt.kind, tt.text)
			}
			if a := p.Ask(question("mongodb.decide")); a.Kind != conformance.KindOut {
				t.Errorf("%s: the next question is answered %s", tt.fault, a)
			}
		}
	}
}

// TestAnswersAreBounded: the memory for answers is bounded, however long they
// are.
func TestAnswersAreBounded(t *testing.T) {
	p := &Program{breakers: map[string]*breaker{}, broke: map[string]conformance.Target{}}
	long := strings.Repeat("x", maxAnswer)
	kept := 0
	var last conformance.Answer
	b := &batch{questions: make([]conformance.Question, 1000), isAnswered: make([]bool, 1000)}
	b.yield = func(_ int, a conformance.Answer) bool {
		if last = a; a.Kind != conformance.KindBreach {
			kept++
		}
		return true
	}
	for i := range b.questions {
		a := []conformance.Answer{{Kind: conformance.KindOut, Out: []byte(long)}, conformance.Fault(long), {Kind: conformance.KindRefused, Refusal: &conformance.Refusal{Message: long}}}[i%3]
		p.record(b, i, a)
	}
	if kept != maxAnswers/maxAnswer || last.Kind != conformance.KindBreach || !strings.Contains(last.Text, "32 MiB") {
		t.Errorf("%d answers of 64 KiB are kept, and the last is %s, want %d and a breach", kept, last, maxAnswers/maxAnswer)
	}
}

func TestProgramWrongSeq(t *testing.T) {
	t.Parallel()
	p := start(t, "wrong-seq", patient)
	if a := p.Ask(question("mongodb.decide")); a.Kind != conformance.KindBreach || !strings.Contains(a.Text, `want "seq": 1 in the answer`) {
		t.Errorf("a wrong seq is %s", a)
	}
}

// TestProgramSaysTooMuch: an extra answer is noticed with the next question at
// the latest.
func TestProgramSaysTooMuch(t *testing.T) {
	t.Parallel()
	p := start(t, "chatty", patient)
	p.Ask(question("cosmos.decide")) // the number of the extra answer is that of the question
	if a := p.Ask(question("mongodb.decide")); a.Kind != conformance.KindBreach {
		t.Errorf("after an answer too many: %s", a)
	}
	if a := p.Ask(question("mongodb.decide")); a.Kind != conformance.KindOut {
		t.Errorf("the question after that is answered %s", a)
	}
}

// TestProgramMayEndBetweenQuestions: only the question that ends a program is blamed for
// the end.
func TestProgramMayEndBetweenQuestions(t *testing.T) {
	t.Parallel()
	p := start(t, "once", patient)
	for range 5 {
		if a := p.Ask(question("mongodb.decide")); a.Kind != conformance.KindOut {
			t.Errorf("a program that ends after each answer: %s", a)
		}
	}
	if p.Ended() != 4 {
		t.Errorf("it ended %d times, want 4: before each question but the first", p.Ended())
	}
}

// TestStartFails: the error says why a program is not an adapter, and quotes its output.
func TestStartFails(t *testing.T) {
	t.Parallel()
	for fault, want := range map[string]string{
		"mute": "no answer in time",
		"dead": "exit status 2; standard error: cannot find the library",
		"rude": "not an answer to hello: Welcome!",
	} {
		options := Options{HelloTimeout: patience}
		if fault == "mute" {
			options = Options{HelloTimeout: haste, OneShotTimeout: haste}
		}
		p, err := Start(t.Context(), adapterWith(fault), options)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: Start: %v, want %q", fault, err, want)
		}
		if p != nil {
			p.Close()
		}
	}
	if _, err := Start(t.Context(), []string{"./no-such-program"}, Options{}); err == nil {
		t.Error("a program that does not exist was started")
	}
}

// TestStartFindsOutOneShot: a program that does not flush its output gives no answer to
// hello, and is asked everything at once.
func TestStartFindsOutOneShot(t *testing.T) {
	t.Parallel()
	p := start(t, "buffered", Options{HelloTimeout: haste})
	if !p.IsOneShot() || p.Hello().Name == "" {
		t.Errorf("one-shot %t, hello %+v", p.IsOneShot(), p.Hello())
	}
}

// TestOneShotFindsTheCulprit: the first question without an answer is blamed for breaking
// the program, and the questions after it are asked again.
func TestOneShotFindsTheCulprit(t *testing.T) {
	t.Parallel()
	p := start(t, "buffered-crash", Options{OneShot: true, Timeout: patience})
	culprit := question("cosmos.decide")
	culprit.In = []byte(strings.Replace(string(culprit.In), `"container":{}`, `"container":{"defaultTtl":100,"x":1}`, 1))
	elsewhere, alike := culprit, culprit
	elsewhere.Target.Version = "2"
	alike.In = append([]byte(`{"y":1,`), culprit.In[1:]...)
	questions := []conformance.Question{question("cosmos.decide"), culprit, question("mongodb.decide"), elsewhere, alike, question("cosmos.decide")}
	var kinds []string
	for _, a := range conformance.AskAll(p, questions) {
		kinds = append(kinds, a.Kind.String())
	}
	if got := strings.Join(kinds, " "); got != "out crash out aborted crash out" {
		t.Errorf("kinds are %q, want out crash out aborted crash out", got)
	}
}

// TestBreakerEndsAnOperation: a program that always hangs in one operation gets no more
// questions of this operation, but still those of others.
func TestBreakerEndsAnOperation(t *testing.T) {
	t.Parallel()
	p := start(t, "hang", patient)
	var kinds []string
	for n := range 5 {
		kinds = append(kinds, askInHaste(p, another("cosmos.decide", n)).Kind.String())
	}
	if got := strings.Join(kinds, " "); got != "timeout timeout timeout aborted aborted" {
		t.Errorf("kinds are %q", got)
	}
	if a := p.Ask(question("mongodb.decide")); a.Kind != conformance.KindOut {
		t.Errorf("another operation is answered %s", a)
	}
	r, err := suite.Run(suite.Embedded(), p)
	if err != nil || r.Conforms() {
		t.Errorf("the whole run: %v, conforms %t", err, err == nil && r.Conforms())
	}
}

// TestCulpritIsAskedOnce: a question that broke the program is not asked about other
// releases, so that a single question does not end its whole operation.
func TestCulpritIsAskedOnce(t *testing.T) {
	t.Parallel()
	p := start(t, "crash", patient)
	for n := range crashesInARow + 1 {
		q := question("cosmos.decide")
		q.Target.Version = fmt.Sprint(n)
		a := p.Ask(q)
		if n == 0 && a.Kind != conformance.KindCrash || n > 0 && (a.Kind != conformance.KindAborted || !strings.Contains(a.Text, "it broke the program at cosmos-nosql@0")) {
			t.Errorf("at release %d: %s", n, a)
		}
	}
	if a := p.Ask(another("cosmos.decide", 1)); a.Kind != conformance.KindCrash {
		t.Errorf("another question is answered %s", a)
	}
}

func TestBreakerCounts(t *testing.T) {
	t.Parallel()
	var b breaker
	for i, k := range []conformance.Kind{conformance.KindTimeout, conformance.KindTimeout, conformance.KindOut, conformance.KindTimeout, conformance.KindTimeout} {
		if b.note(k); b.isOpen() {
			t.Errorf("open after %d, with an answer between", i)
		}
	}
	if b.note(conformance.KindTimeout); !b.isOpen() {
		t.Error("not open after 3 timeouts in a row")
	}
	b = breaker{}
	for i := range 10 {
		if b.isOpen() {
			t.Errorf("open after %d timeouts that were not in a row", i)
		}
		b.note(conformance.KindTimeout)
		b.note(conformance.KindOut)
	}
	if !b.isOpen() {
		t.Error("not open after 10 timeouts in all")
	}
	b = breaker{}
	for i := range 5 {
		if b.isOpen() {
			t.Errorf("open after %d crashes", i)
		}
		b.note([]conformance.Kind{conformance.KindCrash, conformance.KindBreach}[i%2])
	}
	if !b.isOpen() {
		t.Error("not open after 5 crashes in a row")
	}
}

// TestProgramEndsWithItsChildren: children of a program do not keep the runner
// waiting, and do not outlive it.
func TestProgramEndsWithItsChildren(t *testing.T) {
	t.Parallel()
	p := start(t, "parent", patient)
	if a := askInHaste(p, question("cosmos.decide")); a.Kind != conformance.KindTimeout {
		t.Errorf("a hanging program with a child: %s", a)
	}
	p.Close()
	q := start(t, "deaf", patient)
	q.options.Timeout = haste
	process := q.process
	q.Close()
	select {
	case <-process.done:
	default:
		t.Error("a program that ignores bye outlives Close")
	}
}

// TestProgramEndsBeforeItsDaemon: the runner does not wait for a process that
// left the program's group and keeps its output open.
func TestProgramEndsBeforeItsDaemon(t *testing.T) {
	t.Parallel()
	p := start(t, "daemon", patient)
	crashed := p.process
	if a := p.Ask(question("cosmos.decide")); a.Kind != conformance.KindCrash {
		t.Errorf("a crash that leaves a daemon behind: %s", a)
	}
	if a := p.Ask(question("mongodb.decide")); a.Kind != conformance.KindOut {
		t.Errorf("the question after that is answered %s", a)
	}
	closed := p.process
	p.Close()
	for _, p := range []*process{crashed, closed} {
		pid, _ := strconv.Atoi(strings.Fields(p.stderr.String())[0])
		daemon, err := os.FindProcess(pid)
		if err != nil || daemon.Kill() != nil {
			t.Errorf("the daemon %d has been waited for: %v", pid, err)
		}
	}
}

// TestProgramEndsWithItsContext: an interrupted run ends, and no process
// outlives it.
func TestProgramEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	p, err := Start(ctx, adapterWith("hang"), patient)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	process := p.process
	interrupt()
	r, err := suite.Run(suite.Embedded(), p)
	if err != nil || r.Count()[suite.Pass] > 0 {
		t.Errorf("after the end of the context: %v, %v", err, r.Count())
	}
	<-process.done
}

func TestTailKeepsTheEnd(t *testing.T) {
	var last tail
	last.Write([]byte(strings.Repeat("a", 3000)))
	last.Write([]byte(strings.Repeat("b", 3000)))
	got := last.String()
	if len(got) != tailSize || !strings.HasSuffix(got, strings.Repeat("b", 3000)) || got[0] != 'a' {
		t.Errorf("a tail of %d bytes, %q…", len(got), got[:10])
	}
}
