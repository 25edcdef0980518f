package cosmossql

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A kind is a class of ttl values that the rules distinguish, with an example.
type kind struct {
	where   string
	example cosmos.TTL
	own     bool // the deadline is the item's own
}

// kinds of ttl exclude one another, and each ttl is of one of them.
var kinds = []kind{
	{"NOT IS_DEFINED(c.ttl)", cosmos.TTL{}, false},
	{"IS_NUMBER(c.ttl) AND c.ttl = -1", cosmos.Never, false},
	{"IS_NUMBER(c.ttl) AND c.ttl >= 1 AND c.ttl <= 2147483647 AND FLOOR(c.ttl) = c.ttl", cosmos.TTLSeconds(1), true},
	{"IS_DEFINED(c.ttl) AND (NOT IS_NUMBER(c.ttl) OR (c.ttl != -1 AND (c.ttl < 1 OR c.ttl > 2147483647 OR FLOOR(c.ttl) != c.ttl)))", cosmos.TTLSeconds(0), false},
}

// A writer writes conditions about the time that a deadline counts from.
type writer struct {
	from    string         // the property that holds it
	path    bool           // the property is not _ts, and counts from 1 on
	now     int64          // in whole seconds since 1970
	seconds policy.Seconds // of the container's default
}

// clear is the largest distance from 1970 of a time to count from, in seconds. Up to it the
// sum with a ttl is exact in a double, and no fraction is lost.
const clear = 1 << 52

// fromInteger returns the condition for items that hold a time to count from.
func (w writer) fromInteger() string {
	where := fmt.Sprintf("IS_NUMBER(%[1]s) AND FLOOR(%[1]s) = %[1]s", w.from)
	if w.path {
		where += fmt.Sprintf(" AND %s >= 1", w.from)
	}
	return where
}

// fromNothing returns the condition for items that hold none.
func (w writer) fromNothing() string {
	where := fmt.Sprintf("NOT IS_NUMBER(%[1]s) OR FLOOR(%[1]s) != %[1]s", w.from)
	if w.path {
		where += fmt.Sprintf(" OR %s < 1", w.from)
	}
	return "(" + where + ")"
}

// unclear returns the condition for items whose start time no query can read exactly.
func (w writer) unclear() string {
	return fmt.Sprintf("IS_NUMBER(%[1]s) AND (%[1]s > %[2]d OR %[1]s < -%[2]d)", w.from, int64(clear))
}

// due returns the condition for items whose deadline has passed, by their own ttl or the
// default, and the deadline. It does no arithmetic on the property, so that an index can
// serve it.
func (w writer) due(own bool) (where, deadline string) {
	if own {
		deadline = w.from + " + c.ttl"
		return fmt.Sprintf("%s <= %d", deadline, w.now), deadline
	}
	return fmt.Sprintf("%s <= %d", w.from, w.now-int64(w.seconds)), fmt.Sprintf("%s + %d", w.from, w.seconds)
}

// propertyAt returns the expression in a query for the property at a path such
// as "/a/b".
func propertyAt(path string) string {
	if path == "" || path == "/_ts" {
		return "c._ts"
	}
	var text strings.Builder
	text.WriteString("c")
	for _, name := range strings.Split(path[1:], "/") {
		quoted, _ := json.Marshal(name) // a string always has a JSON form
		text.WriteString("[" + string(quoted) + "]")
	}
	return text.String()
}

// floorSeconds returns the second that an instant falls into.
func floorSeconds(at policy.Instant) int64 {
	n, _ := cosmos.TimestampAt(at).Seconds()
	return n
}

func and(conditions ...string) string { return strings.Join(conditions, " AND ") }

// or joins conditions, each a conjunction.
func or(conditions ...string) string {
	if len(conditions) == 1 {
		return conditions[0]
	}
	return "(" + strings.Join(conditions, ") OR (") + ")"
}
