package main

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/audit"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/namespace"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/policyflags"
)

// targetFlags say which collections and containers are looked at, and what their
// documents are.
type targetFlags struct {
	selection    namespace.Selection
	namespace    string
	documents    []string
	metadataOnly bool
	live         liveFlags
}

// add adds the flags.
func (f *targetFlags) add(cmd *cobra.Command) {
	f.addNames(cmd)
	f.live.add(cmd)
	set := cmd.Flags()
	set.StringArrayVar(&f.documents, "documents", nil, "documents of the one collection or container: a dump or an export (repeatable)")
	set.BoolVar(&f.metadataOnly, "metadata-only", false, "look at policies alone, not at the documents of a dump")
	addNeed(cmd, "metadata-only", func() bool { return len(f.documents) == 0 }, "beside --documents, which are looked at")
}

// addNames adds the flags about names alone.
func (f *targetFlags) addNames(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.namespace, "namespace", "", "name of the one collection or container, such as shop.logs, for the commands")
	addSelection(cmd, &f.selection)
}

// targets finds what args stand for and adds what the flags know. The others are not
// selected. A server has p judge as it does; f.live is to be closed.
func (f *targetFlags) targets(cmd *cobra.Command, args []string, p *policyflags.Flags) (targets, others []*audit.Target, err error) {
	if targets, err = f.find(cmd, args, p); err != nil {
		return nil, nil, err
	}
	if targets, others, err = audit.Select(targets, f.selection); err != nil {
		return nil, nil, cli.WithExit(cli.ExitUsage, err)
	}
	if len(targets) != 1 && (f.namespace != "" || len(f.documents) > 0) {
		return nil, nil, cli.Usagef("--namespace and --documents are about one collection or container, and there are %d; --ns selects some", len(targets))
	}
	if f.namespace != "" {
		targets[0].Rename(f.namespace)
	}
	if len(f.documents) > 0 {
		err = f.addDocuments(targets[0])
	}
	return targets, others, err
}

// find finds what args stand for.
func (f *targetFlags) find(cmd *cobra.Command, args []string, p *policyflags.Flags) (targets []*audit.Target, err error) {
	if isLive(args) {
		found, err := f.live.find(cmd, args, p)
		if err != nil {
			return nil, err
		}
		if p.CosmosMongo {
			return nil, cli.Usagef("the server is %s, whose indexes only forecast and explain judge", f.live.server)
		}
		note(cmd, f.live.notes())
		return audit.TargetsOf(found.Inputs[0], !f.metadataOnly)
	}
	before := map[string]bool{}
	for _, path := range args {
		found, err := audit.Find(path, cmd.InOrStdin(), !f.metadataOnly && len(f.documents) == 0)
		if err != nil {
			return nil, err
		}
		for _, t := range found {
			if before[realPath(t.File)] {
				note(cmd, []string{t.File + " is named twice, and is read once"})
			} else {
				targets = append(targets, t)
			}
		}
		for _, t := range found {
			before[realPath(t.File)] = true
		}
	}
	return targets, nil
}

// realPath returns the one name of a file that has several; what is no file has its own.
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

// addDocuments gives t the documents of the flags.
func (f *targetFlags) addDocuments(t *audit.Target) error {
	found, err := dump.Find(f.documents)
	if err == nil {
		t.Documents, err = known(found)
	}
	return err
}
