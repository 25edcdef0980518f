package rulebook

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/citations"
	"github.com/ttlpolicy/ttlpolicy/internal/releases"
)

// TestUnreadRules: the records mark exactly the rules that claim a release before their
// oldest citation.
func TestUnreadRules(t *testing.T) {
	unread := readRecords().Unread
	for _, p := range all() {
		if got, want := p.UnreadBefore(), unread[p.ID()]; got != want {
			t.Errorf("%s claims %s and later, and its oldest citation is of %q; want %q: cite what was read, or add the mark", p.ID(), p.oldest(), got, want)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(unread)) {
		if book.Page(id) == nil {
			t.Errorf("there is no rule %s", id)
		}
	}
}

// TestChanges: each change on the page names its commit, cites the sources of both ends, or
// says that it is inferred.
func TestChanges(t *testing.T) {
	n := book.Changes()
	if n.All < 150 || n.All != n.Read+n.Inferred {
		t.Errorf("Changes = %+v, want all, each read or inferred", n)
	}
	page := book.Markdown()["releases.md"]
	lines := book.Lines()
	if len(lines) < 15 || !slices.IsSortedFunc(lines, func(x, y LineOfReleases) int { return citations.CompareReleases(y.Name, x.Name) }) {
		t.Errorf("the lines begin with %s and %s, want the newest first", lines[0].Name, lines[1].Name)
	}
	if strings.Contains(page, "bsonSize") {
		t.Error("the page is about what only the tool asks")
	}
	for _, line := range lines {
		for _, c := range line.Changes {
			behaviour := c.Behaviour
			if c.Inferred == "" && c.Commit == nil && (c.Before.URL == "" || c.First.URL == "") {
				t.Errorf("%s, since %s, is neither cited nor inferred", behaviour.Name, c.Since)
			}
			if c.Commit != nil && !strings.Contains(page, c.Commit.Link()) {
				t.Errorf("%s, since %s: the page does not name the commit", behaviour.Name, c.Since)
			}
			if !strings.Contains(page, Escape(c.Inferred)) || !strings.Contains(page, c.Before.URL) || !strings.Contains(page, c.First.URL) {
				t.Errorf("%s, since %s: the page does not show what it rests on", behaviour.Name, c.Since)
			}
		}
	}
	for _, id := range []string{"mongo.date", "mongo.date-strict"} {
		if len(book.Page(id).Behaviours) == 0 {
			t.Errorf("the page of %s does not say where releases differ", id)
		}
	}
}

func TestEndOf(t *testing.T) {
	list := releases.List{"3.4.20", "3.4.21", "3.4.22", "3.4.23", "3.4.24", "3.6.0"}
	for _, tt := range []struct{ place, text, unread string }{
		{"r3.4.24 src/mongo/db/ttl.cpp:7", "r3.4.24 ttl.cpp:7", ""},
		{"r3.4.21 src/mongo/db/ttl.cpp:7", "r3.4.21 ttl.cpp:7", "3.4.22 and later in 3.4"},
		{"r3.4.23 src/mongo/db/ttl.cpp:7", "r3.4.23 ttl.cpp:7", "3.4.24"},
		{"b4fedf13f77347b4be11053b59d01f80b769fd7c src/a.h:1", "b4fedf13f7 a.h:1", ""},
		{"", "", ""},
	} {
		end := endOf(tt.place)
		if got := unread(list, tt.place, 4); end.Text != tt.text || got != tt.unread || (end.URL == "") != (tt.place == "") {
			t.Errorf("%q is shown as %q (%s), and %q not read; want %q, and %q not read", tt.place, end.Text, end.URL, got, tt.text, tt.unread)
		}
	}
}

// TestShaping: a record names behaviours and rules that exist.
func TestShaping(t *testing.T) {
	names := map[string]bool{"namespaces": true}
	for _, behaviour := range book.Behaviours {
		names[behaviour.Name] = true
	}
	for id, shaping := range readRecords().Behaviours {
		if book.Page(id) == nil {
			t.Errorf("behaviours shape %s, which is no rule", id)
		}
		for _, name := range shaping {
			if !names[name] {
				t.Errorf("%s is shaped by %s, want a behaviour of testdata/boundaries", id, name)
			}
		}
	}
}
