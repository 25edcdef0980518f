package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/rulelist"
)

// TestHelp: the help of each command has an example of the command, except for completion,
// and the exit codes. It stays within 80 columns, except for commands to be copied and long
// words, and shows no escape.
func TestHelp(t *testing.T) {
	var walk func(path []string, cmd *cobra.Command)
	walk = func(path []string, cmd *cobra.Command) {
		r := ttl(t, "", append(path, "--help")...)
		wants := []string{"Usage:\n", "Exit codes:\n", "130  stopped by Ctrl-C"}
		if isOfCobra := len(path) > 0 && path[0] == "completion"; !isOfCobra {
			wants = append(wants, "Examples:\n  # ")
			if !strings.Contains(cmd.Example, cmd.CommandPath()) {
				t.Errorf("%s has no example", cmd.CommandPath())
			}
		}
		for _, want := range wants {
			if r.code != cli.ExitOK || !strings.Contains(r.out, want) || r.err != "" {
				t.Errorf("ttl %s --help: exit %d, no %q in\n%s%s", strings.Join(path, " "), r.code, want, r.out, r.err)
			}
		}
		for line := range strings.Lines(r.out) {
			fields := strings.Fields(line)
			isLong := utf8.RuneCountInString(line) > 81 && len(fields[len(fields)-1]) < 20
			isCommand := strings.Contains("\n"+cmd.Example+"\n", "\n"+line)
			if isLong && !isCommand && !strings.Contains(line, "internalQuery") || strings.Contains(line, `\u{`) {
				t.Errorf("ttl %s --help: %q", strings.Join(path, " "), line)
			}
		}
		for _, sub := range cmd.Commands() {
			walk(append(slices.Clone(path), sub.Name()), sub)
		}
	}
	root := newRootCommand()
	root.InitDefaultCompletionCmd()
	walk(nil, root)
	for _, alike := range [][2]string{{"", "--help"}, {"help forecast", "forecast --help"}, {"rules -h", "rules --help"}} {
		if got, want := ttl(t, "", strings.Fields(alike[0])...), ttl(t, "", strings.Fields(alike[1])...); got != want {
			t.Errorf("ttl %s shows\n%s%s\nand ttl %s\n%s", alike[0], got.out, got.err, alike[1], want.out)
		}
	}
}

// TestHelpIsOfCommands: each section of help.txt is about a command.
func TestHelpIsOfCommands(t *testing.T) {
	t.Parallel()
	for heading := range helpSections {
		path := strings.Fields(strings.TrimPrefix(heading, "exit codes of "))
		cmd, _, err := newRootCommand().Find(path[1:])
		if err != nil || cmd.CommandPath() != strings.Join(path, " ") {
			t.Errorf("help.txt has a section %q, and there is no such command", heading)
		}
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	want := regexp.MustCompile(`^ttl \S+ \(library \S+, go\S+, rules mongo \d+ cosmos \d+\)\nnewest release known: MongoDB \d+\.\d+\.\d+\nbuilt for \w+/\w+.*\n$`)
	for _, arg := range []string{"version", "--version"} {
		if r := ttl(t, "", arg); r.code != cli.ExitOK || !want.MatchString(r.out) {
			t.Errorf("ttl %s: exit %d, %q", arg, r.code, r.out)
		}
	}
	if r := ttl(t, "", "version", "now"); r.code != cli.ExitUsage || !strings.Contains(r.err, "takes no arguments") {
		t.Errorf("ttl version now: exit %d, %q", r.code, r.err)
	}
}

func TestHowBuilt(t *testing.T) {
	t.Parallel()
	platform := []debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "GOARCH", Value: "arm64"}}
	commit := append(platform, debug.BuildSetting{Key: "vcs.revision", Value: "8f90b00"}, debug.BuildSetting{Key: "vcs.time", Value: "2026-11-22T07:00:00Z"})
	for want, settings := range map[string][]debug.BuildSetting{
		"linux/arm64": platform,
		"linux/arm64, from commit 8f90b00 of 2026-11-22T07:00:00Z":               commit,
		"linux/arm64, from commit 8f90b00 of 2026-11-22T07:00:00Z, with changes": append(commit, debug.BuildSetting{Key: "vcs.modified", Value: "true"}),
	} {
		if got := howBuilt(settings); got != want {
			t.Errorf("howBuilt(%v) = %q, want %q", settings, got, want)
		}
	}
}

// TestCompletion requests completions as the shell does.
func TestCompletion(t *testing.T) {
	t.Parallel()
	const anyFile, noFile = ":0\n", ":4\n" // cobra's directives
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"exp"}, "explain\t"},
		{[]string{"rules", "mongo.field-mis"}, "mongo.field-missing\t"},
		{[]string{"rules", "cosmos.of"}, "cosmos.off\t"},
		{[]string{"explain", "--format", ""}, "svg\n"},
		{[]string{"forecast", "--format", ""}, "html\n"},
		{[]string{"rules", "--format", ""}, "text\n"},
		{[]string{"audit", "--by", ""}, "initial-sync\n"},
		{[]string{"explain", "--capability", ""}, "EnableTtlOnCustomPath\nmongoEnableDocLevelTTL\n"},
		{[]string{"forecast", ""}, anyFile},
		{[]string{"forecast", "me"}, "merge\t"},
		{[]string{"forecast", "merge", ""}, anyFile},
		{[]string{"explain", ""}, anyFile},
		{[]string{"audit", "a", ""}, anyFile},
		{[]string{"plan", ""}, anyFile},
		{[]string{"plan", "init", ""}, anyFile},
		{[]string{"migrate", ""}, anyFile},
		{[]string{"conform", "run", "--", ""}, anyFile},
		{[]string{"conform", "diff", "--", ""}, anyFile},
		{[]string{"conform", "rejudge", ""}, anyFile},
		{[]string{"conform", "lint", ""}, anyFile},
		{[]string{"forecast", "--metadata", ""}, anyFile},
		{[]string{"migrate", "--out", ""}, anyFile},
		{[]string{"migrate", "--out-folder", ""}, anyFile},
		{[]string{"conform", "run", "--results", ""}, anyFile},
		{[]string{"forecast", "--bucket", ""}, noFile},
		{[]string{"forecast", "--index", ""}, noFile},
		{[]string{"audit", "--ignore", ""}, noFile},
		{[]string{"rules", "mongo.date", ""}, noFile},
		{[]string{"version", ""}, noFile},
	} {
		if r := ttl(t, "", append([]string{"__complete"}, tc.args...)...); !strings.Contains(r.out, tc.want) {
			t.Errorf("completing %q offers\n%s\nwant %q", tc.args, r.out, tc.want)
		}
	}
	if r := ttl(t, "", "__complete", "rules", "mongo.date", ""); strings.Contains(r.out, "mongo.") {
		t.Errorf("a second rule is offered:\n%s", r.out)
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if r := ttl(t, "", "completion", shell); r.code != cli.ExitOK || !strings.Contains(r.out, "ttl") {
			t.Errorf("ttl completion %s: exit %d", shell, r.code)
		}
	}
}

// TestInterruptWhileWaiting: Ctrl-C ends commands that wait for input.
func TestInterruptWhileWaiting(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"adapter"}, {"audit"}, {"explain", "--container", "{}"}} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			var errs bytes.Buffer
			waiting, never := io.Pipe()
			defer never.Close()
			if code := runWith(ctx, waiting, io.Discard, &errs, args...); code != cli.ExitInterrupted || errs.String() != "ttl: interrupted\n" {
				t.Errorf("ttl %q interrupted: exit %d, %q, want 130", args, code, errs.String())
			}
		})
	}
}

func TestAdapter(t *testing.T) {
	t.Parallel()
	r := ttl(t, `{"cmd":"hello","protocol":1}`+"\n"+`{"cmd":"run","seq":1,"op":"self.echo","in":{"value":{"$numberDouble":"NaN"}}}`+"\n", "adapter")
	lines := strings.Split(r.out, "\n")
	if r.code != cli.ExitOK || len(lines) != 3 || lines[1] != `{"seq":1,"out":{"value":{"$numberDouble":"NaN"}}}` {
		t.Errorf("ttl adapter: exit %d, %q", r.code, r.out)
	}
	if want := `"version":"` + buildVersion().tool + `"`; !strings.Contains(lines[0], want) {
		t.Errorf("hello is answered with %s, want %s", lines[0], want)
	}
}

// TestExplainReads reads the same document in three ways.
func TestExplainReads(t *testing.T) {
	t.Parallel()
	const doc = `{"at":{"$date":"2026-11-19T00:00:00Z"}}`
	policy := []string{"explain", "--now", sampleAt, "--index", `{"at":1}`, "--expire-after", "1d"}
	want := ttl(t, "", append(policy, doc)...)
	if want.code != cli.ExitOK || !strings.HasPrefix(want.out, "expired  since 2026-11-20T00:00:00.000Z (now)\n") {
		t.Fatalf("explain: exit %d\n%s%s", want.code, want.out, want.err)
	}
	for stdin, arg := range map[string]string{doc: "-", doc + "\n": "-", "": written(t, "doc.json", doc)} {
		if got := ttl(t, stdin, append(policy, arg)...); got.out != want.out {
			t.Errorf("explain %s: exit %d\n%s%s", arg, got.code, got.out, got.err)
		}
	}
}

// TestExplainFinds finds a document by its identifier, as people type it.
func TestExplainFinds(t *testing.T) {
	t.Parallel()
	export := written(t, "x.jsonl", `{"_id":{"$oid":"6ac5fd0d5f3a91c200000000"},"n":1}
{"_id":5,"n":2}
{"_id":"5","n":3}
{"_id":"a b","n":4}
{"_id":{"k":1},"n":5}
{"_id":7,"n":6}
{"_id":{"$numberLong":"7"},"n":7}
{"n":8}
{"_id":{"$date":"2026-11-01T00:00:00Z"},"n":9}
`)
	for id, want := range map[string]string{
		"6ac5fd0d5f3a91c200000000": "at byte 0 of", `ObjectId("6ac5fd0d5f3a91c200000000")`: "at byte 0 of", `{"$oid":"6ac5fd0d5f3a91c200000000"}`: "at byte 0 of",
		"a b": "at byte 84 of", `"a b"`: "at byte 84 of", "{k: 1}": "at byte 104 of", `ISODate("2026-11-01")`: "at byte 184 of", `"5"`: "at byte 66 of",
		"5": "2 documents have the identifier 5: at byte 50 of", "7.0": "2 documents have the identifier 7.0: ", "null": "no document of", "8": "; 9 documents were looked at",
	} {
		r := ttl(t, "", "explain", "--index", `{"n":1}`, "--expire-after", "1", "--id", id, export)
		if text := words(r.out + r.err); !strings.Contains(text, want) || (r.code == cli.ExitOK) != strings.HasPrefix(want, "at ") {
			t.Errorf("--id %s: exit %d, no %q in\n%s%s", id, r.code, want, r.out, r.err)
		}
	}
	r := ttl(t, "", "explain", "--now", sampleAt, "--id", "6ac5fd0d5f3a91c200000000", samples+"shop")
	if r.code != cli.ExitOK || !strings.Contains(r.out, "createdAt_1 (30 d after createdAt)") || !strings.HasPrefix(r.out, "expired  since 2026-11-06T08:04:29.096Z") {
		t.Errorf("in a folder: exit %d\n%s%s", r.code, r.out, r.err)
	}
}

// TestRulesInFull: each rule is in the list and can be shown by itself, in JSON as an
// array of one element.
func TestRulesInFull(t *testing.T) {
	t.Parallel()
	list := ttl(t, "", "rules").out
	for _, rule := range rulelist.All() {
		r := ttl(t, "", "rules", rule.ID())
		if r.code != cli.ExitOK || !strings.Contains(r.out, "  "+rule.ID()+"\n") || !strings.Contains(list, rule.ID()+"\n") {
			t.Errorf("ttl rules %s: exit %d\n%s", rule.ID(), r.code, r.out)
		}
	}
	if r := ttl(t, "", "rules", "--format", "json", "cosmos.off"); !strings.HasPrefix(r.out, "[") || strings.Count(r.out, `"id"`) != 1 {
		t.Errorf("ttl rules --format json cosmos.off: %s", r.out)
	}
}

// TestDocsNameTheExitCodes compares docs/cli.md with the table of the codes.
func TestDocsNameTheExitCodes(t *testing.T) {
	t.Parallel()
	checkCodes(t, "../../docs/cli.md", helpSections["exit codes of ttl"])
}

// checkCodes looks for every code of a command's help in a table.
func checkCodes(t *testing.T, page, help string) {
	t.Helper()
	docs := contents(t, page)
	for line := range strings.Lines(help) {
		code, meaning, _ := strings.Cut(strings.TrimSpace(line), "  ")
		if want := fmt.Sprintf("| %s | %s |\n", code, meaning); !strings.Contains(docs, want) {
			t.Errorf("%s does not say %q", page, want)
		}
	}
}

// TestDocsNameTheOperations compares docs/adapter.md with the operations that
// hello claims.
func TestDocsNameTheOperations(t *testing.T) {
	t.Parallel()
	docs := contents(t, "../../docs/adapter.md")
	hello := ttl(t, `{"cmd":"hello"}`, "adapter").out
	_, list, _ := strings.Cut(hello, `"ops":[`)
	list, _, _ = strings.Cut(list, "]")
	for op := range strings.SplitSeq(list, ",") {
		if want := "| `" + strings.Trim(op, `"`) + "` |"; !strings.Contains(docs, want) {
			t.Errorf("docs/adapter.md does not describe %s", op)
		}
	}
}
