package aggregation

import (
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/pushdown"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Command is a read-only command in the form that a driver sends. Drivers add the
// database, the read preference and the session.
type Command struct {
	Title string
	policy.D
	// Find is a find command with the filter of [Count.Quick]; nil in other commands. Its
	// explain output shows whether the server reads only the index.
	Find policy.D
}

// maxTime is the maximum time of a command on the server, one day, in milliseconds.
const maxTime = 24 * 60 * 60 * 1000

// aggregate returns the command that runs a pipeline.
func (c *Count) aggregate(title string, pipeline policy.A) Command {
	d := policy.D{{Key: "aggregate", Value: policy.StringValue(c.Collection)}, {Key: "pipeline", Value: policy.ListValue(pipeline)}, {Key: "cursor", Value: object()}}
	return Command{Title: title, D: append(d, c.reading()...)}
}

// reading returns the options of a command that reads documents. The read concern is
// local, because the default on secondaries may count documents that have moved to
// another shard.
func (c *Count) reading() policy.D {
	d := policy.D{{Key: "readConcern", Value: object("level", "local")}, {Key: "maxTimeMS", Value: policy.Int32Value(maxTime)}}
	if !c.collation.IsMissing() {
		d = append(d, policy.E{Key: "collation", Value: c.collation})
	}
	return d
}

// Plan returns the statements to send to a server.
func (c *Count) Plan() (pushdown.Plan, error) {
	commands := c.Commands()
	if quick, ok := c.Quick(); ok {
		commands = append([]Command{quick}, commands...)
	}
	return c.plan(commands, c.Notes())
}

// plan returns each command in the syntax of the shell and in the form of drivers.
func (c *Count) plan(commands []Command, notes []string) (pushdown.Plan, error) {
	if c.Database == "" || c.Collection == "" {
		return pushdown.Plan{}, cli.Usagef("commands name a collection; add --namespace, such as --namespace shop.logs")
	}
	plan := pushdown.Plan{Policy: c.policy.Description, Now: cli.TimeOf(c.options.Now), Comment: "//", Notes: append(notes, c.policy.Notes...)}
	for _, command := range commands {
		script, ok := c.script(command)
		if !ok {
			script = "// " + noLiteral
		}
		sent := append(command.D[:len(command.D):len(command.D)],
			policy.E{Key: "$db", Value: policy.StringValue(c.Database)},
			policy.E{Key: "$readPreference", Value: object("mode", "secondaryPreferred")})
		plan.Statements = append(plan.Statements, pushdown.Statement{Title: command.Title, Script: script, Command: policy.AppendExtJSON(nil, policy.ObjectValue(sent))})
	}
	return plan, nil
}

// noLiteral replaces a command that cannot be written in the shell.
const noLiteral = "a value of this command has no literal in the shell; --format json has it as drivers send it"

// script returns a command as a line of mongosh that prints its answer. The result is
// false if a value has no literal in the shell.
func (c *Count) script(command Command) (string, bool) {
	var options policy.D
	var argument policy.Value
	method := command.D[0].Key
	for _, e := range command.D[1:] {
		switch e.Key {
		case "pipeline", "filter":
			argument = e.Value
		case "cursor":
		default:
			options = append(options, e)
		}
	}
	database, okDatabase := mongosh.Literal(policy.StringValue(c.Database))
	name, okName := mongosh.Literal(policy.StringValue(c.Collection))
	on := fmt.Sprintf("db.getSiblingDB(%s).getCollection(%s)", database, name)
	text, okText := stagesOf(argument)
	if method == "find" {
		collated, ok := collating(options)
		return on + ".find(" + text + ")" + collated, okDatabase && okName && okText && ok
	}
	opts, okOptions := mongosh.Literal(policy.ObjectValue(options))
	return fmt.Sprintf("print(EJSON.stringify(%s.aggregate(%s, %s).toArray(), {relaxed: false}))", on, text, opts), okDatabase && okName && okText && okOptions
}

// collating returns the call that sets a find's collation, if the options have one.
func collating(options policy.D) (string, bool) {
	c := policy.ObjectValue(options).Field("collation")
	if c.IsMissing() {
		return "", true
	}
	text, ok := mongosh.Literal(c)
	return ".collation(" + text + ")", ok
}

// stagesOf returns the literal of a filter, or of a pipeline with a line for each stage.
func stagesOf(v policy.Value) (string, bool) {
	if v.Kind() != policy.List {
		return mongosh.Literal(v)
	}
	var lines []string
	for e := v.Elements(); e.Next(); {
		line, ok := mongosh.Literal(e.Value())
		if !ok {
			return "", false
		}
		lines = append(lines, "  "+line)
	}
	return "[\n" + strings.Join(lines, ",\n") + "\n]", true
}
