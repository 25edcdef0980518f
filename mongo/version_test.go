package mongo

import "testing"

func TestVersionCompare(t *testing.T) {
	ascending := []Version{{}, {2, 2, 0}, {2, 10, 0}, {3, 0, 0}, {3, 0, 1}, {5, 0, 9}, {5, 0, 14}, {5, 1, 0}, {65535, 0, 0}}
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
