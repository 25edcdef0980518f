package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/fileio"
	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/part"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
)

func TestMain(m *testing.M) {
	flag.Parse()
	begin(false)
	os.Exit(m.Run())
}

// byCreatedAt is a job with an index on createdAt. Its clock is 2026-11-20T00:00:00Z.
var byCreatedAt = job{Flags: policyflags.Flags{Index: []string{`{"createdAt":1}`}, ExpireAfter: "1d"}, Now: 1_795_132_800_000, Input: "auto"}

// files writes files of one document each, and returns their names.
func files(t *testing.T) (names []string) {
	t.Helper()
	dir := t.TempDir()
	for i, day := range []string{"17", "18", "19", "20"} {
		name := filepath.ToSlash(filepath.Join(dir, string(rune('a'+i))+".jsonl"))
		if err := os.WriteFile(name, []byte(`{"_id":"`+day+`","createdAt":{"$date":"2026-11-`+day+`T00:00:00Z"}}`+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

// readable returns a file as a pipeline reads it.
func readable(name string) fileio.ReadableFile {
	return fileio.ReadableFile{Metadata: fileio.FileMetadata{Path: name}}
}

// oneRun returns the part of one process that reads all files.
func oneRun(t *testing.T, j job, names []string) string {
	t.Helper()
	o, err := j.options()
	if err != nil {
		t.Fatal(err)
	}
	var inputs []*dump.Input
	for _, name := range names {
		inputs = append(inputs, dump.Named(name, func() (io.ReadCloser, error) { return os.Open(name) }))
	}
	found := dump.Found{Inputs: inputs}
	groups, err := j.Flags.Groups(found.Collections())
	if err != nil {
		t.Fatal(err)
	}
	key, err := part.KeyOf(&j.Flags, o)
	if err != nil {
		t.Fatal(err)
	}
	p, err := part.Make(t.Context(), key, found, groups, o)
	if err != nil {
		t.Fatal(err)
	}
	return encode(t, p)
}

func encode(t *testing.T, p *part.Part) string {
	t.Helper()
	var text bytes.Buffer
	if err := part.Encode(&text, p); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// run runs a job on Prism, and returns the sum that it writes.
func run(t *testing.T, j job, names []string) (string, error) {
	t.Helper()
	to := filepath.Join(t.TempDir(), "sum.json")
	p, s := beam.NewPipelineWithRoot()
	j.build(s, names, to)
	if _, err := beam.Run(t.Context(), "prism", p); err != nil {
		return "", err
	}
	text, err := os.ReadFile(to)
	return string(text), err
}

// TestJobIsOneRun: the sum of a job is the count of one process, whatever the order
// of the files.
func TestJobIsOneRun(t *testing.T) {
	names := files(t)
	want := oneRun(t, byCreatedAt, names)
	for _, order := range [][]string{names, slices.Concat(names[2:], names[:2])} {
		got, err := run(t, byCreatedAt, order)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("of %q: %v; the sum differs from that of one process (-want +got):\n%s", order, err, diff)
		}
	}
}

// TestJobCountsOnce: a file that a runner hands out twice is not counted twice.
func TestJobCountsOnce(t *testing.T) {
	names := files(t)
	if _, err := run(t, byCreatedAt, append(names, names[2])); err == nil || causeOf(err) != names[2]+" is in two parts, and would be counted twice" {
		t.Errorf("a file twice: %q; want an error that names it", causeOf(err))
	}
}

// TestJobFails: an error of a store fails the job, and is shown without the runner's text
// about its plan.
func TestJobFails(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "gone.bson")
	_, err := run(t, byCreatedAt, []string{missing})
	if err == nil {
		t.Fatal("a job whose file is gone has no error")
	}
	if got, want := causeOf(err), fmt.Sprintf("no files matching pattern %q", missing); got != want {
		t.Errorf("causeOf = %q, want %q", got, want)
	}
}

// TestTallyTellsFaults: a fault of the file is in its part, and a fault of the store is
// an error, to be tried again.
func TestTallyTellsFaults(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.jsonl")
	if err := os.WriteFile(broken, []byte("{\"_id\":\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := byCreatedAt.tally(t.Context(), broken, readable(broken).Open)
	if err != nil {
		t.Fatalf("the error of a broken file is %v, want it in the part", err)
	}
	if _, incomplete := p.Report(); incomplete == nil {
		t.Error("the part of a broken file is complete")
	}
	folder := t.TempDir() // can be opened, and not be read
	if _, err := byCreatedAt.tally(t.Context(), folder, readable(folder).Open); err == nil {
		t.Error("what cannot be read has no error")
	}
	names := files(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := byCreatedAt.tally(ended, names[0], readable(names[0]).Open); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted tally has error %v", err)
	}
}

// TestAdd: parts may be added in any grouping, also if their sums are encoded in between.
func TestAdd(t *testing.T) {
	names := files(t)
	want := oneRun(t, byCreatedAt, names)
	f, tally := &addFn{}, &tallyFn{Job: byCreatedAt}
	add := func(some ...string) sum {
		s := f.CreateAccumulator()
		for _, name := range some {
			p, err := tally.ProcessElement(t.Context(), readable(name))
			if err == nil {
				s, err = f.AddInput(s, p)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		text, err := encodeSum(s)
		if err != nil {
			t.Fatal(err)
		}
		if s, err = decodeSum(text); err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, sums := range [][]sum{{add(names...)}, {add(names[3], names[0]), add(), add(names[2], names[1])}, {add(), add(names[2:]...), add(names[:2]...)}} {
		all := f.CreateAccumulator()
		for _, s := range sums {
			var err error
			if all, err = f.MergeAccumulators(all, s); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := f.ExtractOutput(all); string(got) != want || err != nil {
			t.Errorf("the sum of %d sums is %s, %v, want %s", len(sums), got, err, want)
		}
	}
	if _, err := f.MergeAccumulators(add(names[0]), add(names[0])); err == nil {
		t.Error("a file was added twice")
	}
}

func TestCommand(t *testing.T) {
	names := files(t)
	glob := filepath.ToSlash(filepath.Dir(names[0])) + "/*.jsonl"
	policy := []string{"--index", `{"createdAt":1}`, "--expire-after", "1d", "--now", "2026-11-20"}
	for _, c := range []struct {
		name string
		args []string
		code cli.ExitCode
		want string
	}{
		{"a part", slices.Concat(policy, []string{glob}), cli.ExitOK, `\"complete\":true,`},
		{"no files", policy, cli.ExitUsage, "no input; name files"},
		{"no policy", []string{glob}, cli.ExitIncomplete, "has no metadata.json beside it"},
		{"a runner", slices.Concat(policy, []string{"--runner", "spark", glob}), cli.ExitUsage, "want one of prism"},
		{"a cluster", slices.Concat(policy, []string{"--runner", "flink", glob}), cli.ExitUsage, "needs --part"},
		{"a width", slices.Concat(policy, []string{"--bucket", "1x", glob}), cli.ExitUsage, "is not a bucket width"},
		{"identifiers", slices.Concat(policy, []string{"--by", "_id.a", "--no-ids", glob}), cli.ExitUsage, "shows what --no-ids hides"},
		{"a flag", []string{"--indx"}, cli.ExitUsage, "unknown flag"},
		{"a policy that is refused", []string{"--index", `{"a":1,"b":1}`, "--expire-after", "1d", glob}, cli.ExitInput, "refuses this index"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			cmd := newCommand()
			cmd.SetArgs(c.args)
			cmd.SetOut(&out)
			err := cmd.ExecuteContext(t.Context())
			text := out.String()
			if err != nil {
				text += err.Error()
			}
			if cli.ExitCodeOf(err) != c.code || !strings.Contains(text, c.want) {
				t.Errorf("exit code %d, %.1500s; want %d and %q", cli.ExitCodeOf(err), text, c.code, c.want)
			}
		})
	}
}
