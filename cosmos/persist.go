package cosmos

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/base/nojson"
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// noJSON is embedded in types that encoding/json must not write.
type noJSON = nojson.Type

// MarshalJSON returns the settings as the REST API shows a container: defaultTtl,
// ttlPropertyPath, indexingPolicy.indexingMode and analyticalStorageTtl. Settings that are
// absent are left out, and a setting that occurred twice occurs twice. It fails for settings
// that UnmarshalJSON does not read back as the same ones, such as a defaultTtl that JSON cannot
// hold.
func (s ContainerSpec) MarshalJSON() ([]byte, error) {
	text := append([]byte(nil), '{')
	member := func(name string, value []byte) {
		for range 1 + countOf(s.Repeated == name) {
			text = fmt.Appendf(text, "%q:%s,", name, value)
		}
	}
	optional := func(name string, v policy.Value) {
		if !v.IsMissing() {
			member(name, plainOf(v))
		}
	}
	optional("defaultTtl", s.DefaultTTL)
	if s.TTLPropertyPath != "" || s.Repeated == "ttlPropertyPath" {
		member("ttlPropertyPath", plainOf(policy.StringValue(s.TTLPropertyPath)))
	}
	if s.IndexingMode != "" || strings.HasPrefix(s.Repeated, "indexing") {
		mode := plainOf(policy.StringValue(s.IndexingMode))
		object := fmt.Appendf(nil, `{"indexingMode":%s}`, mode)
		if s.Repeated == "indexingMode" {
			object = fmt.Appendf(nil, `{"indexingMode":%s,"indexingMode":%[1]s}`, mode)
		}
		member("indexingPolicy", object)
	}
	optional("analyticalStorageTtl", s.AnalyticalStorageTTL)
	text = append(bytes.TrimSuffix(text, []byte(",")), '}')
	var again ContainerSpec
	err := again.UnmarshalJSON(text)
	if err == nil && !again.isSame(s) {
		err = errors.New("they are read back as others")
	}
	if err != nil {
		return nil, fmt.Errorf("cosmos: the settings cannot be stored: %w", err)
	}
	return text, nil
}

// UnmarshalJSON reads the settings as [ParseContainerSpec] does, and notes a setting that occurs
// twice in Repeated. An unknown property is an error, because a misspelt defaultTtl would turn
// the policy off: use [ParseListedContainer] for a container that the service shows.
func (s *ContainerSpec) UnmarshalJSON(text []byte) error {
	spec, err := parseContainer(text, true)
	if err == nil {
		*s = spec
	}
	return err
}

// UnmarshalJSON reads what encoding/json writes. An unknown member is an error, because a misspelt
// one would turn the policy off.
func (s *CollectionSpec) UnmarshalJSON(text []byte) error {
	type plain CollectionSpec
	return readStrictly(text, (*plain)(s))
}

// UnmarshalJSON reads what encoding/json writes. An unknown member is an error, because a misspelt
// one would turn the policy off. [ParseIndexSpec] reads the form of listIndexes.
func (x *IndexSpec) UnmarshalJSON(text []byte) error {
	type plain IndexSpec
	return readStrictly(text, (*plain)(x))
}

// readStrictly decodes text into v, which it changes only if the whole text can be read.
func readStrictly[T any](text []byte, v *T) error {
	var read T
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(&read)
	if err == nil {
		*v = read
	}
	return err
}

// isSame reports whether s, which was read, is the settings w, which were written. The case of
// an indexing mode does not matter.
func (s ContainerSpec) isSame(w ContainerSpec) bool {
	return s.DefaultTTL.Equal(w.DefaultTTL) && s.AnalyticalStorageTTL.Equal(w.AnalyticalStorageTTL) &&
		s.TTLPropertyPath == w.TTLPropertyPath && strings.EqualFold(s.IndexingMode, w.IndexingMode) && s.Repeated == w.Repeated
}

func countOf(b bool) int { return int(bit(b)) }

// plainOf returns v as JSON. A number beyond the range of a double is written as one.
func plainOf(v policy.Value) []byte {
	switch f, ok := v.AsDouble(); {
	case ok && math.IsInf(f, 1):
		return []byte("1e999")
	case ok && math.IsInf(f, -1):
		return []byte("-1e999")
	}
	return plainjson.Append(nil, v)
}

// ttlTexts are the texts of TTLs, by class; a TTL of seconds is written as their number.
var ttlTexts = []string{
	ttlAbsent: "absent", ttlNever: "-1", ttlSeconds: "seconds", ttlRefused: "refused", ttlOther: "no integer", ttlIgnored: "ignored", ttlRepeated: "repeated",
}

// MarshalText returns "absent", "-1", the seconds, or a word for a property that holds
// anything else. The words tell apart what the rules tell apart.
func (t TTL) MarshalText() ([]byte, error) {
	if t.class == ttlSeconds {
		return strconv.AppendInt(nil, int64(t.seconds), 10), nil
	}
	return []byte(ttlTexts[t.class]), nil
}

// String returns the text of MarshalText.
func (t TTL) String() string {
	text, _ := t.MarshalText() // which does not fail
	return string(text)
}

// UnmarshalText reads what MarshalText writes, and nothing else.
func (t *TTL) UnmarshalText(text []byte) error {
	n, err := strconv.ParseInt(string(text), 10, 32)
	if class := slices.Index(ttlTexts, string(text)); class >= 0 && ttlClass(class) != ttlSeconds {
		*t = TTL{class: ttlClass(class)}
		return nil
	}
	if err != nil || n < 1 || strconv.FormatInt(n, 10) != string(text) {
		return fmt.Errorf("cosmos: %q is no stored time to live", text)
	}
	*t = TTLSeconds(n)
	return nil
}

// MarshalText returns the seconds since 1970, or "absent".
func (t Timestamp) MarshalText() ([]byte, error) {
	if t.isAbsent() {
		return []byte("absent"), nil
	}
	return strconv.AppendInt(nil, t.unix(), 10), nil
}

// String returns the text of MarshalText.
func (t Timestamp) String() string {
	text, _ := t.MarshalText() // which does not fail
	return string(text)
}

// UnmarshalText reads what MarshalText writes, and nothing else.
func (t *Timestamp) UnmarshalText(text []byte) error {
	if string(text) == "absent" {
		*t = Timestamp{}
		return nil
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || n == math.MinInt64 || strconv.FormatInt(n, 10) != string(text) {
		return fmt.Errorf("cosmos: %q is no stored timestamp", text)
	}
	*t = TimestampSeconds(n)
	return nil
}
