package playground

import (
	"fmt"
	"reflect"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// encoding/json would make the program a tenth larger. A test compares these two
// functions with encoding/json.

// AppendJSON appends a value as encoding/json writes it: a string, a bool, an int, a struct
// whose fields all have tags, or a slice of such values.
func AppendJSON(dst []byte, value any) []byte { return appendJSON(dst, reflect.ValueOf(value)) }

func appendJSON(dst []byte, v reflect.Value) []byte {
	if named, ok := v.Interface().(fmt.Stringer); ok {
		return plainjson.Append(dst, policy.StringValue(named.String()))
	}
	switch v.Kind() {
	case reflect.String:
		return plainjson.Append(dst, policy.StringValue(v.String()))
	case reflect.Bool:
		return strconv.AppendBool(dst, v.Bool())
	case reflect.Int:
		return strconv.AppendInt(dst, v.Int(), 10)
	case reflect.Slice:
		return appendList(dst, v)
	}
	return appendFields(dst, v)
}

func appendList(dst []byte, v reflect.Value) []byte {
	dst = append(dst, '[')
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendJSON(dst, v.Index(i))
	}
	return append(dst, ']')
}

func appendFields(dst []byte, v reflect.Value) []byte {
	dst = append(dst, '{')
	for i := range v.NumField() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `"`+v.Type().Field(i).Tag.Get("json")+`":`...)
		dst = appendJSON(dst, v.Field(i))
	}
	return append(dst, '}')
}

// ReadJSON sets the fields of a struct from the members of a JSON object that the tags of
// the fields name. The fields are texts, numbers or bools. A member of another type
// leaves its field unchanged.
func ReadJSON(text string, into any) error {
	object, err := policy.ParseJSON([]byte(text))
	if err != nil {
		return err
	}
	to := reflect.ValueOf(into).Elem()
	for i := range to.NumField() {
		v := object.Value().Field(to.Type().Field(i).Tag.Get("json"))
		switch to.Field(i).Kind() {
		case reflect.String:
			if s, ok := v.AsString(); ok {
				to.Field(i).SetString(s)
			}
		case reflect.Bool:
			if b, ok := v.AsBool(); ok {
				to.Field(i).SetBool(b)
			}
		case reflect.Int:
			if n, ok := v.AsInt64(); ok {
				to.Field(i).SetInt(n)
			}
		}
	}
	return nil
}
