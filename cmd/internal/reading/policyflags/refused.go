package policyflags

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// checkAccepted returns the server's refusal if the release would not create the index
// that --index proposes, because a refused index decides about no document. An index that
// is given with its version, v, was shown by listIndexes. It exists already, and is not
// checked. If the release's behaviour is unspecified, there is no error.
func (f *Flags) checkAccepted(c collectionText, release mongo.Version) error {
	now, err := f.Instant(time.Now())
	if err != nil || len(f.Index) == 0 {
		return err
	}
	profile, err := mongo.ProfileOf(release)
	if err != nil {
		return err
	}
	server := definition.ServerName(release.String()) + " refuses this "
	if !c.options.IsMissing() {
		_, err := command.ValidateCreate(policy.DOf(c.options), profile, now)
		if err := refusal(server+"collection", "", err); err != nil {
			return err
		}
	}
	spec, err := mongo.ParseListedCollection(c.options, policy.ListValue(c.indexes))
	if err != nil {
		return err
	}
	hint := existsHint
	if len(c.notes) > 0 { // the notes name the fault
		hint = ". " + strings.Join(c.notes, " ")
	}
	all := spec.Indexes
	for i, v := range c.indexes {
		onID := len(all[i].Key) == 1 && all[i].Key[0].Key == "_id" && all[i].ExpireAfterSeconds.IsMissing() // the index that every collection has
		if spec.Indexes = all[:i:i]; !v.Field("v").IsMissing() || onID {
			continue
		}
		_, err := command.ValidateCreateIndexes(spec, command.WithDefaultName(policy.DOf(v)), profile, now)
		if err := refusal(server+"index", hint, err); err != nil {
			return err
		}
	}
	return nil
}

// existsHint is the hint for a user who wants to judge an existing index.
const existsHint = "; to judge an index that exists, give it as listIndexes shows it, with its v"

// refusal returns err in the server's words, nil if there is no error or if the behaviour
// is unspecified.
func refusal(who, hint string, err error) error {
	if err == nil || errors.Is(err, policy.ErrUnspecified) {
		return nil
	}
	return fmt.Errorf("%s: %s%s", who, inWords(err), hint)
}

// inWords returns the text of an error of the library without the package's name. From a
// server's message about an index specification it keeps only the field and the cause.
func inWords(err error) string {
	text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "mongo: "), "cosmos: ")
	if field, rest, ok := strings.Cut(text, ": . Index spec: "); ok {
		if _, cause, ok := strings.Cut(rest, " :: caused by :: "); ok {
			return field + ": " + cause
		}
	}
	return text
}

// checkCosmosIndexes returns the refusal by Azure Cosmos DB for MongoDB of the first
// index that it would not create. An index that is given with its version, v, exists
// already, and is not checked.
func checkCosmosIndexes(spec cosmos.CollectionSpec, given policy.A) error {
	all := spec.Indexes
	for i, x := range all {
		if spec.Indexes = all[:i:i]; !given[i].Field("v").IsMissing() {
			continue
		}
		if err := refusal("Azure Cosmos DB for MongoDB refuses this index", existsHint, cosmos.ValidateCreateIndexes(spec, x)); err != nil {
			return err
		}
	}
	return nil
}

// checkContainer returns the service's refusal of settings. A null counts as
// not set, because the service's tools show such properties as null.
func checkContainer(spec cosmos.ContainerSpec) error {
	for _, v := range []*policy.Value{&spec.DefaultTTL, &spec.AnalyticalStorageTTL} {
		if v.IsMissingOrNull() {
			*v = policy.Value{}
		}
	}
	_, _, err := cosmos.ValidateContainer(spec, nil)
	return refusal("Azure Cosmos DB refuses this container", "", err)
}
