package terraform

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/program"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// now is 2026-11-20T00:00:00Z.
const now = policy.Instant(1_795_132_800_000)

// lines returns a text for each policy that was read from a file: the line number, the
// name, and the index or the container. It also returns a text for each mention of a time
// to live that was not read.
func lines(f program.File) (list []string) {
	for _, p := range f.Policies {
		name := strings.Trim(p.Database+"."+p.Name, ".")
		if p.Container.Kind() == policy.Object {
			list = append(list, fmt.Sprintf("%d %s container %s", p.Line, name, relaxed(p.Container)))
			continue
		}
		for _, x := range p.Steps {
			list = append(list, fmt.Sprintf("%d %s index %s", x.Line, name, relaxed(x.Index)))
		}
	}
	for _, u := range f.Unread {
		list = append(list, fmt.Sprintf("%d %s: %s", u.Line, u.Word, u.Why))
	}
	return list
}

// typedNumber matches a number written with its type.
var typedNumber = regexp.MustCompile(`\{"\$number(?:Int|Long|Double)":"(.*?)"\}`)

func relaxed(v policy.Value) string { return typedNumber.ReplaceAllString(v.String(), "$1") }

// TestRead: Read returns the policies of resources, and the mentions that it cannot read.
func TestRead(t *testing.T) {
	for _, tt := range []struct {
		why, file, text string
		want            []string
	}{
		{"Terraform", "main.tf", "variable \"ttl\" {\n  default = 3600\n}\nlocals {\n  containers = {\n    carts = { ttl = 60 }\n    logs  = { ttl = var.ttl * 24 }\n  }\n}\nresource \"azurerm_cosmosdb_sql_container\" \"c\" {\n  for_each      = local.containers\n  name          = each.key\n  database_name = \"shop\"\n  default_ttl   = each.value.ttl\n}\nresource \"azurerm_cosmosdb_mongo_collection\" \"m\" {\n  name                = \"tokens\"\n  default_ttl_seconds = \"777\"\n}\nresource \"azurerm_cosmosdb_sql_container\" \"d\" {\n  default_ttl = var.other\n}\nresource \"aws_cloudfront_distribution\" \"x\" {\n  default_ttl = 5\n}\nmodule \"cosmos\" {\n  default_ttl = 5\n}\n",
			[]string{`14 shop.carts container {"id":"carts","defaultTtl":60}`, `14 shop.logs container {"id":"logs","defaultTtl":86400}`, `18 tokens index {"key":{"_ts":1},"expireAfterSeconds":777}`,
				`21 default_ttl: default_ttl is var.other, which is not evaluated here`, `27 default_ttl: the module is not read`}},
		{"Terraform with a list from elsewhere", "main.tf", "resource \"azurerm_cosmosdb_sql_container\" \"c\" {\n  for_each    = var.containers\n  default_ttl = each.value.ttl\n}\n",
			[]string{`3 default_ttl: for_each is var.containers, which is not evaluated here`}},
		{"azapi", "main.tf", "resource \"azapi_resource\" \"c\" {\n  type = \"Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers@2024-05-15\"\n  name = \"carts\"\n  body = {\n    properties = { resource = { id = \"carts\", defaultTtl = 3600 } }\n  }\n}\n",
			[]string{`5 carts container {"defaultTtl":3600,"id":"carts"}`}},
		{"an analytical store of the API for MongoDB", "main.tf", "resource \"azurerm_cosmosdb_mongo_collection\" \"a\" {\n  name = \"a\"\n  analytical_storage_ttl = 86400000\n}\nresource \"azurerm_cosmosdb_mongo_collection\" \"b\" {\n  name = \"b\"\n  default_ttl_seconds = 60\n  analytical_storage_ttl = -1\n}\n",
			[]string{`7 b index {"key":{"_ts":1},"expireAfterSeconds":60}`, "3 analytical_storage_ttl: the analytical store of a collection of the API for MongoDB is not judged"}},
		{"Terraform that does not parse", "main.tf", "resource \"azurerm_cosmosdb_sql_container\" \"c\" {\n  default_ttl = = 5\n}\n", []string{`2 default_ttl: Terraform's parser refuses the file (line 2)`}},

		{"lookup and try of Terraform", "main.tf", "resource \"azurerm_cosmosdb_sql_container\" \"c\" {\n  for_each               = { a = { ttl = 5 }, b = {} }\n  name                   = each.key\n  default_ttl            = lookup(each.value, \"ttl\", null)\n  analytical_storage_ttl = try(each.value.more, 86400)\n}\n",
			[]string{`5 a container {"id":"a","defaultTtl":5,"analyticalStorageTtl":86400}`, `5 b container {"id":"b","analyticalStorageTtl":86400}`}},
		{"optional attributes of Terraform", "main.tf", "variable \"c\" {\n  type = object({ name = string, ttl = optional(number, 3600), more = optional(object({ x = optional(number, 1) }), {}) })\n  default = { name = \"carts\" }\n}\nresource \"azurerm_cosmosdb_sql_container\" \"c\" {\n  name        = var.c.name\n  default_ttl = var.c.ttl * var.c.more.x\n}\n",
			[]string{`7 carts container {"id":"carts","defaultTtl":3600}`}},
		{"resources of Terraform that are not read", "main.tf", "resource \"mongodbatlas_index\" \"x\" {\n  expire_after_seconds = 3600\n}\nresource \"azurerm_cosmosdb_gremlin_graph\" \"g\" {\n  default_ttl = 60\n}\nresource \"aws_cloudfront_distribution\" \"y\" {\n  default_ttl = 5\n}\nresource \"other_index\" \"z\" {\n  expireAfterSeconds = 5\n}\n",
			[]string{"2 expire_after_seconds: a resource of this type is not read", "5 default_ttl: a resource of this type is not read", "11 expireAfterSeconds: its form is not known here"}},
		{"instances by count", "main.tf", "resource \"azurerm_cosmosdb_sql_container\" \"c\" {\n  count       = 2\n  name        = \"c${count.index}\"\n  default_ttl = 60 * (count.index + 1)\n}\nresource \"azurerm_cosmosdb_sql_container\" \"d\" {\n  count       = var.n\n  name        = \"d${count.index}\"\n  default_ttl = 5\n}\n",
			[]string{`4 c0 container {"id":"c0","defaultTtl":60}`, `4 c1 container {"id":"c1","defaultTtl":120}`, `9  container {"defaultTtl":5}`}},
		{"an indexing policy", "main.tf", "resource \"azurerm_cosmosdb_sql_container\" \"c\" {\n  name        = \"c\"\n  default_ttl = 5\n  indexing_policy {\n    indexing_mode = \"none\"\n  }\n}\n",
			[]string{`3 c container {"id":"c","defaultTtl":5,"indexingPolicy":{"indexingMode":"none"}}`}},
		{"azapi with its body as JSON", "main.tf", "resource \"azapi_resource\" \"c\" {\n  type = \"Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers@2024-05-15\"\n  name = \"carts\"\n  body = jsonencode({\n    properties = { resource = { id = \"carts\", defaultTtl = 3600 } }\n  })\n}\n",
			[]string{`5 carts container {"defaultTtl":3600,"id":"carts"}`}},
		{"azapi for the API for MongoDB", "main.tf", "resource \"azapi_resource\" \"c\" {\n  type = \"Microsoft.DocumentDB/databaseAccounts/mongodbDatabases/collections@2024-05-15\"\n  name = \"tokens\"\n  body = {\n    properties = { resource = { id = \"tokens\", indexes = [{ key = { keys = [\"_ts\"] }, options = { expireAfterSeconds = 60 } }] } }\n  }\n}\n",
			[]string{`5 tokens index {"key":{"_ts":1},"expireAfterSeconds":60}`}},
		{"azapi that is not evaluated", "main.tf", "resource \"azapi_resource\" \"c\" {\n  type = \"Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers@2024-05-15\"\n  body = { properties = { resource = { id = \"carts\", defaultTtl = var.ttl } } }\n}\nresource \"azapi_resource\" \"s\" {\n  type = \"Microsoft.Storage/storageAccounts@2024-05-15\"\n  body = { defaultTtl = 5 }\n}\n",
			[]string{"3 defaultTtl: its body is not evaluated here"}},
		{"keys of an index in blocks", "main.tf", "resource \"mongodb_db_index\" \"i\" {\n  db         = \"shop\"\n  collection = \"logs\"\n  name       = \"at_ttl\"\n  keys {\n    field = \"at\"\n    value = \"-1\"\n  }\n  expire_after_seconds = 3600\n}\nresource \"mongodb_index\" \"j\" {\n  key {\n    name  = \"at\"\n    order = \"desc\"\n  }\n  ttl = 5\n}\nresource \"mongodb_index\" \"k\" {\n  key {\n    name  = \"at\"\n    order = var.order\n  }\n  expire_after_seconds = 5\n}\n",
			[]string{`9 shop.logs index {"key":{"at":-1},"expireAfterSeconds":3600}`, `16  index {"key":{"at":-1},"expireAfterSeconds":5}`, "23 expire_after_seconds: the key of its index is not read"}},
		{"keys of an index in a map", "main.tf", "resource \"mongodb_index\" \"i\" {\n  database        = \"shop\"\n  collection_name = \"logs\"\n  keys            = { at = 1 }\n  ttl             = 60\n}\nresource \"mongodb_index\" \"j\" {\n  keys = { at = \"desc\" }\n  ttl  = 60\n}\nresource \"mongodb_index\" \"k\" {\n  keys                 = { at = 1, b = \"hashed\" }\n  expire_after_seconds = 60\n}\nresource \"mongodb_index\" \"l\" {\n  keys = { at = 1, b = \"upwards\" }\n  ttl  = 60\n}\n",
			[]string{`5 shop.logs index {"key":{"at":1},"expireAfterSeconds":60}`, `9  index {"key":{"at":-1},"expireAfterSeconds":60}`, `13  index {"key":{"at":1,"b":"hashed"},"expireAfterSeconds":60}`, "17 ttl: the key of its index is not read"}},
		{"partial indexes", "main.tf", "resource \"mongodb_index\" \"i\" {\n  keys                      = { at = 1 }\n  ttl                       = 60\n  partial_filter_expression = jsonencode({ kind = \"guest\" })\n}\nresource \"mongodb_index\" \"j\" {\n  keys = { at = 1 }\n  partialFilter {\n    kind = \"guest\"\n  }\n  expire_after_seconds = 60\n}\n",
			[]string{"3 ttl: the partial filter of its index is not read", "11 expire_after_seconds: the partial filter of its index is not read"}},
		{"partial filters within options", "main.tf", "resource \"mongodb_index\" \"i\" {\n  keys = { at = 1 }\n  ttl  = 60\n  options {\n    partial_filter_expression = \"{}\"\n  }\n}\nresource \"mongodb_index\" \"j\" {\n  keys    = { at = 1 }\n  ttl     = 60\n  options = { partialFilterExpression = { kind = \"guest\" } }\n}\nresource \"mongodb_index\" \"k\" {\n  keys    = { at = 1 }\n  ttl     = 60\n  options = jsonencode({ \"partialFilterExpression\" : {} })\n}\nresource \"mongodb_index\" \"l\" {\n  collection_name = \"partial\"\n  keys = { at = 1 }\n  ttl  = 60\n}\n",
			[]string{`21 partial index {"key":{"at":1},"expireAfterSeconds":60}`, "3 ttl: the partial filter of its index is not read", "10 ttl: the partial filter of its index is not read", "15 ttl: the partial filter of its index is not read"}},
		{"dynamic blocks", "main.tf", "resource \"mongodb_index\" \"i\" {\n  key {\n    name = \"at\"\n  }\n  dynamic \"key\" {\n    for_each = var.more\n    content {\n      name = key.value\n    }\n  }\n  ttl = 60\n}\nresource \"mongodb_index\" \"j\" {\n  keys = { at = 1 }\n  ttl  = 60\n  dynamic \"partial_filter\" {\n    for_each = var.filters\n    content {}\n  }\n}\n",
			[]string{"11 ttl: the key of its index is not read", "15 ttl: the partial filter of its index is not read"}},
		{"an index without keys, and another form", "main.tf", "resource \"mongodb_index\" \"i\" {\n  expire_after_seconds = 60\n}\nresource \"mongodb_index\" \"j\" {\n  options {\n    expireAfterSeconds = 60\n  }\n}\n",
			[]string{"2 expire_after_seconds: the key of its index is not read", "6 expireAfterSeconds: the form of this resource is not known here"}},
		{"Terraform of another kind that does not parse", "dns.tf", "resource \"aws_route53_record\" \"x\" {\n  ttl = = 5\n}\n", nil},
	} {
		got := lines(Read(nil, nil, tt.file, tt.text, now))
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n\t%s\nwant\n\t%s", tt.why, strings.Join(got, "\n\t"), strings.Join(tt.want, "\n\t"))
		}
	}
}

// TestModule: a resource uses variables and locals of other files in its module.
func TestModule(t *testing.T) {
	const locals = "locals {\n  # cosmos\n  list = [{ name = \"a\", default_ttl = 5, more = var.x }, { name = \"b\", default_ttl = null, more = \"y\" }]\n}\n"
	const containers = "resource \"azurerm_cosmosdb_sql_container\" \"c\" {\n  for_each    = { for c in local.list : c.name => c }\n  name        = each.key\n  default_ttl = each.value.default_ttl\n}\n"
	module := NewModule(maps.All(map[string]string{"locals.tf": locals, "containers.tf": containers}))
	if got, want := lines(Read(module, nil, "containers.tf", containers, now)), []string{`4 a container {"id":"a","defaultTtl":5}`}; !slices.Equal(got, want) {
		t.Errorf("the resources: %q, want %q", got, want)
	}
	if got := lines(Read(module, nil, "locals.tf", locals, now)); len(got) > 0 {
		t.Errorf("the locals: %q, want none", got)
	}
	if got := lines(Read(nil, nil, "locals.tf", locals, now)); len(got) != 1 || !strings.HasPrefix(got[0], "3 default_ttl: no resource") {
		t.Errorf("the locals alone: %q, want that no resource is made of them", got)
	}
}

// TestTextsAreBounded: locals that double each other are refused, and so are too many
// nested brackets.
func TestTextsAreBounded(t *testing.T) {
	doubled := "locals {\n  a0 = \"xxxxxxxxxxxxxxxx\"\n"
	for i := range 60 {
		doubled += fmt.Sprintf("  a%d = \"${local.a%d}${local.a%d}\"\n", i+1, i, i)
	}
	const resource = "resource \"azurerm_cosmosdb_sql_container\" \"c\" {\n  default_ttl = length(local.a60)\n}\n"
	for _, text := range []string{doubled + "}\n" + resource, "resource \"azurerm_cosmosdb_sql_container\" \"c\" {\n  default_ttl = " + strings.Repeat("(", 100_000) + "\n}\n"} {
		if f := Read(nil, nil, "main.tf", text, now); len(f.Unread) == 0 {
			t.Errorf("%.40q: nothing is refused", text)
		}
	}
}

// hostile returns configurations that would end the process, take gigabytes or take
// minutes if they were evaluated without bounds. The second text of each is a part of the
// reason why it is not read; "" stands for any reason.
func hostile() map[string][2]string {
	many := strings.Repeat
	nested := func(list string, n int) (text string) {
		for i := range n {
			text += fmt.Sprintf("[for v%d in %s : ", i, list)
		}
		return text + "1" + many("]", n)
	}
	const ten = "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"
	list := "locals {\n  list = " + ten + "\n}\n"
	squared := "locals {\n  c0 = 1e308\n"
	copied := "locals {\n  a = [" + many("1,", 9000) + "]\n"
	for i := range 8000 {
		if i < 40 {
			squared += fmt.Sprintf("  c%d = local.c%d * local.c%d\n", i+1, i, i)
		}
		copied += fmt.Sprintf("  a%d = concat(local.a, [])\n", i)
	}
	const deep, long = "an expression nests too deep", "a number has too many digits"
	return map[string][2]string{ // the text before, and the expression; then the reason
		"minus": {many("-", 100_000) + "1", deep}, "not": {many("!", 100_000) + "true", deep}, "and": {"true" + many(" && 1", 40_000), deep}, "plus": {"1" + many("+1", 100_000), deep},
		"splats": {"local.list" + many("[*]", 40_000), deep}, "conditions": {many("true?1:", 30_000) + "1", deep}, "attributes": {"local.a" + many(".a", 100_000), deep},
		"controls": {`"` + many("%{if true}", 10_000) + many("%{endif}", 10_000) + `"`, deep}, "brackets": {many("(", 100_000) + "1", deep}, "operators in brackets": {many("(1+1+1+1+", 120) + "1" + many(")", 120), deep},
		"operators behind brackets": {many("(", 240) + "1" + many("+1+1)", 240), deep}, "several lines": {"(1" + many("\n+1", 1000) + ")", deep},
		"an exponent": {"1e640000000 + 1", long}, "a negative exponent": {"5 % 1e-640000000", long}, "an exponent in a text": {`"1e640000000" + 1`, long}, "digits": {many("9", 200_000), long},
		"joined digits": {`"1e6${"40000000"}" + 1`, ""}, "converted digits": {`tonumber("1e6${"40000000"}")`, ""}, "digits of a loop": {`[for x in ["${"1e6"}${"40000000"}"] : x + 1]`, ""}, "digits in a list": {`["${"1e6"}${"40000000"}"][0] + 1`, ""}, "digits for each": {`[for x in ["1e6"] : "${x}40000000" + 1]`, ""},
		"nested 4": {nested(ten, 4), ""}, "nested 9": {nested(ten, 9), ""}, "nested lists of a local": {list + "|" + nested("local.list", 9), ""}, "each with each": {copied[:strings.IndexByte(copied, ']')+1] + "\n}\n|[for a in local.a : [for b in local.a : a == b]]", ""},
		"errors": {copied[:strings.IndexByte(copied, ']')+1] + "\n}\n|[for a in local.a : [for b in [1, 2, 3] : a + {}]]", ""}, "splats of lists": {list + "|local.list" + many("[*].x[*]", 60), ""},
		"squares": {squared + "}\n|local.c40 % 7", ""}, "copies": {copied + "}\n|var.x", ""}, "joined in locals": {"locals {\n  a = \"40000000\"\n  b = \"1e6${local.a}\"\n}\n|local.b + 1", ""},
		"minus in locals": {"locals {\n  a = " + many("-", 100_000) + "1\n}\n|local.a", deep}, "a long file": {"# " + many("x", maxText) + "\n|5", "the file is longer than 256 KiB"},
	}
}

// TestBounded: no file takes more than bounded time and memory, and each expression that
// is not computed is listed with the reason.
func TestBounded(t *testing.T) {
	for name, tt := range hostile() {
		t.Run(name, func(t *testing.T) {
			before, expression, found := strings.Cut(tt[0], "|")
			if !found {
				before, expression = "", tt[0]
			}
			text := before + "resource \"azurerm_cosmosdb_sql_container\" \"c\" {\n  name = \"c\"\n  default_ttl = " + expression + "\n}\n"
			f := Read(nil, nil, "main.tf", text, now)
			if len(f.Unread) == 0 || !strings.Contains(f.Unread[0].Why, tt[1]) {
				t.Errorf("unread: %.300v, want one with %q", f.Unread, tt[1])
			}
		})
	}
}

// TestUsualConfigurations: usual configurations are within the bounds.
func TestUsualConfigurations(t *testing.T) {
	containers := "locals {\n  containers = {\n"
	for i := range 200 {
		containers += fmt.Sprintf("    c%d = { database = \"shop\", days = %d, paths = [\"/id\", \"/tenant\"], throughput = 400 }\n", i, i+1)
	}
	containers += "  }\n  flat = flatten([for name, c in local.containers : [for path in c.paths : { name = \"${name}-${path}\", days = c.days }]])\n" +
		"  merged = { for name, c in local.containers : name => merge({ days = 5 }, c) }\n}\n"
	for _, tt := range []struct{ each, ttl, want string }{
		{"local.containers", "each.value.days * 24 * 60 * 60", "86400"},
		{"local.merged", "each.value.days * 86400", "86400"},
		{"{ for x in local.flat : x.name => x }", "x.days == null ? -1 : each.value.days", ""},
		{"{ for x in local.flat : x.name => x }", "each.value.days == null ? -1 : each.value.days", "1"},
		{"toset([for i in [1, 2, 3] : tostring(i)])", "1 + 1" + strings.Repeat(" + 1", 100), "102"},
	} {
		f := Read(nil, nil, "main.tf", containers+"resource \"azurerm_cosmosdb_sql_container\" \"c\" {\n  for_each = "+tt.each+"\n  name = each.key\n  default_ttl = "+tt.ttl+"\n}\n", now)
		got := ""
		if len(f.Policies) > 0 {
			n, _ := f.Policies[0].Container.Field("defaultTtl").AsInt64()
			got = fmt.Sprint(n)
		}
		if got != tt.want || (tt.want == "") == (len(f.Unread) == 0) {
			t.Errorf("for_each = %s, default_ttl = %.60s: the first is %q, unread %v, want %q", tt.each, tt.ttl, got, f.Unread, tt.want)
		}
	}
}

// FuzzRead: no configuration causes a panic, and all line numbers are lines of the
// file.
func FuzzRead(f *testing.F) {
	for _, tt := range hostile() {
		if text := strings.ReplaceAll(tt[0], "|", ""); len(text) < 10_000 {
			f.Add(text)
		}
	}
	for _, seed := range []string{
		"resource \"azurerm_cosmosdb_sql_container\" \"c\" {\n  default_ttl = 5\n}",
		"variable \"v\" {\n  type = object({ a = optional(number, 5), b = optional(list(object({ c = optional(string) })), []) })\n  default = \"x\"\n}\nresource \"azurerm_cosmosdb_sql_container\" \"c\" {\n  default_ttl = try(var.v.b[0].c, lookup(var.v, \"a\", null))\n}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := Read(nil, nil, "main.tf", text, now)
		if m := NewModule(maps.All(map[string]string{"main.tf": text})); m.has["main.tf"] && !m.usesLists {
			if alone := Read(m, nil, "main.tf", text, now); !reflect.DeepEqual(alone, file) {
				t.Fatalf("%q: %+v, as a module %+v", text, file, alone)
			}
		}
		last := strings.Count(text, "\n") + 1
		for _, p := range file.Policies {
			if p.Line < 1 || p.Line > last {
				t.Fatalf("line %d of %d", p.Line, last)
			}
		}
		for _, u := range file.Unread {
			if u.Line < 1 || u.Line > last || u.Word == "" {
				t.Fatalf("%+v of %d lines", u, last)
			}
		}
	})
}
