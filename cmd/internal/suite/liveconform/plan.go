package liveconform

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A role is the purpose of a copy of a document.
type role string

const (
	early role = "early" // its instant is after the sweeps: deletion means expired
	late  role = "late"  // its instant is before the sweeps: survival means not expired
	aged  role = "aged"  // its instant is long ago: survival means never
)

const day = 24 * time.Hour

// ages are the distances from today to the instants of aged copies. The first leads to
// dates after 1970, and is within the 68 years that 31 bits of seconds hold. The second
// is beyond both limits.
var ages = []time.Duration{45 * 365 * day, 200 * 365 * day}

// slack is the largest difference allowed between the clock of this machine and the
// clocks of the server's parts.
const slack = 2 * time.Second

// A copied document is a document of a question with its dates moved.
type copied struct {
	role
	id       policy.Value
	document bson.Raw
	in       *collection
	isLeft   bool
}

// A collection is a test collection for copies of documents.
type collection struct {
	name    string
	ask     conformance.Question // the question of the first copy
	options policy.D
	indexes []policy.D
	copies  []*copied
	control control
	refused map[int]writeError // the server's refusals of copies, by position in copies
	state
}

// An experiment answers a question about one document.
type experiment struct {
	*ask
	copies []*copied
	until  policy.Instant // the instant of the early copy
}

// unaskable returns the reason why a run cannot create the conditions of a question; ""
// if no reason is known.
func unaskable(q conformance.Question, in conformance.Input) string {
	first, last, _ := datesIn(policy.ObjectValue(policy.D{{Key: "document", Value: in.Document}, {Key: "indexes", Value: policy.ListValue(objects(in.Indexes))}}))
	switch {
	case len(q.Target.Parameters) > 0:
		return "a run sets no server parameters"
	case !in.Collection.Field("ns").IsMissing():
		return "a run keeps to a database of its own, and to ordinary names in it"
	case !in.Collection.Field("requiresExtendedRangeSupport").IsMissing():
		return "no command sets requiresExtendedRangeSupport"
	case !in.Collection.Field("timeseries").IsMissing() && !in.Document.Field("control").Field("min").IsMissing():
		return "no command stores a bucket as it is"
	case first < -farthest || last > farthest:
		return "the dates are too far from today to be moved"
	}
	return ""
}

func objects(list []policy.D) (all policy.A) {
	for _, d := range list {
		all = append(all, policy.ObjectValue(d))
	}
	return all
}

// plan returns the experiment that answers a question in a window that begins now. If no
// experiment is possible, plan sets the answer and returns nil.
func (s *System) plan(a *ask, now policy.Instant, window time.Duration) *experiment {
	in, err := a.Input()
	if err != nil {
		a.answer = conformance.Fault(err.Error())
		return nil
	}
	if why := unaskable(a.Question, in); why != "" {
		a.answer = conformance.Unknown(why)
		return nil
	}
	x := &experiment{ask: a}
	rounding := roundingOf(in.Collection)
	earlier := roundDown(int64(now)-slack.Milliseconds()-int64(in.Now), rounding)
	later := -roundDown(-(int64(now) + window.Milliseconds() - int64(in.Now)), rounding)
	x.until = in.Now + policy.Instant(later)
	predicted := predict(a.Question)
	moves := map[role]int64{early: later, late: earlier}
	for _, r := range []role{early, late} {
		q, err := moved(a.Question, moves[r])
		if err != nil || !predicted.movesWith(predict(q), moves[r]) {
			a.answer = conformance.Unknown("the answer depends on the calendar, and not only on how long ago something was")
			return nil
		}
		s.add(x, r, q)
	}
	s.addAged(x, in, predicted, now, earlier, rounding)
	return x
}

// addAged adds copies with older dates, which show whether a document never expires or
// only has not expired yet. It adds a copy only if this library predicts that the copy
// shows the difference.
func (s *System) addAged(x *experiment, in conformance.Input, f prediction, now policy.Instant, earlier, rounding int64) {
	_, last, _ := datesIn(in.Document)
	ahead := max(0, int64(last-in.Now))
	for _, age := range ages {
		by := roundDown(earlier-ahead-age.Milliseconds(), rounding)
		q, err := moved(x.Question, by)
		if err != nil {
			continue
		}
		if now := predict(at(q, now)); now.known && now.state != "pending" && (f.state == "never") == (now.state == "never") {
			s.add(x, aged, q)
		}
	}
}

// add adds a copy of the document of a question to an experiment, with the definition of
// the collection that the copy needs.
func (s *System) add(x *experiment, r role, q conformance.Question) {
	in, err := q.Input()
	if err != nil {
		x.answer = conformance.Fault(err.Error())
		return
	}
	document, id := withID(in, fmt.Sprintf("%s%d-%d", r, x.at, len(x.copies)))
	raw, err := policy.AppendBSON(nil, policy.ObjectValue(document))
	if err != nil {
		x.answer = conformance.Unknown("BSON cannot hold the document: " + err.Error())
		return
	}
	x.copies = append(x.copies, &copied{role: r, id: id, document: raw, in: &collection{ask: q, options: in.Collection, indexes: in.Indexes, control: controlFor(q)}})
}

// mostCopies is the largest number of copies of documents in one collection.
const mostCopies = 400

// place assigns each copy of an experiment to a collection: an existing one if the copy
// may share it, else a new one. Copies of one question share a collection; copies of
// several questions share one if [Options.Share] is set.
func (b *batch) place(s *System, x *experiment) {
	if !s.options.Share {
		b.shared = map[string]*collection{}
	}
	for _, d := range x.copies {
		key := definitionOf(d.in)
		c := b.shared[key]
		if c == nil || !c.isShared() || !c.hasRoomFor(d.id) {
			c = d.in
			c.name = s.nextName()
			b.shared[key] = c
			b.made = append(b.made, c)
		}
		d.in = c
		c.copies = append(c.copies, d)
	}
	b.experiments = append(b.experiments, x)
}

// definitionOf returns the options and indexes of a collection as a text.
func definitionOf(c *collection) string {
	d := policy.D{{Key: "options", Value: policy.ObjectValue(c.options)}, {Key: "indexes", Value: policy.ListValue(objects(c.indexes))}}
	return string(policy.AppendExtJSON(nil, policy.ObjectValue(d)))
}

// isShared reports whether several questions can share a collection, because its
// documents are independent: no index is unique, no document replaces another, and
// documents are not joined into buckets.
func (c *collection) isShared() bool {
	isUnique := slices.ContainsFunc(c.indexes, func(x policy.D) bool { return !x.Field("unique").IsMissing() })
	return !isUnique && c.options.Field("timeseries").IsMissing() && c.options.Field("capped").IsMissing()
}

func (c *collection) hasRoomFor(id policy.Value) bool {
	return len(c.copies) < mostCopies && !slices.ContainsFunc(c.copies, func(d *copied) bool { return suite.Same(d.id, id) })
}

// withID returns the document with an _id by which it can be found again. The document
// keeps its own _id if that affects the answer.
func withID(in conformance.Input, name string) (policy.D, policy.Value) {
	document := policy.DOf(in.Document)
	own := in.Document.Field("_id")
	if bearsOnID(in) {
		if own.IsMissing() {
			own = policy.ObjectIDValue(bson.NewObjectID())
			document = append(policy.D{{Key: "_id", Value: own}}, document...)
		}
		return document, own
	}
	id := policy.StringValue(name)
	document = slices.DeleteFunc(slices.Clone(document), func(e policy.E) bool { return e.Key == "_id" })
	return append(policy.D{{Key: "_id", Value: id}}, document...), id
}

// bearsOnID reports whether the _id may affect the answer: in a clustered collection, or if
// an index names it.
func bearsOnID(in conformance.Input) bool {
	return !in.Collection.Field("clusteredIndex").IsMissing() ||
		strings.Contains(string(policy.AppendExtJSON(nil, policy.ListValue(objects(in.Indexes)))), `"_id`)
}

// roundingOf returns the interval in milliseconds to which a time-series collection
// rounds the times of its buckets; 1 for any other collection.
func roundingOf(options policy.D) int64 {
	series := options.Field("timeseries")
	if series.IsMissing() {
		return 1
	}
	if n, ok := mongofunc.WholeSeconds(series.Field("bucketRoundingSeconds")); ok && n > 0 && n < math.MaxInt32 {
		return n * 1000
	}
	granularity, _ := series.Field("granularity").AsString()
	switch granularity {
	case "minutes":
		return time.Hour.Milliseconds()
	case "hours":
		return day.Milliseconds()
	}
	return time.Minute.Milliseconds()
}

func roundDown(n, to int64) int64 {
	rest := n % to
	if rest < 0 {
		rest += to
	}
	return n - rest
}

// A control says how to make the control documents of a collection, which are known to
// expire.
type control struct {
	index  bool                         // make controlIndex
	series func(n int) (policy.D, bool) // the n-th document of a time-series collection
}

const controlField = "__ttlc"

// controlFor returns a control that does not disturb the conditions of a question.
func controlFor(q conformance.Question) control {
	in, err := q.Input()
	switch {
	case err != nil, !in.Collection.Field("viewOn").IsMissing():
		return control{}
	case in.Collection.Field("timeseries").IsMissing():
		return control{index: true}
	}
	return control{series: func(n int) (policy.D, bool) { return measurement(q, in, n) }}
}

// measurement returns the n-th control document of a time-series collection: an old
// measurement in a bucket of its own. It reports false if the measurement would not
// expire according to this library.
func measurement(q conformance.Question, in conformance.Input, n int) (policy.D, bool) {
	series := in.Collection.Field("timeseries")
	timeField, _ := series.Field("timeField").AsString()
	old := policy.Instant(1+n) * policy.Instant((400 * day).Milliseconds()) // in 1971 and later
	d := policy.D{{Key: "_id", Value: policy.StringValue(controlID(n))}, {Key: timeField, Value: policy.DateValue(old)}}
	if meta, ok := series.Field("metaField").AsString(); ok {
		d = append(d, policy.E{Key: meta, Value: policy.StringValue(controlField)})
	}
	return d, predict(about(q, d)).state == "expired"
}

func controlID(n int) string { return fmt.Sprintf("%s%d", controlField, n) }

// document returns the n-th control document of a collection; false if it has none.
func (c control) document(n int, now policy.Instant) (policy.D, bool) {
	switch {
	case c.series != nil:
		return c.series(n)
	case c.index:
		return policy.D{
			{Key: "_id", Value: policy.StringValue(controlID(n))},
			{Key: controlField, Value: policy.DateValue(now - policy.Instant(day.Milliseconds()))},
		}, true
	}
	return nil, false
}

// controlIndex is the index by which control documents expire.
var controlIndex = policy.D{
	{Key: "key", Value: policy.ObjectValue(policy.D{{Key: controlField, Value: policy.Int32Value(1)}})},
	{Key: "name", Value: policy.StringValue(controlField + "_1")},
	{Key: "expireAfterSeconds", Value: policy.Int32Value(0)},
}
