package dump_test

import (
	"bytes"
	"fmt"
	"os"

	"github.com/ttlpolicy/ttlpolicy/cmd/dump"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Example counts what a dump would lose at an instant. The samples name no release, so the
// example names one.
func Example() {
	const now = policy.Instant(1_795_176_000_000) // 2026-11-20T12:00:00Z
	d, err := dump.Open("../samples/shop")
	if err != nil {
		fmt.Println(err)
		return
	}
	profile, err := mongo.ProfileOf(mongo.Version{Major: 8, Minor: 0, Patch: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	policies := map[*dump.Collection]*mongo.Collection{}
	for _, c := range d.Collections {
		spec, err := c.Spec()
		if err == nil {
			policies[c], err = mongo.CompileCollection(spec, profile)
		}
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	counts := map[*dump.Collection]map[policy.State]int{}
	for doc, err := range d.Documents() {
		if err != nil {
			fmt.Println(err)
			return
		}
		if counts[doc.Collection] == nil {
			counts[doc.Collection] = map[policy.State]int{}
		}
		counts[doc.Collection][policies[doc.Collection].DecideBSON(doc.Raw, now).State]++
	}
	for _, c := range d.Collections {
		n := counts[c]
		fmt.Println(c.Database+"."+c.Name, n[policy.Expired], "expired,", n[policy.Pending], "pending,", n[policy.Never], "never")
	}
	// Output:
	// shop.logs 209 expired, 1589 pending, 202 never
	// shop.sessions 684 expired, 536 pending, 780 never
}

// A dump that was cut off at byte 1000 is an error, and not one more document that stays.
func ExampleRead() {
	whole, err := os.ReadFile("../samples/shop/logs.bson")
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := dump.Read("logs.bson", bytes.NewReader(whole[:1000]))
	if err != nil {
		fmt.Println(err)
		return
	}
	n := 0
	for _, err := range d.Documents() {
		if err != nil {
			fmt.Println(n, "documents, then", err)
			return
		}
		n++
	}
	// Output:
	// 4 documents, then logs.bson: document at byte 894: the input ends inside the document: 238 bytes wanted, 106 left
}
