package site

import (
	"cmp"
	_ "embed" // searched.tsv
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"

	"github.com/ttlpolicy/ttlpolicy/cmd/pattern"
	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook"
	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook/markdown"
)

// A place is a search result: a rule, a guide, or a section of a guide.
type place struct {
	Address string // "rules/mongo.date.html", "operators.html#before-an-upgrade"
	Title   string
	Says    string // a sentence of the rule, guide or section
	Label   string // "MongoDB, 3.2 and later", "problem", "guide"
	Weight  int    // the weight of its text in percent
	words   string // words by which people search for the place, and which its text lacks
	body    string // the rest of its text
}

// MarshalJSON writes the array that the script reads.
func (p place) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{p.there(), p.Title, cut(p.Says), p.Label, p.Weight})
}

// there returns the address of the place.
func (p place) there() string {
	file, anchor, isPart := strings.Cut(p.Address, "#")
	file = placeOfFile(file)
	if isPart {
		return file + "#" + anchor
	}
	return file
}

// addSearch writes the index of the search as a script, which a page loads when a search
// begins, because pages opened as files can load nothing else.
func (b *builder) addSearch() error {
	var all []place
	for p := range b.book.Pages() {
		all = append(all, placeOf(p))
	}
	for _, file := range slices.Sorted(maps.Keys(b.places)) {
		all = append(all, b.places[file]...)
	}
	text, err := json.Marshal(struct {
		Places   []place   `json:"places"`
		Terms    string    `json:"terms"`
		Ignored  string    `json:"ignored"`
		Messages []message `json:"messages"`
	}{all, terms(all), ignored, b.messages()})
	b.site["search-index.js"] = fmt.Appendf(nil, "globalThis.ttlIndex=%s;\n", text)
	return err
}

//go:embed messages.tsv
var knownMessages string

// A message is a message of a server that a query may quote: its words, the file of the page
// about it, and for a message of the log its meaning.
type message struct{ words, page, meaning string }

// MarshalJSON writes the array that the search reads.
func (m message) MarshalJSON() ([]byte, error) {
	return json.Marshal([]string{m.words, placeOfFile(m.page)})
}

// messages returns the messages of servers that a query may quote, each with the file of the
// page about it: those of messages.tsv, and the numbers and texts of the page about the log.
// A query with a message finds its page first, whatever its words weigh.
func (b *builder) messages() (list []message) {
	add := func(page, text, meaning string) {
		if words := spaced(text); words != "" && b.places[page] != nil {
			list = append(list, message{words, page, meaning})
		}
	}
	for line := range strings.Lines(knownMessages) {
		page, message, _ := strings.Cut(strings.TrimSpace(line), "\t")
		add(page, message, "")
	}
	const log = "log-messages.html"
	page, err := fs.ReadFile(b.pages, "log-messages.md")
	if err != nil {
		return list // a site without this page, as in tests
	}
	rows := logRow().FindAllStringSubmatch(string(page), -1)
	meanings := map[string]string{}
	for _, row := range rows {
		for id := range strings.SplitSeq(row[1], ", ") {
			meanings[id] = linked().ReplaceAllString(strings.ReplaceAll(row[3], "`", ""), "$1")
		}
	}
	for _, row := range rows {
		meaning := sameAs().ReplaceAllStringFunc(meanings[strings.Split(row[1], ", ")[0]], func(as string) string {
			return as + " (" + meanings[strings.TrimPrefix(as, "as ")] + ")"
		})
		for id := range strings.SplitSeq(row[1], ", ") {
			add(log, id, meaning)
		}
		for message := range strings.SplitSeq(strings.ReplaceAll(row[2], "…", ""), ";") {
			if len(strings.Fields(message)) > 2 { // fewer words may be no quotation
				add(log, message, meaning)
			}
		}
	}
	return list
}

// addMessages writes the messages for the box, each with the page about it.
func (b *builder) addMessages() error {
	if b.playground == nil {
		return nil
	}
	var list [][]string
	for _, m := range b.messages() {
		if m.meaning != "" {
			m.meaning = "This line of the log means: " + m.meaning + "."
		}
		about := b.places[m.page][0]
		list = append(list, []string{m.words, folderOf(about.there()), about.Title, cmp.Or(m.meaning, about.Says)})
	}
	text, err := json.Marshal(list)
	b.site["playground/messages.js"] = fmt.Appendf(nil, "const ttlMessages=%s;\n", text)
	return err
}

// logRow matches a row of the table of the log's messages: ids, level, message, meaning.
var logRow = pattern.Lazy(`(?m)^\| ([0-9, ]+) \| [a-z0-9 ]+ \| ([^|]*) \| ([^|]*) \|$`)

// sameAs matches the reference of a meaning to another row.
var sameAs = pattern.Lazy(`^as [0-9]+`)

// linked matches a link of Markdown.
var linked = pattern.Lazy(`\[([^\]]*)\]\([^)]*\)`)

// spaced returns the words of a text in small letters, with one space between them. The
// script has the same function.
func spaced(text string) string {
	return strings.Join(word().FindAllString(strings.ToLower(text), -1), " ")
}

var word = pattern.Lazy(`[a-z0-9_]+`)

// resultsPage is the page that shows the results of a search. Its address has the query.
const resultsPage = "search.html"

// addResultsPage writes the page of results.
func (b *builder) addResultsPage() error {
	return b.render(resultsPage, "search.html", page{Title: "Search", Description: "Problems, rules, recipes and guides with the words of a query, and the pages about error messages and log lines."})
}

// placeOf returns a rule's entry in the search.
func placeOf(p *rulebook.Page) place {
	var body strings.Builder
	add := func(texts ...string) { fmt.Fprintln(&body, texts) }
	add(p.Topic.Title, p.Topic.About)
	for _, s := range p.Citations() {
		add(s.Title, s.Address)
	}
	for _, n := range p.Neighbours {
		add(n.Why)
	}
	for _, m := range p.Mentions {
		add(m.Text)
	}
	for _, m := range p.Mutants {
		add(m.Text, m.Wild)
	}
	for _, c := range p.Cases {
		add(c.Title)
		for _, a := range c.Answers {
			if a.State == "refused" {
				add(a.Text)
			}
		}
	}
	label := p.Engine.Name + ", " + p.Releases()
	return place{ruleFile(p), p.ID(), p.Statement(), label, 100, ruleWords()[p.ID()], body.String()}
}

//go:embed searched.tsv
var searched string

// ruleWords has, by rule, words by which people search for the rule. Pages of rules are
// generated, so they cannot have a line "Searched as".
var ruleWords = sync.OnceValue(func() map[string]string { return parseWords(searched) })

func parseWords(text string) map[string]string {
	words := map[string]string{}
	for line := range strings.Lines(text) {
		id, says, _ := strings.Cut(strings.TrimSpace(line), "\t")
		words[id] = says
	}
	return words
}

// internals are the guides for those who work on this project. The search leaves them out,
// because they use the words of all other pages.
var internals = []string{"architecture.html", "performance.html", "threat-model.html"}

// placesOf returns a guide's entries in the search: the page, and each of its sections.
func placesOf(g *guide, tree ast.Node) (all []place) {
	if slices.Contains(internals, g.file) {
		return nil
	}
	label, weight := "guide", 90
	switch {
	case g.file == "index.html" || g.file == "problems/index.html":
		weight = 60 // these two pages name everything else
	case g.file == "recipes/index.html": // a guide: it is for languages without a page
	case path.Dir(g.file) == "problems":
		label, weight = "problem", 150
	case path.Dir(g.file) == "recipes":
		label, weight = "recipe", 100
	case g.file == "results/index.html":
		label, weight = "implementations", 130
	}
	all = []place{{g.file, g.title, g.lead, label, weight, searchWords(g.text), ""}}
	for n := tree.FirstChild(); n != nil; n = n.NextSibling() {
		h, isHeading := n.(*ast.Heading)
		if !isHeading {
			all[len(all)-1].body += textOf(n, g.text) + "\n"
			continue
		}
		if id, ok := h.AttributeString("id"); ok && h.Level == 2 && label != "problem" && label != "recipe" {
			all = append(all, place{g.file + "#" + string(id.([]byte)), g.title + " › " + markdown.Plain(h, g.text), "", label, weight, "", ""})
		}
	}
	for i := range all {
		all[i].Says = cmp.Or(all[i].Says, cut(strings.Join(strings.Fields(all[i].body), " ")))
	}
	return all
}

// searchComment matches a hidden line of a page: the words by which people search for
// it.
var searchComment = pattern.Lazy(`(?m)^<!-- Searched as: (.*) -->$`)

// searchWords returns the words of the line "Searched as" of a page, "" if there is none.
func searchWords(page []byte) string {
	if m := searchComment().FindSubmatch(page); m != nil {
		return string(m[1])
	}
	return ""
}

// cut returns the beginning of a text: as much as one line in the list of results shows.
func cut(text string) string {
	const most = 108
	if len(text) <= most {
		return text
	}
	text = text[:most]
	return text[:max(strings.LastIndexByte(text, ' '), 0)] + " …"
}

// textOf returns the text of n, including blocks of code.
func textOf(n ast.Node, page []byte) string {
	var b strings.Builder
	for n := range markdown.All(n) {
		if t, ok := n.(*ast.Text); ok {
			b.Write(t.Segment.Value(page))
			b.WriteByte(' ')
		}
		if n.Kind() == ast.KindFencedCodeBlock || n.Kind() == ast.KindCodeBlock {
			for i := range n.Lines().Len() {
				line := n.Lines().At(i)
				b.Write(line.Value(page))
			}
		}
	}
	return b.String()
}

// term finds a term of a text: a ticket, a version, a word, a name, a number. The
// script has the same expression.
var term = pattern.Lazy(`[a-z]+-[0-9]{3,}|[0-9]+(?:\.[0-9]+)+|[a-z0-9_$]+`)

// ignored are words that say nothing about the subject of a search. The index has no term
// for them, and the script drops them from a query.
const ignored = "a an and are as at be but by can cannot could did do does t for from get has have how i " +
	"if in is it its me my of on one or so that the their them then there they this to too " +
	"use used using was what when where which while who why will with work working works " +
	"would you your s im ve am"

var isIgnored = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(ignored) {
		all[word] = true
	}
	return all
})

// Weights of a term by its position. The index writes them as the letters B, D, F and I.
const (
	inBody  = 2
	inSays  = 4
	inWords = 6
	inTitle = 9
)

// terms writes for each term the places that have it: "date 0I3B1B" is a line that says
// that date stands in the title of place 0, and in places 3 and 4. Each number is the
// difference from the place before, in base 36.
func terms(all []place) string {
	posts := map[string]*strings.Builder{}
	last := map[string]int{}
	common := commonTerms(all)
	for i, p := range all {
		for t, weight := range weigh(p) {
			if weight == inBody && common[t] {
				continue
			}
			if posts[t] == nil {
				posts[t] = &strings.Builder{}
			}
			posts[t].WriteString(strconv.FormatInt(int64(i-last[t]), 36))
			posts[t].WriteByte(byte('A' + weight - 1))
			last[t] = i
		}
	}
	var b strings.Builder
	for _, t := range slices.Sorted(maps.Keys(posts)) {
		fmt.Fprintf(&b, "%s %s\n", t, posts[t])
	}
	return b.String()
}

// weigh returns the terms of a place, weighted by their positions.
func weigh(p place) map[string]int {
	weights := map[string]int{}
	for _, part := range []struct {
		text   string
		weight int
	}{{p.body, inBody}, {p.Says, inSays}, {p.words, inWords}, {p.Title, inTitle}} {
		for _, t := range term().FindAllString(strings.ToLower(part.text), -1) {
			for _, t := range []string{t, t[strings.IndexByte(t, '-')+1:]} { // a ticket by its number, too
				if len(t) <= 30 && !isIgnored()[t] {
					weights[t] = max(weights[t], part.weight)
				}
			}
		}
	}
	return weights
}

// commonTerms returns the terms that more than a third of the places has. In a body they are not
// indexed.
func commonTerms(all []place) map[string]bool {
	count := map[string]int{}
	for _, p := range all {
		for t := range weigh(p) {
			count[t]++
		}
	}
	common := map[string]bool{}
	for t, n := range count {
		common[t] = n > len(all)/3
	}
	return common
}
