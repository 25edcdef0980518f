package conform

import (
	"fmt"
	"io"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// newInputs are the inputs that a new vector of an operation begins with.
var newInputs = map[string]string{
	"mongodb.decide": `{
    "now": {"$date": {"$numberLong": "1700003600000"}},
    "indexes": [{"key": {"t": 1}, "name": "t_1", "expireAfterSeconds": 3600}],
    "document": {"t": {"$date": {"$numberLong": "1700000000000"}}}
   }`,
	"mongodb.createIndexes":     `{"now": {"$date": {"$numberLong": "1700003600000"}}, "index": {"key": {"t": 1}, "name": "t_1", "expireAfterSeconds": 3600}}`,
	"mongodb.collMod":           `{"now": {"$date": {"$numberLong": "1700003600000"}}, "existing": [{"key": {"t": 1}, "name": "t_1", "expireAfterSeconds": 3600}], "command": {"index": {"name": "t_1", "expireAfterSeconds": 60}}}`,
	"mongodb.create":            `{"now": {"$date": {"$numberLong": "1700003600000"}}, "command": {"timeseries": {"timeField": "t"}, "expireAfterSeconds": 3600}}`,
	"cosmos.decide":             `{"now": {"$date": {"$numberLong": "1700003600000"}}, "container": {"defaultTtl": 3600}, "item": {"_ts": 1700000000}}`,
	"cosmos.validateContainer":  `{"container": {"defaultTtl": 3600}}`,
	"cosmos.validateItem":       `{"container": {"defaultTtl": -1}, "item": {"ttl": 60}}`,
	"cosmosmongo.decide":        `{"now": {"$date": {"$numberLong": "1700003600000"}}, "indexes": [{"key": {"_ts": 1}, "expireAfterSeconds": 3600}], "document": {}, "_ts": 1700000000}`,
	"cosmosmongo.createIndexes": `{"index": {"key": {"_ts": 1}, "expireAfterSeconds": 3600}}`,
}

// OperationFor returns the operation that decides by a rule of that identifier.
func OperationFor(rule string) string {
	switch {
	case strings.HasPrefix(rule, "cosmos.mongo-"):
		return "cosmosmongo.decide"
	case strings.HasPrefix(rule, "cosmos."):
		return "cosmos.decide"
	}
	return "mongodb.decide"
}

// WriteNewVector writes the frame of a new vector. What is wanted is left to be
// typed, from a source and before anybody has asked an implementation.
func WriteNewVector(w io.Writer, id, rule, op string) error {
	in, ok := newInputs[op]
	if !ok {
		return fmt.Errorf("no operation %q", op)
	}
	system := conformance.SystemOf(op)
	scope := `"versions": ">=2.2.0", `
	if system != conformance.MongoDB {
		scope = `"asOf": "DATE OF THE PAGE", `
	}
	p := cli.NewJSON(w)
	p.Lines(fmt.Sprintf(`  {
   "id": %s, "rev": 1,
   "title": "WHAT THE VECTOR SHOWS",
   "rules": [%s], "op": %s,
   "flags": ["Basic"],
   "in": %s,
   "want": [
    {"system": %s, %s"level": "must", "evidence": "documented",
     %s,
     "cites": ["KEY OF sources.json#PLACE"]}
   ]
  }`, cli.JSONText(id), cli.JSONText(rule), cli.JSONText(op), in, cli.JSONText(system), scope, newAnswer(op)), 0)
	return p.Err()
}

// newAnswer is the member of a row that holds the answer, to be filled in.
func newAnswer(op string) string {
	if strings.HasSuffix(op, ".decide") {
		return `"out": {"state": "never OR pending OR expired", "deadline": null}`
	}
	return `"out": {}`
}
