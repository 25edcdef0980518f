package live

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestParseAddress(t *testing.T) {
	for _, test := range []struct {
		text                       string
		name, database, collection string
		uri                        string
	}{
		{"mongodb://db.example", "mongodb://db.example", "", "", "mongodb://db.example/"},
		{"mongodb://a:27017,b/shop", "mongodb://a:27017,b", "shop", "", "mongodb://a:27017,b/shop"},
		{"mongodb://u:secret@a/shop.logs.old?tls=true", "mongodb://a", "shop", "logs.old", "mongodb://u:secret@a/shop?tls=true"},
		{"mongodb+srv://c.example/?authSource=admin", "mongodb+srv://c.example", "", "", "mongodb+srv://c.example/?authSource=admin"},
		{"mongodb://a/sh%20op.l%C3%B6gs", "mongodb://a", "sh op", "lögs", "mongodb://a/sh%20op"},
		{"mongodb://%2Ftmp%2Fmongodb-27017.sock/shop", "mongodb://%2Ftmp%2Fmongodb-27017.sock", "shop", "", "mongodb://%2Ftmp%2Fmongodb-27017.sock/shop"},
	} {
		got, err := ParseAddress(test.text)
		if err != nil || got.Name != test.name || got.Database != test.database || got.Collection != test.collection || got.uri != test.uri {
			t.Errorf("ParseAddress(%s) = %+v, %v", test.text, got, err)
		}
	}
}

// TestParseAddressRefuses: the error names the fault, and quotes no host and no value.
func TestParseAddressRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"mongodb://,/shop":                                 "host 1 of the address is not HOST",
		"mongodb://127.0.0.1:1,/shop":                      "host 2 of the address is not HOST",
		"mongodb://127.0.0.1:1,,127.0.0.1:2":               "host 2 of the address is not HOST",
		"mongodb://127.0.0.1:99999/shop":                   "with a port from 1 to 65535",
		"mongodb://127.0.0.1:0":                            "with a port from 1 to 65535",
		"mongodb://one,two:hunter2/shop":                   "host 2 of the address is not HOST or HOST:PORT",
		"mongodb://[::1/shop":                              "an IPv6 address stands in brackets",
		"mongodb://::1/shop":                               "an IPv6 address stands in brackets",
		"mongodb://127.0.0.1/?tlls=hunter2":                "does not know: tlls; did you mean tls?",
		"mongodb://127.0.0.1/?readPreferance=hunter2":      "does not know: readPreferance; did you mean readPreference?",
		"mongodb://127.0.0.1/?tls=true&authsorce=hunter2":  "does not know: authsorce; did you mean authSource?",
		"mongodb://127.0.0.1/?tlsAllowInvalidHostnames=on": "did you mean tlsInsecure?",
		"mongodb://127.0.0.1/?colour=hunter2":              "does not know: colour; leave it out",
		"mongodb://127.0.0.1/?hunter2@a=b":                 "does not know; leave it out",
	} {
		_, err := ParseAddress(text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("ParseAddress(%s) = %v, want an error with %q", text, err, want)
		}
	}
	for _, text := range []string{
		"mongodb://[::1]", "mongodb://[::1]:27017,[fe80::1]/shop", "mongodb://one:1,two:65535", "mongodb://%2Ftmp%2Fmongodb-27017.sock/shop",
		"mongodb://a.mongo.cosmos.azure.com:10255/?ssl=true&replicaSet=globaldb&retrywrites=false&maxIdleTimeMS=120000&appName=@a@",
		"mongodb+srv://c.example/?retryWrites=true&w=majority&appName=Cluster0&srvMaxHosts=2",
	} {
		if _, err := ParseAddress(text); err != nil {
			t.Errorf("ParseAddress(%s) = %v, want no error", text, err)
		}
	}
}

// TestScrub: a short secret is not removed within words.
func TestScrub(t *testing.T) {
	const text = "no connection: o, pw and hunter2xhunter2 (pw)"
	for address, want := range map[string]string{
		"mongodb://o@127.0.0.1":          text,
		"mongodb://con@127.0.0.1":        text,
		"mongodb://u:o@127.0.0.1":        "no connection: …, pw and hunter2xhunter2 (pw)",
		"mongodb://u:pw@127.0.0.1":       "no connection: o, … and hunter2xhunter2 (…)",
		"mongodb://u:hunter2@127.0.0.1":  "no connection: o, pw and …x… (pw)",
		"mongodb://connection@127.0.0.1": "no …: o, pw and hunter2xhunter2 (pw)", // a token, perhaps
	} {
		a, err := ParseAddress(address)
		if got := a.scrub(text); err != nil || got != want {
			t.Errorf("scrub by %s = %q, %v, want %q", address, got, err, want)
		}
	}
}

// TestSecrets has a password in every place and of every kind, and an error that quotes
// the whole address.
func TestSecrets(t *testing.T) {
	for _, text := range []string{
		"mongodb://u:hunter2@db.example/shop",
		"mongodb://u:hunter2%21@db.example/shop",
		"mongodb://u:hunter2@@db.example/shop",
		"mongodb://u:hunter2/x@db.example/shop",
		"mongodb://u:hunter2?x@db.example/shop",
		"mongodb://u:hunter2@db.example:port/shop",
		"mongodb://u:hunter2%zz@db.example/shop",
		"mongodb://u:hunter2@/shop",
		"mongodb://u:hunter2@db.example/sh%zz",
		"mongodb://db.example/?authMechanismProperties=AWS_SESSION_TOKEN:hunter2",
		"mongodb://db.example/?tlsCertificateKeyFilePassword=hunter2&tls=perhaps",
		"mongodb+srv://u:hunter2@no-such-host.invalid/",
	} {
		a, err := ParseAddress(text)
		if err == nil {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			_, err = Dial(ctx, a, Read)
			cancel()
			err = errors.Join(err, a.Scrub(fmt.Errorf("cannot use %s", text)))
		}
		if err == nil || strings.Contains(err.Error()+a.Name, "hunter2") {
			t.Errorf("of %s: %s: %v", text, a.Name, err)
		}
	}
}

func TestResolve(t *testing.T) {
	for _, test := range []struct {
		text, stored string
		want, wrong  string // the namespace, or a part of the error
	}{
		{"mongodb://db.example/shop", "", "mongodb://db.example/shop", ""},
		{"mongodb://reader@db.example/shop.logs", "", "mongodb://db.example/shop.logs", ""},
		{"mongodb://reader:hunter2@db.example/shop.logs", "", "", "environment variable TTL_MONGODB_URI, and name mongodb:///shop.logs"},
		{"mongodb://reader:hunter2/7@db.example/shop.logs", "", "", "environment variable"},
		{"mongodb://:hunter2@db.example/shop.logs", "", "", "environment variable"},
		{"mongodb:///shop.logs", "mongodb://reader:hunter2@db.example/other", "mongodb://db.example/shop.logs", ""},
		{"mongodb://", "mongodb://reader:hunter2@db.example/other", "mongodb://db.example/other", ""},
		{"mongodb:///shop.logs", "", "", "is not set"},
		{"mongodb:///shop.logs", "hunter2", "", "TTL_MONGODB_URI: "},
		{"mongodb:///shop.logs?tls=true", "mongodb://db.example", "", "put a user and options into"},
	} {
		a, err := Resolve(test.text, func(string) string { return test.stored })
		got := a.Namespace(a.Database, a.Collection)
		switch {
		case err != nil && (test.wrong == "" || !strings.Contains(err.Error(), test.wrong) || strings.Contains(err.Error(), "hunter2")):
			t.Errorf("Resolve(%s): %v, want %q", test.text, err, test.wrong)
		case err == nil && got != test.want:
			t.Errorf("Resolve(%s) = %s, want %s%s", test.text, got, test.want, test.wrong)
		}
	}
}
