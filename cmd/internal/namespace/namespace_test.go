package namespace

import (
	"path"
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
	} {
		if got := Match(tt.pattern, tt.name); got != tt.want {
			t.Errorf("Match(%q, %q) = %v, want %v", tt.pattern, tt.name, got, tt.want)
		}
	}
}

// TestMatchLikePath compares with package path, which reads these characters alike.
func TestMatchLikePath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern, name := rapid.StringMatching(`[ab.*]{0,6}`).Draw(t, "pattern"), rapid.StringMatching(`[ab.]{0,6}`).Draw(t, "name")
		if want, err := path.Match(pattern, name); err != nil || Match(pattern, name) != want {
			t.Errorf("Match(%q, %q) = %v, want %v, %v", pattern, name, !want, want, err)
		}
	})
}
