package ttlpolicy_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func Example() {
	if err := run(); err != nil {
		fmt.Println(err)
	}
	// Output: expired 2023-11-14T23:13:20.000Z mongo.date
}

func run() error {
	// README: begin
	profile, err := mongo.ProfileOf(mongo.Latest)
	if err != nil {
		return err
	}
	collection, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{
		Key:                policy.D{{Key: "createdAt", Value: policy.Int32Value(1)}},
		ExpireAfterSeconds: policy.Int32Value(3600),
	}}}, profile)
	if err != nil {
		return err
	}
	doc := policy.D{{Key: "createdAt", Value: policy.DateValue(1_700_000_000_000)}}
	d := collection.Decide(doc, 1_700_003_600_000) // on the deadline itself
	fmt.Println(d.State, d.Deadline(), d.Rule)
	// README: end
	return nil
}

// TestREADMEShowsTheExample holds the README's program to the one that runs.
func TestREADMEShowsTheExample(t *testing.T) {
	source := readFile(t, "readme_test.go")
	_, body, _ := strings.Cut(source, "\t// README: begin\n")
	body, _, found := strings.Cut(body, "\t// README: end\n")
	if !found {
		t.Fatal("readme_test.go has lost its markers")
	}
	want := strings.ReplaceAll("\n"+body, "\n\t", "\n") + "// expired 2023-11-14T23:13:20.000Z mongo.date\n"
	if !strings.Contains(readFile(t, "README.md"), want) {
		t.Errorf("README.md does not show this program:\n%s", want)
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
