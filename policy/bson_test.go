package policy

import "testing"

func TestParseBSONRefusesTruncation(t *testing.T) {
	doc := []byte("\x16\x00\x00\x00\x02hello\x00\x06\x00\x00\x00world\x00\x00")
	if _, err := ParseBSON(doc); err != nil {
		t.Fatal(err)
	}
	for n := range doc {
		if _, err := ParseBSON(doc[:n]); err == nil {
			t.Errorf("ParseBSON accepts the first %d bytes of %d", n, len(doc))
		}
	}
}
