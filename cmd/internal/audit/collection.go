package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/policyflags"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A collection is a collection of MongoDB as a listing or a dump describes it.
type collection struct {
	options policy.Value
	indexes policy.A
	notes   []string // how a text was read that is not a listing
}

// A collectionAudit is the audit of one collection.
type collectionAudit struct {
	Options
	target *Target
	spec   mongo.CollectionSpec
	raw    policy.A // the indexes as they were listed
	// collation is the collection's own, which an index is given that names none.
	collation policy.Value
	version   mongo.Version
	profile   mongo.Profile
	arrival   mongo.Profile // of the release that the data is to move to, the zero Profile for none
	// assumed means that nobody named the release.
	assumed   bool
	sources   []*source
	documents int64
	bytes     int64
	findings  []Finding
	options   policy.Value // of the collection, as they were listed
	read      []string     // how a text was read that is not a listing
	unnamed   bool         // a command lacks the collection's name
}

// A source is one thing that deletes, or should: an index, or the collection's
// own option.
type source struct {
	reasons.Part
	index    string // its name, empty for the collection's own option
	spec     mongo.IndexSpec
	raw      policy.Value      // the index as it was listed
	by       *mongo.Collection // Alone compiled, nil if the release cannot hold it
	idle     *policy.Rule      // by which it never deletes, nil if it may
	there    *mongo.Collection // what it becomes where it moves to, nil if no document need be asked about that
	crossing crossing          // of the documents, from here to there
	narrow   *mongo.Collection // what a narrower filter makes of it here, nil if none is proposed
	seen     []entry
}

func (c *collection) auditor(t *Target, o Options) (auditor, error) {
	if len(c.indexes) > maxIndexes {
		return nil, fmt.Errorf("%s: %d indexes of one collection, and a server allows 64; are these several collections?", t.File, len(c.indexes))
	}
	spec, err := mongo.ParseCollectionSpec(c.options, policy.ListValue(c.indexes))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.File, err)
	}
	if t.Database != "" && t.Name != "" {
		spec.Namespace = t.Database + "." + t.Name
	}
	a := &collectionAudit{Options: o, target: t, spec: clustered(spec), raw: c.indexes, collation: c.options.Field("collation"), options: c.options, read: c.notes}
	if err := a.choose(); err != nil {
		return nil, err
	}
	if _, err := mongo.CompileCollection(mongo.CollectionSpec{TimeSeries: spec.TimeSeries}, a.profile); err != nil {
		return nil, fmt.Errorf("%s: %w in MongoDB %s; --server names the release", t.File, err, a.version)
	}
	a.split()
	for _, s := range a.sources {
		a.inspect(s)
	}
	a.inspectNames()
	a.compare()
	return a, nil
}

// maxIndexes bounds the work: indexes are compared in pairs.
const maxIndexes = 500

// choose chooses the release whose rules count.
func (a *collectionAudit) choose() (err error) {
	a.version = a.Release
	if a.version == (mongo.Version{}) {
		if a.version, err = a.target.release(); err != nil {
			return err
		}
		if a.assumed = a.version == (mongo.Version{}); a.assumed {
			a.version = mongo.Latest
		}
	}
	if a.profile, err = mongo.ProfileOf(a.version); err != nil {
		return err
	}
	if a.MovingTo != (mongo.Version{}) {
		if a.arrival, err = mongo.ProfileOf(a.MovingTo); err != nil {
			return err
		}
	}
	return a.setParameters()
}

// releases names the two releases, or the one.
func (a *collectionAudit) releases() string {
	if a.MovingTo == (mongo.Version{}) {
		return a.version.String()
	}
	return a.version.String() + " and " + a.MovingTo.String()
}

// setParameters has both servers follow the parameters that are set, as far as
// each has them.
func (a *collectionAudit) setParameters() error {
	for _, p := range a.Parameters {
		here, err := a.profile.WithParameter(p.Key, p.Value)
		if err == nil {
			a.profile = here
		}
		if there, errThere := a.arrival.WithParameter(p.Key, p.Value); errThere == nil {
			a.arrival, err = there, nil
		}
		if err != nil {
			return cli.Usagef("--server-parameter: %w (MongoDB %s)", err, a.releases())
		}
	}
	return nil
}

// release returns the server's release as the dump notes it, the zero Version
// if it does not.
func (t *Target) release() (mongo.Version, error) {
	if t.dumped == nil {
		return mongo.Version{}, nil
	}
	return policyflags.DumpedRelease(t.dumped)
}

// clustered makes the index that a clustered collection lists for its own key
// what it is: the collection's own option.
func clustered(spec mongo.CollectionSpec) mongo.CollectionSpec {
	for i, x := range spec.Indexes {
		if !x.Clustered {
			continue
		}
		spec.Clustered = true
		if spec.ExpireAfterSeconds.IsMissing() {
			spec.ExpireAfterSeconds = x.ExpireAfterSeconds
		}
		spec.Indexes[i].ExpireAfterSeconds = policy.Value{}
	}
	return spec
}

// split finds the sources, each compiled by itself.
func (a *collectionAudit) split() {
	for _, p := range reasons.Parts(a.spec) {
		s := &source{Part: p}
		if p.Position >= 0 {
			s.spec, s.raw = a.spec.Indexes[p.Position], a.raw[p.Position]
			s.index = s.spec.Name
		}
		a.add(s)
	}
}

func (a *collectionAudit) add(s *source) {
	a.sources = append(a.sources, s)
	by, err := mongo.CompileCollection(s.Alone, a.profile)
	if err != nil {
		why := err.Error()
		if _, reason, ok := strings.Cut(why, "mongo: "); ok { // before that it says which index
			why = reason
		}
		a.report(s, Finding{
			Severity: Unspecified, Rule: reasons.Rule("mongo.filter-unspecified"),
			Text: fmt.Sprintf("MongoDB %s cannot hold this index (%s), so what it does is not established. If another release lists it, name that with --server.", a.version, why),
		})
		return
	}
	s.by, s.idle = by, idleRule(by)
}

// idleRule returns the rule by which a collection deletes no document at all,
// nil if it may delete some: the rule about a document without fields then is
// about that document.
func idleRule(c *mongo.Collection) *policy.Rule {
	rule := c.Decide(policy.D{}, 0).Rule
	if reasons.IsIdle(rule) {
		return rule
	}
	return nil
}

// report adds a finding about s.
func (a *collectionAudit) report(s *source, f Finding) {
	f.Index, f.Text = s.index, cli.Visible(f.Text)
	a.findings = append(a.findings, f)
}

func (a *collectionAudit) text() dump.Kind { return dump.ExtJSON }

func (a *collectionAudit) fields() ([]string, bool) { return reasons.FieldsOf(a.spec) }

func (a *collectionAudit) conclude() Result {
	if a.documents > 0 {
		for _, s := range a.sources {
			a.review(s)
		}
	}
	return Result{
		System: "MongoDB " + a.version.String(), Sources: len(a.sources),
		Documents: a.documents, Bytes: a.bytes, Notes: a.notes(), Findings: a.findings,
	}
}

// notes says how the policy was read, why there are no commands, and what listings have
// shown since 9.0 where that release was asked for.
func (a *collectionAudit) notes() []string {
	list := slices.Clone(a.read)
	if a.unnamed {
		list = append(list, "What is read names no collection, so that no command can be written for it; name it with --namespace, such as --namespace shop.logs.")
	}
	listed := a.profile.ListsSimpleCollation() && !a.assumed || a.arrival.ListsSimpleCollation()
	if !listed || !slices.ContainsFunc(a.sources, func(s *source) bool { return s.index != "" }) {
		return list
	}
	return append(list, `From feature compatibility version 9.0 on listIndexes shows the collation {locale: "simple"} for an index without one, which is the same (rule mongo.index-collation-listed). Mongoose before 8.24.5 and 9.10.4 takes it for a change: its syncIndexes drops such an index at each start and builds it again, and nothing expires by a TTL index while it is missing (SERVER-89953).`)
}

// replace fills in what stands for a part of s in a text.
func (a *collectionAudit) replace(s *source, text string) string {
	return strings.NewReplacer(
		"{release}", "MongoDB "+a.version.String(), "{option}", plain(s.Option), "{field}", cli.Visible(s.Field), "{type}", indexType(s.spec),
	).Replace(text)
}

// indexType names what kind of index a special one is.
func indexType(x mongo.IndexSpec) string {
	for _, e := range x.Key {
		if name, ok := e.Value.AsString(); ok && name != "" {
			return cli.Visible(name)
		}
	}
	return "wildcard"
}
