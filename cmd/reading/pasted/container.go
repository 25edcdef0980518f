package pasted

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mentions"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/base/spelling"
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

// settings are the settings by their names in services, tools and SDKs. The service knows only
// its own names.
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
	"indexingPolicy":                     {"indexingPolicy", ""},
	"IndexingPolicy":                     {"indexingPolicy", ".NET"},
	"indexing_policy":                    {"indexingPolicy", "Python and Terraform"},
}

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
		if s := settings[name]; s.other != "" {
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
		case isSetting && (f.Value().Kind() != policy.Object || s.name == "indexingPolicy"), slices.Contains(marks, name):
			return true
		case meantSetting(name) != "" && strings.Contains(spelling.Letters(name), "default") && f.Value().Kind() != policy.Object:
			return true
		}
	}
	return false
}

// ReadContainer reads a container in JSON, or as a literal object of JavaScript: in its own
// form or in the forms of the az tool, Azure Resource Manager and listings. A text about several
// containers is refused. The name that an SDK has for a setting is a misspelt one, see
// [Container.CheckNames]. It evaluates no expressions: a text that mentions a time
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
	j, err := policy.ParseJSON([]byte(before + text + "}")) // package policy reads objects alone
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
		c.note("Read as the container under %s.", show(strings.Join(at.path, ".")))
	}
	for f := at.value.Fields(); f.Next(); {
		if text := textOf(f.Value()); settings[f.Name()].name != "" && f.Name() != "ttlPropertyPath" && strings.HasPrefix(text, "[") {
			return c, fmt.Errorf("%s is %s, which is not evaluated here; write the number", f.Name(), show(text))
		}
	}
	for _, remark := range ContainerRemarks(at.value) {
		c.note("%s", remark.Text)
	}
	if at.path != nil || v.Kind() != policy.Object {
		text = string(plainjson.Append(nil, at.value))
	}
	c.Spec, err = cosmos.ParseListedContainer([]byte(text))
	c.JSON, c.Value = strings.TrimSpace(text), at.value
	return c, err
}

func (c *Container) note(format string, args ...any) {
	c.Notes = append(c.Notes, mongosh.Note{Text: fmt.Sprintf(format, args...)})
}
