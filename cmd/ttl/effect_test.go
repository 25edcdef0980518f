package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
)

// An effect describes when a flag has an effect. without is a command line on which the
// flag has no effect, and says is a part of the error of that line. For a flag that has
// an effect on every command line, always says why.
type effect struct {
	without []string
	says    string
	always  string
}

// always returns the entry for a flag that has an effect on every command line.
func always(why string) effect { return effect{always: why} }

// without returns the entry for a flag that has no effect on the command line args.
func without(says string, args ...string) effect { return effect{without: args, says: says} }

const (
	logs      = samples + "shop/logs.bson"
	items     = samples + "cosmos/items.jsonl"
	container = samples + "cosmos/container.json"
)

// policyEffects are the effects of the flags that name a policy, on a command
// line that ends with its input.
func policyEffects(line ...string) map[string]effect {
	with := func(says string, args ...string) effect {
		return without(says, slices.Concat(line[:1], args, line[1:])...)
	}
	return map[string]effect{
		"index":            with("both name indexes", "--index", `{"a":1}`, "--metadata", samples+"shop/logs.metadata.json"),
		"expire-after":     with("--expire-after 7d has no effect without an --index that is a key", "--expire-after", "7d"),
		"partial":          with("--partial has no effect", "--partial", `{"a":1}`),
		"metadata":         with("--container is for", "--metadata", samples+"shop/logs.metadata.json", "--container", "{}"),
		"namespace":        with("--namespace is for MongoDB", "--namespace", "a.b", "--container", "{}"),
		"container":        with("--container is for", "--container", "{}", "--index", `{"a":1}`),
		"cosmos-mongo":     with("--container is for", "--cosmos-mongo", "--container", "{}"),
		"capability":       with("--capability goes with --cosmos-mongo", "--capability", "EnableTtlOnCustomPath", "--index", `{"a":1}`, "--expire-after", "1"),
		"server":           with("--container is for", "--server", "8.0", "--container", "{}"),
		"server-parameter": with("--server-parameter is for MongoDB", "--server-parameter", "internalQueryLegacyDottedPathNullSemantics=true", "--container", "{}"),
		"now":              always("every answer is about an instant"),
	}
}

// selection are the effects of the flags that select collections.
func selection(line ...string) map[string]effect {
	return map[string]effect{
		"ns":         without("--ns shop.log matches no collection; there is shop.logs", slices.Concat(line, []string{"--ns", "shop.log"})...),
		"exclude-ns": without("--exclude-ns shop.log matches no collection", slices.Concat(line, []string{"--exclude-ns", "shop.log"})...),
	}
}

// effects are the effects of every flag of a command.
var effects = map[string]map[string]effect{
	"ttl forecast": merged(policyEffects("forecast", logs), map[string]effect{
		"namespace":           always("it is the title"),
		"what-if":             without("no TTL index here counts from a date", "forecast", logs, "--index", `{"createdAt":1}`, "--expire-after", "0", "--what-if", "7d"),
		"all":                 without("--all has no effect with --format json", "forecast", logs, "--all", "--format", "prometheus"),
		"bucket":              without("--bucket has no effect with --format prometheus", "forecast", logs, "--bucket", "1d", "--format", "prometheus"),
		"from":                without("--from has no effect without --until", "forecast", logs, "--from", "2026-11-20"),
		"until":               without("--until has no effect with --format part", "forecast", logs, "--until", "2027-01-01", "--format", "part"),
		"delete-rate":         without("--delete-rate has no effect with --format prometheus", "forecast", logs, "--delete-rate", "5", "--format", "prometheus"),
		"max-docs-per-second": without("without the address of a running server", "forecast", logs, "--max-docs-per-second", "5"),
		"max-ru":              without("without the address of an account of Azure Cosmos DB", "forecast", logs, "--max-ru", "5"),
		"sample":              without("without the address of a running server", "forecast", logs, "--sample", "5"),
		"pushdown":            without("--pushdown lets a database count", "forecast", logs, "--pushdown", "mongo"),
		"find":                without("--find has no effect without --pushdown", "forecast", logs, "--find"),
		"list":                always("there is an output"),
		"save-expired":        always("documents may have expired"),
		"by":                  without("--by has no effect beside --list", "forecast", logs, "--by", "level", "--list"),
		"no-ids":              without("--no-ids has no effect on --save-expired", "forecast", logs, "--no-ids", "--save-expired", "x"),
		"fail-if":             always("there are counts"),
		"check":               without("--check has no effect on", "forecast", items, "--container", container, "--check"),
		"format":              always("there is an output"),
		"input":               always("there is an input"),
		"quiet":               always("no progress is shown"),
		"skip-bad":            always("a document may be damaged"),
		"name":                without("--name has no effect unless standard input alone is read", "forecast", logs, "--name", "x"),
	}, selection("forecast", logs)),
	"ttl forecast merge": {
		"format":      always("there is an output"),
		"expect":      without("--expect has no effect with --format part", "forecast", "merge", "--format", "part", "--expect", "x", "y"),
		"all":         without("--all has no effect with --format part", "forecast", "merge", "--format", "part", "--all", "y"),
		"delete-rate": without("--delete-rate has no effect with --format prometheus", "forecast", "merge", "--format", "prometheus", "--delete-rate", "5", "y"),
		"fail-if":     without("--fail-if has no effect with --format part", "forecast", "merge", "--format", "part", "--fail-if", "bad>0", "y"),
	},
	"ttl explain": merged(policyEffects("explain", "{}"), map[string]effect{
		"no-ids": always("an error may repeat the document"),
		"why":    without("--why has no effect without --format text", "explain", "--why", "--format", "json", "--index", `{"a":1}`, "--expire-after", "1", "{}"),
		"id":     without("--id has no effect without a dump", "explain", "--id", "5", "--index", `{"a":1}`, "--expire-after", "1", "{}"),
		"format": always("there is an output"),
	}),
	"ttl audit": merged(selection("audit", logs), map[string]effect{
		"all":                 without("--all has no effect without --format text", "audit", logs, "--all", "--format", "json"),
		"fail-on":             always("there may be findings"),
		"max-docs-per-second": without("without the address of a running server", "audit", logs, "--max-docs-per-second", "5"),
		"max-ru":              without("without the address of an account of Azure Cosmos DB", "audit", logs, "--max-ru", "5"),
		"ignore":              without("--ignore: no rule", "audit", logs, "--ignore", "mongo.nothing"),
		"by":                  without("--by has no effect without --moving-to", "audit", logs, "--by", "restore"),
		"candidates":          without("--candidates has no effect where no documents", "audit", "--metadata-only", logs, "--candidates"),
		"documents":           without("but the input has 2", "audit", samples+"shop", "--documents", logs),
		"capability":          without("--capability has no effect on what is no collection", "audit", container, "--capability", "EnableTtlOnCustomPath"),
		"expire-after":        without("--expire-after has no effect on Azure Cosmos DB", "audit", container, "--expire-after", "1d"),
		"format":              always("there is an output"),
		"input":               without("--input has no effect where no documents", "audit", "--metadata-only", logs, "--input", "bson"),
		"metadata-only":       without("--metadata-only has no effect beside --documents", "audit", container, "--documents", items, "--metadata-only"),
		"moving-to":           without("--moving-to has no effect on Azure Cosmos DB", "audit", container, "--moving-to", "8.0"),
		"namespace":           without("but the input has 2", "audit", samples+"shop", "--namespace", "a.b"),
		"now":                 always("a date may be ahead"),
		"quiet":               always("no progress is shown"),
		"server":              without("--server has no effect on containers", "audit", container, "--server", "8.0"),
		"server-parameter":    without("--server-parameter has no effect on Azure Cosmos DB", "audit", container, "--server-parameter", "internalQueryLegacyDottedPathNullSemantics=true"),
		"no-ids":              without("--no-ids has no effect where no documents", "audit", "--metadata-only", logs, "--no-ids"),
		"skip-bad":            without("--skip-bad has no effect where no documents", "audit", "--metadata-only", logs, "--skip-bad"),
	}),
	"ttl plan": merged(selection("plan", examplePolicy, logs), map[string]effect{
		"documents":           without("are about one collection", "plan", examplePolicy, samples+"shop", "--documents", logs),
		"max-deletes-per-day": without("--max-deletes-per-day has no effect beside --metadata-only", "plan", examplePolicy, logs, "--metadata-only", "--max-deletes-per-day", "5"),
		"max-docs-per-second": without("without the address of a running server", "plan", examplePolicy, logs, "--max-docs-per-second", "5"),
		"max-ru":              without("without the address of an account of Azure Cosmos DB", "plan", examplePolicy, logs, "--max-ru", "5"),
		"format":              without("--format has no effect without", "plan", examplePolicy, "--format", "json"),
		"input":               without("--input has no effect where no documents", "plan", examplePolicy, logs, "--metadata-only", "--input", "bson"),
		"metadata-only":       without("--metadata-only has no effect without", "plan", examplePolicy, "--metadata-only"),
		"namespace":           without("are about one collection", "plan", examplePolicy, samples+"shop", "--namespace", "a.b"),
		"now":                 without("--now has no effect without", "plan", examplePolicy, "--now", "2026-11-20"),
		"quiet":               always("no progress is shown"),
		"capability":          without("--capability has no effect on what is no collection", "plan", examplePolicy, container, "--capability", "EnableTtlOnCustomPath"),
		"server":              without("--server has no effect on containers", "plan", examplePolicy, container, "--server", "8.0"),
		"server-parameter":    without("--server-parameter has no effect on Azure Cosmos DB", "plan", examplePolicy, container, "--server-parameter", "internalQueryLegacyDottedPathNullSemantics=true"),
		"no-ids":              without("--no-ids has no effect where no documents", "plan", examplePolicy, logs, "--metadata-only", "--no-ids"),
		"skip-bad":            without("--skip-bad has no effect where no documents", "plan", examplePolicy, logs, "--metadata-only", "--skip-bad"),
	}),
	"ttl plan init": merged(selection("plan", "init", logs), map[string]effect{
		"namespace": without("are about one collection", "plan", "init", samples+"shop", "--namespace", "a.b"),
		"server":    always("a release lists indexes"),
		"quiet":     always("no note is shown"),
	}),
	"ttl migrate": merged(policyEffects("migrate", "--to", "cosmos-nosql", logs), map[string]effect{
		"namespace":    always("commands name the collection"),
		"id-from":      without("--id-from has no effect", "migrate", "--to", "cosmos-mongo", "--id-from", "x", logs),
		"dates":        without("--dates has no effect", "migrate", "--to", "cosmos-mongo", "--dates", "iso", logs),
		"out-folder":   without("--out-folder needs a dump", "migrate", "--to", "cosmos-nosql", "--index", `{"a":1}`, "--expire-after", "1", "--out-folder", "x"),
		"written-at":   without("--written-at has no effect", "migrate", "--to", "cosmos-mongo", "--written-at", "@2", logs),
		"keep":         without("--keep has no effect without --to mongodb", "migrate", "--to", "cosmos-nosql", "--keep", "id", logs),
		"replace":      without("--replace has no effect without --to mongodb", "migrate", "--to", "cosmos-nosql", "--replace", logs),
		"field":        without("--field has no effect without --to mongodb", "migrate", "--to", "cosmos-nosql", "--field", "x", logs),
		"drop-expired": without("--drop-expired has no effect without a FILE", "migrate", "--to", "cosmos-nosql", "--index", `{"a":1}`, "--expire-after", "5", "--drop-expired"),
		"force":        without("--force has no effect without --out", "migrate", "--to", "cosmos-nosql", "--force", logs),
		"format":       always("there is an output"),
		"input":        without("--input has no effect without a FILE", "migrate", "--to", "cosmos-nosql", "--index", `{"a":1}`, "--expire-after", "1", "--input", "bson"),
		"no-ids":       without("--no-ids has no effect without a FILE", "migrate", "--to", "cosmos-nosql", "--index", `{"a":1}`, "--expire-after", "1", "--no-ids"),
		"out":          without("--out needs a dump", "migrate", "--to", "cosmos-nosql", "--index", `{"a":1}`, "--expire-after", "1", "--out", "x"),
		"quiet":        always("no progress is shown"),
		"to":           always("it is needed"),
	}, selection("migrate", "--to", "cosmos-nosql", logs)),
	"ttl rules": {"format": always("there is an output")},
	"ttl conform run": merged(verdictEffects("run", "--", "true"), programEffects, map[string]effect{
		"known": always("its failures are looked for"), "id": always("it names what is asked"), "rule": always("it names what is asked"),
		"quiet": always("no progress is shown"), "mongodb-uri": always("a server is asked"),
		"server":        without("--server has no effect without --mongodb-uri", "conform", "run", "--server", "8.0.4", "--", "true"),
		"sweep-command": without("--sweep-command has no effect without --mongodb-uri", "conform", "run", "--sweep-command", "true", "--", "true"),
		"sweep-timeout": without("--sweep-timeout has no effect without --mongodb-uri", "conform", "run", "--sweep-timeout", "1m", "--", "true"),
		"cleanup":       without("--cleanup has no effect without --mongodb-uri", "conform", "run", "--cleanup", "x", "--", "true"),
		"timeout":       without("--timeout has no effect on a server", "conform", "run", "--timeout", "1s", "--mongodb-uri", "mongodb://127.0.0.1:1"),
		"hello-timeout": without("--hello-timeout has no effect on a server", "conform", "run", "--hello-timeout", "1s", "--mongodb-uri", "mongodb://127.0.0.1:1"),
		"one-shot":      without("--one-shot has no effect on a server", "conform", "run", "--one-shot", "--mongodb-uri", "mongodb://127.0.0.1:1"),
	}),
	"ttl conform diff": merged(programEffects, map[string]effect{
		"n": always("questions are made"), "seed": always("questions are made"), "op": always("questions are made"),
		"per-rule": always("every form shows disagreements"), "format": always("there is an output"), "mongodb-uri": always("a server is asked"),
		"server":        without("--server has no effect without --mongodb-uri", "conform", "diff", "--server", "8.0.4", "--", "self", "--", "self"),
		"sweep-command": without("--sweep-command has no effect without --mongodb-uri", "conform", "diff", "--sweep-command", "true", "--", "self", "--", "self"),
		"sweep-timeout": without("--sweep-timeout has no effect without --mongodb-uri", "conform", "diff", "--sweep-timeout", "1m", "--", "self", "--", "self"),
		"cleanup":       without("--cleanup has no effect without --mongodb-uri", "conform", "diff", "--cleanup", "x", "--", "self", "--", "self"),
		"quiet":         without("--quiet has no effect without --mongodb-uri", "conform", "diff", "--quiet", "--", "self", "--", "self"),
		"timeout":       without("--timeout has no effect on a server", "conform", "diff", "--timeout", "1s", "--mongodb-uri", "mongodb://127.0.0.1:1"),
		"hello-timeout": without("--hello-timeout has no effect on a server", "conform", "diff", "--hello-timeout", "1s", "--mongodb-uri", "mongodb://127.0.0.1:1"),
		"one-shot":      without("--one-shot has no effect on a server", "conform", "diff", "--one-shot", "--mongodb-uri", "mongodb://127.0.0.1:1"),
	}),
	"ttl conform rejudge": verdictEffects("rejudge", "results.json"),
	"ttl conform explain": listed,
	"ttl conform list":    merged(listed, map[string]effect{"flag": always("it selects"), "op": always("it selects"), "rule": always("it selects")}),
	"ttl conform copy":    {"target": always("answers are copied")},
	"ttl conform init":    {"folder": always("an adapter is written")},
	"ttl conform lint":    {"lock": always("there is a suite")},
}

var (
	listed         = map[string]effect{"format": always("there is an output"), "suite": always("vectors are read")}
	programEffects = map[string]effect{
		"hello-timeout": always("a program is asked"), "one-shot": always("a program is asked"), "timeout": always("a program is asked"),
	}
)

func verdictEffects(line ...string) map[string]effect {
	args := slices.Concat([]string{"conform", line[0], "--all", "--format", "json"}, line[1:])
	return merged(listed, map[string]effect{
		"all":     without("--all has no effect without --format text", args...),
		"report":  always("there is a result"),
		"results": always("there is a result"),
	})
}

func merged(parts ...map[string]effect) map[string]effect {
	all := map[string]effect{}
	for _, p := range parts {
		maps.Copy(all, p)
	}
	return all
}

// TestFlagsWithoutEffect: a flag without effect is an error. Every flag of every
// command is in the table, so that a new one must say when it has an effect.
func TestFlagsWithoutEffect(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, cmd := range newRootCommand().Commands() {
		checkEffectsOf(t, cmd, seen)
	}
	for command, flags := range effects {
		for flag := range flags {
			if !seen[command+" --"+flag] {
				t.Errorf("%s has no --%s", command, flag)
			}
		}
	}
}

// TestFlagsAboutMentions: no flag changes what is said about a place that only mentions a time
// to live.
func TestFlagsAboutMentions(t *testing.T) {
	t.Parallel()
	program, indexes := filepath.Join(t.TempDir(), "app.py"), filepath.Join(t.TempDir(), "indexes.json")
	writeFile(t, program, []byte("ttl = cfg.expire_after_seconds\n"))
	writeFile(t, indexes, []byte(`[{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":60}]`))
	for _, tt := range []struct {
		args []string
		want cli.ExitCode
		says string
	}{
		{[]string{program}, cli.ExitFindings, ""},
		{[]string{program, "--server", "7.0"}, cli.ExitUsage, "--server has no effect where no policy is read"},
		{[]string{program, "--moving-to", "8.0"}, cli.ExitUsage, "--moving-to has no effect where no policy is read"},
		{[]string{program, container, "--server", "7.0"}, cli.ExitUsage, "--server has no effect on containers"},
		{[]string{program, indexes, "--server", "7.0"}, cli.ExitFindings, ""},
	} {
		if r := ttl(t, "", append([]string{"audit"}, tt.args...)...); r.code != tt.want || !strings.Contains(r.err, tt.says) {
			t.Errorf("ttl audit %q: exit %d, %q; want %d and %q", tt.args, r.code, r.err, tt.want, tt.says)
		}
	}
}

func checkEffectsOf(t *testing.T, cmd *cobra.Command, seen map[string]bool) {
	for _, sub := range cmd.Commands() {
		checkEffectsOf(t, sub, seen)
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		name := fmt.Sprintf("%s --%s", cmd.CommandPath(), f.Name)
		seen[name] = true
		e, ok := effects[cmd.CommandPath()][f.Name]
		switch {
		case !ok:
			t.Errorf("%s: say in the table when it has an effect", name)
		case e.always == "":
			if r := ttl(t, "", e.without...); r.code != usageCode(cmd) || r.out != "" || !strings.Contains(r.err, e.says) {
				t.Errorf("%s: ttl %q: exit %d, %q; want %d and %q", name, e.without, r.code, r.err, usageCode(cmd), e.says)
			}
		}
	})
}

// usageCode is the exit code of a wrong command line of cmd.
func usageCode(cmd *cobra.Command) cli.ExitCode {
	if cmd.Annotations[ownExitCodes] != "" {
		return cli.ExitInput
	}
	return cli.ExitUsage
}
