package command

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// laterOptions are options of collMod in releases after 5.0.
var laterOptions = []string{"changeStreamPreAndPostImages", "isTimeseriesNamespace", "cappedSize", "cappedMax"}

// read reads the command as its release does, and makes its changes of an
// index.
func (m *collModCommand) read() error {
	switch m.profile.CollMod {
	case behaviour.ReadingOn:
		return m.readOn()
	case behaviour.ReadingStrict:
		return m.readStrictly()
	}
	return m.readByHand()
}

func (m *collModCommand) readStrictly() error {
	if err := checkCommand("collMod", m.command, m.fields(), &m.arguments); err != nil {
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
		refusal{m.isDryRun() && value.IsOmitted(m.command.Field("index")), codes.InvalidOptions, rules.CollModDryRun, "index", "dry run mode requires an valid index modification."},
		refusal{m.isDryRun() && !value.IsTrue(m.change.unique), codes.InvalidOptions, rules.CollModDryRun, "index.unique", "dry run mode requires an index modification with unique: true."},
	)
}

// checkDryRunAlone refuses dryRun for a second change. The server makes this check after
// each single change.
func (m *collModCommand) checkDryRunAlone() error {
	return firstOf(refusal{m.isDryRun() && m.modifications() > 1, codes.InvalidOptions, rules.CollModDryRun, "dryRun",
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
				refusal{series, codes.InvalidOptions, rules.CollModSeriesOption, name, "option not supported on a time-series collection: " + name},
				refusal{m.collection.View, codes.InvalidOptions, rules.CollModView, name, "option not supported on a view: " + name},
			)
		case "pipeline", "viewOn":
			err = firstOf(refusal{!m.collection.View, codes.InvalidOptions, rules.CollModView, name, "'" + name + "' option only supported on a view"})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// fields returns the fields that a strictly read command may hold. 5.0 does not know the
// options that later releases have (mongodb/mongo: src/mongo/db/coll_mod.idl).
func (m *collModCommand) fields() []field {
	index := []field{
		{name: "name", kinds: textKinds},
		{name: "keyPattern", kinds: documentKinds},
		{name: "expireAfterSeconds", kinds: numberKinds},
		{name: "hidden", kinds: flagKinds},
	}
	fields := append(ignoredFields("collMod", "timeseries"),
		field{name: "validator", kinds: documentKinds},
		field{name: "validationLevel", kinds: textKinds},
		field{name: "validationAction", kinds: textKinds},
		field{name: "viewOn", kinds: textKinds, checkValue: checkViewOn},
		field{name: "pipeline", kinds: listKinds},
		field{name: "recordPreImages", kinds: flagKinds},
		field{name: "expireAfterSeconds", kinds: slices.Concat(textKinds, numberKinds), nulls: true, expected: "[string, long]"})
	if m.profile.LaterOptions != behaviour.Refused {
		unknown := m.profile.LaterOptions == behaviour.AcceptanceUnspecified
		index = append(index,
			field{name: "unique", kinds: flagKinds, unspecified: unknown},
			field{name: "prepareUnique", kinds: flagKinds, unspecified: unknown},
			field{name: "forceNonUnique", unspecified: true})
		fields = append(fields, field{name: "dryRun", kinds: flagKinds, unspecified: unknown})
		for _, name := range laterOptions {
			fields = append(fields, field{name: name, unspecified: unknown})
		}
	}
	return append(fields, field{name: "index", kinds: documentKinds, fields: index})
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
		case refused.Code == codes.NotADocument, refused.Code == codes.NotAString, refused.Code == codes.StoredNotNumber: // the server stops at these faults
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
	case name == "collMod", m.passesOver(name):
		return nil
	case isView && (name == "pipeline" || name == "viewOn") && hasOption(m.profile.CollModOptions, name):
		return firstOf(
			refusal{name == "pipeline" && v.Kind() != policy.List, codes.InvalidOptions, rules.CommandType, name, "not a valid aggregation pipeline"},
			refusal{name == "viewOn" && v.Kind() != policy.String, codes.InvalidOptions, rules.CommandType, name, "'viewOn' option must be a string"},
		)
	case isView:
		return refuseBy(codes.InvalidOptions, rules.CollModView, name, "option not supported on a view: %s", name)
	case !hasOption(m.profile.CollModOptions, name):
		return refuseBy(codes.InvalidOptions, rules.CommandUnknown, name, "unknown option to collMod: %s", name)
	case name == "pipeline", name == "viewOn":
		return refuseBy(codes.InvalidOptions, rules.CollModView, name, "'%s' option only supported on a view", name)
	case name == "index":
		return m.readIndexByHand(v)
	case name == "validator" && v.Kind() != policy.Object && v.Kind() != policy.List:
		return refuseBy(codes.NotADocument, rules.CommandType, name, "invalid parameter: expected an object (validator)")
	case (name == "validationLevel" || name == "validationAction") && v.Kind() != policy.String:
		return refuseBy(codes.NotAString, rules.CommandType, name, "wrong type for field (%s) %s != string", name, v.Kind())
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
	if m.profile.HiddenIndexes {
		m.change.hidden = index.Field("hidden")
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
