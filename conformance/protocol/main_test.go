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
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
)

// The tests run this test program itself as the program under test. With the argument
// asAdapter and the name of a fault, it is an adapter that has this fault, and otherwise
// answers with the library.
const asAdapter = "as-adapter"

func TestMain(m *testing.M) {
	if len(os.Args) != 3 || os.Args[1] != asAdapter {
		os.Exit(m.Run())
	}
	behave(os.Args[2])
}

// adapterWith returns the command of an adapter that has a fault.
func adapterWith(fault string) []string { return []string{os.Args[0], asAdapter, fault} }

// A faulty system answers as the reference does, except for one operation.
type faulty struct{ fault string }

// Hello claims everything if the whole suite is asked. Programs that are started
// repeatedly claim less, because loading the suite takes long.
func (f faulty) Hello() conformance.Hello {
	if f.fault == "well" {
		return library.New().Hello()
	}
	return conformance.Hello{
		Name: "faulty", Version: "1", Ops: []string{"self.echo", "mongodb.decide", "cosmos.decide", "cosmosmongo.decide"},
		Systems: map[string]string{"mongodb": "8.0.4", "cosmos-nosql": "*", "cosmos-mongo": "*"},
	}
}

func (f faulty) Ask(q conformance.Question) conformance.Answer {
	bad := q.Op == "cosmos.decide"
	switch {
	case f.fault == "panic" && bad:
		panic("oh")
	case f.fault == "crash" && bad:
		fmt.Fprintln(os.Stderr, "last words")
		os.Exit(3)
	case f.fault == "crash-on-one" && strings.Contains(string(q.In), `"defaultTtl":100,`):
		os.Exit(3)
	case f.fault == "hang" && bad:
		time.Sleep(time.Hour)
	case f.fault == "debug" && bad:
		fmt.Println("deciding…")
	case f.fault == "chatty" && bad:
		fmt.Println(`{"seq":1,"out":{}}`)
	case f.fault == "flood":
		fmt.Fprintln(os.Stderr, strings.Repeat("noise ", 10_000))
	case f.fault == "blank" && bad:
		for {
			fmt.Print(strings.Repeat(" \r\n\n", 1000))
		}
	case f.fault == "endless" && bad:
		for {
			fmt.Print(strings.Repeat("x", 1<<20))
		}
	}
	return library.New().Ask(q)
}

// behave is the program under test.
func behave(fault string) {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	switch fault {
	case "mute":
		time.Sleep(time.Hour)
	case "dead":
		fmt.Fprintln(os.Stderr, "cannot find the library")
		os.Exit(2)
	case "rude":
		fmt.Println("Welcome!")
		time.Sleep(time.Hour)
	case "parent": // a child keeps the program's output open
		child := exec.Command("sleep", "3600")
		child.Stdout = os.Stdout
		child.Start()
		Serve(os.Stdin, os.Stdout, nil, faulty{"hang"})
	case "daemon": // the child has left the program's process group too
		child := exec.Command("sleep", "60") // a short time, because the test does not learn of every child
		ownGroup(child)
		child.Stdout = os.Stdout
		child.Start()
		fmt.Fprintln(os.Stderr, child.Process.Pid)
		Serve(os.Stdin, os.Stdout, nil, faulty{"crash"})
	case "buffered":
		Serve(os.Stdin, out, nil, faulty{"well"})
	case "buffered-crash":
		Serve(os.Stdin, os.Stdout, nil, faulty{"crash-on-one"})
	case "once": // ends after every answer
		once()
	case "wrong-seq":
		wrongSeq()
	case "deaf": // goes on after bye
		Serve(os.Stdin, os.Stdout, nil, faulty{})
		time.Sleep(time.Hour)
	default:
		Serve(os.Stdin, os.Stdout, nil, faulty{fault})
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
	reply, _ := server{faulty{}, io.Discard}.reply(line, nil)
	return reply
}

func wrongSeq() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		fmt.Print(strings.Replace(string(served(in.Bytes())), `"seq":`, `"seq":1`, 1))
	}
}

// The tests must not depend on how busy the machine is: programs are given a
// minute, except for an answer that never comes.
const (
	patience = time.Minute
	haste    = 100 * time.Millisecond
)

var patient = Options{Timeout: patience, HelloTimeout: patience}

// start starts an adapter with a fault. Tests that call it run in parallel, because they
// mostly wait.
func start(t *testing.T, fault string, options Options) *Program {
	t.Helper()
	p, err := Start(t.Context(), adapterWith(fault), options)
	if err != nil {
		t.Fatalf("%s: Start: %v", fault, err)
	}
	t.Cleanup(p.Close)
	return p
}

// askInHaste asks a question whose answer never comes, with a short timeout.
func askInHaste(p *Program, q conformance.Question) conformance.Answer {
	p.options.Timeout = haste
	defer func() { p.options.Timeout = patience }()
	return p.Ask(q)
}

// another returns a variant of [question] that differs for each n.
func another(op string, n int) conformance.Question {
	q := question(op)
	q.In = fmt.Appendf(nil, `{"n":%d,%s`, n, q.In[1:])
	return q
}

// question returns a question that the reference answers with "never".
func question(op string) conformance.Question {
	in := `{"now":{"$date":{"$numberLong":"0"}},"indexes":[],"document":{},"container":{},"item":{},"_ts":0}`
	return conformance.Question{Op: op, Target: conformance.Target{System: conformance.SystemOf(op)}, In: json.RawMessage(in)}
}
