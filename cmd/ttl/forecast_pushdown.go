package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/part"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/pushdown"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/pushdown/aggregation"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/pushdown/cosmossql"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/report"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A pushdownTarget is a kind of database that can count its documents itself.
type pushdownTarget struct {
	// count returns the statements that count, and find the statement that finds the
	// expired documents.
	count, find func(*reasons.Policy, pushdown.Options) (pushdown.Plan, error)
	// run has the database at an address count, and shows the counts.
	run func(*forecastFlags, *cobra.Command, dump.Found, []policyflags.Group) error
}

// pushdownTargets are the databases by the value of --pushdown.
var pushdownTargets = map[string]pushdownTarget{
	"mongo":  {countByAggregation, aggregation.Find, runOnMongo},
	"cosmos": {cosmossql.PlanOf, cosmossql.FindPlanOf, runOnCosmos},
}

// addPushdown adds the flags of a forecast for which a database counts its documents
// itself.
func (f *forecastFlags) addPushdown(cmd *cobra.Command) {
	names := []string{"mongo", "cosmos"}
	set := cmd.Flags()
	set.StringVar(&f.pushdown, "pushdown", "", "have the database count by itself ("+strings.Join(names, ", ")+"); without an address, print its queries")
	set.BoolVar(&f.finds, "find", false, "print queries that find the documents that would go now, instead of counting")
	addChoice(cmd, "pushdown", &f.pushdown, names...)
	addNeed(cmd, "find", func() bool { return f.pushdown != "" }, "without --pushdown, which names the kind of database")
	addNeed(cmd, "by from until sample what-if list save-expired skip-bad check max-docs-per-second input", func() bool { return f.pushdown == "" }, "beside --pushdown, which reads no documents")
	prints := func() bool { return f.pushdown != "" && (f.finds || len(cmd.Flags().Args()) == 0) }
	addNeed(cmd, "all delete-rate fail-if quiet", func() bool { return !prints() }, "where nothing is counted; --pushdown counts at the address of a server")
	addCheck(cmd, func() error {
		if prints() && f.format != "text" && f.format != "json" {
			return cli.Usagef("--format %s: the statements for a database are printed as text or json", f.format)
		}
		return nil
	})
	addNeed(cmd, "bucket", func() bool { return !f.finds }, "beside --find, which counts nothing")
	f.addPushdownCosmos(cmd, prints)
}

func (f *forecastFlags) pushdownOptions() pushdown.Options {
	return pushdown.Options{Now: f.options.Now, Bucket: f.options.Bucket, NoIDs: f.options.NoIDs}
}

// runPushdown prints the statements for a database, or runs them.
func (f *forecastFlags) runPushdown(cmd *cobra.Command, args []string) error {
	target := pushdownTargets[f.pushdown]
	if len(args) == 0 {
		p, err := f.policy.Compile()
		if err != nil {
			return err
		}
		return f.printPlan(cmd, target, p)
	}
	if err := f.checkCounted("where a database counts"); err != nil {
		return err
	}
	if !isLive(args) {
		return cli.Usagef("--pushdown lets a database count; name its address, such as mongodb://db.example/shop.logs, or name no input to print the statements")
	}
	found, err := f.find(cmd, args)
	if err != nil {
		return err
	}
	groups, err := f.policy.Groups(found.Collections())
	if err != nil {
		return err
	}
	f.live.prepare(groups, true)
	if f.finds {
		return f.printFind(cmd, target, groups)
	}
	return target.run(f, cmd, found, groups)
}

// runOnMongo has a server count its documents, and shows the counts in the report of an
// ordinary forecast.
func runOnMongo(f *forecastFlags, cmd *cobra.Command, found dump.Found, groups []policyflags.Group) error {
	results := runAggregations(cmd.Context(), f, cmd, groups)
	if f.format != "part" {
		return f.conclude(cmd, found, questionOf(groups), results, nil)
	}
	key, err := f.key()
	if err != nil {
		return err
	}
	p, err := part.Of(key, found, questionOf(groups), results)
	if err != nil {
		return err
	}
	return encodePart(cmd, p)
}

// questionOf returns a question with only these groups.
func questionOf(groups []policyflags.Group) report.Question {
	return report.Question{Groups: groups, WhatIf: make([][]change.WhatIf, len(groups))}
}

// printPlan prints the statements about a policy.
func (f *forecastFlags) printPlan(cmd *cobra.Command, target pushdownTarget, p *reasons.Policy) error {
	ask := target.count
	if f.finds {
		ask = target.find
	}
	plan, err := ask(p, f.pushdownOptions())
	if err != nil {
		return err
	}
	return show(cmd, f.format, plan, plan.Text)
}

// printFind prints the statement that finds the expired documents of one
// collection.
func (f *forecastFlags) printFind(cmd *cobra.Command, target pushdownTarget, groups []policyflags.Group) error {
	if len(groups) != 1 {
		return cli.Usagef("--find is about one collection, and there are %d; name it in the address, such as mongodb://db.example/shop.logs", len(groups))
	}
	if groups[0].Err != nil {
		return groups[0].Err
	}
	p := groups[0].Policy
	p.Collection.Namespace = groups[0].Collections[0].Namespace()
	return f.printPlan(cmd, target, p)
}

func countByAggregation(p *reasons.Policy, o pushdown.Options) (pushdown.Plan, error) {
	c, err := aggregation.NewCount(p, o)
	if err != nil {
		return pushdown.Plan{}, err
	}
	return c.Plan()
}

// runAggregations has a server count the documents of each group. It refuses groups that
// the server cannot count, each with its reason.
func runAggregations(ctx context.Context, f *forecastFlags, cmd *cobra.Command, groups []policyflags.Group) (list []forecast.Result) {
	server, ok := f.live.source.(*live.Mongo)
	for i := range groups {
		g := &groups[i]
		switch {
		case g.Err != nil:
		case !ok:
			g.Err = cli.Usagef("--pushdown mongo: %s is not a server of MongoDB's protocol", g.Name())
		default:
			a := aggregator{server: server, name: g.Name(), say: func(string) {}}
			if !f.quiet {
				a.say = func(text string) { note(cmd, []string{text}) }
			}
			list = append(list, a.count(ctx, g, f.pushdownOptions()))
		}
	}
	return list
}

// An aggregator has a server count one collection.
type aggregator struct {
	server *live.Mongo
	name   string
	say    func(string)
}

// count counts the documents of a group.
func (a *aggregator) count(ctx context.Context, g *policyflags.Group, o pushdown.Options) forecast.Result {
	on := g.Collections[0]
	c, err := aggregation.NewCount(g.Policy, o)
	if err != nil {
		return forecast.Result{Err: fmt.Errorf("%s: %w", g.Name(), err)}
	}
	c.Database, c.Collection = on.Database, on.Name
	for _, n := range c.Notes() {
		if !slices.Contains(g.Policy.Notes, n) {
			g.Policy.Notes = append(g.Policy.Notes, n)
		}
	}
	tally := forecast.NewTally(len(g.Policy.Sources), forecast.Options{Now: o.Now, Bucket: o.Bucket})
	a.introduce(ctx, c)
	for i, command := range c.Commands() {
		if err := a.pass(ctx, c, command, tally); err != nil {
			return forecast.Result{Err: fmt.Errorf("%s: pass %d of %d: %w", g.Name(), i+1, len(c.Passes), err)}
		}
	}
	return forecast.Result{Tally: tally}
}

// introduce writes the shards of the collection that is counted, and the number of
// expired documents if an index alone gives it.
func (a *aggregator) introduce(ctx context.Context, c *aggregation.Count) {
	if a.server.Server.Sharded {
		if shards := a.server.ByShard(ctx, c.Database, c.Collection); len(shards) > 0 {
			a.say(a.name + ": " + strings.Join(shards, ", "))
		}
	}
	quick, ok := c.Quick()
	if !ok {
		return
	}
	alone, err := a.server.ReadsIndexAlone(ctx, c.Database, quick.Find)
	if err != nil || !alone {
		return // the index does not exist, or holds several keys of a document
	}
	_ = a.server.Aggregate(ctx, c.Database, quick.D, func(row policy.Document) error {
		if n, ok := row.Field("documents").AsInt64(); ok {
			a.say(fmt.Sprintf("%s: by the index alone, %s expired; the documents are being read for the rest", a.name, cli.Count(n, "document has", "documents have")))
		}
		return nil
	})
}

// pass runs one pipeline, and adds its counts.
func (a *aggregator) pass(ctx context.Context, c *aggregation.Count, command aggregation.Command, tally *forecast.Tally) error {
	began, before := time.Now(), tally.Total().Documents
	var rows []forecast.Counted
	err := a.server.Aggregate(ctx, c.Database, command.D, func(row policy.Document) error {
		counted, err := c.Row(row)
		rows = append(rows, counted)
		return err
	})
	if err != nil {
		return err
	}
	slices.SortFunc(rows, compareCounted)
	for _, counted := range rows {
		if err := tally.Count(counted); err != nil {
			return fmt.Errorf("the server sent %w", err)
		}
	}
	a.say(fmt.Sprintf("%s: counted %s, %s in %s", a.name, command.Title, cli.Documents(tally.Total().Documents-before), time.Since(began).Round(time.Millisecond)))
	return nil
}

// compareCounted orders groups, which come in any order, by source, rule and time.
func compareCounted(a, b forecast.Counted) int {
	return cmp.Or(
		cmp.Compare(a.Source, b.Source), cmp.Compare(a.Rule.ID, b.Rule.ID), cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.State, b.State), cmp.Compare(a.First.At, b.First.At), cmp.Compare(a.Last.At, b.Last.At))
}
