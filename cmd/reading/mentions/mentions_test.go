package mentions

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// words are the parts of the names that drivers, SDKs, templates and tools have for a time to
// live, in lower case.
var words = [][]string{
	{"expire", "after", "seconds"}, {"expire", "after"}, {"default", "ttl"}, {"default", "ttl", "seconds"}, {"default", "time", "to", "live"},
	{"default", "time", "to", "live", "in", "seconds"}, {"ttl", "in", "seconds"}, {"time", "to", "live"}, {"time", "to", "live", "in", "seconds"},
	{"analytical", "storage", "ttl"}, {"analytical", "store", "time", "to", "live", "in", "seconds"}, {"ttl", "property", "path"}, {"container", "default", "time", "to", "live"},
}

func capital(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// cases are the ways to write a name of several words.
var cases = map[string]func([]string) string{
	"snake":    func(w []string) string { return strings.Join(w, "_") },
	"kebab":    func(w []string) string { return strings.Join(w, "-") },
	"dotted":   func(w []string) string { return strings.Join(w, ".") },
	"constant": func(w []string) string { return strings.ToUpper(strings.Join(w, "_")) },
	"lower":    func(w []string) string { return strings.Join(w, "") },
	"upper":    func(w []string) string { return strings.ToUpper(strings.Join(w, "")) },
	"camel":    func(w []string) string { return w[0] + pascal(w[1:]) },
	"pascal":   pascal,
	"with":     func(w []string) string { return "With" + pascal(w) },
	"setter":   func(w []string) string { return "set" + pascal(w) },
	"has":      func(w []string) string { return "has_" + strings.Join(w, "_") },
	"acronym":  func(w []string) string { return strings.ReplaceAll(pascal(w), "Ttl", "TTL") },
}

func pascal(w []string) string {
	name := ""
	for _, word := range w {
		name += capital(word)
	}
	return name
}

// settings are the ways in which languages give a name a value. N is the name.
var settings = map[string]string{
	"JSON": `{"N": 60}`, "JavaScript": `{ N: 60 }`, "shorthand": `{ N }`, "computed": `{ ["N"]: 60 }`, "member": `options.N = 60;`, "index": `options["N"] = 60`, "Map": `new Map([["N", 60]])`,
	"template text": "`N: ${x}`", "spread": "{ ...o, N }", "Python": `create_index("at", N=60)`, "dict": `{'N': 60}`, "decorator": `@Index(N=60)`, "Ruby": `index({ at: 1 }, { N: 1.week })`,
	"rocket": `:N => 60`, "PHP": `['N' => $ttl]`, "attribute of PHP": `#[ODM\Index(N: 60)]`, "arrow of PHP": `$index->N(60);`, "Go": `options.Index().N(60)`, "tag of Go": "`bson:\"N\"`",
	"pair of Go": `bson.E{"N", 60}`, "Java": `new IndexOptions().N(60L, TimeUnit.SECONDS);`, "annotation": `@Indexed(N = "10d")`, "put": `options.put("N", 60)`, "Kotlin": `"N" to 60`,
	"Scala": `"N" -> 60`, "C": `BSON_APPEND_INT32 (&opts, "N", 60);`, "macro": `#define N 60`, "C++": `options.N(std::chrono::seconds(60));`, "C#": `new Options { N = TimeSpan.FromDays(1) }`,
	"builder": `container.N(60).Create()`, "named": `Create(N: 60)`, "F#": `options |> N 60`, "Rust": `IndexOptions::builder().N(Duration::from_secs(60))`, "Swift": `try options.N(60)`,
	"Elixir": `[N: 60]`, "Erlang": `{<<"N">>, 60}`, "Clojure": `{:N 60}`, "Haskell": `["N" =: 60]`, "Lua": `N = 60`, "R": `N <- 60`, "Perl": `{ N => 60 }`, "SQL": `WITH (N = 60)`,
	"YAML": "N: 60", "TOML": "N = 60", "properties": "mongo.N=60", "environment": "N=60", "flag": "--N 60", "flag with a sign": "--N=60", "PowerShell": "-N 60", "XML": "<N>60</N>", "attribute": `<index N="60"/>`,
	"Terraform": "  N = var.days * 86400", "Bicep": "  N: ttl", "expression": `"N": "[parameters('x')]"`, "comment": "// N of sixty", "within a word": "getN()", "escaped": `"{\"N\": 60}"`, "argument": `f(N)`, "cast": "(int)N", "generic": "List<N>", "pointer": "*N", "question": "a?.N!",
}

// TestSpellings: in whatever language and spelling an option is written, it is a mention.
func TestSpellings(t *testing.T) {
	n, found := 0, 0
	for _, w := range words {
		for style, write := range cases {
			name := write(w)
			for language, setting := range settings {
				text := "first line\n" + strings.ReplaceAll(setting, "N", name) + "\n"
				if setting == "mongo.N=60" || strings.Count(setting, "N") > 1 { // the N of other words stays
					text = "first line\n" + strings.Replace(setting, "N", name, 1) + "\n"
				}
				n++
				list := In("", text)
				if len(list) != 1 || list[0].Line != 2 || !strings.Contains(text[list[0].At:], list[0].Word) {
					t.Errorf("%s of %s, %s: %v in %q", name, language, style, list, text)
					continue
				}
				found++
			}
		}
	}
	t.Logf("%d of %d spellings found", found, n)
	if n < 5000 {
		t.Errorf("%d spellings, want thousands", n)
	}
}

// TestIn: each text mentions these words, in its lines.
func TestIn(t *testing.T) {
	for _, tt := range []struct{ why, name, text, want string }{
		{"no mention", "a.js", "const a = {throttle: 5, subtitle: 6, ttl: 60, expires: 5, expiresIn: '1d'}", ""},
		{"caches", "A.java", "Caffeine.newBuilder().expireAfterWrite(5).expireAfterAccess(6).expireAfterCreate(x).build()", ""},
		{"a cache and an index", "A.java", "b.expireAfterWrite(5); o.expireAfter(7L, DAYS)", "1 expireAfter"},
		{"one word several times in a line", "a.js", "{expireAfterSeconds: o.expireAfterSeconds}\n{expireAfterSeconds: 5}", "1 expireAfterSeconds, 2 expireAfterSeconds"},
		{"the option az has", "a.sh", "az cosmosdb sql container create \\\n  --ttl 60\n", "2 --ttl"},
		{"an option of another tool", "a.sh", "vault token create --ttl 60\n", ""},
		{"mongoose", "a.js", "new mongoose.Schema({ at: { type: Date, expires: '1h' } })", "1 expires"},
		{"mongoose, far from the schema", "a.js", "const Schema = mongoose.Schema\n" + strings.Repeat("  a: String,\n", 100) + "at: {\ntype: Date,\nexpires: 60 }", "104 expires"},
		{"a decorator", "a.ts", "@Schema()\nclass A {\n  @Prop({ expires: 3600 })\n  at: Date; }", "3 expires"},
		{"Laravel", "a.php", "Schema::create('sessions', function ($collection) {\n  $collection->expire('at', 60);\n});", "2 expire"},
		{"a cookie beside a schema", "a.js", "const schema = new mongoose.Schema({});\nres.cookie('id', '', { expires: new Date(0) });\nsetcookie('id', ['expires' => time() - 1]);", ""},
		{"a cookie", "a.js", "res.cookie('id', '', { expires: 60 });", ""},
		{"Redis", "a.js", "redis.expire(key, 60)", ""},
		{"values of Terraform", "prod/terraform.tfvars", "days = 5\nttl = 60\nsession_ttl=5\n", "2 ttl, 3 session_ttl"},
		{"values of Bicep", "a.bicepparam", "param cartTtl = 60", "1 cartTtl"},
		{"values of a template", "a.parameters.json", `{"parameters": {"ttl": {"value": 60}}}`, "1 ttl"},
		{"a helper", "a.py", "create_ttl_index(db, 5)\nensureIndexTtl()", "1 create_ttl_index, 2 ensureIndexTtl"},
		{"a name that is put together is not found", "a.js", "o['expire' + 'AfterSeconds'] = 5", ""},
	} {
		var got []string
		for _, m := range In(tt.name, tt.text) {
			got = append(got, fmt.Sprintf("%d %s", m.Line, m.Word))
		}
		if text := strings.Join(got, ", "); text != tt.want {
			t.Errorf("%s: mentions %s, want %s", tt.why, text, tt.want)
		}
	}
}

// TestIsCosmos: a mention is about Azure Cosmos DB if no index of MongoDB has such an option.
func TestIsCosmos(t *testing.T) {
	for word, want := range map[string]bool{"expireAfterSeconds": false, "expire_after": false, "defaultTtl": true, "WithDefaultTimeToLive": true, "-TtlInSeconds": true, "analytical_storage_ttl": true} {
		if list := In("", word+" 5"); len(list) != 1 || list[0].IsCosmos != want {
			t.Errorf("In(%s) = %+v, want IsCosmos %v", word, list, want)
		}
	}
}

// TestOutside: mentions within the given parts are left out, also within overlapping ones.
func TestOutside(t *testing.T) {
	var list []Mention
	for at := range 10 {
		list = append(list, Mention{At: at})
	}
	var got []int
	for _, m := range Outside(list, [][2]int{{1, 3}, {2, 3}, {4, 8}, {5, 6}}) {
		got = append(got, m.At)
	}
	if want := []int{0, 3, 8, 9}; !slices.Equal(got, want) {
		t.Errorf("Outside() = %v, want %v", got, want)
	}
}

// TestInstead: each advice names what the files of this kind can be turned into.
func TestInstead(t *testing.T) {
	for _, tt := range []struct {
		name     string
		isCosmos bool
		want     string
	}{
		{"main.tf", true, "terraform show -json"}, {"x/terraform.tfvars", false, "terraform show -json"}, {"main.bicep", true, "az deployment group what-if"},
		{"azuredeploy.json", true, "bicep build"}, {"a.cs", true, "az cosmosdb sql container show"}, {"a.py", false, "ttl audit mongodb://"}, {"package.json", false, "ttl audit mongodb://"},
	} {
		if got := Instead(tt.name, tt.isCosmos); !strings.Contains(got, tt.want) {
			t.Errorf("Instead(%s) = %q, want %q", tt.name, got, tt.want)
		}
	}
}

// FuzzIn: for any text the mentions lie within it, in order, each at its word and in its line.
func FuzzIn(f *testing.F) {
	for _, seed := range []string{"expireAfterSeconds: 5", "a\n--ttl 5 cosmosdb", "Schema Date expires: 5", "default.ttl", "expireexpireafter", "é_expireAfter-", "..ttl."} {
		f.Add("a.tfvars", seed)
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		last := 0
		for _, m := range In(name, text) {
			if m.At < last || m.Line != 1+strings.Count(text[:m.At], "\n") || m.Word == "" || len(m.Word) < 60 && !strings.HasPrefix(text[m.At:], m.Word) {
				t.Fatalf("%q: %+v behind %d", text, m, last)
			}
			last = m.At
		}
	})
}
