package main

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
)

// The folders of the package that mutated code calls, and of the judge. They exist only in
// the build.
const (
	module        = "github.com/ttlpolicy/ttlpolicy/"
	runtimeFolder = "internal/opmutants"
	judgeFolder   = "internal/suite/opmutants"
)

var (
	//go:embed runtime.go.txt
	runtimeText []byte
	//go:embed judge.go.txt
	judgeText []byte
)

// run mutates the packages in some folders of the checkout and judges every n-th mutant,
// where n is every.
func run(root string, every int, folders ...string) (score, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return score{}, err
	}
	folder, err := os.MkdirTemp("", "opmutants")
	if err != nil {
		return score{}, err
	}
	defer os.RemoveAll(folder)
	mutants, list, err := instrument(root, folder, folders...)
	if err != nil {
		return score{}, err
	}
	judge, err := build(root, folder, list)
	if err != nil {
		return score{}, err
	}
	keep(mutants, every)
	return judgeAll(judge, root, mutants, runtime.GOMAXPROCS(0))
}

// build compiles the judge with an overlay.
func build(root, folder, list string) (judge string, err error) {
	judge = filepath.Join(folder, "judge")
	command := exec.Command("go", "build", "-overlay", list, "-o", judge, module+judgeFolder)
	command.Dir = root
	if out, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return judge, nil
}

// keep skips all mutants except the first and every n-th after it, where n is every.
func keep(mutants []mutant, every int) {
	for i := range mutants {
		mutants[i].skipped = i%every != 0
	}
}

// instrument writes the mutated files, and the overlay that puts them into the build.
func instrument(root, folder string, folders ...string) (mutants []mutant, list string, err error) {
	sources, err := load(root, folders...)
	if err != nil {
		return nil, "", err
	}
	files := &overlay{folder: folder, Replace: map[string]string{}}
	files.add(filepath.Join(root, runtimeFolder, "opmutants.go"), runtimeText)
	files.add(filepath.Join(root, judgeFolder, "main.go"), judgeText)
	for _, s := range sources {
		m := mutator{Package: s, first: len(mutants)}
		for _, tree := range s.Syntax {
			path := s.Fset.Position(tree.Pos()).Filename
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, "", err
			}
			files.add(path, m.mutate(tree, text))
		}
		mutants = append(mutants, m.mutants...)
	}
	text, err := json.Marshal(files)
	list = filepath.Join(folder, "overlay.json")
	return mutants, list, errors.Join(err, files.err, os.WriteFile(list, text, 0o666))
}

// An overlay lists files that replace others in a build, in the form of go build.
type overlay struct {
	Replace map[string]string // the replacing files by the paths of the replaced files
	folder  string
	err     error
}

func (o *overlay) add(path string, text []byte) {
	name := filepath.Join(o.folder, strconv.Itoa(len(o.Replace))+".go")
	o.Replace[path] = name
	o.err = errors.Join(o.err, os.WriteFile(name, text, 0o666))
}

// judgeAll asks all mutants the vectors, and then asks the survivors the generated
// questions.
func judgeAll(judge, root string, mutants []mutant, judges int) (s score, err error) {
	for _, phase := range []string{"vectors", "questions"} {
		if err := askJudges(judge, phase, mutants, judges); err != nil {
			return s, err
		}
	}
	for i := range mutants {
		mutants[i].place(root)
	}
	s.count(mutants)
	return s, nil
}

// askJudges asks as many judges at a time as there are processors. Each has every
// n-th of the mutants that are not killed, so that all have the same work.
func askJudges(judge, phase string, mutants []mutant, judges int) error {
	ids := make([][]string, judges)
	next := 0
	for _, m := range mutants {
		if !m.killed && !m.skipped {
			ids[next%judges] = append(ids[next%judges], strconv.Itoa(m.ID))
			next++
		}
	}
	errs := make([]error, judges)
	var group sync.WaitGroup
	for i := range judges {
		group.Go(func() { errs[i] = askJudge(judge, phase, mutants, ids[i]) })
	}
	group.Wait()
	return errors.Join(errs...)
}

// askJudge asks a judge about some mutants. If a mutant crashes the judge, another judge
// continues with the next mutant.
func askJudge(judge, phase string, mutants []mutant, ids []string) error {
	for len(ids) > 0 {
		command := exec.Command(judge, append([]string{strconv.Itoa(len(mutants)), phase}, ids...)...)
		command.Env = append(os.Environ(), "GOGC=400") // most of a judge's memory stays in use
		out, err := command.StdoutPipe()
		if err != nil {
			return err
		}
		if err := command.Start(); err != nil {
			return err
		}
		begun := 0
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if note(lines.Text(), mutants) {
				begun++
			}
		}
		if err := command.Wait(); err == nil {
			return nil
		} else if begun == 0 {
			return fmt.Errorf("the judge ended before its first mutant: %w", err)
		}
		last, _ := strconv.Atoi(ids[begun-1])
		mutants[last-1].killed = true // it crashed the judge
		ids = ids[begun:]
	}
	return nil
}

// note records a line of the judge about a mutant, and reports whether the judge begins
// with this mutant.
func note(line string, mutants []mutant) (begins bool) {
	words := strings.SplitN(line, " ", 3)
	id, _ := strconv.Atoi(words[1])
	m := &mutants[id-1]
	switch words[0] {
	case "begin":
		m.reached = m.reached || words[2] != "0"
		return true
	case "killed":
		m.killed = true
	case "gap":
		m.Question = words[2]
	}
	return false
}
