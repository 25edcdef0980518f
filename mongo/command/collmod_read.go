package command

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/behaviour"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/catalog"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/codes"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/rules"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// otherOptions are the options of collMod in any release, except index and
// expireAfterSeconds.
var otherOptions = []string{
	"collMod", "validator", "validationLevel", "validationAction", "viewOn", "pipeline", "recordPreImages",
	"changeStreamPreAndPostImages", "timeseries", "isTimeseriesNamespace", "cappedSize", "cappedMax",
}

// read reads the command as its release does, and makes its changes of an
// index.
func (m *collModCommand) read() error {
	switch m.profile.CollMod {
	case behaviour.ReadingOn:
		return m.readOn()
	case behaviour.ReadingStrict:
		return m.readStrictly()
	case behaviour.ReadingEither:
		return m.readEither()
	}
	return m.readByHand()
}

func (m *collModCommand) readStrictly() error {
	if err := checkCommand("collMod", m.command, m.fields(), catalog.IsGenericArgument); err != nil {
		return err
	}
	m.change = changeOf(m.command)
	if err := m.checkDryRun(); err != nil {
		return err
	}
	return m.applyChange()
}

// checkDryRun refuses dryRun for anything except making an index unique. The server makes
// this check before it looks for the index (mongodb/mongo:
// src/mongo/db/catalog/coll_mod.cpp, _processCollModDryRunMode).
func (m *collModCommand) checkDryRun() error {
	return firstOf(
		refusal{m.isDryRun() && value.IsOmitted(m.command.Field("index")), mongo.InvalidOptions, rules.CollModDryRun, "index", "dry run mode requires an valid index modification."},
		refusal{m.isDryRun() && !value.IsTrue(m.change.unique), mongo.InvalidOptions, rules.CollModDryRun, "index.unique", "dry run mode requires an index modification with unique: true."},
	)
}

// checkDryRunAlone refuses dryRun for a second change. The server makes this check after
// each single change.
func (m *collModCommand) checkDryRunAlone() error {
	return firstOf(refusal{m.isDryRun() && m.modifications() > 1, mongo.InvalidOptions, rules.CollModDryRun, "dryRun",
		"unique: true cannot be combined with any other modification in dry run mode."})
}

func (m *collModCommand) isDryRun() bool { return value.IsTrue(m.command.Field("dryRun")) }

// changeOf returns the change of an index in a strictly read command.
func changeOf(command policy.Value) indexChange {
	index := value.Given(command.Field("index"))
	return indexChange{
		name:          value.Given(index.Field("name")),
		key:           value.Given(index.Field("keyPattern")),
		seconds:       value.Given(index.Field("expireAfterSeconds")),
		hidden:        value.Given(index.Field("hidden")),
		unique:        value.Given(index.Field("unique")),
		prepareUnique: value.Given(index.Field("prepareUnique")),
	}
}

// applyChange makes the change of an index, if any, of a strictly read command.
func (m *collModCommand) applyChange() error {
	if value.IsOmitted(m.command.Field("index")) {
		return m.checkKind()
	}
	return firstFailure(m.applyIndex, m.checkKind)
}

// checkKind checks that the options are for a collection of this kind. The server checks
// the options one by one, including index, and refuses all with the same code
// (mongodb/mongo: src/mongo/db/catalog/coll_mod.cpp, parseCollModRequest).
func (m *collModCommand) checkKind() error {
	series := !m.collection.TimeSeries.IsMissing()
	for f := m.command.Fields(); f.Next(); {
		name := f.Name()
		if value.IsOmitted(f.Value()) {
			continue
		}
		var err error
		switch name {
		case "validator", "validationLevel", "validationAction", "recordPreImages", "changeStreamPreAndPostImages":
			err = firstOf(
				refusal{series, mongo.InvalidOptions, rules.CollModSeriesOption, name, "option not supported on a time-series collection: " + name},
				refusal{m.collection.View, mongo.InvalidOptions, rules.CollModView, name, "option not supported on a view: " + name},
			)
		case "pipeline", "viewOn":
			err = firstOf(refusal{!m.collection.View, mongo.InvalidOptions, rules.CollModView, name, "'" + name + "' option only supported on a view"})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// fields returns the fields that a strictly read command may hold.
func (m *collModCommand) fields() []field {
	index := []field{
		{name: "name", kinds: textKinds},
		{name: "keyPattern", kinds: documentKinds},
		{name: "expireAfterSeconds", kinds: numberKinds},
		{name: "hidden", kinds: flagKinds},
		{name: "unique", kinds: flagKinds, unspecified: !m.profile.PrepareUnique},
		{name: "prepareUnique", kinds: flagKinds, unspecified: !m.profile.PrepareUnique},
		{name: "forceNonUnique", unspecified: true},
	}
	return append(ignoredFields(otherOptions...),
		field{name: "dryRun", kinds: flagKinds, unspecified: !m.profile.PrepareUnique},
		field{name: "index", kinds: documentKinds, fields: index},
		field{name: "expireAfterSeconds", kinds: slices.Concat(textKinds, numberKinds), nulls: true, expected: "[string, long]"})
}

// readEither reads a command for a release if it is unspecified whether that release reads
// strictly or by hand. It makes the changes on which both ways agree.
func (m *collModCommand) readEither() error {
	err := checkCommand("collMod", m.command, m.fields(), catalog.IsGenericArgument)
	refused, ok := err.(*mongo.SpecError)
	switch {
	case ok && refused.Code != 0 && refused.Field != "expireAfterSeconds": // a reading by hand may refuse the field with another code, or ignore it
		return unspecified(rules.CommandUnspecified, refused.Field)
	case err == nil:
		m.change = changeOf(m.command)
	}
	switch {
	case !m.isReadAlike(m.command.Field("index")):
		return unspecified(rules.CommandUnspecified, "index")
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
		if value.IsOmitted(f.Value()) && !alike {
			return false
		}
	}
	return true
}

// readByHand reads a command field by field, as releases without a strict
// parser do.
func (m *collModCommand) readByHand() error {
	for f := m.command.Fields(); f.Next(); {
		if err := m.readField(f.Name(), f.Value()); err != nil {
			return err
		}
	}
	return nil
}

// readOn reads a command as releases that continue after a fault do, and makes each
// change of an index at once. The last fault counts, unless the server stops before it. A
// refusal of one field settles the outcome, even if the outcome of another field is
// unspecified.
func (m *collModCommand) readOn() error {
	var last error
	for f := m.command.Fields(); f.Next(); {
		err := m.readField(f.Name(), f.Value())
		if err == nil {
			err = m.applySeconds()
		}
		m.change = indexChange{} // the change is made
		refused, isRefusal := err.(*mongo.SpecError)
		switch {
		case !isRefusal:
		case refused.Code == codes.NotADocument, refused.Code == codes.StoredNotNumber: // the server stops at these faults
			return err
		case refused.Code != 0 || last == nil:
			last = err
		}
	}
	return last
}

// readField reads one field of a command that is not read strictly.
func (m *collModCommand) readField(name string, v policy.Value) error {
	isView := m.collection.View
	switch {
	case name == "collMod", passesOver(m.profile, name):
		return nil
	case isView && (name == "pipeline" || name == "viewOn") && hasOption(m.profile.CollModOptions, name):
		return firstOf(
			refusal{name == "pipeline" && v.Kind() != policy.List, mongo.InvalidOptions, rules.CommandType, name, "not a valid aggregation pipeline"},
			refusal{name == "viewOn" && v.Kind() != policy.String, mongo.InvalidOptions, rules.CommandType, name, "'viewOn' option must be a string"},
		)
	case isView:
		return refuseBy(mongo.InvalidOptions, rules.CollModView, name, "option not supported on a view: %s", name)
	case !hasOption(m.profile.CollModOptions, name):
		return refuseBy(mongo.InvalidOptions, rules.CommandUnknown, name, "unknown option to collMod: %s", name)
	case name == "pipeline", name == "viewOn":
		return refuseBy(mongo.InvalidOptions, rules.CollModView, name, "'%s' option only supported on a view", name)
	case name == "index":
		return m.readIndexByHand(v)
	}
	return nil
}

// readIndexByHand reads the change of an index in a command. An array counts as a
// document without any of the fields.
func (m *collModCommand) readIndexByHand(index policy.Value) error {
	if kind := index.Kind(); kind != policy.Object && kind != policy.List {
		return refuseBy(codes.NotADocument, rules.CollModNotDocument, "index", "invalid parameter: expected an object (index)")
	}
	m.change = indexChange{name: index.Field("name"), key: index.Field("keyPattern"), seconds: index.Field("expireAfterSeconds")}
	if !m.profile.CollModNames {
		m.change.name = policy.Value{}
	}
	if m.profile.CollMod != behaviour.ReadingManual {
		return m.applyIndex()
	}
	m.change.hidden = index.Field("hidden")
	for f := index.Fields(); f.Next(); {
		if name := f.Name(); !slices.Contains([]string{"name", "keyPattern", "expireAfterSeconds", "hidden"}, name) {
			return refuseBy(mongo.InvalidOptions, rules.CommandUnknown, "index."+name, "Unrecognized field '%s' in 'index' option", name)
		}
	}
	return m.applyIndex()
}

// hasOption reports whether collMod of a release has an option of this name.
func hasOption(o behaviour.CollModOptions, name string) bool {
	switch name {
	case "usePowerOf2Sizes":
		return behaviour.OptionsOfSizes <= o && o < behaviour.OptionsWithoutSizes
	case "index":
		return behaviour.OptionsOfIndexes <= o
	case "noPadding":
		return behaviour.OptionsOfPadding <= o && o < behaviour.OptionsWithoutSizes
	case "validator", "validationLevel", "validationAction":
		return behaviour.OptionsOfValidation <= o
	case "viewOn", "pipeline":
		return behaviour.OptionsOfViews <= o
	case "recordPreImages":
		return behaviour.OptionsOfImages <= o
	}
	return false
}

// passesOver reports whether commands whose fields are read one by one ignore a field
// of this name.
func passesOver(p behaviour.Profile, name string) bool {
	a := p.Arguments
	if a == behaviour.ArgumentsCommented {
		return catalog.IsGenericArgument(name)
	}
	switch name {
	case "maxTimeMS":
		return a >= behaviour.ArgumentsTime
	case "$audit", "$client", "$configServerState", "$db", "$oplogQueryData", "$queryOptions", "$readPreference", "$replData", "$clusterTime":
		return a >= behaviour.ArgumentsDollar
	case "allowImplicitCollectionCreation", "readConcern", "shardVersion", "tracking_info", "writeConcern", "lsid", "txnNumber":
		return a >= behaviour.ArgumentsListed
	case "databaseVersion", "autocommit", "startTransaction":
		return a >= behaviour.ArgumentsOfTransactions
	case "coordinator", "stmtId":
		return a >= behaviour.ArgumentsOfCoordinators
	}
	return a == behaviour.ArgumentsDollar && strings.HasPrefix(name, "$")
}
