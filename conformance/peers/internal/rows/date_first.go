package rows

import (
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
