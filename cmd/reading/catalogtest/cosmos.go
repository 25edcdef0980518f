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
			_, wrong = cosmos.ValidateContainer(after, nil)
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

var pythonCall = regexp.MustCompile(`^container\.(\w+)\((.*)\)$`)

// python carries out a call of the SDK for Python.
func (s *Server) python(command string) (Outcome, error) {
	m := pythonCall.FindStringSubmatch(command)
	switch {
	case m == nil:
		return Outcome{}, unknown(command)
	case m[1] == "query_items", m[1] == "query_items_change_feed":
		return Outcome{}, nil
	case m[1] != "upsert_item":
		return Outcome{}, unknown(command)
	}
	item, err := policy.ParseJSON([]byte(m[2]))
	if err != nil {
		return Outcome{}, unknown(err.Error())
	}
	id, _ := item.Field("id").AsString()
	return Outcome{Changes: true}, s.write(id, policy.DOf(item.Value()), true)
}

var patched = regexp.MustCompile(`(?s)-X PATCH .* -d '\{"operations": \[(\{"op": "set".*\})\]\}'$`)

// patch carries out a request that sets one property of the item 1.
func (s *Server) patch(command string) (Outcome, error) {
	m := patched.FindStringSubmatch(command)
	if m == nil {
		return Outcome{}, unknown(command)
	}
	operation, err := policy.ParseJSON([]byte(m[1]))
	if err != nil {
		return Outcome{}, unknown(err.Error())
	}
	path, _ := operation.Field("path").AsString()
	return Outcome{Changes: true}, s.write("1", policy.D{{Key: strings.TrimPrefix(path, "/"), Value: operation.Field("value")}}, false)
}

// write sets properties of the item with this name. If whole is true, they replace the
// item.
func (s *Server) write(name string, properties policy.D, whole bool) error {
	c, err := s.container()
	if err != nil {
		return err
	}
	for i, d := range c.Documents {
		if d.Name != name {
			continue
		}
		after := policy.D{}
		if !whole {
			after = policy.DOf(policy.ObjectValue(d.Value))
		}
		for _, e := range properties {
			after = with(after, []string{e.Key}, e.Value)
		}
		c.Documents[i].Value = with(after, []string{"_ts"}, s.stamp())
		return nil
	}
	return refused("there is no item " + name)
}
