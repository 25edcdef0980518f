package peers

import (
	"bytes"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The names of the sides that decide with MongoDB's Go driver.
const (
	driverLookup = "driver Lookup"
	coreLookup   = "bsoncore"
	intoStruct   = "Unmarshal into a struct"
	intoMap      = "Unmarshal into bson.M"
)

// cutoff is the latest expired date.
const cutoff = Now - DelaySeconds*1000

// A question holds the field and the delay by which an index decides about a document.
type question struct {
	path   []string
	filter bool // only documents whose status is "done"
}

// index compiles the question for the library.
func (q question) index() *mongo.Collection {
	var filter policy.D
	if q.filter {
		filter = Done()
	}
	return Index(strings.Join(q.path, "."), filter)
}

// sides returns the library's side, and the sides that decide with the driver.
func (q question) sides(d Documents) []Side {
	docs := d.All()
	return []Side{
		q.ours(d),
		sideOf(driverLookup, docs, q.lookup),
		sideOf(coreLookup, docs, q.core),
		sideOf(intoStruct, docs, q.structs()),
		sideOf(intoMap, docs, q.maps),
	}
}

func (q question) ours(d Documents) Side {
	x := q.index()
	return Side{Name: Ours, N: d.Len(), Do: func(from, to int) (count int64) {
		for i := from; i < to; i++ {
			count += b2i(x.DecideBSON(d.At(i), Now).State == policy.Expired)
		}
		return count
	}}
}

// lookup decides with bson.Raw.LookupErr.
func (q question) lookup(doc []byte) bool { return q.isExpired(doc, false) }

// core decides with bsoncore.Document.LookupErr.
func (q question) core(doc []byte) bool { return q.isExpired(doc, true) }

func (q question) isExpired(doc []byte, core bool) bool {
	if q.filter {
		v, err := find(doc, core, "status")
		if err != nil || v.Type != bsoncore.TypeString || !isDone(v.Data) {
			return false
		}
	}
	v, err := find(doc, core, q.path...)
	ms, ok := v.DateTimeOK()
	return err == nil && ok && ms <= cutoff
}

func find(doc []byte, core bool, path ...string) (bsoncore.Value, error) {
	if core {
		return bsoncore.Document(doc).LookupErr(path...)
	}
	v, err := bson.Raw(doc).LookupErr(path...)
	return bsoncore.Value{Type: bsoncore.Type(v.Type), Data: v.Value}, err
}

var done = []byte("done")

// isDone reports whether the bytes of a BSON string spell "done", without copying them.
func isDone(text []byte) bool { return len(text) > 5 && bytes.Equal(text[4:len(text)-1], done) }

// structs decides with bson.Unmarshal into a struct that has only the needed fields. The
// pointer distinguishes a missing date from the zero time, which has expired.
func (q question) structs() func([]byte) bool {
	latest := time.UnixMilli(cutoff)
	isExpired := func(at *time.Time) bool { return at != nil && !at.After(latest) }
	switch {
	case len(q.path) == 2:
		return func(doc []byte) bool {
			var v struct {
				Meta struct {
					ExpireAt *time.Time `bson:"expireAt"`
				} `bson:"meta"`
			}
			return bson.Unmarshal(doc, &v) == nil && isExpired(v.Meta.ExpireAt)
		}
	case q.filter:
		return func(doc []byte) bool {
			var v struct {
				Status   string     `bson:"status"`
				ExpireAt *time.Time `bson:"expireAt"`
			}
			return bson.Unmarshal(doc, &v) == nil && v.Status == "done" && isExpired(v.ExpireAt)
		}
	}
	return func(doc []byte) bool {
		var v struct {
			ExpireAt *time.Time `bson:"expireAt"`
		}
		return bson.Unmarshal(doc, &v) == nil && isExpired(v.ExpireAt)
	}
}

// maps decides with bson.Unmarshal into a bson.M.
func (q question) maps(doc []byte) bool {
	var m bson.M
	if bson.Unmarshal(doc, &m) != nil || q.filter && m["status"] != "done" {
		return false
	}
	at := m[q.path[0]]
	if len(q.path) == 2 {
		inner, _ := at.(bson.D) // the driver decodes embedded documents into a bson.D
		at = elementOf(inner, q.path[1])
	}
	date, ok := at.(bson.DateTime)
	return ok && date <= cutoff
}

func elementOf(d bson.D, key string) any {
	for _, e := range d {
		if e.Key == key {
			return e.Value
		}
	}
	return nil
}
