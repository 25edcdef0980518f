package audit

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// inspectDatabases reports what an index does to others of its database.
func inspectDatabases(jobs []*job) {
	of := map[string][]*collectionAudit{}
	for _, j := range jobs {
		if a, database, ok := j.inDatabase(); ok {
			of[database] = append(of[database], a)
		}
	}
	for _, j := range jobs {
		if a, database, ok := j.inDatabase(); ok {
			a.inspectPass(of[database])
		}
	}
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
// another index that was read may come after them. In which order those of other
// collections were made is not known.
func (a *collectionAudit) inspectPass(database []*collectionAudit) {
	for _, s := range a.sources {
		if s.index == "" || !mongo.EndsPass(a.Spec, s.spec, a.Profile) {
			continue
		}
		if after := a.listAfter(s, database); len(after) > 0 {
			a.report(s, Finding{
				Severity: Keeps, Rule: reasons.Rule("mongo.monitor-stops"),
				Text: a.replace(s, "{release} fails at this index, and that ends each pass over the database: TTL indexes that were made after it delete nothing. Those that may be: "+
					cli.Visible(strings.Join(after, ", "))+". db.system.indexes.find() lists them in the order of the pass."),
				Repairs: a.repair("let the other indexes delete", a.accepted(a.DropIndexes(s.index))),
			})
		}
	}
}

// listAfter names the TTL indexes of a database that may come after s: those that a
// lists after it, and all of other collections.
func (a *collectionAudit) listAfter(s *source, database []*collectionAudit) (names []string) {
	for _, b := range database {
		for _, t := range b.sources {
			if t.index != "" && t != s && (b != a || t.Position > s.Position) {
				names = append(names, t.index+" of "+b.Spec.Namespace)
			}
		}
	}
	return names
}
