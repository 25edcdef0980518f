package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/transfer"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/output"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/namespace"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/commandfunc"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

type migrateFlags struct {
	policy policyflags.Flags
	dumpFlags
	selection namespace.Selection
	to        string
	field     string
	idFrom    string
	replace   bool
	keep      string
	writtenAt string
	dates     string
	out       string
	outFolder string
	drop      bool // leave out expired documents
	force     bool
	format    string
	noIDs     bool
}

// dateForms are the values of --dates.
var dateForms = map[string]plainjson.Dates{"extjson": plainjson.ExtJSONDates, "iso": plainjson.ISODates, "millis": plainjson.MillisDates}

func newMigrateCommand() *cobra.Command {
	var flags migrateFlags
	cmd := &cobra.Command{
		Use:  "migrate --to SYSTEM [FILE… | FOLDER…]",
		RunE: flags.run,
	}
	flags.policy.Add(cmd)
	flags.policy.Names = true
	addFormat(cmd, &flags.format, "text", "json")
	addFileCheck(cmd, false)
	flags.dumpFlags.add(cmd, "input")
	addSelection(cmd, &flags.selection)
	addNoIDs(cmd, &flags.noIDs)
	set := cmd.Flags()
	set.StringVar(&flags.to, "to", "", "the system to migrate to: cosmos-nosql, cosmos-mongo, mongodb")
	set.StringVar(&flags.field, "field", "expireAt", "field for the deadline, with --to mongodb")
	set.BoolVar(&flags.replace, "replace", false, "replace the value that a document has in the field of --field, with --to mongodb")
	set.StringVar(&flags.keep, "keep", "", "fields of the service that documents keep, with --to mongodb, such as id,_ts")
	policyflags.Complete(cmd, "keep", transfer.KeptFields...)
	set.StringVar(&flags.idFrom, "id-from", "", "field that an item's id is made of; if left out, the id of type string or else the _id")
	set.StringVar(&flags.writtenAt, "written-at", "", "the last write of items that have no _ts; with --to cosmos-nosql the import, written into the items as _ts")
	set.StringVar(&flags.dates, "dates", "extjson", "how dates are written, with --to cosmos-nosql: extjson keeps each and its type, iso is 2026-11-20T08:00:00.000Z, millis a number")
	addChoice(cmd, "dates", &flags.dates, "extjson", "iso", "millis")
	set.StringVar(&flags.out, "out", "", "write the documents of one collection to this file")
	set.StringVar(&flags.outFolder, "out-folder", "", "write the documents of each collection to a file in this folder, as mongodump names them")
	set.BoolVar(&flags.drop, "drop-expired", false, "leave out the documents that have expired at the time of the import")
	set.BoolVar(&flags.force, "force", false, "overwrite the files of --out and --out-folder, unless they are being read")
	policyflags.Complete(cmd, "to", transfer.Systems...)
	addNeed(cmd, "field", func() bool { return flags.to == definition.MongoDB }, "without --to mongodb: it names the field for the deadline there")
	back := func() bool { return flags.to == definition.MongoDB && cmd.Flags().NArg() > 0 }
	addNeed(cmd, "replace keep", back, "without --to mongodb and a FILE: no other documents lose fields")
	toItems := func() bool { return flags.to == definition.CosmosNoSQL && cmd.Flags().NArg() > 0 }
	fromOrToItems := func() bool { return toItems() || back() }
	addNeed(cmd, "id-from", fromOrToItems, "without a FILE, and with --to cosmos-mongo: no other documents have an id")
	addNeed(cmd, "written-at", fromOrToItems, "without a FILE, and with --to cosmos-mongo: no other documents hold when they were written")
	addNeed(cmd, "dates", toItems, "without --to cosmos-nosql and a FILE: other documents keep their dates as they are")
	addNeed(cmd, "force", func() bool { return flags.out+flags.outFolder != "" }, "without --out or --out-folder: it has their files replaced")
	addNeed(cmd, "input ns exclude-ns no-ids drop-expired", func() bool { return cmd.Flags().NArg() > 0 }, "without a FILE: no documents are read")
	return cmd
}

func (f *migrateFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.check(args); err != nil {
		return err
	}
	o := transfer.Options{To: f.to, Field: f.field, Replace: f.replace, Keep: strings.Split(f.keep, ","), Item: transfer.Item{IDFrom: f.idFrom, Dates: dateForms[f.dates]}, Kind: f.kind, Drop: f.drop, NoIDs: f.noIDs}
	if err := f.instants(&o); err != nil {
		return err
	}
	if len(args) == 0 {
		return f.runPolicy(cmd, o)
	}
	groups, err := f.groups(cmd, args)
	if err != nil {
		return err
	}
	r, err := f.plan(groups, o)
	if err != nil {
		return err
	}
	if err := f.copyAll(cmd, r, groups, o); err != nil {
		return err
	}
	if err := show(cmd, f.format, r, r.Text); err != nil {
		return err
	}
	return notCarried(r)
}

// notCarried returns the error about documents and collections that are not
// carried over; nil if all are.
func notCarried(r *transfer.Report) error {
	var left []string
	documents, collections := r.Left()
	if documents > 0 {
		left = append(left, cli.Count(documents, "document cannot be carried over as it is and was", "documents cannot be carried over as they are and were")+" left out")
	}
	if collections > 0 {
		left = append(left, cli.Number(int64(collections))+" of "+cli.Count(int64(len(r.Collections)), "collection", "collections")+" not carried over")
	}
	if left == nil {
		return nil
	}
	return cli.WithExit(cli.ExitIncomplete, errors.New(strings.Join(left, "; ")))
}

// runPolicy writes how a policy without documents is carried over.
func (f *migrateFlags) runPolicy(cmd *cobra.Command, o transfer.Options) error {
	p, err := f.policy.Compile()
	if err != nil {
		return err
	}
	r := &transfer.Report{To: f.to}
	m, err := transfer.Of(f.subject(policyflags.Group{Policy: p}), nil, o)
	if err != nil {
		return f.refused(err)
	}
	r.Collections = append(r.Collections, m)
	return show(cmd, f.format, r, r.Text)
}

// instants sets the instants of o. The documents are decided about at --now, and else at
// --written-at.
func (f *migrateFlags) instants(o *transfer.Options) (err error) {
	if f.writtenAt != "" {
		if o.Now, err = policyflags.ParseInstant("--written-at", f.writtenAt, ""); err != nil {
			return err
		}
		o.WrittenAt = cosmos.TimestampAt(o.Now)
		if seconds, ok := o.WrittenAt.Seconds(); ok {
			o.Item.Stamp = policy.Int64Value(seconds)
		}
	}
	if f.writtenAt == "" || f.policy.Now != "" || f.to == definition.MongoDB {
		o.Now, err = f.policy.Instant(time.Now())
	}
	return err
}

func (f *migrateFlags) check(args []string) error {
	switch {
	case f.to == "":
		return cli.Usagef("migrate to where? give --to cosmos-nosql, --to cosmos-mongo or --to mongodb")
	case f.out != "" && len(args) == 0:
		return cli.Usagef("--out needs a dump to rewrite")
	case f.outFolder != "" && len(args) == 0:
		return cli.Usagef("--out-folder needs a dump to rewrite")
	case f.out != "" && f.outFolder != "":
		return cli.Usagef("--out is the file of one collection, and --out-folder has one of each; give one of them")
	case f.keep != "" && slices.ContainsFunc(strings.Split(f.keep, ","), func(name string) bool { return !slices.Contains(transfer.KeptFields, name) }):
		return cli.Usagef("--keep %s: want some of %s, with commas between them", f.keep, strings.Join(transfer.KeptFields, ", "))
	case len(args) == 0 && !f.policy.Given():
		return cli.Usagef(`no policy: name a dump with its metadata beside it, or give --index '{"createdAt":1}' --expire-after 30d, or --container '{"defaultTtl":3600}'`)
	}
	if f.to == definition.MongoDB {
		return checkDeadlineField(f.field)
	}
	return nil
}

// checkDeadlineField refuses a field for deadlines on which a TTL index would delete
// nothing.
func checkDeadlineField(name string) error {
	profile, err := mongo.ProfileOf(mongo.Latest())
	if err != nil {
		return err
	}
	index := command.WithDefaultName(policy.D{
		{Key: "key", Value: policy.ObjectValue(policy.D{{Key: name, Value: policy.Int32Value(1)}})}, {Key: "expireAfterSeconds", Value: policy.Int32Value(0)},
	})
	var refused *mongo.SpecError
	created, err := commandfunc.F.ValidateCreateIndexes(mongo.CollectionSpec{}, index, profile, 0)
	if errors.As(err, &refused) {
		return cli.Usagef("--field %s: MongoDB has no TTL index on it: %s", name, refused.Reason)
	}
	x, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{created.Index}}, profile)
	if err == nil && x.Decide(policy.D{{Key: name, Value: policy.DateValue(0)}}, 0).State == policy.Never {
		err = cli.Usagef("--field %s: a TTL index on this name reads a nested field, but the deadline is written at the top level; name a field without a dot", name)
	}
	return err
}

// groups returns the collections with their policies.
func (f *migrateFlags) groups(cmd *cobra.Command, args []string) ([]policyflags.Group, error) {
	found, err := find(cmd, args, f.selection)
	if err != nil {
		return nil, err
	}
	list, err := known(found)
	if err != nil {
		return nil, err
	}
	if err := transfer.RefuseBuckets(list); err != nil && len(list) == 1 { // before an error about a missing policy
		return nil, err
	}
	groups, err := f.policy.Groups(list)
	if err == nil && len(groups) > 1 && f.out != "" {
		err = cli.Usagef("there are %d collections, and --out is one file; --out-folder writes one of each, or choose a collection with --ns", len(groups))
	}
	return groups, err
}

// subject returns the policy of a group, and its names in commands.
func (f *migrateFlags) subject(g policyflags.Group) change.Subject {
	if g.Collections == nil { // a policy without documents, to which the flags may give a name
		database, name, _ := strings.Cut(cmp.Or(g.Policy.Collection.Namespace, f.policy.Namespace), ".")
		return change.Subject{Policy: g.Policy, Database: database, Collection: name}
	}
	s, _ := change.SubjectOf(g, 0)
	if f.policy.Namespace != "" {
		s.Database, s.Collection, _ = strings.Cut(f.policy.Namespace, ".")
	}
	return s
}

// refused returns the error about a policy that the migration cannot carry over.
func (f *migrateFlags) refused(err error) error {
	if errors.Is(err, transfer.ErrSystem) {
		return cli.Usagef("--to %s: %w", f.to, err)
	}
	return err
}

// plan returns the plan for each group. If there are several groups, the report names the
// groups that are not carried over.
func (f *migrateFlags) plan(groups []policyflags.Group, o transfer.Options) (*transfer.Report, error) {
	r := &transfer.Report{To: f.to}
	for _, g := range groups {
		m, err := &transfer.Migration{}, cmp.Or(transfer.RefuseBuckets(g.Collections), g.Err)
		for _, c := range g.Collections {
			err = cmp.Or(err, c.Err) // the documents of a collection are not in the dump
		}
		if err == nil {
			m, err = transfer.Of(f.subject(g), g.Collections, o)
		}
		if err != nil && (len(groups) == 1 || errors.Is(err, transfer.ErrSystem)) {
			return nil, f.refused(err)
		}
		m.Collection, m.Err = g.Name(), err
		r.Collections = append(r.Collections, m)
	}
	return r, nil
}

// copyAll rewrites the documents of each collection, into a file or without
// output.
func (f *migrateFlags) copyAll(cmd *cobra.Command, r *transfer.Report, groups []policyflags.Group, o transfer.Options) error {
	files, err := f.files(r, groups)
	if err != nil {
		return err
	}
	var list []*dump.Collection
	for _, g := range groups {
		list = append(list, g.Collections...)
	}
	defer f.watch(cmd, inputsOf(list), &o.Read).Finish()
	err = transfer.CopyAll(cmd.Context(), r.Collections, o, func(i int) (transfer.File, error) { return f.create(r.Collections[i], files[i]) })
	switch {
	case errors.Is(err, context.Canceled) && len(groups) == 1:
		return cli.WithExit(cli.ExitInterrupted, errors.New("interrupted; nothing was written"))
	case errors.Is(err, context.Canceled):
		return cli.WithExit(cli.ExitInterrupted, fmt.Errorf("interrupted; %s of %s done", cli.Number(r.Done()), cli.Count(int64(len(groups)), "collection", "collections")))
	case err != nil:
		return err
	}
	r.Count()
	return nil
}

// files returns the file of each collection, or empty names if no documents are written.
// It refuses existing files that must not be replaced before anything is read.
func (f *migrateFlags) files(r *transfer.Report, groups []policyflags.Group) ([]string, error) {
	files, seen := make([]string, len(groups)), map[string]*dump.Collection{}
	for i, g := range groups {
		files[i] = f.out
		if f.outFolder == "" || r.Collections[i].Err != nil {
			continue
		}
		c := g.Collections[0]
		name, err := fileOf(c, f.to)
		if err != nil {
			r.Collections[i].Err = err
			continue
		}
		switch before := seen[strings.ToLower(name)]; {
		case before == nil:
			seen[strings.ToLower(name)] = c
		case before.Namespace() != c.Namespace(): // on some systems the case of letters makes no difference
			r.Collections[i].Err = cli.Usagef("--out-folder: %s and %s differ only in the case of letters, and some systems keep one file for both; carry this one over with --ns and another folder", before.Namespace(), c.Namespace())
			continue
		default:
			return nil, cli.Usagef("--out-folder: %s and %s would both be %s; name one of them, or choose with --ns", before.Place(), c.Place(), name)
		}
		files[i] = filepath.Join(f.outFolder, name)
		if err := output.MakeFolder(filepath.Dir(files[i])); err != nil {
			return nil, outputError("out-folder", err)
		}
		file, err := createOutput("out-folder", files[i], f.force, "--force replaces it")
		if err != nil {
			return nil, err
		}
		file.Discard()
	}
	return files, nil
}

// fileOf returns the name of the file for a collection in a folder: the names of the
// database and of the collection, escaped as mongodump escapes them (mongodb/mongo-tools:
// util.EscapeCollectionName).
func fileOf(c *dump.Collection, to string) (string, error) {
	database, name := c.Database, url.PathEscape(c.Name)
	if !c.IsBSON() {
		database = ""
	}
	if strings.Trim(name, ".") == "" || strings.ContainsAny(database, `/\. "$*<>:|?`) || strings.ContainsRune(database, 0) || len(name) > 200 || len(database) > 200 {
		return "", fmt.Errorf("--out-folder: no file can be named after %s", c.Title())
	}
	end := ".json"
	switch {
	case to == definition.CosmosNoSQL:
		end = ".jsonl"
	case c.IsBSON():
		end = ".bson"
	}
	return filepath.Join(database, name+end), nil
}

// create makes the file for the documents of a migration, or none if the path is empty.
func (f *migrateFlags) create(m *transfer.Migration, path string) (transfer.File, error) {
	if path == "" {
		return nowhere{io.Discard}, nil
	}
	flag := "out"
	if f.outFolder != "" {
		flag = "out-folder"
	}
	file, err := createOutput(flag, path, f.force, "--force replaces it")
	return migrated{file, flag, path, m}, err
}

// nowhere takes the documents of a migration that are only counted.
type nowhere struct{ io.Writer }

func (nowhere) Commit() error { return nil }
func (nowhere) Discard()      {}

// migrated is the output file of a migration. Commit completes the file, and stores its
// name in the migration.
type migrated struct {
	*output.File
	flag, path string
	migration  *transfer.Migration
}

func (f migrated) Commit() error {
	err := outputError(f.flag, f.File.Commit())
	if err == nil {
		f.migration.Out = f.path
	}
	return err
}
