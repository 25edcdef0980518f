package policy_test

import (
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A session is a record in some database with its own storage.
type session struct {
	user string
	seen policy.Instant
	tags []string
}

// Field is the only method that a database must implement.
func (s *session) Field(name string) policy.Value {
	switch name {
	case "user":
		return policy.StringValue(s.user)
	case "seen":
		return policy.DateValue(s.seen)
	case "tags":
		return policy.ListValue(tagList(s.tags))
	}
	return policy.Value{} // missing
}

// tagList is a policy.Array of the tags, which are not copied.
type tagList []string

func (l tagList) Len() int              { return len(l) }
func (l tagList) At(i int) policy.Value { return policy.StringValue(l[i]) }

func ExampleDocument_ownType() {
	var doc policy.Document = &session{user: "ada", seen: 1_700_000_000_000, tags: []string{"a", "b"}}
	seen, ok := doc.Field("seen").AsDate()
	fmt.Println(seen, ok)
	fmt.Println(doc.Field("tags"))
	fmt.Println(doc.Field("absent"))
	// Output:
	// 2023-11-14T22:13:20.000Z true
	// ["a","b"]
	// missing
}

func ExampleParseBSON() {
	raw := []byte("\x10\x00\x00\x00\x09t\x00\x00\x68\xe5\xcf\x8b\x01\x00\x00\x00")
	doc, err := policy.ParseBSON(raw)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(doc.Field("t").AsDate())

	_, err = policy.ParseBSON(raw[:9])
	fmt.Println(err, errors.Is(err, policy.ErrTruncated))
	// Output:
	// 2023-11-14T22:13:20.000Z true
	// malformed BSON at byte 9: the input ends inside the document true
}

func ExampleParseJSON() {
	item, err := policy.ParseJSON([]byte(`{"id": "1", "\u0074tl": 60, "ttl": 3600, "_ts": 1700000000}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(item.Field("ttl"))
	// Output: {"$numberInt":"3600"}
}

func ExampleParseExtJSON() {
	doc, err := policy.ParseExtJSON([]byte(`{"seen": {"$date": "2023-11-14T22:13:20Z"}, "visits": 12}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(doc.Field("seen").AsDate())
	fmt.Println(doc)

	_, err = policy.ParseExtJSON([]byte(`{"seen": {"$date": 1700000000000}}`))
	var syntax *policy.SyntaxError
	if errors.As(err, &syntax) {
		fmt.Println("byte", syntax.Offset, "field", syntax.Path)
	}
	// Output:
	// 2023-11-14T22:13:20.000Z true
	// {"seen":{"$date":{"$numberLong":"1700000000000"}},"visits":{"$numberInt":"12"}}
	// byte 19 field seen.$date
}

func ExampleDecision_At() {
	const hour = 3_600_000
	decision := policy.DecisionOf(policy.Pending, 2*hour, policy.NewRule("example.date", "")).At(0)
	fmt.Println(decision)
	// At needs no document.
	fmt.Println(decision.At(2*hour - 1).State)
	fmt.Println(decision.At(2 * hour).State)
	// Output:
	// pending at 1970-01-01T02:00:00.000Z by example.date
	// pending
	// expired
}

func ExampleValue_Fields() {
	doc := policy.D{
		{Key: "a", Value: policy.Int32Value(1)},
		{Key: "b", Value: policy.ListValue(policy.A{policy.BoolValue(true), policy.NullValue()})},
	}
	f := policy.ObjectValue(doc).Fields()
	for f.Next() {
		fmt.Println(f.Name(), f.Value().Kind())
		e := f.Value().Elements()
		for e.Next() {
			fmt.Println("-", e.Value())
		}
	}
	// Output:
	// a int
	// b array
	// - true
	// - null
}
