package cli

import "testing"

func TestWords(t *testing.T) {
	tests := []struct{ got, want string }{
		{Number(0), "0"}, {Number(999), "999"}, {Number(1000), "1,000"}, {Number(-1234567), "-1,234,567"},
		{Documents(1), "1 document"}, {Documents(12031), "12,031 documents"},
		{Size(999), "999 B"}, {Size(1000), "1.0 kB"}, {Size(999_950), "1.0 MB"}, {Size(2_226_557_449), "2.2 GB"},
		{Clip("0123456789", 9), "01234567…"}, {Clip("ä123456789", 10), "ä123456789"},
		{Visible("Grüße, 👋"), "Grüße, 👋"}, {Visible("a\x1b[2J\x00\u202e\n"), `a\u{1b}[2J\u{0}\u{202e}\u{a}`},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
