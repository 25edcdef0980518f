package gates

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// TestReleasesOfTheSuite: the suite asks about every release from the oldest to the
// newest that package mongo describes, and asks about the newest release in every vector
// that holds for it.
func TestReleasesOfTheSuite(t *testing.T) {
	all := suite.Embedded().Releases(conformance.MongoDB)
	for _, release := range all {
		fixture.Profile(t, release)
	}
	if first := all[0]; first != "2.2.0" {
		t.Errorf("the oldest release of testdata/suite.json is %s, want 2.2.0", first)
	}
	if last := all[len(all)-1]; last != fixture.Latest {
		t.Errorf("the newest release of testdata/suite.json is %s, and mongo.Latest() is %s", last, fixture.Latest)
	}
	var file struct {
		Releases map[string]struct{ Landmarks []string }
	}
	if err := json.Unmarshal([]byte(readFile(t, "testdata/suite.json")), &file); err != nil {
		t.Fatal(err)
	}
	if marks := file.Releases[conformance.MongoDB].Landmarks; !slices.Contains(marks, fixture.Latest) {
		t.Errorf("the landmarks of testdata/suite.json are %q, want %s among them", marks, fixture.Latest)
	}
}

// ranged are the files that state the range of releases that the library describes.
var ranged = []string{"README.md", "CONTRIBUTING.md", "docs/site/ttlwasm/npm/README.md", "docs/site/ttlwasm/npm/package.json", "conformance/lab/wirettl/README.md"}

var saidRange = regexp.MustCompile(`\b2\.2 to \d+\.\d+\b`)

// TestRangeOfReleases: the ranged files name the newest line of releases. With -update
// the test writes them.
func TestRangeOfReleases(t *testing.T) {
	for _, name := range ranged {
		text := readFile(t, name)
		want := saidRange.ReplaceAllString(text, fixture.Range)
		switch {
		case !saidRange.MatchString(text):
			t.Errorf("%s does not say for which releases it is", name)
		case want != text && *update:
			if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		case want != text:
			t.Errorf("%s says %q, want %q; go test ./internal/gates -run RangeOfReleases -update writes it", name, saidRange.FindAllString(text, -1), fixture.Range)
		}
	}
}

// TestNewestReleaseIsNoLiteral: code that means the newest release takes it from
// mongo.Latest(). The test is skipped if that release changes a behaviour, because its
// number then also names the change in a table of steps and in tests.
func TestNewestReleaseIsNoLiteral(t *testing.T) {
	if mongo.Latest().Patch == 0 {
		t.Skip("the newest release is the first of its line")
	}
	before := mongo.Latest()
	before.Patch--
	if fixture.Profile(t, before.String()) != fixture.Profile(t, fixture.Latest) {
		t.Skip("the newest release changes something")
	}
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && isOthersFolder(name):
			return fs.SkipDir
		case !slices.Contains([]string{".go", ".json"}, path.Ext(name)) || strings.HasPrefix(name, "conformance/lab/results/") || slices.Contains([]string{"internal/mongo/behaviour/steps.go", "docs/site/playground/recorded.json", "testdata/suite.json", "docs/site/records/releases.json"}, name):
			return nil
		}
		for _, fault := range literals(readFile(t, name), mongo.Latest()) {
			t.Errorf("%s:%s, want mongo.Latest(), or fixture.Latest in a test", name, fault)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// literals returns the lines of a program that name a release.
func literals(program string, v mongo.Version) (faults []string) {
	named := regexp.MustCompile(fmt.Sprintf(`\b%s\b|[({]%d, %d, %d[)}]`, regexp.QuoteMeta(v.String()), v.Major, v.Minor, v.Patch))
	line := 0
	for text := range strings.Lines(program) {
		line++
		if found := named.FindString(text); found != "" {
			faults = append(faults, fmt.Sprintf("%d: %s", line, found))
		}
	}
	return faults
}

func TestLiterals(t *testing.T) {
	for program, want := range map[string]int{"v(8, 0, 16)": 1, "{8, 0, 16}\n`mongodb@8.0.16 {}`": 2, `"8.0.1"`: 0, "8.0.160": 0, "v(8, 0, 1)": 0} {
		if got := literals(program, mongo.Version{Major: 8, Patch: 16}); len(got) != want {
			t.Errorf("literals(%q) = %q, want %d", program, got, want)
		}
	}
}
