package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/output"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/namespace"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
	"github.com/ttlpolicy/ttlpolicy/internal/base/spelling"
)

// addCheck makes cmd call check before it runs, after the checks that were
// added before.
func addCheck(cmd *cobra.Command, check func() error) {
	before := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		if before != nil {
			if err := before(cmd, args); err != nil {
				return err
			}
		}
		return check()
	}
}

// checkNotEmpty refuses a flag with an empty text, which may come from an empty variable
// of a script: it would have no effect.
func checkNotEmpty(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		list, gathers := f.Value.(pflag.SliceValue)
		isEmpty := f.Value.Type() == "string" && f.Value.String() == "" || gathers && (len(list.GetSlice()) == 0 || slices.Contains(list.GetSlice(), ""))
		if isEmpty && err == nil {
			err = cli.Usagef("--%s: the value is empty", f.Name)
		}
	})
	return err
}

// addNeed makes cmd refuse flags that have no effect. The parameter flags holds their
// names, separated by spaces. A flag on the command line is refused if has() is false.
// need says in the error when the flags have no effect.
func addNeed(cmd *cobra.Command, flags string, has func() bool, need string) {
	addCheck(cmd, func() error {
		for flag := range strings.FieldsSeq(flags) {
			if cmd.Flags().Changed(flag) && !has() {
				return cli.Usagef("--%s has no effect %s", flag, need)
			}
		}
		return nil
	})
}

// addFormat adds --format with the given choices. The first is the default.
func addFormat(cmd *cobra.Command, format *string, choices ...string) {
	cmd.Flags().StringVar(format, "format", choices[0], "form of the output: "+strings.Join(choices, ", "))
	addChoice(cmd, "format", format, choices...)
}

// addChoice restricts the values that may be given for a flag to these, and offers them to
// the shell.
func addChoice(cmd *cobra.Command, flag string, value *string, choices ...string) {
	policyflags.Complete(cmd, flag, choices...)
	addCheck(cmd, func() error {
		if !cmd.Flags().Changed(flag) || slices.Contains(choices, *value) {
			return nil
		}
		return cli.Usagef("--%s %s: want one of %s", flag, *value, strings.Join(choices, ", "))
	})
}

// show writes a value as JSON if that is the format, else a text for people.
func show(cmd *cobra.Command, format string, value any, text func(*cli.Printer) error) error {
	if format == "json" {
		return cli.WriteJSON(cmd.OutOrStdout(), value)
	}
	return text(cli.NewPrinter(cmd.OutOrStdout()))
}

// addFileCheck refuses addresses of systems that cmd does not read, and standard input that
// is named twice. Its errors quote no address, because addresses may hold passwords.
func addFileCheck(cmd *cobra.Command, readsServers bool) {
	addCheck(cmd, func() error {
		stdin := 0
		for _, arg := range cmd.Flags().Args() {
			if arg == dump.Stdin {
				stdin++
			}
			if stdin > 1 {
				return cli.Usagef(`"-" is standard input, which can be read only once`)
			}
			if err := checkServer(cmd, arg, readsServers); err != nil {
				return err
			}
			scheme, _, ok := strings.Cut(arg, "://")
			if !ok || readsServers && live.IsAddress(arg) {
				continue
			}
			if small := strings.ToLower(scheme); readsServers && small != scheme && live.IsAddress(small+"://") {
				return cli.Usagef("%s:// is written in small letters: %s://", scheme, small)
			}
			switch strings.ToLower(scheme) {
			case "mongodb", "mongodb+srv":
				return cli.Usagef("%s:// is a server, and this command reads files. Dump it first: mongodump --uri=… --out=dump, then: %s dump", scheme, cmd.CommandPath())
			case "s3", "gs", "az":
				return cli.Usagef("%s:// is an object store, and ttl reads files. Copy the object first, or pipe it into: %s -", scheme, cmd.CommandPath())
			case "http", "https", "ftp", "sftp", "file":
				return cli.Usagef("%s:// is an address, and ttl reads files. Fetch it first, or pipe it into: %s -", scheme, cmd.CommandPath())
			}
		}
		return nil
	})
}

// bareServer matches a host and port, which people write for the address of a
// server.
var bareServer = regexp.MustCompile(`^(localhost|\d+\.\d+\.\d+\.\d+|[\w-]+(\.[\w-]+)+):\d{1,5}(/[^@]*)?$|^localhost(/[^@]*)?$`)

// checkServer refuses an argument that is not a file and resembles the address of a
// server.
func checkServer(cmd *cobra.Command, arg string, readsServers bool) error {
	scheme, _, isAddress := strings.Cut(arg, "://")
	near := spelling.Nearest(scheme, []string{"mongodb", "mongodb+srv", "cosmos"})
	if isAddress && near != "" && !live.IsAddress(strings.ToLower(scheme)+"://") {
		return cli.Usagef("nothing is read from %s://; did you mean %s://?", cli.Clip(scheme, 40), near)
	}
	if _, err := os.Stat(arg); isAddress || err == nil || !bareServer.MatchString(arg) {
		return nil
	}
	if !readsServers {
		return cli.Usagef("there is no file %s, and this command reads no servers. Dump it first: mongodump --uri=mongodb://%s --out=dump, then: %s dump", arg, arg, cmd.CommandPath())
	}
	return cli.Usagef("there is no file %s; the address of a server begins with mongodb://, as in mongodb://%s", arg, arg)
}

// dumpFlags say how to read documents.
type dumpFlags struct {
	kind  dump.Kind
	quiet bool
}

// addNoIDs adds --no-ids. With it, the error of cmd repeats no part of a document.
func addNoIDs(cmd *cobra.Command, noIDs *bool) {
	cmd.Flags().BoolVar(noIDs, "no-ids", false, "show no identifiers of documents and no values in them, except dates that decide; names of fields are shown")
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		err := run(cmd, args)
		if *noIDs {
			err = dump.WithoutText(err)
		}
		return err
	}
}

// addSelection adds the flags that select collections.
func addSelection(cmd *cobra.Command, s *namespace.Selection) {
	set := cmd.Flags()
	set.StringArrayVar(&s.Include, "ns", nil, "only the collections of this pattern, such as 'shop.*', as for mongorestore's --nsInclude (repeatable)")
	set.StringArrayVar(&s.Exclude, "exclude-ns", nil, "leave out the collections of this pattern (repeatable)")
}

// add adds the flags. Their help texts name the input by the word what.
func (f *dumpFlags) add(cmd *cobra.Command, what string) {
	var kind string
	cmd.Flags().StringVar(&kind, "input", "auto", "kind of the "+what+": auto, bson, extjson, json")
	cmd.Flags().BoolVar(&f.quiet, "quiet", false, "show no progress")
	addCheck(cmd, func() (err error) {
		if f.kind, err = dump.ParseKind(kind); err != nil {
			return cli.Usagef("--input: %w", err)
		}
		return nil
	})
}

// watch begins a bar of the bytes, or of the documents, read from inputs, and sets read to
// the function that advances it. The bar is shown only on terminals. The caller calls
// Finish.
func (f *dumpFlags) watch(cmd *cobra.Command, inputs []*dump.Input, read *func(n int)) *progressbar.ProgressBar {
	size, isFeed := int64(0), len(inputs) > 0 && inputs[0].IsFeed
	for _, in := range inputs {
		if size += in.Size; in.Size < 0 {
			size = -1
			break
		}
	}
	w := cmd.ErrOrStderr()
	if f.quiet || len(inputs) == 0 || !cli.IsTerminal(w) {
		w = io.Discard
	} else if isFeed {
		size = inputs[0].Count()
	}
	unit := progressbar.OptionShowBytes(true)
	if isFeed {
		unit = progressbar.OptionShowCount()
	}
	bar := newBar(w, size, "reading", unit)
	*read = func(n int) { bar.Add(n) }
	return bar
}

// newBar returns a progress bar for the given number of units.
func newBar(w io.Writer, of int64, doing string, unit progressbar.Option) *progressbar.ProgressBar {
	return progressbar.NewOptions64(of,
		progressbar.OptionSetWriter(w),
		unit,
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetWidth(30),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetSpinnerChangeInterval(0), // else a goroutine of the bar would read a field that Add writes
		progressbar.OptionSetDescription(doing),
	)
}

// someArguments refuses a command line without arguments, with the given error.
func someArguments(otherwise string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cli.Usagef("%s", otherwise)
		}
		return nil
	}
}

// oneAtMost is cobra.MaximumNArgs(1) with an error that says which argument is
// allowed.
func oneAtMost(what string) cobra.PositionalArgs { return takes(0, "one argument at most, "+what) }

// oneArgument is cobra.ExactArgs(1) with an error that names the missing argument.
func oneArgument(what string) cobra.PositionalArgs { return takes(1, "one argument, "+what) }

// takes refuses fewer arguments than least, and more than one.
func takes(least int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if least <= len(args) && len(args) <= 1 {
			return nil
		}
		return cli.Usagef("%s takes %s; got %d", cmd.CommandPath(), what, len(args))
	}
}

// createOutput begins to write the file of a flag. Without force it refuses to replace
// an existing file; advice says what to do then.
func createOutput(flag, path string, force bool, advice string) (*output.File, error) {
	file, err := output.Create(path, output.Options{Force: force})
	if errors.Is(err, output.ErrExists) {
		return nil, cli.Usagef("--%s %w; %s", flag, err, advice)
	}
	return file, outputError(flag, err)
}

// outputError returns the error of writing the file of a flag. If the file must not be
// written, it is an error of the command line.
func outputError(flag string, err error) error {
	switch {
	case errors.Is(err, output.ErrNotRegular), errors.Is(err, output.ErrInput):
		return cli.Usagef("--%s %w", flag, err)
	case err != nil:
		return fmt.Errorf("--%s: %w", flag, err)
	}
	return nil
}
