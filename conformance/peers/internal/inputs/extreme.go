package inputs

import (
	"fmt"
	"strconv"
	"strings"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// extreme builds a document with the fields that the function add writes.
func extreme(add func(dst []byte) []byte) []byte {
	start, dst := bsoncore.AppendDocumentStart(nil)
	return end(bsoncore.AppendDocumentEnd(add(dst), start))
}

// Wide returns a document of n fields, the last of which is DateField.
func Wide(n int) []byte {
	return extreme(func(dst []byte) []byte {
		for i := range n - 1 {
			dst = bsoncore.AppendInt32Element(dst, "field"+strconv.Itoa(i), int32(i))
		}
		return bsoncore.AppendDateTimeElement(dst, DateField, Now)
	})
}

// Several returns a document of 50 fields and n dates behind them, the fields
// DateField0, DateField1 and so on.
func Several(n int) []byte {
	return extreme(func(dst []byte) []byte {
		for i := range 50 {
			dst = bsoncore.AppendInt32Element(dst, "field"+strconv.Itoa(i), int32(i))
		}
		for i := range n {
			dst = bsoncore.AppendDateTimeElement(dst, DateField+strconv.Itoa(i), Now)
		}
		return dst
	})
}

// Prefixed returns a document of n fields, whose names share all but the end
// with DateField, which comes last.
func Prefixed(n int) []byte {
	return extreme(func(dst []byte) []byte {
		for i := range n - 1 {
			dst = bsoncore.AppendDateTimeElement(dst, DateField+strconv.Itoa(i), Now)
		}
		return bsoncore.AppendDateTimeElement(dst, DateField, Now)
	})
}

// Dates returns a document whose DateField is an array of n dates.
func Dates(n int) []byte {
	return extreme(func(dst []byte) []byte {
		at, dst := bsoncore.AppendArrayElementStart(dst, DateField)
		for i := range n {
			dst = bsoncore.AppendDateTimeElement(dst, strconv.Itoa(i), Now+int64(n-i))
		}
		return end(bsoncore.AppendArrayEnd(dst, at))
	})
}

// Documented returns a document whose field MetaField is an array of n
// documents, each with a DateField.
func Documented(n int) []byte {
	return extreme(func(dst []byte) []byte {
		array, dst := bsoncore.AppendArrayElementStart(dst, MetaField)
		for i := range n {
			var at int32
			at, dst = bsoncore.AppendDocumentElementStart(dst, strconv.Itoa(i))
			dst = bsoncore.AppendDateTimeElement(dst, DateField, Now+int64(n-i))
			dst = end(bsoncore.AppendDocumentEnd(dst, at))
		}
		return end(bsoncore.AppendArrayEnd(dst, array))
	})
}

// Nested returns a document in which DateField lies n documents deep, and the
// path to it: "n.n.expireAt" for 3.
func Nested(n int) (doc []byte, path string) {
	doc = extreme(func(dst []byte) []byte { return bsoncore.AppendDateTimeElement(dst, DateField, Now) })
	for range n - 1 {
		inner := doc
		doc = extreme(func(dst []byte) []byte { return bsoncore.AppendDocumentElement(dst, "n", inner) })
	}
	return doc, strings.Repeat("n.", n-1) + DateField
}

// Digits returns an item whose ttl has n digits.
func Digits(n int) []byte {
	return fmt.Appendf(nil, `{"id":"i","ttl":%s,"_ts":%d}`, strings.Repeat("7", n), NowSeconds)
}

// Members returns an item of n members, all of whose names begin as ttl does,
// with ttl and _ts behind them.
func Members(n int) []byte {
	b := []byte(`{`)
	for i := range n {
		b = fmt.Appendf(b, `"ttl%d":[%d],`, i, i)
	}
	return fmt.Appendf(b, `"ttl":5,"_ts":%d}`, NowSeconds)
}
