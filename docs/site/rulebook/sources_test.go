package rulebook

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/citations"
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// nowhere matches links that do not lead to the cited place: a repository's
// root, or a branch, which changes.
var nowhere = regexp.MustCompile(`^https://github\.com/[^/]+/[^/]+/?$|/(?:blob|tree)/(?:main|master|HEAD)(?:/|$)|^(?:[^h]|h[^t])`)

// TestSourcesLeadSomewhere: every source of every page leads to a file of one
// version, an issue or a page, and has the day on which it was read.
func TestSourcesLeadSomewhere(t *testing.T) {
	n := 0
	check := func(where string, list []Source) {
		for _, s := range list {
			n++
			if nowhere.MatchString(s.URL) {
				t.Errorf("%s: the source %q leads to %q", where, s.Address, s.URL)
			}
			if s.Accessed == "" || s.Kind == citations.Test && s.Asserts == "" {
				t.Errorf("%s: the source %q is not in testdata/sources.json, or incomplete there", where, s.Address)
			}
		}
	}
	for _, p := range all() {
		check(p.ID(), p.Sources())
	}
	for _, c := range book.Cases {
		for _, a := range c.Answers {
			check(c.ID, a.Sources())
		}
	}
	if n < 2000 {
		t.Errorf("%d sources were checked, want thousands", n)
	}
}

func TestNowhere(t *testing.T) {
	for link, want := range map[string]bool{
		"https://github.com/mongodb/mongo":                                 true,
		"https://github.com/mongodb/mongo/":                                true,
		"https://github.com/mongodb/mongo/blob/master/src/mongo/db/a.cpp":  true,
		"https://github.com/mongodb/mongo/blob/r4.0.10/src/mongo/db/a.cpp": false,
		"https://github.com/Azure/azure-cli/issues/7508":                   false,
		"https://bsonspec.org/spec.html":                                   false,
		"mongodb/mongo: src/mongo/db/a.cpp":                                true,
	} {
		if got := nowhere.MatchString(link); got != want {
			t.Errorf("nowhere(%s) = %t, want %t", link, got, want)
		}
	}
}

// TestSourcesOfReleases: a page cites a file in the versions of the releases concerned.
func TestSourcesOfReleases(t *testing.T) {
	for _, tt := range []struct{ rule, title, url, read string }{
		{"mongo.date-strict", "MongoDB server: TTL thread of the branches v2.2 to v6.1",
			"https://github.com/mongodb/mongo/blob/r3.0.15/src/mongo/db/ttl.cpp#L205", "r3.0.15, read 2026-11-23"},
		{"mongo.nan-zero", "SERVER-68477", "https://jira.mongodb.org/browse/SERVER-68477", "read 2026-11-21"},
	} {
		found := false
		for _, s := range book.Page(tt.rule).Sources() {
			if s.Title == tt.title {
				found = true
				if s.URL != tt.url || s.Read() != tt.read {
					t.Errorf("%s cites %s, %s; want %s, %s", tt.rule, s.URL, s.Read(), tt.url, tt.read)
				}
			}
		}
		if !found {
			t.Errorf("%s does not cite %q", tt.rule, tt.title)
		}
	}
}

// TestBestSourceFirst: a page begins with the source that establishes most, and ends with
// sources that were not opened.
func TestBestSourceFirst(t *testing.T) {
	for _, p := range all() {
		if all := p.Sources(); !slices.IsSortedFunc(all, func(a, b Source) int { return cmp.Compare(a.rank(), b.rank()) }) {
			t.Errorf("the sources of %s are not in order", p.ID())
		}
	}
	for _, p := range all() {
		sources := p.Sources()
		leads := len(sources) > 0 && citations.IsVendors(sources[0].Citation)
		if !leads && p.Confidence() != engine.Reported && p.Confidence() != engine.Unspecified {
			t.Errorf("%s is %s, and leads with no source of a vendor", p.ID(), p.Confidence())
		}
		if len(sources) > 0 && sources[0].Pin.Unread {
			t.Errorf("%s leads with %s of %s, which was not opened; cite what was read", p.ID(), sources[0].Place(), sources[0].Pin.Version())
		}
	}
	sources := book.Page("cosmos.default").Sources()
	if first, last := sources[0], sources[len(sources)-1]; !strings.HasPrefix(first.Address, "Azure/") || !strings.HasPrefix(last.Address, "joelhulen/") {
		t.Errorf("cosmos.default leads with %s, and ends with %s", first.Address, last.Address)
	}
}

// TestReadReleases: if a source was not opened in its version for the newest release of a
// rule, the page shows the version for an earlier release of the rule, which was read.
func TestReadReleases(t *testing.T) {
	for rule, want := range map[string]string{
		"mongo.collmod-reply-elements": "b4fedf13f7, read 2026-11-28; r5.0.31 not opened",
		"mongo.collmod-capped":         "a383a136ee, read 2026-11-28",
	} {
		if got := book.Page(rule).Sources()[0].Read(); got != want {
			t.Errorf("%s leads with %s, want %s", rule, got, want)
		}
	}
}

// TestSourceOfLaterReleases: the citation of a file that was read only in later releases
// says so.
func TestSourceOfLaterReleases(t *testing.T) {
	file := policy.Citation{Title: "createIndexes of the newer releases", Address: "mongodb/mongo: src/mongo/db/commands/create_indexes_cmd.cpp"}
	for release, want := range map[string]bool{"5.3.0": true, "6.2.1": true, "6.3.0": false, fixture.Latest: false, "": false} {
		s := sourceOf(file, release)
		if s.Later != want || strings.HasSuffix(s.Read(), "; of a later release") != want {
			t.Errorf("for %q it was read in %q, later %t, want %t", release, s.Read(), s.Later, want)
		}
	}
}

// TestCitedTestsRun: if a rule claims a test of MongoDB, some cited test can run on a
// release for which the rule holds.
func TestCitedTestsRun(t *testing.T) {
	for _, p := range all() {
		if p.Confidence() != engine.VendorTest || !strings.HasPrefix(p.ID(), "mongo.") {
			continue
		}
		runs := func(s Source) bool {
			return slices.ContainsFunc(book.suite.Releases(conformance.MongoDB), func(release string) bool {
				return s.RunsOn(release) && (p.HoldsAt(conformance.MongoDB, release) || p.VersionRows[0].releases == nil)
			})
		}
		if !slices.ContainsFunc(p.Sources(), runs) {
			t.Errorf("%s claims a test, and none that it cites can run on a release for which it holds", p.ID())
		}
	}
}
