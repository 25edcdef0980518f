package main

import "testing"

func TestExpand(t *testing.T) {
	for _, tt := range []struct {
		text string
		n    int
		want string
	}{
		{"plain", 3, "plain"},
		{"[«1»]", 3, "[1,1,1]"},
		{"[«#»]", 3, "[0,1,2]"},
		{"{«\"f#\":@»}", 2, `{"f0":0000,"f1":0001}`},
		{"‹a.›b", 2, "a.a.b"},
		{"‹3:x›«y»", 1, "xxxy"},
		{"[«{‹2:#›}»]", 2, "[{01},{01}]"},
		{"[«‹2:x›#»]", 2, "[xx0,xx1]"},
		{"‹[›1‹]›", 2, "[[1]]"},
		{"«{\"a\":1}»", 2, `{"a":1},{"a":1}`},
	} {
		if got := expand(tt.text, tt.n); got != tt.want {
			t.Errorf("expand(%q, %d) = %q, want %q", tt.text, tt.n, got, tt.want)
		}
	}
}

// TestShapes: every shape a name of its own, and all can be made.
func TestShapes(t *testing.T) {
	names, used := map[string]bool{}, 0
	for _, s := range shapes() {
		if names[s.name] {
			t.Errorf("two shapes are called %s", s.name)
		}
		names[s.name] = true
		s.make(2)()
		used++
	}
	if used < 100 {
		t.Errorf("%d shapes, want those of shapes.tsv", used)
	}
}
