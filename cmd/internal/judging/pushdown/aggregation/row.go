package aggregation

import (
	"errors"
	"fmt"
	"math"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Row reads a pipeline's answer about one group of documents. It returns an error for an
// answer that no pipeline of c can give.
func (c *Count) Row(row policy.Document) (counted forecast.Counted, err error) {
	of := row.Field("_id")
	rule, _ := of.Field("rule").AsString()
	state, _ := of.Field("state").AsString()
	documents, okDocuments := whole(row.Field("documents"))
	bytes, okBytes := whole(row.Field("bytes"))
	source, okSource := whole(of.Field("source"))
	counted = forecast.Counted{Sum: forecast.Sum{Documents: documents, Bytes: bytes}, Source: int(source)}
	known := false
	counted.Rule, known = mongo.RuleByID(rule)
	switch {
	case !okDocuments || !okBytes:
		return counted, errors.New("the server sent a group without a number of documents or bytes")
	case !known:
		return counted, fmt.Errorf("the server sent a group of the rule %q, which does not exist", rule)
	case !okSource || source < 0 || source > 0 && source >= int64(len(c.sources)):
		return counted, fmt.Errorf("the server sent a group of source %d, which does not exist", source)
	}
	if err := counted.State.UnmarshalText([]byte(state)); err != nil {
		return counted, fmt.Errorf("the server sent a group with the unknown state %q", state)
	}
	if counted.Kind, known = kindOf(of.Field("kind")); !known {
		return counted, errors.New("the server sent a group with an unknown type of value")
	}
	counted.Samples = samplesOf(row.Field("ids"))
	counted.First, counted.Last = momentOf(row.Field("first")), momentOf(row.Field("last"))
	return counted, nil
}

// whole returns a number of any type as a whole number.
func whole(v policy.Value) (int64, bool) { return mongofunc.WholeSeconds(v) }

// kindOf returns the kind with this name in $type; Missing for null.
func kindOf(v policy.Value) (policy.Kind, bool) {
	if v.IsMissingOrNull() {
		return policy.Missing, true
	}
	name, _ := v.AsString()
	for k := range math.MaxUint8 + 1 {
		if policy.Kind(k).String() == name {
			return policy.Kind(k), true
		}
	}
	return policy.Missing, false
}

// samplesOf returns the sample documents of a group. ids is an array of identifiers, or a
// single identifier.
func samplesOf(ids policy.Value) (list []dump.Sample) {
	if ids.IsMissing() {
		return nil
	}
	if ids.Kind() != policy.List {
		return []dump.Sample{sampleOf(ids)}
	}
	for e := ids.Elements(); e.Next() && len(list) < maxSamples; {
		list = append(list, sampleOf(e.Value()))
	}
	return list
}

// sampleOf returns a document as a sample. The sample has no place in a file, because the
// document comes from a server.
func sampleOf(id policy.Value) dump.Sample {
	return dump.SampleOf(policy.D{{Key: "_id", Value: id}}, "_id", "", 0)
}

// momentOf returns the moment of a deadline and a document with this deadline; the zero
// Moment if there is no deadline.
func momentOf(v policy.Value) forecast.Moment {
	at, ok := whole(v.Field("at"))
	if !ok {
		return forecast.Moment{}
	}
	return forecast.MomentAt(policy.Instant(at), sampleOf(v.Field("id")))
}
