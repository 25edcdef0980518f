package pasted

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mentions"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/base/spelling"
	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Container is the definition of one container of Cosmos DB for NoSQL in a
// text.
type Container struct {
	JSON  string       // in the form of the service
	Value policy.Value // the parsed JSON
	Spec  cosmos.ContainerSpec
	// Known reports that the text is certainly about a container, not about an
	// object that may be a container without settings.
	Known bool
	Notes []mongosh.Note // how the text was read, and which parts have no effect
}

// A setting is a property of a container that says when items expire.
type setting struct {
	name  string // the service's name
	other string // the tool or SDK that has this name, "" for the service itself
}

// settings are the settings by their names in services, tools and SDKs. A name must be
// spelled exactly.
var settings = map[string]setting{
	"defaultTtl":                         {"defaultTtl", ""},
	"DefaultTtl":                         {"defaultTtl", ".NET's management library"},
	"DefaultTimeToLive":                  {"defaultTtl", ".NET"},
	"defaultTimeToLive":                  {"defaultTtl", "Java"},
	"defaultTimeToLiveInSeconds":         {"defaultTtl", "Java"},
	"default_ttl":                        {"defaultTtl", "Python and Terraform"},
	"ttlPropertyPath":                    {"ttlPropertyPath", ""},
	"TimeToLivePropertyPath":             {"ttlPropertyPath", ".NET"},
	"analyticalStorageTtl":               {"analyticalStorageTtl", ""},
	"AnalyticalStorageTtl":               {"analyticalStorageTtl", ".NET's management library"},
	"AnalyticalStoreTimeToLiveInSeconds": {"analyticalStorageTtl", ".NET"},
	"analyticalStoreTimeToLiveInSeconds": {"analyticalStorageTtl", "Java"},
	"analytical_storage_ttl":             {"analyticalStorageTtl", "Python and Terraform"},
	"indexingMode":                       {"indexingMode", ""},
	"IndexingMode":                       {"indexingMode", ".NET"},
	"indexing_mode":                      {"indexingMode", "Terraform"},
}

// valueOf returns the value that a tool sends for a setting with this name: Terraform does not
// distinguish "3600" from 3600. Any other text in the place of a number is an expression, which
// is not evaluated. The error continues a sentence that begins with the name.
func (s setting) valueOf(name string, v policy.Value) (policy.Value, error) {
	text, isText := v.AsString()
	if !isText || s.name == "ttlPropertyPath" || s.name == "indexingMode" {
		return v, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil || strconv.FormatInt(n, 10) != text:
		return v, fmt.Errorf("%s, which is not evaluated here; write the number", show(text))
	case strings.Contains(name, "_"): // a name of Terraform
		return Integer(n), nil
	}
	return v, nil
}

// policies are the names of the property that holds indexingMode.
var policies = []string{"indexingPolicy", "IndexingPolicy", "indexing_policy"}

// marks are properties that only containers have.
var marks = []string{"partitionKey", "conflictResolutionPolicy", "uniqueKeyPolicy", "partition_key_path", "partition_key_paths", "PartitionKeyPath"}

// meantSetting returns the setting that was likely meant by an unknown property
// of a container, "" for none.
func meantSetting(name string) string {
	if _, known := settings[name]; known || !isAboutTTL(name) {
		return ""
	}
	switch n := spelling.Letters(name); {
	case strings.Contains(n, "analytic"):
		return "analyticalStorageTtl"
	case strings.Contains(n, "path"):
		return "ttlPropertyPath"
	}
	return "defaultTtl"
}

// ContainerRemarks returns remarks about properties of a container, as the
// service shows it, that look like settings but are not. The service does not
// know the name that an SDK has for a setting.
func ContainerRemarks(container policy.Value) (remarks []Remark) {
	for f := container.Fields(); f.Next(); {
		name := f.Name()
		meant, whose := meantSetting(name), ""
		if s := settings[name]; s.other != "" && s.name != "indexingMode" {
			meant, whose = s.name, " but its name in "+s.other
		}
		if meant == "" {
			continue
		}
		text := fmt.Sprintf("The property %s is not %s%s.", show(name), meant, whose)
		if meant == "defaultTtl" && container.Field(meant).IsMissingOrNull() {
			text += " As it stands time to live is off, and nothing expires."
		}
		remarks = append(remarks, Remark{name, meant, text})
	}
	return remarks
}

// CheckNames returns an error for a property that is a misspelt setting. It accepts a
// container as the service shows it, with system properties such as _rid.
func (c Container) CheckNames() error {
	for f := c.Value.Fields(); f.Next(); {
		if strings.HasPrefix(f.Name(), "_") {
			return nil
		}
	}
	if remarks := ContainerRemarks(c.Value); len(remarks) > 0 {
		return errors.New(strings.TrimSuffix(remarks[0].Text, "."))
	}
	return nil
}

// IsContainer reports whether a value has a property that only containers have, or a
// misspelt form of the default ttl.
func IsContainer(v policy.Value) bool {
	for f := v.Fields(); f.Next(); {
		name := f.Name()
		s, isSetting := settings[name]
		switch {
		case isSetting && s.name != "indexingMode" && f.Value().Kind() != policy.Object, slices.Contains(policies, name), slices.Contains(marks, name):
			return true
		case meantSetting(name) != "" && strings.Contains(spelling.Letters(name), "default") && f.Value().Kind() != policy.Object:
			return true
		}
	}
	return false
}

// ReadContainer reads a container in JSON, or as a literal object of JavaScript: in its own
// form or in the forms of the az tool, Azure Resource Manager, Terraform and listings. A text
// about several containers is refused. It evaluates no expressions: a text that mentions a time
// to live in another form is an error. The error may be a [*policy.SyntaxError] or a
// [*mongosh.SyntaxError], which say where the text is wrong.
func ReadContainer(text string) (Container, error) {
	if len(text) > mongosh.MaxText {
		return Container{}, &mongosh.SyntaxError{Offset: mongosh.MaxText, Err: mongosh.ErrTooLong}
	}
	v, err := ParseJSON(text)
	if err == nil {
		return readJSONContainer(text, v)
	}
	if isMeantAsJSON(text) {
		return Container{}, err
	}
	if v, _, err := mongosh.ParseValue(text, 0); err == nil && v.Kind() == policy.Object {
		return readJSONContainer(string(plainjson.Append(nil, v)), v)
	}
	if list := mentions.In("", text); len(list) > 0 {
		return Container{}, &mongosh.SyntaxError{Offset: list[0].At, Err: fmt.Errorf(`%s mentions a time to live and is not evaluated here; write {"defaultTtl": 3600}`, show(list[0].Word))}
	}
	return Container{}, err
}

// isMeantAsJSON reports whether a text begins as an object of JSON: a fault in
// it is then an error, not a sign of another language.
func isMeantAsJSON(text string) bool {
	rest := strings.TrimLeft(text, "[ \t\r\n")
	inner, isObject := strings.CutPrefix(rest, "{")
	return isObject && strings.HasPrefix(strings.TrimLeft(inner, " \t\r\n"), `"`)
}

// ParseJSON reads an object or an array. The error is a [*policy.SyntaxError] with the place
// in the text.
func ParseJSON(text string) (policy.Value, error) {
	const before = `{"":`
	if !strings.HasPrefix(strings.TrimSpace(text), "[") {
		j, err := policy.ParseJSON([]byte(text))
		return j.Value(), err
	}
	j, err := policy.ParseJSON([]byte(before + text + "}"))
	if s := (*policy.SyntaxError)(nil); errors.As(err, &s) {
		s.Offset = min(max(s.Offset-len(before), 0), len(text))
	}
	return j.Field(""), err
}

// A place is a container within a text.
type place struct {
	path  []string
	value policy.Value
}

// findContainers adds the containers within v.
func findContainers(found *[]place, v policy.Value, path []string) {
	if IsContainer(v) {
		*found = append(*found, place{path, v})
		return
	}
	for f := v.Fields(); f.Next(); {
		findContainers(found, f.Value(), append(slices.Clone(path), f.Name()))
	}
	elements := policy.AOf(v)
	if slices.ContainsFunc(elements, IsContainer) { // then each element is a container, also without any setting
		for _, e := range elements {
			*found = append(*found, place{path, e})
		}
		return
	}
	for _, e := range elements {
		findContainers(found, e, path)
	}
}

func readJSONContainer(text string, v policy.Value) (c Container, err error) {
	var found []place
	findContainers(&found, v, nil)
	switch {
	case len(found) == 0 && v.Kind() == policy.List:
		return c, errors.New(`this array holds no container; write {"defaultTtl": 3600}`)
	case len(found) == 0:
		found = []place{{nil, v}}
		if len(ContainerRemarks(v)) == 0 && hasTTLName(v) {
			c.note("No property at the top is a setting of a container, and those below it are not looked at: time to live is off.")
		}
	case len(found) > 1:
		return c, fmt.Errorf("%d containers are written here; write one of them", len(found))
	}
	at := found[0]
	c.Known = IsContainer(at.value)
	if len(at.path) > 0 {
		c.note(readAs+"the container under %s.", show(strings.Join(at.path, ".")))
	}
	converted, changed, err := c.convert(at.value)
	if err != nil {
		return c, err
	}
	if at.path == nil && v.Kind() == policy.Object && !changed {
		return c.finish(text, v)
	}
	return c.finish(string(plainjson.Append(nil, converted)), converted)
}

func (c *Container) note(format string, args ...any) {
	c.Notes = append(c.Notes, mongosh.Note{Text: fmt.Sprintf(format, args...)})
}

const readAs = "Read as "

// convert returns a container with the service's own names for its settings,
// and whether it had other names.
func (c *Container) convert(v policy.Value) (converted policy.Value, changed bool, err error) {
	var d policy.D
	for _, e := range policy.DOf(v) {
		switch s, known := settings[e.Key]; {
		case known && s.other != "" && s.name != "indexingMode" && v.Field(s.name).IsMissing():
			if e.Value, err = s.valueOf(e.Key, e.Value); err != nil {
				return v, false, fmt.Errorf("%s is %w", e.Key, err)
			}
			c.note(readAs+"%s %s: %s is its name in %s. In the JSON that the service gets it must be spelled %s.", s.name, jsonOf(e.Value), e.Key, s.other, s.name)
			e.Key, changed = s.name, true
		case slices.Contains(policies, e.Key) && e.Key != policies[0] && e.Value.Kind() == policy.Object && v.Field(policies[0]).IsMissing():
			e, changed = policy.E{Key: policies[0], Value: modeOf(e.Value)}, true
		}
		if text, ok := e.Value.AsString(); ok && settings[e.Key].name != "" && settings[e.Key].name != "ttlPropertyPath" && strings.HasPrefix(text, "[") {
			return v, false, fmt.Errorf("%s is %s, which is not evaluated here; write the number", e.Key, show(text))
		}
		d = append(d, e)
	}
	converted = policy.ObjectValue(d)
	for _, remark := range ContainerRemarks(converted) {
		c.note("%s", remark.Text)
	}
	return converted, changed, nil
}

// jsonOf returns a value as JSON for a message, shortened to 40 characters.
func jsonOf(v policy.Value) string { return syntax.Clip(string(plainjson.Append(nil, v)), 40) }

// modeOf returns an indexing policy with the service's own name for its mode.
func modeOf(v policy.Value) policy.Value {
	d := policy.DOf(v)
	for i, e := range d {
		if s := settings[e.Key]; s.name == "indexingMode" {
			d[i].Key = s.name
		}
	}
	return policy.ObjectValue(d)
}

func (c Container) finish(text string, v policy.Value) (Container, error) {
	spec, err := cosmos.ParseListedContainer([]byte(text))
	c.JSON, c.Value, c.Spec = strings.TrimSpace(text), v, spec
	return c, err
}
