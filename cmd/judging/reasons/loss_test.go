package reasons

import (
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestDeletes(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{DeletesDated("document", "at", false, 3600), "This deletes every document whose at is more than 1 h ago, as soon as it runs."},
		{DeletesDated("document", "at", true, 0), "This deletes every document that the filter takes in and whose at is past, as soon as it runs."},
		{DeletesConverted("at", false, 3600, AsZonedText), "This deletes every document whose at is a string with a zone and stands for a time more than 1 h ago, as soon as it runs."},
		{DeletesConverted("at", true, 0, AsText, AsMillis), "This deletes every document that the filter takes in and whose at is a string or a number of milliseconds, and stands for a time in the past, as soon as it runs."},
		{DeletesDated("copy", "a.b", false, 1000), "This deletes every copy whose a.b is more than 1000 s ago, as soon as it runs."},
		{DeletesEnded(false, 0), "This deletes every bucket whose span ended more than 0 s ago, as soon as it runs."},
		{DeletesEnded(true, 86400), "This deletes every bucket that the filter takes in and whose span ended more than 1 d ago, as soon as it runs."},
		{DeletesWritten("item", cosmos.TTLSeconds(-1)), "This deletes every item that was last written more than its own ttl seconds ago, as soon as it runs."},
		{DeletesWritten("document", cosmos.TTLOf(policy.Int32Value(60))), "This deletes every document that was last written more than its own ttl seconds ago, and every one without a ttl that was last written more than 1 min ago, as soon as it runs."},
		{DeletesNothing("the write starts the time anew"), "Nothing goes at once: the write starts the time anew."},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
		if got, want := IsLoss(tt.got), strings.HasPrefix(tt.want, "This deletes every "); got != want {
			t.Errorf("IsLoss(%q) = %t, want %t", tt.got, got, want)
		}
	}
}
