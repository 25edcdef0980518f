package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/members"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
)

// ask returns the answers of the reference to some lines, sent all at once.
func ask(t testing.TB, input string) []string {
	t.Helper()
	var out, log bytes.Buffer
	if err := Serve(strings.NewReader(input), &out, &log, library.New()); err != nil {
		t.Fatalf("Serve = %v", err)
	}
	if log.Len() > 0 {
		t.Errorf("Serve logged %q", log.String())
	}
	answers := strings.SplitAfter(out.String(), "\n")
	return answers[:len(answers)-1]
}

// askOne returns the answer to one line.
func askOne(t testing.TB, line string) string {
	t.Helper()
	answers := ask(t, line+"\n")
	if len(answers) != 1 {
		t.Fatalf("%d answers to %s, want 1: %q", len(answers), members.Clip(line), answers)
	}
	return strings.TrimSuffix(answers[0], "\n")
}

// TestHello: the system's Hello is passed on unchanged.
func TestHello(t *testing.T) {
	got := askOne(t, `{"cmd":"hello","protocol":1,"runner":"ttl 0.1.0","future":[]}`)
	var h conformance.Hello
	if err := json.Unmarshal([]byte(got), &h); err != nil {
		t.Fatal(err)
	}
	if want := library.New().Hello(); !reflect.DeepEqual(h, want) {
		t.Errorf("hello is answered with %+v, want %+v", h, want)
	}
	const want = `{"protocol":1,"name":"ttlpolicy",`
	if !strings.HasPrefix(got, want) || !strings.Contains(got, `">=2.2.0"`) {
		t.Errorf("hello is answered with %s, want %s and nothing escaped", got, want)
	}
}

// TestProtocol checks the answers to requests that reach no operation against
// docs/adapter.md.
func TestProtocol(t *testing.T) {
	unknown := `{"seq":1,"skip":"unknown operation \"no.such\"; want one of ` + strings.Join(conformance.Operations(), ", ") + `, self.echo"}`
	for _, tc := range []struct{ line, want string }{
		{`{"cmd":"run","seq":17,"op":"self.echo","in":{"value":1}}`, `{"seq":17,"out":{"value":{"$numberInt":"1"}}}`},
		{`  {"seq" : 0 , "in":{ "value" : "<&>" } ,"op":"self.echo","cmd":"run"}` + "\r", `{"seq":0,"out":{"value":"<&>"}}`},
		{`{"cmd":"run","seq":-1.50e+300,"op":"self.echo","in":{"value":1}}`, `{"seq":-1.50e+300,"out":{"value":{"$numberInt":"1"}}}`},
		{`{"cmd":"run","seq":123456789012345678901234567890,"op":"self.echo","in":{"value":1}}`, `{"seq":123456789012345678901234567890,"out":{"value":{"$numberInt":"1"}}}`},
		{`{"cmd":"run","seq":1e999999999,"op":"self.echo","in":{"value":1}}`, `{"seq":1e999999999,"out":{"value":{"$numberInt":"1"}}}`},
		{`{"cmd":"run","seq":1,"op":"self.echo","in":{"value":1},"target":3,"x":{"y":[]}}`, `{"seq":1,"out":{"value":{"$numberInt":"1"}}}`},
		{`{"cmd":"run","seq":1,"op":"no.such","in":{}}`, unknown},
		{`{"cmd":"dance","seq":1}`, `{"seq":1,"fault":"cmd: no command \"dance\"; want hello, run or bye"}`},
		{`{"seq":1}`, `{"seq":1,"fault":"cmd: missing; want a string"}`},
		{`{"cmd":7,"seq":1}`, `{"seq":1,"fault":"cmd: want a string, got 7"}`},
		{`{"cmd":"run","op":"self.echo","in":{"value":1}}`, `{"seq":null,"fault":"seq: missing; want a number"}`},
		{`{"cmd":"run","seq":"1","op":"self.echo","in":{"value":1}}`, `{"seq":null,"fault":"seq: want a number, got \"1\""}`},
		{`{"cmd":"run","seq":1,"in":{}}`, `{"seq":1,"fault":"op: missing; want a string"}`},
		{`{"cmd":"run","seq":1,"op":["self.echo"],"in":{}}`, `{"seq":1,"fault":"op: want a string, got [\"self.echo\"]"}`},
		{`{"cmd":"run","seq":1,"op":"self.echo"}`, `{"seq":1,"fault":"in: missing; want an object"}`},
		{`{"cmd":"run","seq":1,"op":"self.echo","in":[]}`, `{"seq":1,"fault":"in: want an object, got []"}`},
		{`{"cmd":"run","seq":1,"op":"self.echo","in":{}}`, `{"seq":1,"fault":"in.value: missing; want a value"}`},
		{`{"cmd":"hello","protocol":2}`, `{"seq":null,"fault":"protocol: 2 is not supported, want 1"}`},
		{`{"cmd":"run","seq":1,"op":"no.such","target":5}`, unknown},
		{`{"cmd":"run","seq":1,"op":"cosmos.decide","in":{}}`, `{"seq":1,"fault":"target: missing; want an object"}`},
		{`{"cmd":"run","seq":1,"op":"cosmos.decide","target":null,"in":{}}`, `{"seq":1,"fault":"target: want an object, got null"}`},
		{`{"cmd":"run","seq":1,"op":"cosmos.decide","target":{},"in":{}}`, `{"seq":1,"fault":"target.system: missing; want a string"}`},
		{`{"cmd":"run","seq":1,"op":"mongodb.decide","target":{"system":"mongodb","version":8.0},"in":{}}`, `{"seq":1,"fault":"target.version: want a string, got 8.0"}`},
		{`{"cmd":"run","seq":1,"op":"cosmosmongo.decide","target":{"system":"cosmos-mongo","capabilities":[7]},"in":{}}`, `{"seq":1,"fault":"target.capabilities: want an array of strings, got [7]"}`},
		{`{"cmd":"run","seq":1,"op":"mongodb.decide","target":{"system":"mongodb","parameters":[7]},"in":{}}`, `{"seq":1,"fault":"target.parameters: want an object of truth values, numbers and strings, got [7]"}`},
		{`{"cmd":"run","seq":1,"op":"mongodb.decide","target":{"system":"mongodb","parameters":{"a":[]}},"in":{}}`, `{"seq":1,"fault":"target.parameters: want an object of truth values, numbers and strings, got {\"a\":[]}"}`},
	} {
		if got := askOne(t, tc.line); got != tc.want {
			t.Errorf("the answer to\n%s\nis %s\nwant %s", tc.line, got, tc.want)
		}
	}
}

// TestHostileLines: the answer to each line is a fault with the line's number, if it has
// one, and the adapter can still answer the next request.
func TestHostileLines(t *testing.T) {
	echo := func(value string) string {
		return `{"cmd":"run","op":"self.echo","seq":5,"in":{"value":` + value + `}}`
	}
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, tc := range []struct{ why, line, seq, text string }{
		{"no JSON", `hello`, "null", "malformed JSON"},
		{"an array", `[{"cmd":"hello"}]`, "null", "malformed JSON"},
		{"a number", `17`, "null", "malformed JSON"},
		{"cut off", `{"cmd":"run","seq":5,"op":"self.ec`, "5", "malformed JSON"},
		{"cut off deeper", `{"cmd":"run","seq":5,"in":{"value":[1,2`, "5", "malformed JSON"},
		{"a comma too many", echo(`[1,,2]`), "5", "malformed JSON"},
		{"wrong brackets", echo(`[1}`), "5", "malformed JSON"},
		{"two objects", echo(`1`) + echo(`2`), "5", "malformed JSON"},
		{"a bare word", echo(`NaN`), "5", "malformed JSON"},
		{"a control character", echo("\"\x01\""), "5", "malformed JSON"},
		{"not UTF-8", echo("\"\xff\""), "5", "UTF-8"},
		{"not UTF-8, unknown key", `{"cmd":"run","op":"self.echo","seq":5,"in":{"value":1},"x":"` + "\xff" + `"}`, "5", "UTF-8"},
		{"a byte order mark", "\xef\xbb\xbf" + echo(`1`), "null", "malformed JSON"},
		{"a NUL", echo("1\x00"), "5", "malformed JSON"},
		{"129 deep", echo(nested(129)), "5", "deeper than 128"},
		{"10,000 deep", echo(nested(10_000)), "5", "deeper than 128"},
		{"a million deep, unknown key", `{"cmd":"run","seq":5,"x":` + nested(1_000_000) + `}`, "5", "deeper than 128"},
		{"a million open brackets", `{"cmd":"run","seq":5,"x":` + strings.Repeat("[", 1_000_000), "5", "malformed JSON"},
		{"a million names", strings.Repeat(`{"a":`, 1_000_000), "null", "malformed JSON"},
		{"a double beyond doubles", echo(`1e400`), "5", "in.value: malformed Extended JSON"},
		{"an absurd exponent", echo(`1e1000000000`), "5", "in.value: malformed Extended JSON"},
		{"an absurd decimal", echo(`{"$numberDecimal":"1E+1000000000"}`), "5", "in.value: malformed Extended JSON"},
		{"an absurd double", echo(`{"$numberDouble":"1e1000000000"}`), "5", "in.value: malformed Extended JSON"},
		{"not a long", echo(`{"$numberLong":"9223372036854775808"}`), "5", "in.value: malformed Extended JSON"},
		{"17 MiB", echo(`"` + strings.Repeat("x", 17<<20) + `"`), "5", "longer than 16 MiB"},
		{"17 MiB of space before it", strings.Repeat(" ", 17<<20) + echo(`1`), "null", "longer than 16 MiB"},
	} {
		answers := ask(t, tc.line+"\n"+echo(`true`))
		if len(answers) != 2 || answers[1] != `{"seq":5,"out":{"value":true}}`+"\n" {
			t.Errorf("%s: %d answers, the last %s", tc.why, len(answers), answers[len(answers)-1])
			continue
		}
		var got struct {
			Seq   json.RawMessage
			Fault string
		}
		if err := json.Unmarshal([]byte(answers[0]), &got); err != nil {
			t.Errorf("%s: %v", tc.why, err)
		}
		if string(got.Seq) != tc.seq || !strings.Contains(got.Fault, tc.text) {
			t.Errorf("%s: seq %s, fault %q; want seq %s and %q", tc.why, got.Seq, got.Fault, tc.seq, tc.text)
		}
	}
}

// TestDepthOfValues: a value may nest as deep as the library can read, and may hold a
// date in its Extended JSON wrappers at that depth.
func TestDepthOfValues(t *testing.T) {
	value := strings.Repeat("[", 128) + `{"$date":{"$numberLong":"1"}}` + strings.Repeat("]", 128)
	got := askOne(t, `{"cmd":"run","op":"self.echo","seq":5,"in":{"value":`+value+`}}`)
	if want := `{"seq":5,"out":{"value":` + value + `}}`; got != want {
		t.Errorf("a value 128 deep is answered with %s", members.Clip(got))
	}
}

func TestBlankLinesAndBye(t *testing.T) {
	got := ask(t, "\n \t\r\n"+`{"cmd":"hello"}`+"\n\n"+`{"cmd":"bye"}`+"\n"+`{"cmd":"hello"}`+"\n")
	if len(got) != 1 {
		t.Errorf("%d answers, want one: blank lines get none, nor does what follows bye", len(got))
	}
}

// TestLineLimit: 16 MiB are read, one byte more is not, with and without a
// newline.
func TestLineLimit(t *testing.T) {
	for _, tc := range []struct {
		size int
		end  string
		want error
	}{
		{maxLine, "\n", nil}, {maxLine, "", nil},
		{maxLine + 1, "\n", errLongLine}, {maxLine + 1, "", errLongLine},
		{3 * maxLine, "", errLongLine},
	} {
		in := newLineReader(strings.NewReader(strings.Repeat("x", tc.size)+tc.end), maxLine)
		line, err := in.next()
		if err != tc.want || err == nil && len(line) != tc.size {
			t.Errorf("a line of %d bytes: %d bytes and %v, want %v", tc.size, len(line), err, tc.want)
		}
		if _, err := in.next(); err != io.EOF {
			t.Errorf("behind a line of %d bytes: %v, want the end", tc.size, err)
		}
	}
}

// TestLongLineIsNotKept: the adapter does not keep a line without end in memory.
func TestLongLineIsNotKept(t *testing.T) {
	const size = 256 << 20
	in := newLineReader(io.LimitReader(endless{}, size), maxLine)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := in.next(); err != errLongLine {
		t.Fatalf("err = %v, want %v", err, errLongLine)
	}
	if _, err := in.next(); err != io.EOF {
		t.Fatalf("behind the line: %v, want the end", err)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 8*maxLine {
		t.Errorf("a line of %d MiB allocated %d MiB", size>>20, got>>20)
	}
}

// endless is a reader that returns the same letter for ever.
type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	return len(b), nil
}

// TestLockstep waits for each answer before it asks the next question.
func TestLockstep(t *testing.T) {
	questions, in := io.Pipe()
	out, answers := io.Pipe()
	done := make(chan error)
	go func() { done <- Serve(questions, answers, nil, library.New()); answers.Close() }()
	read := json.NewDecoder(out)
	for i := range 100 {
		fmt.Fprintf(in, `{"cmd":"run","seq":%d,"op":"self.echo","in":{"value":null}}`+"\n", i)
		var got struct{ Seq int }
		if err := read.Decode(&got); err != nil || got.Seq != i {
			t.Fatalf("answer %d has seq %d, %v", i, got.Seq, err)
		}
	}
	in.Close()
	if err := <-done; err != nil {
		t.Errorf("Serve = %v", err)
	}
}

func TestBrokenStreams(t *testing.T) {
	broken := errors.New("broken")
	if err := Serve(iotest.ErrReader(broken), io.Discard, nil, library.New()); err != broken {
		t.Errorf("Serve of a broken input = %v, want its error", err)
	}
	_, closed := io.Pipe()
	closed.CloseWithError(broken)
	if err := Serve(strings.NewReader(`{"cmd":"hello"}`), closed, nil, faulty{}); err != io.ErrClosedPipe {
		t.Errorf("Serve to a closed output = %v, want its error", err)
	}
}

// A keeper records the questions it is asked.
type keeper struct {
	conformance.System
	asked *[]conformance.Question
}

func (k keeper) Ask(q conformance.Question) conformance.Answer {
	*k.asked = append(*k.asked, q)
	return conformance.Skipped("kept")
}

// TestQuestions: the system gets the question of the request, and may keep it.
func TestQuestions(t *testing.T) {
	in := `{"in": {"n" : 1.0} ,"cmd":"run","seq":1,"op":"cosmosmongo.decide","target":{"system":"x","version":"4.2","capabilities":["a","b"]}}
{"cmd":"run","seq":2,"op":"own.op","target":{"system":"y","version":5}}
{"cmd":"run","seq":3,"op":"own.op","target":6,"in":[7]}
{"cmd":"run","seq":4,"op":"mongodb.decide","target":{"system":"x","parameters":{"p":true,"q":"r"}}}
`
	var asked []conformance.Question
	if err := Serve(strings.NewReader(in), io.Discard, nil, keeper{asked: &asked}); err != nil {
		t.Fatal(err)
	}
	want := []conformance.Question{
		{Op: "cosmosmongo.decide", Target: conformance.Target{System: "x", Version: "4.2", Capabilities: []string{"a", "b"}}, In: json.RawMessage(`{"n" : 1.0}`)},
		{Op: "own.op", Target: conformance.Target{System: "y"}},
		{Op: "own.op", In: json.RawMessage(`[7]`)},
		{Op: "mongodb.decide", Target: conformance.Target{System: "x", Parameters: conformance.Parameters{"p": true, "q": "r"}}},
	}
	if !reflect.DeepEqual(asked, want) {
		t.Errorf("asked %s, want %s", asked, want)
	}
}

// An odd system gives the same answer to every question, or panics if it has no answer.
type odd struct{ answer *conformance.Answer }

func (odd) Hello() conformance.Hello { panic("defect") }

func (o odd) Ask(conformance.Question) conformance.Answer { return *o.answer }

// TestPanicIsAFault: the adapter outlives a defect of the system.
func TestPanicIsAFault(t *testing.T) {
	var out, log bytes.Buffer
	in := `{"cmd":"hello"}` + "\n" + `{"cmd":"run","seq":3,"op":"self.echo","in":{}}`
	if err := Serve(strings.NewReader(in), &out, &log, odd{}); err != nil {
		t.Fatal(err)
	}
	want := `{"seq":null,"fault":"panic: defect"}` + "\n" + `{"seq":3,"fault":"panic: runtime error: invalid memory address or nil pointer dereference"}` + "\n"
	if out.String() != want {
		t.Errorf("answers %s, want %s", out.String(), want)
	}
	out.Reset()
	if err := Serve(strings.NewReader(in), &out, nil, odd{}); err != nil || out.String() != want {
		t.Errorf("without a log: %v, answers %s, want %s", err, out.String(), want)
	}
	if !strings.Contains(log.String(), "hello : panic: defect\ngoroutine") || !strings.Contains(log.String(), "run 3: panic: ") {
		t.Errorf("the log has %q, want the stacks", log.String())
	}
}

// TestAnswersThatCannotBeSent: answers that cannot be sent become faults; the others are
// sent unchanged.
func TestAnswersThatCannotBeSent(t *testing.T) {
	const cannot = `{"seq":3,"fault":"the system's answer cannot be sent: `
	for _, tc := range []struct {
		answer conformance.Answer
		want   string
	}{
		{conformance.Answer{}, cannot + `none"}`},
		{conformance.Answer{Kind: conformance.KindOut}, cannot + `out"}`},
		{conformance.Answer{Kind: conformance.KindOut, Out: json.RawMessage(`{`)}, cannot + `out"}`},
		{conformance.Answer{Kind: conformance.KindRefused}, cannot + `error"}`},
		{conformance.Answer{Kind: conformance.KindCrash, Text: "x"}, cannot + `crash"}`},
		{conformance.Answer{Kind: conformance.KindOut, Out: json.RawMessage("{\n\"b\":1.50, \"a\":\"<\"}")}, `{"seq":3,"out":{"b":1.50,"a":"<"}}`},
		{conformance.Refused(conformance.Refusal{Status: 400}), `{"seq":3,"error":{"class":"refused","status":400}}`},
		{conformance.Skipped(""), `{"seq":3,"skip":""}`},
		{conformance.Fault("a\nb"), `{"seq":3,"fault":"a\nb"}`},
	} {
		var out bytes.Buffer
		if err := Serve(strings.NewReader(`{"cmd":"run","seq":3,"op":"self.echo"}`), &out, nil, odd{&tc.answer}); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSuffix(out.String(), "\n"); got != tc.want {
			t.Errorf("%s is sent as %s, want %s", tc.answer, got, tc.want)
		}
	}
}

// FuzzReply: whatever the line, at most one line of JSON comes back; it has the
// number of the request, and one kind of answer.
func FuzzReply(f *testing.F) {
	for _, line := range []string{
		`{"cmd":"hello","protocol":1}`, `{"cmd":"bye"}`, `{`, ``, `{"seq":1,"seq":2}`,
		`{"cmd":"run","seq":1,"op":"self.echo","in":{"value":{"$numberDecimal":"-1E-6176"}}}`,
		`{"cmd":"run","seq":1,"op":"mongodb.decide","target":{"system":"mongodb","version":"6.0.1"},"in":{"now":{"$date":{"$numberLong":"1"}},"indexes":[{"key":{"a":1},"expireAfterSeconds":1}],"document":{"a":{"$date":{"$numberLong":"1"}}}}}`,
		`{"cmd":"run","seq":1,"op":"mongodb.createIndexes","target":{"system":"mongodb","version":"8.0.4"},"in":{"index":{"key":{"a":1},"expireAfterSeconds":-1}}}`,
		`{"cmd":"run","seq":1,"op":"mongodb.collMod","target":{"system":"mongodb","version":"8.0.4"},"in":{"existing":[{"key":{"a":1},"name":"a_1"}],"command":{"index":{"name":"a_1","expireAfterSeconds":1}}}}`,
		`{"cmd":"run","seq":1,"op":"mongodb.create","target":{"system":"mongodb","version":"8.0.4"},"in":{"command":{"timeseries":{"timeField":"t"},"expireAfterSeconds":1}}}`,
		`{"cmd":"run","seq":1,"op":"cosmos.decide","target":{"system":"cosmos-nosql"},"in":{"now":{"$date":{"$numberLong":"1"}},"container":{"defaultTtl":-1},"item":{"ttl":1,"_ts":5}}}`,
		`{"cmd":"run","seq":1,"op":"cosmos.validateContainer","target":{"system":"cosmos-nosql"},"in":{"container":{"defaultTtl":0}}}`,
		`{"cmd":"run","seq":1,"op":"cosmosmongo.decide","target":{"system":"cosmos-mongo","version":"4.2"},"in":{"now":{"$date":{"$numberLong":"1"}},"indexes":[{"key":{"_ts":1},"expireAfterSeconds":1}],"document":{"ttl":1},"_ts":5}}`,
	} {
		f.Add([]byte(line))
	}
	s := server{library.New(), io.Discard}
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.ContainsRune(line, '\n') {
			return // would be two lines
		}
		reply, _ := s.reply(line, nil)
		if reply == nil {
			return
		}
		var got map[string]json.RawMessage
		if err := json.Unmarshal(reply, &got); err != nil || bytes.Count(reply, []byte("\n")) != 1 {
			t.Fatalf("the answer to %q is %q, want one line of JSON", line, reply)
		}
		if strings.HasPrefix(string(got["fault"]), `"panic`) {
			t.Fatalf("%q: %s", line, got["fault"])
		}
		kinds := 0
		for _, kind := range []string{"out", "error", "skip", "fault", "protocol"} {
			if got[kind] != nil {
				kinds++
			}
		}
		if kinds != 1 {
			t.Fatalf("the answer to %q is %s, want one kind of answer", line, reply)
		}
	})
}
