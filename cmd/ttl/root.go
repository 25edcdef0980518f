package main

import (
	"cmp"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
	"github.com/ttlpolicy/ttlpolicy/cmd/pattern"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/base/spelling"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// newRootCommand returns the whole tool. It writes to the streams that are set
// on it, so that a test can run it in process.
func newRootCommand() *cobra.Command {
	root := newGroup("ttl", newForecastCommand(), newExplainCommand(), newAuditCommand(), newPlanCommand(), newMigrateCommand(), newRulesCommand(),
		newConformCommand(), newAdapterCommand(), newVersionCommand())
	root.Version = versionText()
	root.SilenceErrors, root.SilenceUsage = true, true // run prints errors
	root.SetFlagErrorFunc(suggestFlag)
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	root.SetVersionTemplate("{{.Version}}")
	root.SetHelpFunc(writeHelp)
	describe(root)
	giveOnce(root)
	return root
}

// giveOnce makes the flags of a command and of its subcommands refuse to be given twice,
// because the last would win silently. Flags that collect values are exempt.
func giveOnce(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false // sorting takes longer than the rest of giveOnce
	defer func() { flags.SortFlags = true }()
	flags.VisitAll(func(f *pflag.Flag) {
		if _, gathers := f.Value.(pflag.SliceValue); !gathers {
			f.Value = &onceValue{Value: f.Value}
		}
	})
	for _, sub := range cmd.Commands() {
		giveOnce(sub)
	}
}

// A onceValue is the value of a flag that may be given once.
type onceValue struct {
	pflag.Value
	given bool
}

var errTwice = errors.New("given twice, and takes one value")

// Set sets the value at the first call. Later calls return errTwice.
func (v *onceValue) Set(text string) error {
	if v.given {
		return errTwice
	}
	v.given = true
	return v.Value.Set(text)
}

// fileFlags are the flags whose value is a file or a folder.
var fileFlags = []string{"answers", "changelog", "container", "documents", "expect", "folder", "known", "metadata", "out", "out-folder", "results", "save-expired", "suite"}

// takesFiles matches the usage line of a command whose arguments are files, folders or programs.
var takesFiles = pattern.Lazy("FILE|FOLDER|DIR|PART|RESULTS|PROGRAM|-- A")

// complete sets what the shell offers for a command and for the commands below it. It
// offers the choices of a flag, and files for flags and arguments that name files. For
// other flags and arguments it offers no files. Call complete only when the shell asks,
// because cobra keeps each flag that has a completion for ever.
func complete(cmd *cobra.Command) {
	files := cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)
	if takesFiles().MatchString(cmd.Use) {
		cmd.ValidArgsFunction = files
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		offers := files
		switch choices := f.Annotations[policyflags.Choices]; {
		case choices != nil:
			offers = cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp)
		case !slices.Contains(fileFlags, f.Name):
			return
		}
		if err := cmd.RegisterFlagCompletionFunc(f.Name, offers); err != nil {
			panic(err) // the flag has its completion already
		}
	})
	for _, sub := range cmd.Commands() {
		complete(sub)
	}
}

// newGroup returns a command that lists the commands below it.
func newGroup(name string, below ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: name, Args: noArguments, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(below...)
	return cmd
}

// noArguments is cobra.NoArgs, with a text that says what to do.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if cmd.HasSubCommands() {
		return unknownCommand(cmd, args[0])
	}
	return fmt.Errorf("%s takes no arguments, got %q", cmd.CommandPath(), args[0])
}

// wantedValues describe the values of flags whose type is not text.
var wantedValues = map[string]string{"int": "a whole number", "uint64": "a whole number, 0 or more", "float64": "a number", "duration": "a time such as 30s or 5m", "bool": "true or false"}

// wholeIndex holds the advice for a command line with several indexes. The keys are the
// flags that add an option to the only index.
var wholeIndex = map[string]string{
	"expire-after": "; write each index whole, such as --index '{key: {createdAt: 1}, expireAfterSeconds: 3600}'",
	"partial":      "; write each index whole, such as --index '{key: {createdAt: 1}, expireAfterSeconds: 3600, partialFilterExpression: {…}}'",
}

// suggestFlag adds the probably intended flag to the error about an unknown one, and
// describes the values that a flag takes.
func suggestFlag(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) && errors.Is(err, errTwice) {
		return fmt.Errorf("--%s is %w%s", invalid.GetFlag().Name, errTwice, wholeIndex[invalid.GetFlag().Name])
	}
	if errors.As(err, &invalid) && wantedValues[invalid.GetFlag().Value.Type()] != "" {
		return fmt.Errorf("--%s %s: want %s", invalid.GetFlag().Name, invalid.GetValue(), wantedValues[invalid.GetFlag().Value.Type()])
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || len(unknown.GetSpecifiedName()) < 2 {
		return err
	}
	best, least := "", 3 // a name with more than two wrong letters is another word
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if d := spelling.Distance(unknown.GetSpecifiedName(), f.Name); d < least {
			best, least = f.Name, d
		}
	})
	if best == "" {
		return err
	}
	return fmt.Errorf("%w; did you mean --%s?", err, best)
}

func unknownCommand(cmd *cobra.Command, name string) error {
	cmd.SuggestionsMinimumDistance = 2
	near := cmd.SuggestionsFor(name)
	if len(near) == 0 {
		return fmt.Errorf("no command %q", name)
	}
	return fmt.Errorf("no command %q; did you mean %q?", name, near[0])
}

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
}

const libraryPath = "github.com/ttlpolicy/ttlpolicy"

// buildVersion returns the versions that the Go tool stamped into the program.
// A build in the checkout has no version except that of the commit.
var buildVersion = sync.OnceValue(func() versions {
	v := versions{"unknown", "unknown", "unknown", "an unknown platform"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	v.tool, v.golang, v.how = cmp.Or(info.Main.Version, v.tool), info.GoVersion, howBuilt(info.Settings)
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
