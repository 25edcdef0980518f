package citations

import (
	"testing"
	"testing/fstest"
)

func TestReadBoundariesRefuses(t *testing.T) {
	for _, text := range []string{`{`, `{}`, `[{"behavior": "nan"}]`, `[{"behaviour": "nan", "boundaries": [{"until": "5.0.0"}]}]`} {
		if _, err := readBoundaries(fstest.MapFS{"boundaries/a.json": {Data: []byte(text)}}); err == nil {
			t.Errorf("readBoundaries takes %s", text)
		}
	}
	if n := len(Boundaries()); n < 70 {
		t.Errorf("%d behaviours are embedded, want all", n)
	}
}

func TestParsePlace(t *testing.T) {
	const commit = "b4fedf13f77347b4be11053b59d01f80b769fd7c"
	for text, link := range map[string]string{
		"r3.2.22 src/mongo/db/ttl.cpp:205":                  "https://github.com/mongodb/mongo/blob/r3.2.22/src/mongo/db/ttl.cpp#L205",
		"r4.2.0-rc2 src/mongo/db/ttl.cpp:1":                 "https://github.com/mongodb/mongo/blob/r4.2.0-rc2/src/mongo/db/ttl.cpp#L1",
		commit + " src/mongo/bson/bson-inl.h:12":            "https://github.com/mongodb/mongo/blob/" + commit + "/src/mongo/bson/bson-inl.h#L12",
		"":                                                  "",
		"r3.2.22 src/mongo/db/ttl.cpp":                      "",
		"r3.2.22 src/mongo/db/ttl.cpp:0":                    "",
		"v3.2 src/mongo/db/ttl.cpp:205":                     "",
		"r3.2.22  src/mongo/db/ttl.cpp:2":                   "",
		"master src/mongo/db/ttl.cpp:205":                   "",
		"r3.2.22 src/mongo/db/ttl.cpp:2 x":                  "",
		"r3.2.22 src/mongo/db/ttl.cpp:99999999999999999999": "",
	} {
		p, ok := ParsePlace(text)
		if ok != (link != "") || ok && p.ServerLink() != link {
			t.Errorf("ParsePlace(%q) = %v, %t, which leads to %q, want %q", text, p, ok, p.ServerLink(), link)
		}
	}
}
