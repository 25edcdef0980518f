package protocol

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/reference"
)

// The tests run this test program as the program under test: with manner set
// it is an adapter that answers with the library, but for one fault.
const mannerVariable = "TTL_TEST_MANNER"

func TestMain(m *testing.M) {
	manner := os.Getenv(mannerVariable)
	if manner == "" {
		os.Exit(m.Run())
	}
	behave(manner)
}

// A mannered system answers as the reference does, but for one op.
type mannered struct{ manner string }

// Hello claims all where the whole suite is asked. Where a program is started
// again and again, loading the suite for that would take long.
func (m mannered) Hello() conformance.Hello {
	if m.manner == "well" {
		return reference.New().Hello()
	}
	return conformance.Hello{
		Name: "mannered", Version: "1", Ops: []string{"self.echo", "mongodb.decide", "cosmos.decide", "cosmosmongo.decide"},
		Systems: map[string]string{"mongodb": "8.0.4", "cosmos-nosql": "*", "cosmos-mongo": "*"},
	}
}

func (m mannered) Ask(q conformance.Question) conformance.Answer {
	bad := q.Op == "cosmos.decide"
	switch {
	case m.manner == "panic" && bad:
		panic("oh")
	case m.manner == "crash" && bad:
		fmt.Fprintln(os.Stderr, "last words")
		os.Exit(3)
	case m.manner == "crash-on-one" && strings.Contains(string(q.In), `"defaultTtl":100,`):
		os.Exit(3)
	case m.manner == "hang" && bad:
		time.Sleep(time.Hour)
	case m.manner == "debug" && bad:
		fmt.Println("deciding…")
	case m.manner == "chatty" && bad:
		fmt.Println(`{"seq":1,"out":{}}`)
	case m.manner == "flood":
		fmt.Fprintln(os.Stderr, strings.Repeat("noise ", 10_000))
	case m.manner == "endless" && bad:
		for {
			fmt.Print(strings.Repeat("x", 1<<20))
		}
	}
	return reference.New().Ask(q)
}

// behave is the program under test.
func behave(manner string) {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	switch manner {
	case "mute":
		time.Sleep(time.Hour)
	case "dead":
		fmt.Fprintln(os.Stderr, "cannot find the library")
		os.Exit(2)
	case "rude":
		fmt.Println("Welcome!")
		time.Sleep(time.Hour)
	case "parent": // what it started keeps its output open
		child := exec.Command("sleep", "3600")
		child.Stdout = os.Stdout
		child.Start()
		Serve(os.Stdin, os.Stdout, nil, mannered{"hang"})
	case "daemon": // the same, out of reach
		child := exec.Command("sleep", "60") // the test does not get to see every one
		ownGroup(child)
		child.Stdout = os.Stdout
		child.Start()
		fmt.Fprintln(os.Stderr, child.Process.Pid)
		Serve(os.Stdin, os.Stdout, nil, mannered{"crash"})
	case "buffered":
		Serve(os.Stdin, out, nil, mannered{"well"})
	case "buffered-crash":
		Serve(os.Stdin, os.Stdout, nil, mannered{"crash-on-one"})
	case "once": // ends after every answer
		once()
	case "wrong-seq":
		wrongSeq()
	case "deaf": // goes on after bye
		Serve(os.Stdin, os.Stdout, nil, mannered{})
		time.Sleep(time.Hour)
	default:
		Serve(os.Stdin, os.Stdout, nil, mannered{manner})
	}
}

func once() {
	in := bufio.NewScanner(os.Stdin)
	for n := 0; n < 2 && in.Scan(); n++ {
		os.Stdout.Write(served(in.Bytes()))
	}
}

// served returns the answer to one line.
func served(line []byte) []byte {
	reply, _ := server{mannered{}, io.Discard}.reply(line, nil)
	return reply
}

func wrongSeq() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		fmt.Print(strings.Replace(string(served(in.Bytes())), `"seq":`, `"seq":1`, 1))
	}
}

// The tests must not depend on how busy the machine is: only a program that
// never answers is asked with hasty options, and what is asked of it besides is
// not looked at.
var (
	patient = Options{Timeout: time.Minute, HelloTimeout: time.Minute}
	hasty   = Options{Timeout: 2 * time.Second, HelloTimeout: time.Minute}
)

// start starts the program under test.
func start(t *testing.T, manner string, options Options) *Program {
	t.Helper()
	t.Setenv(mannerVariable, manner)
	p, err := Start(t.Context(), []string{os.Args[0]}, options)
	if err != nil {
		t.Fatalf("%s: Start: %v", manner, err)
	}
	t.Cleanup(p.Close)
	return p
}

// another is a question like [question], but not the same.
func another(op string, n int) conformance.Question {
	q := question(op)
	q.In = fmt.Appendf(nil, `{"n":%d,%s`, n, q.In[1:])
	return q
}

// question is one that the reference answers with "never".
func question(op string) conformance.Question {
	in := `{"now":{"$date":{"$numberLong":"0"}},"indexes":[],"document":{},"container":{},"item":{},"_ts":0}`
	return conformance.Question{Op: op, Target: conformance.Target{System: conformance.SystemOf(op)}, In: json.RawMessage(in)}
}
