package protocol

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// A process is one run of a program.
type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	lines  chan line     // the program's output, closed at the end of the output
	done   chan struct{} // closed when the process has ended
	stderr tail
	status error // meaningful once done is closed
}

// A line is one line of a program's output, or the error that ended the output.
type line struct {
	text string
	err  error
}

// startProcess starts a program, in a process group of its own.
func startProcess(ctx context.Context, argv []string) (*process, error) {
	p := &process{cmd: exec.CommandContext(ctx, argv[0], argv[1:]...), lines: make(chan line, 1), done: make(chan struct{})}
	ownGroup(p.cmd)
	p.cmd.Cancel = func() error { killGroup(p.cmd); return nil }
	p.cmd.Stderr = &p.stderr
	p.cmd.WaitDelay = time.Second // for output that a grandchild keeps open
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, output, err := os.Pipe() // not StdoutPipe: Wait would close it before all output is read
	if err != nil {
		return nil, err
	}
	p.cmd.Stdout = output
	err = p.cmd.Start()
	output.Close() // the process has its own copy
	if err != nil {
		stdin.Close()
		stdout.Close()
		return nil, err
	}
	p.stdin = stdin
	read := make(chan struct{})
	go func() { p.read(stdout); close(read) }()
	go p.wait(stdout, read)
	return p, nil
}

// read passes on lines until the output ends or a line is too long.
func (p *process) read(stdout io.Reader) {
	defer close(p.lines)
	blank := 0
	for in := newLineReader(stdout, maxAnswer); blank <= maxBlank; {
		text, err := in.next()
		if err == errLongLine {
			p.lines <- line{err: errLongAnswer}
		}
		if err != nil {
			return
		}
		blank++
		if text := strings.TrimSpace(string(text)); text != "" {
			p.lines <- line{text: text}
			blank = 0
		}
	}
	p.lines <- line{err: errBlankLines}
}

// wait waits for the end of the process and of its output. A grandchild that left the
// group may keep the output open; then the output so far counts as complete.
func (p *process) wait(stdout io.Closer, read <-chan struct{}) {
	p.status = p.cmd.Wait()
	timer := time.AfterFunc(p.cmd.WaitDelay, func() { stdout.Close() })
	<-read
	timer.Stop()
	stdout.Close()
	close(p.done)
}

// kill ends the process and its children, and waits for them. Their remaining
// output is discarded.
func (p *process) kill() {
	killGroup(p.cmd)
	for range p.lines {
	}
	<-p.done
}

// stop asks the process to end, and kills it if it has not ended after patience.
func (p *process) stop(patience time.Duration) {
	go func() { // the program may not read its input
		io.WriteString(p.stdin, `{"cmd":"bye"}`+"\n")
		p.stdin.Close()
	}()
	timer := time.AfterFunc(patience, func() { killGroup(p.cmd) })
	defer timer.Stop()
	for range p.lines {
	}
	<-p.done
	killGroup(p.cmd) // ends the children that it left behind
}

// exitReport describes how the process ended, and quotes its standard error.
func (p *process) exitReport() string {
	<-p.done
	text := "ended"
	if p.status != nil {
		text = p.status.Error()
	}
	if words := strings.TrimSpace(p.stderr.String()); words != "" {
		return fmt.Sprintf("%s; standard error: %s", text, words)
	}
	return text
}

// send writes one line. It does not wait for longer than patience.
func (p *process) send(line []byte, patience time.Duration) error {
	written := make(chan error, 1)
	go func() {
		_, err := p.stdin.Write(append(line, '\n'))
		written <- err
	}()
	select {
	case err := <-written:
		return err
	case <-time.After(patience):
		return errSilent
	}
}

var (
	errSilent = errors.New("no answer in time")
	errEnded  = errors.New("the program has ended")
)

// receive returns the next line.
func (p *process) receive(patience time.Duration) (string, error) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case l, ok := <-p.lines:
		if !ok {
			return "", errEnded
		}
		return l.text, l.err
	case <-timer.C:
		return "", errSilent
	}
}

// pending returns a line that has come without a request.
func (p *process) pending() (string, bool) {
	select {
	case l, ok := <-p.lines:
		return l.text, ok
	default:
		return "", false
	}
}

// tailSize is the number of bytes kept from the end of a program's standard error.
const tailSize = 4 << 10

// A tail is a writer that keeps the end of its input. It is safe for concurrent use.
type tail struct {
	mu  sync.Mutex
	end []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = append(t.end, p...)
	if extra := len(t.end) - tailSize; extra > 0 {
		t.end = append(t.end[:0], t.end[extra:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(string(t.end), "�")
}
