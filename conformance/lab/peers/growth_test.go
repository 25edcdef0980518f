package peers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A curve measures one decision on inputs of growing size.
type curve struct {
	Name string
	// X names the growing quantity, such as "fields".
	X      string
	points []point
}

// A point is one size of a curve.
type point struct {
	X   int
	Run func() // one decision
}

// BenchmarkGrowth runs the points of every curve.
func BenchmarkGrowth(b *testing.B) {
	for _, c := range curves() {
		for _, p := range c.points {
			b.Run(fmt.Sprintf("%s/%s=%d", c.Name, c.X, p.X), func(b *testing.B) {
				for b.Loop() {
					p.Run()
				}
			})
		}
	}
}

// curves returns the curves.
func curves() []curve {
	return []curve{
		over("TTL indexes of a collection", "indexes", sourcespoint, 1, 4, 16),
		over("terms of a partial filter", "terms", filterpoint, 1, 4, 16, 64),
		over("fields before the date", "fields", bsonPoints(DateField, `{«"field#":#»,"expireAt":`+date+`}`), 2, 10, 100, 1_000, 10_000),
		over("dates in an array", "dates", bsonPoints(DateField, datesText), 1, 10, 100, 1_000, 10_000, 100_000),
		over("documents around the date", "levels", nestedpoint, 1, 4, 16, 64, 128),
		over("hostile: an array of dates up to 16 MB", "dates", bsonPoints(DateField, datesText), 1_000, 30_000, 1_000_000),
		over("hostile: an array of documents up to 16 MB", "documents", bsonPoints("meta.expireAt", `{"meta":[«{"expireAt":`+earlier+`}»]}`), 1_000, 20_000, 500_000),
		over("hostile: names that begin as the date's does", "names", bsonPoints(DateField, `{«"expireAt#":`+date+`»,"expireAt":`+date+`}`), 10, 100, 1_000, 10_000),
		over("hostile: members that begin as ttl does", "members", jsonPoints(`{‹"ttl#":[#],›"ttl":5,"_ts":1795132800}`), 10, 100, 1_000, 10_000),
		over("hostile: digits of a ttl", "digits", jsonPoints(`{"id":"i","ttl":‹7›,"_ts":1795132800}`), 100, 10_000, 1_000_000),
	}
}

// Texts of documents of any size, see Expand. date stands for Now. earlier
// stands for a date that is earlier in each repetition, so that the last one decides.
const (
	date      = `{"$date":{"$numberLong":"1795132800000"}}`
	earlier   = `{"$date":{"$numberLong":"-1#"}}`
	datesText = `{"expireAt":[«` + earlier + `»]}`
)

func over(name, x string, point func(x int) point, xs ...int) curve {
	c := curve{Name: name, X: x}
	for _, x := range xs {
		c.points = append(c.points, point(x))
	}
	return c
}

// bsonPoints returns a function that makes points of documents, which are judged by a
// field.
func bsonPoints(field, text string) func(int) point {
	index := Index(field, nil)
	return func(n int) point { return pointOf(n, index, BSON(Expand(text, n))) }
}

func pointOf(x int, index *mongo.Collection, doc []byte) point {
	return point{X: x, Run: func() { sink.decision = index.DecideBSON(doc, Now) }}
}

// jsonPoints returns a function that makes points of raw items.
func jsonPoints(text string) func(int) point {
	c := Container(DefaultTTL)
	return func(n int) point {
		item := []byte(Expand(text, n))
		return point{X: n, Run: func() { sink.decision = c.DecideJSON(item, Now) }}
	}
}

func nestedpoint(n int) point {
	doc := BSON(Expand(`‹{"n":›{"expireAt":`+date+`}‹}›`, n-1))
	return pointOf(n, Index(strings.Repeat("n.", n-1)+DateField, nil), doc)
}

// sourcespoint returns the point of a collection with n TTL indexes, on as many fields of
// one document.
func sourcespoint(n int) point {
	var c mongo.CollectionSpec
	for i := range n {
		c.Indexes = append(c.Indexes, IndexSpec(fmt.Sprintf("%s%d", DateField, i)))
	}
	collection := Must(mongo.CompileCollection(c, Profile()))
	doc := BSON(Expand(`{«50:"field#":#»,«16:"expireAt#":`+date+`»}`, 0))
	return point{X: n, Run: func() { sink.decision = collection.DecideBSON(doc, Now) }}
}

// filterpoint returns the point of a filter of n terms that all hold.
func filterpoint(n int) point {
	var terms policy.D
	for i := range n {
		atLeast := policy.D{{Key: "$gte", Value: policy.Int32Value(0)}}
		terms = append(terms, policy.E{Key: fmt.Sprintf("field%d", i), Value: policy.ObjectValue(atLeast)})
	}
	index, doc := Index(DateField, terms), BSON(Expand(`{«65:"field#":#»,"expireAt":`+date+`}`, 0))
	return point{X: n, Run: func() { sink.decision = index.DecideBSON(doc, Now) }}
}
