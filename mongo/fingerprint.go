package mongo

import (
	"math"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Fingerprint returns what names the policy by which the index decides; see
// [policy.Fingerprint]. It is computed at each call, in some milliseconds.
func (x *Index) Fingerprint() policy.Fingerprint { return x.definition.fingerprint() }

// Fingerprint returns what names the policy by which the collection decides; see
// [policy.Fingerprint]. The order of the TTL indexes is part of it, as
// [policy.Decision.Source] is. It is computed at each call, in some milliseconds.
func (c *Collection) Fingerprint() policy.Fingerprint { return c.definition.fingerprint() }

func (d *definition) fingerprint() policy.Fingerprint {
	if d == nil {
		return policy.Fingerprint{}
	}
	release, legacyNull := d.profile.firstRelease()
	options := d.collection
	options.Indexes, options.Namespace = nil, namespaceThatCounts(options.Namespace)
	stored, _ := options.Documents()
	parts := []string{
		"mongodb", strconv.Itoa(RulesVersion), d.kind, release, strconv.FormatBool(legacyNull), strconv.Itoa(d.only), spelled(stored),
	}
	for _, x := range d.collection.Indexes {
		parts = append(parts, spelled(policy.ObjectValue(policy.D{
			{Key: "v", Value: x.Version},
			{Key: "key", Value: policy.ObjectValue(x.Key)},
			{Key: "expireAfterSeconds", Value: x.ExpireAfterSeconds},
			{Key: "partialFilterExpression", Value: x.PartialFilterExpression},
			{Key: "collation", Value: x.Collation},
			{Key: "clustered", Value: policy.BoolValue(x.Clustered)},
		})))
	}
	return engine.Fingerprint(parts...)
}

// namespaceThatCounts returns the empty text for an ordinary namespace, in which
// documents expire as in any other.
func namespaceThatCounts(namespace string) string {
	database, name, ok := strings.Cut(namespace, ".")
	if ok && kindOfDatabase(database) == ordinaryName && kindOf(database, name) == ordinaryName && !strings.HasPrefix(name, bucketsPrefix) {
		return ""
	}
	return namespace
}

// spelled returns a text for a value of a definition: one for all spellings that every
// release reads alike.
func spelled(v policy.Value) string { return string(policy.AppendExtJSON(nil, normalOf(v))) }

// normalOf returns v with each Int32 as an Int64.
func normalOf(v policy.Value) policy.Value {
	switch v.Kind() {
	case policy.Int32:
		n, _ := v.AsInt64()
		return policy.Int64Value(n)
	case policy.Object:
		d := policy.D{}
		for f := v.Fields(); f.Next(); {
			if e := f.Value(); !e.IsMissing() {
				d = append(d, policy.E{Key: f.Name(), Value: normalOf(e)})
			}
		}
		return policy.ObjectValue(d)
	case policy.List:
		a := policy.A{}
		for e := v.Elements(); e.Next(); {
			a = append(a, normalOf(e.Value()))
		}
		return policy.ListValue(a)
	}
	return v
}

// firstRelease returns the first release that decides by the profile, as text, and
// whether LegacyNullParameter is set. It is "none" for the zero Profile.
func (p Profile) firstRelease() (release string, legacyNull bool) {
	if p.brokenPaths == brokenPathsLegacyNull {
		p.brokenPaths, legacyNull = brokenPathsNull, true
	}
	if p.eitherEngine {
		p.collModStores = storesByEngine // which deletes nothing
	}
	for line := oldest; line.Compare(beyond) < 0; line = line.nextLine() {
		last := line
		last.Patch = math.MaxUint16
		end, _ := ProfileOf(last)
		for {
			here, _ := ProfileOf(line)
			if here == p {
				return line.String(), legacyNull
			}
			if here == end {
				break
			}
			line.Patch++
		}
	}
	return "none", false
}
