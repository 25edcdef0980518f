package live

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Source is a running database from which documents are read.
type Source interface {
	// Find returns an input with the collections of the database. Their documents are
	// read when the input is read.
	Find(ctx context.Context) (*dump.Input, error)
	// Estimate returns the database's own count of a collection's documents, without
	// reading them; -1 if the database has no count.
	Estimate(c *dump.Collection) int64
	// Close ends reading, and closes all that was open in the database.
	Close()
}

// Options say how to read documents. The zero Options read all, at full speed.
type Options struct {
	// PerSecond limits the documents read per second, of all collections together; 0 means
	// no limit.
	PerSecond int
	// Sample is the number of documents to read of a collection, drawn at random; 0 means
	// all.
	Sample int
	// IDs, if there are any, are the identifiers of the documents to read; no other
	// documents are read.
	IDs []policy.Value
	// MaxRU is the charge, in request units of Azure Cosmos DB, after which requests
	// stop; 0 means no limit.
	MaxRU float64
}

const (
	// maxListed is the largest size of all listings of collections and indexes, in bytes.
	// It suffices for thousands of collections.
	maxListed = 64 << 20
	// maxNames is the largest number of databases and collections in all listings.
	maxNames = 100_000
	// findTime limits the total time for listing all collections.
	findTime = 10 * time.Minute
)

// listTime limits one list of databases, collections or containers. Tests shorten it.
var listTime = commandTimeout

// Errors about lists that are too long, or that take too long.
var (
	errLongFind  = refusal(fmt.Sprintf("listing the collections takes longer than %s; name a database or a collection", findTime))
	errManyNames = refusal(fmt.Sprintf("more than %s databases and collections are listed; name one", cli.Number(maxNames)))
	errLongSize  = refusal(fmt.Sprintf("the list of collections is longer than %d MiB; name a database or a collection", maxListed>>20))
)

// withinList returns a context that ends after listTime, with an error about the list as
// its cause.
func withinList(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, listTime, refusal(fmt.Sprintf("the list has not ended in %s", listTime)))
}

// causeOf returns the cause of the context's end if a time limit ended it, and err
// otherwise.
func causeOf(ctx context.Context, err error) error {
	if d, ok := ctx.Deadline(); ok && (time.Until(d) <= 0 || errors.Is(err, context.DeadlineExceeded) && time.Until(d) < time.Second) {
		<-ctx.Done() // a connection sees the deadline a moment earlier, and the driver sends nothing just before it
	}
	if cause, ok := context.Cause(ctx).(refusal); ok && err != nil {
		return cause
	}
	return err
}
