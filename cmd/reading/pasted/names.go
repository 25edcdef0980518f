// Package pasted reads a TTL policy from text that people write and paste: calls of
// the shell and of drivers, listings, schemas of mongoose, containers as Azure's tools,
// templates and SDKs have them. Notes explain the reading of a text where it is not
// obvious. An error names a misspelt field, because an unknown spelling must never turn a
// policy off silently.
//
// [Collection.CheckNames] refuses an option that is misspelt. A catalog is read as it is:
// a server ignores an option that it does not know. [IndexRemarks], [OptionRemarks] and
// [ContainerRemarks] name the option that was likely meant by an unknown field, and
// change nothing.
package pasted

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/cmd/pattern"
	"github.com/ttlpolicy/ttlpolicy/internal/base/spelling"
	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The options of an index that say which documents are deleted, and when.
const (
	secondsOption = "expireAfterSeconds"
	filterOption  = "partialFilterExpression"
)

// A Remark is about a field that looks like an option but is not an option.
type Remark struct {
	Field string // the field's name in the text
	Meant string // the name that was likely meant
	Text  string // in whole sentences
}

// ttlWord matches a name that contains ttl as a word, such as TTL in logTTL or ttl in ttlSeconds,
// and not within another word such as throttle.
var ttlWord = pattern.Lazy(`TTL([^A-Z]|$)|TTL.[a-z]|Ttl|^ttl|[^A-Za-z]ttl|ttl([^a-z]|$)`)

// isAboutTTL reports whether a name mentions a time to live: expireAfter, TTL,
// defaultTimeToLive. The name throttle does not mention it.
func isAboutTTL(name string) bool {
	n := spelling.Letters(name)
	return strings.Contains(n, "expir") || strings.Contains(n, "timetolive") || strings.Contains(n, "ttl") && ttlWord().MatchString(name) || spelling.Distance(n, spelling.Letters(secondsOption)) <= 4
}

func isLikeSeconds(name string) bool {
	n := spelling.Letters(name)
	return strings.HasPrefix(n, "expireafter") || spelling.Distance(n, spelling.Letters(secondsOption)) <= 3
}

// indexOption returns the option that was likely meant by an unknown name, ""
// for none.
func indexOption(name string) string {
	n := spelling.Letters(name)
	switch {
	case name == secondsOption, name == filterOption:
	case isAboutTTL(name):
		return secondsOption
	case n == "filter", n == "partial", strings.HasPrefix(n, "partialfilter"), spelling.Distance(n, spelling.Letters(filterOption)) <= 5:
		return filterOption
	}
	return ""
}

// isPlainName reports whether a name needs no quotes in a sentence.
func isPlainName(name string) bool {
	return name != "" && strings.IndexFunc(name, func(c rune) bool { return !isWordPart(c) && c != '.' && c != '-' }) < 0
}

// show returns a name or a text for a message, shortened to 40 characters. The result
// holds no control sequence of a terminal.
func show(name string) string {
	name = syntax.Clip(name, 40)
	if isPlainName(name) {
		return name
	}
	return strconv.Quote(name)
}

// withoutOption describes an index that lacks an option, by the option's name.
var withoutOption = map[string]string{
	secondsOption: "has no time to live",
	filterOption:  "is not partial, and holds every document",
}

// IndexRemarks returns remarks about the fields of an index as a catalog or a
// listing shows it.
func IndexRemarks(index policy.Value) (remarks []Remark) {
	for f := index.Fields(); f.Next(); {
		name, meant := f.Name(), indexOption(f.Name())
		switch {
		case meant != "":
			text := fmt.Sprintf("%s is not an option of an index; %s is.", show(name), meant)
			if index.Field(meant).IsMissing() {
				text += fmt.Sprintf(" Without %s the index %s.", meant, withoutOption[meant])
			}
			remarks = append(remarks, Remark{name, meant, text})
		case name != "key" && name != filterOption && !f.Value().Field(secondsOption).IsMissingOrNull():
			remarks = append(remarks, Remark{name, secondsOption, fmt.Sprintf("expireAfterSeconds stands within %s, where a server does not look; it belongs beside the key.", show(name))})
		}
	}
	for _, e := range misplaced(index.Field("key")) {
		remarks = append(remarks, Remark{e.Key, secondsOption, fmt.Sprintf(
			"%s stands within the key, so that it is a field of a compound index, which deletes nothing. The option belongs beside the key: {key: {createdAt: 1}, expireAfterSeconds: 3600}.", show(e.Key))})
	}
	return remarks
}

// misplaced returns the fields of a key that are likely meant for options:
// fields with the name of an option, or with a similar name and a number that
// is not a direction.
func misplaced(key policy.Value) (list policy.D) {
	fields := 0
	for f := key.Fields(); f.Next(); fields++ {
		n, isNumber := number(f.Value())
		if isLikeSeconds(f.Name()) || isAboutTTL(f.Name()) && isNumber && n != 1 && n != -1 {
			list = append(list, policy.E{Key: f.Name(), Value: f.Value()})
		}
	}
	if fields < 2 {
		return nil // an index of one field, which may have any name
	}
	return list
}

func number(v policy.Value) (float64, bool) {
	if n, ok := v.AsInt64(); ok {
		return float64(n), true
	}
	return v.AsDouble()
}

// OptionRemarks returns remarks about the options of a collection.
func OptionRemarks(options policy.Value) (remarks []Remark) {
	for f := options.Fields(); f.Next(); {
		switch name := f.Name(); {
		case name == secondsOption:
			if f.Value().IsMissingOrNull() || !options.Field("timeseries").IsMissingOrNull() || !options.Field("clusteredIndex").IsMissingOrNull() {
				continue
			}
			remarks = append(remarks, Remark{name, secondsOption, "The collection's expireAfterSeconds counts only where it is a time-series or a clustered collection, and this is neither: it deletes nothing. An index may have the option."})
		case isAboutTTL(name):
			remarks = append(remarks, Remark{name, secondsOption, fmt.Sprintf("%s is not an option of a collection; expireAfterSeconds is. As it stands the collection has no time to live.", show(name))})
		}
	}
	return remarks
}

// Integer returns n as a shell sends it: as an int32 if it fits, else as an int64.
func Integer(n int64) policy.Value {
	if n == int64(int32(n)) {
		return policy.Int32Value(int32(n))
	}
	return policy.Int64Value(n)
}

// ParseRelease reads a release of MongoDB, such as "8.0.4". It is an error if no
// profile describes it.
func ParseRelease(text string) (mongo.Version, error) {
	v, err := mongo.ParseVersion(text)
	if err == nil {
		_, err = mongo.ProfileOf(v)
	}
	return v, err
}

// ParseInstant reads an instant in one of these forms: a date, a date and a time with its
// zone, @ and seconds since 1970, or milliseconds such as 1795176000000ms, which is the
// text of a [policy.Instant] beyond the year 9999. It also accepts the given layouts of
// package time.
func ParseInstant(text string, layouts ...string) (policy.Instant, bool) {
	if seconds, ok := strings.CutPrefix(text, "@"); ok {
		n, err := strconv.ParseInt(seconds, 10, 64)
		at, ok := valuefunc.InstantOfUnix(n)
		return at, ok && err == nil
	}
	if ms, ok := strings.CutSuffix(text, "ms"); ok {
		n, err := strconv.ParseInt(ms, 10, 64)
		return policy.Instant(n), err == nil
	}
	for _, layout := range append([]string{time.RFC3339, time.DateOnly}, layouts...) {
		if t, err := time.Parse(layout, text); err == nil {
			return policy.InstantOf(t), true
		}
	}
	return 0, false
}
