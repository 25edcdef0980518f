package members

import (
	"errors"
	"strings"
	"testing"
)

// TestCut: the members before the damage are found; the error names the damage.
func TestCut(t *testing.T) {
	nested := func(n int) string { return `{"a":1,"b":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}` }
	for _, tt := range []struct{ why, text, a, fault string }{
		{"whole", `{"a":1}`, `1`, ""},
		{"empty", ` { } `, ``, ""},
		{"space", "\t{ \"a\" :\r 1 \n, \"b\":2}", `1`, ""},
		{"the last counts", `{"a":1,"a":[2]}`, `[2]`, ""},
		{"the last counts, damaged or not", `{"a":1,"a":[`, ``, "want a closing bracket"},
		{"an escaped name", `{"\u0061":"x"}`, `"x"`, ""},
		{"brackets and quotes in a string", `{"a":"}]\"{","b":2}`, `"}]\"{"`, ""},
		{"what is wrong deeper down", `{"a":[1,,2}}`, `[1,,2}`, ""},
		{"as deep as a value may be", nested(131), `1`, ""},
		{"deeper", nested(132), `1`, "deeper than 128 levels"},
		{"cut off in a name", `{"a":1,"b`, `1`, "at byte 9: the input ends inside the document"},
		{"cut off in a string", `{"a":1,"b":"x`, `1`, "at byte 13: the input ends inside the document: want a closing quote"},
		{"cut off in an array", `{"a":1,"b":[`, `1`, "at byte 12: the input ends inside the document: want a closing bracket"},
		{"a name that is not one", `{"a":1,b:2}`, `1`, "at byte 7: found 'b', want a name in double quotes"},
		{"no colon", `{"a":1,"b"2}`, `1`, "at byte 10: found '2', want a colon"},
		{"no value", `{"a":1,"b":}`, `1`, "at byte 11: found '}', want a value"},
		{"more behind it", `{"a":1}{`, `1`, "at byte 7: found '{', want the end"},
		{"another bracket", `{"a":1]`, `1`, "at byte 6: found ']', want a comma or '}'"},
		{"an array", `[]`, ``, "at byte 0: found '[', want an object"},
		{"nothing", ``, ``, "at byte 0: the input ends inside the document: want an object"},
	} {
		o, err := Cut([]byte(tt.text))
		if got := string(o.Raw("a")); got != tt.a {
			t.Errorf("%s: a is %q, want %q", tt.why, got, tt.a)
		}
		if (err != nil) != (tt.fault != "") || err != nil && !strings.HasSuffix(err.Error(), tt.fault) {
			t.Errorf("%s: %v, want %q", tt.why, err, tt.fault)
		}
	}
}

// TestFaultsNameTheMember: a fault names the path of the member, and the kind of its
// value.
func TestFaultsNameTheMember(t *testing.T) {
	o, err := Parse("in", []byte(`{"n":null,"s":"x","l":["x"],"o":{"deep":5},"bad":{"x":},"long":"`+strings.Repeat("y", 99)+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	deep, err := o.Object("o")
	if err != nil {
		t.Fatal(err)
	}
	text := func(o Object, name string) error { _, err := o.Text(name); return err }
	texts := func(name string) error { _, err := o.Texts(name); return err }
	object := func(name string) error { _, err := o.Object(name); return err }
	for want, err := range map[string]error{
		"in.x: missing; want a string":        text(o, "x"),
		"in.n: want a string, got null":       text(o, "n"),
		"in.o.deep: want a string, got 5":     text(deep, "deep"),
		"in.o: want an array of strings, got": texts("o"),
		"in.x: missing; want an object":       object("x"),
		"in.bad: malformed JSON at byte 5":    object("bad"),
		"in.long: want an object, got \"yyy":  object("long"),
		"in.l: hidden: why":                   o.Faultf("l", "hidden: %v", errWhy),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), want) || len(err.Error()) > 120 || errors.Is(err, errWhy) {
			t.Errorf("the fault is %v, want %s", err, want)
		}
	}
	if text(o, "s") != nil || texts("l") != nil || texts("n") != nil || texts("x") != nil {
		t.Error("a string, strings, null for strings and none of them are refused")
	}
	if o.Has("n") || o.Has("x") || !o.Has("s") {
		t.Error("a member that is null or not there is had, or one that is there is not")
	}
}

var errWhy = errors.New("why")

// TestNumber: the text of a number is returned unchanged.
func TestNumber(t *testing.T) {
	for text, want := range map[string]string{
		`0`: `0`, `-0.0`: `-0.0`, `1e999999999`: `1e999999999`, `"1"`: ``, `null`: ``, `01`: ``, `+1`: ``, `-`: ``, `1.`: ``, `NaN`: ``, `[1]`: ``,
	} {
		o, err := Cut([]byte(`{"seq":` + text + `}`))
		if got := string(o.Number("seq")); err != nil || got != want {
			t.Errorf("the number %s is %q, %v, want %q", text, got, err, want)
		}
	}
	if got := (Object{}).Number("seq"); got != nil {
		t.Errorf("no member is the number %q", got)
	}
}
