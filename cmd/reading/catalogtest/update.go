package catalogtest

import (
	"regexp"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// matches reports whether a filter matches a document. It supports every operator of
// partial filters, and also $not, $regex and $exists: false.
func (s *Server) matches(filter policy.Value, doc policy.Document) (bool, error) {
	for _, e := range policy.DOf(filter) {
		ok, err := s.clause(e, doc)
		if err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

func (s *Server) clause(e policy.E, doc policy.Document) (bool, error) {
	if e.Key == "$expr" {
		v, err := s.evaluated(e.Value, doc)
		is, _ := v.AsBool()
		return is, err
	}
	if e.Key == "$or" || e.Key == "$and" {
		for _, one := range policy.AOf(e.Value) {
			if ok, err := s.matches(one, doc); err != nil || ok == (e.Key == "$or") {
				return ok, err
			}
		}
		return e.Key == "$and", nil
	}
	operators := policy.DOf(e.Value)
	if i := slices.IndexFunc(operators, func(o policy.E) bool { return o.Key == "$regex" }); i >= 0 {
		pattern, _ := operators[i].Value.AsString()
		re, err := regexp.Compile(pattern)
		if err != nil {
			return false, unknown(err.Error())
		}
		found := slices.ContainsFunc(append(policy.AOf(at(doc, e.Key)), at(doc, e.Key)), func(v policy.Value) bool {
			text, ok := v.AsString()
			return ok && re.MatchString(text)
		})
		rest := slices.Delete(slices.Clone(operators), i, i+1)
		if !found || len(rest) == 0 {
			return found, nil
		}
		return s.clause(policy.E{Key: e.Key, Value: policy.ObjectValue(rest)}, doc)
	}
	if len(operators) == 0 || !strings.HasPrefix(operators[0].Key, "$") {
		return s.plain(e, doc)
	}
	for _, o := range operators {
		wanted, clause := true, policy.E{Key: e.Key, Value: policy.ObjectValue(policy.D{o})}
		switch there, isBool := o.Value.AsBool(); {
		case o.Key == "$not":
			wanted, clause.Value = false, o.Value
		case o.Key == "$exists" && isBool && !there:
			wanted, clause.Value = false, policy.ObjectValue(policy.D{{Key: "$exists", Value: policy.BoolValue(true)}})
		}
		decide := s.plain
		if o.Key == "$not" {
			decide = s.clause
		}
		ok, err := decide(clause, doc)
		if err != nil || ok != wanted {
			return false, err
		}
	}
	return true, nil
}

// plain reports whether a clause of a filter matches a document. It asks the evaluator
// for an index that has the clause as its partial filter.
func (s *Server) plain(e policy.E, doc policy.Document) (bool, error) {
	release := mongo.Version{Major: 8}
	if strings.HasPrefix(s.Release, "9.") {
		release = mongo.Latest()
	}
	profile, err := mongo.ProfileOf(release)
	if err != nil {
		return false, err
	}
	const date = "a date beside the others"
	by, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{
		Name: "x", Key: policy.D{{Key: date, Value: policy.Int32Value(1)}}, ExpireAfterSeconds: policy.Int32Value(0),
		PartialFilterExpression: policy.ObjectValue(policy.D{e}),
	}}}, profile)
	if err != nil {
		return false, unknown(err.Error())
	}
	d := by.Decide(with(doc, []string{date}, policy.DateValue(0)), 0)
	if d.Rule.IsUnspecified() {
		return false, unknown("a filter that is " + d.Rule.ID())
	}
	return d.State == policy.Expired, nil
}

func (s *Server) update(coll *Collection, filter, change policy.Value, one bool) error {
	done := false
	return s.each(coll, filter, func(d *Document) error {
		if done && one {
			return nil
		}
		done = true
		after, err := s.updated(d.Value, change)
		if err == nil && s.System == definition.CosmosMongo {
			after = with(after, []string{"_ts"}, s.stamp())
		}
		if err == nil {
			d.Value = after
		}
		return err
	})
}

func (s *Server) updated(doc policy.Document, change policy.Value) (policy.Document, error) {
	isPipeline := change.Kind() == policy.List
	stages := policy.A{change}
	if isPipeline {
		stages = policy.AOf(change)
	}
	for _, stage := range stages {
		for _, operator := range policy.DOf(stage) {
			for _, e := range policy.DOf(operator.Value) {
				v, err := e.Value, error(nil)
				switch {
				case operator.Key == "$unset":
					v = policy.Value{}
				case operator.Key == "$pull" && !isPipeline:
					v, err = s.pulled(at(doc, e.Key), e.Value)
				case operator.Key != "$set":
					return nil, unknown(operator.Key)
				case isPipeline:
					v, err = s.evaluated(e.Value, doc)
				}
				if err != nil {
					return nil, err
				}
				doc = with(doc, strings.Split(e.Key, "."), v)
			}
		}
	}
	return doc, nil
}

// pulled returns an array without the documents that a condition matches.
func (s *Server) pulled(list, condition policy.Value) (policy.Value, error) {
	var wrong error
	left := slices.DeleteFunc(slices.Clone(policy.AOf(list)), func(v policy.Value) bool {
		ok, err := s.matches(condition, policy.DOf(v))
		if err != nil {
			wrong = err
		}
		return ok
	})
	return policy.ListValue(left), wrong
}

func at(doc policy.Document, path string) policy.Value {
	v := policy.ObjectValue(doc)
	for name := range strings.SplitSeq(path, ".") {
		v = v.Field(name)
	}
	return v
}

func (s *Server) evaluated(e policy.Value, doc policy.Document) (policy.Value, error) {
	if text, ok := e.AsString(); ok {
		switch {
		case text == "$$NOW":
			return policy.DateValue(s.Now), nil
		case strings.HasPrefix(text, "$"):
			return at(doc, text[1:]), nil
		}
		return e, nil
	}
	if e.Kind() != policy.Object {
		return e, nil
	}
	operator := policy.DOf(e)
	if len(operator) != 1 {
		return e, unknown(e.String())
	}
	operand := operator[0].Value
	switch operator[0].Key {
	case "$convert":
		v, err := s.evaluated(operand.Field("input"), doc)
		if to, _ := operand.Field("to").AsString(); err != nil || to != "date" {
			return v, unknown(e.String())
		}
		if d, err := toDate(v); err == nil {
			return d, nil
		}
		return s.evaluated(operand.Field("onError"), doc)
	case "$dateFromString":
		v, err := s.evaluated(operand.Field("dateString"), doc)
		if err != nil {
			return v, err
		}
		text, _ := v.AsString()
		zone, _ := operand.Field("timezone").AsString()
		if at, ok := pasted.ParseInstant(strings.Replace(text, " ", "T", 1) + zone); ok && zone != "" {
			return policy.DateValue(at), nil
		}
		return s.evaluated(operand.Field("onError"), doc)
	case "$toDate", "$toLong":
		v, err := s.evaluated(operand, doc)
		if err != nil {
			return v, err
		}
		if operator[0].Key == "$toDate" {
			return toDate(v)
		}
		if at, isDate := v.AsDate(); isDate {
			return policy.Int64Value(int64(at)), nil
		}
		n, ok := mongofunc.WholeSeconds(v) // WholeSeconds truncates as $toLong does
		if !ok {
			return v, refused("$toLong of " + v.String())
		}
		return policy.Int64Value(n), nil
	}
	return s.computed(operator[0].Key, policy.AOf(operand), doc)
}

// operators compute with two whole numbers.
var operators = map[string]func(a, b int64) policy.Value{
	"$add":      func(a, b int64) policy.Value { return policy.Int64Value(a + b) },
	"$multiply": func(a, b int64) policy.Value { return policy.Int64Value(a * b) },
	"$subtract": func(a, b int64) policy.Value { return policy.Int64Value(a - b) },
	"$mod":      func(a, b int64) policy.Value { return policy.Int64Value(a % b) },
	"$divide":   func(a, b int64) policy.Value { return policy.DoubleValue(float64(a) / float64(b)) },
	"$gte":      func(a, b int64) policy.Value { return policy.BoolValue(a >= b) },
	"$lt":       func(a, b int64) policy.Value { return policy.BoolValue(a < b) },
}

// computed returns the result of an operator on numbers and dates, of $and or of $cond. The sum of
// numbers and a date is a date.
func (s *Server) computed(operator string, operands policy.A, doc policy.Document) (result policy.Value, err error) {
	isDate := false
	for i, o := range operands {
		v, err := s.evaluated(o, doc)
		is, isBool := v.AsBool()
		n, isNumber := v.AsInt64()
		if f, ok := v.AsDouble(); ok {
			n, isNumber = int64(f), true
		}
		if at, ok := v.AsDate(); ok {
			n, isNumber, isDate = int64(at), true, true
		}
		before, _ := result.AsInt64()
		switch {
		case err != nil:
			return v, err
		case operator == "$cond" && isBool:
			if !is {
				return s.evaluated(operands[2], doc)
			}
			return s.evaluated(operands[1], doc)
		case operator == "$and" && isBool && !is:
			return v, nil
		case operator == "$and" && isBool:
			result = v
		case operators[operator] == nil:
			return v, unknown(operator)
		case !isNumber:
			return v, refused(operator + " of " + v.String())
		case i == 0:
			result = policy.Int64Value(n)
		default:
			result = operators[operator](before, n)
		}
	}
	if sum, _ := result.AsInt64(); isDate && operator == "$add" {
		return policy.DateValue(policy.Instant(sum)), nil
	}
	return result, nil
}

func toDate(v policy.Value) (policy.Value, error) {
	if _, ok := v.AsDate(); ok || v.IsMissingOrNull() {
		return v, nil
	}
	if id, ok := v.AsObjectID(); ok {
		return policy.DateValue(policy.Instant(int64(id[0])<<24|int64(id[1])<<16|int64(id[2])<<8|int64(id[3])) * 1000), nil
	}
	if text, ok := v.AsString(); ok {
		i, ok := pasted.ParseInstant(text, "2006-01-02T15:04:05", "2006-01-02T15:04")
		if !ok {
			return v, refused("$toDate of " + v.String())
		}
		return policy.DateValue(i), nil
	}
	n, ok := v.AsInt64()
	if f, double := v.AsDouble(); double {
		n, ok = int64(f), true
	}
	if !ok || v.Kind() == policy.Int32 {
		return v, refused("$toDate of " + v.String())
	}
	return policy.DateValue(policy.Instant(n)), nil
}
