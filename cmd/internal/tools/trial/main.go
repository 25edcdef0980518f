// Trial adds something to a copy of the checkout as CONTRIBUTING.md says, to check how many
// files have to be written by hand:
//
//	go run ./cmd/internal/tools/trial release   a release of MongoDB that changes one behaviour
//	go run ./cmd/internal/tools/trial rule      a rule by which Azure Cosmos DB refuses something
//
// in the checkout, whose last commit it takes. It edits the files, runs the commands that
// write what is generated, and then the tests with -short. It fails if an edit fits
// nowhere or changes a file that CONTRIBUTING.md does not name, or if a test fails.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./cmd/internal/tools/trial release|rule…")
		os.Exit(2)
	}
	for _, name := range os.Args[1:] {
		if err := run(name); err != nil {
			fmt.Fprintf(os.Stderr, "trial of a %s: %v\n", name, err)
			os.Exit(1)
		}
	}
}

// tests are all tests except the one that tries the edits, because the edits
// are made already.
const tests = "go test -short -skip '^TestTrialsFit$' ./... ./cmd/... | grep -vE '^ok|no test files'; exit ${PIPESTATUS[0]}"

// run makes a trial in a copy of the checkout.
func run(name string) error {
	t, ok := trials[name]
	if !ok {
		return errors.New("want release or rule")
	}
	dir, err := os.MkdirTemp("", "trial")
	if err != nil {
		return err
	}
	defer func() {
		os.RemoveAll(dir)
		_ = command("", "git", "worktree", "prune").Run()
	}()
	checkout := filepath.Join(dir, "checkout")
	if out, err := command("", "git", "worktree", "add", "--detach", checkout, "HEAD").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	page, err := os.ReadFile(filepath.Join(checkout, "CONTRIBUTING.md"))
	if err != nil {
		return err
	}
	edited, err := t.apply(checkout)
	if err != nil {
		return err
	}
	if err := t.check(string(page), edited); err != nil {
		return err
	}
	for _, line := range append(generators(string(page)), "git add -A", ".ci/rules", tests) {
		start := time.Now()
		out, err := command(checkout, "bash", "-c", line).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", line, err, out)
		}
		fmt.Printf("%6.1f s  %s\n", time.Since(start).Seconds(), line)
	}
	changed, err := command(checkout, "git", "diff", "--cached", "--name-only").Output()
	if err != nil {
		return err
	}
	fmt.Printf("a %s: %d files by hand, %d written by programs\n", name, len(edited), strings.Count(string(changed), "\n")-len(edited))
	for _, file := range edited {
		fmt.Println("  " + file)
	}
	return nil
}

func command(dir, name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir = dir
	return c
}
