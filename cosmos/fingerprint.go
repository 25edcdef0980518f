package cosmos

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Fingerprint returns the [policy.Fingerprint] of the container. Each call
// computes it anew.
func (c *Container) Fingerprint() policy.Fingerprint {
	if c == nil || c.row == nil {
		return policy.Fingerprint{}
	}
	return fingerprint("container", c.defaultTTL.spelled(), strconv.FormatBool(c.path != nil), strings.Join(c.path, "/"))
}

// Fingerprint returns the [policy.Fingerprint] of the collection. Each call
// computes it anew.
func (c *Collection) Fingerprint() policy.Fingerprint {
	if c == nil || !c.active && c.idle.IsZero() {
		return policy.Fingerprint{}
	}
	return fingerprint("collection", strconv.FormatBool(c.active), c.idle.String(), c.seconds.spelled(), strconv.FormatBool(c.noTTL),
		strconv.FormatBool(c.path != nil), strings.Join(c.path, "\x00"), strconv.Itoa(int(c.delay)))
}

func fingerprint(parts ...string) policy.Fingerprint {
	return engine.Fingerprint(append([]string{"cosmos", strconv.Itoa(RulesVersion)}, parts...)...)
}

// spelled returns a text for t. Values that the rules do not distinguish have the same
// text.
func (t TTL) spelled() string { return fmt.Sprintf("%d:%d", t.class, t.seconds) }
