package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/catalogtest"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// oddNames are names of collections that are something else as properties of a database in
// mongosh, or that need quotes in JavaScript.
var oddNames = []string{
	"stats", "version", "help", "watch", "auth", "dropDatabase", "getCollection", "runCommand", "constructor", "toString", "_events",
	"a.find", "my logs", "a-b", "1st", `x"); db.dropDatabase("`, "ä", "tag\U000e0041", "x'y", "x`z",
}

// TestCommandsOfOddNames: a server that has mongosh's members of a database carries out the
// commands that plan, audit, migrate and forecast print about collections of odd names, each
// about its collection.
func TestCommandsOfOddNames(t *testing.T) {
	t.Parallel()
	const nan = `{"$numberDouble":"NaN"}`
	for _, name := range oddNames {
		quoted, err := json.Marshal("shop." + name)
		if err != nil {
			t.Fatal(err)
		}
		key := policy.D{{Key: "t", Value: policy.Int32Value(1)}}
		server := func(system string, indexes ...mongo.IndexSpec) *catalogtest.Server {
			s := &catalogtest.Server{System: system, Release: "8.0.4", Collections: map[string]*catalogtest.Collection{"other": {}, name: {Mongo: mongo.CollectionSpec{Indexes: indexes}}}}
			if system != definition.MongoDB {
				s.Release = ""
				s.Collections[name].Documents = []catalogtest.Document{{Name: "1", Value: policy.D{{Key: "_ts", Value: policy.Int64Value(1)}, {Key: "ttl", Value: policy.Int32Value(1)}}}}
			}
			return s
		}
		stored := func(seconds string) mongo.IndexSpec {
			return mongo.IndexSpec{Name: "t_1", Key: key, ExpireAfterSeconds: fixture.Value(t, seconds)}
		}
		listing := func(seconds string) string {
			return written(t, "listing.json", fmt.Sprintf(`[{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":%s,"ns":%s}]`, seconds, quoted))
		}
		run := func(s *catalogtest.Server, commands []string) {
			t.Helper()
			if len(commands) == 0 {
				t.Errorf("%q: no command", name)
			}
			for _, c := range commands {
				if _, err := s.Run(c, nil); err != nil {
					t.Errorf("%q: %s: %v", name, c, err)
				}
			}
		}

		file := ttl(t, "", "plan", "init", listing("60"))
		if file.code != cli.ExitOK {
			t.Errorf("%q: plan init: %s", name, file.err)
			continue
		}
		var planned struct {
			Collections []struct {
				Items []struct{ Steps []struct{ Command string } }
			}
		}
		readJSON(t, ttl(t, "", "plan", "--metadata-only", "--format", "json", "--server", "8.0.4", written(t, "p.yaml", file.out), listing("3600")), &planned)
		s := server(definition.MongoDB, stored("3600"))
		run(s, []string{planned.Collections[0].Items[0].Steps[0].Command})
		if n, ok := s.Collections[name].Mongo.Indexes[0].ExpireAfterSeconds.AsInt64(); !ok || n != 60 {
			t.Errorf("%q: the plan leaves %+v", name, s.Collections[name].Mongo.Indexes)
		}

		var audited struct {
			Audited []struct {
				Findings []struct {
					Repairs []struct{ Commands []string }
				}
			}
		}
		readJSON(t, ttl(t, "", "audit", "--format", "json", "--expire-after", "1h", "--server", "8.0.4", listing(nan)), &audited)
		if len(audited.Audited) != 1 || len(audited.Audited[0].Findings) == 0 {
			t.Errorf("%q: audit: %+v", name, audited)
			continue
		}
		for _, repair := range audited.Audited[0].Findings[0].Repairs {
			run(server(definition.MongoDB, stored(nan)), repair.Commands)
		}

		m, _ := migrateJSON(t, "--to", "cosmos-mongo", "--index", `{"t":1}`, "--expire-after", "10", written(t, "dump.archive", archived("8.0.4", `{"options":{},"indexes":[]}`, []string{name}, map[string]string{name: "\x05\x00\x00\x00\x00"})))
		s = server(definition.CosmosMongo)
		run(s, []string{m.Create})
		if len(s.Collections[name].API.Indexes) == 0 {
			t.Errorf("%q: %s creates no index there", name, m.Create)
		}

		r := ttl(t, "", "forecast", "--pushdown", "mongo", "--namespace", "shop."+name, "--index", `{"t":1}`, "--expire-after", "1d", "--find")
		query := regexp.MustCompile(`(?m)^db\..*\.find\(`).FindString(r.out)
		s = server(definition.MongoDB)
		s.Collections[name].Documents = []catalogtest.Document{{Name: "1", Value: policy.D{{Key: "t", Value: policy.DateValue(0)}}}}
		if o, err := s.Run(query+"{t: {$type: \"date\"}})", nil); err != nil || !o.Found[name+"/1"] {
			t.Errorf("%q: %s finds %v, %v", name, query, o.Found, err)
		}
	}
}

// readJSON reads the JSON of a command.
func readJSON(t *testing.T, r result, v any) {
	t.Helper()
	if err := json.NewDecoder(strings.NewReader(r.out)).Decode(v); err != nil {
		t.Fatalf("%v: %s%s", err, r.out, r.err)
	}
}
