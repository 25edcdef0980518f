package properties

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/conformance/internal/cases"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

var mongodbDefine = []property{
	{
		id: "mongodb-create-types", op: "mongodb.createIndexes",
		text:  "Whether an index is taken does not depend on the type of a whole expireAfterSeconds.",
		rules: []string{"mongo.createindexes-conversion"}, draw: drawCreateTypes,
	},
	{
		id: "mongodb-create-direction", op: "mongodb.createIndexes",
		text:  "Whether an index is taken does not depend on its direction.",
		rules: []string{"mongo.createindexes-seconds-range", "mongo.createindexes-seconds-negative"}, draw: drawCreateDirection,
	},
	{
		id: "mongodb-create-again", op: "mongodb.createIndexes",
		text:  "An index that exists already is taken again, and nothing is created.",
		rules: []string{"mongo.createindexes-no-op"}, draw: drawCreateAgain,
	},
	{
		id: "mongodb-create-beside", op: "mongodb.createIndexes", needs: []string{"several-indexes"},
		text:  "Whether an index is taken does not depend on an index of another field.",
		rules: []string{"mongo.createindexes-conflict"}, draw: drawCreateBeside,
	},
	{
		id: "mongodb-create-later", op: "mongodb.createIndexes",
		text:  "An index that is taken is taken at every later time too.",
		rules: []string{"mongo.createindexes-seconds-before-1970"}, draw: drawCreateLater,
	},
	{
		id: "mongodb-modify-types", op: "mongodb.collMod",
		text:  "What collMod makes of a whole expireAfterSeconds does not depend on its type.",
		rules: []string{"mongo.collmod-conversion"}, draw: drawModifyTypes,
	},
	{
		id: "mongodb-modify-address", op: "mongodb.collMod",
		text:  "collMod does the same to an index by its name as by its key.",
		rules: []string{"mongo.collmod-address"}, draw: drawModifyAddress,
	},
	{
		id: "mongodb-modify-again", op: "mongodb.collMod",
		text:  "A number that collMod takes it takes again when the index has it already.",
		rules: []string{"mongo.collmod-conversion", "mongo.collmod-reply"}, draw: drawModifyAgain,
	},
}

func drawCreateTypes(s cases.Source) trial {
	t := s.Target("mongodb.createIndexes", "")
	n := s.Seconds()
	c := s.CreateIndex(t, policy.Int32Value(int32(n)))
	var asked []cases.Case
	for _, number := range s.Numbers(n, t.Version) {
		asked = append(asked, c.With(number, "index", "expireAfterSeconds"))
	}
	return trial{asked, same}
}

// create draws a createIndexes with any expireAfterSeconds.
func create(s cases.Source) cases.Case {
	t := s.Target("mongodb.createIndexes", "")
	return s.CreateIndex(t, s.Setting(t.Version))
}

// fieldOf returns the field of the index that is asked for.
func fieldOf(c cases.Case) string { return policy.DOf(c.At("index", "key"))[0].Key }

func drawCreateDirection(s cases.Source) trial {
	c := create(s)
	return trial{[]cases.Case{c, c.With(cases.Pick(s, cases.Directions[1:]...), "index", "key", fieldOf(c))}, same}
}

func drawCreateAgain(s cases.Source) trial {
	t := s.Target("mongodb.createIndexes", "")
	c := s.CreateIndex(t, policy.Int32Value(int32(s.Seconds())))
	again := c.With(policy.ListValue(policy.A{c.At("index")}), "existing")
	return trial{[]cases.Case{c, again}, func(_ grades, answers []answer) string {
		created, _ := answers[1].out.Field("created").AsBool()
		switch {
		case answers[0].refused():
			return ""
		case answers[1].refused():
			return "the index is taken, and refused when it exists"
		case created:
			return "the index exists, and is created again"
		}
		return ""
	}}
}

func drawCreateBeside(s cases.Source) trial {
	c := create(s)
	other := cases.Index(fieldOf(c)+"b", policy.Int32Value(int32(s.Seconds())))
	return trial{[]cases.Case{c, c.With(policy.ListValue(policy.A{other}), "existing")}, same}
}

func drawCreateLater(s cases.Source) trial {
	t := s.Target("mongodb.createIndexes", "")
	now := s.ClockOfToday()
	c := s.CreateIndex(t, policy.Int64Value(int64(now/1000)+s.Range(-1, 1))).WithNow(now)
	after := c.WithNow(cases.Plus(c.Now(), s.Range(1, 2_000_000)))
	return trial{[]cases.Case{c, after}, func(_ grades, answers []answer) string {
		if !answers[0].refused() && answers[1].refused() {
			return "taken, and refused later"
		}
		return ""
	}}
}

// modify draws a collMod of an index's expireAfterSeconds.
func modify(s cases.Source, n int64) cases.Case {
	t := s.Target("mongodb.collMod", "")
	return s.ChangeIndex(t, policy.Int32Value(int32(n)))
}

// sameReply is the law that all are taken or refused alike, and report the
// same numbers.
func sameReply(x grades, answers []answer) string {
	if trouble := same(x, answers); trouble != "" {
		return trouble
	}
	for i, a := range answers[1:] {
		for _, name := range []string{"expireAfterSeconds_old", "expireAfterSeconds_new"} {
			first, second := whole(answers[0], name), whole(a, name)
			if first != second {
				return fmt.Sprintf("answers 1 and %d: %s %s, then %s", i+2, name, first, second)
			}
		}
	}
	return ""
}

// whole writes a number of a result without its fraction, whatever its type.
func whole(a answer, name string) string {
	v := a.out.Field(name)
	if n, ok := mongo.WholeSeconds(v); ok {
		return fmt.Sprint(n)
	}
	return v.String()
}

func drawModifyTypes(s cases.Source) trial {
	n := s.Seconds()
	c := modify(s, n)
	var asked []cases.Case
	for _, number := range s.Numbers(n, c.Target.Version) {
		asked = append(asked, c.With(number, "command", "index", "expireAfterSeconds"))
	}
	return trial{asked, sameReply}
}

func drawModifyAddress(s cases.Source) trial {
	c := modify(s, s.Seconds())
	c = c.With(s.Setting(c.Target.Version), "command", "index", "expireAfterSeconds")
	byName := c.With(policy.Value{}, "command", "index", "keyPattern").With(policy.StringValue("t_1"), "command", "index", "name")
	byKey := c.With(policy.Value{}, "command", "index", "name").With(c.At("existing", "0", "key"), "command", "index", "keyPattern")
	return trial{[]cases.Case{byName, byKey}, sameReply}
}

func drawModifyAgain(s cases.Source) trial {
	c := modify(s, s.Seconds())
	number := c.At("command", "index", "expireAfterSeconds")
	return trial{[]cases.Case{c, c.With(number, "existing", "0", "expireAfterSeconds")}, same}
}
