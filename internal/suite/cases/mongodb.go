package cases

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Inclusive is the first release in which a document expires at the millisecond
// of its deadline, and from which on the behaviour of arrays is established.
const Inclusive = "3.2.0"

// Index returns a TTL index, with the name that the server would give it.
func Index(path string, seconds policy.Value, more ...policy.E) policy.Value {
	d := fields("key", fields(path, one), "name", path+"_1", "expireAfterSeconds", seconds)
	return policy.ObjectValue(append(d, more...))
}

// decide returns the question about the fate of a document, with the clock at
// 0.
func decide(t conformance.Target, indexes policy.A, document policy.Value) Case {
	return asked("mongodb.decide", t, 0, "indexes", indexes, "document", document)
}

// A Single is a collection with one TTL index, and a document.
type Single struct {
	Case
	Path    Path
	Seconds int64
}

// Single draws a collection with one TTL index on the path, and a document
// whose outermost field of the path holds the given value, beside unrelated
// fields. The clock is near the deadline of the earliest date.
func (s Source) Single(p Path, held policy.Value, from string) Single {
	t := s.Target("mongodb.decide", from)
	x := Single{Path: p, Seconds: s.Seconds()}
	index := Index(p.String(), s.Number(x.Seconds, t.Version), s.options(t.Version)...)
	document := withField(s.Bystanders(t.Version, p[0]), p[0], held)
	x.Case = decide(t, policy.A{index}, policy.ObjectValue(document))
	x.Case = x.WithNow(s.NowNear(Plus(earliest(held), x.Seconds*1000)))
	return x
}

// earliest returns the earliest date in a value, or today's date if there is
// none.
func earliest(v policy.Value) policy.Instant {
	found, least := false, policy.MaxInstant
	MapDates(v, func(i policy.Instant) policy.Instant {
		found, least = true, min(least, i)
		return i
	})
	if !found {
		return usual
	}
	return least
}

// options draws options of an index that do not affect deletion.
func (s Source) options(release string) (more policy.D) {
	for _, o := range s.allOptions(release) {
		if s.sometimes(6) {
			more = append(more, o)
		}
	}
	return more
}

// WithOption draws one more option for the first index of a question.
func (s Source) WithOption(c Case) Case {
	o := Pick(s, s.allOptions(c.Target.Version)...)
	return c.With(o.Value, "indexes", "0", o.Key)
}

// allOptions returns the options that the claim knows and the release had.
func (s Source) allOptions(release string) (all policy.D) {
	truth := policy.BoolValue(true)
	add := func(since, name string, v policy.Value) {
		if !Before(release, since) {
			all = append(all, policy.E{Key: name, Value: v})
		}
	}
	add("3.2.0", "sparse", truth)
	add("3.2.0", "unique", truth)
	add("4.4.0", "hidden", truth)
	if s.Knows("collation") {
		add("3.4.0", "collation", object("locale", "fr"))
	}
	return all
}

// Bystanders draws unrelated fields, with other names than the taken ones.
func (s Source) Bystanders(release string, taken ...string) (d policy.D) {
	for range s.Range(0, 3) {
		d = s.Bystander(release, d, taken...)
	}
	return d
}

// Bystander draws one more unrelated field: a date under a name similar to that of the
// indexed field, a deep document, a ttl.
func (s Source) Bystander(release string, d policy.D, taken ...string) policy.D {
	name := Pick(s, "x", "_id", "_ts", "expireAt", "createdat", "T ", "tt", "A", "aa", "TTL", "_ttl", "\u0442")
	if slices.Contains(taken, name) {
		return d
	}
	v := s.Date()
	switch s.Range(0, 3) {
	case 2:
		v = s.NonDate(release)
	case 3:
		v = s.deep(v)
	}
	if name == "_id" && v.Kind() != policy.Date || !policy.ObjectValue(d).Field(name).IsMissing() {
		return d
	}
	return append(d, policy.E{Key: name, Value: v})
}

// deep wraps a value into documents and arrays, far below the server's limit
// of 100.
func (s Source) deep(v policy.Value) policy.Value {
	for i := range s.Range(1, Pick(s, int64(3), 3, 3, 60)) {
		if i%2 == 0 {
			v = object("t", v)
		} else {
			v = policy.ListValue(policy.A{v})
		}
	}
	return v
}

// misses are partial filters, each with fields that do not match it.
var misses = [][2]string{
	{`{"D": 1}`, `{"D": 3}`}, {`{"D": 1}`, `{}`}, {`{"D": 1}`, `{"D": "1"}`}, {`{"D": 1}`, `{"D": [2, 3]}`}, {`{"D": 1}`, `{"d": 1}`},
	{`{"D": {"$exists": true}}`, `{}`}, {`{"D": {"$exists": true}}`, `{"d": 1}`},
	{`{"D": {"$gt": 5}}`, `{"D": 5}`}, {`{"D": {"$gt": 5}}`, `{"D": "6"}`}, {`{"D": {"$gt": 5}}`, `{"D": [1, 5]}`}, {`{"D": {"$gte": 5}}`, `{"D": 4.5}`},
	{`{"D": {"$lt": 5}}`, `{"D": 5}`}, {`{"D": {"$lt": 5}}`, `{"D": null}`}, {`{"D": {"$lte": 5}}`, `{"D": 6}`}, {`{"D": {"$lte": 5}}`, `{}`},
	{`{"D": {"$gt": {"$date": {"$numberLong": "0"}}}}`, `{"D": 5}`}, {`{"D": {"$type": "string"}}`, `{"D": 5}`},
	{`{"D": null}`, `{"D": 5}`}, {`{"D": true}`, `{"D": 1}`}, {`{"D": 1, "x": 2}`, `{"D": 1}`}, {`{"$and": [{"D": 1}, {"x": 2}]}`, `{"x": 2}`},
}

// Miss draws a partial filter and fields that do not match it.
func (s Source) Miss() (filter policy.Value, fields policy.D) {
	texts := Pick(s, misses...)
	return parsed(texts[0]), policy.DOf(parsed(texts[1]))
}

// parsed reads Extended JSON written in this package.
func parsed(text string) policy.Value {
	v, err := valuefunc.F.ParseExtJSONInt32([]byte(text))
	if err != nil {
		panic(fmt.Sprintf("cases: %s: %v", text, err))
	}
	return v
}

// A Path leads to a date: the names of fields, outermost first.
type Path []string

// String returns the path as an index writes it.
func (p Path) String() string { return strings.Join(p, ".") }

// Path draws the path of an index, without positions of arrays: a part that is
// a number names a field of a subdocument.
func (s Source) Path() Path {
	p := Path{Pick(s, "t", "a", "createdAt", "expireAfterSeconds", "T", "ttl")}
	if !s.Knows("dotted-path") {
		return p
	}
	parts := []string{"b", "t", "id"}
	if s.Knows("array-position") {
		parts = append(parts, "0", "10")
	}
	for range s.Range(0, Pick(s, int64(0), 2, 5)) {
		p = append(p, Pick(s, parts...))
	}
	return p
}

// hasNumber reports whether a part could be a position of an array.
func (p Path) hasNumber() bool {
	return slices.ContainsFunc(p, func(part string) bool { return part != "" && strings.Trim(part, "0123456789") == "" })
}

// Hold returns the value of the outermost field of a document that has v at
// the path; Missing leaves the innermost field out.
func (p Path) Hold(v policy.Value) policy.Value {
	for i := len(p) - 1; i > 0; i-- {
		v = object(p[i], v)
	}
	return v
}

// A Place puts the elements of an array at a path: as an array at its end, or
// each into a subdocument of an array on the way.
type Place struct {
	Path
	level int // index of the path's part that holds the array
}

// Place draws a place for arrays. Its path has no number in it.
func (s Source) Place() Place {
	p := s.Path()
	if p.hasNumber() {
		p = p[:1]
	}
	return Place{p, int(s.Range(0, int64(len(p)-1)))}
}

// AtEnd reports whether the array is at the end of the path.
func (p Place) AtEnd() bool { return p.level == len(p.Path)-1 }

// Hold returns the value of the outermost field of a document that has the
// elements at the place.
func (p Place) Hold(elements ...policy.Value) policy.Value {
	var list policy.A
	for _, e := range elements {
		list = append(list, p.Path[p.level:].Hold(e))
	}
	return p.Path[:p.level+1].Hold(policy.ListValue(list))
}

// Ends of ranges of dates in various systems.
const (
	yearOne        policy.Instant = -62_135_596_800_000 // 0001-01-01, the first day of many calendars
	endOf9999      policy.Instant = 253_402_300_799_999 // the last millisecond with four digits
	endOfSeconds   policy.Instant = math.MaxInt32 * 1000
	endOfUnsigned  policy.Instant = math.MaxUint32 * 1000
	endOfExactMS   policy.Instant = 1 << 53 // beyond it a double skips milliseconds
	usual          policy.Instant = 1_700_000_000_000
	longestSeconds int64          = math.MaxInt32
)

var (
	nearDates = []policy.Instant{usual, 0, -1, 1, usual + 999, library.FirstUsualClock, endOfSeconds, endOfSeconds + 1000, endOfUnsigned + 1000, -2_208_988_800_000}
	farDates  = []policy.Instant{
		yearOne, yearOne - 1, endOf9999, endOf9999 + 1, endOfExactMS + 1, -endOfExactMS - 1,
		policy.MaxInstant, policy.MaxInstant - 1000, policy.MinInstant, policy.MinInstant + 1, policy.MaxInstant - policy.Instant(longestSeconds)*1000,
	}
)

// Instant draws a date. One date in four is at the end of a range.
func (s Source) Instant() policy.Instant {
	switch s.Range(0, 7) {
	case 5, 6:
		return Pick(s, nearDates...)
	case 7:
		if s.Knows("far-dates") {
			return s.farInstant()
		}
		return policy.Instant(s.Range(int64(yearOne)+1, int64(endOf9999)))
	}
	return usual + policy.Instant(s.Range(-100_000, 100_000))*policy.Instant(Pick(s, int64(1), 1000, 86_400_000/1000))
}

func (s Source) farInstant() policy.Instant {
	if s.Either() {
		return Pick(s, farDates...)
	}
	return policy.Instant(s.Range(math.MinInt64, math.MaxInt64))
}

// NowNear draws a clock: mostly within a few milliseconds of an instant.
func (s Source) NowNear(i policy.Instant) policy.Instant {
	switch s.Range(0, 3) {
	case 0:
		return s.clock(i)
	case 1:
		return s.clock(Plus(i, s.Range(-2, 2)))
	case 2:
		return s.clock(Plus(i, s.Range(-100_000, 100_000)*1000))
	}
	return s.clock(s.Instant())
}

// clock returns the nearest instant that a question may use as its clock.
func (c *Claim) clock(i policy.Instant) policy.Instant {
	if c.Knows("unusual-clock") {
		return i
	}
	return min(max(i, library.FirstUsualClock), library.LastUsualClock)
}

// Shift draws a number of milliseconds. A date, its deadline and the clock can all move by
// that number and remain valid in a question. It is often 0 if one of them is at the end of
// its range.
func (s Source) Shift(date, due, now policy.Instant) int64 {
	to := s.Instant()
	ms := int64(to - date)
	for _, i := range []policy.Instant{date, due, now} {
		if moved := Plus(i, ms); moved-i != policy.Instant(ms) || moved == policy.MaxInstant || i == policy.MaxInstant {
			return 0
		}
	}
	if !s.AsksAt(Plus(now, ms)) {
		return 0
	}
	return ms
}

// AsksAt reports whether a question may use an instant as its clock.
func (c *Claim) AsksAt(i policy.Instant) bool { return c.clock(i) == i }

// Plus returns the instant ms milliseconds after i, or the first or last Instant if that
// is out of range.
func Plus(i policy.Instant, ms int64) policy.Instant {
	sum := i + policy.Instant(ms)
	switch {
	case ms > 0 && sum < i:
		return policy.MaxInstant
	case ms < 0 && sum > i:
		return policy.MinInstant
	}
	return sum
}

// Seconds draws a time to live that every release of MongoDB accepts. Releases before
// 5.0.14 accept no more seconds than have passed since 1970.
func (s Source) Seconds() int64 {
	longest := longestSeconds
	if !s.Knows("stale-catalog") {
		longest = int64(library.FirstUsualClock / 1000)
	}
	if s.sometimes(3) {
		return min(longest, Pick(s, 0, 1, longest, longest-1, 2_147_483, 2_147_484, 4_294_967, 4_294_968))
	}
	return s.Range(0, Pick(s, int64(100), 100_000, longest))
}

// Number returns a whole number in one of the types that the claim knows and the release
// had.
func (s Source) Number(n int64, release string) policy.Value {
	return Pick(s, s.Numbers(n, release)...)
}

// Numbers returns a whole number of 32 bits in every type that the claim knows
// and the release had.
func (s Source) Numbers(n int64, release string) []policy.Value {
	list := []policy.Value{policy.Int32Value(int32(n)), policy.Int64Value(n), policy.DoubleValue(float64(n))}
	if s.Knows("decimal128") && !Before(release, "5.0.0") {
		list = append(list, decimal(strconv.FormatInt(n, 10)), decimal(strconv.FormatInt(n, 10)+".00"))
	}
	return list
}
