package rulebook

import "slices"

// A Repair is what to do about a rule, with the commands for MongoDB's shell or
// the calls for Azure Cosmos DB. The names in them, such as coll and t_1, stand
// for the reader's own.
type Repair struct {
	// Rules are patterns; a rule has the first repair that one of them fits.
	Rules    []string
	Text     string
	Commands []string
}

func readRepairs() (all []Repair) {
	read("repairs.json", &all)
	return all
}

// repairOf returns the repair of a rule, the zero Repair if there is none.
func repairOf(all []Repair, rule string) Repair {
	i := slices.IndexFunc(all, func(r Repair) bool { return slices.ContainsFunc(r.Rules, fits(rule)) })
	if i < 0 {
		return Repair{}
	}
	return all[i]
}
