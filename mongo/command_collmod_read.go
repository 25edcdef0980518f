package mongo

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// otherOptions are what collMod knows in one release or another besides index
// and expireAfterSeconds.
var otherOptions = []string{
	"collMod", "validator", "validationLevel", "validationAction", "viewOn", "pipeline", "recordPreImages",
	"changeStreamPreAndPostImages", "timeseries", "isTimeseriesNamespace", "cappedSize", "cappedMax",
	"usePowerOf2Sizes", "noPadding",
}

// read reads the command as its release does, and makes what it says of an
// index.
func (m *collModCommand) read() error {
	switch m.profile.collMod {
	case readingStrict:
		return m.readStrictly()
	case readingOpen:
		return m.readOpen()
	}
	return m.readByHand()
}

func (m *collModCommand) readStrictly() error {
	if err := checkCommand("collMod", m.command, m.fields()); err != nil {
		return err
	}
	m.change = changeOf(m.command)
	if err := m.checkDryRun(); err != nil {
		return err
	}
	return m.applyChange()
}

// checkDryRun refuses dryRun for anything except making an index unique. The server
// checks that before it looks for the index (mongodb/mongo:
// src/mongo/db/catalog/coll_mod.cpp, _processCollModDryRunMode).
func (m *collModCommand) checkDryRun() error {
	return firstOf(
		refusal{m.isDryRun() && isOmitted(m.command.Field("index")), InvalidOptions, ruleCollModDryRun, "index", "dry run mode requires an valid index modification."},
		refusal{m.isDryRun() && !isTrue(m.change.unique), InvalidOptions, ruleCollModDryRun, "index.unique", "dry run mode requires an index modification with unique: true."},
	)
}

// checkDryRunAlone refuses dryRun for a second change. The server checks that after each
// change by itself.
func (m *collModCommand) checkDryRunAlone() error {
	return firstOf(refusal{m.isDryRun() && m.modifications() > 1, InvalidOptions, ruleCollModDryRun, "dryRun",
		"unique: true cannot be combined with any other modification in dry run mode."})
}

func (m *collModCommand) isDryRun() bool { return isTrue(m.command.Field("dryRun")) }

// changeOf returns what a command that is read strictly says of an index.
func changeOf(command policy.Value) indexChange {
	index := given(command.Field("index"))
	return indexChange{
		name:          given(index.Field("name")),
		key:           given(index.Field("keyPattern")),
		seconds:       given(index.Field("expireAfterSeconds")),
		hidden:        given(index.Field("hidden")),
		unique:        given(index.Field("unique")),
		prepareUnique: given(index.Field("prepareUnique")),
	}
}

// applyChange makes what a command that is read strictly asks of an index, if
// anything.
func (m *collModCommand) applyChange() error {
	if isOmitted(m.command.Field("index")) {
		return nil
	}
	return m.applyIndex()
}

// fields are what a command that is read strictly may hold.
func (m *collModCommand) fields() []field {
	index := []field{
		{name: "name", kinds: textKinds},
		{name: "keyPattern", kinds: documentKinds},
		{name: "expireAfterSeconds", kinds: numberKinds},
		{name: "hidden", kinds: flagKinds},
		{name: "unique", kinds: flagKinds, open: !m.profile.prepareUnique},
		{name: "prepareUnique", kinds: flagKinds, open: !m.profile.prepareUnique},
		{name: "forceNonUnique", open: true},
	}
	return append(ignoredFields(otherOptions...),
		field{name: "dryRun", kinds: flagKinds, open: !m.profile.prepareUnique},
		field{name: "index", kinds: documentKinds, fields: index},
		field{name: "expireAfterSeconds", kinds: slices.Concat(textKinds, numberKinds), nulls: true, expected: "[string, long]"})
}

// readOpen reads a command where it is open whether that is done strictly or
// by hand: what both make of it stands.
func (m *collModCommand) readOpen() error {
	err := checkCommand("collMod", m.command, m.fields())
	refused, ok := err.(*SpecError)
	switch {
	case ok && refused.Code != 0 && refused.Field != "expireAfterSeconds": // by hand it may be refused otherwise, or ignored
		return unspecified(ruleCommandUnspecified, refused.Field)
	case err == nil:
		m.change = changeOf(m.command)
	}
	switch {
	case !m.isReadAlike(m.command.Field("index")):
		return unspecified(ruleCommandUnspecified, "index")
	case err != nil:
		return err
	}
	return m.applyChange()
}

// isReadAlike reports whether index holds no null that one way of reading
// refuses and the other reads as absent. An expireAfterSeconds that is null is
// refused by both if there is nothing else to change.
func (m *collModCommand) isReadAlike(index policy.Value) bool {
	if index.Kind() == policy.Null {
		return false
	}
	for f := index.Fields(); f.Next(); {
		alike := f.CompareName("expireAfterSeconds") == 0 && m.change.hidden.IsMissing()
		if isOmitted(f.Value()) && !alike {
			return false
		}
	}
	return true
}

// readByHand reads a command as the releases do that look at each field when
// they come to it.
func (m *collModCommand) readByHand() error {
	for f := m.command.Fields(); f.Next(); {
		name := f.Name()
		var err error
		switch {
		case name == "index" && !m.collection.View:
			err = m.readIndexByHand(f.Value())
		case slices.Contains(otherOptions, name) || isGenericArgument(name):
		case m.collection.View:
			err = refuseBy(InvalidOptions, ruleCollModView, name, "option not supported on a view: %s", name)
		default:
			err = refuseBy(InvalidOptions, ruleCommandUnknown, name, "unknown option to collMod: %s", name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (m *collModCommand) readIndexByHand(index policy.Value) error {
	if index.Kind() != policy.Object {
		return unspecified(ruleCommandUnspecified, "index")
	}
	m.change = indexChange{name: index.Field("name"), key: index.Field("keyPattern"), seconds: index.Field("expireAfterSeconds")}
	if m.profile.collMod == readingLax {
		return m.applyIndex()
	}
	m.change.hidden = index.Field("hidden")
	for f := index.Fields(); f.Next(); {
		if name := f.Name(); !slices.Contains([]string{"name", "keyPattern", "expireAfterSeconds", "hidden"}, name) {
			return refuseBy(InvalidOptions, ruleCommandUnknown, "index."+name, "Unrecognized field '%s' in 'index' option", name)
		}
	}
	return m.applyIndex()
}
