package adapter

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// has reports whether o has a member that is not null.
func (o object) has(name string) bool {
	raw := o.members[name]
	return raw != nil && string(raw) != "null"
}

// faultf returns the fault that member name is to blame for.
func (o object) faultf(name, format string, args ...any) error {
	return fmt.Errorf("%s%s: "+format, append([]any{o.path, name}, args...)...)
}

// unwanted returns the fault that a member is not what it should be.
func (o object) unwanted(name, want string) error {
	raw, ok := o.members[name]
	if !ok {
		return o.faultf(name, "missing; want %s", want)
	}
	return o.faultf(name, "want %s, got %s", want, clip(string(raw)))
}

// begins returns the text of a member that begins with first, or a fault.
func (o object) begins(name, want string, first byte) (json.RawMessage, error) {
	raw := o.members[name]
	if raw == nil || raw[0] != first {
		return nil, o.unwanted(name, want)
	}
	return raw, nil
}

// text returns a member that is a string.
func (o object) text(name string) (s string, err error) {
	raw, err := o.begins(name, "a string", '"')
	if err == nil && json.Unmarshal(raw, &s) != nil {
		err = o.unwanted(name, "a string")
	}
	return s, err
}

// texts returns a member that is an array of strings; nil if there is none.
func (o object) texts(name string) (list []string, err error) {
	if o.has(name) && json.Unmarshal(o.members[name], &list) != nil {
		return nil, o.unwanted(name, "an array of strings")
	}
	return list, nil
}

// object returns a member that is an object.
func (o object) object(name string) (object, error) {
	raw, err := o.begins(name, "an object", '{')
	if err != nil {
		return object{}, err
	}
	members, err := cut(raw)
	if err != nil {
		return object{}, o.faultf(name, "%w", err)
	}
	return object{members, o.path + name + "."}, nil
}

// number returns a member as it is written, nil if it is no number.
func (o object) number(name string) json.RawMessage {
	raw := o.members[name]
	if len(raw) == 0 || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') || !json.Valid(raw) {
		return nil
	}
	return raw
}

// value returns a member that is any value of Extended JSON. Plain integers
// that fit are int32, all other plain numbers are doubles.
func (o object) value(name string) (policy.Value, error) {
	raw, ok := o.members[name]
	if !ok {
		return policy.Value{}, o.unwanted(name, "a value")
	}
	v, err := policy.ParseExtJSONInt32(raw)
	if err != nil {
		return v, o.faultf(name, "%w", err)
	}
	return v, nil
}

// typed returns a member that is a value of one kind, which want describes.
func (o object) typed(name string, k policy.Kind, want string) (policy.Value, error) {
	if _, ok := o.members[name]; !ok {
		return policy.Value{}, o.unwanted(name, want)
	}
	v, err := o.value(name)
	if err == nil && v.Kind() != k {
		err = o.unwanted(name, want)
	}
	return v, err
}

// instant returns a member that is a date.
func (o object) instant(name string) (policy.Instant, error) {
	v, err := o.typed(name, policy.Date, `a date such as {"$date":{"$numberLong":"0"}}`)
	i, _ := v.AsDate()
	return i, err
}

// instantOr returns a member that is a date, or what otherwise gives if there
// is none.
func (o object) instantOr(name string, otherwise func() policy.Instant) (policy.Instant, error) {
	if !o.has(name) {
		return otherwise(), nil
	}
	return o.instant(name)
}

// clock is the adapter's own.
func clock() policy.Instant { return policy.InstantOf(time.Now()) }

// document returns a member that is a document.
func (o object) document(name string) (policy.Value, error) {
	return o.typed(name, policy.Object, "a document")
}

// documents returns a member that is an array of documents.
func (o object) documents(name string) (list []policy.Value, err error) {
	v, err := o.typed(name, policy.List, "an array of documents")
	if err != nil {
		return nil, err
	}
	for e := v.Elements(); e.Next(); {
		if e.Value().Kind() != policy.Object {
			return nil, o.faultf(name, "element %d: want a document, got %s", len(list), clip(e.Value().String()))
		}
		list = append(list, e.Value())
	}
	return list, nil
}

// json returns a member that is a plain JSON object.
func (o object) json(name string) (policy.JSON, error) {
	raw, err := o.begins(name, "an object", '{')
	if err != nil {
		return policy.JSON{}, err
	}
	d, err := policy.ParseJSON(raw)
	if err != nil {
		return d, o.faultf(name, "%w", err)
	}
	return d, nil
}
