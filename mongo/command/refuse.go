package command

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/base/private"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/catalog"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Private returns functions for the other packages of this module. No other module can
// call it, because none can import the type of its parameter.
//
// Experimental: it is no part of what this package promises.
func Private(private.Key) functions { return functions{} }

// functions judge definitions that no collection holds, for the tool and the suite. Other
// packages call them by internal/commandfunc.
type functions struct{}

// refuseBy returns the error by which the server refuses the value at a path. The path
// may begin with the command's name; rule is the reason.
func refuseBy(code int32, rule policy.Rule, path, format string, args ...any) error {
	return &mongo.SpecError{Code: code, Rule: rule, Field: fieldOf(path), Reason: fmt.Sprintf(format, args...)}
}

// unspecified returns the error for a value at a path if the release's reply to the value
// is unspecified by rule.
func unspecified(rule policy.Rule, path string) error {
	return &mongo.SpecError{Rule: rule, Field: fieldOf(path), Reason: policy.ErrUnspecified.Error()}
}

// A refusal is the error of one check, and whether it applies. Tables list refusals in
// the order of the server's checks.
type refusal struct {
	applies bool
	code    int32 // zero if the outcome is unspecified
	rule    policy.Rule
	path    string // as in refuseBy
	reason  string // empty if the outcome is unspecified
}

// firstOf returns the error of the first refusal that applies, or nil.
func firstOf(refusals ...refusal) error {
	for _, r := range refusals {
		switch {
		case r.applies && r.code == 0:
			return unspecified(r.rule, r.path)
		case r.applies:
			return &mongo.SpecError{Code: r.code, Rule: r.rule, Field: fieldOf(r.path), Reason: r.reason}
		}
	}
	return nil
}

// named sets the CodeName of a refusal, as the release of p sends it.
func named(err error, p mongo.Profile) error {
	if refused, ok := err.(*mongo.SpecError); ok && refused.Code != 0 {
		refused.CodeName = mongofunc.F.CodeName(p, refused.Code)
	}
	return err
}

// firstFailure calls checks in order, and returns the first error or nil.
func firstFailure(checks ...func() error) error {
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// fieldOf returns a path without the name of the command.
func fieldOf(path string) string {
	for _, command := range []string{"collMod.", "create."} {
		if rest, ok := strings.CutPrefix(path, command); ok {
			return rest
		}
	}
	return path
}

// Texts of the server about a TTL index that it refuses.
const (
	singleFieldReason = "TTL indexes are single-field indexes, compound indexes do not support TTL"
	negativeReason    = "TTL index 'expireAfterSeconds' option cannot be less than 0"
	largeReason       = "TTL index 'expireAfterSeconds' option must be within an acceptable range, try a lower number"
	beforeReason      = "TTL index 'expireAfterSeconds' option cannot exceed time since last epoch"
	overflowReason    = "TTL index 'expireAfterSeconds' option cannot overflow int64_t when cast as milliseconds, found %d"
)

// plainInt32 truncates f as x86 processors do: NaN, and a number that does not fit,
// become the smallest int32.
func plainInt32(f float64) int32 {
	if !(f > math.MinInt32-1 && f < math.MaxInt32+1) {
		return math.MinInt32
	}
	return int32(f)
}

// plainInt64 is plainInt32 for 64 bits.
func plainInt64(f float64) int64 {
	if !(f >= math.MinInt64 && f < math.MaxInt64) { // math.MaxInt64 as a float64 is 2^63
		return math.MinInt64
	}
	return int64(f)
}

// isIDPattern reports whether key is the pattern of an index on _id, in either
// direction.
func isIDPattern(key policy.Value) bool {
	f := key.Fields()
	if !f.Next() || valuefunc.F.CompareName(&f, "_id") != 0 {
		return false
	}
	direction := value.WholeSeconds(f.Value()) // 0 if the value is not a number
	return !f.Next() && (direction == 1 || direction == -1)
}

// isOnID reports whether an index is on _id.
func isOnID(x mongo.IndexSpec) bool { return isIDPattern(policy.ObjectValue(x.Key)) }

// isClusterKey reports whether key is the pattern of a clustered collection's own key.
func isClusterKey(key policy.Value) bool {
	return value.Equal(key, policy.ObjectValue(catalog.IDPattern))
}

// storedKey returns the key pattern that the catalog holds: a text index is
// given as {a: "text"} and stored with two special fields in the place of the
// text fields.
func storedKey(key policy.D) policy.D {
	isText := func(e policy.E) bool { return value.Text(e.Value) == "text" }
	first := slices.IndexFunc(key, isText)
	if first < 0 || key[first].Key == "_fts" {
		return key
	}
	stored := append(slices.Clone(key[:first]), policy.E{Key: "_fts", Value: policy.StringValue("text")}, policy.E{Key: "_ftsx", Value: policy.Int32Value(1)})
	return append(stored, slices.DeleteFunc(slices.Clone(key[first:]), isText)...)
}

// idIndex is the index that every ordinary collection has.
var idIndex = mongo.IndexSpec{Name: catalog.IDName, Key: catalog.IDPattern}

// isSystemName reports whether a namespace names a system collection, other than a
// collection of buckets.
func isSystemName(namespace string) bool {
	_, collection, _ := strings.Cut(namespace, ".")
	return strings.HasPrefix(collection, "system.") && !strings.HasPrefix(collection, "system.buckets.")
}
