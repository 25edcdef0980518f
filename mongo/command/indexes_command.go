package command

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/filter"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// indexCommand is an index of a createIndexes command under check.
type indexCommand struct {
	collection mongo.CollectionSpec
	index      policy.Value    // as it was sent, or as convertSeries converts it
	measured   policy.Value    // the key before convertSeries has converted it; Missing if it has not
	spec       mongo.IndexSpec // index as an IndexSpec, once it is known to be valid
	profile    behaviour.Profile
	now        policy.Instant
}

// isTTL reports whether the index is to be a TTL index.
func (x *indexCommand) isTTL() bool {
	return x.index.Field("expireAfterSeconds").Kind() != policy.Missing
}

// refuse returns a refusal whose reason ends with the specification.
func (x *indexCommand) refuse(code mongo.ErrorCode, rule policy.Rule, path, format string, args ...any) error {
	return refuseBy(code, rule, path, format+" Specification: %s", append(args, value.Shown(x.index))...)
}

func checkKind(name string, v policy.Value, k policy.Kind) error {
	if v.Kind() == k {
		return nil
	}
	return refuseBy(codes.TypeMismatch, rules.IndexFieldType, name, "The field '%s' must be a %s, but got %s", name, k, v.Kind())
}

// isNamespace reports whether a text is the collection's namespace, or any
// namespace if the collection's is not known.
func (x *indexCommand) isNamespace(text string) bool {
	if x.collection.Namespace == "" {
		return strings.Contains(text, ".")
	}
	return text == x.collection.Namespace
}

// refuseFilter turns the refusal of a partial filter into an error with the given rule.
// It returns nil if there is no refusal.
func refuseFilter(refused *filter.Refusal, rule policy.Rule) error {
	if refused == nil {
		return nil
	}
	if refused.Code == 0 {
		rule = rules.IndexUnspecified
	}
	return &mongo.SpecError{Code: mongo.ErrorCode(refused.Code), Field: refused.Place, Reason: refused.Reason, Rule: rule}
}
