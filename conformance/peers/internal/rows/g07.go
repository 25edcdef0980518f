package rows

import (
	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/inputs"
	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/race"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A jsonSize is a shape of item and how many of them stay in the cache.
type jsonSize struct {
	name  string
	shape inputs.JSONShape
	n     int
}

var (
	smallJSON  = jsonSize{"305 B", inputs.SmallJSON, 1024}
	mediumJSON = jsonSize{"1 KB", inputs.MediumJSON, 256}
	largeJSON  = jsonSize{"10 KB", inputs.LargeJSON, 48}
	textJSON   = jsonSize{"10 KB of long texts", inputs.TextJSON, 48}
)

func jsonContainer() *cosmos.Container {
	return must(cosmos.Compile(cosmos.ContainerSpec{DefaultTTL: policy.Int32Value(inputs.DefaultTTL)}))
}

// trusting decides items that were checked when they were stored: the library
// keeps that in the type, policy.JSON.
func trusting(s jsonSize, more ...race.Goal) Maker {
	return func(Size) (race.Work, error) {
		items := inputs.MakeItems(s.shape, s.n)
		return race.Work{
			Row: "G7", Name: s.name + ", checked before",
			Sides: []race.Side{
				oursChecked(items),
				fastJSONSide(items), gJSONSide(items), jsonSide(items), sonicSide(items),
			},
			Goals: append([]race.Goal{
				race.Ahead(fastJSON, 1.5), race.Ahead(gJSON, 2.6), race.Ahead(jsonStruct, 7),
			}, more...),
		}, nil
	}
}

// validating decides bytes that nobody has checked, and checks them whole.
func validating(s jsonSize) Maker {
	return func(Size) (race.Work, error) {
		items := inputs.MakeItems(s.shape, s.n)
		checked := oursChecked(items)
		checked.Name = "the trusting mode"
		c := jsonContainer()
		return race.Work{
			Row: "G8", Name: s.name + ", validating",
			Sides: []race.Side{
				itemSide(race.Ours, items, func(item []byte) bool { return c.DecideJSON(item, inputs.Now).State == policy.Expired }),
				fastJSONSide(items), jsonV2Side(items), jsonSide(items), checked,
			},
			Goals: []race.Goal{
				race.Ahead(fastJSON, 1.3), race.Ahead(v2Struct, 4), race.Ahead(jsonStruct, 5.5),
				race.Within(checked.Name, 1.35),
			},
		}, nil
	}
}

func oursChecked(items [][]byte) race.Side {
	c := jsonContainer()
	checked := make([]policy.JSON, len(items))
	for i, item := range items {
		checked[i] = must(policy.ParseJSON(item))
	}
	return race.Side{Name: race.Ours, N: len(items), Do: func(from, to int) (count int64) {
		for i := from; i < to; i++ {
			count += b2i(c.Decide(&checked[i], inputs.Now).State == policy.Expired)
		}
		return count
	}}
}
