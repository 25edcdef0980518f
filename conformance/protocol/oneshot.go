package protocol

import (
	"errors"
	"iter"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// AskAll asks many questions: it sends them all at once to a one-shot program, and
// otherwise one after another.
func (p *Program) AskAll(questions []conformance.Question) iter.Seq2[int, conformance.Answer] {
	return func(yield func(int, conformance.Answer) bool) {
		b := &batch{questions: questions, isAnswered: make([]bool, len(questions)), yield: yield}
		if !p.options.OneShot {
			p.askEach(b)
			return
		}
		for p.plan(b); len(b.asked) > 0 && !b.isStopped; p.plan(b) {
			if err := p.askOneShot(b); err != nil && !b.isStopped { // blame the first question without an answer
				p.record(b, b.culprit(), failed(err))
			}
		}
	}
}

// askEach asks the questions of a batch one after another.
func (p *Program) askEach(b *batch) {
	for i, q := range b.questions {
		a := p.Ask(q)
		kept := b.bounded(a)
		if kept.Kind != a.Kind {
			p.note(q, kept.Kind)
		}
		if b.answer(i, kept); b.isStopped {
			return
		}
	}
}

var _ conformance.Batcher = (*Program)(nil)

// A batch holds questions, and which of them have been answered.
type batch struct {
	questions  []conformance.Question
	isAnswered []bool
	yield      func(int, conformance.Answer) bool
	isStopped  bool              // the caller wants no more answers
	size       int               // of the answers, in bytes
	asked      []int             // the positions of the questions of one run, which are numbered from 1
	hello      conformance.Hello // of a one-shot program
}

func (b *batch) isOpen(i int) bool { return !b.isAnswered[i] }

// answer yields an answer.
func (b *batch) answer(i int, a conformance.Answer) {
	b.isAnswered[i] = true
	b.isStopped = b.isStopped || !b.yield(i, a)
}

// culprit returns the position of the first question of a run without an answer.
func (b *batch) culprit() int {
	for _, i := range b.asked {
		if b.isOpen(i) {
			return i
		}
	}
	return b.asked[len(b.asked)-1] // all questions are answered: the last one broke the program
}

// plan sets b.asked to the open questions of the next run. A question that the program
// must not get any more is answered here, and is not among them.
func (p *Program) plan(b *batch) {
	b.asked = nil
	for i, q := range b.questions {
		if !b.isOpen(i) || b.isStopped {
			continue
		}
		if a, isGivenUp := p.giveUp(q); isGivenUp {
			b.answer(i, a)
			continue
		}
		b.asked = append(b.asked, i)
	}
}

// record yields an answer, and notes its kind.
func (p *Program) record(b *batch, i int, a conformance.Answer) {
	a = b.bounded(a)
	p.note(b.questions[i], a.Kind)
	b.answer(i, a)
}

// maxAnswers is the maximum number of bytes of answers that are kept when all questions are
// asked at once.
const maxAnswers = 32 << 20

// bounded returns a, or a breach if all answers together exceed maxAnswers.
func (b *batch) bounded(a conformance.Answer) conformance.Answer {
	size := len(a.Out) + len(a.Text)
	if a.Refusal != nil {
		size += len(a.Refusal.Class) + len(a.Refusal.CodeName) + len(a.Refusal.Message)
	}
	if b.size+size > maxAnswers {
		return conformance.Answer{Kind: conformance.KindBreach, Text: "the answers take more than 32 MiB together"}
	}
	b.size += size
	return a
}

// askOneShot runs the program once, with the questions of b.asked.
func (p *Program) askOneShot(b *batch) (err error) {
	if p.process, err = startProcess(p.ctx, p.argv); err != nil {
		return err
	}
	lines := make(chan []byte, 1+len(b.asked))
	lines <- p.greeting()
	for i, position := range b.asked {
		lines <- run(1+i, b.questions[position]).line()
	}
	close(lines)
	go func(p *process) {
		for line := range lines {
			p.stdin.Write(append(line, '\n')) // the answer to a line that cannot be written is missing
		}
		p.stdin.Close()
	}(p.process)
	text, err := p.process.receive(p.options.OneShotTimeout)
	if err == nil {
		b.hello, err = readHello(text)
	}
	for range b.asked { // answers come in any order
		if err == nil {
			err = p.receiveAnswer(b)
		}
	}
	if err != nil {
		return p.reap(err)
	}
	p.Close()
	return nil
}

// burst is a factor: a one-shot program has burst times [Options.Timeout] for each answer
// after hello. The output of such a program may come in blocks, so that answers wait for
// later ones.
const burst = 5

// receiveAnswer passes on the answer to one of the questions of a run.
func (p *Program) receiveAnswer(b *batch) error {
	if b.isStopped {
		return errStopped
	}
	text, err := p.process.receive(burst * p.options.Timeout)
	if err != nil {
		return err
	}
	r, err := readReply(text)
	if err != nil {
		return breach("%v", err)
	}
	seq, ok := r.number()
	if !ok || seq < 1 || seq > len(b.asked) || !b.isOpen(b.asked[seq-1]) {
		return breach("a line that answers no open request: %s", clip(text))
	}
	p.record(b, b.asked[seq-1], r.Answer)
	return nil
}

var errStopped = errors.New("the reading of answers has stopped")
