module github.com/ttlpolicy/ttlpolicy

go 1.24.0

// The lowest versions that the tests of this module pass with: who imports it keeps its own.
require (
	github.com/google/go-cmp v0.2.0
	github.com/shopspring/decimal v1.0.0
	pgregory.net/rapid v1.1.0
)
