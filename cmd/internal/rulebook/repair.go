package rulebook

import (
	_ "embed" // of repairs.json
	"encoding/json"
	"path"
	"slices"
)

// A Repair is what to do about a rule, with the commands for MongoDB's shell or
// the calls for Azure Cosmos DB. The names in them, such as coll and t_1, stand
// for the reader's own.
type Repair struct {
	// Rules are patterns; a rule has the first repair that one of them fits.
	Rules    []string
	Text     string
	Commands []string
}

// repairs.json lists the repairs.
//
//go:embed repairs.json
var repairsText []byte

func readRepairs() (all []Repair) {
	if err := json.Unmarshal(repairsText, &all); err != nil {
		panic("repairs.json: " + err.Error()) // which a test would have seen
	}
	return all
}

// repairOf returns the repair of a rule, the zero Repair if there is none.
func repairOf(all []Repair, rule string) Repair {
	fits := func(pattern string) bool {
		ok, err := path.Match(pattern, rule)
		return ok && err == nil
	}
	i := slices.IndexFunc(all, func(r Repair) bool { return slices.ContainsFunc(r.Rules, fits) })
	if i < 0 {
		return Repair{}
	}
	return all[i]
}
