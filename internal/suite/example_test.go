package suite_test

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// A vector is a question with its answers by release, and their sources.
func Example() {
	whole := suite.Embedded()
	v := whole.Vector("mongodb-createindexes-nan")
	fmt.Println(v.Title)
	for _, row := range v.Want {
		answer := row.Answers[0]
		fmt.Println(row.Versions, answer, whole.Cited(answer)[0].Title)
	}
	// Output:
	// NaN: up to 6.1 stored, or 2147483647 in its place; refused since 7.0
	// >=8.2.4 refused with CannotCreateIndex (67) documentdb/functional-tests: TTL indexes, run against MongoDB 8.2.4
	// >=7.0.0 <8.2.4 refused with CannotCreateIndex (67) MongoDB server: createIndexes
	// <5.0.14 || >=5.1.0 <6.0.2 {"expireAfterSeconds":{"$numberDouble":"NaN"},"created":true} MongoDB server: validation of indexes
	// >=5.0.14 <5.1.0 {"expireAfterSeconds":{"$numberInt":"2147483647"},"created":true} MongoDB server: validation of indexes
	// >=6.0.2 <6.2.0 {"expireAfterSeconds":{"$numberInt":"2147483647"},"created":true} MongoDB server: validation of indexes
}
