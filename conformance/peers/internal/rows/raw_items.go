package rows

import (
	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/inputs"
	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/race"
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

// trusting decides bytes that were checked when they were stored.
func trusting(s jsonSize, more ...race.Goal) Maker {
	return func(Size) (race.Work, error) {
		items := inputs.MakeItems(s.shape, s.n)
		return race.Work{
			Row: "G7", Name: s.name + ", trusting",
			Sides: []race.Side{
				trustingOurs(race.Ours, items),
				fastJSONSide(items), gJSONSide(items), jsonSide(items), sonicSide(items),
			},
			Goals: append([]race.Goal{
				race.Ahead(fastJSON, 1.5), race.Ahead(gJSON, 2.6), race.Ahead(jsonStruct, 7),
			}, more...),
		}, nil
	}
}

func trustingOurs(name string, items [][]byte) race.Side {
	c := inputs.Container(inputs.DefaultTTL)
	var item policy.JSON // one for all, so that none is allocated
	return itemSide(name, items, func(text []byte) bool {
		item = policy.UncheckedJSON(text)
		return c.Decide(&item, inputs.Now).State == policy.Expired
	})
}

// validating decides bytes that nobody has checked, and checks them whole.
func validating(s jsonSize) Maker {
	return func(Size) (race.Work, error) {
		items := inputs.MakeItems(s.shape, s.n)
		trusted := trustingOurs("the trusting mode", items)
		c := inputs.Container(inputs.DefaultTTL)
		return race.Work{
			Row: "G8", Name: s.name + ", validating",
			Sides: []race.Side{
				itemSide(race.Ours, items, func(item []byte) bool { return c.DecideJSON(item, inputs.Now).State == policy.Expired }),
				fastJSONSide(items), jsonV2Side(items), jsonSide(items), trusted,
			},
			Goals: []race.Goal{
				race.Ahead(fastJSON, 1.3), race.Ahead(v2Struct, 4), race.Ahead(jsonStruct, 5.5),
				race.Within(trusted.Name, 1.35),
			},
		}, nil
	}
}
