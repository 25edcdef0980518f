package rows

import (
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/inputs"
	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/race"
)

// A bsonSize is a shape of document and how many of them stay in the cache.
type bsonSize struct {
	name  string
	shape inputs.Shape
	n     int
}

var (
	small  = bsonSize{"187 B", inputs.Small, 1024}
	medium = bsonSize{"1 KB", inputs.Medium, 256}
	large  = bsonSize{"10 KB", inputs.Large, 48}
	blob   = bsonSize{"10 KB of long strings", inputs.Blob, 48}
)

func (s bsonSize) documents(p inputs.Place) inputs.Documents {
	return inputs.MakeDocuments(s.shape.At(p), s.n, 1<<30)
}

var byDate = question{path: []string{inputs.DateField}}

// dateFirst is a date in front, where the rest of the document does not matter.
func dateFirst(s bsonSize) Maker {
	return func(Size) (race.Work, error) {
		return race.Work{
			Row: "G2", Name: s.name + ", date first", Sides: byDate.sides(s.documents(inputs.First)),
			Goals: []race.Goal{race.Ahead(driverLookup, 2.5), race.Ahead(coreLookup, 2.5)},
		}, nil
	}
}

// anySize compares ours with ours, over documents of different sizes.
func anySize(Size) (race.Work, error) {
	w := race.Work{Row: "G2", Name: "any size, date first"}
	for _, s := range []bsonSize{small, medium, large} {
		d := byDate.ours(s.documents(inputs.First))
		d.Name, d.Apart = s.name, true
		w.Sides = append(w.Sides, d)
	}
	for _, s := range []bsonSize{medium, large} {
		w.Goals = append(w.Goals, race.Goal{
			Name: s.name + " over " + small.name, Want: 1.25, AtMost: true,
			Ratio: func(m race.Medians) float64 { return m.Of(s.name) / m.Of(small.name) },
		})
	}
	return w, nil
}

var (
	byDottedDate   = question{path: []string{inputs.MetaField, inputs.DateField}}
	byFilteredDate = question{path: []string{inputs.DateField}, filter: true}
)

// walks returns the works of the row: a date behind other fields.
func walks() (works []Maker) {
	for _, s := range []bsonSize{small, medium, large} {
		works = append(works,
			behind(s, "date in the middle", inputs.Middle, byDate),
			behind(s, "date last", inputs.Last, byDate),
			behind(s, "dotted", inputs.Dotted, byDottedDate),
			behind(s, "filter and date last", inputs.Last, byFilteredDate))
	}
	works = append(works, behind(blob, "date last", inputs.Last, byDate))
	for _, s := range []bsonSize{small, medium, large} {
		works = append(works, perField(s))
	}
	return works
}

func behind(s bsonSize, name string, p inputs.Place, q question) Maker {
	return func(Size) (race.Work, error) {
		ahead := 2.0
		if s.shape.Blob > 0 {
			ahead = 1.8
		}
		return race.Work{
			Row: "G3", Name: s.name + ", " + name, Sides: q.sides(s.documents(p)),
			Goals: []race.Goal{
				race.Ahead(driverLookup, ahead), race.Ahead(coreLookup, ahead),
				race.Ahead(intoStruct, 11), race.Ahead(intoMap, 60),
			},
		}, nil
	}
}

// perField is what one more field in front costs: the difference between a
// date that is last and one that is first, ours as a share of the driver's.
func perField(s bsonSize) Maker {
	return func(Size) (race.Work, error) {
		const oursFirst, driverFirst = "ours, date first", "driver, date first"
		first, last := s.documents(inputs.First), s.documents(inputs.Last)
		w := race.Work{Row: "G3", Name: s.name + ", a field passed over", Sides: []race.Side{
			byDate.ours(last), sideOf(driverLookup, last, byDate.lookup),
			apart(oursFirst, byDate.ours(first)), apart(driverFirst, sideOf("", first, byDate.lookup)),
		}}
		w.Goals = []race.Goal{{Name: "driver Lookup, per field", Want: 0.5, AtMost: true, Ratio: func(m race.Medians) float64 {
			return (m.Of(race.Ours) - m.Of(oursFirst)) / (m.Of(driverLookup) - m.Of(driverFirst))
		}}}
		return w, nil
	}
}

// apart renames a side and takes it out of the comparison of answers.
func apart(name string, s race.Side) race.Side {
	s.Name, s.Apart = name, true
	return s
}

// tenDates is an array of ten dates, of which the earliest counts.
func tenDates(s bsonSize, ahead float64) Maker {
	return func(Size) (race.Work, error) {
		d := s.documents(inputs.Array)
		return race.Work{
			Row: "G4", Name: s.name + ", array of 10 dates",
			Sides: []race.Side{
				byDate.ours(d),
				sideOf("bsoncore Values", d, expiredValues),
				sideOf(intoStruct, d, expiredDates),
			},
			Goals: []race.Goal{race.Ahead("bsoncore Values", ahead)},
		}, nil
	}
}

func expiredValues(doc []byte) bool {
	v, err := bsoncore.Document(doc).LookupErr(inputs.DateField)
	if err != nil {
		return false
	}
	array, ok := v.ArrayOK()
	if !ok {
		return false
	}
	values, err := array.Values()
	for _, v := range values {
		if ms, ok := v.DateTimeOK(); ok && ms <= cutoff {
			return err == nil
		}
	}
	return false
}

func expiredDates(doc []byte) bool {
	var v struct {
		ExpireAt []time.Time `bson:"expireAt"`
	}
	if bson.Unmarshal(doc, &v) != nil {
		return false
	}
	for _, at := range v.ExpireAt {
		if at.UnixMilli() <= cutoff {
			return true
		}
	}
	return false
}
