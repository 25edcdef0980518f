package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
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
	append: appendLog,
}

// createdAt are the ways in which createdAt was written.
var createdAt = []choice[func(dst []byte, at int64) []byte]{
	{8800, func(dst []byte, at int64) []byte { return bsoncore.AppendDateTimeElement(dst, "createdAt", at) }},
	{500, func(dst []byte, at int64) []byte { return bsoncore.AppendStringElement(dst, "createdAt", iso(at)) }},
	{190, func(dst []byte, at int64) []byte { return bsoncore.AppendInt64Element(dst, "createdAt", at) }},
	{150, func(dst []byte, at int64) []byte { return dst }}, // left out
	{110, func(dst []byte, at int64) []byte { return bsoncore.AppendNullElement(dst, "createdAt") }},
	{100, appendAttempts},
	{50, func(dst []byte, at int64) []byte { return appendDates(dst, "createdAt") }},
	{40, func(dst []byte, at int64) []byte {
		return bsoncore.AppendTimestampElement(dst, "createdAt", uint32(at/second), 1)
	}},
	{30, func(dst []byte, at int64) []byte { // "keep for ever", somebody thought
		return bsoncore.AppendDateTimeElement(dst, "createdAt", 253_402_300_799_999)
	}},
	{20, appendUnreadDate},
	{10, func(dst []byte, at int64) []byte { // later than any clock can be
		return bsoncore.AppendDateTimeElement(dst, "createdAt", math.MaxInt64)
	}},
}

// appendAttempts appends the dates of a job and of its two repetitions.
func appendAttempts(dst []byte, at int64) []byte {
	return appendDates(dst, "createdAt", at, at+2*hour, at+26*hour)
}

// appendUnreadDate appends Extended JSON that a script inserted as it stood.
func appendUnreadDate(dst []byte, at int64) []byte {
	start, dst := bsoncore.AppendDocumentElementStart(dst, "createdAt")
	dst = bsoncore.AppendStringElement(dst, "$date", iso(at))
	return end(dst, start)
}

var (
	services = []string{"cart", "checkout", "search", "payments", "catalogue", "mailer"}
	levels   = []choice[string]{{700, "info"}, {220, "debug"}, {60, "warn"}, {20, "error"}}
	messages = []string{
		"request served", "cache miss, asking the origin", "retrying after a timeout of the upstream",
		"order placed", "payment authorised", "connection returned to the pool",
	}
)

func appendLog(dst []byte, r *random, i, n int) []byte {
	at := logTime(r, i, n)
	start, dst := bsoncore.AppendDocumentStart(dst)
	dst = bsoncore.AppendObjectIDElement(dst, "_id", objectID(at, i))
	dst = choose(r, createdAt)(dst, at)
	dst = bsoncore.AppendStringElement(dst, "service", r.among(services))
	dst = bsoncore.AppendStringElement(dst, "host", fmt.Sprintf("ip-10-0-%d-%d", r.below(4), r.below(250)))
	dst = bsoncore.AppendStringElement(dst, "level", choose(r, levels))
	dst = bsoncore.AppendStringElement(dst, "message", r.among(messages))
	dst = bsoncore.AppendInt32Element(dst, "status", int32(200+100*r.below(4)))
	dst = bsoncore.AppendDoubleElement(dst, "millis", float64(r.below(40000))/16)
	dst = bsoncore.AppendStringElement(dst, "trace", hex(r.next())+hex(r.next()))
	dst = bsoncore.AppendBooleanElement(dst, "sampled", r.below(8) == 0)
	return end(dst, start)
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
func objectID(at int64, i int) (id [12]byte) {
	binary.BigEndian.PutUint64(id[:], uint64(at/second)<<32|0x5f3a91c2)
	binary.BigEndian.PutUint32(id[8:], uint32(i))
	return id
}

// appendDates appends an array of dates.
func appendDates(dst []byte, key string, dates ...int64) []byte {
	start, dst := bsoncore.AppendArrayElementStart(dst, key)
	for i, d := range dates {
		dst = bsoncore.AppendDateTimeElement(dst, string(rune('0'+i)), d)
	}
	return end(dst, start)
}

// end ends the document or array that began at start.
func end(dst []byte, start int32) []byte {
	dst = append(dst, 0)
	binary.LittleEndian.PutUint32(dst[start:], uint32(len(dst)-int(start)))
	return dst
}

func iso(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z") }

func hex(n uint64) string {
	const digits = "0123456789abcdef"
	var b [16]byte
	for i := range b {
		b[i] = digits[n>>(60-4*i)&15]
	}
	return string(b[:])
}
