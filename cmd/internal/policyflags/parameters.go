package policyflags

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// AddParameters adds --server-parameter to cmd.
func AddParameters(cmd *cobra.Command, list *[]string) {
	const name = "server-parameter"
	cmd.Flags().StringArrayVar(list, name, nil, "server parameter that is set, NAME=VALUE, such as "+mongo.LegacyNullParameter+"=true (repeatable)")
	Complete(cmd, name, mongo.LegacyNullParameter+"=true")
}

// ParseParameters reads the values of --server-parameter: a name, an equals sign,
// and a value as setParameter accepts it: true, a number, or else a text. Which
// parameters there are is for [mongo.Profile.WithParameter] to say.
func ParseParameters(list []string) (d policy.D, err error) {
	for _, text := range list {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, cli.Usagef("--server-parameter %s: write it as NAME=VALUE, such as %s=true", text, mongo.LegacyNullParameter)
		}
		v, err := policy.ParseExtJSON([]byte(value))
		if err != nil {
			v = policy.StringValue(value)
		}
		d = append(d, policy.E{Key: name, Value: v})
	}
	return d, nil
}
