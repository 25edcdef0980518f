package boltttl

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"go.etcd.io/bbolt"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// maxKey is the maximum length of the key of an _id, in bytes: the maximum of bbolt, less
// the bytes before the key in deadlines.
const maxKey = bbolt.MaxKeySize - deadlineSize - numberSize

// idOf returns the _id of a stored document. The result keeps no reference to the
// document, which may be deleted before the _id is shown.
func idOf(doc []byte) (policy.Value, error) {
	b, err := policy.ParseBSON(doc)
	id := b.Field("_id")
	if err != nil || id.IsMissing() {
		return id, err
	}
	own, err := policy.AppendBSON(nil, policy.ObjectValue(policy.D{{Key: "_id", Value: id}}))
	if err != nil {
		return policy.Value{}, err
	}
	b, err = policy.ParseBSON(own)
	return b.Field("_id"), err
}

// KeyOf returns the key of the document with that _id. Values that the database
// considers equal have one key: 1, 1.0 and Decimal128 1 are one _id, also within
// subdocuments, and a symbol equals a string (MongoDB manual, "Comparison/Sort
// Order", https://www.mongodb.com/docs/manual/reference/bson-type-comparison-order/).
// The order of keys has no meaning. An array, a regular expression or undefined
// cannot be an _id (MongoDB manual, "Documents",
// https://www.mongodb.com/docs/manual/core/document/).
func KeyOf(id policy.Value) ([]byte, error) {
	switch id.Kind() {
	case policy.Missing, policy.List, policy.Regex, policy.Undefined:
		return nil, fmt.Errorf("%w: its type is %s", ErrBadID, id.Kind())
	}
	key, err := appendKey(nil, id)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrBadID, err)
	case len(key) > maxKey:
		return nil, fmt.Errorf("%w: a key of %d bytes, at most %d are possible", ErrBadID, len(key), maxKey)
	}
	return key, nil
}

// appendKey appends a text of v that is not a prefix of any other value's text: a kind,
// then bytes that contain their length or end in a NUL.
func appendKey(key []byte, v policy.Value) ([]byte, error) {
	switch k := v.Kind(); {
	case k.IsNumber():
		return append(append(append(key, byte(policy.Int32)), numberText(v)...), 0), nil
	case k == policy.Symbol:
		text, _ := v.AsString()
		return appendScalar(key, policy.StringValue(text))
	case k == policy.List:
		return appendElements(append(key, byte(k)), v)
	case k == policy.Object:
		return appendFields(append(key, byte(k)), v)
	}
	return appendScalar(key, v)
}

// member precedes each part of a list or an object; 0 follows the last part.
const member = 1

func appendElements(key []byte, v policy.Value) (_ []byte, err error) {
	for e := v.Elements(); e.Next(); {
		if key, err = appendKey(append(key, member), e.Value()); err != nil {
			return nil, err
		}
	}
	return append(key, 0), nil
}

func appendFields(key []byte, v policy.Value) (_ []byte, err error) {
	f := v.Fields()
	if !f.Listed() {
		return nil, errors.New("the document cannot list its fields")
	}
	for f.Next() {
		key = append(append(append(key, member), f.Name()...), 0)
		if key, err = appendKey(key, f.Value()); err != nil {
			return nil, err
		}
	}
	return append(key, 0), nil
}

// appendScalar appends a kind and the bytes of BSON.
func appendScalar(key []byte, v policy.Value) ([]byte, error) {
	doc, err := policy.AppendBSON(nil, policy.ObjectValue(policy.D{{Value: v}}))
	if err != nil {
		return nil, err
	}
	const length, name = 4, 1 // a field without a name: only its NUL
	key = append(key, doc[length])
	return append(key, doc[length+1+name:len(doc)-1]...), nil
}

// numberText returns the exact text of a number, one for all numbers that are equal whatever
// their types.
func numberText(v policy.Value) string {
	var text string
	if n, ok := v.AsInt64(); ok {
		text = strconv.FormatInt(n, 10)
	} else if f, ok := v.AsDouble(); ok {
		text = strconv.FormatFloat(f, 'f', -1, 64)
		if exact := new(big.Rat).SetFloat64(f); exact != nil {
			text = exact.RatString()
		}
	} else {
		text = strings.TrimSuffix(strings.TrimPrefix(string(policy.AppendExtJSON(nil, v)), `{"$numberDecimal":"`), `"}`)
		text = strings.Replace(text, "Infinity", "Inf", 1)
		if exact, ok := new(big.Rat).SetString(text); ok {
			text = exact.RatString()
		}
	}
	return strings.TrimPrefix(text, "+")
}
