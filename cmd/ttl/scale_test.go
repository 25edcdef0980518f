//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
)

// scaleBlocks returns the commands of docs/scale.md.
func scaleBlocks(t *testing.T) (blocks []string) {
	t.Helper()
	for i, text := range strings.Split(contents(t, "../../docs/scale.md"), "```") {
		if block, ok := strings.CutPrefix(text, "sh\n"); ok && i%2 == 1 {
			blocks = append(blocks, block)
		}
	}
	return blocks
}

// scaleFolder returns a folder with a dump, the names of its files, and the tool
// under the name ttl.
func scaleFolder(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"bin", "dump/shop", "backups/shop", "job"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	tool := filepath.Join(dir, "bin", "ttl")
	writeFile(t, tool, []byte(fmt.Sprintf("#!/bin/sh\n%s=1 exec '%s' \"$@\"\n", toolVariable, self)))
	if err := os.Chmod(tool, 0o700); err != nil {
		t.Fatal(err)
	}
	metadata := readFile(t, samples+"shop/logs.metadata.json")
	for _, name := range []string{"logs", "sessions"} {
		writeFile(t, filepath.Join(dir, "dump/shop", name+".bson"), readFile(t, samples+"shop/"+name+".bson"))
		writeFile(t, filepath.Join(dir, "dump/shop", name+".metadata.json"), readFile(t, samples+"shop/"+name+".metadata.json"))
	}
	logs := string(readFile(t, samples+"shop/logs.bson"))
	writeFile(t, filepath.Join(dir, "backups/shop/logs.bson.gz"), []byte(gzipped(t, logs)))
	writeFile(t, filepath.Join(dir, "backups/shop/more.bson"), []byte(logs))
	writeFile(t, filepath.Join(dir, "logs.metadata.json"), metadata)
	writeFile(t, filepath.Join(dir, "job/logs.metadata.json"), metadata)
	writeFile(t, filepath.Join(dir, "job/names.txt"), []byte("s3://backups/shop/logs.bson.gz\ns3://backups/shop/more.bson\n"))
	return dir
}

// local changes a script so that it reads and writes files in place of a store and a
// volume.
var local = strings.NewReplacer(`aws s3 cp "$name" -`, `cat "${name#s3://}"`, `aws s3 cp "$part" "s3://jobs/ttl/parts/`, `cp "$part" "parts/`, "/job/", "job/")

// bash runs a script in dir, and returns what it writes.
func bash(t *testing.T, dir, script string, environment ...string) string {
	t.Helper()
	cmd := exec.Command("bash", "-euc", local.Replace(script))
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH")), environment...)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s\n%s", err, errs.String(), script)
	}
	return string(out)
}

// TestScaleCommands runs the commands of docs/scale.md: each gives the result of a
// single run.
func TestScaleCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the tool many times")
	}
	ran := 0
	for _, block := range scaleBlocks(t) {
		first, _, _ := strings.Cut(block, "\n")
		needs := map[bool]string{true: "parallel", false: "xargs"}[strings.Contains(block, "parallel ")]
		switch _, err := exec.LookPath(needs); {
		case strings.HasPrefix(first, "find dump") && err != nil:
			t.Logf("%s is not installed", needs)
		case strings.HasPrefix(first, "find dump"):
			ran++
			dir := scaleFolder(t)
			one := "ttl forecast --now 2026-11-20T00:00:00Z dump"
			if got, want := bash(t, dir, block), bash(t, dir, one); got != want || want == "" {
				t.Errorf("%s\nshows\n%s\nwant\n%s", block, got, want)
			}
		case strings.HasPrefix(first, "set -o pipefail"):
			ran++
			dir := scaleFolder(t)
			bash(t, dir, block)
			want := bash(t, dir, `ttl forecast --now 2026-11-20T00:00:00Z --metadata logs.metadata.json --format json --name s3://backups/shop/logs.bson.gz - <backups/shop/logs.bson.gz`)
			if got := ttl(t, "", "forecast", "merge", "--format", "json", filepath.Join(dir, "part.json")); got.code != cli.ExitOK || got.out != want {
				t.Errorf("%s\nexit %d %s\n%s\nwant\n%s", block, got.code, got.err, got.out, want)
			}
		case !strings.HasPrefix(first, "aws ") && !strings.HasPrefix(first, "while read") && !strings.Contains(block, "ttlbeam"): // the commands of a store, of a cloud and of another module
			t.Errorf("a block is not run:\n%s", block)
		}
	}
	if ran < 2 {
		t.Errorf("%d blocks were run, want 2 or more", ran)
	}
}

// TestScaleJob runs the container of docs/scale.job.yaml for each line of its names.
func TestScaleJob(t *testing.T) {
	t.Parallel()
	var job struct {
		Spec struct {
			Template struct {
				Spec struct {
					Containers []struct{ Command, Args []string }
				}
			}
		}
	}
	if err := yaml.Load(readFile(t, "../../docs/scale.job.yaml"), &job); err != nil {
		t.Fatal(err)
	}
	c := job.Spec.Template.Spec.Containers[0]
	if got := strings.Join(c.Command, " "); got != "bash -euo pipefail -c" || len(c.Args) != 1 {
		t.Fatalf("the container runs %q with %d arguments", got, len(c.Args))
	}
	dir := scaleFolder(t)
	if err := os.Mkdir(filepath.Join(dir, "parts"), 0o700); err != nil {
		t.Fatal(err)
	}
	for index := range 2 {
		for range 2 { // a retry writes the same part
			bash(t, dir, "set -o pipefail\n"+c.Args[0], fmt.Sprint("JOB_COMPLETION_INDEX=", index))
		}
	}
	r := ttl(t, "", "forecast", "merge", "--format", "json", "--expect", filepath.Join(dir, "job/names.txt"), filepath.Join(dir, "parts"))
	if f := forecastOf(t, r); r.code != cli.ExitOK || !f.Complete || f.Documents != 4000 || len(f.Collections) != 1 || f.Collections[0].Name != "shop.logs" {
		t.Errorf("exit %d %s, %+v; want 4000 documents of one collection", r.code, r.err, f)
	}
}
