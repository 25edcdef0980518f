package mongo

import (
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A component is one part of a dotted path.
type component struct {
	name     string
	position int // of an array's element, or -1 if name is no position
}

// pathOf splits a key pattern's path.
func pathOf(dotted string) []component {
	var path []component
	for name := range strings.SplitSeq(dotted, ".") {
		path = append(path, component{name, positionOf(name)})
	}
	return path
}

// positionOf returns the array position that name spells, or -1. The server
// looks it up as the array's field name, so "01" is none.
func positionOf(name string) int {
	n, err := strconv.Atoi(name)
	if err != nil || n < 0 || strconv.Itoa(n) != name {
		return -1
	}
	return n
}

// keys is what a TTL scan sees of one document: not the document's values but
// the keys that the index holds for it, so the rules are those of the server's
// key generation (mongodb/mongo: src/mongo/db/index/btree_key_generator.cpp).
type keys struct {
	earliest policy.Instant // meaningful if found
	found    bool           // some key is a Date
	expanded bool           // an array was expanded on the way to a Date
	why      *policy.Rule   // of what the keys are, if none is a Date: the most telling
}

// keysOf returns the keys of doc for an index on path.
func keysOf(doc policy.Value, path []component) keys {
	k := keys{why: ruleFieldMissing}
	k.walk(doc, path, false)
	return k
}

// walk adds the keys of v, to which path remains.
func (k *keys) walk(v policy.Value, path []component, expanded bool) {
	switch {
	case len(path) == 0:
		k.leaf(v, expanded)
	case v.Kind() == policy.List:
		k.array(v, path)
	case v.Kind() == policy.Object:
		k.walk(v.Field(path[0].name), path[1:], expanded)
	default:
		k.add(missingOrNull(v), expanded)
	}
}

// missingOrNull returns v as the key of a path that does not go on from it.
func missingOrNull(v policy.Value) policy.Value {
	if v.IsMissing() {
		return v
	}
	return policy.NullValue()
}

// leaf adds the keys of the value that the path ends at: an array gives one
// key for each element, once.
func (k *keys) leaf(v policy.Value, expanded bool) {
	if v.Kind() != policy.List {
		k.add(v, expanded)
		return
	}
	empty := true
	for e := v.Elements(); e.Next(); empty = false {
		k.add(e.Value(), true)
	}
	if empty {
		k.because(ruleArrayEmpty)
	}
}

// array adds the keys of an array in the middle of the path.
func (k *keys) array(v policy.Value, path []component) {
	if at := elementAt(v, path[0].position); !at.IsMissing() {
		k.positioned(v, at, path)
		return
	}
	k.because(ruleFieldNull) // what an empty array, or one of scalars, leaves
	for e := v.Elements(); e.Next(); {
		switch e.Value().Kind() {
		case policy.Object:
			k.walk(e.Value(), path, true)
		case policy.List:
			k.because(ruleArrayNested)
		}
	}
}

// positioned adds the keys of the element that path begins with the position
// of. At the end of the path the element is the key, even if it is an array.
func (k *keys) positioned(array, element policy.Value, path []component) {
	switch {
	case isAmbiguous(array, path[0].name):
		k.because(rulePathAmbiguous)
	case len(path) == 1:
		k.add(element, false)
	default:
		k.walk(element, path[1:], false)
	}
}

// isAmbiguous reports whether a position is also a field of an element. The
// server refuses to index such a document.
func isAmbiguous(array policy.Value, name string) bool {
	for e := array.Elements(); e.Next(); {
		if !e.Value().Field(name).IsMissing() {
			return true
		}
	}
	return false
}

// elementAt returns the element at a position, Missing for -1 or none.
func elementAt(array policy.Value, position int) policy.Value {
	if position < 0 {
		return policy.Value{}
	}
	for e := array.Elements(); e.Next(); position-- {
		if position == 0 {
			return e.Value()
		}
	}
	return policy.Value{}
}

// add adds one key.
func (k *keys) add(v policy.Value, expanded bool) {
	date, ok := v.AsDate()
	if !ok {
		k.because(reasonFor(v.Kind()))
		return
	}
	if !k.found || date < k.earliest {
		k.earliest = date
	}
	k.found, k.expanded = true, k.expanded || expanded
}

// reasonFor returns the rule that keeps a document whose key is of kind k.
func reasonFor(k policy.Kind) *policy.Rule {
	switch k {
	case policy.Missing:
		return ruleFieldMissing
	case policy.Null:
		return ruleFieldNull
	case policy.List:
		return ruleArrayNested
	}
	return ruleFieldNotDate
}

// because remembers why a key is no Date, unless a more telling reason is
// known: the later on the ladder.
func (k *keys) because(r *policy.Rule) {
	if rank(r) > rank(k.why) {
		k.why = r
	}
}

// rank orders the reasons as the ladder does.
func rank(r *policy.Rule) int {
	for i, reason := range keyLadder {
		if r == reason {
			return i
		}
	}
	return -1
}
