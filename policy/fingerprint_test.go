package policy

import (
	"encoding/json"
	"testing"
)

func TestFingerprintText(t *testing.T) {
	want := Fingerprint{0: 1, 15: 0xff}
	text, err := json.Marshal(map[Fingerprint]Fingerprint{want: want})
	var again map[Fingerprint]Fingerprint
	if failed := json.Unmarshal(text, &again); string(text) != `{"010000000000000000000000000000ff":"010000000000000000000000000000ff"}` || err != nil || failed != nil || again[want] != want {
		t.Errorf("%s is written as %s (%v) and read as %v (%v)", want, text, err, again, failed)
	}
	for _, text := range []string{"", "01", want.String() + "00", want.String()[1:], want.String() + "0", "g10000000000000000000000000000ff"} {
		f := want
		if err := f.UnmarshalText([]byte(text)); err == nil || f != want {
			t.Errorf("%q is read as %s, %v", text, f, err)
		}
	}
}
