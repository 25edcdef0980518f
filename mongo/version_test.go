package mongo

import "testing"

func TestVersionCompare(t *testing.T) {
	ascending := []Version{{}, {Major: 2, Minor: 2, Patch: 0}, {Major: 2, Minor: 10, Patch: 0}, {Major: 3, Minor: 0, Patch: 0}, {Major: 3, Minor: 0, Patch: 1}, {Major: 5, Minor: 0, Patch: 9}, {Major: 5, Minor: 0, Patch: 14}, {Major: 5, Minor: 1, Patch: 0}, {Major: 65535, Minor: 0, Patch: 0}, {Product: "documentdb", Minor: 102}, {Product: "documentdb", Minor: 112}}
	for i, v := range ascending {
		for j, w := range ascending {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = +1
			}
			if got := v.Compare(w); got != want {
				t.Errorf("%v.Compare(%v) = %d, want %d", v, w, got, want)
			}
		}
	}
}

func TestVersionString(t *testing.T) {
	for _, tt := range []struct{ text, want string }{{"8.0.4", "8.0.4"}, {"8.0", "8.0.0"}, {"10.11.12", "10.11.12"}, {"0.0.0", "0.0.0"}} {
		v, err := ParseVersion(tt.text)
		if err != nil || v.String() != tt.want {
			t.Errorf("ParseVersion(%q) = %v, %v, want %s", tt.text, v, err, tt.want)
		}
	}
}
