package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/input"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/output"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/suite/conform"
	"github.com/ttlpolicy/ttlpolicy/cmd/suite/results"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

type conformRunFlags struct {
	programFlags
	server   serverFlags
	suite    suiteFlag
	verdicts verdictFlags
	known    string
	ids      []string
	rule     string
	quiet    bool
}

func newConformRunCommand() *cobra.Command {
	var flags conformRunFlags
	cmd := &cobra.Command{
		Use:  "run [flags] [-- PROGRAM [ARGUMENT…]]",
		RunE: flags.suite.load(flags.run),
	}
	cmd.Flags().SetInterspersed(false) // flags after the program belong to it
	flags.programFlags.add(cmd)
	flags.server.add(cmd)
	flags.suite.add(cmd)
	flags.verdicts.add(cmd)
	set := cmd.Flags()
	set.StringVar(&flags.known, "known", "", "file with known failures, which are asked and do not count")
	set.StringSliceVar(&flags.ids, "id", nil, "ask only this vector (repeatable)")
	set.StringVar(&flags.rule, "rule", "", "ask only the vectors that bear on this rule")
	set.BoolVar(&flags.quiet, "quiet", false, "show no progress")
	return cmd
}

func (f *conformRunFlags) run(cmd *cobra.Command, s *suite.Suite, argv []string) error {
	switch {
	case f.server.isAsked() && len(argv) > 0:
		return cli.Usagef("--mongodb-uri names the server to judge, and %s is a program; give one of them", argv[0])
	case f.server.cleanup != "":
		return f.server.clean(cmd)
	case !f.server.isAsked() && len(argv) == 0:
		return cli.Usagef("name the program to judge after --, such as: ttl conform run -- python3 adapter.py")
	}
	var known results.KnownFailures
	var err error
	if f.known != "" {
		var text []byte
		if text, err = dump.ReadFile(f.known, maxResults); err == nil {
			known, err = results.ParseKnownFailures(s, f.known, text)
		}
	}
	if err != nil {
		return err
	}
	if s, err = f.part(s); err != nil {
		return err
	}
	files, err := f.verdicts.create() // before hours of asking, not after
	if err != nil {
		return err
	}
	defer files.discard()
	r, err := f.ask(cmd, s, argv)
	if err != nil {
		return err
	}
	r.Report = results.New(r.Report.Report, known)
	return f.verdicts.write(cmd, files, r)
}

// part returns the vectors to ask.
func (f *conformRunFlags) part(s *suite.Suite) (*suite.Suite, error) {
	if !f.partial() {
		return s, nil
	}
	for _, id := range f.ids {
		if s.Vector(id) == nil {
			return nil, cli.Usagef("--id: no vector %q; 'ttl conform list' lists them", id)
		}
	}
	part := s.Only(func(v *suite.Vector) bool {
		return slices.Contains(f.ids, v.ID) || f.rule != "" && v.BearsOn(f.rule)
	})
	if len(part.Vectors) == 0 {
		return nil, cli.Usagef("--rule: no vector bears on %q; 'ttl rules' lists the rules", f.rule)
	}
	return part, nil
}

func (f *conformRunFlags) partial() bool { return len(f.ids) > 0 || f.rule != "" }

func (f *conformRunFlags) ask(cmd *cobra.Command, s *suite.Suite, argv []string) (r conform.Run, err error) {
	if f.server.isAsked() {
		return f.askServer(cmd, s)
	}
	ctx := cmd.Context()
	p, err := f.start(ctx, argv)
	if err != nil {
		return r, err
	}
	defer p.Close()
	answered, err := f.record(cmd, s, p)
	switch {
	case ctx.Err() != nil:
		return r, errInterrupted
	case err != nil:
		return r, fmt.Errorf("%s: %w", argv[0], err)
	}
	return conform.Run{Report: results.New(answered, nil), Runner: runner(), Mode: modeOf(p), Ended: p.Ended(), Command: argv, Partial: f.partial()}, nil
}

// verdictFlags say to which files verdicts are written.
type verdictFlags struct {
	results string
	reports []string
	format  string
	all     bool
}

// add adds the flags. The command then refuses a file that two of its flags name.
func (f *verdictFlags) add(cmd *cobra.Command) {
	set, forms := cmd.Flags(), strings.Join(conform.Forms(), ", ")
	set.StringVar(&f.results, "results", "", "write all answers and verdicts to this file, for rejudge, in the place of one that is there")
	set.StringArrayVar(&f.reports, "report", nil, "write a report, as FORM=FILE, in the place of one that is there; forms: "+forms+" (repeatable)")
	set.BoolVar(&f.all, "all", false, "show every failure, not some of each rule")
	addCheck(cmd, func() error {
		taken := []string{f.results}
		for _, report := range f.reports {
			form, path, _ := strings.Cut(report, "=")
			if path == "" || !slices.Contains(conform.Forms(), form) {
				return cli.Usagef("--report %s: want FORM=FILE, with one of %s", report, forms)
			}
			if err := checkFree(path, taken); err != nil {
				return cli.Usagef("--report %s: %w", report, err)
			}
			taken = append(taken, path)
		}
		return nil
	})
	addFormat(cmd, &f.format, append([]string{"text"}, conform.Forms()...)...)
	addNeed(cmd, "all", func() bool { return f.format == "text" }, "without --format text: the other forms hold every failure anyway")
}

// checkFree refuses a file that another flag writes to.
func checkFree(path string, taken []string) error {
	for _, other := range taken {
		if other == "" || path == "" {
			continue
		}
		if same, err := output.IsSame(other, path); err != nil {
			return err
		} else if same {
			return errors.New("another flag writes to this file already")
		}
	}
	return nil
}

// A verdictFile is a file for a report.
type verdictFile struct {
	form string
	*output.File
}

type verdictFiles []verdictFile

// create begins the requested files, which replace existing ones.
func (f *verdictFlags) create() (files verdictFiles, err error) {
	reports := slices.Clone(f.reports)
	if f.results != "" {
		reports = append(reports, "json="+f.results)
	}
	for _, report := range reports {
		form, path, _ := strings.Cut(report, "=")
		file, err := output.Create(path, output.Options{Force: true})
		if err != nil {
			files.discard()
			return nil, err
		}
		files = append(files, verdictFile{form, file})
	}
	return files, nil
}

func (files verdictFiles) discard() {
	for _, file := range files {
		file.Discard()
	}
}

// write writes the requested output. The verdict decides the exit code.
func (f *verdictFlags) write(cmd *cobra.Command, files verdictFiles, r conform.Run) error {
	for _, file := range files {
		if err := r.Write(file, file.form); err != nil {
			return err
		}
	}
	for _, file := range files {
		if err := file.Commit(); err != nil {
			return err
		}
	}
	var err error
	if w := cmd.OutOrStdout(); f.format == "text" {
		err = r.Text(cli.NewPrinter(w), f.all)
	} else {
		err = r.Write(w, f.format)
	}
	failed := len(r.Failed())+len(r.Damaged)+r.Count()[suite.NotRun] > 0
	switch {
	case err != nil:
		return err
	case failed, !r.Partial && !r.ConformsButForKnown():
		return cli.ExitSilently(cli.ExitNonconformant)
	case len(r.Stale) > 0:
		return cli.ExitSilently(cli.ExitStale)
	}
	return nil
}

func newConformRejudgeCommand() *cobra.Command {
	var whole suiteFlag
	var verdicts verdictFlags
	cmd := &cobra.Command{
		Use:  "rejudge RESULTS",
		Args: oneArgument("the results of ttl conform run --results"),
		RunE: whole.load(func(cmd *cobra.Command, s *suite.Suite, args []string) error {
			input.Add(args[0])
			files, err := verdicts.create()
			if err != nil {
				return err
			}
			defer files.discard()
			text, err := dump.ReadFile(args[0], maxResults)
			if err != nil {
				return err
			}
			var judged *results.Report
			old, err := results.ParseResults(text)
			if err == nil {
				judged, err = results.Rejudge(s, old)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			return verdicts.write(cmd, files, conform.Run{Report: judged, Runner: old.Runner, Mode: old.Mode, Ended: old.Ended})
		}),
	}
	whole.add(cmd)
	verdicts.add(cmd)
	return cmd
}

// maxResults limits the size of results, known failures and locks, in bytes.
const maxResults = 32 << 20
