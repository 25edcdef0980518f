package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/suite/differ"
)

// miniature is a program that knows only dates, and compares them by the given
// operator.
func miniature(t *testing.T, comparison string) []string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	return []string{python, "-S", written(t, "miniature.py", `
import json, sys
HELLO = {"protocol": 1, "name": "`+comparison+`", "version": "1", "ops": ["mongodb.decide"], "systems": {"mongodb": ">=4.0.0"}}
def date(v): return int(v["$date"]["$numberLong"]) if isinstance(v, dict) and "$date" in v else None
def decide(q):
    index = q["indexes"][0]
    (field, _), = index["key"].items()
    at, seconds = date(q["document"].get(field)), index["expireAfterSeconds"]
    number = float(list(seconds.values())[0]) if isinstance(seconds, dict) else seconds
    expired = at is not None and at + int(number) * 1000 `+comparison+` date(q["now"])
    return {"state": "expired" if expired else "never"}
for line in sys.stdin:
    m = json.loads(line)
    if m["cmd"] == "bye": break
    print(json.dumps(HELLO if m["cmd"] == "hello" else {"seq": m["seq"], "out": decide(m["in"])}), flush=True)
`)}
}

// diff runs conform diff on two programs.
func diff(t *testing.T, first, second []string, flags ...string) result {
	t.Helper()
	args := append([]string{"conform", "diff", "--timeout", "1m", "--hello-timeout", "1m"}, flags...)
	args = append(append(append(append(args, "--"), first...), "--"), second...)
	return ttl(t, "", args...)
}

// TestConformDiff: two programs whose comparisons differ disagree only about
// the millisecond of the deadline.
func TestConformDiff(t *testing.T) {
	t.Parallel()
	questions := 400
	if testing.Short() {
		questions = 80
	}
	flags := []string{"--op", "mongodb.decide", "--n", strconv.Itoa(questions), "--seed", "7"}
	inclusive, strict := miniature(t, "<="), miniature(t, "<")
	r := diff(t, inclusive, strict, append(flags, "--format", "json")...)
	var report differ.Report
	if err := json.Unmarshal([]byte(r.out), &struct {
		*differ.Report
		Rules []struct {
			Rule     string
			Examples []struct{ First, Second json.RawMessage }
		}
	}{Report: &report}); err != nil || r.code != cli.ExitNonconformant {
		t.Fatalf("exit %d: %v in\n%s%s", r.code, err, r.out, r.err)
	}
	if report.First.Name != "<=" || report.Seed != 7 || report.Asked() < questions*3/4 {
		t.Errorf("the report is %+v", report)
	}
	text := diff(t, inclusive, strict, flags...)
	for _, want := range []string{"<= 1 and < 1   seed 7", "DIFFER  mongo.date  ", `first  {"out":{"state":"expired"}}`, "this library agrees with the first"} {
		if !strings.Contains(text.out, want) {
			t.Errorf("no %q in\n%s", want, text.out)
		}
	}
	if !testing.Short() {
		if again := diff(t, inclusive, strict, flags...); again.out != text.out {
			t.Errorf("the same seed shows\n%s\nthen\n%s", text.out, again.out)
		}
	}
	if vectors := diff(t, inclusive, strict, append(flags, "--format", "vectors")...); !strings.Contains(vectors.out, `"want": []`) || vectors.code != cli.ExitNonconformant {
		t.Errorf("the vectors are\n%s", vectors.out)
	}
}

func TestConformDiffCodes(t *testing.T) {
	t.Parallel()
	adapter, own := []string{os.Args[0], "adapter"}, []string{self}
	for _, tt := range []struct {
		why  string
		r    result
		code cli.ExitCode
		says string
	}{
		{"the library and its adapter", diff(t, own, adapter, "--n", "50"), cli.ExitOK, "both systems agree on all questions"},
		{"a program that is not there", diff(t, own, []string{"./no-such"}), cli.ExitUnable, "no-such"},
		{"one program", ttl(t, "", "conform", "diff", "--", "self"), cli.ExitUsage, "name two programs"},
		{"no second program", ttl(t, "", "conform", "diff", "--", "self", "--"), cli.ExitUsage, "name two programs"},
		{"no first program", ttl(t, "", "conform", "diff", "--", "--", "self"), cli.ExitUsage, "name two programs"},
		{"no questions", diff(t, own, own, "--n", "0"), cli.ExitUsage, "must be 1 or more"},
		{"no such operation", diff(t, own, own, "--op", "mongodb.delete"), cli.ExitUsage, "want one of"},
		{"no such format", diff(t, own, own, "--format", "xml"), cli.ExitUsage, "want one of"},
		{"a server and a program", ttl(t, "", "conform", "diff", "--mongodb-uri", "mongodb://127.0.0.1:1", "--", "true"), cli.ExitUsage, "true is a program"},
		{"a server that is not there", ttl(t, "", "conform", "diff", "--mongodb-uri", "mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=100"), cli.ExitUnable, "no server is available"},
		{"a server's leftovers that are not there", ttl(t, "", "conform", "diff", "--mongodb-uri", "mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=100", "--cleanup", "ttlconform_0123456789ab"), cli.ExitUnable, "no server is available"},
		{"a cleanup with questions", ttl(t, "", "conform", "diff", "--mongodb-uri", "mongodb://127.0.0.1:1", "--cleanup", "x", "--n", "5"), cli.ExitUsage, "--n has no effect beside --cleanup"},
		{"an operation that not both claim", diff(t, own, miniature(t, "<="), "--op", "cosmos.decide"), cli.ExitUnable, "the operation cosmos.decide is not claimed by both systems"},
	} {
		if tt.r.code != tt.code || !strings.Contains(tt.r.out+tt.r.err, tt.says) {
			t.Errorf("%s: exit %d, want %d and %q in\n%s%s", tt.why, tt.r.code, tt.code, tt.says, tt.r.out, tt.r.err)
		}
	}
}
