package cases

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/answers"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Claim says which questions may be asked: those that one system claims in
// its hello, or that several systems claim.
type Claim struct {
	ops      []string
	features []string
	releases map[string][]string // releases by system, the newest first
}

// ClaimOf returns the claims that all the hellos share. The error names the
// hello whose claims cannot be read.
func ClaimOf(s *suite.Suite, hellos ...conformance.Hello) (*Claim, error) {
	c := &Claim{releases: map[string][]string{}}
	for i, h := range hellos {
		if i == 0 {
			c.ops, c.features = h.Ops, h.Features
		}
		c.ops, c.features = common(c.ops, h.Ops), common(c.features, h.Features)
		for _, system := range suite.Systems {
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

// common returns the elements of list that are in the list others too.
func common(list, others []string) (both []string) {
	for _, s := range list {
		if slices.Contains(others, s) {
			both = append(both, s)
		}
	}
	return both
}

// Asks reports whether an operation is claimed for some release from the given one on; ""
// stands for the first release. A history needs a feature too.
func (c *Claim) Asks(op, from string) bool {
	if strings.HasSuffix(op, ".history") && !c.Knows("history") {
		return false
	}
	return slices.Contains(c.ops, op) && len(c.since(conformance.SystemOf(op), from)) > 0
}

// Knows reports whether a feature of the suite is claimed.
func (c *Claim) Knows(feature string) bool { return slices.Contains(c.features, feature) }

// Features returns the claimed features, including those that say how much of
// an answer is compared.
func (c *Claim) Features() []string { return slices.Clone(c.features) }

// since returns the claimed releases from the given one on, the newest first.
func (c *Claim) since(system, from string) []string {
	all := c.releases[system]
	n, _ := slices.BinarySearchFunc(all, from, func(r, from string) int {
		if from == "" || !Before(r, from) {
			return -1 // r counts: search among the older releases
		}
		return 1
	})
	return all[:n]
}

// Before reports whether one release, such as "8.0.4", is older than another. A release
// without a number stands for the newest, and is never older.
func Before(release, other string) bool {
	this, err := mongo.ParseVersion(release)
	that, _ := mongo.ParseVersion(other)
	return err == nil && this.Compare(that) < 0
}

// Needs returns the features of the suite that the shape of the question shows to be
// necessary, sorted. Only a system that knows these features can be asked the question.
func (c Case) Needs() []string {
	n := needs{}
	if now := c.At("now"); !now.IsMissing() && !(&Claim{}).AsksAt(c.Now()) {
		n.add("unusual-clock")
	}
	for _, name := range []string{"document", "indexes", "existing", "index", "command"} {
		n.values(c.At(name))
	}
	if !c.At("steps").IsMissing() {
		n.add("history")
	}
	n.indexes(c)
	n.precondition(c)
	n.collection(c.At("collection"))
	n.collection(c.At("command"))
	if !c.At("container", "ttlPropertyPath").IsMissing() {
		n.add("ttl-property-path")
	}
	if len(c.Target.Capabilities) > 0 {
		n.add("custom-path")
	}
	if len(c.Target.Parameters) > 0 {
		n.add("parameters")
	}
	slices.Sort(n)
	return slices.Compact(n)
}

// needs collects features.
type needs []string

func (n *needs) add(feature string) { *n = append(*n, feature) }

// values adds the features that the types of values need, and those that dates far from
// today need.
func (n *needs) values(v policy.Value) {
	switch v.Kind() {
	case policy.Object:
		for _, e := range policy.DOf(v) {
			n.values(e.Value)
		}
	case policy.List:
		for _, e := range policy.AOf(v) {
			n.values(e)
		}
	case policy.Date:
		if i, _ := v.AsDate(); i <= yearOne || i > endOf9999 {
			n.add("far-dates")
		}
	case policy.Decimal:
		n.add("decimal128")
	case policy.Missing, policy.Null, policy.Bool, policy.String, policy.Int32, policy.Int64, policy.Double:
	default:
		n.add("bson-types")
	}
}

// indexes adds the needs of definitions of indexes, and counts the sources of
// expiry.
func (n *needs) indexes(c Case) {
	sources := map[string]bool{}
	if !c.At("collection", "expireAfterSeconds").IsMissing() {
		sources["collection"] = true
	}
	for _, index := range slices.Concat(policy.AOf(c.At("indexes")), policy.AOf(c.At("existing")), policy.A{c.At("index")}) {
		if !index.Field("expireAfterSeconds").IsMissing() {
			sources[index.Field("key").String()] = true
		}
		n.index(index)
	}
	if len(sources) > 1 {
		n.add("several-indexes")
	}
}

func (n *needs) index(index policy.Value) {
	if filter := index.Field("partialFilterExpression"); !filter.IsMissing() {
		n.add("partial-index")
		n.filter(filter)
	}
	if !index.Field("collation").IsMissing() {
		n.add("collation")
	}
	if v, ok := mongofunc.WholeSeconds(index.Field("v")); ok && v == 0 {
		n.add("index-v0")
	}
	for _, e := range policy.DOf(index.Field("key")) {
		n.key(e)
	}
}

// filter adds the needs of the paths of a filter.
func (n *needs) filter(v policy.Value) {
	for _, e := range policy.DOf(v) {
		if strings.Contains(e.Key, ".") {
			n.add("dotted-path")
		}
		for _, clause := range policy.AOf(e.Value) {
			n.filter(clause)
		}
	}
}

// precondition adds the needs of definitions that the release would not create.
func (n *needs) precondition(c Case) {
	if answers.CheckPrecondition(c.Question()) == nil {
		return
	}
	flagged, _ := c.At("collection", "requiresExtendedRangeSupport").AsBool()
	if flagged || !c.At("collection", "viewOn").IsMissing() || c.Target.System != conformance.MongoDB {
		n.add("state")
		return
	}
	n.add("stale-catalog")
}

func (n *needs) key(e policy.E) {
	parts := Path(strings.Split(e.Key, "."))
	if len(parts) > 1 {
		n.add("dotted-path")
	}
	if parts.hasNumber() {
		n.add("array-position")
	}
	if _, special := e.Value.AsString(); special || strings.Contains(e.Key, "$**") {
		n.add("special-index")
	}
}

// collection adds the needs of options of a collection.
func (n *needs) collection(v policy.Value) {
	for field, feature := range map[string]string{"timeseries": "timeseries", "clusteredIndex": "clustered", "capped": "capped", "ns": "ns", "viewOn": "views"} {
		if !v.Field(field).IsMissing() {
			n.add(feature)
		}
	}
}
