package rulebook

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/catalogtest"
	"github.com/ttlpolicy/ttlpolicy/docs/site/playground"
)

// inOrder finds the commands of a page in their order: blocks of code, lines that are
// indented, and code in rows of tables and in sentences.
var inOrder = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$|^    ((?:az|ttl) [^\n]*)$|`((?:db\\.|ttl )[^`]+)`")

// commandsOf returns the commands of a page in their order. A terminal's session is left out:
// its command prints what it counted.
func commandsOf(page string) (list []string) {
	for _, m := range inOrder.FindAllStringSubmatch(page, -1) {
		text := cmp.Or(m[2], m[3], m[4])
		switch {
		case m[1] != "" && m[1] != "js" && m[1] != "sh":
		case strings.Contains(text, "\n  "):
			list = append(list, strings.TrimSpace(text)) // one call on several lines
		default:
			list = append(list, strings.Split(strings.TrimSpace(text), "\n")...)
		}
	}
	return list
}

// uncounted returns the commands of a list that delete documents at once, and that no command
// before them has counted. A count finds all documents that go, and no other document, except
// where the client cannot see when a document goes: in time series, and in the API for MongoDB.
func uncounted(t *testing.T, list []string) (faults []string) {
	t.Helper()
	for i, command := range list {
		for _, s := range onPage(t, command) {
			if s.name == "NaN" && strings.Contains(command, "1700000000") {
				continue // the pages about this command send a reader with such an index to another page
			}
			for name, coll := range s.server.Collections {
				if base, isCopy := strings.CutSuffix(name, "_by_time"); isCopy {
					s.server.Collections[base] = coll
				}
			}
			r, err := try(s, []string{command})
			if err != nil || len(r.more[0]) == 0 {
				continue
			}
			if !slices.ContainsFunc(list[:i], func(count string) bool { return counts(s, count, r) }) {
				faults = append(faults, s.name+": "+command)
				break
			}
		}
	}
	return faults
}

// counts reports whether a command counts the documents that go in a trial.
func counts(s situation, command string, r trial) bool {
	o, err := run(s.server, command, s.names)
	if err != nil || o.Changes || !o.Asked {
		return false
	}
	found := slices.Collect(maps.Keys(o.Found))
	isAtMost := strings.HasPrefix(s.name, "a time series") || strings.Contains(command, "ttl: ")
	for i, name := range found {
		_, found[i], _ = strings.Cut(name, "/")
		if !isAtMost && !goes(r.gone, found[i]) {
			return false
		}
	}
	for name := range r.more[0] {
		_, document, _ := strings.Cut(name, "/")
		if !slices.Contains(found, document) && !strings.HasPrefix(document, "row of ") {
			return false
		}
	}
	return true
}

// goes reports whether a document is gone, in any collection: a page may copy it first.
func goes(gone map[string]bool, document string) bool {
	for name := range gone {
		if strings.HasSuffix(name, "/"+document) {
			return true
		}
	}
	return false
}

var (
	saysDeletes = regexp.MustCompile(`\bdeletes\s+every\s[^.|]*as\s+soon\s+as\s+it\s+runs`)
	saysCounts  = regexp.MustCompile(`countDocuments\(|\$count|ttl forecast|ttl plan|\$ ttl`)
)

// TestCountsBeforeDeletes walks the pages, the repairs of the rules and the fixes of the box.
// No command that lets documents expire at once stands before a command that counts them.
func TestCountsBeforeDeletes(t *testing.T) {
	walked := 0
	err := fs.WalkDir(pages, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".md") || strings.HasPrefix(name, "site/") {
			return err
		}
		page, err := fs.ReadFile(pages, name)
		if err != nil {
			return err
		}
		if at := saysDeletes.FindStringIndex(string(page)); at != nil && !saysCounts.MatchString(string(page[:at[0]])) {
			t.Errorf("%s deletes before it counts: %s", name, page[at[0]:at[1]])
		}
		if name == "playground.md" {
			return nil // its commands are examples of what the playground reads
		}
		list := commandsOf(string(page))
		walked += len(list)
		for _, fault := range uncounted(t, list) {
			t.Errorf("%s: nothing before this command counts what it deletes\n%s", name, fault)
		}
		return nil
	})
	if err != nil || walked < 200 {
		t.Fatalf("%d commands, %v, want hundreds", walked, err)
	}
}

// TestBrokenOrderIsSeen: a page whose commands are in the wrong order, or whose count finds
// other documents, has a fault.
func TestBrokenOrderIsSeen(t *testing.T) {
	const count, act = "`db.c.countDocuments({createdAt: {$lt: new Date(Date.now() - 3600e3)}})`", "```js\ndb.c.createIndex({createdAt: 1}, {expireAfterSeconds: 3600})\n```\n"
	if faults := uncounted(t, commandsOf(count+"\n\n"+act)); len(faults) > 0 {
		t.Errorf("count, then act: %q", faults)
	}
	for _, page := range []string{
		act + "\n" + count, act, strings.Replace(count, "$lt", "$gt", 1) + "\n" + act, strings.Replace(count, "3600e3", "86400e3", 1) + "\n" + act,
		"`db.c.countDocuments({})`\n" + act, "`db.c.getIndexes()`\n" + act,
		"    az cosmosdb sql container update -n c --ttl 3600\n\n    ttl forecast --container '{\"defaultTtl\":3600}' items.jsonl\n",
		"    ttl forecast --container '{\"defaultTtl\":-1}' items.jsonl\n\n    az cosmosdb sql container update -n c --ttl 3600\n",
	} {
		if len(uncounted(t, commandsOf(page))) == 0 {
			t.Errorf("this order is not seen:\n%s", page)
		}
	}
}

// TestRepairsCountFirst: the count of a [Way] counts what its commands delete at once, in each
// situation, and only a way that deletes has a count.
func TestRepairsCountFirst(t *testing.T) {
	plain := slices.Concat(plain(t), plainCosmos(t))
	for _, p := range all() {
		for _, w := range p.Repair.Ways {
			if w.Deletes() != (w.Count != "") {
				t.Errorf("%s: the count of %q is %q", p.ID(), w.Commands, w.Count)
			}
			_, rest := situationsFor(t, p, w, nil, plain)
			isCounted := !w.Deletes()
			for _, s := range rest {
				r, err := try(s, w.Commands)
				switch {
				case errors.Is(err, catalogtest.ErrRefused) || err == nil && len(r.more[0]) == 0 || w.Count == "":
				case err != nil || !counts(s, w.Count, r):
					t.Errorf("%s, %s: %s does not count what %q deletes: %v", p.ID(), s.name, w.Count, w.Commands, err)
				default:
					isCounted = true
				}
			}
			if !isCounted {
				t.Errorf("%s: %q deletes nothing in any situation", p.ID(), w.Commands)
			}
		}
	}
}

// TestFixesCountFirst: the count of a fix of the box counts what its command deletes at once.
func TestFixesCountFirst(t *testing.T) {
	counted := 0
	for _, s := range fixStates() {
		a := playground.Of(s, playground.View{})
		for _, f := range a.Fixes {
			x, ok := asked(t, a.State)
			if !ok {
				continue
			}
			r, err := try(x, strings.Split(f.Command, "\n"))
			if err != nil || len(r.more[0]) == 0 {
				continue
			}
			if counted++; !counts(x, f.Count, r) {
				t.Errorf("%s\n%s\n%s by %s: %s\nis not counted by %q", a.State.Policy, a.State.Document, a.State.Release, a.Rule, f.Command, f.Count)
			}
		}
	}
	if counted < 50 {
		t.Errorf("%d fixes were counted, want more", counted)
	}
}
