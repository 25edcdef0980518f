package suite

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/suite/jsonfile"
	"github.com/ttlpolicy/ttlpolicy/testdata"
)

// TestEmbeddedSuiteLoads makes the checks that [Embedded] leaves out.
func TestEmbeddedSuiteLoads(t *testing.T) {
	s, err := Load(testdata.Files)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(Embedded().Vectors), len(s.Vectors); got != want || got == 0 {
		t.Errorf("the embedded suite has %d vectors, want %d", got, want)
	}
}

func TestNormalVersions(t *testing.T) {
	for _, tt := range []struct{ versions, want string }{
		{"*", "*"}, {">=3.2.0", ">=3.2.0"}, {"<3.2.0", "<3.2.0"}, {"8.0.4", "8.0.4"}, {"4.2", "4.2"},
		{">=3.2.0 <4.4.0 || >=4.4.0", ">=3.2.0"},
		{">=4.4.0 || <3.2.0 || >=3.2.0 <4.4.0", "*"},
		{">=3.2.0 <4.4.0 || >=4.4.1", ">=3.2.0 <4.4.0 || >=4.4.1"},
		{">=3.2.0 <5.0.0 || >=4.0.0 <4.2.0", ">=3.2.0 <5.0.0"},
		{"8.0.4 || 8.0.5 || 8.0.7", ">=8.0.4 <8.0.6 || 8.0.7"},
		{">=5.0.0 || *", "*"},
	} {
		v, err := parseVersions(tt.versions)
		if err != nil {
			t.Fatal(err)
		}
		if got := v.normal(); got != tt.want {
			t.Errorf("normal(%s) = %s, want %s", tt.versions, got, tt.want)
		}
	}
}

// TestDigest: the digest covers the answer, its level and its releases, but not its
// evidence, even if different evidence splits a row.
func TestDigest(t *testing.T) {
	part := func(versions, evidence, level, state string) string {
		return `{"system": "mongodb", "versions": "` + versions + `", "level": "` + level + `", "evidence": "` + evidence + `", "out": {"state": "` + state + `", "deadline": null}, "cites": ["leaf"]}`
	}
	whole := part("*", "vendor-test", "must", "never")
	for _, tt := range []struct {
		why, rows string
		same      bool
	}{
		{"other evidence", part("*", "source", "must", "never"), true},
		{"split", part("<3.2.0", "source", "must", "never") + "," + part(">=3.2.0", "vendor-test", "must", "never"), true},
		{"split, a release left out", part("<3.2.0", "source", "must", "never") + "," + part(">=3.2.1", "vendor-test", "must", "never"), false},
		{"fewer releases", part(">=3.2.0", "source", "must", "never"), false},
		{"another level", part("*", "source", "optional", "never"), false},
		{"another answer", part("*", "source", "must", "pending"), false},
	} {
		digestWith := func(rows string) string {
			var found jsonfile.Problems
			n, ok := found.Parse("rows", []byte(`{"op": "x", "in": {}, "want": [`+rows+`]}`))
			if !ok {
				t.Fatal(found)
			}
			return digest(n)
		}
		if same := digestWith(tt.rows) == digestWith(whole); same != tt.same {
			t.Errorf("%s: the digest is the same: %t, want %t", tt.why, same, tt.same)
		}
	}
}
