package audit

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
)

// TestSARIF checks that a report has the properties that SARIF 2.1.0 demands or that code
// scanners use. The properties were written by hand from sections 3.13 to 3.35 of the
// specification.
func TestSARIF(t *testing.T) {
	r := found(t, "logs deletes mongo.nan-zero a_1", "logs keeps mongo.field-null b_1", "carts keeps mongo.field-null a_1", "carts harmless mongo.index-options")
	r.Results[0].Target.File, r.Results[1].Target.File = "dump/shop/100%.json", catalog.StdinName
	r.Results[0].Findings[0].Text, r.Results[0].Findings[0].Advice = "It is NaN.", "Set it."
	r.Ignore([]Ignore{{"mongo.field-null", "shop.carts"}})
	r.Results[1].Failed = errors.New("it breaks off")
	text, err := json.Marshal(r.SARIF("v1.2.3"))
	if err != nil {
		t.Fatal(err)
	}
	var log struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name, Version string
					Rules         []struct{ ID string }
				}
			}
			Invocations []struct {
				ExecutionSuccessful        bool
				ToolExecutionNotifications []struct{ Message struct{ Text string } }
			}
			Results []struct {
				RuleID, Level string
				RuleIndex     int
				Message       struct{ Text string }
				Locations     []struct {
					PhysicalLocation *struct{ ArtifactLocation struct{ URI string } }
					LogicalLocations []struct{ FullyQualifiedName string }
				}
				Suppressions []struct{ Kind, Justification string }
			}
		}
	}
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	var got []string
	for _, one := range run.Results {
		line := one.RuleID + " " + one.Level + " " + one.Locations[0].LogicalLocations[0].FullyQualifiedName
		if p := one.Locations[0].PhysicalLocation; p != nil {
			line += " " + p.ArtifactLocation.URI
		}
		for _, s := range one.Suppressions {
			line += " " + s.Kind + " " + s.Justification
		}
		if id := run.Tool.Driver.Rules[one.RuleIndex].ID; id != one.RuleID {
			t.Errorf("the rule at index %d is %s, want %s", one.RuleIndex, id, one.RuleID)
		}
		got = append(got, line)
	}
	want := []string{
		"mongo.nan-zero error shop.logs.a_1 dump/shop/100%25.json",
		"mongo.field-null warning shop.logs.b_1 dump/shop/100%25.json",
		"mongo.field-null warning shop.carts.a_1 external ignored",
		"mongo.index-options note shop.carts",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("results differ (-want +got):\n%s", diff)
	}
	if text := run.Results[0].Message.Text; log.Version != "2.1.0" || run.Tool.Driver.Version != "v1.2.3" || len(run.Tool.Driver.Rules) != 3 || text != "It is NaN. Set it." {
		t.Errorf("version %q, driver %+v, text %q", log.Version, run.Tool.Driver, text)
	}
	if i := run.Invocations[0]; i.ExecutionSuccessful || i.ToolExecutionNotifications[0].Message.Text != "it breaks off" {
		t.Errorf("the invocation is %+v, want one that failed", i)
	}
}

// TestSARIFHasNoLinks: a name from outside makes no link in a message. Brackets in a plain text
// message are escaped by a backslash (SARIF v2.1.0, section 3.11.6).
func TestSARIFHasNoLinks(t *testing.T) {
	r := found(t, "logs deletes mongo.nan-zero a_1")
	r.Results[0].Findings[0].Text = `The index [see here](https://example.com) or C:\[x](1).`
	text, err := json.Marshal(r.SARIF("v1.2.3"))
	if err != nil {
		t.Fatal(err)
	}
	const want = `The index \\[see here\\](https://example.com) or C:\\\\\\[x\\](1).`
	if !strings.Contains(string(text), want) {
		t.Errorf("SARIF(…) = %s, want a message with %s", text, want)
	}
}
