package mongoquery

import (
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/pushdown"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// maxTime is the maximum time of a command on the server, one day, in milliseconds.
const maxTime = 24 * 60 * 60 * 1000

// reading returns the options of a command that reads documents. The read concern is
// local, because the default on secondaries may count documents that have moved to
// another shard.
func reading() policy.D {
	return policy.D{{Key: "readConcern", Value: object("level", policy.StringValue("local"))}, {Key: "maxTimeMS", Value: policy.Int32Value(maxTime)}}
}

// noLiteral replaces a command that cannot be written in the shell.
const noLiteral = "// a value of this command has no literal in the shell; --format json has it as drivers send it"

// planOf returns a plan of one command: as a line of mongosh, and in the form of drivers.
func planOf(p *reasons.Policy, now policy.Instant, title, database, collection string, command policy.D) (plan pushdown.Plan, err error) {
	if database == "" || collection == "" {
		return plan, cli.Usagef("commands name a collection; add --namespace, such as --namespace shop.logs")
	}
	script, ok := scriptOf(database, collection, command)
	if !ok {
		script = noLiteral
	}
	sent := append(command[:len(command):len(command)],
		policy.E{Key: "$db", Value: policy.StringValue(database)},
		policy.E{Key: "$readPreference", Value: object("mode", policy.StringValue("secondaryPreferred"))})
	statement := pushdown.Statement{Title: title, Script: script, Command: policy.AppendExtJSON(nil, policy.ObjectValue(sent))}
	return pushdown.Plan{Policy: p.Description, Now: cli.TimeOf(now), Comment: "//", Notes: append([]string{}, p.Notes...), Statements: []pushdown.Statement{statement}}, nil
}

// scriptOf returns a command as a line of mongosh. The result is false if a value has no
// literal in the shell.
func scriptOf(database, collection string, command policy.D) (string, bool) {
	fields, complete := policy.ObjectValue(command), true
	literal := func(v policy.Value) string {
		text, ok := mongosh.Literal(v)
		complete = complete && ok
		return text
	}
	on, isUTF8 := mongosh.Collection(database, collection)
	complete = complete && isUTF8
	if filter := fields.Field("filter"); !filter.IsMissing() {
		text := on + ".find(" + literal(filter) + ")"
		if c := fields.Field("collation"); !c.IsMissing() {
			text += ".collation(" + literal(c) + ")"
		}
		return text, complete
	}
	var stages []string
	for e := fields.Field("pipeline").Elements(); e.Next(); {
		stages = append(stages, "  "+literal(e.Value()))
	}
	var options policy.D
	for _, e := range command {
		if e.Key == "readConcern" || e.Key == "maxTimeMS" || e.Key == "hint" {
			options = append(options, e)
		}
	}
	return fmt.Sprintf("print(EJSON.stringify(%s.aggregate([\n%s\n], %s).toArray(), {relaxed: false}))", on, strings.Join(stages, ",\n"), literal(policy.ObjectValue(options))), complete
}
