package rulebook

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
)

// A Repair is advice about a rule, in one way or several. The names in the commands, such
// as coll and t_1, are placeholders.
type Repair struct {
	// Rules are patterns. A rule has the first repair with a pattern that fits the rule.
	Rules []string
	Ways  []Way
}

// A Way is one way to act on a rule, with commands for MongoDB's shell, calls for Azure
// Cosmos DB, or commands of a tool.
type Way struct {
	Intent Intent `json:"intent"`
	// For are the documents for which the playground proposes the way: "any", those with a
	// time in the field as "zoned text", "local text", "seconds" or "milliseconds", or items
	// with their "own ttl" or "no ttl"; "one field" if the index has the date alone. It is
	// empty if the playground does not propose it.
	For  string `json:"for"`
	Text string `json:"text"`
	// AtOnce names the documents that the commands delete as soon as they run, or says
	// that they delete nothing yet. Only the intent Expire has an AtOnce.
	AtOnce string `json:"atOnce,omitempty"`
	// Count is a command that counts the documents in AtOnce. Where a command cannot tell
	// them apart, it counts more. It is empty if nothing is deleted at once.
	Count string `json:"count,omitempty"`
	// Raises means that the seconds in the commands are a placeholder for the reader's
	// present number or a greater number.
	Raises   bool     `json:"raises,omitempty"`
	Commands []string `json:"commands"`
}

// Deletes reports whether the commands delete something as soon as they run.
func (w Way) Deletes() bool { return reasons.IsLoss(w.AtOnce) }

// An Intent is the purpose of a way. Tests execute the commands and check that they serve
// it.
type Intent string

const (
	// Keep means that the commands make no document expire that would otherwise have
	// stayed, neither at once nor later.
	Keep Intent = "keep"
	// Expire means that the commands make documents expire that would otherwise have
	// stayed.
	Expire Intent = "expire"
	// Look means that the commands change nothing.
	Look Intent = "look"
)

// Heading is the beginning of a page's text about a way.
func (i Intent) Heading() string {
	switch i {
	case Keep:
		return "Keep documents"
	case Expire:
		return "Let documents expire"
	}
	return "Look first"
}

// repairOf returns the repair of a rule, the zero Repair if there is none.
func repairOf(all []Repair, rule string) Repair {
	i := slices.IndexFunc(all, func(r Repair) bool { return slices.ContainsFunc(r.Rules, fits(rule)) })
	if i < 0 {
		return Repair{}
	}
	return all[i]
}
