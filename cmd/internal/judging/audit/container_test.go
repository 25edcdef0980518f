package audit

import (
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
)

// TestContainers: the audit of a container's settings, without items, gives the expected
// findings.
func TestContainers(t *testing.T) {
	tests := []struct {
		why, container string
		want           []string
		text           string // of the first finding
		command        string // the end of the repair's command
	}{
		{"on", `{"defaultTtl":3600}`, nil, "", ""},
		{"on, no default", `{"defaultTtl":-1}`, nil, "", ""},
		{"off", `{"partitionKey":{}}`, nil, "", ""},
		{"milliseconds", `{"defaultTtl":86400000}`, []string{"keeps cosmos.seconds"}, "defaultTtl 86400000 looks like 1 d in milliseconds. It counts seconds from an item's last write: 2.7 years.", "--ttl 86400"},
		{"less than an hour in milliseconds is less clear", `{"defaultTtl":3599000}`, nil, "", ""},
		{"no whole hour", `{"defaultTtl":3600001}`, nil, "", ""},
		{"a point in time", `{"defaultTtl":1795132800}`, []string{"keeps cosmos.seconds"}, "looks like the time 2026-11-20T00:00:00.000Z. It counts seconds from an item's last write: 56.9 years.", ""},
		{"just before", `{"defaultTtl":999999999}`, nil, "", ""},
		{"0", `{"defaultTtl":0}`, []string{"keeps cosmos.default-refused"}, "The service refuses these settings with status 400: The input defaultTtl '0' is invalid.", ""},
		{"negative", `{"defaultTtl":-2}`, []string{"keeps cosmos.default-refused"}, "'-2' is invalid", ""},
		{"thirty days in milliseconds", `{"defaultTtl":2592000000}`, []string{"keeps cosmos.default-range"}, "2592000000 looks like 30 d in milliseconds.", "--ttl 2592000"},
		{"text", `{"defaultTtl":"3600"}`, []string{"unspecified cosmos.default-type-unspecified"}, "", ""},
		{"a null that is shown is off", `{"defaultTtl":null,"partitionKey":{}}`, nil, "", ""},
		{"no index", `{"defaultTtl":-1,"indexingPolicy":{"indexingMode":"None"}}`, []string{"keeps cosmos.indexing-none"}, "Indexing mode value cannot be 'none'", ""},
		{"no index, and off", `{"indexingPolicy":{"indexingMode":"none"}}`, nil, "", ""},
		{"a lazy index", `{"defaultTtl":60,"indexingPolicy":{"indexingMode":"lazy"}}`, []string{"harmless cosmos.indexing-lazy"}, "indexingMode lazy is stored as consistent", ""},
		{"a path without a default", `{"ttlPropertyPath":"/at"}`, []string{"keeps cosmos.path-without-default"}, "ttlPropertyPath needs a defaultTtl", ""},
		{"another spelling", `{"defaultTTL":3600}`, []string{"keeps cosmos.off"}, "The property defaultTTL is not defaultTtl", "--ttl 3600"},
		{"an SDK's spelling", `{"DefaultTimeToLive":60}`, []string{"keeps cosmos.off"}, "The property DefaultTimeToLive is not", "--ttl 60"},
		{"with underscores", `{"default_ttl":60}`, []string{"keeps cosmos.off"}, "The property default_ttl is not", "--ttl 60"},
		{"another spelling of what cannot be", `{"defaultTTL":0}`, []string{"keeps cosmos.off"}, "", ""},
		{"the analytical store, in milliseconds", `{"partitionKey":{},"analyticalStorageTtl":86400000}`, []string{"keeps cosmos.analytical"}, "analyticalStorageTtl 86400000 looks like 1 d in milliseconds. It counts seconds from an item's last write: 2.7 years.", ""},
		{"both in milliseconds", `{"defaultTtl":86400000,"analyticalStorageTtl":172800000}`, []string{"keeps cosmos.seconds", "keeps cosmos.analytical"}, "defaultTtl 86400000 looks like 1 d", "--ttl 86400"},
		{"the analytical store for two days", `{"partitionKey":{},"analyticalStorageTtl":172800}`, nil, "", ""},
		{"no analytical store", `{"partitionKey":{},"analyticalStorageTtl":0}`, nil, "", ""},
		{"an analytical store without limit", `{"partitionKey":{},"analyticalStorageTtl":-1}`, nil, "", ""},
		{"the analytical store, beyond the range", `{"partitionKey":{},"analyticalStorageTtl":-2}`, []string{"unspecified cosmos.analytical-unspecified"}, "not a whole number from -1 to 2147483647", ""},
		{"beyond the range, in milliseconds", `{"defaultTtl":86400000,"analyticalStorageTtl":2592000000}`, []string{"unspecified cosmos.analytical-unspecified", "keeps cosmos.seconds"}, "2592000000 looks like 30 d in milliseconds.", ""},
		{"an SDK's spelling of the analytical store", `{"partitionKey":{},"AnalyticalStorageTtl":60}`, []string{"harmless cosmos.analytical-off"}, "The property AnalyticalStorageTtl is not analyticalStorageTtl but", ""},
		{"both spellings", `{"defaultTTL":3600,"defaultTtl":60}`, nil, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			r := audited(t, read(t, tt.container)[0], Options{})
			checkFindings(t, r, tt.want...)
			if len(r.Findings) == 0 {
				return
			}
			f := r.Findings[0]
			command := ""
			for _, repair := range f.Repairs {
				command = strings.Join(repair.Commands, "\n")
			}
			if !strings.Contains(f.Text, tt.text) || !strings.HasSuffix(command, tt.command) || (command == "") != (tt.command == "") {
				t.Errorf("%q, repaired by %q; want %q, %q", f.Text, command, tt.text, tt.command)
			}
		})
	}
}

// TestItems: the items of an export, one item a line, give the expected findings.
func TestItems(t *testing.T) {
	const on, off = `{"defaultTtl":3600}`, `{"partitionKey":{}}`
	tests := []struct {
		why, container, items string
		want                  []string
		text                  string
	}{
		{"as it should be", on, `{"id":"a","ttl":60,"_ts":1}` + "\n" + `{"ttl":-1,"_ts":1}` + "\n" + `{"_ts":1}`, nil, ""},
		{"a ttl that is not looked at", off, `{"ttl":60,"_ts":1}` + "\n" + `{"ttl":-1,"_ts":1}` + "\n" + `{}`, []string{"keeps cosmos.off"}, "2 items have a ttl of their own, but the container has no defaultTtl"},
		{"one of them", off, `{"ttl":60,"_ts":1}`, []string{"keeps cosmos.off"}, "1 item has a ttl of its own, but"},
		{"null", on, `{"ttl":null,"_ts":1}`, []string{"unspecified cosmos.item-unspecified"}, "1 item has ttl null."},
		{"0", on, `{"ttl":0,"_ts":1}`, []string{"unspecified cosmos.item-unspecified"}, "1 item has ttl 0, which is not 'at once'"},
		{"negative", on, `{"ttl":-2,"_ts":1}`, []string{"unspecified cosmos.item-unspecified"}, "a negative ttl such as -2."},
		{"text", on, `{"ttl":"60","_ts":1}`, []string{"unspecified cosmos.item-unspecified"}, `a string as ttl, such as "60".`},
		{"a fraction", on, `{"ttl":20.5,"_ts":1}`, []string{"unspecified cosmos.item-unspecified"}, "such as 20.5."},
		{"whole, with a point", on, `{"ttl":20.0,"_ts":1}`, []string{"unspecified cosmos.item-unspecified"}, "or written like one, such as 20.0."},
		{"beyond 64 bits", on, `{"ttl":1e300,"_ts":1}`, []string{"unspecified cosmos.item-unspecified"}, "above 2147483647, such as 1E+300."},
		{"beyond numbers", on, `{"ttl":1e1000000000,"_ts":1}`, []string{"unspecified cosmos.item-unspecified"}, "above 2147483647, such as Infinity."},
		{"true", on, `{"ttl":true,"_ts":1}`, []string{"unspecified cosmos.item-unspecified"}, "1 item has true as ttl"},
		{"an object", on, `{"ttl":{"seconds":5},"_ts":1}`, []string{"unspecified cosmos.item-unspecified"}, `as ttl, which is no number`},
		{"a point in time in milliseconds", on, `{"ttl":1795132800000,"_ts":1}`, []string{"unspecified cosmos.item-unspecified"}, "such as 1795132800000, which looks like the time 2026-11-20T00:00:00.000Z in milliseconds."},
		{"thirty days in milliseconds", on, `{"ttl":2592000000,"_ts":1}`, []string{"unspecified cosmos.item-unspecified"}, "such as 2592000000, which looks like 30 d in milliseconds."},
		{"too much for any unit", on, `{"ttl":36000000000000,"_ts":1}`, []string{"unspecified cosmos.item-unspecified"}, "such as 36000000000000. The service"},
		{"far below", on, `{"ttl":-1e300,"_ts":1}`, []string{"unspecified cosmos.item-unspecified"}, "a negative ttl such as -1E+300."},
		{"a point in time", on, `{"ttl":1795132800,"_ts":1}`, []string{"keeps cosmos.seconds"}, "1 item has a ttl such as 1795132800, which looks like the time 2026-11-20T00:00:00.000Z. It counts seconds from the item's last write: 56.9 years."},
		{"a day in milliseconds", on, `{"ttl":86400000,"_ts":1}`, []string{"keeps cosmos.seconds"}, "which looks like 1 d in milliseconds. It counts seconds from the item's last write: 2.7 years."},
		{"looks are told apart", on, `{"ttl":86400000,"_ts":1}` + "\n" + `{"ttl":1795132800,"_ts":1}` + "\n" + `{"ttl":172800000,"_ts":1}`, []string{"keeps cosmos.seconds", "keeps cosmos.seconds"}, "2 items have a ttl such as 86400000"},
		{"500 days, or 12 hours in milliseconds", on, `{"ttl":43200000,"_ts":1}`, nil, ""},
		{"the greatest", on, `{"ttl":2147483647,"_ts":1}`, []string{"keeps cosmos.seconds"}, "which looks like the time 2038-01-19T03:14:07.000Z"},
		{"an SDK's name", on, `{"TimeToLive":60,"_ts":1}`, []string{"keeps cosmos.property-name"}, "1 item has a property TimeToLive and no ttl."},
		{"with an underscore", `{"defaultTtl":-1}`, `{"_ttl":60,"_ts":1}`, []string{"keeps cosmos.property-name"}, "a property _ttl and no ttl."},
		{"in capitals", on, `{"TTL":"60","_ts":1}`, []string{"keeps cosmos.property-name"}, "a property TTL and no ttl."},
		{"escaped, it is the name", on, `{"\u0074tl":60,"_ts":1}`, nil, ""},
		{"another name beside the name", on, `{"TTL":60,"ttl":5,"_ts":1}`, nil, ""},
		{"another name for no number", on, `{"TTL":[60],"_ts":1}`, nil, ""},
		{"within, it is data", on, `{"meta":{"TTL":60},"_ts":1}`, nil, ""},
		{"no last write", on, `{"ttl":60}`, []string{"harmless cosmos.no-timestamp"}, "1 item has no whole number as _ts here, so when it expires is unknown."},
		{"twice", on, `{"ttl":60,"ttl":0,"_ts":1}`, []string{"unspecified cosmos.duplicate-unspecified"}, "the property ttl or _ts twice"},
		{"off, and wrong besides", off, `{"ttl":0,"_ts":1}`, []string{"unspecified cosmos.item-unspecified", "keeps cosmos.off"}, "1 item has ttl 0"},
		{"a path without a number", `{"defaultTtl":60,"ttlPropertyPath":"/at"}`, `{"at":5,"_ts":1}` + "\n" + `{"at":"x","_ts":1}`, []string{"unspecified cosmos.path-unspecified"}, "1 item holds no whole number at the container's ttlPropertyPath"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			r := audited(t, with(t, read(t, tt.container)[0], tt.items), Options{})
			checkFindings(t, r, tt.want...)
			if len(r.Findings) > 0 && !strings.Contains(r.Findings[0].Text, tt.text) {
				t.Errorf("%q, want %q", r.Findings[0].Text, tt.text)
			}
			for _, f := range r.Findings {
				if unfilled.MatchString(f.Text) || f.Documents == 0 || len(f.Samples) == 0 {
					t.Errorf("%q of %d documents, %d samples", f.Text, f.Documents, len(f.Samples))
				}
			}
		})
	}
}

// TestTemplates: the audit reads containers from nested resources.
func TestTemplates(t *testing.T) {
	const kind = `"type":"Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers"`
	tests := []struct {
		why, resources, want string
		findings             []string // of the first
	}{
		{"one", `[{` + kind + `,"name":"a/b/c","properties":{"resource":{"id":"carts","defaultTtl":5}}}]`, "container b.carts", nil},
		{"without an id", `[{` + kind + `,"name":"a/b/c","properties":{"resource":{"defaultTtl":5}}}]`, "container b.c", nil},
		{"with a name to be evaluated", `[{` + kind + `,"name":"[format('x')]","properties":{"resource":{"id":"[parameters('x')]","defaultTtl":5}}}]`, "container policies:1", nil},
		{"a bracket that is not one", `[{` + kind + `,"properties":{"resource":{"id":"[[x]","defaultTtl":5}}}]`, "container [[x]", nil},
		{"half a bracket", `[{` + kind + `,"properties":{"resource":{"id":"[x","defaultTtl":5}}}]`, "container [x", nil},
		{"capitals do not count", `[{"type":"microsoft.documentdb/DATABASEACCOUNTS/sqldatabases/Containers","properties":{"resource":{"id":"carts"}}}]`, "container carts", nil},
		{"by symbolic names", `{"carts":{` + kind + `,"properties":{"resource":{"id":"carts"}}}}`, "container carts", nil},
		{"within its database", `[{"type":"Microsoft.DocumentDB/databaseAccounts","resources":[{"type":"sqlDatabases","resources":[{"type":"containers","properties":{"resource":{"id":"carts"}}}]}]}]`, "container carts", nil},
		{"in a nested deployment", `[{"type":"Microsoft.Resources/deployments","properties":{"template":{"resources":[{` + kind + `,"properties":{"resource":{"id":"carts","defaultTtl":0}}}]}}}]`, "container carts", []string{"keeps cosmos.default-refused"}},
		{"a null that is sent", `[{` + kind + `,"properties":{"resource":{"id":"carts","defaultTtl":null}}}]`, "container carts", []string{"keeps cosmos.default-refused"}},
		{"other resources", `[{"type":"Microsoft.Storage/storageAccounts","name":"x"},{` + kind + `,"properties":{"resource":{"id":"carts"}}}]`, "container carts", nil},
	}
	for _, tt := range tests {
		targets := read(t, `{"$schema":"https://schema.management.azure.com/x","resources":`+tt.resources+`}`)
		if got := "container " + targets[0].Title(); len(targets) != 1 || got != tt.want {
			t.Errorf("%s: read %s, want %s", tt.why, got, tt.want)
			continue
		}
		r := audited(t, targets[0], Options{})
		if tt.findings != nil {
			checkFindings(t, r, tt.findings...)
		}
	}
	if _, err := catalog.Read("policies", strings.NewReader(`{"$schema":"x","resources":[{"type":"Microsoft.Storage/storageAccounts"}]}`)); err == nil {
		t.Error("a template without containers = nil, want an error")
	}
}

// TestExpressions: a container with a setting that is an expression is no container. The
// mention of its time to live is a finding with its line.
func TestExpressions(t *testing.T) {
	for _, settings := range []string{
		`"defaultTtl":"[mul(60, 60)]"`, `"defaultTtl":"[parameters('ttl')]"`, `"defaultTtl":60,"analyticalStorageTtl":"[variables('x')]"`,
		`"defaultTtl":60,"indexingPolicy":{"indexingMode":"[parameters('mode')]"}`, `"defaultTtl":60,"ttlPropertyPath":"[parameters('path')]"`,
	} {
		targets := read(t, `{"parameters":{"ttl":{"defaultValue":5}},"variables":{"x":5},"resources":[{"type":"Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers","properties":{"resource":{"id":"carts",`+"\n"+settings+`}}}]}`)
		if len(targets) != 1 || len(targets[0].Unread) == 0 {
			t.Errorf("%s: %d targets, want one with a mention", settings, len(targets))
			continue
		}
		r := audited(t, targets[0], Options{})
		checkFindings(t, r, slices.Repeat([]string{"unspecified cosmos.off"}, len(r.Findings))...)
		for _, f := range r.Findings {
			if f.Line != 2 || !strings.Contains(f.Text, "mentions a time to live, but no policy could be read there") || f.Advice == "" {
				t.Errorf("%s: line %d: %q, %q", settings, f.Line, f.Text, f.Advice)
			}
		}
	}
}

// TestAzCommands: commands contain the names of the account, database and container, in
// quotes, if these are known.
func TestAzCommands(t *testing.T) {
	const list = `{"id":"/subscriptions/s/resourceGroups/my%20group/providers/Microsoft.DocumentDB/databaseAccounts/acc/sqlDatabases/it's/containers/c1","name":"c1","resource":{"id":"c1","defaultTTL":60},"type":"Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers"}`
	r := audited(t, read(t, list)[0], Options{})
	const want = `az cosmosdb sql container update --resource-group 'my group' --account-name acc --database-name 'it'\''s' --name c1 --ttl 60`
	if got := r.Findings[0].Repairs[0].Commands[0]; got != want {
		t.Errorf("the command is\n%s\nwant\n%s", got, want)
	}
}

// TestAzNames: in a printed command, az takes no name for an option or for the name of a
// file.
func TestAzNames(t *testing.T) {
	for name, want := range map[string]string{
		"c1":      "--database-name shop --name c1 --ttl 60",
		"--help":  "--database-name shop --name=--help --ttl 60",
		"-n":      "--database-name shop --name=-n --ttl 60",
		"a=@file": "--database-name shop --name=a=@file --ttl 60",
		"a@file":  "--database-name shop --name a@file --ttl 60",
		"@file":   "",
		"@-":      "",
	} {
		r := audited(t, read(t, `{"id":"/x/resourceGroups/g/providers/p/databaseAccounts/a/sqlDatabases/shop/containers/`+name+`","name":"c1","resource":{"id":"`+name+`","defaultTTL":60},"type":"Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers"}`)[0], Options{})
		got := ""
		for _, repair := range r.Findings[0].Repairs {
			got += strings.Join(repair.Commands, "\n")
		}
		if (got == "") != (want == "") || !strings.HasSuffix(got, want) {
			t.Errorf("the command for %s is\n%s\nwant one that ends with\n%s", name, got, want)
		}
	}
}
