package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/input"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/part"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
)

type mergeFlags struct {
	reportFlags
	expect string
}

func newMergeCommand() *cobra.Command {
	var flags mergeFlags
	cmd := &cobra.Command{
		Use:  "merge [--expect FILE] PART…",
		Args: someArguments(`merge what? name parts, a folder of them, or "-" for standard input`),
		RunE: flags.run,
	}
	addFormat(cmd, &flags.format, "text", "json", "prometheus", "html", "part")
	flags.reportFlags.add(cmd)
	addCheck(cmd, func() error {
		if list := flags.horizons(); len(list) > 0 {
			return cli.Usagef("--fail-if: the number of documents that expire within %s is not known of parts; want 24h, 7d or 30d", list[0].Name)
		}
		return nil
	})
	addFileCheck(cmd, false)
	cmd.Flags().StringVar(&flags.expect, "expect", "", "a file with the names of all inputs, one a line: say which are in no part (exit code 3)")
	addNeed(cmd, "expect", func() bool { return flags.format != "part" }, "with --format part, to which others are added; give it where the sum is shown")
	return cmd
}

func (f *mergeFlags) run(cmd *cobra.Command, args []string) error {
	sum, err := mergeParts(cmd.InOrStdin(), args)
	if err != nil {
		return err
	}
	if f.expect != "" {
		names, err := readNames(f.expect)
		if err == nil {
			err = sum.Expect(names)
		}
		if err != nil {
			return fmt.Errorf("--expect %s: %w", f.expect, err)
		}
	}
	if f.format == "part" {
		return part.Encode(cmd.OutOrStdout(), sum)
	}
	sum.Sort()
	r, err := sum.Report()
	if cli.ExitCodeOf(err) == cli.ExitUsage {
		return err
	}
	return f.finish(cmd, r, cli.WithExit(cli.ExitIncomplete, err))
}

// mergeParts returns the sum of the parts in the files of args. It holds one part at a
// time.
func mergeParts(stdin io.Reader, args []string) (*part.Part, error) {
	sum := new(part.Part)
	for _, arg := range args {
		files, err := partFiles(arg)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if err := mergeFile(sum, f, stdin); err != nil {
				return nil, err
			}
		}
	}
	return sum, nil
}

// partFiles returns the files of parts that arg names: arg itself, or the .json files below a
// folder.
func partFiles(arg string) ([]dump.File, error) {
	if info, err := os.Stat(arg); arg == dump.Stdin || err == nil && !info.IsDir() {
		return []dump.File{{Path: arg}}, nil
	} else if err != nil {
		return nil, err
	}
	files, err := dump.Below(arg, func(name string) bool { return strings.HasSuffix(name, ".json") }, nil, nil)
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: no file in this folder has a name that ends in .json", arg)
	}
	return files, err
}

// mergeFile adds the parts of a file.
func mergeFile(sum *part.Part, f dump.File, stdin io.Reader) error {
	r := stdin
	if f.Path != dump.Stdin {
		file, err := f.Open()
		if err != nil {
			return err
		}
		defer file.Close()
		r = file
	}
	text, _, _, err := input.Reader(bufio.NewReader(r))
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name(), err)
	}
	d := part.NewDecoder(filepath.ToSlash(f.Name()), text)
	for {
		p, err := d.Next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		if err := sum.Merge(p); err != nil {
			return fmt.Errorf("%s: %w", f.Name(), err)
		}
	}
}

// maxNames bounds a file of names, in bytes.
const maxNames = 256 << 20

// readNames reads a file with one name a line. It returns an error for a repeated name.
func readNames(path string) (names []string, err error) {
	text, err := dump.ReadFile(path, maxNames)
	if err != nil {
		return nil, err
	}
	lines := map[string]int{}
	s := bufio.NewScanner(strings.NewReader(string(text)))
	s.Buffer(nil, maxNames)
	for line := 1; s.Scan(); line++ {
		name := strings.TrimSuffix(s.Text(), "\r")
		if name == "" {
			continue
		}
		if before := lines[name]; before > 0 {
			return nil, cli.Usagef("line %d: %s is on line %d already", line, name, before)
		}
		lines[name] = line
		names = append(names, name)
	}
	if len(names) == 0 && s.Err() == nil {
		return nil, cli.Usagef("the list holds no name")
	}
	return names, s.Err()
}

// addPart adds --name, and refuses flags that parts do not support.
func (f *forecastFlags) addPart(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.name, "name", "", "what standard input is called, such as s3://bucket/shop/logs.bson.gz: it is read as a file with that path")
	addNeed(cmd, "name", func() bool { return slices.Equal(cmd.Flags().Args(), []string{dump.Stdin}) }, "unless standard input alone is read: ttl forecast --name … -")
	isPart := func() bool { return f.format == "part" }
	addNeed(cmd, "list save-expired sample", func() bool { return !isPart() }, "with --format part, which holds sums of all documents alone")
	addNeed(cmd, "what-if", func() bool { return !isPart() }, "with --format part; make other parts by the other time to live, and compare the two sums")
	addCheck(cmd, func() error {
		if isPart() && !f.policy.IsFixed() {
			return cli.Usagef("--format part needs --now with an instant, such as --now 2026-11-20T08:00:00Z: all parts of one job must be judged at the same instant")
		}
		if isPart() {
			f.options.Groups = part.MaxGroups
		}
		return nil
	})
}

func (f *forecastFlags) writePart(cmd *cobra.Command, found dump.Found, groups []policyflags.Group) error {
	key, err := part.KeyOf(&f.policy, f.options)
	if err != nil {
		return err
	}
	progress := f.watch(cmd, found.Inputs, &f.options.Read)
	p, err := part.Make(cmd.Context(), key, found, groups, f.options)
	progress.Finish()
	if err != nil {
		return err
	}
	r, err := p.Report()
	if errors.Is(err, context.Canceled) {
		return cli.WithExit(cli.ExitInterrupted, errors.New("interrupted; no part was written"))
	}
	if err := part.Encode(cmd.OutOrStdout(), p); err != nil {
		return err
	}
	return incompleteError(r, err)
}
