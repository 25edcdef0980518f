package releases_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	. "github.com/ttlpolicy/ttlpolicy/internal/releases"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

var server = List(suite.Embedded().Releases(conformance.MongoDB))

// TestParse checks the releases on both sides of each end of a span in the catalogues'
// notation.
func TestParse(t *testing.T) {
	for _, tt := range []struct {
		text    string
		in, out []string
	}{
		{"all", []string{"2.2.0", fixture.Latest}, nil},
		{"3.2 and later", []string{"3.2.0", fixture.Latest}, []string{"3.0.15"}},
		{"up to 4.4", []string{"2.2.0", "4.4.29"}, []string{"5.0.0"}},
		{"5.0.14 and later in 5.0, 6.0.2 and later", []string{"5.0.14", "5.0.31", "6.0.2", "8.2.0"}, []string{"5.0.13", "5.1.0", "6.0.1"}},
		{"5.1 to 5.3", []string{"5.1.0", "5.3.2"}, []string{"5.0.31", "6.0.0"}},
		{"5.0.0 to 5.0.13, 6.0.0 to 6.0.1", []string{"5.0.0", "5.0.13", "6.0.0", "6.0.1"}, []string{"4.4.29", "5.0.14", "6.0.2"}},
		{"6.2 to 6.3", []string{"6.2.0", "6.3.2"}, []string{"6.1.1", "7.0.0"}},
		{"5.1 to 8.0.4", []string{"5.1.0", "8.0.4"}, []string{"5.0.31", "8.0.5"}},
		{"9.0 and later", []string{"9.0.0", fixture.Latest}, []string{"8.3.0"}},
		{"5.0", []string{"5.0.0", "5.0.31"}, []string{"4.4.29", "5.1.0"}},
	} {
		got, ok := server.Parse(tt.text)
		if !ok {
			t.Errorf("Parse(%q) fails", tt.text)
			continue
		}
		for want, releases := range map[bool][]string{true: tt.in, false: tt.out} {
			for _, r := range releases {
				if got[server.First(r)] != want {
					t.Errorf("Parse(%q) takes in %s: %v, want %v", tt.text, r, !want, want)
				}
			}
		}
		if text := server.Text(got); text != tt.text {
			t.Errorf("Text(Parse(%q)) = %q", tt.text, text)
		}
	}
}

func TestParseProse(t *testing.T) {
	for _, text := range []string{"create since 4.2", "6.2 and 6.3", "2.2 and later", "6.2 to 6.2", "2.2 to 9.0", "5.0; 8.1 and later", "10.0 and later", "7.0 to 5.0", "4.2 and later, with EnableTtlOnCustomPath", "now"} {
		if got, ok := server.Parse(text); ok {
			t.Errorf("Parse(%q) = %q, want no list of releases", text, server.Text(got))
		}
	}
}

// TestParseReadsText: a set of releases is the same after it was written and read.
func TestParseReadsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := make(Set, len(server))
		for range rapid.IntRange(0, 4).Draw(t, "spans") {
			from := rapid.IntRange(0, len(server)-1).Draw(t, "from")
			to := rapid.IntRange(from, len(server)-1).Draw(t, "to")
			for i := from; i <= to; i++ {
				want[i] = true
			}
		}
		if !slices.Contains(want, true) {
			return
		}
		text := server.Text(want)
		if got, ok := server.Parse(text); !ok || !slices.Equal(got, want) {
			t.Fatalf("Parse(%q) = %v, %v, want %v", text, got, ok, want)
		}
	})
}
