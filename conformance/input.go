package conformance

import (
	"fmt"
	"time"

	"github.com/ttlpolicy/ttlpolicy/internal/members"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An input is that of an operation, read member by member.
type input struct{ members.Object }

func (q Question) input() (input, error) {
	in, err := members.Parse("in", q.In)
	return input{in}, err
}

// inputFault is the fault that a member of the input is to blame for.
func inputFault(member string, err error) error { return fmt.Errorf("in.%s: %v", member, err) }

// value returns a member that is any value of Extended JSON. Plain integers
// that fit are int32, all other plain numbers are doubles.
func (in input) value(name string) (policy.Value, error) {
	raw := in.Raw(name)
	if raw == nil {
		return policy.Value{}, in.Unwanted(name, "a value")
	}
	v, err := policy.ParseExtJSONInt32(raw)
	if err != nil {
		return v, in.Faultf(name, "%v", err)
	}
	return v, nil
}

// typed returns a member that is a value of one kind, which want describes.
func (in input) typed(name string, k policy.Kind, want string) (policy.Value, error) {
	if in.Raw(name) == nil {
		return policy.Value{}, in.Unwanted(name, want)
	}
	v, err := in.value(name)
	if err == nil && v.Kind() != k {
		err = in.Unwanted(name, want)
	}
	return v, err
}

// instant returns a member that is a date.
func (in input) instant(name string) (policy.Instant, error) {
	v, err := in.typed(name, policy.Date, `a date such as {"$date":{"$numberLong":"0"}}`)
	i, _ := v.AsDate()
	return i, err
}

// clock returns a member that is a date, or this machine's time if there is none.
func (in input) clock(name string) (policy.Instant, error) {
	if !in.Has(name) {
		return policy.InstantOf(time.Now()), nil
	}
	return in.instant(name)
}

// seconds returns a member that is a whole number. Plain JSON may have made it
// a double.
func (in input) seconds(name string) (int64, error) {
	v, err := in.value(name)
	if err != nil {
		return 0, err
	}
	n, ok := wholeNumber(v)
	if !ok {
		return 0, in.Unwanted(name, "a whole number of seconds")
	}
	return n, nil
}

// document returns a member that is a document.
func (in input) document(name string) (policy.Value, error) {
	return in.typed(name, policy.Object, "a document")
}

// fields returns a member that is a document, its fields in their order.
func (in input) fields(name string) (policy.D, error) {
	v, err := in.document(name)
	return policy.DOf(v), err
}

// indexes returns a member that is an array of indexes.
func (in input) indexes(name string) ([]Index, error) {
	v, err := in.typed(name, policy.List, "an array of documents")
	if err != nil {
		return nil, err
	}
	list := []Index{}
	for e := v.Elements(); e.Next(); {
		if e.Value().Kind() != policy.Object {
			return nil, in.Faultf(name, "element %d: want a document, got %s", len(list), members.Clip(e.Value().String()))
		}
		list = append(list, indexOf(policy.DOf(e.Value())))
	}
	return list, nil
}

// existing returns the indexes that are there, none if the question lists none.
func (in input) existing() ([]Index, error) {
	if !in.Has("existing") {
		return nil, nil
	}
	return in.indexes("existing")
}

// collection returns the member collection, an ordinary one if there is none.
func (in input) collection() (c Collection, err error) {
	if in.Has("collection") {
		c.Options, err = in.fields("collection")
	}
	return c, err
}

// json returns a member that is a plain JSON object.
func (in input) json(name string) (policy.JSON, error) {
	raw, err := in.Starts(name, "an object", '{')
	if err != nil {
		return policy.JSON{}, err
	}
	d, err := policy.ParseJSON(raw)
	if err != nil {
		return d, in.Faultf(name, "%v", err)
	}
	return d, nil
}
