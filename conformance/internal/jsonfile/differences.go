package jsonfile

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Compact returns JSON without space outside texts, nil if raw is not JSON.
func Compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return nil
	}
	return b.Bytes()
}

// Differences counts the places in which two values differ. A typed value of
// Extended JSON is one place.
func (n Node) Differences(m Node) (count int) {
	switch {
	case bytes.Equal(Compact(n.Raw), Compact(m.Raw)):
		return 0
	case n.isDocument() && m.isDocument():
		return n.differentMembers(m)
	case n.Is('[') && m.Is('[') && len(n.Nodes) == len(m.Nodes):
		for i := range n.Nodes {
			count += n.Nodes[i].Differences(m.Nodes[i])
		}
		return count
	}
	return 1
}

// isDocument reports whether n is an object, and no typed value or operator
// such as {"$date": …}.
func (n Node) isDocument() bool {
	return n.Is('{') && (len(n.Names) == 0 || !strings.HasPrefix(n.Names[0], "$"))
}

// differentMembers counts the members that differ: a member by another name in
// the same position once, and another order of the same members once.
func (n Node) differentMembers(m Node) (count int) {
	for i, name := range n.Names {
		other, ok := m.Member(name)
		switch {
		case ok:
			count += n.Nodes[i].Differences(other)
		case !n.isRenamed(m, i):
			count++
		}
	}
	for _, name := range m.Names {
		if _, ok := n.Member(name); !ok {
			count++
		}
	}
	return max(count, 1)
}

// isRenamed reports whether m has a member by another name in position i, and
// the same otherwise.
func (n Node) isRenamed(m Node, i int) bool {
	if len(n.Names) != len(m.Names) {
		return false
	}
	_, ok := n.Member(m.Names[i])
	return !ok && n.Nodes[i].Differences(m.Nodes[i]) == 0
}
