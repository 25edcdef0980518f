package site

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/policytext"
	source "github.com/ttlpolicy/ttlpolicy/cmd/reading/program"
	"github.com/ttlpolicy/ttlpolicy/docs/site/playground"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/internal/policies"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A snippet is a block of code of a recipe.
type snippet struct{ file, section, language, text string }

var fenced = regexp.MustCompile("(?ms)^## ([^\n]*)\n|^```([a-z]+)\n(.*?)^```\n")

// snippets returns the snippets of all recipes, by language.
func snippets(t *testing.T) map[string][]snippet {
	t.Helper()
	names, err := fs.Glob(pages, "recipes/*.md")
	if err != nil || len(names) < 9 {
		t.Fatalf("recipes: %q, %v", names, err)
	}
	all := map[string][]snippet{}
	for _, name := range names {
		text, err := fs.ReadFile(pages, name)
		if err != nil {
			t.Fatal(err)
		}
		section := ""
		for _, m := range fenced.FindAllStringSubmatch(string(text), -1) {
			if m[1] != "" {
				section = m[1]
				continue
			}
			all[m[2]] = append(all[m[2]], snippet{path.Base(name), section, m[2], m[3]})
		}
	}
	return all
}

// TestRecipeParts: each recipe has its parts, says which documents are deleted at once, and
// names its sources.
func TestRecipeParts(t *testing.T) {
	names, _ := fs.Glob(pages, "recipes/*.md")
	index, _ := fs.ReadFile(pages, "recipes/README.md")
	for _, name := range names {
		if path.Base(name) == "README.md" {
			continue
		}
		text, err := fs.ReadFile(pages, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range []string{"\n## Create\n", "\n## Change\n", "\n## Check\n", "\n## Stop\n", "\n## Common mistakes\n", "\n## Sources\n", "as soon as it runs", "](https://"} {
			if !strings.Contains(string(text), part) && !strings.Contains(strings.Join(strings.Fields(string(text)), " "), part) {
				t.Errorf("%s lacks %q", name, part)
			}
		}
		if !strings.Contains(string(index), "("+path.Base(name)+")") {
			t.Errorf("recipes/README.md does not name %s", name)
		}
		if words := len(strings.Fields(string(searchComment().ReplaceAll(text, nil)))); words > 450 {
			t.Errorf("%s has %d words, want a short page", name, words)
		}
	}
}

// fileNames are the names under which a reader of files gets a block of each
// language.
var fileNames = map[string]string{
	"js": "a.js", "ts": "a.ts", "python": "a.py", "go": "a.go", "java": "A.java", "csharp": "a.cs", "php": "a.php", "terraform": "main.tf", "bicep": "main.bicep", "sh": "a.sh",
}

var mentionsTTL = regexp.MustCompile(`(?i)expire|ttl|timetolive`)

// TestRecipesAreRead: the tool's own reader finds in the code of a recipe the policy of
// one hour that the page is about, and its change to two hours.
func TestRecipesAreRead(t *testing.T) {
	read := map[string]int{}
	for language, list := range snippets(t) {
		created := map[string]policy.Value{} // the created index, by recipe
		for _, s := range list {
			if s.section != "Create" && s.section != "Change" || !mentionsTTL.MatchString(s.text) || language == "terraform" {
				continue
			}
			var err error
			if s.section == "Create" {
				var index policy.Value
				if index, err = defined(s, 3600); created[s.file].IsMissing() {
					created[s.file] = index
				}
			} else {
				err = changes(s, created[s.file])
			}
			if err != nil {
				t.Errorf("%s, %s of %s: %v in\n%s", s.file, s.section, language, err, s.text)
			}
			read[language+" "+s.section]++
		}
	}
	for _, language := range strings.Fields("js ts python json go java csharp php bicep") {
		if read[language+" Create"] == 0 {
			t.Errorf("no code of %s was read: %v", language, read)
		}
	}
	for _, language := range strings.Fields("js python go java csharp php sh") {
		if read[language+" Change"] == 0 {
			t.Errorf("no change of %s was read: %v", language, read)
		}
	}
}

// TestRecipesStop: the stop command of each recipe names the index that the recipe changes,
// or removes the default of the container.
func TestRecipesStop(t *testing.T) {
	names := regexp.MustCompile(`\b[cC]reatedAt_1\b|\bdefaultTtl: undefined\b|--ttl=-1\b`)
	changed, stopped := map[string]string{}, map[string]string{}
	for _, list := range snippets(t) {
		for _, s := range list {
			switch s.section {
			case "Change":
				changed[s.file] = names.FindString(s.text)
			case "Stop":
				stopped[s.file] = names.FindString(s.text)
			}
		}
	}
	for file, name := range changed {
		switch got := stopped[file]; {
		case got == "":
			t.Errorf("%s: no code stops the deletes", file)
		case name != "" && got != name:
			t.Errorf("%s stops %s, want %s", file, got, name)
		}
	}
}

// defined returns the index that a block defines, Missing for a container. It returns an
// error unless the index deletes the given seconds after createdAt, or the container has
// these seconds as its default.
func defined(s snippet, seconds int64) (index policy.Value, err error) {
	var container policy.Value
	if s.language == "json" {
		c, err := policytext.ReadContainer(s.text)
		if err != nil {
			return index, err
		}
		container = c.Value
	} else {
		f := source.Read(fileNames[s.language], s.text, playground.Clock)
		if len(f.Policies) != 1 || len(f.Unread) != 0 {
			return index, fmt.Errorf("%d policies, unread %v", len(f.Policies), f.Unread)
		}
		p := f.Policies[0]
		container = p.Container
		if len(p.Steps) == 1 && p.Steps[0].Change == nil {
			index = p.Steps[0].Index
		}
	}
	if n, ok := container.Field("defaultTtl").AsInt64(); ok && n == seconds {
		return index, nil
	}
	return index, lasts(index, seconds)
}

// lasts returns an error unless an index deletes the given seconds after
// createdAt.
func lasts(x policy.Value, seconds int64) error {
	key := policy.DOf(x.Field("key"))
	if n, ok := mongofunc.WholeSeconds(x.Field("expireAfterSeconds")); !ok || n != seconds || len(key) != 1 || !strings.EqualFold(key[0].Key, "createdAt") {
		return fmt.Errorf("read as %s", policy.AppendExtJSON(nil, x))
	}
	return nil
}

// changes returns an error unless the code changes the recipe's time to live to
// two hours.
func changes(s snippet, created policy.Value) error {
	const twoHours = 7200
	f := source.Read(fileNames[s.language], s.text, playground.Clock)
	var command policy.Value
	switch {
	case len(f.Policies) == 1 && !f.Policies[0].Container.IsMissing():
		if n, ok := f.Policies[0].Container.Field("defaultTtl").AsInt64(); !ok || n != twoHours {
			return fmt.Errorf("read as %s", f.Policies[0].Container)
		}
		return nil
	case len(f.Policies) == 1 && len(f.Policies[0].Steps) == 1:
		command = policy.ObjectValue(f.Policies[0].Steps[0].Change)
	default:
		var err error
		if command, err = source.ReadDocument(s.text, playground.Clock); err != nil {
			return err
		}
	}
	address := command.Field("index")
	if n, ok := mongofunc.WholeSeconds(address.Field("expireAfterSeconds")); !ok || n != twoHours || command.Field("collMod").Kind() != policy.String {
		return fmt.Errorf("read as %s", command)
	}
	if !policytext.Addresses(address, created) {
		return fmt.Errorf("%s does not change %s", address, created)
	}
	return nil
}

// TestRecipesAnswer: the playground reads the unchanged code of a recipe, and answers for
// a document of the recipe.
func TestRecipesAnswer(t *testing.T) {
	answered := 0
	for language, list := range snippets(t) {
		for _, s := range list {
			if s.section != "Create" || !mentionsTTL.MatchString(s.text) {
				continue
			}
			state := playground.State{System: playground.Guess, Policy: s.text, Document: `{createdAt: ISODate("2026-11-20T10:30:00Z"), CreatedAt: ISODate("2026-11-20T10:30:00Z")}`}
			if playground.Guessed(state.Policy, "") == policies.CosmosNoSQL {
				state.Document = `{"id": "1", "_ts": 1795170600}`
			}
			a := playground.Of(state, playground.View{})
			if len(a.Problems) > 0 || a.Verdict != policy.Expired || a.Deadline != "2026-11-20T11:30:00.000Z" {
				t.Errorf("%s, %s: %s at %q, problems %+v, want expired at 11:30 in\n%s", s.file, language, a.Verdict, a.Deadline, a.Problems, s.text)
			}
			answered++
		}
	}
	if answered < 20 {
		t.Errorf("%d blocks answered, want 20 at least", answered)
	}
}

// TestRecipeLines: a line of code fits on the screen of a phone.
func TestRecipeLines(t *testing.T) {
	for _, list := range snippets(t) {
		for _, s := range list {
			for line := range strings.Lines(s.text) {
				line = strings.TrimSuffix(line, "\n")
				if n := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")); n > 60 && !strings.Contains(line, "'Microsoft.DocumentDB/") { // such a name cannot be broken
					t.Errorf("%s: %d columns, want 60 at most: %s", s.file, n, line)
				}
			}
		}
	}
}

// TestRecipesCompile: the compiler or reader of each language that .ci/recipes/run leaves
// out accepts the code of the recipes. .ci/recipes/run runs JavaScript, Python, Go, Java
// and PHP.
func TestRecipesCompile(t *testing.T) {
	all := snippets(t)
	for language := range all {
		if !slices.Contains([]string{"js", "python", "go", "java", "json", "sh", "php", "csharp", "terraform", "bicep", "ts"}, language) {
			t.Errorf("nothing checks %s", language)
		}
	}
	t.Run("json", func(t *testing.T) {
		for _, s := range all["json"] {
			if !json.Valid([]byte(s.text)) {
				t.Errorf("%s: not JSON: %s", s.file, s.text)
			}
		}
	})
	t.Run("sh", func(t *testing.T) {
		for _, s := range all["sh"] {
			if out, err := exec.Command("bash", "-n", "-c", s.text).CombinedOutput(); err != nil {
				t.Errorf("%s, %s: %v\n%s\n%s", s.file, s.section, err, s.text, out)
			}
		}
	})
}
