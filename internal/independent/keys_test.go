package independent

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The second model of index keys. Its sources are btree_key_generator.cpp and
// its unit test (mongodb/mongo: src/mongo/db/index; since 2.6 the keys have not
// changed), and for the deadline ttl.cpp and ttl_monitor.cpp
// (mongodb/mongo: src/mongo/db/ttl; branches v3.0 and v3.2: src/mongo/db).

// errAmbiguous is the server's error 16746: the document cannot be indexed.
var errAmbiguous = errors.New("a position is also a field name")

// A choice is the array element that a component of the path names, with the value that
// the rest of the path reaches from there, and the part of the path that is left.
type choice struct {
	element *node
	end     *node
	rest    []string
}

// indexKeys returns the keys of an index on path for an object with these fields. If the
// object is an element of an array, inArray is the choice in this array, if there is one.
// An object without the field path[0] has the keys of the choice, or the key null if
// inArray is nil.
func indexKeys(fields []member, path []string, inArray *choice) ([]*node, error) {
	if own := named(fields, path[0]); own != nil {
		if inArray != nil {
			return nil, errAmbiguous
		}
		end, rest := follow(own, path[1:])
		return expand(end, rest, true)
	}
	if inArray != nil {
		return expand(inArray.end, inArray.rest, inArray.element.typ != tArray)
	}
	return []*node{bare(tNull)}, nil
}

// follow goes from v along path through objects. It stops at an array or at the end of
// the path, and returns the value there with the rest of the path. It returns nil if
// there is no value.
func follow(v *node, path []string) (*node, []string) {
	for len(path) > 0 && v != nil && v.typ == tObject {
		v, path = named(v.fields, path[0]), path[1:]
	}
	if v != nil && v.typ != tArray && len(path) > 0 {
		return nil, nil
	}
	return v, path
}

// expand returns the keys for end, the value at which follow stopped with rest. If apart
// is true, an array at the end of the path gives a key for each element.
func expand(end *node, rest []string, apart bool) ([]*node, error) {
	switch {
	case end == nil:
		return []*node{bare(tNull)}, nil
	case end.typ != tArray:
		return []*node{end}, nil
	case len(end.fields) == 0 && len(rest) == 0:
		return []*node{bare(tUndefined)}, nil
	case len(end.fields) == 0:
		return []*node{bare(tNull)}, nil
	case len(rest) == 0 && !apart:
		return []*node{end}, nil
	}
	var keys []*node
	if len(rest) == 0 {
		for _, e := range end.fields {
			keys = append(keys, e.value)
		}
		return keys, nil
	}
	var here *choice
	if e := named(end.fields, rest[0]); e != nil {
		here = &choice{element: e}
		here.end, here.rest = follow(e, rest[1:])
	}
	for _, e := range end.fields {
		var within []member
		if e.value.typ == tObject {
			within = e.value.fields
		}
		more, err := indexKeys(within, rest, here)
		if err != nil {
			return nil, err
		}
		keys = append(keys, more...)
	}
	return keys, nil
}

// A keyRelease holds the behaviour of a release with keys and delays.
type keyRelease struct {
	name string
	// strict: the monitor's query is "less than", so that the deadline comes a
	// millisecond later (v3.0 ttl.cpp).
	strict bool
	// anyDelay: seconds below 0 and above 2147483647 are used as they are (v3.2 ttl.cpp).
	// Later releases skip an index with such seconds (ttl_monitor.cpp).
	anyDelay bool
	// decimals tells whether the release knows decimal128.
	decimals bool
	// wraps means that milliseconds are an unchecked product of 64 bits, and that a double
	// beyond 64 bits becomes the smallest int64 (v2.2 to v3.2 ttl.cpp, on x86-64).
	wraps bool
	// timestamps: timestamps are compared with dates, as unsigned numbers (v2.2 to v2.6
	// bson-inl.h). A scan compares a cutoff before 1970 differently.
	timestamps bool
}

var keyReleases = []keyRelease{
	{name: "2.6.12", strict: true, anyDelay: true, wraps: true, timestamps: true},
	{name: "3.0.15", strict: true, anyDelay: true, wraps: true},
	{name: "3.2.22", anyDelay: true, wraps: true},
	{name: "7.0.14", decimals: true},
	{name: fixture.Latest, decimals: true},
}

// delay returns the milliseconds to which the monitor converts option.
func (r keyRelease) delay(option *node) (ms int64, ok bool) {
	var seconds int64
	switch option.typ {
	case tInt32, tInt64:
		seconds = option.whole
	case tDouble:
		switch {
		case !(math.Abs(option.double) < 1<<63): // this case includes NaN
			if !r.wraps {
				return 0, false
			}
			seconds = math.MinInt64
		default:
			seconds = int64(option.double)
		}
	case tDecimal:
		seconds = halfEven(option.dec)
	default:
		return 0, false
	}
	return int64(uint64(seconds) * 1000), r.anyDelay || 0 <= seconds && seconds <= math.MaxInt32
}

// instant returns the milliseconds that the monitor compares for a key.
func (r keyRelease) instant(key *node, delay int64) (ms int64, ok bool) {
	switch {
	case key.typ == tDate:
		return key.whole, true
	case key.typ != tTimestamp || !r.timestamps || delay > 1_325_376_000_000: // 42 years, the time from 1970 to 2012-01-01: a longer delay leaves no relevant cutoff
		return 0, false
	case key.whole < 0: // as an unsigned number it is beyond every date
		return math.MaxInt64, true
	}
	return key.whole, true
}

// halfEven rounds a small decimal to a whole number.
func halfEven(d decimal) int64 {
	digits, unit := int64(d.digits), int64(1)
	for i := d.exponent; i < 0; i++ {
		unit *= 10
	}
	n, rest := digits/unit, 2*(digits%unit)
	if rest > unit || rest == unit && n%2 == 1 {
		n++
	}
	if d.negative {
		return -n
	}
	return n
}

// deadline returns the first instant at which one of the keys is expired. It reports
// false if there is no such 64-bit instant.
func (r keyRelease) deadline(keys []*node, option *node) (policy.Instant, bool) {
	delay, ok := r.delay(option)
	if !ok {
		return 0, false
	}
	var first *big.Int
	for _, key := range keys {
		ms, ok := r.instant(key, delay)
		if !ok {
			continue
		}
		at := new(big.Int).Add(big.NewInt(delay), big.NewInt(ms))
		if r.strict {
			at.Add(at, big.NewInt(1))
		}
		if first == nil || at.Cmp(first) < 0 {
			first = at
		}
	}
	switch {
	case first == nil || first.Cmp(big.NewInt(math.MaxInt64)) > 0:
		return 0, false
	case !first.IsInt64():
		return policy.MinInstant, true
	}
	return policy.Instant(first.Int64()), true
}

// A keyCase is a path, an option and documents made for them.
type keyCase struct {
	dice
	release keyRelease
	path    []string
	option  *node
	index   *mongo.Collection
}

func newKeyCase(t testing.TB, d dice, r keyRelease, profile mongo.Profile) *keyCase {
	t.Helper()
	c := &keyCase{dice: d, release: r}
	for range fuzzing.Pick(d.Random, 1, 1, 2, 2, 2, 3, 3, 4) {
		c.path = append(c.path, fuzzing.Pick(d.Random, "a", "a", "b", "b", "c", "0", "0", "1", "2"))
	}
	c.option = c.drawOption()
	spec := mongo.IndexSpec{
		Name:               "ttl",
		Key:                policy.D{{Key: strings.Join(c.path, "."), Value: policy.Int32Value(fuzzing.Pick(d.Random, int32(1), -1))}},
		ExpireAfterSeconds: c.option.value(),
		Sparse:             d.Percent(20),
	}
	index, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{spec}}, profile)
	if err != nil {
		t.Fatalf("Compile(%v, %s): %v", spec, r.name, err)
	}
	c.index = index
	return c
}

func (c *keyCase) drawOption() *node {
	if c.Percent(60) {
		return int32Of(fuzzing.Pick[int64](c.Random, 0, 1, 60, 3600, 86400, math.MaxInt32))
	}
	options := []*node{
		int64Of(3600), int64Of(math.MaxInt32), int64Of(math.MaxInt32 + 1), int32Of(-1), int64Of(-3600),
		doubleOf(4.5), doubleOf(0.999), doubleOf(-0.9), doubleOf(-1), doubleOf(2147483647.5), doubleOf(2147483648),
		stringOf("3600"), boolOf(true), bare(tNull),
	}
	if c.release.decimals {
		options = append(options, doubleOf(math.NaN()), doubleOf(1e300),
			decimalOf(false, 5, -1), decimalOf(false, 15, -1), decimalOf(false, 505, -1), decimalOf(true, 5, -1),
			decimalOf(true, 9, -1), decimalOf(false, 21474836475, -1))
	}
	if c.release.wraps { // the delays become 0, 0, 0, -1000, 0, 384 and -616 ms
		options = append(options, doubleOf(math.NaN()), doubleOf(1e300), doubleOf(math.Inf(-1)),
			int64Of(math.MaxInt64), int64Of(math.MinInt64), int64Of(18446744073709552), int64Of(18446744073709551))
	}
	return fuzzing.Pick(c.Random, options...)
}

// drawDocument returns a document in which the path mostly leads to a value.
func (c *keyCase) drawDocument() *node {
	doc := c.scattered(c.drawEnd, member{c.path[0], c.drawAlong(c.path[1:])})
	if c.Percent(4) {
		doc = object()
	}
	return doc
}

// drawAlong returns a value in which rest leads to a value.
func (c *keyCase) drawAlong(rest []string) *node {
	if len(rest) == 0 {
		return c.drawEnd()
	}
	switch n := c.IntN(100); {
	case n < 45:
		return c.drawStep(rest)
	case n < 90:
		return c.drawArray(rest)
	}
	return c.drawEnd()
}

// drawStep returns an object with the next field of the path.
func (c *keyCase) drawStep(rest []string) *node {
	if c.Percent(8) {
		return c.scattered(c.drawEnd)
	}
	return c.scattered(c.drawEnd, member{rest[0], c.drawAlong(rest[1:])})
}

// drawArray returns an array through which rest leads by a name or a position.
func (c *keyCase) drawArray(rest []string) *node {
	var elements []*node
	if position, err := strconv.Atoi(rest[0]); err == nil && c.Percent(50) {
		for range position {
			elements = append(elements, c.drawEnd())
		}
		return c.numbered(append(elements, c.drawAlong(rest[1:])), rest...)
	}
	for range fuzzing.Pick(c.Random, 0, 1, 1, 2, 2, 3, 4) {
		switch n := c.IntN(100); {
		case n < 45:
			elements = append(elements, c.drawStep(rest))
		case n < 75:
			elements = append(elements, c.drawAlong(rest[1:]))
		case n < 85:
			elements = append(elements, c.drawAlong(rest))
		default:
			elements = append(elements, c.drawEnd())
		}
	}
	return c.numbered(elements, rest...)
}

// drawEnd returns a value for the end of a path.
func (c *keyCase) drawEnd() *node {
	switch n := c.IntN(100); {
	case n < 50:
		return c.drawDate()
	case n < 70:
		var elements []*node
		for range fuzzing.Pick(c.Random, 0, 1, 1, 2, 3) {
			elements = append(elements, c.drawEnd())
		}
		return c.numbered(elements)
	}
	if c.Percent(15) {
		return object(member{fuzzing.Pick(c.Random, c.path...), c.drawDate()})
	}
	return fuzzing.Pick(c.Random, bare(tNull), bare(tUndefined), boolOf(true), int32Of(1), int64Of(1_600_000_000_000), doubleOf(1.6e12),
		stringOf("2020-01-01T00:00:00Z"), &node{typ: tTimestamp, whole: 1_600_000_000 << 32}, &node{typ: tTimestamp, whole: 100<<32 + 1}, &node{typ: tTimestamp, whole: -1}, &node{typ: tObjectID, text: "0123456789ab"},
		bare(tMinKey), bare(tMaxKey), &node{typ: tRegex, text: "x"}, &node{typ: tBinary, text: "\x00"}, object())
}

func (c *keyCase) drawDate() *node {
	if c.Percent(85) {
		return date(1_600_000_000_000 + c.Int64N(100_000_000_000) - 50_000_000_000)
	}
	last := int64(math.MaxInt64)
	if delay, ok := c.release.delay(c.option); ok && delay > 0 {
		last -= delay
	}
	return date(fuzzing.Pick(c.Random, math.MinInt64, math.MinInt64+1, -1, 0, 1, last-1, last, last+fuzzing.Pick[int64](c.Random, 0, 1)*(math.MaxInt64-last), math.MaxInt64))
}

// drawNow returns a clock, mostly near the deadline.
func (c *keyCase) drawNow(deadline policy.Instant, ok bool) policy.Instant {
	if ok && c.Percent(70) {
		now := deadline + fuzzing.Pick[policy.Instant](c.Random, -1, 0, 0, 1, -1000, 1000)
		if (now < deadline) == (now-deadline < 0) { // no overflow
			return now
		}
	}
	return fuzzing.Pick[policy.Instant](c.Random, policy.MinInstant, 0, 1_600_000_000_000, 1_700_000_000_000, policy.MaxInstant)
}

// TestKeys compares the evaluator with the model of index keys.
func TestKeys(t *testing.T) {
	for i, release := range keyReleases {
		t.Run(release.name, func(t *testing.T) {
			profile := profileOf(t, release.name)
			d, hits, total := newDice(uint64(i)), tally{}, documents()
			var c *keyCase
			for n := range total {
				if n%20 == 0 {
					c = newKeyCase(t, d, release, profile)
				}
				if got := c.ask(hits); got != "" {
					t.Fatalf("document %d of seed %d: %s", n, *seedFlag, got)
				}
			}
			hits.require(t, total, map[string]int{
				"expired": 10, "pending": 15, "on the deadline": 30, "never, with a date": 80, "never, without": 5, "never, cannot be indexed": 50,
				"array": 20, "position": 20, "own document": 5, "names of elements": 200, "unreachable": 1000,
			})
		})
	}
}

// ask decides about one more document, and says where the evaluator and the model
// disagree. It counts the classes of the document unless hits is nil.
func (c *keyCase) ask(hits tally) string {
	doc := c.drawDocument()
	keys, err := indexKeys(doc.fields, c.path, nil)
	if err != nil {
		keys = nil
	}
	deadline, ok := c.release.deadline(keys, c.option)
	now := c.drawNow(deadline, ok)
	want := policy.Never
	switch {
	case ok && deadline <= now:
		want = policy.Expired
	case ok:
		want = policy.Pending
	}
	if hits != nil {
		c.count(hits, doc, keys, err, want, deadline, now)
	}

	raw := appendDocument(nil, doc.fields)
	parsed, parseErr := policy.ParseBSON(raw)
	if errors.Is(parseErr, policy.ErrTooDeep) {
		return "" // no server stores such a document
	}
	if parseErr != nil {
		return fmt.Sprintf("ParseBSON(%s): %v", show(doc), parseErr)
	}
	ways := []struct {
		name string
		got  policy.Decision
	}{{"DecideBSON", c.index.DecideBSON(raw, now)}, {"Decide of BSON", c.index.Decide(&parsed, now)}}
	if isPlain(doc.fields, false) {
		ways = append(ways, struct {
			name string
			got  policy.Decision
		}{"Decide of an own document", c.index.Decide((*ownDocument)(doc), now)})
	}
	for _, way := range ways {
		if way.got.State != want || want != policy.Never && fixture.Deadline(way.got) != deadline {
			return fmt.Sprintf("%s(%s) by {%q: 1}, %v s, on %s at %v\n got %v at %v by %v\nwant %v at %v, keys %v, %v", way.name, show(doc),
				strings.Join(c.path, "."), c.option, c.release.name, now, way.got.State, fixture.Deadline(way.got), way.got.Rule, want, deadline, keys, err)
		}
	}
	return ""
}

// count adds a document to the tally of its classes.
func (c *keyCase) count(hits tally, doc *node, keys []*node, err error, want policy.State, deadline, now policy.Instant) {
	dates := 0
	delay, used := c.release.delay(c.option)
	for _, key := range keys {
		if _, ok := c.release.instant(key, delay); ok {
			dates++
		}
	}
	switch {
	case err != nil:
		hits["never, cannot be indexed"]++
	case want != policy.Never:
		hits[want.String()]++
	case dates > 0 && used:
		hits["unreachable"]++
	case dates > 0:
		hits["never, with a date"]++
	default:
		hits["never, without"]++
	}
	if want != policy.Never && deadline == now {
		hits["on the deadline"]++
	}
	if len(keys) > 1 && dates > 0 {
		hits["array"]++
	}
	if isPlain(doc.fields, false) {
		hits["own document"]++
	}
	if other, otherErr := indexKeys(byPosition(doc).fields, c.path, nil); !isPlain(doc.fields, false) && (err != otherErr || !sameDates(keys, other)) {
		hits["names of elements"]++
	}
	if isTurn(doc, c.path) {
		hits["position"]++
	}
}

// sameDates reports whether two lists of keys hold the same dates.
func sameDates(a, b []*node) bool {
	dates := func(keys []*node) []int64 {
		var all []int64
		for _, key := range keys {
			if key.typ == tDate {
				all = append(all, key.whole)
			}
		}
		return all
	}
	return slices.Equal(dates(a), dates(b))
}
