package namespace

import (
	"path"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"shop.logs", "shop.logs", true},
		{"shop.logs", "shop.logs2", false},
		{"shop.*", "shop.logs", true},
		{"shop.*", "shopping.logs", false},
		{"*.logs", "shop.logs", true},
		{"*.logs", "shop.logs.old", false},
		{"*", "", true},
		{"", "", true},
		{"", "a", false},
		{"a*a", "a", false},
		{"a*b*c", "a.b.b.c", true},
		{"a*b*c", "a.c.b", false},
		{"**", "a", true},
		{"shop.[a]?", "shop.[a]?", true},
		{"shop.[a]?", "shop.ab", false},
		{`shop.a\*b`, "shop.a*b", true},
		{`shop.a\*b`, "shop.axb", false},
		{`a\\*`, `a\b`, true},
		{`a\b`, `a\b`, true},
		{`a\`, `a\`, true},
	} {
		if got := Match(tt.pattern, tt.name); got != tt.want {
			t.Errorf("Match(%q, %q) = %v, want %v", tt.pattern, tt.name, got, tt.want)
		}
	}
}

// TestMatchLikePath compares matches with those of package path, on characters that mean
// the same to both.
func TestMatchLikePath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern, name := rapid.StringMatching(`[ab.*]{0,6}`).Draw(t, "pattern"), rapid.StringMatching(`[ab.]{0,6}`).Draw(t, "name")
		if want, err := path.Match(pattern, name); err != nil || Match(pattern, name) != want {
			t.Errorf("Match(%q, %q) = %v, want %v, %v", pattern, name, !want, want, err)
		}
	})
}

func TestCovers(t *testing.T) {
	for _, tt := range []struct {
		pattern, other string
		want           bool
	}{
		{"shop.*", "shop.logs", true},
		{"shop.*", "shop.*", true},
		{"*", "shop.*", true},
		{"shop.*", "*", false},
		{"shop.*.old", "shop.*", false},
		{`shop.\*`, "shop.*", false},
		{`shop.\*`, `shop.\*`, true},
		{"shop.logs", "shop.logs", true},
		{"a*", "*a", false},
	} {
		if got := Parse(tt.pattern).Covers(Parse(tt.other)); got != tt.want {
			t.Errorf("Covers(%q, %q) = %v, want %v", tt.pattern, tt.other, got, tt.want)
		}
	}
}

func TestSelection(t *testing.T) {
	all := []string{"shop.logs", "shop.logs.old", "shop.a*b", "blog.logs", `blog.a\b`}
	for _, tc := range []struct {
		include, exclude []string
		want             []string
		says             string // a part of the error
	}{
		{nil, nil, all, ""},
		{[]string{"shop.*"}, nil, all[:3], ""},
		{[]string{"*.logs"}, nil, []string{"shop.logs", "blog.logs"}, ""},
		{[]string{"shop.*", "blog.logs"}, []string{"*.old", "*a*"}, []string{"shop.logs", "blog.logs"}, ""},
		{[]string{`shop.a\*b`}, nil, []string{"shop.a*b"}, ""},
		{[]string{`blog.a\\b`}, nil, []string{`blog.a\b`}, ""},
		{[]string{"shop.log"}, nil, nil, "--ns shop.log matches no collection; there are shop.logs, "},
		{[]string{"shop"}, nil, nil, "matches no collection"},
		{[]string{"shop.log."}, nil, nil, "matches no collection"}, // a dot matches only a dot
		{nil, []string{"x.*"}, nil, "--exclude-ns x.* matches no collection"},
		{nil, []string{"*"}, nil, "leave no collection"},
	} {
		s := Selection{tc.include, tc.exclude}
		err := s.Check(all)
		if tc.says != "" {
			if err == nil || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%q: Check = %v, want %q", s, err, tc.says)
			}
			continue
		}
		got := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return !s.Selects(name) })
		if err != nil || !slices.Equal(got, tc.want) {
			t.Errorf("%q selects %q, Check = %v, want %q", s, got, err, tc.want)
		}
	}
}

func TestNearest(t *testing.T) {
	for _, tt := range []struct {
		names []string
		want  string
	}{
		{nil, "is none"},
		{[]string{"shop.logs"}, "is shop.logs"},
		{[]string{"a", "shop.logs", "shop.log", "shop.logs"}, "are shop.log, shop.logs, a"},
		{[]string{"a", "b", "shop.logs", "shop.l"}, "are shop.logs, shop.l, a and 1 more"},
	} {
		if got := Nearest("shop.log", tt.names); got != tt.want {
			t.Errorf("Nearest(shop.log, %q) = %q, want %q", tt.names, got, tt.want)
		}
	}
}

// TestTable compares a Table with a loop over all patterns.
func TestTable(t *testing.T) {
	texts := rapid.StringMatching(`[ab.*]{0,4}`)
	rapid.Check(t, func(t *rapid.T) {
		patterns := rapid.SliceOfN(texts, 0, 8).Draw(t, "patterns")
		var table Table
		for i, text := range patterns {
			p := Parse(text)
			want := slices.IndexFunc(patterns[:i], func(before string) bool { return Parse(before).Covers(p) })
			if got := table.Add(p); got != want {
				t.Errorf("Add(%q) behind %q = %d, want %d", text, patterns[:i], got, want)
			}
		}
		name := rapid.StringMatching(`[ab.]{0,4}`).Draw(t, "name")
		want := slices.IndexFunc(patterns, func(p string) bool { return Match(p, name) })
		if got := table.Find(name); got != want {
			t.Errorf("%q: Find(%q) = %d, want %d", patterns, name, got, want)
		}
	})
}
