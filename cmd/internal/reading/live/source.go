package live

import (
	"context"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Source is a database that is read while it runs.
type Source interface {
	// Find returns an input with its collections, whose documents are read when the
	// input is.
	Find(ctx context.Context) (*dump.Input, error)
	// Estimate returns the database's own count of a collection's documents, without
	// reading them; -1 if it has none.
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
	// IDs, if there are any, are the identifiers of the only documents to read.
	IDs []policy.Value
	// MaxRU is the charge in request units of Azure Cosmos DB after which no more is
	// requested; 0 means no limit.
	MaxRU float64
}
