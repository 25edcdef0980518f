package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

const (
	second = 1000
	hour   = 3600 * second
	day    = 24 * hour
)

// logs is a log that was to be kept for 30 days. Over the years several
// programs wrote createdAt, and not all of them wrote a Date.
var logs = part{
	name:   "logs",
	file:   "shop/logs.bson",
	docs:   2000,
	beside: []string{"shop/logs.metadata.json"},
	append: documents(log),
}

// createdAt are the ways in which createdAt was written.
var createdAt = []choice[func(at int64) any]{
	{8800, func(at int64) any { return bson.DateTime(at) }},
	{500, func(at int64) any { return iso(at) }},
	{190, func(at int64) any { return at }},
	{150, func(int64) any { return missing{} }},
	{110, func(int64) any { return nil }},
	{100, func(at int64) any { return dates(at, at+2*hour, at+26*hour) }}, // of a job and its two repetitions
	{50, func(int64) any { return bson.A{} }},
	{40, func(at int64) any { return bson.Timestamp{T: uint32(at / second), I: 1} }},
	{30, func(int64) any { return bson.DateTime(253_402_300_799_999) }},        // "keep for ever", somebody thought
	{20, func(at int64) any { return bson.D{{Key: "$date", Value: iso(at)}} }}, // Extended JSON that a script inserted as it stood
	{10, func(int64) any { return bson.DateTime(math.MaxInt64) }},              // later than any clock can be
}

var (
	services = []string{"cart", "checkout", "search", "payments", "catalogue", "mailer"}
	levels   = []choice[string]{{700, "info"}, {220, "debug"}, {60, "warn"}, {20, "error"}}
	messages = []string{
		"request served", "cache miss, asking the origin", "retrying after a timeout of the upstream",
		"order placed", "payment authorised", "connection returned to the pool",
	}
)

func log(r *random, i, n int) bson.D {
	at := logTime(r, i, n)
	return bson.D{
		{Key: "_id", Value: objectID(at, i)},
		{Key: "createdAt", Value: choose(r, createdAt)(at)},
		{Key: "service", Value: r.among(services)},
		{Key: "host", Value: fmt.Sprintf("ip-10-0-%d-%d", r.below(4), r.below(250))},
		{Key: "level", Value: choose(r, levels)},
		{Key: "message", Value: r.among(messages)},
		{Key: "status", Value: int32(200 + 100*r.below(4))},
		{Key: "millis", Value: float64(r.below(40000)) / 16},
		{Key: "trace", Value: hex(r.next()) + hex(r.next())},
		{Key: "sampled", Value: r.below(8) == 0},
	}
}

// logTime returns when line i of n was logged: within 45 days, more and more
// as the shop grew, each day more than each night.
func logTime(r *random, i, n int) int64 {
	const span = 45 * day
	share := math.Sqrt((float64(i) + 1) / float64(n))
	at := now - span + int64(share*span)
	at = at/day*day + (at%day+int64(r.below(12))*hour)/2 + 6*hour // quiet from 18:00 to 06:00
	return min(at, now-1) - int64(r.below(second))
}

// objectID returns the identifier of document i, made at an instant.
func objectID(at int64, i int) (id bson.ObjectID) {
	binary.BigEndian.PutUint64(id[:], uint64(at/second)<<32|0x5f3a91c2)
	binary.BigEndian.PutUint32(id[8:], uint32(i))
	return id
}

func iso(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z") }

// hex writes a number in 16 digits.
func hex(n uint64) string { return fmt.Sprintf("%016x", n) }
