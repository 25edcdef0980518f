package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
)

//go:embed help.txt
var helpFile string

// helpSections are the sections of help.txt about each command and its exit codes, by their
// headings.
var helpSections = func() map[string]string {
	sections := map[string]string{}
	for _, s := range strings.Split("\n"+helpFile, "\n== ")[1:] {
		heading, text, _ := strings.Cut(s, "\n")
		sections[heading] = strings.Trim(text, "\n")
	}
	return sections
}()

func init() { cobra.EnableCommandSorting = false } // help.txt and help list the most used commands first

// describe sets the texts of a command, and of those below it, from help.txt: a
// line, then paragraphs, then examples.
func describe(cmd *cobra.Command) {
	text, example, _ := strings.Cut(helpSections[cmd.CommandPath()], "\n\n  # ")
	cmd.Short, cmd.Long, _ = strings.Cut(text, "\n\n")
	cmd.Example = "  # " + example
	for _, sub := range cmd.Commands() {
		describe(sub)
	}
}

// exitCodes returns the exit codes of a command, or those of the nearest command above it
// that has exit codes of its own.
func exitCodes(cmd *cobra.Command) string {
	for ; ; cmd = cmd.Parent() {
		if text, ok := helpSections["exit codes of "+cmd.CommandPath()]; ok {
			return text
		}
	}
}

// writeHelp writes the help of a command as wide as the terminal. Examples and other
// indented text keep their lines, to be copied.
func writeHelp(cmd *cobra.Command, _ []string) {
	p := cli.NewPrinter(cmd.OutOrStdout())
	p.Width = min(max(p.Width, 40), 100)
	for text := range strings.SplitSeq(cmp.Or(cmd.Long, cmd.Short), "\n\n") {
		if strings.HasPrefix(text, "\t") {
			p.Lines(strings.TrimSpace(text), 4)
		} else {
			p.Wrap(strings.ReplaceAll(text, "\n", " "), 0)
		}
		p.Line("")
	}
	p.Line("Usage:\n  %s", cmd.UseLine())
	if cmd.HasAvailableSubCommands() {
		p.Line("  %s [command]", cmd.CommandPath())
	}
	if cmd.HasExample() {
		p.Line("\nExamples:")
		p.Lines(cmd.Example, 0)
	}
	writeCommands(p, cmd)
	p.Line("\nFlags:")
	p.Lines(cmd.LocalFlags().FlagUsagesWrapped(p.Width), 0)
	p.Line("\nExit codes:")
	for line := range strings.SplitSeq(exitCodes(cmd), "\n") {
		p.Hang(line[:codeWide], line[codeWide:])
	}
}

// codeWide is the width of an exit code in help.txt, in columns.
const codeWide = len("  130  ")

// writeCommands lists the commands below a command.
func writeCommands(p *cli.Printer, cmd *cobra.Command) {
	if !cmd.HasAvailableSubCommands() {
		return
	}
	p.Line("\nCommands, each with its own --help:")
	for _, sub := range cmd.Commands() {
		if sub.Name() == firstOfOthers && cmd.Root() == cmd {
			p.Line("\nThe rules, the suite for implementations, and the tool:")
		}
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			p.Hang(fmt.Sprintf("  %-*s  ", sub.NamePadding(), sub.Name()), sub.Short)
		}
	}
}

// firstOfOthers is the first command in the list that is not about a database.
const firstOfOthers = "rules"
