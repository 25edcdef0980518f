package protocol

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

func TestReadReplyRefuses(t *testing.T) {
	for _, line := range []string{
		`hello`, `[]`, `5`, `{}`, `{"seq":1}`, `{"seq":1,"out":null}`, `{"seq":1,"out":{},"skip":"x"}`, `{"seq":1,"out":{},"error":{"class":"refused"}}`,
		`{"seq":1,"crash":"by itself"}`, `{"seq":1,"skip":5}`, `{"seq":1,"error":"no"}`, `{"seq":1,"out":{}} trailing`,
	} {
		if r, err := readReply(line); err == nil {
			t.Errorf("readReply(%s) = %+v, want an error", line, r)
		}
	}
	for line, want := range map[string]string{
		`{"seq":1,"out":{"a":1},"more":2}`:                  `{"out":{"a":1}}`,
		`{"error":{"class":"refused","code":67},"seq":1}`:   `{"error":{"class":"refused","code":67}}`,
		`{"seq":1,"skip":"","out":null}`:                    `{"skip":""}`,
		`{"seq":1,"out":{"a":"<&>"},"timeout":"1s"}`:        `{"out":{"a":"<&>"}}`,
		`{"seq":1,"fault":"oh"}`:                            `{"fault":"oh"}`,
		`{"seq":1,"out":{"state":"never","deadline":null}}`: `{"out":{"state":"never","deadline":null}}`,
	} {
		r, err := readReply(line)
		if err != nil || r.String() != want {
			t.Errorf("readReply(%s) = %s, %v, want %s", line, r, err, want)
		}
	}
}

// TestReadReplySaysWhatIsWrong: the error names the fault of a reply. Only a line that is
// not JSON counts as debug output.
func TestReadReplySaysWhatIsWrong(t *testing.T) {
	for line, want := range map[string]string{
		`deciding…`: "debug output",
		`{"seq":1,"error":{"class":"refused","code":"67"}}`: "cannot unmarshal string",
	} {
		if _, err := readReply(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("readReply(%s): %v, want %q", line, err, want)
		}
	}
}

func TestReplyNumber(t *testing.T) {
	for text, want := range map[string]int{`17`: 17, `"17"`: -1, `null`: -1, `1.0`: -1, `17e0`: -1, `{}`: -1} {
		n, ok := reply{seq: []byte(text)}.number()
		if !ok {
			n = -1
		}
		if n != want {
			t.Errorf("the number %s is %d, want %d", text, n, want)
		}
	}
}

func TestReadHelloRefuses(t *testing.T) {
	for _, line := range []string{
		``, `hello`, `{}`, `{"protocol":2,"name":"x","version":"1","ops":["self.echo"]}`, `{"protocol":1,"version":"1","ops":["self.echo"]}`,
		`{"protocol":1,"name":"x","ops":["self.echo"]}`, `{"protocol":1,"name":"x","version":"1"}`, `{"fault":"protocol 1 is too old"}`, `{"protocol":"1"}`,
	} {
		if h, err := readHello(line); err == nil {
			t.Errorf("readHello(%s) = %+v, want an error", line, h)
		}
	}
	if _, err := readHello(`{"protocol":1,"name":"x","version":"1","ops":["self.echo"],"more":true}`); err != nil {
		t.Error(err)
	}
}

// TestRequestsAreBlind: a request names neither the vector nor the expected
// answer.
func TestRequestsAreBlind(t *testing.T) {
	v := suite.Embedded().Vectors[0]
	line := run(17, conformance.Question{Op: v.Op, Target: conformance.Target{System: "mongodb", Version: "8.0.4"}, In: v.In}).line()
	want := `{"cmd":"run","seq":17,"op":"` + v.Op + `","target":{"system":"mongodb","version":"8.0.4"},"in":` + string(v.In) + `}`
	if string(line) != want {
		t.Errorf("a request is %s, want %s", line, want)
	}
	line = run(1, conformance.Question{Op: "self.echo", In: []byte(`{"value":1}`)}).line()
	if want := `{"cmd":"run","seq":1,"op":"self.echo","target":{"system":""},"in":{"value":1}}`; string(line) != want {
		t.Errorf("an echo is %s, want %s", line, want)
	}
}

// FuzzAnswer: the reader returns the lines that were written, in whatever pieces they
// arrive. An accepted answer stays the same when it is written and read again.
func FuzzAnswer(f *testing.F) {
	for _, text := range []string{
		`{"seq":1,"out":{"state":"never","deadline":null}}` + "\n" + `{"seq":2,"error":{"class":"refused","code":67}}`, "\n\n" + `{"seq":1,"skip":"<&>"}`,
		`{"protocol":1,"name":"x","version":"1","ops":["self.echo"],"systems":{"mongodb":"*"}}` + "\n", `{"seq":1,"fault":"` + strings.Repeat("x", 300) + `"}` + "\n{}",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		const longest = 200
		lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		if len(text) == 0 {
			lines = nil
		}
		reader := newLineReader(iotest.OneByteReader(bytes.NewReader(text)), longest)
		for i, want := range lines {
			got, err := reader.next()
			if err != nil && len(want) <= longest || !strings.HasPrefix(want, string(got)) || err == nil && string(got) != want {
				t.Fatalf("%q: line %d is %q, %v", text, i, got, err)
			}
			checkAnswer(t, want)
		}
		if got, err := reader.next(); err != io.EOF {
			t.Fatalf("%q: more than %d lines: %q, %v", text, len(lines), got, err)
		}
	})
}

func checkAnswer(t *testing.T, line string) {
	t.Helper()
	if h, err := readHello(line); err == nil && (h.Protocol != version || len(h.Ops) == 0) {
		t.Fatalf("readHello(%q) = %+v", line, h)
	}
	r, err := readReply(line)
	if err != nil {
		return
	}
	if again, err := readReply(r.String()); err != nil || again.Kind != r.Kind || again.String() != r.String() {
		t.Fatalf("readReply(%q) = %s, which is read as %s, %v", line, r, again, err)
	}
}
