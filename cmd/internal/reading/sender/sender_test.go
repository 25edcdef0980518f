package sender

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

var update = flag.Bool("update", false, "write the tables of the page")

const page = "../../../../docs/recipes/azure.md"

// The marks around the generated part of the page.
const begin, end = "<!-- What is sent: written by go test ./cmd/internal/reading/sender -update -->\n", "<!-- End of what is sent. -->\n"

// TestPage: the page has the tables of this package.
func TestPage(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	got, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no marks for the tables", page)
	}
	want := "\n" + Table(false) + "\nOf items:\n\n" + Table(true) + "\nThe numbers are those of the sources:\n\n" + Sources() + "\n"
	if *update {
		if err := os.WriteFile(page, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != want {
		t.Errorf("%s has other tables; go test ./cmd/internal/reading/sender -update writes them", page)
	}
}

// TestCellsHaveSources: every cell that says something names a source.
func TestCellsHaveSources(t *testing.T) {
	for _, r := range Rows {
		for i, c := range []Cell{r.Absent, r.Update, r.Null, r.Zero, r.MinusOne} {
			if (c.Sent == Unknown) != (c.Source == "") {
				t.Errorf("%s, cell %d: %q has the source %q", r.Tool, i, c.Sent, c.Source)
			}
		}
	}
}

// TestServiceAgrees: the words of the table about the service are those of package cosmos.
func TestServiceAgrees(t *testing.T) {
	for _, tt := range []struct {
		sent    Sent
		v       policy.Value
		refused bool
	}{
		{LeftOut, policy.Value{}, false}, {Null, policy.NullValue(), true}, {Zero, policy.Int32Value(0), true}, {MinusOne, policy.Int32Value(-1), false},
	} {
		_, err := cosmos.ValidateContainer(cosmos.ContainerSpec{DefaultTTL: tt.v}, nil)
		if (err != nil) != tt.refused || strings.Contains(tt.sent.String(), "refused") != tt.refused {
			t.Errorf("%q: the service's error is %v", tt.sent, err)
		}
	}
}

// TestSent: what a row sends. The cases are those of the sources.
func TestSent(t *testing.T) {
	for _, tt := range []struct {
		row   Row
		v     policy.Value
		want  string
		known bool
	}{
		{Container, policy.Value{}, "missing", true}, {Container, policy.NullValue(), "missing", true}, {Container, policy.Int32Value(0), "missing", true},
		{Container, policy.Int32Value(-1), "-1", true}, {Container, policy.Int32Value(3600), "3600", true},
		{Collection, policy.Int32Value(0), "0", false}, {Collection, policy.NullValue(), "missing", true}, {Collection, policy.Int32Value(-1), "-1", true},
		{row("the SDK for Node.js"), policy.NullValue(), "null", true}, {row("the SDK for .NET"), policy.NullValue(), "missing", true},
		{row("the SDK for Go"), policy.Int32Value(0), "0", true}, {row("`az cosmosdb sql container`"), policy.Int32Value(0), "0", true},
		{row("Terraform, `azapi_update_resource`"), policy.NullValue(), "null", false},
	} {
		v, known := tt.row.Sent(tt.v)
		got := v.Kind().String()
		if n, ok := v.AsInt64(); ok {
			got = policy.Int64Value(n).String()
			got = strings.Trim(strings.TrimPrefix(got, `{"$numberLong":`), `"}`)
		}
		if got != tt.want || known != tt.known {
			t.Errorf("%s: Sent(%v) = %s, %t, want %s, %t", tt.row.Tool, tt.v, got, known, tt.want, tt.known)
		}
	}
}

// row returns the row of a tool.
func row(tool string) Row {
	for _, r := range Rows {
		if r.Tool == tool {
			return r
		}
	}
	return Row{}
}
