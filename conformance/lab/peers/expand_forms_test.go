package peers

import (
	"slices"
	"testing"
)

func TestExpand(t *testing.T) {
	for _, tt := range []struct {
		text string
		n    int
		want string
	}{
		{"plain", 3, "plain"},
		{"[«1»]", 3, "[1,1,1]"},
		{"[«#»]", 3, "[0,1,2]"},
		{"{«\"f#\":§»}", 2, `{"f0":0000,"f1":0001}`},
		{"‹a.›b", 2, "a.a.b"},
		{"‹3:x›«y»", 1, "xxxy"},
		{"[«{‹2:#›}»]", 2, "[{01},{01}]"},
		{"[«‹2:x›#»]", 2, "[xx0,xx1]"},
		{"‹[›1‹]›", 2, "[[1]]"},
		{"«{\"a\":1}»", 2, `{"a":1},{"a":1}`},
		{"‹a№=a#;›", 2, "a1=a0;a2=a1;"},
	} {
		if got := Expand(tt.text, tt.n); got != tt.want {
			t.Errorf("Expand(%q, %d) = %q, want %q", tt.text, tt.n, got, tt.want)
		}
	}
}

func TestRows(t *testing.T) {
	var got []string
	for cells := range Rows("# a comment\na\t1\n#b\t\n") {
		got = append(got, cells...)
	}
	if want := []string{"a", "1", "#b", ""}; !slices.Equal(got, want) {
		t.Errorf("Rows() = %q, want %q", got, want)
	}
}
