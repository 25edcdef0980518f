package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/transfer"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/namespace"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/mongosh"
	"github.com/ttlpolicy/ttlpolicy/internal/policies"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/migrate"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// migrateFlags are the flags of migrate.
type migrateFlags struct {
	policy policyflags.Flags
	dumpFlags
	selection  namespace.Selection
	to         string
	field      string
	customPath bool
	idFrom     string
	writtenAt  string
	out        string
	drop       bool // what has expired
	force      bool
	format     string
	noIDs      bool
}

var migrateTargets = []string{policies.CosmosNoSQL, policies.CosmosMongo, policies.MongoDB}

func newMigrateCommand() *cobra.Command {
	var flags migrateFlags
	cmd := &cobra.Command{
		Use:  "migrate --to SYSTEM [FILE]",
		Args: oneAtMost("a dump or an export"),
		RunE: func(cmd *cobra.Command, args []string) error { return flags.run(cmd, args) },
	}
	flags.policy.Add(cmd)
	addFormat(cmd, &flags.format, "text", "json")
	addFileCheck(cmd, false)
	flags.dumpFlags.add(cmd, "input")
	addSelection(cmd, &flags.selection)
	addNoIDs(cmd, &flags.noIDs)
	set := cmd.Flags()
	set.StringVar(&flags.to, "to", "", "the system to migrate to: cosmos-nosql, cosmos-mongo, mongodb")
	set.StringVar(&flags.field, "field", "expireAt", "field for the deadline, with --to mongodb")
	set.BoolVar(&flags.customPath, "custom-path", false, "keep the index, with --to cosmos-mongo: the account has EnableTtlOnCustomPath")
	set.StringVar(&flags.idFrom, "id-from", "_id", "field that an item's id is made of, with --to cosmos-nosql")
	set.StringVar(&flags.writtenAt, "written-at", "", "import at this instant, and write it into the items as _ts, with --to cosmos-nosql")
	set.StringVar(&flags.out, "out", "", "write the documents to this file")
	set.BoolVar(&flags.drop, "drop-expired", false, "leave out the documents that have expired at the time of the import")
	set.BoolVar(&flags.force, "force", false, "overwrite the file of --out, unless it is being read")
	policyflags.Complete(cmd, "to", migrateTargets...)
	addNeed(cmd, "field", func() bool { return flags.to == policies.MongoDB }, "without --to mongodb: it names the field for the deadline there")
	toItems := func() bool { return flags.to == policies.CosmosNoSQL && cmd.Flags().NArg() > 0 }
	addNeed(cmd, "id-from", toItems, "without --to cosmos-nosql and a FILE: no other documents need an id")
	addNeed(cmd, "written-at", toItems, "without --to cosmos-nosql and a FILE: no other documents hold when they were written")
	addNeed(cmd, "force", func() bool { return flags.out != "" }, "without --out: it has that file replaced")
	addNeed(cmd, "input ns exclude-ns no-ids drop-expired", func() bool { return cmd.Flags().NArg() > 0 }, "without a FILE: no documents are read")
	return cmd
}

func (f *migrateFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.check(args); err != nil {
		return err
	}
	now, err := f.imported()
	if err != nil {
		return err
	}
	g, err := f.group(cmd, args)
	if err != nil {
		return err
	}
	plan, err := f.plan(g.Policy, now)
	if err != nil {
		return err
	}
	var incomplete error
	if len(args) > 0 {
		incomplete = f.copy(cmd, g, plan)
	}
	if incomplete != nil && cli.ExitCodeOf(incomplete) != cli.ExitIncomplete {
		return incomplete
	}
	if err := show(cmd, f.format, plan, plan.text); err != nil {
		return err
	}
	return incomplete
}

// imported returns when the documents are imported.
func (f *migrateFlags) imported() (policy.Instant, error) {
	if f.writtenAt == "" {
		return f.policy.Instant(time.Now())
	}
	return policyflags.ParseInstant("--written-at", f.writtenAt, "")
}

func (f *migrateFlags) check(args []string) error {
	switch {
	case f.writtenAt != "" && f.policy.Now != "":
		return cli.Usagef("--now and --written-at are both the instant of the import; give one of them")
	case f.idFrom == "":
		return cli.Usagef("--id-from: name a field, such as _id")
	case f.to == "":
		return cli.Usagef("migrate to where? give --to cosmos-nosql, --to cosmos-mongo or --to mongodb")
	case f.out != "" && len(args) == 0:
		return cli.Usagef("--out needs a dump to rewrite")
	case f.customPath && f.to != policies.CosmosMongo:
		return cli.Usagef("--custom-path goes with --to cosmos-mongo")
	case len(args) == 0 && !f.policy.Given():
		return cli.Usagef(`no policy: name a dump with its metadata beside it, or give --index '{"createdAt":1}' --expire-after 30d, or --container '{"defaultTtl":3600}'`)
	}
	if f.to == policies.MongoDB {
		return checkDeadlineField(f.field)
	}
	return nil
}

// checkDeadlineField refuses a field for deadlines by which a TTL index deletes nothing.
func checkDeadlineField(name string) error {
	profile, err := mongo.ProfileOf(mongo.Latest)
	if err != nil {
		return err
	}
	index := command.WithDefaultName(policy.D{
		{Key: "key", Value: policy.ObjectValue(policy.D{{Key: name, Value: policy.Int32Value(1)}})}, {Key: "expireAfterSeconds", Value: policy.Int32Value(0)},
	})
	var refused *mongo.SpecError
	created, err := command.ValidateCreateIndexes(mongo.CollectionSpec{}, index, profile, 0)
	if errors.As(err, &refused) {
		return cli.Usagef("--field %s: MongoDB has no TTL index on it: %s", name, refused.Reason)
	}
	x, err := mongo.CompileIndex(mongo.CollectionSpec{}, created.Index, profile)
	if err == nil && x.Decide(policy.D{{Key: name, Value: policy.DateValue(0)}}, 0).State == policy.Never {
		err = cli.Usagef("--field %s: a TTL index looks for a field within another there, and the deadline is written on top; name a field without a point", name)
	}
	return err
}

// group returns the policy, and the file if there is one.
func (f *migrateFlags) group(cmd *cobra.Command, args []string) (g policyflags.Group, err error) {
	if len(args) == 0 {
		p, err := f.policy.Compile()
		return policyflags.Group{Policy: p}, err
	}
	found, err := find(cmd, args, f.selection)
	if err != nil {
		return g, err
	}
	list, err := known(found)
	if err != nil {
		return g, err
	}
	if len(list) != 1 {
		return g, cli.Usagef("%s holds %d collections; choose one with --ns", args[0], len(list))
	}
	if list[0].Buckets {
		return g, fmt.Errorf("%s: %w", list[0].Place(), errBuckets)
	}
	groups, err := f.policy.Groups(list)
	if err != nil {
		return g, err
	}
	return groups[0], groups[0].Err
}

var errBuckets = errors.New("these are the buckets of a time-series collection, which no other system reads; export its measurements")

// withoutBuckets returns rewrite, with errBuckets for a document of c that is a
// bucket and no measurement.
func withoutBuckets(c mongo.CollectionSpec, rewrite transfer.Rewriter) transfer.Rewriter {
	field, ok := c.TimeSeries.Field("timeField").AsString()
	if !ok {
		return rewrite
	}
	return func(doc policy.Document, d policy.Decision) (transfer.Edit, error) {
		_, dated := doc.Field(field).AsDate()
		control := doc.Field("control")
		if (!dated || field == "meta") && control.Field("min").Kind() == policy.Object && control.Field("max").Kind() == policy.Object {
			return transfer.Edit{}, errBuckets
		}
		return rewrite(doc, d)
	}
}

// A migration is the output of migrate.
type migration struct {
	From   string           `json:"from"`
	Read   []string         `json:"read,omitempty"` // how the policy was read, and what in it does nothing
	To     string           `json:"to"`
	Create string           `json:"create"` // the container's settings, or a command
	Notes  []migrate.Note   `json:"notes"`
	Result *transfer.Result `json:"documents,omitempty"`
	Out    string           `json:"out,omitempty"`

	now     policy.Instant
	rewrite transfer.Rewriter
}

// plan says what carries over, and how documents are rewritten.
func (f *migrateFlags) plan(p *reasons.Policy, now policy.Instant) (*migration, error) {
	m := &migration{From: p.Description, Read: p.Notes, To: f.to, now: now}
	isMongo := p.System == policies.MongoDB
	switch {
	case f.to == policies.MongoDB && !isMongo:
		m.Create = createIndex(f.field, policy.Int32Value(0))
		m.Notes = migrate.ToMongoDB()
		m.rewrite = transfer.ToMongoDB(f.field)
		return m, nil
	case f.to == policies.CosmosMongo && isMongo && f.customPath:
		return m, f.keepIndex(m, p)
	case f.to == policies.CosmosMongo && isMongo:
		m.Create = "db.COLLECTION.createIndex({_ts: 1}, {expireAfterSeconds: -1})"
	case f.to == policies.CosmosNoSQL && isMongo:
		m.Create = `{"defaultTtl":-1}`
	default:
		return nil, cli.Usagef("--to %s: want one of cosmos-nosql and cosmos-mongo for a policy of MongoDB, and mongodb for one of Azure Cosmos DB", f.to)
	}
	var err error
	m.Notes, err = migrate.ToCosmos(p.Collection, p.Profile)
	m.rewrite = transfer.ToCosmos(cosmos.TimestampAt(now))
	return m, err
}

// keepIndex plans a TTL index that is carried over unchanged.
func (f *migrateFlags) keepIndex(m *migration, p *reasons.Policy) error {
	account := cosmos.CollectionSpec{Capabilities: []string{cosmos.CustomPathCapability}}
	if len(p.Sources) != 1 {
		return errors.New("--custom-path: a collection has one TTL field there; without it each document gets a ttl")
	}
	for _, x := range p.Collection.Indexes {
		notes, ok := migrate.FieldIndex(x, account)
		if !ok {
			continue
		}
		account.Indexes = append(account.Indexes, cosmos.IndexSpec{Name: x.Name, Key: x.Key, ExpireAfterSeconds: x.ExpireAfterSeconds})
		there, err := cosmos.CompileCollection(account)
		if err != nil {
			return err
		}
		field, imported := x.Key[0].Key, cosmos.TimestampAt(m.now)
		m.Create = createIndex(field, x.ExpireAfterSeconds)
		m.Notes = notes
		m.rewrite = transfer.Unchanged(field, func(doc policy.Document) policy.Decision { return there.DecideAt(doc, imported, m.now) })
		return nil
	}
	return errors.New("--custom-path: the account does not take this index as it is (several fields, a partial filter, a special kind, or expireAfterSeconds out of range)")
}

// createIndex returns the command for a TTL index on one field, for the shell.
func createIndex(field string, seconds policy.Value) string {
	key, _ := mongosh.Literal(policy.ObjectValue(policy.D{{Key: field, Value: policy.Int32Value(1)}}))
	return fmt.Sprintf("db.COLLECTION.createIndex(%s, {expireAfterSeconds: %s})", key, plainNumber(seconds))
}

func plainNumber(v policy.Value) string {
	if n, ok := v.AsInt64(); ok {
		return fmt.Sprint(n)
	}
	f, _ := v.AsDouble()
	return fmt.Sprint(f)
}

// copy rewrites the dump, into a file or into nothing.
func (f *migrateFlags) copy(cmd *cobra.Command, g policyflags.Group, m *migration) error {
	var to io.Writer = io.Discard
	keep := func() error { return nil }
	if f.out != "" {
		file, err := createOutput("out", f.out, f.force, "--force replaces it")
		if err != nil {
			return err
		}
		defer file.Discard()
		to, keep = file, file.Commit
	}
	progress := f.progress(cmd, inputsOf(g.Collections))
	run := &transfer.Run{Evaluator: g.Policy, Rewrite: withoutBuckets(g.Policy.Collection, m.rewrite), Now: m.now, ID: g.Policy.IDField(), DropExpired: f.drop, NoIDs: f.noIDs}
	if f.to == policies.CosmosNoSQL {
		run.Item = f.item(m.now)
	}
	err := f.stream(cmd.Context(), run, to, g, func(n int) { progress.Add(n) })
	progress.Finish()
	switch {
	case errors.Is(err, context.Canceled):
		return cli.WithExit(cli.ExitInterrupted, errors.New("interrupted; nothing was written"))
	case err != nil:
		return fmt.Errorf("%w; nothing was written", err)
	}
	m.Result, m.Out = &run.Result, f.out
	if err := keep(); err != nil {
		return outputError("out", err)
	}
	if n := run.Result.Conflicts; n > 0 {
		return cli.WithExit(cli.ExitIncomplete, fmt.Errorf("%s left out", cli.Count(n, "document cannot be carried over as it is and was", "documents cannot be carried over as they are and were")))
	}
	return nil
}

// item returns what items get besides a ttl.
func (f *migrateFlags) item(now policy.Instant) *transfer.Item {
	item := &transfer.Item{IDFrom: f.idFrom}
	if seconds, ok := cosmos.TimestampAt(now).Seconds(); ok && f.writtenAt != "" {
		item.Stamp = policy.Int64Value(seconds)
	}
	return item
}

// stream copies the group's file.
func (f *migrateFlags) stream(ctx context.Context, run *transfer.Run, to io.Writer, g policyflags.Group, read func(int)) error {
	o := dump.StreamOptions{Kind: f.kind, Text: forecast.TextKind(g.Policy), NoText: f.noIDs, Read: read}
	for s := range g.Collections[0].Streams(o) {
		run.Form = f.formOf(s.Kind())
		if err := run.Copy(ctx, to, s); err != nil {
			return err
		}
	}
	return nil
}

// formOf returns how documents are written that came in some kind.
func (f *migrateFlags) formOf(k dump.Kind) transfer.Form {
	switch {
	case f.to == policies.CosmosNoSQL:
		return transfer.JSON
	case k == dump.BSON:
		return transfer.BSON
	}
	return transfer.ExtJSON
}

// headings are the headings above the notes of each fidelity.
var headings = []struct {
	fidelity migrate.Fidelity
	text     string
}{
	{migrate.Exact, "carries over exactly"},
	{migrate.Approximate, "only approximately"},
	{migrate.Lost, "not at all"},
}

// text writes the migration for people.
func (m *migration) text(p *cli.Printer) error {
	p.Line("from    %s\nto      %s\ncreate  %s", m.From, m.To, m.Create)
	for _, note := range m.Read {
		p.Wrap("Note: "+note, 8)
	}
	for _, h := range headings {
		p.Line("\n%s", h.text)
		for _, n := range m.Notes {
			if n.Fidelity == h.fidelity {
				p.Item(n.Text, 4)
				p.Line("    %s", strings.Join(n.Rules, ", "))
			}
		}
	}
	if r := m.Result; r != nil {
		p.Line("\n%s: %s exactly, %s later, %s kept for ever, %s left out", cli.Documents(r.Documents), cli.Number(r.Exact), cli.Number(r.Approximate), cli.Number(r.Lost), cli.Number(r.Conflicts))
		if r.Expired > 0 {
			p.Line("  and %s, left out by --drop-expired", cli.Count(r.Expired, "document that has expired", "documents that have expired"))
		}
		for _, x := range r.First {
			p.Line("  %s  %s", x.Short(), x.What)
		}
		if r.Unchecked {
			p.Wrap("Note: identifiers are of several kinds, such as 1 and \"1\", which become one id. The first million of them were compared with all others, the rest was not.", 8)
		}
	}
	if m.Out != "" {
		p.Line("written to %s", m.Out)
	}
	return p.Err()
}
