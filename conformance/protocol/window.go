package protocol

import "github.com/ttlpolicy/ttlpolicy/conformance"

// maxWindow is the maximum number of questions that wait for an answer, whatever hello
// says.
const maxWindow = 1000

// InFlight returns the maximum number of questions that wait for an answer of the program
// at the same time.
func (p *Program) InFlight() int { return min(max(1, p.hello.MaxInFlight), maxWindow) }

// askWindow asks the questions of a run, as many at a time as the program allows.
// If the program breaks, any of the waiting questions may be to blame, so each is
// asked alone.
func (p *Program) askWindow(b *batch) {
	alone := b.asked
	if p.InFlight() > 1 {
		alone = p.stream(b)
	}
	for _, i := range alone {
		if !b.isOpen(i) || b.isStopped {
			continue
		}
		a := p.Ask(b.questions[i])
		kept := b.bounded(a)
		if kept.Kind != a.Kind {
			p.note(b.questions[i], kept.Kind)
		}
		b.answer(i, kept)
	}
}

// stream asks the questions of a run, several at a time. If the program breaks, stream
// returns the questions that it has sent, some of which are answered. If the program cannot
// start, stream returns the first question. Otherwise it returns nil.
func (p *Program) stream(b *batch) (sent []int) {
	if p.process == nil {
		if _, err := p.start(); err != nil {
			return b.asked[:1] // Ask starts the program again, and reports the error
		}
	}
	lines := make(chan []byte, p.InFlight()) // with room for all waiting requests, so that a send never blocks
	defer close(lines)
	go p.process.writeEach(lines)
	b.first = p.seq + 1
	for answered := 0; answered < len(b.asked); answered++ {
		for len(sent) < len(b.asked) && len(sent)-answered < p.InFlight() {
			p.seq++
			lines <- run(p.seq, b.questions[b.asked[len(sent)]]).line()
			sent = b.asked[:len(sent)+1]
		}
		if err := p.receiveAnswer(b, len(sent), p.options.Timeout); err != nil {
			p.reap(err)
			return sent
		}
	}
	return nil
}

// writeEach writes each line as it arrives. It skips a line that cannot be written, so
// that the answer to this line is missing.
func (p *process) writeEach(lines <-chan []byte) {
	for text := range lines {
		p.stdin.Write(append(text, '\n'))
	}
}

var _ conformance.Batcher = (*Program)(nil)
