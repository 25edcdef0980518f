package plan

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Key is the key of an index.
type Key struct {
	place
	policy.Value
}

// UnmarshalYAML reads a key pattern, or the name of a field, which stands for an
// ascending key.
func (k *Key) UnmarshalYAML(n *yaml.Node) (err error) {
	k.place = placeOf(n)
	if n.Kind == yaml.ScalarNode && n.Value != "" && n.Value[0] != '{' {
		k.Value = policy.ObjectValue(policy.D{{Key: n.Value, Value: policy.Int32Value(1)}})
		return nil
	}
	k.Value, err = readObject(n)
	if err == nil && len(policy.DOf(k.Value)) == 0 {
		err = errors.New("the key names no field")
	}
	return err
}

// A Filter is a partialFilterExpression.
type Filter struct {
	place
	policy.Value
}

// UnmarshalYAML reads a filter as a document.
func (f *Filter) UnmarshalYAML(n *yaml.Node) (err error) {
	f.place = placeOf(n)
	f.Value, err = readObject(n)
	return err
}

// readObject reads a document. It may be YAML, with values such as dates in Extended
// JSON, or a text in the syntax of JSON or of the shell.
func readObject(n *yaml.Node) (v policy.Value, err error) {
	if n.Kind == yaml.ScalarNode {
		if v, err = policy.ParseExtJSON([]byte(n.Value)); err != nil {
			v, _, err = mongosh.ParseValue(n.Value, 0)
		}
	} else {
		var text []byte
		if text, err = appendJSON(nil, n); err == nil {
			v, err = policy.ParseExtJSON(text)
		}
	}
	if err == nil && v.Kind() != policy.Object {
		err = fmt.Errorf("%s is not a document", shown(n))
	}
	return v, err
}

// appendJSON appends a value of YAML as JSON.
func appendJSON(text []byte, n *yaml.Node) (_ []byte, err error) {
	begin, end, pair := byte('['), byte(']'), false
	switch n.Kind {
	case yaml.ScalarNode:
		return appendScalar(text, n)
	case yaml.AliasNode:
		return nil, errors.New("aliases are not supported here; write the value itself")
	case yaml.MappingNode:
		begin, end, pair = '{', '}', true
	}
	text = append(text, begin)
	for i, child := range n.Content {
		switch {
		case pair && i%2 == 1:
			text = append(text, ':')
		case i > 0:
			text = append(text, ',')
		}
		if pair && i%2 == 0 {
			child = &yaml.Node{Kind: child.Kind, Tag: "!!str", Value: child.Value}
		}
		if text, err = appendJSON(text, child); err != nil {
			return nil, err
		}
	}
	return append(text, end), nil
}

// appendScalar appends a text, a number, a boolean or null as JSON.
func appendScalar(text []byte, n *yaml.Node) ([]byte, error) {
	if !slices.Contains([]string{"!!str", "!!int", "!!float", "!!bool", "!!null"}, n.ShortTag()) {
		return nil, fmt.Errorf("%s is read as %s; write values such as ISODate(…) in quotes", shown(n), n.ShortTag())
	}
	var v any = n.Value
	if n.ShortTag() != "!!str" {
		if err := n.Decode(&v); err != nil {
			return nil, fmt.Errorf("%s cannot be read", shown(n))
		}
	}
	b, err := json.Marshal(v)
	return append(text, b...), err
}
