package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/spelling"
)

// newRootCommand returns the whole tool. It writes to the streams that are set
// on it, so that a test can run it in process.
func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "ttl",
		Short: "Say what a TTL policy does to documents, before it does it",
		Long: `ttl answers for MongoDB and Azure Cosmos DB: given this TTL policy, this document
and this instant, has it expired, when does it, and by which rule?

ttl reads files, and servers whose address is given. It changes neither; only
'ttl conform run --mongodb-uri' writes, in a database that it makes for its tests.`,
		Example: examples(
			"what happens to a dump once its TTL indexes are at work", "ttl forecast dump/shop/logs.bson",
			"why one document expires, or does not", `ttl explain --index '{"createdAt":1}' --expire-after 30d '{"createdAt":{"$date":"2026-11-01T00:00:00Z"}}'`,
			"what is wrong with the TTL indexes of a dump", "ttl audit dump/shop",
			"the rules and where they are established", "ttl rules",
		),
		Version:       versionText(),
		Args:          noArguments,
		SilenceErrors: true, // run prints them
		SilenceUsage:  true,

		SuggestionsMinimumDistance: 2,
		RunE:                       func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.AddCommand(newForecastCommand(), newExplainCommand(), newAuditCommand(), newPlanCommand(), newMigrateCommand(), newRulesCommand(), newDocsCommand(), newAdapterCommand(), newConformCommand(), newVersionCommand())
	root.SetFlagErrorFunc(suggestFlag)
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	root.SetVersionTemplate("{{.Version}}")
	root.SetHelpTemplate(helpWithCodes(cli.ExitHelp()))
	root.SetHelpFunc(quietly(root.HelpFunc()))
	return root
}

// quietly returns help that leaves it to run to say that it cannot be written.
func quietly(help func(*cobra.Command, []string)) func(*cobra.Command, []string) {
	return func(cmd *cobra.Command, args []string) {
		var text bytes.Buffer
		out := cmd.OutOrStdout()
		cmd.SetOut(&text)
		help(cmd, args)
		cmd.SetOut(out)
		cli.NewPrinter(out).Lines(text.String(), 0)
	}
}

// helpWithCodes returns the template of a command's help, with exit codes.
func helpWithCodes(codes string) string {
	return new(cobra.Command).HelpTemplate() + "\nExit codes:\n" + codes
}

// examples lays out pairs of a comment and a command.
func examples(pairs ...string) string {
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		fmt.Fprintf(&b, "  # %s\n  %s\n", pairs[i], pairs[i+1])
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// noArguments is cobra.NoArgs, with a text that says what to do.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !cmd.HasParent() {
		return unknownCommand(cmd, args[0])
	}
	return fmt.Errorf("%s takes no arguments, got %q", cmd.CommandPath(), args[0])
}

// suggestFlag adds to the error about a flag that does not exist the one that may be
// meant.
func suggestFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || len(unknown.GetSpecifiedName()) < 2 {
		return err
	}
	best, least := "", 3 // more than two letters amiss is another word
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

func unknownCommand(root *cobra.Command, name string) error {
	near := root.SuggestionsFor(name)
	if len(near) == 0 {
		return fmt.Errorf("no command %q", name)
	}
	return fmt.Errorf("no command %q; did you mean %q?", name, near[0])
}
