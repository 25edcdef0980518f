package boltttl

import (
	"math/big"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A naiveIndex is a TTL index on one top-level field, perhaps only for documents with one
// value of the field a.
type naiveIndex struct {
	field   string
	seconds int64
	a       int64 // 0 for no filter
}

// A naivePolicy is TTL indexes by their names.
type naivePolicy map[string]naiveIndex

// deadline is a small implementation of the rules that shares no code with
// package mongo. For each index it adds the seconds to each date, and returns the
// earliest of these instants that fit 64 bits.
func (p naivePolicy) deadline(doc policy.D) (deadline policy.Instant, found bool) {
	for _, x := range p {
		if a, _ := doc.Field("a").AsInt64(); x.a != 0 && a != x.a {
			continue
		}
		for _, date := range dates(doc.Field(x.field)) {
			sum := big.NewInt(x.seconds)
			sum.Mul(sum, big.NewInt(1000)).Add(sum, big.NewInt(int64(date)))
			if sum.IsInt64() && (!found || sum.Int64() < int64(deadline)) {
				deadline, found = policy.Instant(sum.Int64()), true
			}
		}
	}
	return deadline, found
}

// dates returns the date v, or the dates in the array v. If the earliest of several dates
// has no deadline, no date has one, because all have the same delay.
func dates(v policy.Value) (all []policy.Instant) {
	if date, ok := v.AsDate(); ok {
		return []policy.Instant{date}
	}
	for e := v.Elements(); e.Next(); {
		if date, ok := e.Value().AsDate(); ok {
			all = append(all, date)
		}
	}
	return all
}
