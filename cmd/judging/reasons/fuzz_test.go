package reasons_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An explained policy is a policy for explanations, with the evaluator of the policy's
// package.
type explained struct {
	policy *reasons.Policy
	definition.Decider
}

// someExplained returns policies of all systems, of several sources and with filters.
func someExplained(t testing.TB) (all []explained) {
	t.Helper()
	for _, release := range []string{"2.4.0", "3.2.0", "4.4.0", "5.0.9", "7.0.0", fixture.Latest} {
		for _, c := range [][2]string{
			{`null`, `[{"key":{"a":1},"name":"a_1","expireAfterSeconds":60}]`},
			{`null`, `[{"key":{"a.b":1},"name":"x","expireAfterSeconds":3600},{"key":{"b":-1},"name":"y","expireAfterSeconds":0},{"key":{"c":1},"name":"z"}]`},
			{`null`, `[{"key":{"a":1},"name":"a_1","expireAfterSeconds":{"$numberDouble":"NaN"}},{"key":{"b":1},"name":"b_1","expireAfterSeconds":-1}]`},
			{`null`, `[{"key":{"a":1},"name":"a_1","expireAfterSeconds":1,"partialFilterExpression":{"b":null,"a.b":{"$exists":true}}},{"key":{"b.a":1},"name":"b","expireAfterSeconds":"x"}]`},
			{`{"capped":true}`, `[{"key":{"a":1},"name":"a_1","expireAfterSeconds":60}]`},
			{`{"timeseries":{"timeField":"a","metaField":"b"},"expireAfterSeconds":60}`, `[]`},
		} {
			spec, err := mongo.ParseCollectionSpec(fixture.Value(t, c[0]), fixture.Value(t, c[1]))
			if err != nil {
				t.Fatal(c, err)
			}
			version, err := mongo.ParseVersion(release)
			if err != nil {
				t.Fatal(err)
			}
			p, err := reasons.Compile(definition.OfMongoDB(spec, version, nil))
			if err != nil {
				continue // the release has no such collection
			}
			plain, err := mongo.CompileCollection(spec, fixture.Profile(t, release))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, explained{p, plain})
		}
	}
	for _, text := range []string{`{"id":"c"}`, `{"id":"c","defaultTtl":-1}`, `{"id":"c","defaultTtl":60}`, `{"id":"c","defaultTtl":60,"ttlPropertyPath":"/a"}`} {
		spec, err := cosmos.ParseContainerSpec([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		p, err := reasons.Compile(definition.OfContainer(spec))
		plain, errPlain := cosmos.CompileContainer(spec)
		if err != nil || errPlain != nil {
			t.Fatal(err, errPlain)
		}
		all = append(all, explained{p, plain})
	}
	spec := cosmos.CollectionSpec{Indexes: []cosmos.IndexSpec{{Name: "_ts_1", Key: policy.D{{Key: "_ts", Value: policy.Int32Value(1)}}, ExpireAfterSeconds: policy.Int32Value(60)}}}
	p, err := reasons.Compile(definition.OfCosmosMongo(spec))
	plain, errPlain := cosmos.CompileCollection(spec)
	if err != nil || errPlain != nil {
		t.Fatal(err, errPlain)
	}
	return append(all, explained{p, plain})
}

// standIn matches a placeholder in the text of a rule, such as {field} or {in mods@3.2}. It
// does not match a document or a filter in a sentence, such as {a: 1}, which has a colon.
var standIn = regexp.MustCompile(`\{[A-Za-z][^:{}]*\}`)

// FuzzExplain: an explanation is about the evaluator's decision, and its answers for
// each source agree with it.
func FuzzExplain(f *testing.F) {
	all := someExplained(f)
	if len(all) < 30 {
		f.Fatalf("%d policies, want dozens", len(all))
	}
	fuzzing.Run(f, func(t testing.TB, r fuzzing.Random) {
		p := fuzzing.Pick(r, all...)
		doc, err := policy.ParseBSON(r.Document(3, "a", "b", "_ts", "ttl", "c"))
		if err != nil {
			t.Fatal(err)
		}
		now := policy.Instant(r.Instant())
		want, e := p.Decide(&doc, now), reasons.Of(p.policy, &doc, now)
		if e.Decision != want {
			t.Fatalf("%s explains %v of %s at %d, and decides %v", p.policy.Description, e.Decision, doc.Value(), now, want)
		}
		if text := unfit(e); text != "" {
			t.Fatalf("%s of %s at %d: %v: %s", p.policy.Description, doc.Value(), now, want, text)
		}
		if text := e.Sentence() + e.Because() + e.After(); standIn.MatchString(text) || (want.State == policy.Expired) != (e.After() != "") {
			t.Fatalf("%s of %s at %d: %v: %q", p.policy.Description, doc.Value(), now, want, text)
		}
	})
}

// unfit describes a part of an explanation that contradicts its decision; "" if there is
// none.
func unfit(e reasons.Explanation) string {
	d := e.Decision
	if len(e.Ladder) == 0 || !e.Applies(d.Rule) || e.Ladder[len(e.Ladder)-1] != d.Rule {
		return "the ladder ends elsewhere"
	}
	first := policy.MaxInstant
	for _, one := range e.Each {
		first = min(first, fixture.Deadline(one.Decision))
	}
	if len(e.Each) > 0 && first != fixture.Deadline(d) {
		return "the sources have another deadline first: " + first.String()
	}
	if start, ok := e.Start(); ok && start > fixture.Deadline(d) {
		return "the date that counts comes after the deadline: " + start.String()
	}
	var written struct {
		State, Rule string
		Deadline    *struct{ MS int64 }
	}
	if err := json.Unmarshal(e.AppendJSON(nil), &written); err != nil {
		return err.Error()
	}
	state := d.State.String()
	if d.Rule.ID() == "cosmos.no-timestamp" { // the stored item has a _ts, whatever the given form lacks
		state = "unknown"
	}
	if written.State != state || written.Rule != d.Rule.ID() || (written.Deadline == nil) != (d.State == policy.Never) || written.Deadline != nil && written.Deadline.MS != int64(fixture.Deadline(d)) {
		return "as JSON it is another decision"
	}
	return ""
}
