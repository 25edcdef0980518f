package peers

import (
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// TestDocumentsSize: documents have the average sizes that the names of the works state.
func TestDocumentsSize(t *testing.T) {
	for _, tt := range []struct {
		name  string
		shape Shape
		want  int // bytes on average, within a twentieth
	}{
		{"small", Small.At(Last), 187},
		{"medium", Medium.At(Last), 1013},
		{"large", Large.At(Last), 10230},
		{"blob", Blob.At(Last), 10231},
	} {
		d := MakeDocuments(tt.shape, 500, 1<<30)
		got := len(d.Bytes) / d.Len()
		if got < tt.want*19/20 || got > tt.want*21/20 {
			t.Errorf("%s: %d bytes on average, want about %d", tt.name, got, tt.want)
		}
	}
}

// TestDocumentsVary: documents are well-formed, about half are expired, and
// optional fields are missing from some.
func TestDocumentsVary(t *testing.T) {
	for _, p := range []Place{First, Middle, Last, Dotted, Array} {
		d := MakeDocuments(Small.At(p), 1000, 1<<30)
		expired, without := 0, 0
		for i := range d.Len() {
			doc := bson.Raw(d.At(i))
			if err := doc.Validate(); err != nil {
				t.Fatal(err)
			}
			if earliest(doc, p) <= Now-DelaySeconds*1000 {
				expired++
			}
			if _, err := doc.LookupErr("qty"); err != nil {
				without++
			}
		}
		if expired < 350 || expired > 650 {
			t.Errorf("place %d: %d of 1000 expired, want about half", p, expired)
		}
		if without < 80 || without > 180 {
			t.Errorf("place %d: %d of 1000 without qty, want about 125", p, without)
		}
	}
}

// earliest returns the deciding date, which it reads with the driver alone.
func earliest(doc bson.Raw, p Place) int64 {
	switch p {
	case Dotted:
		return doc.Lookup(MetaField, DateField).DateTime()
	case Array:
		values, _ := doc.Lookup(DateField).Array().Values()
		first := values[0].DateTime()
		for _, v := range values {
			first = min(first, v.DateTime())
		}
		return first
	}
	return doc.Lookup(DateField).DateTime()
}
