package catalog

import "github.com/ttlpolicy/ttlpolicy/policy"

// RepairedSeconds is the number with which servers replace an invalid option. It is an
// ordinary delay: with it a date of 1956 expires in 2024 (mongodb/mongo:
// src/mongo/db/ttl/ttl_test.cpp, TTLkExpireAfterSecondsForInactiveTTLIndexIsValid).
var RepairedSeconds = policy.Int32Value(int32(policy.MaxSeconds))

// Granularities are the rounding and the span, in seconds, of each granularity
// (mongodb/mongo: src/mongo/db/timeseries/timeseries_options.cpp).
var Granularities = map[string][2]int64{
	"seconds": {60, 3600}, "minutes": {3600, 86400}, "hours": {86400, 2592000},
}

// MaxBucketSeconds is the greatest custom rounding and span: 365 days.
const MaxBucketSeconds = 31536000
