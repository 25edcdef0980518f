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

// TestRunsInRoot: the other tests find the files of the checkout. It also tells go test the
// folder of these files, so that go test runs the tests again after a change of the files.
// go test records no change of folder before the tests begin, and it runs this test first,
// because this file is the first by name. With -run this test may be left out; then -count=1
// makes sure. go test does not look up results with -shuffle or -count at all.
func TestRunsInRoot(t *testing.T) {
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chdir(root); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(folder + "a_main_test.go"); err != nil {
		t.Errorf("the tests run in %s, want the root of the checkout: %v", root, err)
	}
}
