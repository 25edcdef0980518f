package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
)

// inspectDatabases reports indexes that keep other indexes of their database from
// deleting.
func inspectDatabases(jobs []*job) {
	of := map[string][]ttlIndex{}
	for _, j := range jobs {
		of[j.database] = append(of[j.database], j.indexes...)
	}
	begun := map[string]int{} // by database, the number of indexes of the earlier collections
	for _, j := range jobs {
		database, first := of[j.database], begun[j.database]
		for i, x := range j.indexes {
			if x.ending != nil {
				x.inspectPass(database[:first], database[first+i+1:])
			}
		}
		begun[j.database] += len(j.indexes)
	}
}

// A ttlIndex names a TTL index of a collection, and shows whether it ends a pass of the
// TTL monitor.
type ttlIndex struct {
	name, namespace string
	// ending is the source of this index if the index ends each pass over the database.
	// The field of is then the audit of the index's collection. Otherwise both fields are
	// nil.
	ending *source
	of     *collectionAudit
}

// inDatabase returns the database of a, empty if unknown, and the TTL indexes of a in the
// order of their positions.
func (a *collectionAudit) inDatabase() (database string, list []ttlIndex) {
	database, _, ok := strings.Cut(a.Spec.Namespace, ".")
	if !ok {
		return "", nil
	}
	sources := slices.DeleteFunc(slices.Clone(a.sources), func(s *source) bool { return s.index == "" })
	slices.SortStableFunc(sources, func(x, y *source) int { return cmp.Compare(x.Position, y.Position) })
	for _, s := range sources {
		x := ttlIndex{name: s.index, namespace: a.Spec.Namespace}
		if mongofunc.EndsPass(a.Spec, s.spec, a.Profile) {
			x.ending, x.of = s, a
		}
		list = append(list, x)
	}
	return database, list
}

// inspectPass reports x, the index that ends each pass over the database, if another
// index in the input may come after x. The order of indexes of other collections is
// unknown.
func (x ttlIndex) inspectPass(before, rest []ttlIndex) {
	a, after := x.of, namesOf(before, rest)
	if after == "" {
		return
	}
	a.report(x.ending, Finding{
		Severity: Keeps, Rule: reasons.Rule("mongo.monitor-stops"),
		Text: a.replace(x.ending, "{release} fails at this index, and that ends each pass over the database: TTL indexes that were made after it delete nothing. Those that may be: "+
			cli.Visible(after)+". db.system.indexes.find() lists them in the order of the pass."),
		Repairs: a.repair("let the other indexes delete", a.accepted(a.DropIndexes(x.name))),
	})
}

// namesOf returns the names of a few TTL indexes of a database, and the number of the
// others.
func namesOf(lists ...[]ttlIndex) string {
	const few = 20
	var names []string
	left := 0
	for _, list := range lists {
		for _, x := range list[:min(len(list), few-len(names))] {
			names = append(names, x.name+" of "+x.namespace)
		}
		left += len(list)
	}
	if left -= len(names); left > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names, ", "), left)
	}
	return strings.Join(names, ", ")
}
