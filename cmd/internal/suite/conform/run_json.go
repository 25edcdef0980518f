package conform

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/suite/results"
)

// Results returns r in the form of a results file.
func (r Run) Results() results.Results {
	results := r.Report.Results()
	results.Runner, results.Mode, results.Ended = r.Runner, r.Mode, r.Ended
	return results
}

// json writes the results with all answers, one check a line, so that two files
// can be compared line by line.
func (r Run) json(w io.Writer) error {
	results := r.Results()
	checks := results.Checks
	results.Checks = nil
	head, err := json.MarshalIndent(results, "", " ")
	if err != nil {
		return err
	}
	before, ok := strings.CutSuffix(string(head), "\n \"checks\": null\n}")
	if !ok {
		return fmt.Errorf("the last member of the results is not checks: %q", head) // results.Results declares Checks last
	}
	p := cli.NewJSON(w)
	p.Lines(before, 0)
	p.Line(" \"checks\": [")
	for i, c := range checks {
		line, err := json.Marshal(c)
		if err != nil {
			return err
		}
		if i < len(checks)-1 {
			line = append(line, ',')
		}
		p.Line("  %s", line)
	}
	p.Line(" ]\n}")
	return p.Err()
}
