package playground

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// A release is the result of reading the release that somebody wrote.
type release struct {
	text string // "8.0.4"; "" for a service without releases
	// note explains the reading of the release if it is not obvious.
	note string
	// unknown means that there is no such release; text is then the newest.
	unknown bool
}

// readRelease reads a release of the system as people write it: 8.0.4 or v8.0.4; 8.0 and
// 8 stand for the newest patch of 8.0.
func (s State) readRelease() release {
	written := strings.TrimSpace(s.Release)
	plain := strings.TrimPrefix(strings.ToLower(written), "v")
	switch s.System {
	case definition.CosmosNoSQL:
		if written == "" {
			return release{}
		}
		return release{note: "Azure Cosmos DB for NoSQL has no releases, so that the release is not looked at."}
	case definition.CosmosMongo:
		newest := cosmosStops[len(cosmosStops)-1]
		if plain == "" || slices.ContainsFunc(cosmosStops, func(s Stop) bool { return s.Release == plain }) {
			return release{text: cmp.Or(plain, newest.Release)}
		}
		return noSuch(written, cosmosStops[0].Release, newest.Release)
	}
	if plain == "" {
		return release{text: mongo.Latest().String()}
	}
	if plain == definition.DocumentDB {
		newest := documentDBStops()[len(documentDBStops())-1]
		return release{text: newest.Release}
	}
	for _, line := range lines() {
		if plain == strconv.Itoa(int(line.Major)) || plain == fmt.Sprintf("%d.%d", line.Major, line.Minor) {
			return release{text: line.String(), note: fmt.Sprintf("%s is read as %s, the newest patch of %d.%d.", written, line, line.Major, line.Minor)}
		}
	}
	v, err := pasted.ParseRelease(plain)
	isKnown := func(line mongo.Version) bool {
		return line.Major == v.Major && line.Minor == v.Minor && v.Patch <= line.Patch
	}
	if err == nil && (v.Product != "" || slices.ContainsFunc(lines(), isKnown)) {
		return release{text: plain}
	}
	return noSuch(written, fmt.Sprintf("%d.%d", lines()[0].Major, lines()[0].Minor), mongo.Latest().String())
}

// noSuch returns the last release, with a note that the written one does not exist.
func noSuch(written, first, last string) release {
	written = written[:min(len(written), 20)]
	return release{last, fmt.Sprintf("%q is not a release that is known here; those from %s to %s are.", written, first, last), true}
}
