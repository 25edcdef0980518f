package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
)

// inspectDatabases reports indexes that affect others of their database.
func inspectDatabases(jobs []*job) {
	of := map[string][]ttlIndex{}
	for _, j := range jobs {
		if a, database, ok := j.inDatabase(); ok {
			of[database] = append(of[database], a.ttlIndexes()...)
		}
	}
	begun := map[string]int{} // how many indexes of a database are of the collections before
	for _, j := range jobs {
		if a, database, ok := j.inDatabase(); ok {
			own := len(a.ttlIndexes())
			a.inspectPass(of[database], begun[database])
			begun[database] += own
		}
	}
}

// A ttlIndex is one of a collection of a database.
type ttlIndex struct {
	*source
	of *collectionAudit
}

// ttlIndexes returns those of a in the order of their positions.
func (a *collectionAudit) ttlIndexes() (list []ttlIndex) {
	for _, s := range a.sources {
		if s.index != "" {
			list = append(list, ttlIndex{s, a})
		}
	}
	slices.SortStableFunc(list, func(x, y ttlIndex) int { return cmp.Compare(x.Position, y.Position) })
	return list
}

// inDatabase returns the audit of a collection whose database is known.
func (j *job) inDatabase() (a *collectionAudit, database string, ok bool) {
	if a, ok = j.auditor.(*collectionAudit); !ok {
		return nil, "", false
	}
	database, _, ok = strings.Cut(a.Spec.Namespace, ".")
	return a, database, ok
}

// inspectPass reports indexes of a at which the pass over the database ends, where
// another index that was read may come after them. Those of the database that are of a
// begin at first. In which order those of other collections were made is not known.
func (a *collectionAudit) inspectPass(database []ttlIndex, first int) {
	before, rest := database[:first], database[first:]
	for i, x := range rest {
		if x.of != a {
			return
		}
		if !mongofunc.EndsPass(a.Spec, x.spec, a.Profile) {
			continue
		}
		if after := namesOf(before, rest[i+1:]); after != "" {
			a.report(x.source, Finding{
				Severity: Keeps, Rule: reasons.Rule("mongo.monitor-stops"),
				Text: a.replace(x.source, "{release} fails at this index, and that ends each pass over the database: TTL indexes that were made after it delete nothing. Those that may be: "+
					cli.Visible(after)+". db.system.indexes.find() lists them in the order of the pass."),
				Repairs: a.repair("let the other indexes delete", a.accepted(a.DropIndexes(x.index))),
			})
		}
	}
}

// namesOf names a few TTL indexes of a database, and says how many more there are.
func namesOf(lists ...[]ttlIndex) string {
	const few = 20
	var names []string
	left := 0
	for _, list := range lists {
		for _, x := range list[:min(len(list), few-len(names))] {
			names = append(names, x.index+" of "+x.of.Spec.Namespace)
		}
		left += len(list)
	}
	if left -= len(names); left > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names, ", "), left)
	}
	return strings.Join(names, ", ")
}
