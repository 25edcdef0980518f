package site

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mentions"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/docs/site/playground"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
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
		if words := len(strings.Fields(string(searchComment().ReplaceAll(text, nil)))); words > 480 && path.Base(name) != "azure.md" { // which has the settings of three services
			t.Errorf("%s has %d words, want a short page", name, words)
		}
	}
}

var mentionsTTL = regexp.MustCompile(`(?i)expire|ttl|timetolive`)

// TestRecipesAreRead: the tool's own reader finds in the literal commands of the recipes the
// policy of one hour that the page is about, and its change to two hours. In any other code it
// finds the mention of a time to live, and no policy. .ci/recipes/run runs most of that code.
func TestRecipesAreRead(t *testing.T) {
	read, mentioned := map[string]int{}, map[string]int{}
	for language, list := range snippets(t) {
		created := map[string]policy.Value{} // the created index, by recipe
		for _, s := range list {
			if s.section != "Create" && s.section != "Change" || !mentionsTTL.MatchString(s.text) {
				continue
			}
			of := language + " " + s.section
			if onlyMentions(s) == nil {
				mentioned[of]++
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
			read[of]++
		}
	}
	for _, of := range []string{"js Create", "python Create", "json Create", "php Create", "js Change", "python Change", "php Change"} {
		if read[of] == 0 {
			t.Errorf("%s: nothing was read: %v", of, read)
		}
	}
	for _, of := range []string{"ts Create", "go Create", "java Create", "csharp Create", "terraform Create", "bicep Create", "go Change", "java Change", "csharp Change", "sh Change"} {
		if mentioned[of] == 0 {
			t.Errorf("%s: nothing is mentioned: %v", of, mentioned)
		}
	}
}

// onlyMentions returns an error unless a block mentions a time to live and yields no policy.
func onlyMentions(s snippet) error {
	if _, err := pasted.ReadContainer(s.text); err == nil {
		return errors.New("a container is read")
	}
	if _, err := pasted.ReadCollection(s.text, playground.Clock); err == nil {
		return errors.New("a collection is read")
	}
	p, err := pasted.ReadProgram(s.text, playground.Clock)
	switch {
	case len(mentions.In("a."+s.language, s.text)) == 0:
		return errors.New("no mention is found")
	case slices.ContainsFunc(p.Parts, func(p pasted.Part) bool { return p.Err == nil }):
		return errors.New("a policy is read")
	}
	return err
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
	if c, err := pasted.ReadContainer(s.text); err == nil && !c.Value.Field("defaultTtl").IsMissing() {
		if n, ok := c.Value.Field("defaultTtl").AsInt64(); !ok || n != seconds {
			return index, fmt.Errorf("read as %s", c.Value)
		}
		return index, nil
	}
	c, err := pasted.ReadCollection(s.text, playground.Clock)
	if err != nil || len(c.Indexes) != 1 {
		return index, fmt.Errorf("%d indexes, %w", len(c.Indexes), err)
	}
	return c.Indexes[0], lasts(c.Indexes[0], seconds)
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
	if c, err := pasted.ReadContainer(s.text); err == nil && !c.Value.Field("defaultTtl").IsMissing() {
		if n, ok := c.Value.Field("defaultTtl").AsInt64(); !ok || n != twoHours {
			return fmt.Errorf("read as %s", c.Value)
		}
		return nil
	}
	p, err := pasted.ReadProgram(s.text, playground.Clock)
	if err != nil || len(p.Parts) != 1 || p.Parts[0].Err != nil {
		return fmt.Errorf("%d commands, %w", len(p.Parts), err)
	}
	command := policy.ObjectValue(p.Parts[0].Change)
	address := command.Field("index")
	if n, ok := mongofunc.WholeSeconds(address.Field("expireAfterSeconds")); !ok || n != twoHours || command.Field("collMod").Kind() != policy.String {
		return fmt.Errorf("read as %s", command)
	}
	if !pasted.Addresses(address, created) {
		return fmt.Errorf("%s does not change %s", address, created)
	}
	return nil
}

// TestRecipesAnswer: the playground reads the unchanged literal commands of a recipe, and
// answers for a document of the recipe.
func TestRecipesAnswer(t *testing.T) {
	answered := 0
	for language, list := range snippets(t) {
		for _, s := range list {
			if s.section != "Create" || !mentionsTTL.MatchString(s.text) || onlyMentions(s) == nil {
				continue
			}
			state := playground.State{System: playground.Guess, Policy: s.text, Document: `{createdAt: ISODate("2026-11-20T10:30:00Z"), CreatedAt: ISODate("2026-11-20T10:30:00Z")}`}
			if playground.Guessed(state.Policy, "") == definition.CosmosNoSQL {
				state.Document = `{"id": "1", "_ts": 1795170600}`
			}
			a := playground.Of(state, playground.View{})
			if len(a.Problems) > 0 || a.Verdict != policy.Expired || a.Deadline != "2026-11-20T11:30:00.000Z" {
				t.Errorf("%s, %s: %s at %q, problems %+v, want expired at 11:30 in\n%s", s.file, language, a.Verdict, a.Deadline, a.Problems, s.text)
			}
			answered++
		}
	}
	if answered < 6 {
		t.Errorf("%d blocks answered, want 6 at least", answered)
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
