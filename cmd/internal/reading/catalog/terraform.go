package catalog

import (
	"bytes"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/tfshow"
)

// addTerraform adds the collections and containers of what `terraform show -json` prints, and the
// arguments about a time to live that yield no policy.
func (in *reading) addTerraform(text []byte) error {
	resources, mentions, err := tfshow.Read(text)
	if err != nil {
		return refusal{fmt.Errorf("what terraform show -json prints: %w", err)}
	}
	line := func(address string) int {
		if bytes.Count(bytes.TrimSpace(text), []byte("\n")) == 0 {
			return 0 // it prints one line, which says nothing
		}
		return tfshow.LineOf(text, address)
	}
	for _, r := range resources {
		from := len(in.targets)
		reader := template{in: in, wanted: true}
		reader.resource(r.Azure, "", "")
		for _, t := range in.targets[from:] {
			t.Line, t.isOfTerraform, t.path = line(r.Address), r.IsNative, ""
			if r.IsNative {
				t.isWritten, t.steps = false, nil
			}
			notes := append([]string{"It is " + cli.Visible(r.Address) + "."}, r.Notes...)
			if t.IsContainer() {
				t.container.notes = append(notes, t.container.notes...)
			} else {
				t.collection.notes = append(notes, t.collection.notes...)
			}
		}
	}
	var unread []Unread
	for _, m := range mentions {
		unread = append(unread, Unread{Line: line(m.Address), Word: m.Address + "." + m.Argument, Why: m.Why, IsCosmos: m.IsCosmos})
	}
	if len(unread) > 0 {
		t := unreadTarget(in.file, unread)
		t.isOfTerraform = true
		in.targets = append(in.targets, t)
	}
	return nil
}

// IsOfTerraform reports whether t is a resource of Terraform with arguments of the provider's own,
// so that a repair is an argument and not a command; or mentions in a plan or a state.
func (t *Target) IsOfTerraform() bool { return t.isOfTerraform }
