package report

import (
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// TestAnswers: answers are found again, however the file ends, and a question at which
// the program broke is asked again.
func TestAnswers(t *testing.T) {
	hello := conformance.Hello{Name: "x", Version: "1", Systems: map[string]string{"mongodb": "8.0.4"}}
	head, err := HeadLine(hello)
	if err != nil {
		t.Fatal(err)
	}
	question := func(now string) conformance.Question {
		return conformance.Question{Op: "mongodb.decide", Target: conformance.Target{System: "mongodb", Version: "8.0.4"}, In: []byte(`{"now":` + now + `}`)}
	}
	text := string(head)
	for _, one := range []struct {
		now string
		conformance.Answer
	}{
		{"1", conformance.Unknown("nobody knows")}, {"2", conformance.Answer{Kind: conformance.KindCrash}}, {"3", conformance.Skipped("no")},
	} {
		line, err := AnswerLine(question(one.now), one.Answer)
		if err != nil {
			t.Fatal(err)
		}
		text += string(line)
	}
	found, err := ParseAnswers([]byte(text[:len(text)-3]))
	if err != nil || len(found.byQuestion) != 1 {
		t.Fatalf("ParseAnswers of a file that was cut: %d answers, %v, want 1", len(found.byQuestion), err)
	}
	found, err = ParseAnswers([]byte(text))
	if err != nil || len(found.byQuestion) != 2 {
		t.Fatalf("ParseAnswers: %d answers, %v, want 2", len(found.byQuestion), err)
	}
	if a, ok := found.Answer(question("1")); !ok || a.Kind != conformance.KindUnknown || a.Text != "nobody knows" {
		t.Errorf("Answer() = %s, %t, want what was written", a, ok)
	}
	if _, ok := found.Answer(question("2")); ok {
		t.Error("what crashed is not asked again")
	}
	elsewhere := question("1")
	elsewhere.Target.Version = "7.0.1"
	if _, ok := found.Answer(elsewhere); ok {
		t.Error("the answer about one release is taken for another's")
	}
	if err := found.CheckSystem(hello); err != nil {
		t.Errorf("CheckSystem: %v", err)
	}
	hello.Version = "2"
	if err := found.CheckSystem(hello); err == nil || !strings.Contains(err.Error(), "x 1") {
		t.Errorf("CheckSystem of another version: %v, want an error", err)
	}
	for _, wrong := range []string{"", "{}", "notes\n", `{"format":"9"}`} {
		if _, err := ParseAnswers([]byte(wrong)); err == nil {
			t.Errorf("ParseAnswers(%q) takes it", wrong)
		}
	}
}
