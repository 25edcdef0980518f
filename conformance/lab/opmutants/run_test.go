package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// fakeJudge is the variable that makes the test program a judge of five mutants, which
// dies of the third. fakeAnswers holds its output by phase and mutants.
const fakeJudge = "OPMUTANTS_TEST_JUDGE"

var fakeAnswers = map[string][]string{
	"vectors 1 2 3 4 5": {"begin 1 4", "killed 1 a-vector", "begin 2 1", "survived 2", "begin 3 1"},
	"vectors 4 5":       {"begin 4 2", "survived 4", "begin 5 0", "survived 5"},
	"vectors 1 3 5":     {"begin 1 4", "killed 1 a-vector", "begin 3 1"},
	"vectors 5":         {"begin 5 0", "survived 5"},
	"vectors 2 4":       {"begin 2 1", "survived 2", "begin 4 0", "survived 4"},
	"questions 2 4 5":   {"begin 2 1", `gap 2 mongodb.decide {"now": 5}`, "begin 4 2", "same 4", "begin 5 0", "same 5"},
	"questions 2 5":     {"begin 2 1", `gap 2 mongodb.decide {"now": 5}`, "begin 5 0", "same 5"},
	"questions 4":       {"begin 4 2", "same 4"},
	"questions 5":       {"begin 5 0", "same 5"},
}

func TestMain(m *testing.M) {
	if os.Getenv(fakeJudge) == "" {
		os.Exit(m.Run())
	}
	answers := fakeAnswers[strings.Join(os.Args[2:], " ")]
	for _, line := range answers {
		os.Stdout.WriteString(line + "\n")
	}
	if len(answers) == 0 || answers[len(answers)-1] == "begin 3 1" {
		os.Exit(2)
	}
}

func TestJudged(t *testing.T) {
	for judges := range 2 {
		t.Run(strconv.Itoa(judges+1), func(t *testing.T) { testJudged(t, judges+1) })
	}
}

func testJudged(t *testing.T, judges int) {
	t.Setenv(fakeJudge, "1")
	s, err := judgeAll(os.Args[0], "/root", []mutant{{ID: 1}, {ID: 2, File: "/root/mongo/x.go", Line: 3, Kind: "negate", Code: "a == b"}, {ID: 3}, {ID: 4, File: "y.go"}, {ID: 5}}, judges)
	if err != nil {
		t.Fatal(err)
	}
	if s.Total != 5 || s.Killed != 2 || len(s.Gaps) != 1 || len(s.Same) != 1 || s.Unreached != 1 {
		t.Errorf("the score is %+v, want two killed, the one that the judge died of among them", s)
	}
	if got := s.percentage(); got < 66 || got > 67 {
		t.Errorf("%.1f %%, want two thirds of those that change an answer", got)
	}
	var b strings.Builder
	if err := s.write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"gap  mongo/x.go:3: negate: a == b\n     mongodb.decide {\"now\": 5}\n", "5 mutants: 2 killed by vectors, 1 by generated questions alone, 1 change no answer that was found, 1 not reached: 66.7 %"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// TestJudgeBuilds: the judge compiles, with one package mutated.
func TestJudgeBuilds(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	mutants, list, err := instrument(root, folder, "internal/mongo/codes")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := build(root, folder, list); err != nil || len(mutants) == 0 {
		t.Errorf("%d mutants, %v", len(mutants), err)
	}
}

// The judge is asked about mutants 1, 3 and 5 alone: it has no answer for others.
func TestSkippedIsNotJudged(t *testing.T) {
	t.Setenv(fakeJudge, "1")
	mutants := []mutant{{ID: 1}, {ID: 2}, {ID: 3}, {ID: 4}, {ID: 5}}
	keep(mutants, 2)
	s, err := judgeAll(os.Args[0], "/", mutants, 1)
	if err != nil {
		t.Fatal(err)
	}
	if s.Total != 3 || s.Killed != 2 || s.Unreached != 1 {
		t.Errorf("the score is %+v, want three mutants: two killed, and one that is not reached", s)
	}
}

func TestJudgedRefuses(t *testing.T) {
	if _, err := judgeAll("/no/such/judge", "/", []mutant{{ID: 1}}, 1); err == nil {
		t.Error("no judge is no error")
	}
}
