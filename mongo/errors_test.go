package mongo

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
)

// TestCodes: each exported code has the number of its name.
func TestCodes(t *testing.T) {
	exported := map[ErrorCode]string{
		BadValue: "BadValue", TypeMismatch: "TypeMismatch", IndexNotFound: "IndexNotFound", CannotCreateIndex: "CannotCreateIndex",
		InvalidOptions: "InvalidOptions", InvalidNamespace: "InvalidNamespace", CommandNotSupportedOnView: "CommandNotSupportedOnView",
	}
	for code, want := range exported {
		if got := codes.Names[int32(code)]; got != want || code.Name() != want {
			t.Errorf("the name of %d is %q, and Name() = %q, want %q", int32(code), got, code.Name(), want)
		}
	}
}
