package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/namespace"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
)

// targetFlags name the collections and containers, their documents, and the server and
// the instant by which they are judged.
type targetFlags struct {
	dumpFlags
	options      catalog.Options
	policy       policyflags.Flags // the server, its parameters and the instant
	selection    namespace.Selection
	namespace    string
	documents    []string
	metadataOnly bool
	sources      bool // read programs and templates in folders too
	live         liveFlags
}

// add adds the flags. release describes the release without --server.
func (f *targetFlags) add(cmd *cobra.Command, release string) {
	f.addServer(cmd, release)
	f.addNames(cmd)
	f.live.add(cmd)
	f.dumpFlags.add(cmd, "documents")
	set := cmd.Flags()
	policyflags.AddParameters(cmd, &f.policy.Parameter)
	policyflags.AddNow(cmd, &f.policy.Now)
	set.BoolVar(&f.options.SkipBad, "skip-bad", false, "count documents that cannot be read and go on (exit code 3, if there is no other)")
	addNoIDs(cmd, &f.options.NoIDs)
	addCheck(cmd, func() (err error) {
		f.options.Kind = f.kind
		if f.options.Now, err = f.policy.Instant(time.Now()); err != nil {
			return err
		}
		if err := policyflags.CheckCapabilities(f.options.Capabilities); err != nil {
			return err
		}
		return f.chooseServer()
	})
	policyflags.AddCapabilities(cmd, &f.options.Capabilities)
	set.StringArrayVar(&f.documents, "documents", nil, "documents of the one collection or container: a dump or an export (repeatable)")
	set.BoolVar(&f.metadataOnly, "metadata-only", false, "look at policies alone, not at the documents of a dump")
	addNeed(cmd, "metadata-only", func() bool { return len(f.documents) == 0 }, "beside --documents, which are looked at")
}

// addServer adds --server. release describes the release without the flag.
func (f *targetFlags) addServer(cmd *cobra.Command, release string) {
	cmd.Flags().StringVar(&f.policy.Server, "server", "", "release of the server, such as 8.0.4 (default: "+release+")")
}

// chooseServer sets the release and parameters that the flags name.
func (f *targetFlags) chooseServer() (err error) {
	if f.options.Release, err = policyflags.ParseRelease("--server", f.policy.Server); err != nil {
		return err
	}
	f.options.Parameters, err = policyflags.ParseParameters(f.policy.Parameter)
	return err
}

// addNames adds the flags about names alone, and checks the names.
func (f *targetFlags) addNames(cmd *cobra.Command) {
	addFileCheck(cmd, true)
	cmd.Flags().StringVar(&f.namespace, "namespace", "", "name of the one collection or container, such as shop.logs, for the commands")
	addSelection(cmd, &f.selection)
}

// targets finds the targets of args and adds settings of the flags. It also returns the
// targets that are not selected. A running server is judged by its own release. The
// caller closes f.live.
func (f *targetFlags) targets(cmd *cobra.Command, args []string) (targets, others []*catalog.Target, err error) {
	if targets, err = f.find(cmd, args); err == nil {
		err = f.chooseServer()
	}
	if err != nil {
		return nil, nil, err
	}
	if targets, others, err = catalog.Select(targets, f.selection); err != nil {
		return nil, nil, cli.WithExit(cli.ExitUsage, err)
	}
	if len(targets) != 1 && (f.namespace != "" || len(f.documents) > 0) {
		return nil, nil, cli.Usagef("--namespace and --documents are about one collection or container, but the input has %d; --ns selects some of them", len(targets))
	}
	if f.namespace != "" {
		targets[0].Rename(f.namespace)
	}
	if len(f.documents) > 0 {
		found, err := dump.Find(f.documents)
		if err == nil {
			targets[0].Documents, err = known(found)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return targets, others, checkEffects(cmd, targets)
}

// find returns the targets in the files, folders and texts of args, or on the server that args
// name. A file that is named twice is read once.
func (f *targetFlags) find(cmd *cobra.Command, args []string) (targets []*catalog.Target, err error) {
	if isLive(args) {
		found, err := f.live.find(cmd, args, &f.policy)
		if err != nil {
			return nil, err
		}
		note(cmd, f.live.notes())
		targets, err = catalog.TargetsOf(found.Inputs[0], !f.metadataOnly)
		if f.policy.CosmosMongo {
			catalog.SetCosmosMongo(targets)
		}
		return targets, err
	}
	before := map[string]bool{}
	find := catalog.Find
	if f.sources {
		find = catalog.FindWithSources
	}
	for i, path := range args {
		found, err := find(path, cmd.InOrStdin(), !f.metadataOnly && len(f.documents) == 0)
		if errors.Is(err, fs.ErrNotExist) && isWritten(path) {
			found, err = catalog.ReadTyped(fmt.Sprintf("argument %d", i+1), path)
		}
		switch {
		case errors.Is(err, catalog.ErrUnknown) && cmd.Flags().Lookup("documents") != nil:
			return nil, fmt.Errorf("%w; documents are given with --documents", err)
		case err != nil:
			return nil, err
		}
		var twice []string
		for _, t := range found {
			if before[realPath(t.File)] {
				twice = append(twice, t.File+" is named twice, and is read once")
			} else {
				targets = append(targets, t)
			}
		}
		note(cmd, slices.Compact(twice))
		for _, t := range found {
			before[realPath(t.File)] = true
		}
	}
	return targets, nil
}

// isWritten reports whether an argument that names no file is itself a policy: JSON, or a
// statement of the shell.
func isWritten(arg string) bool {
	begin := strings.TrimSpace(arg)
	return strings.HasPrefix(begin, "{") || strings.HasPrefix(begin, "[") || strings.HasPrefix(begin, "db") && strings.Contains(begin, "(")
}

// realPath returns one name for a file that has several. A path without a file keeps its
// name.
func realPath(path string) string {
	target, err := filepath.EvalSymlinks(path)
	if err == nil {
		target, err = filepath.Abs(target)
	}
	if err != nil {
		return path
	}
	return target
}

// documentsOf returns the collections that hold the documents of targets.
func documentsOf(targets []*catalog.Target) (list []*dump.Collection) {
	for _, t := range targets {
		list = append(list, t.Documents...)
	}
	return list
}

// checkEffects refuses flags that have no effect on the targets found. A place that mentions a
// time to live is no policy, and no flag changes what is said about it.
func checkEffects(cmd *cobra.Command, targets []*catalog.Target) error {
	has := func(systems ...string) bool {
		return slices.ContainsFunc(targets, func(t *catalog.Target) bool { return len(t.Unread) == 0 && slices.Contains(systems, t.System()) })
	}
	onAzure, onContainers := "on Azure Cosmos DB; it is about MongoDB", "on containers of Azure Cosmos DB; it is about MongoDB"
	if !has(definition.CosmosNoSQL, definition.CosmosMongo) {
		onAzure = "where no policy is read; it is about policies of MongoDB"
		onContainers = onAzure
	}
	for _, row := range []struct {
		without bool
		why     string
		flags   []string
	}{
		{!has(definition.MongoDB), onAzure, []string{"server-parameter", "moving-to", "expire-after", "candidates"}},
		{!has(definition.MongoDB, definition.CosmosMongo), onContainers, []string{"server"}},
		{!has(definition.CosmosMongo), "on what is no collection of Azure Cosmos DB's API for MongoDB", []string{"capability"}},
		{len(documentsOf(targets)) == 0, "where no documents are read; name them with --documents", []string{"input", "skip-bad", "no-ids", "candidates"}},
	} {
		for _, flag := range row.flags {
			if row.without && cmd.Flags().Changed(flag) {
				return cli.Usagef("--%s has no effect %s", flag, row.why)
			}
		}
	}
	return nil
}
