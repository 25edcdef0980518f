package peers

import (
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/moves"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/commandfunc"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A way prepares a policy and an input, and returns what is measured.
type way func(policy, input string) func()

var ways = map[string]way{
	"document": func(path, input string) func() { return decide(Index(path, nil), dated(input)) },
	"damaged-document": func(path, input string) func() {
		doc := dated(input)
		doc[len(doc)-10] = 1 // overwrites the NUL after the last name
		return decide(Index(path, nil), doc)
	},
	"filter": func(filter, input string) func() {
		x, doc := Index(DateField, fieldsOf(filter)), dated(input)
		if x.DecideBSON(doc, Now).Rule.IsUnspecified() {
			panic("nothing is decided by " + filter)
		}
		return decide(x, doc)
	},
	"collated-filter": func(filter, input string) func() { // a locale may treat different texts as equal
		s := filtered(filter)
		s.Collation = valueOf(`{"locale":"en"}`)
		return decide(Must(mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{s}}, Profile())), dated(input))
	},
	"list": func(filter, input string) func() {
		x, doc := Index(DateField, fieldsOf(filter)), &list{valueOf(input)}
		return func() { sink.decision = x.Decide(doc, Now) }
	},
	"collection": func(indexes, input string) func() { return decide(collection("{}", indexes), dated(input)) },
	"ladder": func(path, input string) func() {
		c, doc := Must(mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{IndexSpec(path)}}, Profile())), dated(input)
		return func() {
			if c.Consulted(c.DecideBSON(doc, Now)) == nil {
				panic("no rules")
			}
		}
	},
	"series": func(predicate, metadata string) func() {
		c := collection(`{"timeseries":{"timeField":"ts","metaField":"m"}}`, `[{"key":{"ts":1},"expireAfterSeconds":1,"partialFilterExpression":{"m":`+predicate+`}}]`)
		return decide(c, BSON(`{"m":`+metadata+`,"ts":{"$date":{"$numberLong":"`+strconv.Itoa(Now)+`"}}}`))
	},
	"bucket": func(_, bounds string) func() {
		c := collection(`{"timeseries":{"timeField":"ts"},"expireAfterSeconds":1}`, `[]`)
		return decide(c, BSON(`{"_id":{"$oid":"010000000000000000000000"},"control":{"min":`+bounds+`,"max":`+bounds+`}}`))
	},
	"item": func(_, text string) func() { // checked too, if it is well-formed
		c, item := Container(DefaultTTL), []byte(text)
		checked, err := policy.ParseJSON(item)
		return func() {
			sink.decision = c.DecideJSON(item, Now)
			if err == nil {
				sink.decision = c.Decide(&checked, Now)
			}
		}
	},
	"item-at-path": func(path, text string) func() {
		c, item := Must(cosmos.CompileContainer(cosmos.ContainerSpec{DefaultTTL: policy.Int32Value(5), TTLPropertyPath: path})), []byte(text)
		return func() { sink.decision = c.DecideJSON(item, Now) }
	},
	"api-document": func(path, input string) func() {
		return decide(Must(cosmos.CompileCollection(cosmos.CollectionSpec{
			Capabilities: []string{definition.CustomPathCapability},
			Indexes:      []cosmos.IndexSpec{{Key: ascending(path), ExpireAfterSeconds: policy.Int32Value(5)}},
		})), BSON(input))
	},
	"compile": func(filter, _ string) func() {
		s := filtered(filter)
		s.PartialFilterExpression = Must(policy.ParseBSON(BSON(filter))).Value() // as a catalog holds it
		return func() {
			_, sink.err = mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{s}}, Profile())
		}
	},
	"compile-collection": func(options, indexes string) func() {
		spec := specOf(options, indexes)
		return func() { _, sink.err = mongo.CompileCollection(spec, Profile()) }
	},
	"parse-collection": func(options, indexes string) func() {
		d := Must(policy.ParseBSON(BSON(`{"options":` + options + `,"indexes":` + indexes + `}`)))
		return func() { _, sink.err = mongo.ParseCollectionSpec(d.Field("options"), d.Field("indexes")) }
	},
	"parse-index": func(_, index string) func() {
		spec := valueOf(index)
		return func() { _, sink.err = mongo.ParseIndexSpec(spec) }
	},
	"create-indexes": func(indexes, index string) func() {
		spec, added := specOf("{}", indexes), fieldsOf(index)
		return func() { _, sink.err = commandfunc.F.ValidateCreateIndexes(spec, added, Profile(), Now) }
	},
	"coll-mod": func(indexes, body string) func() {
		spec, changed := specOf("{}", indexes), fieldsOf(body)
		return func() { _, sink.err = commandfunc.F.ValidateCollMod(spec, changed, Profile(), Now) }
	},
	"create": func(_, body string) func() {
		created := fieldsOf(body)
		return func() { _, sink.err = commandfunc.F.ValidateCreate(created, Profile(), Now) }
	},
	"move": func(filter, _ string) func() {
		s, from := filtered(filter), Must(mongo.ProfileOf(mongo.Version{Major: 8}))
		return func() { _, sink.err = moves.Assess(s, from, Profile(), moves.DumpRestore) }
	},
	"container": func(path, _ string) func() {
		spec := cosmos.ContainerSpec{DefaultTTL: policy.Int32Value(1), TTLPropertyPath: path}
		return func() {
			_, _, sink.err = cosmos.ValidateContainer(spec, nil)
			_, sink.err = cosmos.CompileContainer(spec)
		}
	},
	"parse-container": func(_, text string) func() {
		return func() { _, sink.err = cosmos.ParseContainerSpec([]byte(text)) }
	},
	"validate-item": func(_, text string) func() {
		item := Must(policy.ParseJSON([]byte(text)))
		return func() {
			sink.err = cosmos.ValidateItem(cosmos.ContainerSpec{DefaultTTL: policy.Int32Value(1)}, &item)
		}
	},
	"api-create-indexes": func(names, _ string) func() {
		var spec cosmos.CollectionSpec
		for name := range strings.SplitSeq(names, ",") {
			spec.Indexes = append(spec.Indexes, cosmos.IndexSpec{Key: ascending(name)})
		}
		added := cosmos.IndexSpec{Key: ascending("_ts"), ExpireAfterSeconds: policy.Int32Value(5)}
		return func() {
			sink.err = cosmos.ValidateCreateIndexes(spec, added)
			_, sink.err = cosmos.CompileCollection(spec)
		}
	},
	"read-bson": func(damaged, input string) func() {
		doc := BSON(input)
		if fromEnd := Must(strconv.Atoi(damaged)); fromEnd > 0 {
			doc[len(doc)-fromEnd] = 1
		}
		return func() { _, sink.err = policy.ParseBSON(doc) }
	},
	"read-text": func(_, input string) func() {
		text := []byte(input)
		return func() { _, sink.err = policy.ParseExtJSON(text) }
	},
	"read-json": func(_, input string) func() {
		text := []byte(input)
		return func() { _, sink.err = policy.ParseJSON(text) }
	},
}

// decide returns the decision about a raw document.
func decide(by interface {
	DecideBSON(doc []byte, now policy.Instant) policy.Decision
}, doc []byte) func() {
	return func() { sink.decision = by.DecideBSON(doc, Now) }
}

// A list is a database's own document with one array.
type list struct{ a policy.Value }

func (l *list) Field(string) policy.Value { return l.a }

// valueOf reads Extended JSON.
func valueOf(text string) policy.Value { return Must(policy.ParseExtJSON([]byte(text))) }

func fieldsOf(text string) policy.D { return policy.DOf(valueOf(text)) }

// dated is [BSON] with the deciding date added at the end.
func dated(text string) []byte {
	d := append(fieldsOf(text), policy.E{Key: DateField, Value: policy.DateValue(Now)})
	return Must(policy.AppendBSON(nil, policy.ObjectValue(d)))
}

func ascending(path string) policy.D { return policy.D{{Key: path, Value: policy.Int32Value(1)}} }

func filtered(filter string) mongo.IndexSpec {
	s := IndexSpec(DateField)
	s.PartialFilterExpression = valueOf(filter)
	return s
}

func specOf(options, indexes string) mongo.CollectionSpec {
	return Must(mongo.ParseCollectionSpec(valueOf(options), valueOf(indexes)))
}

func collection(options, indexes string) *mongo.Collection {
	return Must(mongo.CompileCollection(specOf(options, indexes), Profile()))
}
