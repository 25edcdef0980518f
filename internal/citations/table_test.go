package citations_test

import (
	"testing"
	"time"

	"github.com/ttlpolicy/ttlpolicy/internal/citations"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestTable: every source is complete, and no date is in the future.
func TestTable(t *testing.T) {
	today := time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
	for _, s := range citations.Table() {
		if err := citations.CheckEntry(s); err != nil {
			t.Error(err)
		}
		if s.Accessed > today {
			t.Errorf("%s was read on %s, which is not yet", s.Address, s.Accessed)
		}
	}
	if len(citations.Table()) < 150 {
		t.Errorf("the table has %d sources, want all", len(citations.Table()))
	}
}

// TestRulesCiteTheTable: every citation of a rule has a line in the table.
func TestRulesCiteTheTable(t *testing.T) {
	for r := range suite.Rules() {
		for _, c := range r.Citations() {
			if _, ok := citations.Table()[c.Address]; !ok {
				t.Errorf("%s cites %s, which testdata/sources.json does not have", r, c.Address)
			}
		}
	}
}

func TestCheckEntryRefuses(t *testing.T) {
	const commit = "b4fedf13f77347b4be11053b59d01f80b769fd7c"
	good := func() citations.Entry {
		return citations.Entry{Citation: policy.Citation{Title: "t", Address: "mongodb/mongo: jstests/core/ttl.js"}, Kind: citations.Test, Accessed: "2026-11-22", Asserts: "a",
			Pins: []citations.Pin{{From: "2.2", Ref: "r2.2.7", Path: "jstests/ttl.js", Line: 5}, {From: "4.10", Ref: commit, Path: "jstests/core/ttl.js", Unread: true}}}
	}
	if err := citations.CheckEntry(good()); err != nil {
		t.Fatal(err)
	}
	for what, spoil := range map[string]func(*citations.Entry){
		"no day":                  func(s *citations.Entry) { s.Accessed = "" },
		"30 February":             func(s *citations.Entry) { s.Accessed = "2026-02-30" },
		"another kind":            func(s *citations.Entry) { s.Kind = "source" },
		"a test of nothing":       func(s *citations.Entry) { s.Asserts = "" },
		"no pins":                 func(s *citations.Entry) { s.Pins = nil },
		"a branch":                func(s *citations.Entry) { s.Pins[0].Ref = "master" },
		"the beginning of a hash": func(s *citations.Entry) { s.Pins[0].Ref = commit[:10] },
		"a repository's root":     func(s *citations.Entry) { s.Pins[0].Path = "/" },
		"no path":                 func(s *citations.Entry) { s.Pins[0].Path = "" },
		"a line nobody read":      func(s *citations.Entry) { s.Pins[1].Line = 3 },
		"pins out of order":       func(s *citations.Entry) { s.Pins[1].From = "2.2" },
		"4.9 after 4.10":          func(s *citations.Entry) { s.Pins[0].From, s.Pins[1].From = "4.10", "4.9" },
		"a note in a fork":        func(s *citations.Entry) { s.Address = "mongodb/mongo: jstests/JSTEST_AUDIT.js" },
		"a page with pins": func(s *citations.Entry) {
			s.Address, s.Kind, s.Asserts = "https://bsonspec.org/", citations.Specification, ""
		},
	} {
		s := good()
		spoil(&s)
		if err := citations.CheckEntry(s); err == nil {
			t.Errorf("CheckEntry takes %s", what)
		}
	}
}

func TestLink(t *testing.T) {
	file := citations.Entry{Citation: policy.Citation{Address: "a/b-c.d: src/x.cpp"}, Pins: []citations.Pin{
		{From: "2.2", Ref: "r2.2.7", Path: "x.cpp", Line: 7}, {From: "3.0", Ref: "r3.0.15", Path: "src/x.cpp"}, {From: "4.10", Ref: "v4.10.0", Path: "src/"},
	}}
	for _, tt := range []struct {
		s             citations.Entry
		release, want string
	}{
		{citations.Of(policy.Citation{Address: "https://bsonspec.org/spec.html"}), "", "https://bsonspec.org/spec.html"},
		{citations.Of(policy.Citation{Address: "Azure/azure-cli: issue 7508"}), "", "https://github.com/Azure/azure-cli/issues/7508"},
		{citations.Of(policy.Citation{Address: "a/b-c.d: pull request 15"}), "", "https://github.com/a/b-c.d/pull/15"},
		{file, "2.0.1", "https://github.com/a/b-c.d/blob/r2.2.7/x.cpp#L7"},
		{file, "2.6.12", "https://github.com/a/b-c.d/blob/r2.2.7/x.cpp#L7"},
		{file, "3.0.0", "https://github.com/a/b-c.d/blob/r3.0.15/src/x.cpp"},
		{file, "4.9.3", "https://github.com/a/b-c.d/blob/r3.0.15/src/x.cpp"},
		{file, "4.10.1", "https://github.com/a/b-c.d/tree/v4.10.0/src"},
		{file, "", "https://github.com/a/b-c.d/tree/v4.10.0/src"},
	} {
		if got := tt.s.Link(tt.release); got != tt.want {
			t.Errorf("(%s).Link(%q) = %s, want %s", tt.s.Address, tt.release, got, tt.want)
		}
	}
}

func TestRunsOn(t *testing.T) {
	for _, tt := range []struct {
		versions, release string
		want              bool
	}{
		{"*", "2.2.0", true}, {"", "2.2.0", false}, {">=4.4.0", "4.2.25", false}, {">=4.4.0", "4.4.0", true}, {">=4.4.0", "10.0.0", true},
		{">=5.0.14 <5.1.0 || >=6.0.2", "5.0.13", false}, {">=5.0.14 <5.1.0 || >=6.0.2", "5.0.14", true},
		{">=5.0.14 <5.1.0 || >=6.0.2", "5.1.0", false}, {">=5.0.14 <5.1.0 || >=6.0.2", "6.0.2", true},
	} {
		if got := (citations.Entry{Versions: tt.versions}).RunsOn(tt.release); got != tt.want {
			t.Errorf("{%q}.RunsOn(%s) = %t, want %t", tt.versions, tt.release, got, tt.want)
		}
	}
}
