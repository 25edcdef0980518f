package policyflags

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// AddParameters makes cmd take --server-parameter.
func AddParameters(cmd *cobra.Command, list *[]string) {
	const name = "server-parameter"
	cmd.Flags().StringArrayVar(list, name, nil, "server parameter that is set, NAME=VALUE, such as "+mongo.LegacyNullParameter+"=true (repeatable)")
	complete(cmd, name, []string{mongo.LegacyNullParameter + "=true"})
}

// ParseParameters reads the values of --server-parameter: name, sign of equality,
// and a value as setParameter takes it, true, a number or else a text. Which
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
