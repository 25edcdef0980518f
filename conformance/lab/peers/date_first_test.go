package peers

import (
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// A kind is a shape of documents or items, and the number of its inputs, which stay in the
// cache.
type kind[S any] struct {
	name  string
	shape S
	n     int
}

var (
	small  = kind[Shape]{"187 B", Small, 1024}
	medium = kind[Shape]{"1 KB", Medium, 256}
	large  = kind[Shape]{"10 KB", Large, 48}
	blob   = kind[Shape]{"10 KB of long strings", Blob, 48}

	documentSizes = []kind[Shape]{small, medium, large}
)

func documents(k kind[Shape], p Place) Documents {
	return MakeDocuments(k.shape.At(p), k.n, 1<<30)
}

var (
	byDate         = question{path: []string{DateField}}
	byDottedDate   = question{path: []string{MetaField, DateField}}
	byFilteredDate = question{path: []string{DateField}, filter: true}
)

// atPlace makes a work with the date at one position in the documents.
func atPlace(k kind[Shape], name string, p Place, q question) maker {
	return func(Size) Work {
		return Work{Name: k.name + ", " + name, Sides: q.sides(documents(k, p))}
	}
}

// datesFirst returns the works with the date in front, where the rest of the document
// does not matter.
func datesFirst() (works []maker) {
	for _, k := range documentSizes {
		works = append(works, atPlace(k, "date first", First, byDate))
	}
	return works
}

// datesBehind returns the works with the date behind other fields.
func datesBehind() (works []maker) {
	for _, k := range documentSizes {
		works = append(works,
			atPlace(k, "date in the middle", Middle, byDate),
			atPlace(k, "date last", Last, byDate),
			atPlace(k, "dotted", Dotted, byDottedDate),
			atPlace(k, "filter and date last", Last, byFilteredDate))
	}
	works = append(works, atPlace(blob, "date last", Last, byDate))
	return works
}

// tenDates makes a work with an array of ten dates, of which the earliest counts.
func tenDates(k kind[Shape]) maker {
	return func(Size) Work {
		d := documents(k, Array)
		return Work{
			Name: k.name + ", array of 10 dates",
			Sides: []Side{
				byDate.ours(d), sideOf("bsoncore Values", d.All(), expiredValues), sideOf(intoStruct, d.All(), expiredDates),
			},
		}
	}
}

func expiredValues(doc []byte) bool {
	v, err := bsoncore.Document(doc).LookupErr(DateField)
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
