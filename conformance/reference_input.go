package conformance

import (
	"time"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/members"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An input is that of an operation, read member by member.
type input struct{ members.Object }

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

// instantOr returns a member that is a date, or what otherwise gives if there
// is none.
func (in input) instantOr(name string, otherwise func() policy.Instant) (policy.Instant, error) {
	if !in.Has(name) {
		return otherwise(), nil
	}
	return in.instant(name)
}

// clock is this machine's own.
func clock() policy.Instant { return policy.InstantOf(time.Now()) }

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

// options returns the member collection, Missing if there is none.
func (in input) options() (policy.Value, error) {
	if !in.Has("collection") {
		return policy.Value{}, nil
	}
	return in.document("collection")
}

// fields returns a member that is a document, its fields in their order.
func (in input) fields(name string) (d policy.D, err error) {
	v, err := in.document(name)
	if err != nil {
		return nil, err
	}
	for f := v.Fields(); f.Next(); {
		d = append(d, policy.E{Key: f.Name(), Value: f.Value()})
	}
	return d, nil
}

// documents returns a member that is an array of documents.
func (in input) documents(name string) (policy.Value, error) {
	v, err := in.typed(name, policy.List, "an array of documents")
	if err != nil {
		return v, err
	}
	n := 0
	for e := v.Elements(); e.Next(); n++ {
		if e.Value().Kind() != policy.Object {
			return v, in.Faultf(name, "element %d: want a document, got %s", n, members.Clip(e.Value().String()))
		}
	}
	return v, nil
}

// cosmosIndexes returns a member that is an array of indexes of the API for
// MongoDB.
func (in input) cosmosIndexes(name string) (list []cosmos.IndexSpec, err error) {
	documents, err := in.documents(name)
	if err != nil {
		return nil, err
	}
	for e := documents.Elements(); e.Next(); {
		x, err := cosmos.ParseIndexSpec(e.Value())
		if err != nil {
			return nil, in.Faultf(name, "%v", err)
		}
		list = append(list, x)
	}
	return list, nil
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

// container returns a member that is a container's settings.
func (in input) container(name string) (spec cosmos.ContainerSpec, err error) {
	settings, err := in.json(name)
	if err != nil {
		return spec, err
	}
	if spec, err = cosmos.ParseContainerSpec(settings.Bytes()); err != nil {
		return spec, in.Faultf(name, "%v", err)
	}
	return spec, nil
}
