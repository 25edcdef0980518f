package questions

import (
	"errors"
	"math"
	"time"

	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/members"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Read reads the input of an operation. The parameter into holds pointers to variables, by the
// names of the members to read. The error names the member at fault, such as "in.now".
func Read(operation string, text []byte, into map[string]any) error {
	op, ok := Operations[operation]
	if !ok {
		return errors.New(Unknown(operation))
	}
	object, err := members.Parse("in", text)
	if err != nil {
		return err
	}
	if now, ok := into["now"].(*policy.Instant); ok && (op.System == definition.MongoDB || op.System == definition.DocumentDB) && !object.Has("now") {
		*now = policy.InstantOf(time.Now())
	}
	return ReadMembers(object, op, into)
}

// ReadMembers reads those members of an operation's input for which into has a variable.
func ReadMembers(object members.Object, op Operation, into map[string]any) error {
	r := inputReader{object}
	for _, m := range op.Members() {
		if into[m.Name] == nil || !m.Required && !r.Has(m.Name) {
			continue
		}
		if err := r.read(m.Name, into[m.Name]); err != nil {
			return err
		}
	}
	return nil
}

// An inputReader reads the members of an input.
type inputReader struct{ members.Object }

// read reads a member into the variable to which into points. The type of the variable says
// what the member must be; a policy.Value is a document, except in the member "value".
func (r inputReader) read(name string, into any) (err error) {
	switch into := into.(type) {
	case *policy.Instant:
		var now policy.Value
		now, err = r.typed(name, policy.Date, `a date such as {"$date":{"$numberLong":"0"}}`)
		*into, _ = now.AsDate()
	case *policy.Value:
		if name == "value" {
			*into, err = r.value(name)
		} else {
			*into, err = r.document(name)
		}
	case *policy.D:
		*into, err = r.fields(name)
	case *[]policy.D:
		*into, err = r.documents(name)
	case *policy.JSON:
		*into, err = r.json(name)
	case **policy.JSON:
		*into = new(policy.JSON)
		**into, err = r.json(name)
	case **int64:
		*into = new(int64)
		**into, err = r.seconds(name)
	}
	return err
}

// value reads a member that is any value of Extended JSON. A plain integer is an int32 if
// it fits, and any other plain number is a double.
func (r inputReader) value(name string) (policy.Value, error) {
	raw := r.Raw(name)
	if raw == nil {
		return policy.Value{}, r.Unwanted(name, "a value")
	}
	v, err := valuefunc.F.ParseExtJSONInt32(raw)
	if err != nil {
		return v, r.Faultf(name, "%v", err)
	}
	return v, nil
}

// typed reads a member that is a value of the kind k. The error describes this kind by
// want.
func (r inputReader) typed(name string, k policy.Kind, want string) (policy.Value, error) {
	if r.Raw(name) == nil {
		return policy.Value{}, r.Unwanted(name, want)
	}
	v, err := r.value(name)
	if err == nil && v.Kind() != k {
		err = r.Unwanted(name, want)
	}
	return v, err
}

// seconds reads a member that is a whole number. In plain JSON the number may be a
// double.
func (r inputReader) seconds(name string) (int64, error) {
	v, err := r.value(name)
	if err != nil {
		return 0, err
	}
	n, ok := WholeNumber(v)
	if !ok {
		return 0, r.Unwanted(name, "a whole number of seconds")
	}
	return n, nil
}

// WholeNumber returns the whole number that a value holds as an integer or as
// a double.
func WholeNumber(v policy.Value) (int64, bool) {
	if n, ok := v.AsInt64(); ok {
		return n, true
	}
	f, ok := v.AsDouble()
	if !ok || f != math.Trunc(f) || math.Abs(f) >= 1<<53 {
		return 0, false
	}
	return int64(f), true
}

func (r inputReader) document(name string) (policy.Value, error) {
	return r.typed(name, policy.Object, "a document")
}

// fields reads a member that is a document: its fields in their order.
func (r inputReader) fields(name string) (policy.D, error) {
	v, err := r.document(name)
	return policy.DOf(v), err
}

// documents reads a member that is an array of documents, such as definitions.
func (r inputReader) documents(name string) ([]policy.D, error) {
	v, err := r.typed(name, policy.List, "an array of documents")
	if err != nil {
		return nil, err
	}
	list := []policy.D{}
	for e := v.Elements(); e.Next(); {
		if e.Value().Kind() != policy.Object {
			return nil, r.Faultf(name, "element %d: want a document, got %s", len(list), members.Clip(e.Value().String()))
		}
		list = append(list, policy.DOf(e.Value()))
	}
	return list, nil
}

// json reads a member that is a plain JSON object.
func (r inputReader) json(name string) (policy.JSON, error) {
	raw, err := r.Starts(name, "an object", '{')
	if err != nil {
		return policy.JSON{}, err
	}
	d, err := policy.ParseJSON(raw)
	if err != nil {
		return d, r.Faultf(name, "%v", err)
	}
	return d, nil
}
