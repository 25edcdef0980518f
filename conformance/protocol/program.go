package protocol

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// Options set the limits and the mode of a program. The zero Options are the
// defaults.
type Options struct {
	// Timeout is the maximum time for one answer; 0 means two seconds.
	Timeout time.Duration
	// HelloTimeout is the maximum time for the program's start; 0 means ten seconds.
	HelloTimeout time.Duration
	// OneShotTimeout is the maximum time before a one-shot program answers hello; 0 means a
	// minute.
	OneShotTimeout time.Duration
	// OneShot means that all questions are written before an answer is read, for programs
	// that answer only at the end of their input. [Start] also sets OneShot for a program
	// that does not answer hello in time.
	OneShot bool
	// Runner names the runner to the program, such as "ttl 0.1.0".
	Runner string
}

// A Program is a program that speaks the adapter's side of the protocol. It is
// not safe for concurrent use. Close it.
type Program struct {
	ctx      context.Context // its end ends every process
	argv     []string
	options  Options
	hello    conformance.Hello
	process  *process // nil if the program has to be started
	seq      int
	breakers map[string]*breaker
	broke    map[string]conformance.Target // by the question that broke the program: the target at which it did
	ended    int
}

// Start starts a program and says hello. When ctx ends, the program ends too,
// and later questions count as crashed. Start fails if the program cannot be
// started, or if its answer to hello is malformed.
func Start(ctx context.Context, argv []string, options Options) (*Program, error) {
	options.Timeout = cmp.Or(options.Timeout, 2*time.Second)
	options.HelloTimeout = cmp.Or(options.HelloTimeout, 10*time.Second)
	options.OneShotTimeout = cmp.Or(options.OneShotTimeout, time.Minute)
	options.Runner = cmp.Or(options.Runner, "ttlpolicy")
	p := &Program{ctx: ctx, argv: argv, options: options, breakers: map[string]*breaker{}, broke: map[string]conformance.Target{}}
	err := errSilent
	if !options.OneShot {
		p.hello, err = p.start()
	}
	if err == errSilent { // the program may not flush its output
		p.options.OneShot = true
		var b batch // of no questions
		err = p.askOneShot(&b)
		p.hello = b.hello
	}
	return p, err
}

// Hello returns the program's answer to hello.
func (p *Program) Hello() conformance.Hello { return p.hello }

// IsOneShot reports whether the program gets all questions at once.
func (p *Program) IsOneShot() bool { return p.options.OneShot }

// Close ends the program.
func (p *Program) Close() {
	if p.process != nil {
		p.process.stop(p.options.Timeout)
		p.process = nil
	}
}

// start starts the program anew and says hello.
func (p *Program) start() (h conformance.Hello, err error) {
	if p.process, err = startProcess(p.ctx, p.argv); err != nil {
		return h, err
	}
	text, err := p.exchange(p.greeting(), p.options.HelloTimeout)
	if err == nil {
		h, err = readHello(text)
	}
	if err != nil {
		return h, p.reap(err)
	}
	return h, nil
}

func (p *Program) greeting() []byte {
	return request{Cmd: "hello", Protocol: version, Runner: p.options.Runner}.line()
}

// reap ends the process. If err is the end of the process, reap adds the exit report to
// it.
func (p *Program) reap(err error) error {
	p.process.kill()
	if err == errEnded {
		err = fmt.Errorf("%w: %s", err, p.process.exitReport())
	}
	p.process = nil
	return err
}

// exchange sends a line and returns the line of the answer.
func (p *Program) exchange(line []byte, patience time.Duration) (string, error) {
	if err := p.process.send(line, patience); err == errSilent {
		return "", err
	} // a program that does not read any more may still have answered
	return p.process.receive(patience)
}

// Ask asks one question. If the program breaks the protocol or does not answer
// in time, it is ended, and started anew for the next question.
func (p *Program) Ask(q conformance.Question) conformance.Answer {
	if p.options.OneShot {
		return conformance.AskAll(p, []conformance.Question{q})[0]
	}
	if a, isGivenUp := p.giveUp(q); isGivenUp {
		return a
	}
	a := p.ask(q)
	p.note(q, a.Kind)
	return a
}

func (p *Program) breaker(op string) *breaker {
	if p.breakers[op] == nil {
		p.breakers[op] = &breaker{}
	}
	return p.breakers[op]
}

// giveUp reports whether a question must not be asked any more, and returns the answer to
// record in its place. A question that broke the program at one release is not asked
// about other releases, so that it counts once, and the other questions of its operation
// are still asked.
func (p *Program) giveUp(q conformance.Question) (a conformance.Answer, isGivenUp bool) {
	a.Kind = conformance.KindAborted
	if target, ok := p.broke[withoutTarget(q)]; ok {
		a.Text = fmt.Sprintf("not asked again: it broke the program at %s", target)
		return a, true
	}
	a.Text = "not asked: " + q.Op + " failed too often before"
	return a, p.breaker(q.Op).isOpen()
}

// note records the kind of the answer to a question.
func (p *Program) note(q conformance.Question, k conformance.Kind) {
	p.breaker(q.Op).note(k)
	if breaksProgram(k) {
		p.broke[withoutTarget(q)] = q.Target
	}
}

func withoutTarget(q conformance.Question) string { return q.Op + " " + string(q.In) }

// Ended returns the number of times that the program ended at a question, but answered it
// after a restart.
func (p *Program) Ended() int { return p.ended }

// ask asks the running process a question. If the process ends, ask repeats the question
// to a fresh process, so that only a question that ends a fresh process counts against
// the program.
func (p *Program) ask(q conformance.Question) conformance.Answer {
	again := p.process != nil
	if again {
		a, err := p.askOnce(q)
		if err != errEnded {
			return p.outcome(a, err)
		}
		p.reap(err)
	}
	if _, err := p.start(); err != nil {
		return failed(err)
	}
	a, err := p.askOnce(q)
	if again && err == nil {
		p.ended++
	}
	return p.outcome(a, err)
}

// outcome returns the answer, or an answer that represents the error. After an error it
// ends the process.
func (p *Program) outcome(a conformance.Answer, err error) conformance.Answer {
	if err != nil {
		return failed(p.reap(err))
	}
	return a
}

func (p *Program) askOnce(q conformance.Question) (a conformance.Answer, err error) {
	if text, ok := p.process.pending(); ok {
		return a, breach("a line that answers no open request: %s", clip(text))
	}
	p.seq++
	text, err := p.exchange(run(p.seq, q).line(), p.options.Timeout)
	if err != nil {
		return a, err
	}
	r, err := readReply(text)
	if err != nil {
		return a, breach("%v", err)
	}
	if seq, ok := r.number(); !ok || seq != p.seq {
		return a, breach("want \"seq\": %d in the answer, got %s", p.seq, clip(text))
	}
	return r.Answer, nil
}

// A breachError is a breach of the protocol.
type breachError string

func (e breachError) Error() string { return string(e) }

func breach(format string, args ...any) error { return breachError(fmt.Sprintf(format, args...)) }

// failed returns the answer that represents an error.
func failed(err error) conformance.Answer {
	kind := conformance.KindCrash
	if _, ok := err.(breachError); ok || err == errLongAnswer || err == errBlankLines {
		kind = conformance.KindBreach
	}
	if err == errSilent {
		kind = conformance.KindTimeout
	}
	return conformance.Answer{Kind: kind, Text: strings.TrimSpace(err.Error())}
}

// Limits of failed questions. Beyond them a program gets no more questions of the
// operation.
const (
	timeoutsInARow = 3
	crashesInARow  = 5
	timeoutsInAll  = 10
	crashesInAll   = 50
)

// A breaker counts the failed questions of one operation, and ends the operation
// after too many.
type breaker struct {
	timeouts, crashes       int // in a row
	allTimeouts, allCrashes int
}

// note records the kind of the answer to a question.
func (b *breaker) note(k conformance.Kind) {
	switch k {
	case conformance.KindTimeout:
		b.timeouts++
		b.allTimeouts++
	case conformance.KindCrash, conformance.KindBreach:
		b.crashes++
		b.allCrashes++
	default:
		b.timeouts, b.crashes = 0, 0
	}
}

// breaksProgram reports whether the question itself caused an answer of that kind. A breach
// of the protocol may be about the answer to another question.
func breaksProgram(k conformance.Kind) bool {
	return k == conformance.KindTimeout || k == conformance.KindCrash
}

// isOpen reports whether the operation has ended.
func (b *breaker) isOpen() bool {
	return b.timeouts >= timeoutsInARow || b.crashes >= crashesInARow || b.allTimeouts >= timeoutsInAll || b.allCrashes >= crashesInAll
}
