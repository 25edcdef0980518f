package main

import (
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// missing is the value of a field that is left out.
type missing struct{}

// documents returns a function that appends documents in BSON. Those made by
// document may hold fields that are [missing].
func documents(document func(r *random, i, n int) bson.D) func(dst []byte, r *random, i, n int) []byte {
	return func(dst []byte, r *random, i, n int) []byte {
		d := slices.DeleteFunc(document(r, i, n), func(e bson.E) bool { return e.Value == missing{} })
		text, err := bson.Marshal(d)
		if err != nil {
			panic(err) // every value above has a form in BSON
		}
		return append(dst, text...)
	}
}

// dates is an array of dates.
func dates(list ...int64) (a bson.A) {
	for _, at := range list {
		a = append(a, bson.DateTime(at))
	}
	return a
}
