package playground

import (
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// A Stop is a place on the slider: releases of one line that decide alike.
type Stop struct {
	Release string `json:"release"` // the last of them, by which the stop is judged
	Label   string `json:"label"`   // "5.0.0–5.0.13", or "8.2" for a whole line
}

// lines are the release lines of MongoDB with their last patch. A test holds
// them to the releases that the vectors are for.
var lines = []mongo.Version{
	{Major: 2, Minor: 2, Patch: 7}, {Major: 2, Minor: 4, Patch: 14}, {Major: 2, Minor: 6, Patch: 12},
	{Major: 3, Minor: 0, Patch: 15}, {Major: 3, Minor: 2, Patch: 22}, {Major: 3, Minor: 4, Patch: 24}, {Major: 3, Minor: 6, Patch: 23},
	{Major: 4, Minor: 0, Patch: 28}, {Major: 4, Minor: 2, Patch: 25}, {Major: 4, Minor: 4, Patch: 29},
	{Major: 5, Minor: 0, Patch: 31}, {Major: 5, Minor: 1, Patch: 1}, {Major: 5, Minor: 2, Patch: 1}, {Major: 5, Minor: 3, Patch: 2},
	{Major: 6, Minor: 0, Patch: 26}, {Major: 6, Minor: 1, Patch: 1}, {Major: 6, Minor: 2, Patch: 1}, {Major: 6, Minor: 3, Patch: 2},
	{Major: 7, Minor: 0, Patch: 26}, {Major: 7, Minor: 1, Patch: 1}, {Major: 7, Minor: 2, Patch: 2}, {Major: 7, Minor: 3, Patch: 4},
	{Major: 8, Minor: 0, Patch: 16}, {Major: 8, Minor: 1, Patch: 2}, {Major: 8, Minor: 2, Patch: 11}, {Major: 8, Minor: 3, Patch: 13},
	{Major: 9, Minor: 0, Patch: 2},
}

// mongoStops are all stops of MongoDB, oldest first.
var mongoStops = func() (stops []Stop) {
	for _, line := range lines {
		stops = append(stops, stopsOf(line)...)
	}
	return stops
}()

// stopsOf divides a line where its profile changes.
func stopsOf(line mongo.Version) (stops []Stop) {
	first := mongo.Version{Major: line.Major, Minor: line.Minor}
	for v := first; v.Patch <= line.Patch; v.Patch++ {
		next := v
		next.Patch++
		if v != line && profileOf(v) == profileOf(next) {
			continue
		}
		label := fmt.Sprintf("%d.%d", line.Major, line.Minor)
		if first.Patch > 0 || v != line {
			label = first.String() + "–" + v.String()
		}
		stops = append(stops, Stop{v.String(), label})
		first = next
	}
	return stops
}

func profileOf(v mongo.Version) mongo.Profile {
	p, _ := mongo.ProfileOf(v) // the zero Profile is like no other
	return p
}

// cosmosStops are the server versions of the API for MongoDB.
var cosmosStops = []Stop{{"3.2", "3.2"}, {"3.6", "3.6"}, {"4.0", "4.0"}, {"4.2", "4.2"}, {"5.0", "5.0"}, {"6.0", "6.0"}, {"7.0", "7.0"}}

// stopsFor returns the stops of a system, none if it has no versions.
func stopsFor(system string) []Stop {
	switch system {
	case reasons.MongoDB:
		return mongoStops
	case reasons.CosmosMongo:
		return cosmosStops
	}
	return []Stop{}
}

// stopOf returns the stop of a release, the last for one that has none.
func stopOf(stops []Stop, release string) Stop {
	i := slices.IndexFunc(stops, func(s Stop) bool { return s.Release == release })
	if i < 0 {
		i = len(stops) - 1
	}
	return stops[i]
}

// stopAt returns the number of the stop that a release of MongoDB belongs to:
// the first that is not before it.
func stopAt(stops []Stop, release string) int {
	want, err := mongo.ParseVersion(release)
	if err != nil {
		return len(stops) - 1
	}
	for i, s := range stops {
		if v, err := mongo.ParseVersion(s.Release); err == nil && v.Compare(want) >= 0 {
			return i
		}
	}
	return len(stops) - 1
}
