package cases

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// A Claim is what may be asked: what one system claims in its hello, or what
// several do.
type Claim struct {
	ops      []string
	features []string
	releases map[string][]string // by system, the newest first
}

// ClaimOf returns what every one of the hellos claims. The error names the one
// whose claims cannot be read.
func ClaimOf(s *conformance.Suite, hellos ...conformance.Hello) (*Claim, error) {
	c := &Claim{releases: map[string][]string{}}
	for i, h := range hellos {
		if i == 0 {
			c.ops, c.features = h.Ops, h.Features
		}
		c.ops, c.features = common(c.ops, h.Ops), common(c.features, h.Features)
		for _, system := range []string{conformance.MongoDB, conformance.CosmosNoSQL, conformance.CosmosMongo} {
			releases, err := s.Claimed(h, system)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", h.Name, err)
			}
			slices.Reverse(releases)
			if i > 0 {
				releases = common(c.releases[system], releases)
			}
			c.releases[system] = releases
		}
	}
	return c, nil
}

// common returns the members of list that others has too.
func common(list, others []string) (both []string) {
	for _, s := range list {
		if slices.Contains(others, s) {
			both = append(both, s)
		}
	}
	return both
}

// Asks reports whether an operation is claimed, of some release from the
// given one on; "" is any.
func (c *Claim) Asks(op, from string) bool {
	return slices.Contains(c.ops, op) && len(c.since(conformance.SystemOf(op), from)) > 0
}

// Knows reports whether a feature of the suite is claimed.
func (c *Claim) Knows(feature string) bool { return slices.Contains(c.features, feature) }

// Features returns the features that are claimed, those that say how much of
// an answer is compared among them.
func (c *Claim) Features() []string { return slices.Clone(c.features) }

// since returns the claimed releases from one on, the newest first.
func (c *Claim) since(system, from string) []string {
	all := c.releases[system]
	n, _ := slices.BinarySearchFunc(all, from, func(r, from string) int {
		if from == "" || !Before(r, from) {
			return -1 // it is in
		}
		return 1
	})
	return all[:n]
}

// Before reports whether one release, such as "8.0.4", is older than another.
// A newest release, which has no number, is not.
func Before(release, other string) bool {
	return release != "" && slices.Compare(numbers(release), numbers(other)) < 0
}

// numbers returns the numbers of a release, of which there are two or three.
func numbers(release string) []int {
	var n []int
	for part := range strings.SplitSeq(release, ".") {
		i, _ := strconv.Atoi(part) // the suite has read it before
		n = append(n, i)
	}
	return n
}
