// Package program reads the TTL policies that programs and templates define, each with
// its line: calls of drivers, schemas and annotations of JavaScript, TypeScript, Python,
// Go, Java, Kotlin, C#, PHP and Ruby; Terraform and Bicep; commands of the az tool and of
// PowerShell. It does not run any code.
//
// An option that is mentioned where no policy was read is an [Unread], so that nothing is
// skipped silently.
package program

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/policytext"
	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// MaxText is the maximum size of a file, in bytes.
const MaxText = 1 << 20

// A Policy is the definition of one collection or one container in a file.
type Policy struct {
	Line int // line of its start, from 1
	// Database and Name are the names of the database and of the collection or
	// container, empty if the file does not say them.
	Database, Name string
	// Options are the options of a collection; Missing if there are none.
	Options policy.Value
	// Steps are the commands about the indexes of a collection, in the order of the text.
	Steps []Step
	// Container is the definition of a container of Azure Cosmos DB for NoSQL, with
	// the service's own names; Missing for a collection.
	Container policy.Value
	// ByThousand means that the program computes the container's default by a
	// multiplication by 1000.
	ByThousand bool
	// Notes explain the reading of the file where it is not obvious.
	Notes []string
}

// A Step is a command about the indexes of a collection.
type Step struct {
	Line int
	// Index is the index that createIndexes gets, if Change is nil. For a collMod it is
	// the index after the command, if the program does not create that index earlier.
	Index policy.Value
	// Change is a collMod, a dropIndexes or a drop as the server gets it, nil if there is
	// none.
	Change policy.D
	// ByThousand means that the program computes the seconds by a multiplication by 1000.
	ByThousand bool
}

// An Unread is a place that mentions a time to live and yields no policy.
type Unread struct {
	Line int
	Word string // the word that mentions a time to live
	Why  string // the reason, as a sentence without its full stop; empty if the form of the place is unknown
	// IsCosmos reports that the place is about a container of Azure Cosmos DB.
	IsCosmos bool
}

// A File is the result of reading one file.
type File struct {
	Policies []Policy // in the order of their lines
	Unread   []Unread // in the order of their lines
}

// Found reports whether a file has anything to do with a time to live.
func (f File) Found() bool { return len(f.Policies)+len(f.Unread) > 0 }

// Read reads a file of this name. If the name is empty, it finds the language from the
// words of the text. It does not read a text that is longer than [MaxText]. It reads a
// text that mentions no time to live only if the text may send a file to Azure Resource
// Manager.
func Read(name, text string, now policy.Instant) File { return ReadWith(Readers{}, name, text, now) }

// Readers are functions that read files which this package does not read itself.
type Readers struct {
	// Terraform reads a configuration. If it is nil, the options in a configuration are
	// reported as unread.
	Terraform func(*Builder)
	// Beside returns the text of a file that a script names; path is relative to the
	// script. If it is nil, no such file is read.
	Beside func(path string) (string, error)
}

// ReadWith is [Read] with more readers.
func ReadWith(r Readers, name, text string, now policy.Instant) File {
	if len(text) > MaxText || !mentions(text) && !sendsFile(text) {
		return File{}
	}
	b := &Builder{Text: text, beside: r.Beside, now: now, isSource: IsSource(name), thousands: map[int64]bool{}}
	systems := systemsOf(text)
	strict := systems // for files that are no programs, in which names shared with other systems are frequent
	strict.other = true
	switch l := languageOf(name, text); l {
	case goLanguage:
		b.readGo()
		b.refuseRest(cLexis, systems.have)
	case terraform:
		if r.Terraform != nil {
			r.Terraform(b)
		}
		b.refuseRest(configLexis, func(o option, _ string) bool { return o.only == always })
	case bicep:
		b.readBicep()
		b.refuseRest(bicepLexis, strict.have)
	case shell:
		b.readShell()
		b.refuseRest(pythonLexis, strict.have)
	case config:
		b.refuseRest(configLexis, strict.have)
	case javascript, python:
		b.readScript(l)
	default:
		b.readTokens(lexes[l])
	}
	return b.file()
}

// lexes describe comments and texts of languages whose statements are not parsed.
var lexes = map[language]lexis{other: cLexis, php: phpLexis, ruby: rubyLexis, rust: rustLexis, script: pythonLexis}

// mentions reports whether a text contains a word that may be about a time to live. Most
// files have no such word, and are not read.
func mentions(text string) bool {
	lower := strings.ToLower(text)
	return slices.ContainsFunc([]string{"expire", "ttl", "timetolive"}, func(word string) bool { return strings.Contains(lower, word) })
}

// sendsFile reports whether a script may send a file to Azure Resource Manager.
func sendsFile(text string) bool {
	return strings.Contains(text, "@") && (strings.Contains(text, "az rest") || strings.Contains(text, "az cosmosdb"))
}

// A language is a programming language in which policies are written.
type language int

const (
	other language = iota // a language with the comments and texts of C
	javascript
	python
	goLanguage
	php
	ruby
	rust
	script // a language whose comments begin with #
	terraform
	bicep
	shell
	config // no program; an option in it is only reported
)

// extensions holds the language of a file for each file extension.
var extensions = map[string]language{}

func init() {
	for l, ends := range map[language]string{
		javascript: ".js .mjs .cjs .jsx .ts .mts .cts .tsx .mongodb .vue .svelte", python: ".py", goLanguage: ".go", php: ".php", ruby: ".rb .rake", rust: ".rs",
		terraform: ".tf .tofu", bicep: ".bicep", shell: ".sh .bash .zsh .ps1 .yml .yaml", script: ".ex .exs .pl .pm .jl .r", config: ".tfvars .hcl .toml .properties .ini .cfg .conf .prisma .graphql",
		other: ".java .kt .kts .scala .groovy .gradle .cs .fs .fsx .vb .swift .dart .c .h .cc .cpp .cxx .hpp .lua .clj .cljs",
	} {
		for _, end := range strings.Fields(ends) {
			extensions[end] = l
		}
	}
}

// IsSource reports whether a file of this name is read as a program or a template.
func IsSource(name string) bool {
	_, ok := extensions[strings.ToLower(path.Ext(name))]
	return ok
}

// IsForeign reports whether package policytext cannot read a text without a name, because
// the language is neither JavaScript nor Python, or because the text has decorators of
// TypeScript.
func IsForeign(text string) bool {
	l := languageOf("", text)
	return l != javascript && l != python || l == javascript && speaksOf(text, []string{"@Prop(", "@Index(", "@index("})
}

// languageOf returns the language of a file, by its name or else by its content.
func languageOf(name, text string) language {
	if l, ok := extensions[strings.ToLower(path.Ext(name))]; ok {
		return l
	}
	has := func(s string) bool { return strings.Contains(text, s) }
	switch {
	case has("<?php"), has("->createIndex("), has("$collection->"), has("#[ODM\\"), has("Schema::"):
		return php
	case has("resource \"azurerm_"), has("resource \"azapi_"), has("resource \"mongodb"):
		return terraform
	case has("resource ") && has("'Microsoft.DocumentDB/"):
		return bicep
	case has("az cosmosdb "), has("az rest "), has("-AzCosmosDB"):
		return shell
	case strings.HasPrefix(text, "package ") && !has(";\n"), has("mongo.IndexModel{"), has("options.Index()"):
		return goLanguage
	case has("include Mongoid::"), has("expire_after_seconds:"), has("indexes.create_one("):
		return ruby
	case has("IndexModel::builder()"), has("IndexOptions::builder()"):
		return rust
	case has("CreateIndexOptions"), has("IndexOptions()"), has("IndexOptions{"), has("CreateIndexModel<"), has(".indexOps("), has("@Indexed("), has("ContainerProperties("), has("TimeSpan."):
		return other
	case has("IndexModel("), has("create_index"), has("\ndef "), has("create_container"):
		return python
	}
	return javascript
}

// A definition is one index, or the options of a collection, or a container.
type definition struct {
	at, end        int // offsets of the definition in the file
	owner          string
	database, name string
	scope          int // number of the function around it that reverts a migration, from 1; 0 for none
	index, options policy.Value
	change         policy.D
	container      policy.Value
	notes          []string
}

// A Builder collects what one call of [ReadWith] finds.
type Builder struct {
	Text        string // the whole file
	beside      func(path string) (string, error)
	now         policy.Instant
	isSource    bool  // the name is that of a program
	lines       []int // offset of each line
	definitions []definition
	unread      []unreadAt
	read        []bool            // whether each byte was read
	thousands   map[int64]bool    // offsets of seconds that were multiplied by 1000
	models      map[string]string // mongoose: collections by the variables that hold their schemas
	choices     []choice          // in ascending order, after a first choice of no database
	marked      int               // bytes that were given to Mark
}

// A choice is the database that a script of the shell uses from a byte on.
type choice struct {
	from     int
	database string
}

// An unreadAt is an Unread with its offset in the file.
type unreadAt struct {
	at int
	Unread
}

// LineOf returns the line of a byte, from 1.
func (b *Builder) LineOf(at int) int {
	if b.lines == nil {
		b.lines = append(b.lines, 0)
		for i := range len(b.Text) {
			if b.Text[i] == '\n' {
				b.lines = append(b.lines, i+1)
			}
		}
	}
	i, found := slices.BinarySearch(b.lines, at)
	if found {
		i++
	}
	return max(i, 1)
}

// maxName is the longest name of a database or a collection in any system, in bytes. A
// longer text does not count as a name.
const maxName = 1000

func (b *Builder) define(d definition) {
	if len(d.database) > maxName {
		d.database = ""
	}
	if len(d.name) > maxName {
		d.name = ""
	}
	b.definitions = append(b.definitions, d)
	b.Mark(d.at, d.end)
}

// Mark records that these bytes are read. It records a limited number of ranges; beyond
// that, an option that was read may also be reported as unread.
func (b *Builder) Mark(at, end int) {
	if b.read == nil {
		b.read = make([]bool, len(b.Text)+1)
	}
	at, end = max(at, 0), min(end, len(b.Text))
	if b.marked += max(end-at, 0); b.marked > 64*MaxText {
		return
	}
	for i := at; i < end; i++ {
		b.read[i] = true
	}
}

// maxWhy bounds a reason, which may quote the file, in bytes.
const maxWhy = 300

// Refuse notes that a word mentions a policy, but no policy is read there. An option of an
// index never belongs to a container.
func (b *Builder) Refuse(at int, word, why string, isCosmos bool) {
	isCosmos = isCosmos && !strings.HasPrefix(plainName(word), "expire")
	b.unread = append(b.unread, unreadAt{at, Unread{Word: syntax.Clip(word, 40), Why: syntax.Clip(why, maxWhy), IsCosmos: isCosmos}})
	b.Mark(at, at+1)
}

// IsRead reports whether the byte is in a part that was read or refused.
func (b *Builder) IsRead(at int) bool { return at < len(b.read) && b.read[at] }

// maxPolicies bounds the policies of one file, and its unread places.
const maxPolicies = 10_000

// isLasting reports whether the program mentions no time to live for a collection.
func (p Policy) isLasting() bool {
	isTTL := func(s Step) bool {
		return !s.Index.Field(secondsOption).IsMissing() || len(policytext.IndexRemarks(s.Index)) > 0
	}
	return p.Container.IsMissing() && p.Options.Field(secondsOption).IsMissing() && len(policytext.OptionRemarks(p.Options)) == 0 && !slices.ContainsFunc(p.Steps, isTTL)
}

// isByThousand reports whether the seconds of an index are multiplied by 1000, in the index
// or in the constants that it uses.
func (b *Builder) isByThousand(d definition) bool {
	n, ok := d.index.Field(secondsOption).AsInt64()
	return ok && n != 0 && n%1000 == 0 && (b.thousands[n] || multipliesByThousand(b.Text[d.at:min(d.end, len(b.Text))]))
}

// lacks returns the reason to refuse a collMod if the program does not create the index
// or the collection earlier; "" if there is no reason.
func (p *Policy) lacks(command policy.D) string {
	change := policy.ObjectValue(command)
	address := change.Field("index")
	isMade := func(s Step) bool { return !s.Index.IsMissing() && policytext.Addresses(address, s.Index) }
	switch {
	case change.Field("collMod").IsMissing():
	case address.Kind() == policy.Object:
		if !slices.ContainsFunc(p.Steps, isMade) {
			return "collMod names an index that is not made here, so that its key is not known"
		}
	case p.Options.Field("timeseries").IsMissingOrNull() && p.Options.Field("clusteredIndex").IsMissingOrNull():
		return "collMod changes a collection that is not created here"
	}
	return ""
}

// file returns the File, in which it joins the definitions of the same collection.
func (b *Builder) file() (f File) {
	slices.SortStableFunc(b.definitions, func(x, y definition) int { return cmp.Compare(x.at, y.at) })
	type identity struct {
		database, name, owner string
		scope                 int
	}
	of := map[identity]int{}
	for _, d := range b.definitions[:min(len(b.definitions), maxPolicies)] {
		key := identity{d.database, d.name, d.owner, d.scope}
		if d.name != "" {
			key.owner = "" // the name identifies the collection
		}
		i, known := of[key]
		if !known || !d.container.IsMissing() || key == (identity{}) {
			i = len(f.Policies)
			of[key] = i
			f.Policies = append(f.Policies, Policy{Line: b.LineOf(d.at), Database: d.database, Name: d.name, Container: d.container})
		}
		p := &f.Policies[i]
		if why := p.lacks(d.change); why != "" && d.index.IsMissing() {
			b.Refuse(d.at+max(optionIn(b.Text[d.at:d.end]), 0), secondsOption, why, false)
			continue
		}
		if !d.index.IsMissing() || d.change != nil {
			p.Steps = append(p.Steps, Step{b.LineOf(d.at), d.index, d.change, b.isByThousand(d)})
		}
		if n, ok := d.container.Field("defaultTtl").AsInt64(); ok && n != 0 && n%1000 == 0 {
			from := strings.LastIndexByte(b.Text[:d.at], '\n') + 1
			p.ByThousand = b.thousands[n] || multipliesByThousand(b.Text[from:d.at+lineEnd(b.Text[d.at:])])
		}
		if !d.options.IsMissing() {
			p.Options = d.options
		}
		for _, note := range d.notes {
			if !slices.Contains(p.Notes, note) {
				p.Notes = append(p.Notes, note)
			}
		}
	}
	f.Policies = slices.DeleteFunc(f.Policies, Policy.isLasting)
	slices.SortStableFunc(b.unread, func(x, y unreadAt) int { return cmp.Compare(x.at, y.at) })
	for _, u := range b.unread[:min(len(b.unread), maxPolicies)] {
		u.Line = b.LineOf(u.at)
		if n := len(f.Unread); n > 0 && f.Unread[n-1].Line == u.Line {
			continue
		}
		f.Unread = append(f.Unread, u.Unread)
	}
	return f
}
