package enum

import "testing"

type level uint8

var levels = []string{1: "low", 2: "high"} // 0 has no name

func TestString(t *testing.T) {
	for v, want := range map[level]string{0: "level(0)", 1: "low", 2: "high", 3: "level(3)", 255: "level(255)"} {
		if got := String(v, levels); got != want {
			t.Errorf("String(%d) = %q, want %q", uint8(v), got, want)
		}
	}
}

func TestText(t *testing.T) {
	for _, tt := range []struct {
		v    level
		text string
		ok   bool
	}{{0, "", false}, {1, "low", true}, {2, "high", true}, {3, "", false}} {
		text, err := MarshalText(tt.v, levels)
		if string(text) != tt.text || (err == nil) != tt.ok {
			t.Errorf("MarshalText(%d) = %q, %v, want %q", uint8(tt.v), text, err, tt.text)
		}
	}
	for text, want := range map[string]level{"low": 1, "high": 2} {
		v := level(9)
		if err := UnmarshalText(&v, levels, []byte(text)); v != want || err != nil {
			t.Errorf("UnmarshalText(%q) = %d, %v, want %d", text, uint8(v), err, uint8(want))
		}
	}
	for text, want := range map[string]string{
		"": `enum.level: "" is not one of ["" "low" "high"]`, "Low": `enum.level: "Low" is not one of ["" "low" "high"]`,
	} {
		v := level(9)
		if err := UnmarshalText(&v, levels, []byte(text)); err == nil || err.Error() != want || v != 9 {
			t.Errorf("UnmarshalText(%q) = %d, %v, want %s", text, uint8(v), err, want)
		}
	}
}
