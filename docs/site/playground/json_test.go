package playground

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// TestAppendJSON: encoding/json reads every field of an answer unchanged.
func TestAppendJSON(t *testing.T) {
	for _, x := range append(Examples(), Example{Title: "a problem", State: onMongo("8.0.4", "{\n\"<&>\u2028\x00", "é", "x")}) {
		want := Of(x.State, View{Width: 600})
		var got Answer
		d := json.NewDecoder(bytes.NewReader(AppendJSON(nil, want)))
		d.DisallowUnknownFields()
		if err := d.Decode(&got); err != nil {
			t.Fatalf("%s: %v", x.Title, err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", x.Title, diff)
		}
	}
}

// TestReadJSONProperty: every output of encoding/json is read, whatever its texts.
func TestReadJSONProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String()
		want := State{System: text.Draw(t, "system"), CustomPath: rapid.Bool().Draw(t, "custom"), LegacyNull: rapid.Bool().Draw(t, "null"), Policy: text.Draw(t, "policy"), Document: text.Draw(t, "document")}
		written, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got State
		if err := ReadJSON(string(written), &got); err != nil || got != want {
			t.Fatalf("ReadJSON(%s) = %+v, %v", written, got, err)
		}
	})
	var v View
	if err := ReadJSON(`{"width": 320, "first": "5", "more": 1, "last": 6}`, &v); err != nil || v != (View{Width: 320, First: "5"}) {
		t.Errorf("a view is read as %+v, %v", v, err)
	}
	if ReadJSON(`{"width": `, &v) == nil {
		t.Error("half an object is read")
	}
}
