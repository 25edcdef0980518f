package rulebook

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/internal/mongosh"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Line is one part of a question: "document" and how it is written.
type Line struct{ Label, Text string }

// members are the parts of questions, in the order in which people read them.
var members = []string{
	"collection", "existing", "previous", "container", "index", "indexes", "command", "document", "item", "_ts", "now",
}

// parse reads the members of a question. The suite was loaded, so that it is an
// object.
func parse(in json.RawMessage) (parts map[string]json.RawMessage) {
	if err := json.Unmarshal(in, &parts); err != nil {
		panic("rulebook: a question of the suite is not an object")
	}
	return parts
}

// question writes the question of c the way people do: MongoDB's values as
// mongosh does, items of Cosmos DB as the JSON that they are.
func (c *Case) question() (lines []Line) {
	for _, name := range members {
		text, ok := c.in[name]
		if !ok {
			continue
		}
		switch name {
		case "now":
			lines = append(lines, Line{name, instant(text)})
		case "_ts":
			lines = append(lines, Line{name, seconds(text)})
		case "indexes":
			lines = append(lines, each("index", text)...)
		case "existing":
			lines = append(lines, each("existing", text)...)
		default:
			lines = append(lines, Line{name, literal(c.Op, text)})
		}
	}
	return lines
}

// Member returns a part of c's question as it is shown, such as "document", and
// an array of indexes as one text. It reports false if there is none.
func (c *Case) Member(name string) (string, bool) {
	text, ok := c.in[name]
	if !ok {
		return "", false
	}
	return literal(c.Op, text), true
}

// Now returns the instant that c asks about. It reports false if it asks about
// none.
func (c *Case) Now() (policy.Instant, bool) {
	v, err := policy.ParseExtJSON(c.in["now"])
	i, ok := v.AsDate()
	return i, ok && err == nil
}

// each gives every index a line of its own.
func each(label string, list json.RawMessage) (lines []Line) {
	var texts []json.RawMessage
	if json.Unmarshal(list, &texts) != nil {
		return []Line{{label, string(list)}}
	}
	for _, text := range texts {
		lines = append(lines, Line{label, literal("mongodb", text)})
	}
	return lines
}

// literal writes one value. What mongosh has no literal for, or what Extended
// JSON cannot hold, stays as the vector has it.
func literal(op string, text json.RawMessage) string {
	if !strings.HasPrefix(op, "cosmos.") {
		if v, err := policy.ParseExtJSONInt32(text); err == nil {
			if written, ok := mongosh.Literal(v); ok {
				return written
			}
		}
	}
	var compact bytes.Buffer
	if json.Compact(&compact, text) != nil {
		return string(text)
	}
	return compact.String()
}

// instant writes an instant, {"$date": …}.
func instant(text json.RawMessage) string {
	v, err := policy.ParseExtJSON(text)
	if i, ok := v.AsDate(); err == nil && ok {
		return i.String()
	}
	return string(text)
}

// seconds writes a _ts with the instant that it stands for.
func seconds(text json.RawMessage) string {
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || n < 0 || n > 253402300799 {
		return string(text)
	}
	return string(text) + " (" + time.Unix(n, 0).UTC().Format(time.RFC3339) + ")"
}
