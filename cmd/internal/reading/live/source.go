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
	// Estimate returns how many documents a collection has, by the database's own count,
	// which needs no reading; -1 if it does not say.
	Estimate(c *dump.Collection) int64
	// Close ends reading, and leaves nothing open in the database.
	Close()
}

// Options are how documents are read. The zero Options read all, as fast as they come.
type Options struct {
	// PerSecond is how many documents are read a second, of all collections together;
	// 0 for no limit.
	PerSecond int
	// Sample is how many documents of a collection are read, drawn at random; 0 for all.
	Sample int
	// IDs, if there are any, are the identifiers of the documents that are read.
	IDs []policy.Value
	// MaxRU is how many request units of Azure Cosmos DB may be charged before nothing
	// more is asked; 0 for no limit.
	MaxRU float64
}
