// Package curve measures how the cost of a decision grows.
package curve

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/shapes"
	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/inputs"
	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/race"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Curve measures one decision on inputs of growing size.
type Curve struct {
	Name string
	// X names the growing quantity, such as "fields".
	X      string
	Points []Point
}

// A Point is the measurement of a Curve at one size.
type Point struct {
	X     int
	Bytes int     // the size of the document, 0 if the policy grows
	Run   func()  // one decision
	NS    float64 // the median time of a decision, once it is measured
}

// Measure runs all points of a curve in turn, and returns the curve with their times.
func (c Curve) Measure(p race.Pace) Curve {
	m := c.Work().Run(p)
	c.Points = slices.Clone(c.Points)
	for i := range c.Points {
		c.Points[i].NS = m.Of(label(c.Points[i].X))
	}
	return c
}

// Work returns the work of a race that has a side for each point.
func (c Curve) Work() race.Work {
	w := race.Work{Name: c.Name}
	for _, point := range c.Points {
		w.Sides = append(w.Sides, race.Side{Name: label(point.X), N: 1, Do: func(int, int) int64 {
			point.Run()
			return 0
		}})
	}
	return w
}

// Growth compares the last point with the first: it returns the ratio of the sizes of the
// inputs, and the ratio of the times. The input's size is the document's bytes or, if
// they do not grow, X.
func (c Curve) Growth() (size, cost float64) {
	first, last := c.Points[0], c.Points[len(c.Points)-1]
	size = float64(last.X) / float64(first.X)
	if first.Bytes != last.Bytes {
		size = float64(last.Bytes) / float64(first.Bytes)
	}
	return size, last.NS / first.NS
}

func label(x int) string { return strconv.Itoa(x) }

// All returns the curves.
func All() []Curve {
	return []Curve{
		over("TTL indexes of a collection", "indexes", sourcesPoint, 1, 4, 16),
		over("terms of a partial filter", "terms", filterPoint, 1, 4, 16, 64),
		over("fields before the date", "fields", documents(inputs.DateField, `{«"field#":#»,"expireAt":`+date+`}`), 2, 10, 100, 1_000, 10_000),
		over("dates in an array", "dates", documents(inputs.DateField, datesText), 1, 10, 100, 1_000, 10_000, 100_000),
		over("documents around the date", "levels", nestedPoint, 1, 4, 16, 64, 128),
		over("hostile: an array of dates up to 16 MB", "dates", documents(inputs.DateField, datesText), 1_000, 30_000, 1_000_000),
		over("hostile: an array of documents up to 16 MB", "documents", documents("meta.expireAt", `{"meta":[«{"expireAt":`+earlier+`}»]}`), 1_000, 20_000, 500_000),
		over("hostile: names that begin as the date's does", "names", documents(inputs.DateField, `{«"expireAt#":`+date+`»,"expireAt":`+date+`}`), 10, 100, 1_000, 10_000),
		over("hostile: members that begin as ttl does", "members", items(`{‹"ttl#":[#],›"ttl":5,"_ts":1795132800}`), 10, 100, 1_000, 10_000),
		over("hostile: digits of a ttl", "digits", items(`{"id":"i","ttl":‹7›,"_ts":1795132800}`), 100, 10_000, 1_000_000),
	}
}

// Texts of documents of any size, see shapes.Expand. date stands for inputs.Now. earlier
// stands for a date that is earlier in each repetition, so that the last one decides.
const (
	date      = `{"$date":{"$numberLong":"1795132800000"}}`
	earlier   = `{"$date":{"$numberLong":"-1#"}}`
	datesText = `{"expireAt":[«` + earlier + `»]}`
)

func over(name, x string, point func(x int) Point, xs ...int) Curve {
	c := Curve{Name: name, X: x}
	for _, x := range xs {
		c.Points = append(c.Points, point(x))
	}
	return c
}

// sink keeps the compiler from leaving work out.
var sink policy.Decision

// documents returns a function that makes points of documents, which are judged by a
// field.
func documents(field, text string) func(int) Point {
	index := inputs.Index(field, nil)
	return func(n int) Point { return pointOf(n, index, inputs.BSON(shapes.Expand(text, n))) }
}

func pointOf(x int, index *mongo.Index, doc []byte) Point {
	return Point{X: x, Bytes: len(doc), Run: func() { sink = index.DecideBSON(doc, inputs.Now) }}
}

// items returns a function that makes points of raw items.
func items(text string) func(int) Point {
	c := inputs.Container(inputs.DefaultTTL)
	return func(n int) Point {
		item := []byte(shapes.Expand(text, n))
		return Point{X: n, Bytes: len(item), Run: func() { sink = c.DecideJSON(item, inputs.Now) }}
	}
}

func nestedPoint(n int) Point {
	doc := inputs.BSON(shapes.Expand(`‹{"n":›{"expireAt":`+date+`}‹}›`, n-1))
	return pointOf(n, inputs.Index(strings.Repeat("n.", n-1)+inputs.DateField, nil), doc)
}

// sourcesPoint returns the point of a collection with n TTL indexes, on as many fields of
// one document.
func sourcesPoint(n int) Point {
	var c mongo.CollectionSpec
	for i := range n {
		c.Indexes = append(c.Indexes, inputs.IndexSpec(fmt.Sprintf("%s%d", inputs.DateField, i)))
	}
	collection := inputs.Must(mongo.CompileCollection(c, inputs.Profile()))
	doc := inputs.BSON(shapes.Expand(`{«50:"field#":#»,«16:"expireAt#":`+date+`»}`, 0))
	return Point{X: n, Run: func() { sink = collection.DecideBSON(doc, inputs.Now) }}
}

// filterPoint returns the point of a filter of n terms that all hold.
func filterPoint(n int) Point {
	var terms policy.D
	for i := range n {
		atLeast := policy.D{{Key: "$gte", Value: policy.Int32Value(0)}}
		terms = append(terms, policy.E{Key: fmt.Sprintf("field%d", i), Value: policy.ObjectValue(atLeast)})
	}
	index, doc := inputs.Index(inputs.DateField, terms), inputs.BSON(shapes.Expand(`{«65:"field#":#»,"expireAt":`+date+`}`, 0))
	return Point{X: n, Run: func() { sink = index.DecideBSON(doc, inputs.Now) }}
}
