package gates

// The store of docs/implementing.md.

// docs/implementing.md: begin
import (
	"slices"
	"time"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

type (
	// A Doc is a document as this store decodes it.
	Doc []Field
	// A Field is a field of a Doc.
	Field struct {
		Name  string
		Value any // what valueOf accepts
	}
	// A List is an array.
	List []any
)

func (d Doc) Field(name string) policy.Value {
	for _, f := range d {
		if f.Name == name {
			return valueOf(f.Value)
		}
	}
	return policy.Value{} // missing
}

func (d Doc) Len() int { return len(d) }

func (d Doc) FieldAt(i int) (string, policy.Value) { return d[i].Name, valueOf(d[i].Value) }

func (l List) Len() int { return len(l) }

func (l List) At(i int) policy.Value { return valueOf(l[i]) }

func valueOf(v any) policy.Value {
	switch v := v.(type) {
	case nil:
		return policy.NullValue()
	case bool:
		return policy.BoolValue(v)
	case int:
		return policy.Int64Value(int64(v))
	case int32:
		return policy.Int32Value(v)
	case int64:
		return policy.Int64Value(v)
	case float64:
		return policy.DoubleValue(v)
	case string:
		return policy.StringValue(v)
	case time.Time:
		if v.IsZero() {
			return policy.OpaqueValue() // nobody set it, and the year 1 has expired
		}
		return policy.DateValue(policy.InstantOf(v))
	case Doc:
		return policy.ObjectValue(v)
	case List:
		return policy.ListValue(v)
	}
	return policy.OpaqueValue() // an ObjectId, say
}

// docs/implementing.md: end

// docs/implementing.md: begin
type store struct {
	collection *mongo.Collection // the definition and the policy; command.Create makes it
	docs       []*Doc
}

// createIndex stores an index, or returns the error of a server of this release.
func (s *store) createIndex(index Doc, now policy.Instant) (err error) {
	named := command.WithDefaultName(policy.DOf(policy.ObjectValue(index)))
	s.collection, _, err = command.CreateIndexes(s.collection, []policy.D{named}, now)
	return err
}

// sweep deletes the expired documents.
func (s *store) sweep(now policy.Instant) {
	s.docs = slices.DeleteFunc(s.docs, func(d *Doc) bool {
		return s.collection.Decide(d, now).State == policy.Expired
	})
}

// docs/implementing.md: end
