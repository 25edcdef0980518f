package policytext

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Part is a call in a program, with the call's definition.
type Part struct {
	Owner   string // the collection of the call, "" if it is not known
	At, End int    // offsets of the call in the text
	Collection
	// Err is the error of reading the call; nil if the call can be read.
	Err error
}

// ReadProgram reads the calls of a program of JavaScript, TypeScript or Python as
// [ReadCollection] does. It reads each call separately, because a program may define
// several collections. It returns the calls that define something, and the unreadable
// calls that mention a time to live. The function evaluate computes an expression for
// seconds; it reports false if it cannot.
func ReadProgram(text string, now policy.Instant, evaluate func(expression string) (policy.Value, bool)) ([]Part, error) {
	script, err := mongosh.ParseProgram(text, now)
	if err != nil {
		return nil, err
	}
	var parts []Part
	var outer []Part // calls of createIndexes, whose index models are separate calls
	for _, c := range script.Calls {
		m := methods[c.Method]
		isSchema := c.Method == "" && len(c.Args) == 1 && isSchema(c.Args[0])
		if m.add == nil && !isSchema {
			continue
		}
		for i := range c.Args {
			c.Args[i] = evaluated(c.Args[i], evaluate)
		}
		for i := range c.Keywords {
			c.Keywords[i].Value = evaluated(policy.ObjectValue(c.Keywords[i:i+1]), evaluate).Field(c.Keywords[i].Key)
		}
		p := Part{At: c.At, End: c.End}
		if m.owner != nil {
			p.Owner = m.owner(c)
		}
		for _, o := range outer {
			if o.At <= c.At && c.At < o.End && p.Owner == "" {
				p.Owner = o.Owner
			}
		}
		r := &reading{program: true, steps: true}
		p.Err = r.add(c)
		p.Collection = r.Collection
		if p.Owner != "" && strings.HasPrefix(c.Method, "create") && len(outer) < maxOuter {
			outer = append(outer, p)
		}
		if len(p.Indexes) > 0 || !p.Options.IsMissing() || p.Change != nil || p.Err != nil && mentionsTTL(c) {
			parts = append(parts, p)
		}
	}
	return parts, nil
}

// maxOuter bounds the calls that are remembered as owners of the index models within them.
const maxOuter = 100

// evaluated returns v with expressions for seconds replaced by their values.
func evaluated(v policy.Value, evaluate func(string) (policy.Value, bool)) policy.Value {
	switch v.Kind() {
	case policy.Object:
		d := policy.DOf(v)
		for i, e := range d {
			if e.Value.Kind() != policy.Code {
				d[i].Value = evaluated(e.Value, evaluate)
			} else if e.Key == secondsOption || e.Key == "expires" {
				if n, ok := evaluate(codeText(e.Value)); ok {
					d[i].Value = n
				}
			}
		}
		return policy.ObjectValue(d)
	case policy.List:
		a := policy.AOf(v)
		for i := range a {
			a[i] = evaluated(a[i], evaluate)
		}
		return policy.ListValue(a)
	}
	return v
}
