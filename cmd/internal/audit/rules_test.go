package audit

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRulesExist: every rule that is named here is in a catalogue.
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
			if named++; catalogue[m[1]] == nil {
				t.Errorf("%s names %s, which no catalogue has", file, m[1])
			}
		}
	}
	if named < 50 {
		t.Errorf("%d rules are named, want them to be found", named)
	}
}
