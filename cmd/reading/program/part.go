package program

import (
	"errors"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/policytext"
)

// addPart adds the definitions of one call.
func (b *Builder) addPart(p policytext.Part) {
	err := p.Err
	if err == nil {
		err = p.CheckNames()
	}
	if err != nil {
		at := p.At
		if s := (*mongosh.SyntaxError)(nil); errors.As(err, &s) {
			err = s.Err
		}
		if i := optionIn(b.Text[p.At:min(p.End, len(b.Text))]); i >= 0 {
			at += i
		}
		b.Refuse(at, "expireAfterSeconds", strings.TrimSuffix(err.Error(), "."), false)
		b.Mark(p.At, p.End)
		return
	}
	d := definition{at: p.At, end: p.End}
	d.owner, d.database, d.name = b.ownerOf(p)
	for _, n := range p.Notes {
		d.notes = append(d.notes, n.Text)
	}
	if p.Change != nil {
		d.change = p.Change
		if len(p.Indexes) > 0 {
			d.index = p.Indexes[0]
		}
		b.define(d)
		return
	}
	if !p.Options.IsMissing() {
		d.options = p.Options
		b.define(d)
	}
	for _, x := range p.Indexes {
		one := d
		one.index = x
		b.define(one)
	}
}

// optionIn returns the offset at which a text mentions an option, -1 if it does
// not.
func optionIn(text string) int {
	lower := strings.ToLower(text)
	for _, word := range []string{"expireafter", "expire_after", "expires", "expir"} {
		if i := strings.Index(lower, word); i >= 0 {
			return i
		}
	}
	return -1
}
