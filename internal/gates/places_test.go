package gates

import (
	"os/exec"
	"testing"
)

// TestPlacesOfRules: .ci/rules finds no identifier of a rule in more files than allowed.
func TestPlacesOfRules(t *testing.T) {
	out, err := exec.Command("bash", ".ci/rules").CombinedOutput()
	if err != nil {
		t.Errorf(".ci/rules: %v\n%s", err, out)
	}
}
