// Package playground answers the questions of the site's playground. It takes a
// policy and a document as people write them, and a clock. It says what happens
// to the document, by which rule, and which releases answer differently.
//
// [Of] is all the logic: it takes a [State] and returns an [Answer], both plain JSON. The
// page in package dist only shows answers; package wasm carries the two values between
// them. A link holds a State too: [State.Fragment] and [ParseFragment] are inverse.
package playground

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/commandfunc"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// notices returns notes on parts that may be read in an unintended way, and on whether the
// database accepts such a definition or item today. A decision is about the stored state,
// however it came about.
func (d stored) notices(s State, doc document, now policy.Instant) []string {
	list := []string{}
	for _, note := range slices.Concat(d.Notes, doc.notes) {
		list = append(list, note.Text)
	}
	if isDigits(strings.TrimSpace(s.Now)) {
		list = append(list, "The number "+strings.TrimSpace(s.Now)+" is read as "+now.String()+".")
	}
	add := func(what string, err error) {
		if err != nil {
			list = append(list, s.refusal(what, err))
		}
	}
	switch s.System {
	case definition.CosmosNoSQL:
		_, warnings, err := cosmos.ValidateContainer(d.container.Spec, nil)
		add("this container", err)
		for _, w := range warnings {
			list = append(list, w.Text)
		}
		add("this item", cosmos.ValidateItem(d.container.Spec, doc.Document))
	case definition.CosmosMongo:
		d.cosmosMongoNotices(s, add)
	default:
		d.mongoNotices(s, now, add)
	}
	return list
}

// refusal returns the sentence that the database does not accept the object today.
func (s State) refusal(what string, err error) string {
	_, reason, _ := strings.Cut(err.Error(), ": ") // without the name of our package
	if errors.Is(err, policy.ErrUnspecified) {
		return fmt.Sprintf("Whether %s accepts %s today is unspecified (%s). The answer is about one that is stored.", s.service(), what, reason)
	}
	return fmt.Sprintf("%s refuses %s today: %s. The answer is about one that is stored, perhaps from before.", s.service(), what, reason)
}

// service returns the name of the system, and of its release if it has one.
func (s State) service() string {
	switch s.System {
	case definition.CosmosNoSQL:
		return "Azure Cosmos DB"
	case definition.CosmosMongo:
		return "Azure Cosmos DB for MongoDB " + s.Release
	}
	return definition.ServerName(s.Release)
}

func (d stored) cosmosMongoNotices(s State, add func(string, error)) {
	spec, _ := d.cosmosMongo(s)
	for i, x := range spec.Indexes {
		before := spec
		before.Indexes = spec.Indexes[:i]
		if !x.ExpireAfterSeconds.IsMissing() {
			add("index "+x.Name, cosmos.ValidateCreateIndexes(before, x))
		}
	}
}

func (d stored) mongoNotices(s State, now policy.Instant, add func(string, error)) {
	release, _ := mongo.ParseVersion(s.Release)
	profile := profileOf(release)
	collection, err := mongo.ParseListedCollection(d.Options, policy.ListValue(policy.A{}))
	if err != nil {
		return
	}
	for _, index := range d.Indexes {
		spec, err := mongo.ParseListedIndex(index)
		if err != nil || spec.ExpireAfterSeconds.IsMissing() {
			continue
		}
		_, err = commandfunc.F.ValidateCreateIndexes(collection, command.WithDefaultName(policy.DOf(index)), profile, now)
		add("index "+spec.Name, err)
		collection.Indexes = append(collection.Indexes, spec)
	}
}
