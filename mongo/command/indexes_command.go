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
func (x *indexCommand) refuse(code int32, rule policy.Rule, path, format string, args ...any) error {
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
	return &mongo.SpecError{Code: refused.Code, Field: refused.Place, Reason: refused.Reason, Rule: rule}
}

// checkOwnNamespace refuses an index in a collection of the server's own. The server asks
// userAllowedWriteNS before it reads the specification, as the monitor of 3.2 and later
// does before it deletes, so that the list of namespaces is the same (mongodb/mongo:
// src/mongo/db/commands/create_indexes.cpp, src/mongo/db/ops/insert.cpp).
func (x *indexCommand) checkOwnNamespace() error {
	database, name, ok := strings.Cut(x.collection.Namespace, ".")
	if !ok || x.profile.ByQuery || isOplog(x.collection.Namespace) {
		return nil
	}
	inside := !strings.HasPrefix(name, "system.") && strings.Contains(name, ".system.") && !strings.Contains(name, "$")
	switch use := x.profile.UseOf(database, name); {
	case name == "system.profile", use == behaviour.Refused && !inside:
		return x.refuseNamespace(codes.InvalidNamespace)
	case use == behaviour.Refused:
		return x.refuseNamespace(codes.BadValue)
	case use == behaviour.AcceptanceUnspecified, x.isOfTransactions() && x.profile.TransactionIndexes == behaviour.AcceptanceUnspecified:
		return unspecified(rules.IndexUnspecified, "collection.ns")
	case x.isOfTransactions() && x.profile.TransactionIndexes == behaviour.Refused:
		return refuseBy(codes.IllegalOperation, rules.IndexNamespace, "collection.ns", "not allowed to create index on config.transactions")
	}
	return nil
}

func (x *indexCommand) refuseNamespace(code int32) error {
	return refuseBy(code, rules.IndexNamespace, "collection.ns", "cannot write to '%s'", x.collection.Namespace)
}

func isOplog(namespace string) bool { return namespace == "local.oplog.rs" }

func (x *indexCommand) isOfTransactions() bool {
	return x.collection.Namespace == "config.transactions"
}

// checkOplog refuses an index of the oplog. The catalog does so after the checks of the
// specification; since 5.0 the server does so before them if replication is enabled.
func (x *indexCommand) checkOplog() error {
	if !isOplog(x.collection.Namespace) || x.profile.Specs == behaviour.SpecsInserted {
		return nil
	}
	if x.profile.TimeSeries {
		return unspecified(rules.IndexUnspecified, "collection.ns")
	}
	return refuseBy(codes.CannotCreateIndex, rules.IndexNamespace, "collection.ns", "cannot have an index on the oplog")
}
