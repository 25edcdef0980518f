package main

import "testing"

// TestShapes: each shape has a unique name and can be made.
func TestShapes(t *testing.T) {
	names := map[string]bool{}
	for _, s := range allShapes() {
		if names[s.name] {
			t.Errorf("two shapes are called %s", s.name)
		}
		names[s.name] = true
		s.make(2)()
	}
	if len(names) < 100 {
		t.Errorf("%d shapes, want those of shapes.tsv", len(names))
	}
}
