package gates

import (
	"fmt"
	"os"
	"testing"
)

// folder is the folder of these tests in the checkout.
const folder = "internal/gates/"

// TestMain runs the tests in the root of the checkout. The tests name files relative to
// it.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
