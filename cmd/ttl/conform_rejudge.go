package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/conform"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/report"
)

func newConformRejudgeCommand() *cobra.Command {
	var suite suiteFlag
	var verdicts verdictFlags
	cmd := &cobra.Command{
		Use:   "rejudge RESULTS",
		Short: "Judge recorded answers again, by this suite",
		Long: `rejudge reads the results of an earlier run and judges the answers in it by the suite of
this tool, or by another. Nothing is asked again: what the suite asks now and did not
ask then, or asks differently, has not been run.`,
		Example: examples(
			"what does a newer suite say?", "ttl conform rejudge results.json",
			"a page of an earlier run", "ttl conform rejudge --report html=report.html results.json",
		),
		Args: oneArgument("the results of ttl conform run --results"),
		RunE: suite.load(func(cmd *cobra.Command, s *conformance.Suite, args []string) error {
			r, err := rejudge(s, args[0])
			if err != nil {
				return err
			}
			return verdicts.write(cmd, r)
		}),
	}
	suite.add(cmd)
	verdicts.add(cmd)
	return cmd
}

func rejudge(s *conformance.Suite, path string) (r conform.Run, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return r, err
	}
	results, err := report.ParseResults(text)
	if err != nil {
		return r, fmt.Errorf("%s: %w", path, err)
	}
	judged, err := report.Rejudge(s, results)
	if err != nil {
		return r, fmt.Errorf("%s: %w", path, err)
	}
	return conform.Run{Report: judged, Runner: results.Runner, Mode: results.Mode, Ended: results.Ended}, nil
}
