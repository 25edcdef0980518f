// Package policyflags reads a TTL policy, and the instant to judge by, from the
// flags that several commands share.
package policyflags
