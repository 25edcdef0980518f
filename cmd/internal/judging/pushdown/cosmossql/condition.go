package cosmossql

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

type kind struct {
	where   string
	example cosmos.TTL
	own     bool // the item's own ttl gives the deadline
}

// kinds are the kinds of ttl. Each ttl is of exactly one kind.
var kinds = []kind{
	{"NOT IS_DEFINED(c.ttl)", cosmos.TTL{}, false},
	{"IS_NUMBER(c.ttl) AND c.ttl = -1", cosmos.TTLSeconds(-1), false},
	{"IS_NUMBER(c.ttl) AND c.ttl >= 1 AND c.ttl <= 2147483647 AND FLOOR(c.ttl) = c.ttl", cosmos.TTLSeconds(1), true},
	{"IS_DEFINED(c.ttl) AND (NOT IS_NUMBER(c.ttl) OR (c.ttl != -1 AND (c.ttl < 1 OR c.ttl > 2147483647 OR FLOOR(c.ttl) != c.ttl)))", cosmos.TTLSeconds(0), false},
}

// A writer writes conditions about the start time, from which the time to live of an item
// counts.
type writer struct {
	from    string // the expression for the property with the start time
	path    bool   // the property is not _ts, and must be at least 1
	now     int64  // the instant of the query, in whole seconds since 1970
	seconds int32  // the container's default time to live
}

// maxExact is the largest distance of a start time from 1970, in seconds, for which a query
// is exact. Up to maxExact, a double holds every whole second and the sum with a ttl.
const maxExact int64 = 1 << 52

func (w writer) fromInteger() string {
	where := fmt.Sprintf("IS_NUMBER(%[1]s) AND FLOOR(%[1]s) = %[1]s", w.from)
	if w.path {
		where += fmt.Sprintf(" AND %s >= 1", w.from)
	}
	return where
}

func (w writer) fromNothing() string {
	where := fmt.Sprintf("NOT IS_NUMBER(%[1]s) OR FLOOR(%[1]s) != %[1]s", w.from)
	if w.path {
		where += fmt.Sprintf(" OR %s < 1", w.from)
	}
	return "(" + where + ")"
}

// unclear returns the condition for items whose start time no query can read exactly.
func (w writer) unclear() string {
	return fmt.Sprintf("IS_NUMBER(%[1]s) AND (%[1]s > %[2]d OR %[1]s < -%[2]d)", w.from, maxExact)
}

// due returns the condition for items whose deadline has passed. With own, the deadline is by
// the item's ttl, otherwise by the default. The condition by the default does no arithmetic on
// the property, so that the service can use an index.
func (w writer) due(own bool) string {
	if own {
		return fmt.Sprintf("%s + c.ttl <= %d", w.from, w.now)
	}
	return fmt.Sprintf("%s <= %d", w.from, w.now-int64(w.seconds))
}

// propertyAt returns the expression of a query for the property at a path such as "/a/b".
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

// floorSeconds returns an instant in seconds since 1970, rounded down.
func floorSeconds(at policy.Instant) int64 {
	n, _ := cosmos.TimestampAt(at).Seconds()
	return n
}

func and(conditions ...string) string { return strings.Join(conditions, " AND ") }

// or joins conditions by OR. Each condition may be a conjunction.
func or(conditions ...string) string {
	if len(conditions) == 1 {
		return conditions[0]
	}
	return "(" + strings.Join(conditions, ") OR (") + ")"
}
