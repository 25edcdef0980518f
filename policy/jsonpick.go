package policy

// A Pick asks for one member of a JSON object by its name, so that several can
// be found in one walk. The zero Pick asks for a member without a name.
type Pick struct {
	// Name is what the member's name denotes.
	Name string
	// Count is how many members have that name.
	Count int
	text  []byte // of the last such member's value
}

// Value returns the value of the last member of that name, as [JSON.Field]
// does.
func (p *Pick) Value() Value { return jsonValue(p.text) }

// AsInt64 returns the integer that the member's value spells, as
// [Value.AsInt64] of its Value does. It costs no more than reading the digits:
// a number that is none is not worked out.
func (p *Pick) AsInt64() (int64, bool) {
	if string(p.text) == "-0" {
		return 0, false // a Double with a sign
	}
	return parseInt64(p.text)
}

// IsNull reports whether the member's value is null.
func (p *Pick) IsNull() bool { return len(p.text) > 0 && p.text[0] == 'n' }

// Pick finds what picks ask for, in one walk over the members. It sets every
// Count and does not allocate.
func (d JSON) Pick(picks []Pick) {
	lengths := reset(picks)
	b := d.raw
	for i := skipSpace(b, 1); i < len(b)-1; {
		nameEnd, plain, value := cutName(b, i)
		end := skipValue(b, value)
		if mayPick(lengths, nameEnd-i-1, plain) {
			take(picks, b[i+1:nameEnd], plain, b[value:end])
		}
		i = skipComma(b, end)
	}
}

// reset prepares picks for another object. It returns a set of the lengths of
// their names, modulo 64.
func reset(picks []Pick) (lengths uint64) {
	for i := range picks {
		picks[i].Count, picks[i].text = 0, nil
		lengths |= 1 << (len(picks[i].Name) % 64)
	}
	return lengths
}

// mayPick reports whether a name of n bytes may be asked for, which of most
// members is not worth a comparison.
func mayPick(lengths uint64, n int, plain bool) bool {
	return lengths != 0 && (!plain || lengths>>(uint(n)%64)&1 != 0)
}

// take offers a member to the picks. plain means that its name is sure to be
// spelled without escapes, which is not looked for then.
func take(picks []Pick, name []byte, plain bool, text []byte) {
	for i := range picks {
		p := &picks[i]
		if plain && string(name) == p.Name || !plain && jsonTextIs(name, p.Name) {
			p.Count++
			p.text = text
		}
	}
}
