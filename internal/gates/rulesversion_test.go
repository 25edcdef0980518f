package gates

import (
	"crypto/sha256"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	catalogue "github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An engine is an evaluator, with the rules and vectors that show a change of its
// answers: no rule is corrected without a new statement or vector.
type engine struct {
	name    string
	version int
	rules   iter.Seq[policy.Rule]
	vectors *regexp.Regexp // lines of testdata/ids.lock
}

var engines = []engine{
	{"mongo", mongo.RulesVersion, mongo.Rules(), regexp.MustCompile(`(?m)^mongodb-.*$`)},
	{"cosmos", cosmos.RulesVersion, cosmos.Rules(), regexp.MustCompile(`(?m)^cosmos.*$`)},
}

// digest returns a hash that changes if a rule or a vector is added, removed or changed.
func (e engine) digest(vectors string) string {
	h := sha256.New()
	for r := range e.rules {
		fmt.Fprintf(h, "%q %q %q\n", r.ID(), r.Statement(), r.Versions())
	}
	for _, line := range e.vectors.FindAllString(vectors, -1) {
		fmt.Fprintln(h, line)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// A lockedRelease is a line of testdata/rules.lock.
type lockedRelease struct {
	release, engine, digest string
	version                 int
}

func lockedReleases(t *testing.T, text string) (all []lockedRelease) {
	t.Helper()
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var l lockedRelease
		if _, err := fmt.Sscanf(line, "%s %s %d %s\n", &l.release, &l.engine, &l.version, &l.digest); err != nil {
			t.Fatalf("testdata/rules.lock: %q: %v", line, err)
		}
		all = append(all, l)
	}
	return all
}

// wantVersion returns the RulesVersion of an engine that has this digest after the
// given releases.
func wantVersion(released []lockedRelease, engine, digest string) int {
	for _, l := range slices.Backward(released) {
		switch {
		case l.engine != engine:
		case l.digest == digest:
			return l.version
		default:
			return l.version + 1
		}
	}
	return 1
}

// TestRulesVersion: an engine whose digest differs from that of the last release has the
// next RulesVersion, and each release of CHANGELOG.md has a record of its digest.
func TestRulesVersion(t *testing.T) {
	released := lockedReleases(t, readFile(t, "testdata/rules.lock"))
	vectors := readFile(t, "testdata/ids.lock")
	sections := regexp.MustCompile(`(?m)^## \[(Unreleased|\d+\.\d+\.\d+)\]`).FindAllStringSubmatch(readFile(t, "CHANGELOG.md"), -1)
	for _, e := range engines {
		digest := e.digest(vectors)
		if want := wantVersion(released, e.name, digest); e.version != want {
			t.Errorf("%s.RulesVersion = %d, want %d: its rules or vectors have changed since the last release", e.name, e.version, want)
		}
		for i, section := range sections {
			is := func(l lockedRelease) bool { return l.release == section[1] && l.engine == e.name }
			switch at := slices.IndexFunc(released, is); {
			case section[1] == "Unreleased":
			case at < 0:
				t.Errorf("testdata/rules.lock lacks the line:\n%s %s %d %s", section[1], e.name, e.version, digest)
			case i == 0 && released[at].digest != digest:
				t.Errorf("testdata/rules.lock: %s of %s is %s, want %s, or a section Unreleased", section[1], e.name, released[at].digest, digest)
			}
		}
	}
}

func TestWantVersion(t *testing.T) {
	released := []lockedRelease{{"0.1.0", "mongo", "a", 1}, {"0.1.0", "cosmos", "x", 1}, {"0.2.0", "mongo", "b", 2}, {"0.2.0", "cosmos", "x", 1}}
	tests := []struct {
		why, engine, digest string
		released            []lockedRelease
		want                int
	}{
		{"before the first release", "mongo", "a", nil, 1},
		{"as in the last release", "mongo", "b", released, 2},
		{"changed since", "mongo", "c", released, 3},
		{"changed back is changed", "mongo", "a", released, 3},
		{"never changed", "cosmos", "x", released, 1},
		{"changed for the first time", "cosmos", "y", released, 2},
	}
	for _, tt := range tests {
		if got := wantVersion(tt.released, tt.engine, tt.digest); got != tt.want {
			t.Errorf("%s: wantVersion(%s, %s) = %d, want %d", tt.why, tt.engine, tt.digest, got, tt.want)
		}
	}
}

// TestDigest: the digest depends on every word of a rule, and on every vector of the
// engine.
func TestDigest(t *testing.T) {
	of := func(vectors string, rules ...policy.Rule) string {
		return engine{rules: slices.Values(rules), vectors: engines[0].vectors}.digest(vectors)
	}
	one := policy.NewRule("mongo.one", "One.")
	seen := map[string]string{}
	for why, digest := range map[string]string{
		"one rule":            of("mongodb-a 1 ff\n", one),
		"no rule":             of("mongodb-a 1 ff\n"),
		"another statement":   of("mongodb-a 1 ff\n", policy.NewRule("mongo.one", "Two.")),
		"another release":     of("mongodb-a 1 ff\n", catalogue.Rule(catalogue.Entry{ID: "mongo.one", Statement: "One.", Versions: "3.2 and later"})),
		"an unspecified rule": of("mongodb-a 1 ff\n", policy.NewRule("mongo.one-unspecified", "One.")),
		"another vector":      of("mongodb-a 2 fe\n", one),
		"no vector":           of("", one),
	} {
		if other, ok := seen[digest]; ok {
			t.Errorf("%s and %s have one digest", why, other)
		}
		seen[digest] = why
	}
	if got, want := of("mongodb-a 1 ff\ncosmos-b 1 ff\n", one), of("mongodb-a 1 ff\n", one); got != want {
		t.Errorf("another engine's vector counts: %s, want %s", got, want)
	}
}
