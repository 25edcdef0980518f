package main

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/input"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/output"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/suite/conform"
	"github.com/ttlpolicy/ttlpolicy/cmd/suite/results"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
)

func newConformLintCommand() *cobra.Command {
	var lock bool
	cmd := &cobra.Command{
		Use:  "lint [FOLDER]",
		Args: oneAtMost("the folder of a suite"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return lint(cmd, append(args, "testdata")[0], lock)
		},
	}
	cmd.Flags().BoolVar(&lock, "lock", false, "append the lines of new vectors and new revs to ids.lock, if nothing else is wrong")
	return cmd
}

func lint(cmd *cobra.Command, folder string, lock bool) error {
	if lock {
		if err := appendLock(folder); err != nil {
			return err
		}
	}
	s, err := suite.Load(input.FS(folder, lockName))
	if err != nil {
		return complain(cmd.OutOrStdout(), folder, err)
	}
	if err := library.CheckPreconditions(s); err != nil {
		return complain(cmd.OutOrStdout(), folder, err)
	}
	r, err := suite.Run(s, conformance.NewSystem(library.Claims(s), library.New().Ask))
	if err != nil {
		return err
	}
	p := cli.NewPrinter(cmd.OutOrStdout())
	for _, f := range r.Findings() {
		at := f.First().Vector.At
		p.Line("%s:%d: this library gives another answer:", filepath.Join(folder, at.File), at.Line)
		p.Lines(s.Explain(f), 0)
	}
	if len(r.Findings()) > 0 {
		return cli.ExitSilently(cli.ExitNonconformant)
	}
	p.Line("%d vectors are well-formed, and this library gives their answers", len(s.Vectors))
	return p.Err()
}

// complain writes the problems of a suite, a line each.
func complain(w io.Writer, folder string, err error) error {
	list, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	p := cli.NewPrinter(w)
	for _, problem := range list.Unwrap() {
		p.Line("%s", filepath.Join(folder, problem.Error()))
	}
	return cli.ExitSilently(cli.ExitNonconformant)
}

// lockName is the file of a suite that lint --lock adds to.
const lockName = "ids.lock"

func appendLock(folder string) error {
	lines := suite.Unlocked(input.FS(folder, lockName))
	if len(lines) == 0 {
		return nil
	}
	path := filepath.Join(folder, lockName)
	text, err := output.ReadBack(path, maxResults)
	if err != nil {
		return err
	}
	text = append(text, strings.Join(lines, "\n")+"\n"...)
	return output.WriteFile(path, text, output.Options{Force: true})
}

func newConformInitCommand() *cobra.Command {
	var folder string
	languages := strings.Join(conform.KitLanguages(), "|")
	cmd := &cobra.Command{
		Use:       "init " + languages,
		Args:      oneArgument("one of " + languages),
		ValidArgs: conform.KitLanguages(),
		RunE: func(cmd *cobra.Command, args []string) error {
			kit, err := conform.KitFor(args[0])
			if err != nil {
				return cli.WithExit(cli.ExitUsage, err)
			}
			path := filepath.Join(folder, kit.File)
			if err := output.WriteFile(path, kit.Text, output.Options{}); err != nil {
				return err
			}
			p := cli.NewPrinter(cmd.OutOrStdout())
			p.Line("%s is written. Put your library into it, then:", path)
			if kit.Build != nil {
				p.Line("  %s", cli.ShellWords(kit.Build...))
			}
			p.Line("  ttl conform run -- %s", cli.ShellWords(kit.Run...))
			return p.Err()
		},
	}
	cmd.Flags().StringVar(&folder, "folder", ".", "where to write it")
	return cmd
}

func newConformExplainCommand() *cobra.Command {
	var whole suiteFlag
	var format string
	cmd := &cobra.Command{
		Use:               "explain ID",
		Args:              oneArgument("the identifier of a vector"),
		ValidArgsFunction: completeVector,
		RunE: whole.load(func(cmd *cobra.Command, s *suite.Suite, args []string) error {
			v := s.Vector(args[0])
			if v == nil {
				return fmt.Errorf("no vector %q; 'ttl conform list' lists them", args[0])
			}
			return show(cmd, format, v.Text, func(p *cli.Printer) error { return conform.WriteVector(p, s, v) })
		}),
	}
	whole.add(cmd)
	addFormat(cmd, &format, "text", "json")
	return cmd
}

func newConformListCommand() *cobra.Command {
	var whole suiteFlag
	var filter conform.VectorFilter
	var format string
	cmd := &cobra.Command{
		Use:  "list",
		Args: noArguments,
		RunE: whole.load(func(cmd *cobra.Command, s *suite.Suite, _ []string) error {
			all := len(s.Vectors)
			if s = s.Only(filter.Keep); len(s.Vectors) == 0 {
				return fmt.Errorf("none of %s fits --rule, --op and --flag", cli.Count(int64(all), "vector", "vectors"))
			}
			list := []json.RawMessage{}
			for _, v := range s.Vectors {
				list = append(list, v.Text)
			}
			return show(cmd, format, list, func(p *cli.Printer) error { return conform.WriteVectors(p, s) })
		}),
	}
	whole.add(cmd)
	set := cmd.Flags()
	set.StringVar(&filter.Rule, "rule", "", "only vectors that bear on this rule, or on rules that begin so")
	set.StringVar(&filter.Op, "op", "", "only vectors of this operation, such as mongodb.decide")
	set.StringVar(&filter.Flag, "flag", "", "only vectors with this flag, such as Threshold")
	addFormat(cmd, &format, "text", "json")
	addChoice(cmd, "op", &filter.Op, conformance.Operations()...)
	return cmd
}

func newConformCopyCommand() *cobra.Command {
	var target string
	cmd := &cobra.Command{
		Use:  "copy --target SYSTEM[@RELEASE]",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if target == "" {
				return cli.Usagef("whose answers? give --target, such as --target mongodb@6.0.1 or --target cosmos-nosql")
			}
			vectors, err := results.Expand(suite.Embedded(), conformance.ParseTarget(target))
			if err != nil {
				return cli.Usagef("--target: %w", err)
			}
			return cli.WriteJSON(cmd.OutOrStdout(), vectors)
		},
	}
	cmd.Flags().StringVar(&target, "target", "", "whose answers: mongodb@6.0.1, cosmos-nosql, cosmos-mongo@4.2+EnableTtlOnCustomPath")
	return cmd
}
