package main

import (
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:  "version",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p := cli.NewPrinter(cmd.OutOrStdout())
			p.Lines(versionText(), 0)
			return p.Err()
		},
	}
}

// versionText returns the output of "ttl version" and "ttl --version".
func versionText() string {
	b := buildVersion()
	return fmt.Sprintf("ttl %s (library %s, %s, rules mongo %d cosmos %d)\nnewest release known: MongoDB %s\nbuilt for %s\n",
		b.tool, b.library, b.golang, mongo.RulesVersion, cosmos.RulesVersion, mongo.Latest(), b.how)
}

// versions hold a build's data about itself.
type versions struct {
	tool, library, golang string
	how                   string // the platform, and the commit if it was built in a checkout
	committed             time.Time
}

const libraryPath = "github.com/ttlpolicy/ttlpolicy"

// buildVersion returns the versions that the Go tool stamped into the program.
// A build in the checkout has no version except that of the commit.
var buildVersion = sync.OnceValue(func() versions {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return versions{tool: "unknown", library: "unknown", golang: "unknown", how: "an unknown platform"}
	}
	v := versions{tool: "unknown", library: "unknown", golang: info.GoVersion, how: howBuilt(info.Settings)}
	if info.Main.Version != "" {
		v.tool = info.Main.Version
	}
	for _, set := range info.Settings {
		if set.Key == "vcs.time" {
			v.committed, _ = time.Parse(time.RFC3339, set.Value)
		}
	}
	for _, m := range info.Deps {
		if m.Path == libraryPath {
			v.library = m.Version
		}
	}
	return v
})

// howBuilt returns the platform of a build and, if it is known, its commit.
func howBuilt(settings []debug.BuildSetting) string {
	set := map[string]string{}
	for _, s := range settings {
		set[s.Key] = s.Value
	}
	parts := []string{set["GOOS"] + "/" + set["GOARCH"]}
	if revision := set["vcs.revision"]; revision != "" {
		parts = append(parts, "from commit "+revision+" of "+set["vcs.time"])
	}
	if set["vcs.modified"] == "true" {
		parts = append(parts, "with changes")
	}
	return strings.Join(parts, ", ")
}
