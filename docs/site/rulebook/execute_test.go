package rulebook

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/catalogtest"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A situation is a server on which the commands of a [Way] run.
type situation struct {
	name   string
	server *catalogtest.Server
	// names maps names in the commands to names in the situation, such as t to at.
	names map[string]string
	// kept means that the rule of the way keeps "coll/it". isUnspecified means that no source
	// settles the decision about it.
	kept, isUnspecified bool
	// isPlain means that the situation is not from a vector, so that a [Way] deletes at
	// once exactly the documents that its sentence names.
	isPlain bool
}

// today is 2026-11-20T12:00:00Z.
const today = policy.Instant(1_795_176_000_000)

// minutes are the ages of the dates in the documents of each situation.
var minutes = []int64{-60, 10, 59, 61, 23 * 60, 25 * 60, 8 * 24 * 60, 400 * 24 * 60, 60 * 366 * 24 * 60}

func ago(now policy.Instant, m int64) policy.Value {
	return policy.DateValue(now - policy.Instant(m*60_000))
}

// others returns documents with a date at a path: of all ages, inside and outside filters,
// and some without a date. Each has an old date in fields that no repair may name.
func others(now policy.Instant, path string) (all []catalogtest.Document) {
	add := func(name string, v policy.Value, variant int) {
		date := v
		seconds := today / 1000
		id := [12]byte{byte(seconds >> 24), byte(seconds >> 16), byte(seconds >> 8), byte(seconds), byte(len(all))}
		d := policy.D{{Key: "_id", Value: policy.ObjectIDValue(id)}}
		for _, other := range []string{"u", "expireAt2", "createdAt2"} {
			d = append(d, policy.E{Key: other, Value: ago(now, 400*24*60)})
		}
		within := []policy.E{{Key: "expireAt", Value: date}, {Key: "archived", Value: policy.BoolValue(variant == 0)}, {Key: "meta", Value: policy.ObjectValue(policy.D{{Key: "kind", Value: policy.StringValue([]string{"debug", "x"}[min(variant, 1)])}})}}
		if variant < 2 {
			inner := []policy.Value{policy.NullValue(), ago(now, 5)}[variant]
			within = append(within, policy.E{Key: "a", Value: policy.ObjectValue(policy.D{{Key: "b", Value: inner}})})
		}
		for _, e := range within {
			if top, _, _ := strings.Cut(path, "."); e.Key != top && !e.Value.IsMissing() {
				d = append(d, e)
			}
		}
		all = append(all, catalogtest.Document{Name: name, Value: put(d, strings.Split(path, "."), v)})
	}
	for variant := range 3 {
		for _, m := range minutes {
			add(fmt.Sprintf("%d minutes, %d", m, variant), ago(now, m), variant)
		}
		add(fmt.Sprintf("missing, %d", variant), policy.Value{}, variant)
		add(fmt.Sprintf("null, %d", variant), policy.NullValue(), variant)
	}
	for _, text := range []string{"2026-11-19T00:00:00Z", "2027-11-19T00:00:00+01:00", "2026-11-18T00:00:00", "2026-11-20 10:00:00", "18/11/2026"} {
		add(text, policy.StringValue(text), 0)
	}
	add("seconds", policy.Int32Value(int32(today/1000-7200)), 0)
	add("milliseconds", policy.Int64Value(int64(today)-7_200_000), 0)
	add("empty", policy.ListValue(policy.A{}), 0)
	return all
}

// put returns a document with a value at a path.
func put(d policy.D, path []string, v policy.Value) policy.D {
	if len(path) > 1 {
		v = policy.ObjectValue(put(nil, path[1:], v))
	}
	d = slices.DeleteFunc(slices.Clone(d), func(e policy.E) bool { return e.Key == path[0] })
	if v.IsMissing() {
		return d
	}
	return append(d, policy.E{Key: path[0], Value: v})
}

// items are items of a container, or documents of the API for MongoDB.
func items(now policy.Instant) (all []catalogtest.Document) {
	for _, m := range minutes {
		for _, ttl := range []int64{0, 60, -1} {
			d := policy.D{{Key: "id", Value: policy.StringValue("1")}, {Key: "_ts", Value: policy.Int64Value(int64(now)/1000 - m*60)}}
			if ttl != 0 {
				d = append(d, policy.E{Key: "ttl", Value: policy.Int32Value(int32(ttl))})
			}
			if d[1].Value.Kind() == policy.Int64 && int64(now)/1000-m*60 > 0 {
				all = append(all, catalogtest.Document{Name: fmt.Sprintf("%d minutes, ttl %d", m, ttl), Value: d})
			}
		}
	}
	all = append(all, catalogtest.Document{Name: "1", Value: policy.D{{Key: "_id", Value: policy.Int32Value(1)}, {Key: "_ts", Value: policy.Int64Value(int64(now)/1000 - 30)}}})
	return all
}

func value(t *testing.T, text string) policy.Value {
	t.Helper()
	v, err := policy.ParseExtJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// withNames returns indexes as drivers send them, with names.
func withNames(indexes policy.A) (all policy.A) {
	for _, x := range indexes {
		all = append(all, policy.ObjectValue(command.WithDefaultName(policy.DOf(x))))
	}
	return all
}

// apiIndexes returns indexes of the API for MongoDB. It reports false if one of them cannot
// be read.
func apiIndexes(indexes policy.A) (all []cosmos.IndexSpec, ok bool) {
	for _, text := range withNames(indexes) {
		x, err := cosmos.ParseIndexSpec(text)
		if err != nil {
			return nil, false
		}
		x.Name, _ = text.Field("name").AsString()
		all = append(all, x)
	}
	return all, true
}

// onMongo returns a server with one collection of MongoDB. It reports false for options
// or indexes that the release does not read.
func onMongo(t *testing.T, name, release, options, indexes string, now policy.Instant) (s situation, ok bool) {
	t.Helper()
	spec, err := mongo.ParseCollectionSpec(value(t, options), policy.ListValue(withNames(policy.AOf(value(t, indexes)))))
	if err != nil {
		return s, false
	}
	field, index := "t", "t_1"
	for _, x := range spec.Indexes {
		if len(x.Key) > 0 && (!x.ExpireAfterSeconds.IsMissing() || len(spec.Indexes) == 1) {
			field, index = x.Key[0].Key, x.Name
			break
		}
	}
	s = situation{name: name, names: map[string]string{"t": field, "t_1": index}}
	path := field
	isSeries := !spec.TimeSeries.IsMissing()
	if timeField, has := spec.TimeSeries.Field("timeField").AsString(); has {
		s.names["t"], path = timeField, timeField
	}
	if spec.Clustered {
		path = "_id"
	}
	for _, x := range spec.Indexes {
		for _, e := range policy.DOf(x.PartialFilterExpression) {
			if _, has := s.names["a.b"]; !has && e.Value.Kind() == policy.Null {
				s.names["a.b"] = e.Key
			}
		}
	}
	s.server = &catalogtest.Server{System: definition.MongoDB, Release: release, Now: now, Collections: map[string]*catalogtest.Collection{
		"coll": {Mongo: spec, Documents: slices.DeleteFunc(others(now, path), func(d catalogtest.Document) bool {
			// Dates before 1970 are left out, because with them 8.0.4 skips a whole time
			// series.
			return (isSeries || spec.Clustered) && strings.HasPrefix(d.Name, "31622400 ")
		})},
	}}
	_, err = s.server.Gone(now)
	return s, err == nil
}

// plain returns situations that no vector of the rule has.
func plain(t *testing.T) (all []situation) {
	for _, x := range []struct{ name, release, options, indexes string }{
		{"no index", "8.0.4", `{}`, `[]`},
		{"an index", "8.0.4", `{}`, `[{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":3600}]`},
		{"an index with NaN", "4.4.29", `{}`, `[{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":{"$numberDouble":"NaN"}}]`},
		{"an index without a delay", "8.0.4", `{}`, `[{"v":2,"key":{"t":1},"name":"t_1"}]`},
		{"a filter for null", "8.0.4", `{}`, `[{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":3600,"partialFilterExpression":{"a.b":null}}]`},
		{"a filter for null in 9.0", fixture.Latest, `{}`, `[{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":3600,"partialFilterExpression":{"a.b":null}}]`},
		{"a clustered collection", "8.0.4", `{"clusteredIndex":{"v":2,"key":{"_id":1},"name":"_id_","unique":true},"expireAfterSeconds":2592000}`, `[]`},
		{"a time series", "8.0.4", `{"timeseries":{"timeField":"t","metaField":"meta","granularity":"seconds"},"expireAfterSeconds":2592000}`, `[]`},
		{"a time series without a delay", "8.0.4", `{"timeseries":{"timeField":"t","metaField":"meta","granularity":"seconds"}}`, `[]`},
	} {
		s, ok := onMongo(t, x.name, x.release, x.options, x.indexes, today)
		if !ok {
			t.Fatalf("%s: it cannot be", x.name)
		}
		s.isPlain = true
		s.names = nil
		all = append(all, s)
	}
	paused := all[1]
	paused.name, paused.server = "a monitor that is paused", paused.server.Clone()
	paused.server.IsPaused = true
	return append(all, paused)
}

// plainCosmos returns situations with containers, and with collections of the API for
// MongoDB.
func plainCosmos(t *testing.T) (all []situation) {
	for _, text := range []string{`{}`, `{"defaultTtl":-1}`, `{"defaultTtl":3600}`, `{"defaultTtl":3600,"analyticalStorageTtl":3600}`} {
		spec, err := cosmos.ParseContainerSpec([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, situation{name: text, server: &catalogtest.Server{System: definition.CosmosNoSQL, Now: today, Collections: map[string]*catalogtest.Collection{
			"coll": {Container: spec, Documents: items(today)},
		}}})
	}
	field := cosmos.IndexSpec{Name: "t_1", Key: policy.D{{Key: "t", Value: policy.Int32Value(1)}}, ExpireAfterSeconds: policy.Int32Value(3600)}
	all = append(all, situation{name: "an index on a field of its own", server: &catalogtest.Server{System: definition.CosmosMongo, Release: "7.0", Now: today, Collections: map[string]*catalogtest.Collection{
		"coll": {API: cosmos.CollectionSpec{Indexes: []cosmos.IndexSpec{field}, Capabilities: []string{definition.CustomPathCapability}}, Documents: items(today)},
	}}})
	for _, seconds := range []int32{0, -1, 3600} {
		spec := cosmos.CollectionSpec{}
		if seconds != 0 {
			spec.Indexes = []cosmos.IndexSpec{{Name: "_ts_1", Key: policy.D{{Key: "_ts", Value: policy.Int32Value(1)}}, ExpireAfterSeconds: policy.Int32Value(seconds)}}
		}
		all = append(all, situation{name: fmt.Sprintf("an index on _ts with %d, 0 for none", seconds), server: &catalogtest.Server{System: definition.CosmosMongo, Release: "7.0", Now: today, Collections: map[string]*catalogtest.Collection{
			"coll": {API: spec, Documents: items(today)},
		}}})
	}
	return all
}

// ofVectors returns the situations of the vectors that the rule of p decides.
func ofVectors(t *testing.T, p *Page) (all []situation) {
	t.Helper()
	for _, c := range slices.Concat(p.Cases, p.Also) {
		now, ok := c.Now()
		a := p.AnswerOn(c)
		if !ok || now <= 0 || now > today*2 || a.Decider != p || a.State == "either" || len(a.Scope.Parameters) > 0 || len(all) == 20 {
			continue
		}
		text := func(name, otherwise string) string {
			if raw, has := c.in[name]; has {
				return string(raw)
			}
			return otherwise
		}
		var s situation
		switch c.Op {
		case "mongodb.decide":
			s, ok = onMongo(t, c.ID, a.Latest, text("collection", "{}"), text("indexes", "[]"), now)
			if ok {
				coll := s.server.Collections["coll"]
				coll.Documents = append(coll.Documents, catalogtest.Document{Name: "it", Value: policy.DOf(value(t, text("document", "{}")))})
			}
		case "cosmos.decide":
			spec, err := cosmos.ParseContainerSpec(c.in["container"])
			item, wrong := policy.ParseJSON(c.in["item"])
			ok = err == nil && wrong == nil
			s = situation{name: c.ID, server: &catalogtest.Server{System: definition.CosmosNoSQL, Now: now, Collections: map[string]*catalogtest.Collection{
				"coll": {Container: spec, Documents: append(items(now), catalogtest.Document{Name: "it", Value: &item})},
			}}}
		case "cosmosmongo.decide":
			s, ok = onAPI(t, c, a, now)
		default:
			ok = false
		}
		if ok {
			s.isUnspecified = a.State == "unspecified"
			s.kept = s.isUnspecified || a.State == "never"
			mark(s)
			all = append(all, s)
		}
	}
	return all
}

// mark gives the document of a vector an old date in u, a field that no repair may name.
// The other documents have that date already.
func mark(s situation) {
	docs := s.server.Collections["coll"].Documents
	i := len(docs) - 1
	if docs[i].Value.Field("u").IsMissing() && s.names["t"] != "u" && s.server.System != definition.CosmosNoSQL {
		docs[i].Value = put(policy.DOf(policy.ObjectValue(docs[i].Value)), []string{"u"}, ago(s.server.Now, 400*24*60))
	}
}

func onAPI(t *testing.T, c *Case, a Answer, now policy.Instant) (s situation, ok bool) {
	spec := cosmos.CollectionSpec{Capabilities: a.Scope.Capabilities}
	if spec.Indexes, ok = apiIndexes(policy.AOf(value(t, string(c.in["indexes"])))); !ok {
		return s, false
	}
	names := map[string]string{}
	if len(spec.Indexes) > 0 && len(spec.Indexes[0].Key) > 0 {
		names = map[string]string{"t": spec.Indexes[0].Key[0].Key, "t_1": spec.Indexes[0].Name}
	}
	s = situation{name: c.ID, names: names, server: &catalogtest.Server{System: definition.CosmosMongo, Release: a.Latest, Now: now, Collections: map[string]*catalogtest.Collection{
		"coll": {API: spec, Documents: items(now)},
	}}}
	coll, it := s.server.Collections["coll"], policy.DOf(value(t, string(c.in["document"])))
	if ts, has := c.in["_ts"]; has {
		it = put(it, []string{"_ts"}, value(t, string(ts)))
	}
	coll.Documents = append(coll.Documents, catalogtest.Document{Name: "it", Value: it})
	_, err := s.server.Gone(now)
	return s, err == nil
}

// horizons are the times at which the test checks which documents were deleted, in seconds
// after the commands.
var horizons = []int32{0, 1, 59 * 60, 3600, 2 * 3600, 86399, 2 * 86400, 8 * 86400, 400 * 86400, 20000 * 86400}

// A trial is the effect of the commands of a [Way] in a situation.
type trial struct {
	situation
	after  *catalogtest.Server
	last   catalogtest.Outcome
	change bool
	// more are the documents that the commands delete by each horizon, and that would
	// otherwise be kept.
	more []map[string]bool
	gone map[string]bool // the documents that the commands delete at once
}

// try runs the commands. It returns an error if a command is refused or not known.
func try(s situation, commands []string) (r trial, err error) {
	r = trial{situation: s, after: s.server.Clone()}
	for _, command := range commands {
		if r.last, err = run(r.after, command, s.names); err != nil {
			return r, fmt.Errorf("%s: %s: %w", s.name, command, err)
		}
		r.change = r.change || r.last.Changes
	}
	for i, h := range horizons {
		at, ok := s.server.Now.Add(h)
		if !ok {
			break
		}
		before, err := s.server.Gone(at)
		if err != nil {
			return r, err
		}
		after, err := r.after.Gone(at)
		if err != nil {
			return r, fmt.Errorf("%s: afterwards %w", s.name, err)
		}
		if i == 0 {
			r.gone = after
		}
		more := map[string]bool{}
		for name := range after {
			if !before[name] {
				more[name] = true
			}
		}
		r.more = append(r.more, more)
	}
	return r, nil
}

// promises are the sentences about documents that are deleted at once. holds reports
// whether a sentence names a document.
var promises = []struct {
	pattern *regexp.Regexp
	holds   func(m []string, server *catalogtest.Server, d policy.Document) bool
}{
	{regexp.MustCompile(`^every (?:document|copy)( that the filter takes in and)? whose (\S+) is (?:more than 1 (h|d) ago|past)$`), func(m []string, s *catalogtest.Server, d policy.Document) bool {
		archived, _ := d.Field("archived").AsBool()
		return (m[1] == "" || archived) && isOlder(s.Now, d.Field(m[2]), m[3])
	}},
	{regexp.MustCompile(`^every document whose _id is more than 1 d ago, and every bucket whose span ended then$`), func(m []string, s *catalogtest.Server, d policy.Document) bool {
		if s.Collections["coll"].Mongo.Clustered {
			return isOlder(s.Now, d.Field("_id"), "d")
		}
		return isOlder(s.Now, bucketEnd(d), "d")
	}},
	{regexp.MustCompile(`^every bucket( that the filter takes in and)? whose span ended more than 1 (h|d) ago$`), func(m []string, s *catalogtest.Server, d policy.Document) bool {
		kind, _ := d.Field("meta").Field("kind").AsString()
		return (m[1] == "" || kind == "debug") && isOlder(s.Now, bucketEnd(d), m[2])
	}},
	{regexp.MustCompile(`^every document whose t is a (string with a zone|string without a zone|number of seconds|number of milliseconds) and stands for a time more than expireAfterSeconds seconds ago$`), func(m []string, s *catalogtest.Server, d policy.Document) bool {
		v := d.Field("t")
		text, isText := v.AsString()
		n, _ := v.AsInt64()
		hourAgo := int64(s.Now) - 3_600_000
		switch m[1] {
		case "string with a zone":
			return isText && text < "2026-11-20T11" && strings.HasSuffix(text, "Z")
		case "string without a zone":
			return isText && strings.HasPrefix(text, "2026-11-1") && !strings.HasSuffix(text, "Z") // 12 hours later in the last zone
		case "number of seconds":
			return v.Kind().IsNumber() && 0 < n && n < 100_000_000_000 && 1000*n < hourAgo
		}
		return v.Kind().IsNumber() && n >= 100_000_000_000 && n < hourAgo
	}},
	{regexp.MustCompile(`^every document that is past its deadline$`), func(m []string, s *catalogtest.Server, d policy.Document) bool {
		return isOlder(s.Now, d.Field("t"), "h")
	}},
	{regexp.MustCompile(`^every (?:item|document) that was last written more than its own ttl seconds ago(, and every one without a ttl that was last written more than 1 h ago)?$`), func(m []string, s *catalogtest.Server, d policy.Document) bool {
		ts, _ := d.Field("_ts").AsInt64()
		return isOver(s.Now, d) || m[1] != "" && d.Field("ttl").IsMissing() && ts+3600 <= int64(s.Now)/1000
	}},
}

// bucketEnd returns the end of the bucket of an hour that begins with a measurement.
func bucketEnd(d policy.Document) policy.Value {
	i, ok := d.Field("t").AsDate()
	if !ok {
		return policy.Value{}
	}
	return policy.DateValue(i - i%60_000 + 3_600_000)
}

// isOver reports whether an item was last written at least its own ttl seconds ago.
func isOver(now policy.Instant, d policy.Document) bool {
	ttl, _ := d.Field("ttl").AsInt64()
	ts, _ := d.Field("_ts").AsInt64()
	return ttl > 0 && ts+ttl <= int64(now)/1000
}

// at returns the value at a path, which leads through no array.
func at(d policy.Document, path string) policy.Value {
	v := policy.ObjectValue(d)
	for name := range strings.SplitSeq(path, ".") {
		v = v.Field(name)
	}
	return v
}

// isOlder reports whether a Date is at least one unit old; with the unit "", whether the
// Date is past.
func isOlder(now policy.Instant, v policy.Value, unit string) bool {
	i, ok := v.AsDate()
	return ok && i+policy.Instant(spans[unit]*1000) <= now
}

var (
	deletes = regexp.MustCompile(`^This deletes (.+), as soon as it runs\.$`)
	nothing = regexp.MustCompile(`^Nothing goes at once: [^.]*\b(an hour|a week)\b[^.]*\.$`)
)

// promised returns a function that reports whether a sentence names a document as deleted
// at once, and the collection of the document.
func promised(sentence string) (holds func(*catalogtest.Server, policy.Document) bool, collection string, ok bool) {
	m := deletes.FindStringSubmatch(sentence)
	if m == nil {
		return nil, "", false
	}
	for _, c := range promises {
		if found := c.pattern.FindStringSubmatch(m[1]); found != nil {
			collection = "coll"
			if strings.Contains(m[1], "every copy ") {
				collection = "coll_new"
			}
			return func(s *catalogtest.Server, d policy.Document) bool { return c.holds(found, s, d) }, collection, true
		}
	}
	return nil, "", false
}

// faultsOf returns the differences between the effect of a [Way] of p's repair and its
// intent.
func faultsOf(p *Page, w Way, vectors, plain []situation) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if len(w.Commands) == 0 || w.Text == "" {
		fault("it has no text, or no command")
	}
	if (w.AtOnce != "") != (w.Intent == Expire) {
		fault("its intent is %q, and at once it says %q", w.Intent, w.AtOnce)
	}
	var trials []trial
	for _, s := range slices.Concat(vectors, plain) {
		r, err := try(s, w.Commands)
		if errors.Is(err, catalogtest.ErrUnknown) {
			fault("%v", err)
			continue
		}
		if err == nil {
			trials = append(trials, r)
		}
	}
	if len(trials) == 0 {
		fault("no situation accepts %q", w.Commands)
	}
	switch w.Intent {
	case Look:
		return append(faults, lookFaults(w.Commands[0], trials)...)
	case Keep:
		return append(faults, keepFaults(trials)...)
	case Expire:
		return append(faults, expireFaults(p, w, trials)...)
	}
	fault("it has the intent %q", w.Intent)
	return faults
}

func lookFaults(command string, trials []trial) (faults []string) {
	asked, found := false, false
	for _, r := range trials {
		if r.change {
			faults = append(faults, r.name+": it changes something")
		}
		if r.kept && r.last.Asked && !strings.Contains(command, "archived") { // the reader replaces such a filter
			asked, found = true, found || r.last.Found["coll/it"]
			goes, err := r.server.Gone(r.server.Now + 20000*86400*1000)
			for name := range r.last.Found {
				if err != nil || goes[name] {
					faults = append(faults, r.name+": it finds "+name+", which has a deadline")
					break
				}
			}
		}
	}
	if asked && !found {
		faults = append(faults, "it finds none of the documents that the rule keeps")
	}
	return faults
}

func keepFaults(trials []trial) (faults []string) {
	for _, r := range trials {
		if !r.change {
			faults = append(faults, r.name+": it changes nothing")
		}
		for i, more := range r.more {
			if len(more) > 0 {
				faults = append(faults, fmt.Sprintf("%s: %s goes after %d s, and would not have gone", r.name, slices.Min(slices.Collect(maps.Keys(more))), horizons[i]))
				break
			}
		}
	}
	return faults
}

func expireFaults(p *Page, w Way, trials []trial) (faults []string) {
	fault := func(r trial, format string, args ...any) {
		faults = append(faults, r.name+": "+fmt.Sprintf(format, args...))
	}
	holds, collection, deletesAtOnce := promised(w.AtOnce)
	later := nothing.FindStringSubmatch(w.AtOnce)
	if !deletesAtOnce && later == nil {
		return append(faults, "it does not say what goes at once in words that are known: "+w.AtOnce)
	}
	effect, exact := false, false
	concerned, mended := false, false
	for _, r := range trials {
		for i, more := range r.more {
			if len(more) > 0 {
				effect = true
			}
			early := map[string]int32{"an hour": 3600, "a week": 7 * 86400}
			if later != nil && len(more) > 0 && horizons[i] < early[later[1]] {
				fault(r, "%d go after %d s, and it says that nothing goes before %s", len(more), horizons[i], later[1])
			}
		}
		if r.kept && strings.Contains(w.Commands[0], "update") && w.For != "local text" { // no vector has such a text
			concerned, mended = true, mended || r.more[len(r.more)-1]["coll/it"]
		}
		if !deletesAtOnce {
			exact = true
			continue
		}
		coll := r.after.Collections[collection]
		if coll == nil {
			continue
		}
		missed := 0
		for _, d := range coll.Documents {
			name := collection + "/" + d.Name
			said := d.Name == "it" || holds(r.server, original(r, collection, d))
			if r.more[0][name] && !said {
				fault(r, "%s goes at once, and it does not say so", name)
			}
			if said && !r.gone[name] {
				missed++
			}
		}
		exact = exact || r.isPlain && missed == 0 && len(r.more[0]) > 0 || !r.isPlain && r.server.System != definition.MongoDB && len(r.more[0]) > 0
		if r.isPlain && missed > 0 && len(r.more[0]) > 0 {
			fault(r, "%d documents stay that it says it deletes at once", missed)
		}
	}
	if !effect {
		faults = append(faults, "it lets no document expire")
	}
	if !exact {
		faults = append(faults, "what it deletes at once was seen in no situation")
	}
	if concerned && !mended {
		faults = append(faults, "no document that the rule keeps gets a deadline")
	}
	return faults
}

// original returns the document as it was before the commands.
func original(r trial, collection string, d catalogtest.Document) policy.Document {
	if before := r.server.Collections[collection]; before != nil {
		for _, x := range before.Documents {
			if x.Name == d.Name {
				return x.Value
			}
		}
	}
	return d.Value
}

// situationsFor returns the situations in which a way is tried: own are from the vectors
// of the rule, and rest are the plain situations that fit the way.
func situationsFor(t *testing.T, p *Page, w Way, vectors, plain []situation) (own, rest []situation) {
	t.Helper()
	pauses := slices.ContainsFunc(w.Commands, func(c string) bool { return strings.Contains(c, "setParameter: 1, ttlMonitorEnabled") })
	for _, s := range vectors {
		if s.isUnspecified && w.Intent != Look {
			continue
		}
		if w.Intent != Keep || !w.Raises || raises(w, s) {
			own = append(own, s)
		}
	}
	for _, s := range plain {
		isMongo := s.server.System == definition.MongoDB
		switch {
		case isMongo == (p.Engine.Slug == "cosmos"):
		case s.server.IsPaused != pauses:
		case isMongo && !ofKind(p, s.server.Collections["coll"].Mongo):
		case w.Intent == Expire && strings.HasPrefix(s.name, "a filter"):
		case strings.HasPrefix(p.Slug, "mongo-") != (s.server.System == definition.CosmosMongo) && !isMongo:
		case w.Intent == Keep && isMongo && (strings.HasPrefix(s.name, "no index") || strings.Contains(s.name, "NaN") || strings.Contains(s.name, "without") || strings.HasPrefix(s.name, "a filter") != strings.Contains(w.Commands[len(w.Commands)-1], "partialFilter")) && w.Raises:
		case w.Intent != Look && !isMongo && len(own) > 0 && nothing.FindString(w.AtOnce) == "":
		default:
			rest = append(rest, s)
		}
	}
	return own, rest
}

// ofKind reports whether a rule may be about a collection of this kind.
func ofKind(p *Page, c mongo.CollectionSpec) bool {
	isSeries := !c.TimeSeries.IsMissing()
	switch {
	case strings.Contains(p.Slug, "timeseries"), p.Slug == "create-buckets":
		return isSeries
	case strings.Contains(p.Slug, "clustered") && !strings.Contains(p.Slug, "capped"):
		return c.Clustered
	case strings.HasPrefix(p.Slug, "collection-seconds-"):
		return isSeries || c.Clustered
	}
	return !isSeries && !c.Clustered
}

// raises reports whether every present delay is a whole number from 0 to 3600 seconds.
func raises(w Way, s situation) bool {
	coll := s.server.Collections["coll"]
	list := []policy.Value{coll.Container.DefaultTTL}
	if s.server.System == definition.MongoDB {
		list = nil
		for _, x := range coll.Mongo.Indexes {
			if !x.ExpireAfterSeconds.IsMissing() {
				list = append(list, x.ExpireAfterSeconds)
			}
		}
	}
	return len(list) > 0 && !slices.ContainsFunc(list, func(v policy.Value) bool {
		n, ok := mongofunc.WholeSeconds(v)
		return !ok || n < 0 || n > 3600 || v.IsNaN()
	})
}

// TestRepairsKeepTheirWord carries out the commands of every page on the policies and
// documents of the rule's vectors and on plain ones. A [Way] with the intent Keep lets no
// document expire that would have stayed, now or later. With Expire it deletes at once
// the documents that its sentence names. With Look it changes nothing, and finds what the
// rule is about.
func TestRepairsKeepTheirWord(t *testing.T) {
	plain := slices.Concat(plain(t), plainCosmos(t))
	for _, p := range all() {
		vectors := ofVectors(t, p)
		for _, w := range p.Repair.Ways {
			own, rest := situationsFor(t, p, w, vectors, plain)
			for _, fault := range faultsOf(p, w, own, rest) {
				t.Errorf("%s, %s, %q: %s", p.ID(), w.Intent, w.Commands, fault)
			}
		}
	}
}

// mutations are mistakes that the text of a repair may contain.
var mutations = []struct {
	name, from, to string
}{
	{"a wrong field", `{t:`, `{u:`},
	{"a wrong field", `{expireAt:`, `{expireAt2:`},
	{"a wrong field", `{_ts: 1}`, `{u: 1}`},
	{"a wrong field", `"$t"`, `"$u"`},
	{"a wrong number", `: 3600`, `: 60`},
	{"a wrong number", `: 86400`, `: 60`},
	{"a wrong number", `expireAfterSeconds: 0`, `expireAfterSeconds: 3600`},
	{"a wrong number", `604800000`, `604800`},
	{"a wrong number", `--ttl 86400`, `--ttl 60`},
	{"a wrong number", `--ttl 3600`, `--ttl 60`},
	{"a wrong number", `ttl -1`, `ttl 60`},
	{"a wrong number", `"ttl": -1`, `"ttl": 60`},
	{"a wrong number", `NumberInt(-1)`, `NumberInt(60)`},
	{"a wrong number", `expireAfterSeconds: -1`, `expireAfterSeconds: 3600`},
	{"a delay where none should be", `createIndex({t: 1})`, `createIndex({t: 1}, {expireAfterSeconds: 3600})`},
	{"a delay where none should be", `"off"`, `60`},
	{"now in place of a week ahead", `{$add: ["$$NOW", 604800000]}`, `"$$NOW"`},
	{"a filter that is inverted", `{"a.b": {$type: "null"}}`, `{"a.b": {$exists: true}}`},
	{"a filter that is left out", `, partialFilterExpression: {archived: true}`, ``},
	{"a filter that is inverted", `partialFilterExpression: {archived: true}`, `partialFilterExpression: {archived: false}`},
	{"a filter that is inverted", `"debug"`, `"x"`},
	{"a filter that is inverted", `{$type: "string"}`, `{$type: "date"}`},
	{"a filter that is inverted", `updateMany({t: null}`, `updateMany({t: {$exists: true}}`},
	{"a filter for null in place of []", `({t: []}`, `({t: null}`},
	{"a bound that is inverted", `{$lt: ISODate`, `{$gte: ISODate`},
	{"a deletion in place of a look", `countDocuments(`, `deleteMany(`},
	{"a deletion in place of a look", `.find({t: {$lt`, `.deleteMany({t: {$lt`},
	{"a pause in place of the monitor", `ttlMonitorEnabled: true`, `ttlMonitorEnabled: false`},
	{"another index dropped", `dropIndex("t_1")`, `dropIndex("u_1")`},
	{"another index dropped", `dropIndex("_ts_1")`, `dropIndex("u_1")`},
}

// TestWrongRepairsAreSeen: if a repair is given a wrong field, a wrong number, an
// inverted filter, another intent or another sentence, faultsOf finds a fault for some
// rule that has the repair.
func TestWrongRepairsAreSeen(t *testing.T) {
	plain := slices.Concat(plain(t), plainCosmos(t))
	vectors := map[*Page][]situation{}
	pages := map[string][]*Page{} // the pages by the first rule of their repair
	for _, p := range all() {
		vectors[p] = ofVectors(t, p)
		pages[p.Repair.Rules[0]] = append(pages[p.Repair.Rules[0]], p)
	}
	used := map[string]int{}
	for _, r := range readRecords().Repairs {
		for _, w := range r.Ways {
			wrong := map[string]Way{}
			for _, m := range mutations {
				x := w
				x.Commands = slices.Clone(w.Commands)
				for i := range x.Commands {
					x.Commands[i] = strings.ReplaceAll(x.Commands[i], m.from, m.to)
				}
				// A wrong field does no harm in these commands: an index without a delay
				// deletes nothing, and the other commands find no document that the rule
				// keeps.
				harmless := m.name == "a wrong field" && (w.Intent == Keep || strings.Contains(w.Commands[0], "aggregate") || strings.Contains(w.Commands[0], "Date.now") || strings.Contains(w.Commands[0], "$type: 17"))
				if !slices.Equal(x.Commands, w.Commands) && !harmless {
					wrong[m.name+", "+m.to] = x
				}
			}
			for _, intent := range []Intent{Keep, Look} {
				if w.Intent == Expire {
					x := w
					x.Intent, x.AtOnce = intent, ""
					wrong["the intent "+string(intent)] = x
				}
			}
			for from, to := range map[string]string{"more than 1 h": "more than 1 d", "more than 1 d": "more than 1 h", "every": "no", " whose t ": " whose u ", "an hour after": "a week after", "a week and": "an hour and"} {
				if x := w; strings.Contains(w.AtOnce, from) && from != "a week and" {
					x.AtOnce = strings.ReplaceAll(w.AtOnce, from, to)
					wrong["the sentence "+x.AtOnce] = x
				}
			}
			for name, x := range wrong {
				seen := false
				for _, p := range pages[r.Rules[0]] {
					if seen {
						break
					}
					own, rest := situationsFor(t, p, x, vectors[p], plain)
					seen = len(faultsOf(p, x, own, rest)) > 0
				}
				if used[strings.Split(name, ",")[0]]++; !seen {
					t.Errorf("%s is not seen in the repair of %s: %q, %q", name, r.Rules[0], x.Commands, x.AtOnce)
				}
			}
		}
	}
	for _, m := range mutations {
		if used[m.name] == 0 {
			t.Errorf("no repair shows %s", m.name)
		}
	}
}

// TestOneSentence: the rules describe the documents that their commands delete at once
// with the sentences of package reasons, as audit, plan and playground do.
func TestOneSentence(t *testing.T) {
	exceptions := []string{ // sentences about commands that no tool prints
		reasons.DeletesEvery("document whose t is a string with a zone and stands for a time more than expireAfterSeconds seconds ago"),
		reasons.DeletesEvery("document whose t is a string without a zone and stands for a time more than expireAfterSeconds seconds ago"),
		reasons.DeletesEvery("document whose t is a number of seconds and stands for a time more than expireAfterSeconds seconds ago"),
		reasons.DeletesEvery("document whose t is a number of milliseconds and stands for a time more than expireAfterSeconds seconds ago"),
		reasons.DeletesEvery("document whose _id is more than 1 d ago, and every bucket whose span ended then"),
		reasons.DeletesEvery("document that is past its deadline"),
	}
	said := 0
	for _, r := range readRecords().Repairs {
		for _, w := range r.Ways {
			if w.AtOnce == "" || strings.HasPrefix(w.AtOnce, reasons.DeletesNothing("")[:20]) || slices.Contains(exceptions, w.AtOnce) {
				continue
			}
			said++
			last := w.Commands[len(w.Commands)-1]
			if want := sentencesOf(t, last); !slices.Contains(want, w.AtOnce) {
				t.Errorf("%s: before %s it says %q, want one of %q", r.Rules[0], last, w.AtOnce, want)
			}
		}
	}
	if said < 20 {
		t.Errorf("%d sentences, want dozens", said)
	}
}

// sentencesOf returns the sentences that fit a command. There are several for a collection's
// own option, because the command does not show whether the collection is clustered or a
// time-series collection.
func sentencesOf(t *testing.T, command string) []string {
	t.Helper()
	if _, ttl, isAz := strings.Cut(command, " --ttl "); isAz {
		n, err := strconv.ParseInt(ttl, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return []string{reasons.DeletesWritten("item", cosmos.TTLOf(policy.Int64Value(n)))}
	}
	script, err := mongosh.Parse(command, 0)
	if err != nil || len(script.Calls) != 1 || len(script.Calls[0].Args) == 0 {
		t.Fatalf("%s: %v, want a call", command, err)
	}
	c := script.Calls[0]
	field, options := "t", c.Args[0].Field("index")
	if c.Method == "createIndex" {
		field, options = policy.DOf(c.Args[0])[0].Key, c.Args[1]
	}
	n, _ := options.Field("expireAfterSeconds").AsInt64()
	isPartial := !options.Field("partialFilterExpression").IsMissing()
	switch {
	case field == "_ts":
		return []string{reasons.DeletesWritten("document", cosmos.TTLOf(policy.Int64Value(n)))}
	case options.IsMissing():
		n, _ = c.Args[0].Field("expireAfterSeconds").AsInt64()
		return []string{reasons.DeletesDated("document", "_id", false, n), reasons.DeletesEnded(false, n)}
	case strings.HasSuffix(c.On, "_new"):
		return []string{reasons.DeletesDated("copy", field, isPartial, n)}
	}
	return []string{reasons.DeletesDated("document", field, isPartial, n), reasons.DeletesEnded(isPartial, n)}
}
