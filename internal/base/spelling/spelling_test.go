package spelling

import (
	"strings"
	"testing"
)

func TestDistance(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"ab", "ba", 2}} {
		if got := Distance(tc.a, tc.b); got != tc.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", tc.a, tc.b, got, tc.want)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"key", "name", "expireAfterSeconds", "partialFilterExpression", "sparse", "hidden"}
	for name, want := range map[string]string{
		"partialFilterExpresion": "partialFilterExpression", "partialFilter": "partialFilterExpression", "expire_after_seconds": "expireAfterSeconds",
		"ExpireAfterSeconds": "expireAfterSeconds", "expireAfter": "expireAfterSeconds", "keys": "key", "spares": "sparse", "hiden": "hidden",
		"": "", "x": "", "expire": "expireAfterSeconds", "filter": "", "ttl": "", "options": "",
		strings.Repeat("expireAfterSeconds", 1000): "",
	} {
		if got := Nearest(name, known); got != want {
			t.Errorf("Nearest(%.40q) = %q, want %q", name, got, want)
		}
	}
}
