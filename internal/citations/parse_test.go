package citations

import "testing"

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{
		`{`, `{"sources": {"a": {"adress": "x"}}}`,
		`{"sources": {"a": {"address": "x"}, "b": {"address": "x"}}}`,
	} {
		if _, err := parse([]byte(text)); err == nil {
			t.Errorf("parse takes %s", text)
		}
	}
}
