package rows

import (
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/inputs"
	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/race"
)

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
