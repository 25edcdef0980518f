package wirettl

import (
	"math"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// count counts by the documents, which is what estimatedDocumentCount of a driver wants too.
func (s *server) count(c command) (policy.D, error) {
	if err := c.only("query", "skip", "limit"); err != nil {
		return nil, err
	}
	found, err := s.query(c, c.Field("query"), policy.Value{})
	if err != nil {
		return nil, err
	}
	n, err := s.countAll(found)
	return document("n", n), err
}

func (s *server) countAll(found *cursor) (n int64, err error) {
	for more := true; more && err == nil; {
		var docs []policy.Value
		docs, more, err = s.batch(found, math.MaxInt64)
		n += int64(len(docs))
	}
	return n, err
}

// stages are those of aggregate, in the only order in which they may stand.
var stages = []string{"$match", "$skip", "$limit", "$project", "$group", "$count"}

// aggregate is a find, or a count that ends with {$count: name} or with {$group: {_id: 1,
// n: {$sum: 1}}}, as countDocuments of a driver has it.
func (s *server) aggregate(c command) (policy.D, error) {
	if err := c.only("pipeline"); err != nil {
		return nil, err
	}
	asked, err := stagesOf(c.Field("pipeline"))
	if err != nil {
		return nil, err
	}
	asked.D = append(c.D[:1:1], append(c.arguments(), asked.D...)...)
	found, err := s.query(asked, asked.Field("$match"), asked.Field("$project"))
	if err != nil {
		return nil, err
	}
	name, group, err := counted(asked)
	switch {
	case err != nil:
		return nil, err
	case name == "":
		size := command{D: append(c.D[:1:1], policy.DOf(c.Field("cursor"))...)}
		return s.answer(size, found, firstSize, "firstBatch")
	}
	n, err := s.countAll(found)
	docs := []policy.Value{}
	if n > 0 {
		docs = append(docs, valueOf(withMissing(document(name, n), "_id", group)))
	}
	return firstBatch(found.ns, docs, 0), err
}

// stagesOf returns the stages as arguments, by their names; skip and limit as find has them.
func stagesOf(pipeline policy.Value) (c command, err error) {
	last := -1
	for e := pipeline.Elements(); e.Next(); {
		stage := policy.DOf(e.Value())
		if len(stage) != 1 {
			return c, failed(badValue, "a pipeline stage specification object must contain exactly one field")
		}
		at := slices.Index(stages, stage[0].Key)
		if at <= last {
			return c, failed(notImplemented, "aggregate with %s here is not implemented", stage[0].Key)
		}
		last = at
		if name := stage[0].Key; name == "$skip" || name == "$limit" {
			stage[0].Key = name[1:]
		}
		c.D = append(c.D, stage[0])
	}
	return c, nil
}

// counted returns the name under which the number of documents is shown, and the _id
// beside it; no name if the documents themselves are wanted.
func counted(asked command) (name string, id policy.Value, err error) {
	if v := asked.Field("$count"); !v.IsMissing() {
		name, _ = v.AsString()
		return name, policy.Value{}, nil
	}
	group := policy.DOf(asked.Field("$group"))
	if group == nil {
		return "", policy.Value{}, nil
	}
	sum := policy.ObjectValue(document("$sum", 1))
	if len(group) != 2 || group[0].Key != "_id" || !(group[0].Value.Kind().IsNumber() || group[0].Value.Kind() == policy.Null) || !group[1].Value.Equal(sum) {
		return "", policy.Value{}, failed(notImplemented, "aggregate with $group other than {_id: 1, n: {$sum: 1}} is not implemented")
	}
	return group[1].Key, group[0].Value, nil
}
