package command

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

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

func (x *indexCommand) refuseNamespace(code mongo.ErrorCode) error {
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
