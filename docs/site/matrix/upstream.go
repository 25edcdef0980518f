package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const upstreamFolder = "docs/upstream"

// A finding is a report to the authors of an implementation: a page whose first
// table names the project, the severity and the rule.
type finding struct {
	Key         string // the key of the results, such as "nedb"
	File, Title string
	To          string // a link to where the project takes reports
	Severity    string // one of severities
	Rule        string // in backquotes, with its link
	Vectors     []string
	Seen, State string
}

// severities are the effects of a divergence, the most severe first.
var severities = []string{"deletes live data", "keeps what has expired", "wrong reply"}

// findings reads the reports in a folder, the most severe first, then by their names.
// The names of files begin with a key of the results.
func findings(folder string, results []result) (all []finding, err error) {
	files, err := filepath.Glob(filepath.Join(folder, "*-*.md"))
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		f, err := findingOf(filepath.Base(name), string(text), results)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, f)
	}
	slices.SortStableFunc(all, func(a, b finding) int {
		return slices.Index(severities, a.Severity) - slices.Index(severities, b.Severity)
	})
	return all, nil
}

var (
	reportTitle = regexp.MustCompile(`(?m)\A# (.+)$`)
	reportRow   = regexp.MustCompile(`(?m)^\| ([a-z]+) \| (.+) \|$`)
)

func findingOf(file, text string, results []result) (finding, error) {
	title := reportTitle.FindStringSubmatch(text)
	if title == nil {
		return finding{}, errors.New("no title")
	}
	rows := map[string]string{}
	for _, row := range reportRow.FindAllStringSubmatch(text, -1) {
		rows[row[1]] = row[2]
	}
	f := finding{
		File: file, Title: title[1], To: rows["to"], Severity: rows["severity"], Rule: rows["rule"],
		Seen: rows["seen"], State: rows["state"],
	}
	if i := slices.IndexFunc(results, func(r result) bool { return strings.HasPrefix(file, r.Key+"-") }); i >= 0 {
		f.Key = results[i].Key
	}
	if rows["vectors"] != "none" {
		f.Vectors = strings.Fields(strings.ReplaceAll(rows["vectors"], "`", ""))
	}
	return f, f.check()
}

func (f finding) check() error {
	switch {
	case f.Key == "":
		return errors.New("the file name does not begin with the key of results")
	case !slices.Contains(severities, f.Severity):
		return fmt.Errorf("severity is %q, want one of %q", f.Severity, severities)
	case f.To == "", f.Rule == "", f.Seen == "", f.State == "":
		return errors.New("the table lacks one of the rows to, rule, seen and state")
	}
	return nil
}
