package playground

import (
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
		r := release{}
		if written != "" {
			r.note = "Azure Cosmos DB for NoSQL has no releases, so that the release is not looked at."
		}
		return r
	case definition.CosmosMongo:
		r := release{text: stopOf(cosmosStops, plain).Release}
		if r.unknown = plain != "" && plain != r.text; r.unknown {
			r.say(written, cosmosStops[0].Release, r.text)
		}
		return r
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
	if err == nil && v.Product != "" {
		return release{text: plain}
	}
	isKnown := slices.ContainsFunc(lines(), func(line mongo.Version) bool {
		return line.Major == v.Major && line.Minor == v.Minor && v.Patch <= line.Patch
	})
	if err == nil && isKnown {
		return release{text: plain}
	}
	r := release{text: mongo.Latest().String(), unknown: true}
	r.say(written, fmt.Sprintf("%d.%d", lines()[0].Major, lines()[0].Minor), r.text)
	return r
}

// say sets the note that the written release does not exist.
func (r *release) say(written, first, last string) {
	if len(written) > 20 {
		written = written[:20]
	}
	r.note = fmt.Sprintf("%q is not a release that is known here; those from %s to %s are.", written, first, last)
}
