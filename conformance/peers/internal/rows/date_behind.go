package rows

import (
	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/inputs"
	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/race"
)

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
