package mongo

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
)

// TestCodes: each code has the number of its name.
func TestCodes(t *testing.T) {
	named := map[int32]string{
		codes.BadValue: "BadValue", codes.TypeMismatch: "TypeMismatch", codes.IndexNotFound: "IndexNotFound", codes.CannotCreateIndex: "CannotCreateIndex",
		codes.InvalidOptions: "InvalidOptions", codes.InvalidNamespace: "InvalidNamespace", codes.CommandNotSupportedOnView: "CommandNotSupportedOnView",
	}
	for code, want := range named {
		if got := codes.Name(int32(code)); got != want {
			t.Errorf("the name of %d is %q, want %q", int32(code), got, want)
		}
	}
}
