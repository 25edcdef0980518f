package audit

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
)

// TestRulesExist: every rule that this package names is in a catalogue.
func TestRulesExist(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"((?:mongo|cosmos)\.[a-z0-9-]+)"`).FindAllStringSubmatch(string(source), -1) {
			named++
			reasons.Rule(m[1]) // panics if no catalogue has the rule
		}
	}
	if named < 25 {
		t.Errorf("%d rules are named, want them to be found", named)
	}
}
