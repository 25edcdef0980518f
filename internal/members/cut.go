package members

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Cut returns the members of the object that text holds. If there is an error, it returns
// the members before the fault, so that even the answer to a damaged request can carry its
// number. Values nest at most 10,000 levels deep, as deep as encoding/json reads.
func Cut(text []byte) (Object, error) {
	o := Object{raw: map[string][]byte{}}
	in := json.NewDecoder(bytes.NewReader(text))
	fault := func(where string, err error) (Object, error) {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return o, fmt.Errorf("malformed JSON%s after byte %d: %w", where, in.InputOffset(), err)
	}
	if start, err := in.Token(); err != nil || start != json.Delim('{') {
		return o, fmt.Errorf("malformed JSON: want an object")
	}
	for in.More() {
		token, err := in.Token()
		if err != nil {
			return fault("", err)
		}
		name := token.(string)
		delete(o.raw, name) // the last member of a name counts, even if it is damaged
		var value json.RawMessage
		if err := in.Decode(&value); err != nil {
			return fault(fmt.Sprintf(" in %q", Clip(name)), err)
		}
		o.raw[name] = value
	}
	if _, err := in.Token(); err != nil {
		return fault("", err)
	}
	if _, err := in.Token(); err != io.EOF {
		return o, fmt.Errorf("malformed JSON after byte %d: more follows the object", in.InputOffset())
	}
	return o, nil
}
