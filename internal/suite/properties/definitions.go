package properties

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

var mongodbDefine = map[string]draw{
	"mongodb-create-types": func(s cases.Source) trial {
		t := s.Target("mongodb.createIndexes", "")
		n := s.Seconds()
		c := s.CreateIndex(t, policy.Int32Value(int32(n)))
		return trial{c.WithEach(s.Numbers(n, t.Version), "index", "expireAfterSeconds"), same}
	},
	"mongodb-create-direction": func(s cases.Source) trial {
		c := create(s)
		return trial{[]cases.Case{c, c.With(cases.Pick(s, cases.Directions[1:]...), "index", "key", fieldOf(c))}, same}
	},
	"mongodb-create-again": func(s cases.Source) trial {
		t := s.Target("mongodb.createIndexes", "")
		c := s.CreateIndex(t, policy.Int32Value(int32(s.Seconds())))
		again := c.With(policy.ListValue(policy.A{c.At("index")}), "existing")
		return trial{[]cases.Case{c, again}, func(x grades, answers []answer) string {
			if created, _ := answers[1].out.Field("created").AsBool(); created && !answers[0].refused() {
				return "the index exists, and is created again"
			}
			return accepted("the index is accepted, and refused when it exists")(x, answers)
		}}
	},
	"mongodb-create-beside": func(s cases.Source) trial {
		c := create(s)
		other := cases.Index(fieldOf(c)+"b", policy.Int32Value(int32(s.Seconds())))
		return trial{[]cases.Case{c, c.With(policy.ListValue(policy.A{other}), "existing")}, same}
	},
	"mongodb-create-later": func(s cases.Source) trial {
		t := s.Target("mongodb.createIndexes", "")
		now := s.ClockOfToday()
		c := s.CreateIndex(t, policy.Int64Value(int64(now/1000)+s.Range(-1, 1))).WithNow(now)
		after := c.WithNow(cases.Plus(c.Now(), s.Range(1, 2_000_000)))
		return trial{[]cases.Case{c, after}, accepted("accepted, and refused later")}
	},
	"mongodb-modify-types": func(s cases.Source) trial {
		n := s.Seconds()
		c := modify(s, n, "")
		return trial{c.WithEach(s.Numbers(n, c.Target.Version), "command", "index", "expireAfterSeconds"), sameReply}
	},
	"mongodb-modify-address": func(s cases.Source) trial {
		c := modify(s, s.Seconds(), "3.4.0") // up to 3.2 a name is ignored
		c = c.With(s.Setting(c.Target.Version), "command", "index", "expireAfterSeconds")
		byName := c.With(policy.Value{}, "command", "index", "keyPattern").With(policy.StringValue("t_1"), "command", "index", "name")
		byKey := c.With(policy.Value{}, "command", "index", "name").With(c.At("existing", "0", "key"), "command", "index", "keyPattern")
		return trial{[]cases.Case{byName, byKey}, sameReply}
	},
	"mongodb-modify-again": func(s cases.Source) trial {
		c := modify(s, s.Seconds(), "")
		number := c.At("command", "index", "expireAfterSeconds")
		return trial{[]cases.Case{c, c.With(number, "existing", "0", "expireAfterSeconds")}, same}
	},
}

// create draws a createIndexes with any expireAfterSeconds.
func create(s cases.Source) cases.Case {
	t := s.Target("mongodb.createIndexes", "")
	return s.CreateIndex(t, s.Setting(t.Version))
}

// fieldOf returns the field of the index in the question.
func fieldOf(c cases.Case) string { return policy.DOf(c.At("index", "key"))[0].Key }

// modify draws a collMod of an index's expireAfterSeconds, for a release from the given one
// on; "" for any.
func modify(s cases.Source, n int64, from string) cases.Case {
	t := s.Target("mongodb.collMod", from)
	return s.ChangeIndex(t, policy.Int32Value(int32(n)))
}

// sameReply is the law that all commands are accepted or refused alike, and
// report the same numbers.
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

// whole returns a number of a result without its fraction, whatever its type.
func whole(a answer, name string) string {
	v := a.out.Field(name)
	if n, ok := mongofunc.WholeSeconds(v); ok {
		return fmt.Sprint(n)
	}
	return v.String()
}
