package catalogtest

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// container returns the server's only container.
func (s *Server) container() (*Collection, error) {
	for _, c := range s.Collections {
		return c, nil
	}
	return nil, unknown("there is no container")
}

// az carries out az cosmosdb sql container update. Commands that show an account or a
// container, and a restore to another account, change nothing in s.
func (s *Server) az(words []string) (Outcome, error) {
	switch strings.Join(words[:min(3, len(words))], " ") {
	case "az cosmosdb show", "az cosmosdb restore":
		return Outcome{}, nil
	case "az cosmosdb update":
		return Outcome{Changes: true}, nil // a change of the account deletes no document
	}
	if strings.Join(words[:min(5, len(words))], " ") == "az cosmosdb sql container show" {
		return Outcome{}, nil
	}
	c, err := s.container()
	if err != nil || strings.Join(words[:min(5, len(words))], " ") != "az cosmosdb sql container update" {
		return Outcome{}, unknown(strings.Join(words, " "))
	}
	for i, word := range words {
		value := ""
		if name, rest, ok := strings.Cut(word, "="); ok {
			word, value = name, rest
		} else if i+1 < len(words) {
			value = words[i+1]
		}
		after := c.Container
		n, wrong := strconv.ParseInt(value, 10, 64)
		switch word {
		case "--ttl", "--default-ttl":
			after.DefaultTTL = policy.Int64Value(n)
		case "--analytical-storage-ttl":
			after.AnalyticalStorageTTL = policy.Int64Value(n)
		case "--idx":
			policy, err := policy.ParseJSON([]byte(strings.Trim(strings.Join(words[i+1:], " "), "'")))
			after.IndexingMode, _ = policy.Field("indexingMode").AsString()
			wrong = err
		default:
			continue
		}
		if wrong == nil {
			_, _, wrong = cosmos.ValidateContainer(after, nil)
		}
		if wrong != nil {
			return Outcome{}, refused(wrong)
		}
		c.Container = after
		return Outcome{Changes: true}, nil
	}
	return Outcome{}, unknown(strings.Join(words, " "))
}

var forecastContainer = regexp.MustCompile(`^ttl forecast --container '([^']*)' \S+$`)

// forecast finds the items that have expired by the settings in a command.
func (s *Server) forecast(command string) (Outcome, error) {
	m := forecastContainer.FindStringSubmatch(command)
	if m == nil || s.System != definition.CosmosNoSQL {
		return Outcome{}, unknown(command)
	}
	spec, err := cosmos.ParseContainerSpec([]byte(m[1]))
	if err != nil {
		return Outcome{}, refused(err)
	}
	after := s.Clone()
	for _, c := range after.Collections {
		c.Container = spec
	}
	gone, err := after.Gone(s.Now)
	return Outcome{Found: gone, Asked: true}, err
}
