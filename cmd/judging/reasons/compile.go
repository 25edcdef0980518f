package reasons

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Compile compiles a definition of this repository; other modules call [CompileMongoDB] or
// [CompileContainer]. Its errors are those of [definition.Definition.Compile].
func Compile(d definition.Definition) (*Policy, error) {
	by, err := d.Compile()
	if err != nil {
		return nil, err
	}
	p := &Policy{Policy: *by}
	switch d.System {
	case definition.MongoDB:
		if err := p.describeMongoDB(); err != nil {
			return nil, err
		}
	case definition.CosmosMongo:
		for _, x := range p.CosmosCollection.Indexes {
			if !x.ExpireAfterSeconds.IsMissingOrNull() { // a compiled index has a key
				p.Sources = append(p.Sources, source(x.Name, x.Key[0].Key, x.ExpireAfterSeconds))
			}
		}
		p.Description = "Azure Cosmos DB for MongoDB, " + p.inWords()
	default:
		p.describeContainer()
	}
	return p, nil
}

// CompileMongoDB compiles a collection of MongoDB on a server of a release. Its errors are
// those of [mongo.ProfileOf] and [mongo.CompileCollection].
func CompileMongoDB(spec mongo.CollectionSpec, release mongo.Version) (*Policy, error) {
	return Compile(definition.OfMongoDB(spec, release, nil))
}

// CompileContainer compiles a container of Azure Cosmos DB for NoSQL. Its errors are those of
// [cosmos.CompileContainer].
func CompileContainer(spec cosmos.ContainerSpec) (*Policy, error) {
	return Compile(definition.OfContainer(spec))
}

func (p *Policy) describeMongoDB() error {
	p.Sources = mongoSources(p.Collection)
	if len(p.Sources) > 1 {
		for i := range p.Sources {
			p.Alone = append(p.Alone, mongofunc.F.OnlySource(p.Evaluator.(*mongo.Collection), i))
		}
	}
	if err := p.noteNullPath(); err != nil {
		return err
	}
	p.noteReadings()
	if !p.Collection.TimeSeries.IsMissing() && len(p.Sources) > 0 {
		p.Notes = append(p.Notes, "A measurement is judged as the first of a bucket of its own, from which nothing has been deleted. The server deletes stored buckets, by their own bounds, and may delete it earlier (mongo.timeseries-untouched).")
	}
	server := Server(p.Version(), p.IsAssumed)
	for _, e := range p.Parameters {
		server += fmt.Sprintf(" with %s=%v", e.Key, e.Value)
	}
	p.Description = server + ", " + p.inWords()
	return nil
}

// AssumedNote explains that the release is assumed, for outputs that say it
// once.
const AssumedNote = "Nothing names the release of the server, so the newest known is assumed; --server names it."

// Server names the server with its release, and says if the release is assumed.
func Server(release string, isAssumed bool) string {
	if isAssumed {
		release += " (assumed)"
	}
	return definition.ServerName(release)
}

// ttlText returns a defaultTtl in words.
func ttlText(ttl cosmos.TTL) string {
	n, ok := ttl.Seconds()
	switch {
	case ok:
		return strconv.Itoa(int(n))
	case ttl == cosmos.TTL{}:
		return "absent"
	case ttl == cosmos.TTLSeconds(-1):
		return "-1"
	}
	return "invalid"
}

func (p *Policy) describeContainer() {
	spec := p.Container
	setting, field := "defaultTtl "+ttlText(cosmos.TTLOf(spec.DefaultTTL)), "_ts"
	if spec.DefaultTTL.Kind() == policy.Null {
		setting = "defaultTtl null, which is switched off"
	}
	if spec.Repeated != "" {
		setting = "the setting " + spec.Repeated + " twice"
	}
	if path := strings.Trim(spec.TTLPropertyPath, "/"); path != "" {
		setting, field = setting+" from "+spec.TTLPropertyPath, strings.ReplaceAll(path, "/", ".")
	}
	p.Description = "Azure Cosmos DB for NoSQL, " + setting
	p.Sources = []Source{{Name: "container", Field: field, About: setting, Option: spec.DefaultTTL}}
}

// A Policy is a compiled policy whose TTL sources have names.
type Policy struct {
	definition.Policy
	// Description describes the policy in one line.
	Description string
	// Notes say how the policy was read if that is not obvious, and which parts have
	// no effect or are assumed, in whole sentences. Readers of policies add to them.
	Notes []string
	// Sources are the TTL sources by [policy.Decision.Source].
	Sources []Source
	// Alone holds an evaluator for each single source, if there are several sources.
	Alone []definition.Evaluator
	// before decides about null on dotted paths as servers up to 8.3 do. It is nil if the
	// release of the policy does so itself.
	before definition.Evaluator
}

// A Source is an index, or a setting of a collection or container, that gives documents a
// deadline. The zero Source is an unknown one.
type Source struct {
	Name  string // "createdAt_1"
	Field string // the dotted path of the field from which the time to live counts, such as "createdAt" or "_ts"
	About string // the deadline in words, "1 h after createdAt"
	// Option is its expireAfterSeconds or defaultTtl as stored; Missing for none.
	Option policy.Value
	NaN    bool // the source's expireAfterSeconds is NaN
	// NotNumber means that the source's expireAfterSeconds is not a number.
	NotNumber bool
	// ZeroBy identifies the rule by which the release reads the source's
	// expireAfterSeconds as 0 because it is NaN or not a number; "" if the release does
	// not.
	ZeroBy string
	// Wraps means that the source's milliseconds do not fit 64 bits, so that only their
	// low 64 bits count. Unfiltered means that the release ignores the source's partial
	// filter. Explanations of one document use both; tallies use neither.
	Wraps, Unfiltered bool
}

// nullPath is the rule by which null in a filter matches a path that ends early at an
// array.
func nullPath() policy.Rule { return Rule("mongo.filter-null-path") }

// wrap is the rule by which milliseconds are cut to 64 bits.
func wrap() policy.Rule { return Rule("mongo.seconds-wrap") }

// unfiltered is the rule by which a release ignores partial filters.
func unfiltered() policy.Rule { return Rule("mongo.filter-ignored") }

// noteNullPath prepares isByNullPath, which finds the documents that expire
// only by nullPath.
func (p *Policy) noteNullPath() error {
	legacy, err := p.Profile.WithParameter(behaviour.LegacyNullParameter, policy.BoolValue(true))
	if err != nil {
		return nil // a release without the parameter reads null in one way only
	}
	before, err := mongo.CompileCollection(p.Collection, legacy)
	p.before = before
	return err
}

// isByNullPath reports whether the decision d about doc follows from nullPath.
func (p *Policy) isByNullPath(d policy.Decision, doc policy.Document, now policy.Instant) bool {
	return p.before != nil && d.State != policy.Never && p.before.Decide(doc, now) != d
}

// zeroRule returns the rule by which a release may read the option of s as 0. In such a
// release every decision by this index consults the rule.
func (s *Source) zeroRule() policy.Rule {
	switch {
	case s.NaN:
		return Rule("mongo.nan-zero")
	case s.NotNumber:
		return Rule("mongo.seconds-not-number-zero")
	}
	return policy.Rule{}
}

// noteReadings notes at each source whether the release reads its option as 0, cuts its
// milliseconds to 64 bits, or ignores its filter.
func (p *Policy) noteReadings() {
	for i := range p.Sources {
		s, e := &p.Sources[i], p.Evaluator
		if len(p.Alone) > 0 {
			e = p.Alone[i]
		}
		consulted := e.Consulted(e.Decide(policy.D{}, 0))
		if zero := s.zeroRule(); !zero.IsZero() && slices.Contains(consulted, zero) {
			s.ZeroBy, s.About = zero.ID(), strings.Replace(s.About, nanText, nanText+", read as 0,", 1)
		}
		if slices.Contains(consulted, unfiltered()) {
			s.Unfiltered, s.About = true, strings.Replace(s.About, s.Field+" where ", s.Field+" whether or not ", 1)
		}
		if n, _ := mongofunc.WholeSeconds(s.Option); slices.Contains(consulted, wrap()) && (n > math.MaxInt64/1000 || n < math.MinInt64/1000) {
			s.Wraps, s.About = true, "what 64 bits hold of the milliseconds of "+s.About
		}
	}
}

// IDField returns the field that identifies documents, "_id" or "id".
func (p *Policy) IDField() string {
	if p.System == definition.CosmosNoSQL {
		return "id"
	}
	return "_id"
}

// Source returns the source by which d was decided.
func (p *Policy) Source(d policy.Decision) Source {
	if int(d.Source) < len(p.Sources) {
		return p.Sources[d.Source]
	}
	return Source{}
}
