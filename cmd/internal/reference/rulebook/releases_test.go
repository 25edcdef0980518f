package rulebook

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

var server = releases(suite.Embedded().Releases(conformance.MongoDB))

// TestReleasesOfTexts holds the words of the catalogues to releases on both
// sides of each end.
func TestReleasesOfTexts(t *testing.T) {
	for _, tt := range []struct {
		text    string
		in, out []string
	}{
		{"", []string{"2.2.0", fixture.Latest}, nil},
		{"3.2 and later", []string{"3.2.0", fixture.Latest}, []string{"3.0.15"}},
		{"up to 4.4", []string{"2.2.0", "4.4.29"}, []string{"5.0.0"}},
		{"5.0.14 and later in 5.0, 6.0.2 and later", []string{"5.0.14", "5.0.31", "6.0.2", "8.2.0"}, []string{"5.0.13", "5.1.0", "6.0.1"}},
		{"5.1 to 5.3", []string{"5.1.0", "5.3.2"}, []string{"5.0.31", "6.0.0"}},
		{"5.0.0 to 5.0.13, 6.0.0 and 6.0.1", []string{"5.0.0", "5.0.13", "6.0.0", "6.0.1"}, []string{"4.4.29", "5.0.14", "6.0.2"}},
		{"5.1 to 8.0.4", []string{"5.1.0", "8.0.4"}, []string{"5.0.31", "8.0.5"}},
		{"5.0", []string{"5.0.0", "5.0.31"}, []string{"4.4.29", "5.1.0"}},
	} {
		got, ok := server.parse(tt.text)
		if !ok {
			t.Errorf("parse(%q) fails", tt.text)
			continue
		}
		for want, releases := range map[bool][]string{true: tt.in, false: tt.out} {
			for _, r := range releases {
				if got[server.first(r)] != want {
					t.Errorf("parse(%q) takes in %s: %v, want %v", tt.text, r, !want, want)
				}
			}
		}
		want := tt.text
		switch want {
		case "":
			want = "all"
		case "5.0.0 to 5.0.13, 6.0.0 and 6.0.1":
			want = "5.0.0 to 5.0.13, 6.0.0 to 6.0.1"
		}
		if text := server.text(got); text != want {
			t.Errorf("text(parse(%q)) = %q", tt.text, text)
		}
	}
}

func TestReleasesOfProse(t *testing.T) {
	for _, text := range []string{"create since 4.2", "5.0; 8.1 and later", "10.0 and later", "7.0 to 5.0", "4.2 and later, with EnableTtlOnCustomPath", "now"} {
		if got, ok := server.parse(text); ok {
			t.Errorf("parse(%q) = %q, want no list of releases", text, server.text(got))
		}
	}
}
