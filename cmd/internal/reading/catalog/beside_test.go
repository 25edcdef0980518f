package catalog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

// TestFilesOfScripts: a file that a script sends is read if it is below the given folder.
// A file outside is not read, under any name or link. A file that is not read is a
// finding.
func TestFilesOfScripts(t *testing.T) {
	const body = `{"properties":{"resource":{"id":"carts","defaultTtl":86400,"partitionKey":{"paths":["/id"]}}}}`
	top := fixture.Files(t, map[string]string{
		"secret.json": body, "in/x.json": body, "in/deep/y.json": body, "in/idx.json": `[{"key":{"keys":["_ts"]},"options":{"expireAfterSeconds":5}}]`, "in/bad.json": `{"defaultTtl":$TTL}`, "in/plain.json": `{"properties":{"resource":{"id":"carts"}}}`,
	})
	if err := os.Symlink(filepath.Join(top, "secret.json"), filepath.Join(top, "in", "link.json")); err != nil {
		t.Skip(err)
	}
	script := filepath.Join(top, "in", "deep", "deploy.sh")
	send := func(file string) string {
		return "az rest --method put --url $U/sqlDatabases/shop/containers/x --body " + file + "\n"
	}
	for _, tt := range []struct {
		line, want string // the result if the folder "in" is given
		alone      string // the result if only the script is given; empty if it is the same
	}{
		{send("@y.json"), `x {"id":"carts","defaultTtl":{"$numberInt":"86400"}`, ""},
		{send("'@y.json'"), `x {"id":"carts","defaultTtl":{"$numberInt":"86400"}`, ""},
		{send("@../x.json"), `x {"id":"carts","defaultTtl":{"$numberInt":"86400"}`, "not read"},
		{send("@../../secret.json"), "not read", ""},
		{send("@../link.json"), "not read", ""},
		{send("@" + filepath.Join(top, "secret.json")), "not read", ""},
		{send("@none.json"), "not read: the file does not exist", ""},
		{send("@$FILE"), "not read: a name with variables or commands is not evaluated here", ""},
		{send("@../bad.json"), "is not JSON", "not read"},
		{send("@../plain.json"), "", "not read"},
		{"az cosmosdb mongodb collection create -d shop -n carts --idx @../idx.json\n", "carts 1 step", "not read"},
		{"az cosmosdb mongodb collection create -d shop -n carts --idx @../../secret.json\n", "not read", ""},
	} {
		if err := os.WriteFile(script, []byte(tt.line), 0o600); err != nil {
			t.Fatal(err)
		}
		alone := tt.alone
		if alone == "" {
			alone = tt.want
		}
		for path, want := range map[string]string{filepath.Join(top, "in"): tt.want, script: alone} {
			targets, err := FindWithSources(path, nil, false)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, target := range targets {
				switch {
				case target.unread == nil && strings.ContainsAny(before(tt.line, filepath.Base(target.File)), "/@"):
					got += target.File + " by itself "
				case !strings.HasSuffix(target.File, ".sh"):
				case target.container != nil:
					got += target.Name + " " + Plain(target.container.resource)
				case len(target.steps) == 1:
					got += target.Name + " 1 step"
				}
				if strings.HasSuffix(target.File, ".sh") {
					for _, u := range target.Unread() {
						got += u.Why
					}
				}
			}
			if want == "" && got != "" || !strings.Contains(got, want) || strings.Contains(got, "by itself") {
				t.Errorf("%s in %s: %q, want %q", tt.line, filepath.Base(path), got, want)
			}
		}
	}
}

// before returns the byte before a name in a line; empty if the line lacks the name or
// begins with it.
func before(line, name string) string {
	if i := strings.Index(line, name); i > 0 {
		return line[i-1 : i]
	}
	return ""
}
