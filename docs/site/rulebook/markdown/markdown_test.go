package markdown

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSlug compares anchors with those that GitHub makes for headings.
func TestSlug(t *testing.T) {
	for heading, want := range map[string]string{
		"The top":                      "the-top",
		"`mongo.date`":                 "mongodate",
		"Azure Cosmos DB: then & now":  "azure-cosmos-db-then--now",
		"What is _ts?":                 "what-is-_ts",
		`<a id="x"></a>Only this`:      "only-this",
		"Read [the rules](rules.md#a)": "read-the-rules",
		"Grüße 2":                      "grüße-2",
	} {
		if got := Slug(heading); got != want {
			t.Errorf("Slug(%q) = %q, want %q", heading, got, want)
		}
	}
}

func TestTitle(t *testing.T) {
	for page, want := range map[string]string{"text\n\n# The `top` of [it](a.md)\n\n## More\n": "The top of it", "text\n": "", "```\n# code\n```\n": ""} {
		if got := Title([]byte(page)); got != want {
			t.Errorf("Title(%q) = %q, want %q", page, got, want)
		}
	}
}

func TestAnchors(t *testing.T) {
	const page = "# The top\n\ntext <a id=\"mark\"></a>\n\nBelow `it`\n---\n\n```\n# no heading\n```\n"
	if got, want := slices.Sorted(maps.Keys(Anchors([]byte(page)))), []string{"below-it", "mark", "the-top"}; !slices.Equal(got, want) {
		t.Errorf("Anchors = %q, want %q", got, want)
	}
}

// TestRows: the rows of a table are found, whatever the table's second line looks like.
func TestRows(t *testing.T) {
	for _, head := range []string{"| a | b |\n|---|---|\n", "| a | b |\n| --- | --- |\n", "|a|b|\n|:--|--:|\n", "a | b\n--- | ---\n"} {
		const rows = "| 1 | `x` [y](z.md) |\n| <a id=\"2\"></a>2 | |\n"
		got := Rows([]byte("# Top\n\ntext\n\n## The part\n\n" + head + rows + "\nmore | text\n"))
		want := []Row{{"| 1 | `x` [y](z.md) |", []string{"1", "x y"}, "the-part"}, {"| <a id=\"2\"></a>2 | |", []string{"2", ""}, "the-part"}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("below %q Rows differ (-want +got):\n%s", head, diff)
		}
	}
	if got := Rows([]byte("| a | b |\n|---|---|\n\n```\n| c | d |\n|---|---|\n| 1 | 2 |\n```\n")); len(got) != 0 {
		t.Errorf("Rows = %q of an empty table and of code, want none", got)
	}
}
