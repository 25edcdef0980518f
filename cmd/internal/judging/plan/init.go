package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Init writes a policy file of the stored policies of targets. A policy that no file can
// express, such as a delay of NaN, becomes a comment.
func Init(out *cli.Printer, targets []*catalog.Target, o catalog.Options) error {
	out.Line("# What is to delete, and when. 'ttl plan' compares a database with this file; the first rule")
	out.Line("# that fits decides, and shop.* stands for all of shop.")
	out.Line("version: 1")
	if o.Release != (mongo.Version{}) {
		out.Line("server: %s", o.Release)
	}
	out.Line("rules:")
	found := false
	for _, t := range targets {
		ruled, err := writeRule(out, t, o)
		if err != nil {
			return fmt.Errorf("%s: %w", t.Title(), err)
		}
		found = found || ruled
	}
	if !found {
		return errors.New("nothing has a time to live here; a policy file needs a rule")
	}
	return out.Err()
}

// writeRule writes the rule about one target. It reports false if there is none, for it
// has no time to live that a rule can name.
func writeRule(out *cli.Printer, t *catalog.Target, o catalog.Options) (bool, error) {
	if t.IsContainer() {
		s, err := t.Container(o)
		if err != nil || s.Spec.DefaultTTL.IsMissingOrNull() {
			return false, err
		}
		out.Line("  - namespace: %s", cli.JSONText(t.Title()))
		out.Line("    defaultTtl: %s", cosmos.TTLOf(s.Spec.DefaultTTL))
		return true, nil
	}
	c, err := t.Collection(o)
	if err != nil {
		return false, err
	}
	indexes, odd := sortIndexes(c.Spec.Indexes)
	own, hasOwn := wholeSeconds(c.Spec.ExpireAfterSeconds)
	if hasOwn || len(indexes) > 0 {
		out.Line("  - namespace: %s", cli.JSONText(t.Title()))
		out.Line("    indexes:")
	}
	if hasOwn {
		writeSeconds(out, "      - ", own)
	}
	for _, x := range indexes {
		writeIndex(out, x)
	}
	for _, x := range odd {
		out.Line("    # not here: the index %s of %s with key %s and expireAfterSeconds %s; see ttl audit",
			cli.JSONText(x.Name), cli.JSONText(t.Title()), cli.JSONText(extJSON(policy.ObjectValue(x.Key))), cli.JSONText(extJSON(x.ExpireAfterSeconds)))
	}
	return hasOwn || len(indexes) > 0, nil
}

// sortIndexes returns the TTL indexes that a policy file can name, and the others. Of two
// that take in the same documents the shorter time decides, and the other goes.
func sortIndexes(all []mongo.IndexSpec) (indexes, odd []mongo.IndexSpec) {
	for _, x := range all {
		if x.ExpireAfterSeconds.IsMissing() || x.Clustered {
			continue
		}
		if !isOrdinary(x) {
			odd = append(odd, x)
			continue
		}
		i := slices.IndexFunc(indexes, func(y mongo.IndexSpec) bool { return isSameWish(indexOf(x), indexOf(y)) })
		switch {
		case i < 0:
			indexes = append(indexes, x)
		case indexOf(x).seconds < indexOf(indexes[i]).seconds:
			odd = append(odd, indexes[i])
			indexes[i] = x
		default:
			odd = append(odd, x)
		}
	}
	return indexes, odd
}

// indexOf returns x, which is ordinary, as a policy file has it.
func indexOf(x mongo.IndexSpec) index {
	n, _ := wholeSeconds(x.ExpireAfterSeconds)
	return index{policy.ObjectValue(x.Key), x.PartialFilterExpression, x.Name, n}
}

// wholeSeconds returns a stored option as a policy file has it. It reports false for one
// that a file cannot express.
func wholeSeconds(option policy.Value) (int64, bool) {
	n, ok := mongo.WholeSeconds(option)
	return n, ok && !option.IsNaN() && n >= 0 && n <= int64(policy.MaxSeconds)
}

// isOrdinary reports whether a policy file can express an index.
func isOrdinary(x mongo.IndexSpec) bool {
	_, ok := wholeSeconds(x.ExpireAfterSeconds)
	return ok && len(x.Key) == 1 && x.Key[0].Value.Kind().IsNumber() && x.Key[0].Key != "_id"
}

func writeIndex(out *cli.Printer, x mongo.IndexSpec) {
	n, _ := wholeSeconds(x.ExpireAfterSeconds)
	out.Line("      - key: %s", cli.JSONText(x.Key[0].Key))
	writeSeconds(out, "        ", n)
	if filter := x.PartialFilterExpression; !filter.IsMissing() {
		out.Line("        partialFilterExpression: %s", cli.JSONText(extJSON(filter))) // which is YAML
	}
}

// writeSeconds says how long, and as people count it.
func writeSeconds(out *cli.Printer, indent string, n int64) {
	comment := "  # " + catalog.Span(n)
	if strings.HasSuffix(comment, " s") {
		comment = ""
	}
	out.Line("%sexpireAfterSeconds: %d%s", indent, n, comment)
}

type extJSON policy.Value

// MarshalJSON returns canonical Extended JSON.
func (v extJSON) MarshalJSON() ([]byte, error) {
	return policy.AppendExtJSON(nil, policy.Value(v)), nil
}
