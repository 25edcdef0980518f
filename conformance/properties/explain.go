package properties

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/internal/cases"
)

// A failure is a property that does not hold.
type failure struct {
	*examiner
	property
	trial
	answers []answer
	trouble string
}

// String says which property is broken by which answers, and gives a vector
// for each question.
func (f failure) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n  but   %s\n", f.Text, f.trouble)
	for r := range conformance.Rules() {
		if slices.Contains(f.Rules, r.ID) {
			fmt.Fprintf(&b, "  rule  %s: %s\n", r, r.Statement)
		}
	}
	for i, a := range f.answers {
		fmt.Fprintf(&b, "  %-5d %s\n  ask   %s\n", i+1, a.Answer, f.asked[i].GoString())
	}
	b.WriteString("Vectors of these questions, for who fills in what is right and where that is established:\n")
	b.WriteString(strings.Join(f.vectors(), ",\n"))
	return b.String()
}

// vectors writes a vector of each question that was asked, once.
func (f failure) vectors() (list []string) {
	hello := f.system.Hello()
	seen := map[string]bool{}
	for i, a := range f.answers {
		c := f.asked[i]
		if seen[c.GoString()] {
			continue
		}
		seen[c.GoString()] = true
		list = append(list, c.Vector(cases.Draft{
			Prefix: f.ID, Title: f.Text, Rules: f.Rules,
			Comment: fmt.Sprintf("Found by the property %s at %s, which %s %s answers %s.", f.ID, c.Target, hello.Name, hello.Version, a.Answer),
		}))
	}
	return list
}
