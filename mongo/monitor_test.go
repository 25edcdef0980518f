package mongo

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestRoleDeletes(t *testing.T) {
	for role, want := range map[Role]bool{
		RoleUnknown: false, RolePrimary: true, RoleSecondary: false, RoleStandalone: true, RoleDetached: false, Role(99): false,
	} {
		if got := role.Deletes(); got != want {
			t.Errorf("Role(%d).Deletes() = %v, want %v", role, got, want)
		}
	}
}

// TestVisibleUntilRemoved: MongoDB hides nothing.
func TestVisibleUntilRemoved(t *testing.T) {
	for now, removable := range map[policy.Instant]bool{999: false, 1000: true, 1001: true} {
		d := policy.ExpireAt(1000, ruleDate, now)
		if !IsVisible(d) || IsRemovable(d) != removable {
			t.Errorf("at %d: visible %v, removable %v, want true, %v", now, IsVisible(d), IsRemovable(d), removable)
		}
	}
	if IsRemovable(policy.Decision{}) {
		t.Error("the zero Decision is removable, want it kept")
	}
}
