// Package policyflags reads a TTL policy, and the instant at which it is judged, from the
// flags that several commands share.
package policyflags

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Flags are the flags that the user gave. The zero Flags name no policy.
type Flags struct {
	Index       []string // --index: key patterns or whole listIndexes documents
	ExpireAfter string   // --expire-after, for a key pattern
	Partial     string   // --partial, for a key pattern
	Metadata    string   // --metadata: the file that mongodump writes beside a collection
	Namespace   string   // --namespace: database and collection
	Container   string   // --container: a Cosmos DB container, as JSON or a file
	CosmosMongo bool     // --cosmos-mongo: indexes of Cosmos DB's API for MongoDB
	Capability  []string // --capability, of the Cosmos DB account
	Server      string   // --server: the release
	Parameter   []string // --server-parameter: NAME=VALUE
	Now         string   // --now
	Names       bool     // --namespace may name a container too, because the command prints commands about it
	Hint        string   // the flag that a user may mean by --expire-after alone

	// Texts are the contents of the files that flags name, by name, once Load has read
	// them. Other files are read when the flags are used.
	Texts map[string][]byte
}

// Load reads the files that the flags name, so that the flags can be used later on a
// machine without the files.
func (f *Flags) Load() error {
	f.Texts = map[string][]byte{}
	if f.Metadata != "" {
		text, err := dump.ReadFile(f.Metadata, dump.MaxMetadata)
		if err != nil {
			return fmt.Errorf("--metadata: %w", err)
		}
		f.Texts[f.Metadata] = text
	}
	if text, err := dump.ReadFile(f.Container, dump.MaxMetadata); err == nil { // if there is no such file, the value is the text itself
		f.Texts[f.Container] = text
	}
	return nil
}

func (f *Flags) read(name string) ([]byte, error) {
	if text, ok := f.Texts[name]; ok {
		return text, nil
	}
	return dump.ReadFile(name, dump.MaxMetadata)
}

// Add adds f's flags to cmd.
func (f *Flags) Add(cmd *cobra.Command) {
	set := cmd.Flags()
	set.StringArrayVar(&f.Index, "index", nil, `TTL index: its key '{"createdAt":1}', or all of it as listIndexes, the shell or a driver has it (repeatable)`)
	set.StringVar(&f.ExpireAfter, "expire-after", "", "expireAfterSeconds of --index: seconds, or a time such as 30d, 12h, 90m, 1y (365 days)")
	set.StringVar(&f.Partial, "partial", "", `partialFilterExpression of --index, such as '{"kind":"guest"}'`)
	set.StringVar(&f.Metadata, "metadata", "", "take the indexes from this file of mongodump, NAME.metadata.json")
	set.StringVar(&f.Namespace, "namespace", "", "name of the collection, such as shop.logs: in most system collections nothing expires")
	set.StringVar(&f.Container, "container", "", `Cosmos DB container, as JSON, a file or a program has it, such as '{"defaultTtl":3600}'`)
	set.BoolVar(&f.CosmosMongo, "cosmos-mongo", false, "judge --index as Azure Cosmos DB for MongoDB does")
	set.StringArrayVar(&f.Capability, "capability", nil, "capability of the account, with --cosmos-mongo (repeatable)")
	set.StringVar(&f.Server, "server", "", "release of the server, such as 8.0.4 (default: the newest known)")
	AddParameters(cmd, &f.Parameter)
	AddNow(cmd, &f.Now)
	Complete(cmd, "capability", capabilities...)
}

// AddNow adds --now to cmd.
func AddNow(cmd *cobra.Command, now *string) {
	cmd.Flags().StringVar(now, "now", "", "judge at this instant: now, +30d, 2026-11-20, '2026-11-20 08:00:00' (UTC), 2026-11-20T08:00:00+01:00 or @seconds (default: now)")
}

// Choices is the annotation of a flag with the values that the shell offers for it.
const Choices = "choices"

// Complete makes the shell offer only these values for a flag, and no files.
func Complete(cmd *cobra.Command, flag string, values ...string) {
	if err := cmd.Flags().SetAnnotation(flag, Choices, values); err != nil {
		panic(err) // the flag does not exist
	}
}

// Given reports whether the flags name a policy.
func (f *Flags) Given() bool {
	return len(f.Index) > 0 || f.Metadata != "" || f.Container != ""
}

// Instant returns the instant of --now, or the instant of clock if --now is not given.
func (f *Flags) Instant(clock time.Time) (policy.Instant, error) {
	if f.Now == "" {
		return policy.InstantOf(clock), nil
	}
	return ParseInstantFrom("--now", f.Now, policy.InstantOf(clock))
}

// ParseInstantFrom is [ParseInstant] for a flag that may also count from an instant: now,
// +30d or -12h.
func ParseInstantFrom(flag, text string, now policy.Instant) (policy.Instant, error) {
	if i, ok := relative(text, now); ok {
		return i, nil
	}
	return ParseInstant(flag, text, ", +30d")
}

// instantLayouts are the layouts of a date and a time, with a letter or a blank between
// them, and with or without seconds and a zone. Without a zone the time is UTC.
var instantLayouts = func() (list []string) {
	for _, between := range []string{"T", " "} {
		for _, seconds := range []string{":05", ""} {
			for _, zone := range []string{"Z07:00", ""} {
				list = append(list, time.DateOnly+between+"15:04"+seconds+zone)
			}
		}
	}
	return list
}()

// ParseInstant reads an instant, the value of a flag. Its error also names orElse, another
// value that the flag accepts. It refuses a bare number: if milliseconds were read as
// seconds, the instant would lie so late that everything has expired.
func ParseInstant(flag, text, orElse string) (policy.Instant, error) {
	i, ok := pasted.ParseInstant(text, instantLayouts...)
	seconds, counts := strings.CutPrefix(text, "@")
	switch year := i.Time().Year(); {
	case !ok && isDigits(text) && len(text) < 12:
		return 0, cli.Usagef("%s: %s has no unit; write @%s for seconds since 1970, or %sms for milliseconds", flag, text, text, text)
	case !ok && isDigits(text):
		return 0, cli.Usagef("%s: %s has no unit; write %sms for milliseconds since 1970", flag, text, text)
	case !ok && nearInstants[strings.ToLower(text)] != "" && orElse != "":
		return 0, cli.Usagef("%s: cannot read %q; write it as %s", flag, text, nearInstants[strings.ToLower(text)])
	case !ok:
		return 0, cli.Usagef("%s: cannot read %q; write it as 2026-11-20T08:00:00Z, 2026-11-20, '2026-11-20 08:00:00' (UTC)%s or @1795161600", flag, text, orElse)
	case counts && year > 9999:
		return 0, cli.Usagef("%s: %s is in the year %d, because @ counts seconds; write milliseconds as %sms", flag, text, year, seconds)
	}
	return i, nil
}

// nearInstants maps a word for an instant to the text that a flag accepts in its place,
// if the flag's instant may count from now.
var nearInstants = map[string]string{
	"today": "now, or a date such as 2026-11-20", "tomorrow": "+1d, or a date such as 2026-11-20", "yesterday": "-1d, or a date such as 2026-11-20",
	"next week": "+7d", "last week": "-7d", "next month": "+30d", "last month": "-30d",
}

func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// IsFixed reports whether --now names an instant that does not depend on the clock.
func (f *Flags) IsFixed() bool {
	_, isRelative := relative(f.Now, 0)
	return f.Now != "" && !isRelative
}

// relative reads an instant that counts from now: now, +30d or -12h.
func relative(text string, now policy.Instant) (policy.Instant, bool) {
	if text == "now" {
		return now, true
	}
	span, isLater := strings.CutPrefix(text, "+")
	span, isEarlier := strings.CutPrefix(span, "-")
	n, err := ParseSeconds(span)
	switch {
	case err != nil || n < 0 || n > int64(policy.MaxSeconds) || isLater == isEarlier:
		return 0, false
	case isEarlier:
		n = -n
	}
	return now.Add(int32(n))
}

// Seconds returns the expireAfterSeconds of --expire-after, Missing without it.
func (f *Flags) Seconds() (policy.Value, error) {
	if f.ExpireAfter == "" {
		return policy.Value{}, nil
	}
	n, err := ParseSeconds(f.ExpireAfter)
	if err != nil {
		return policy.Value{}, cli.Usagef("--expire-after: %w", err)
	}
	return pasted.Integer(n), nil
}

// units are the letters with which a time to live may end, in seconds. A year
// is always 365 days; there is no month.
var units = map[byte]int64{'s': 1, 'm': 60, 'h': 3600, 'd': 86400, 'w': 7 * 86400, 'y': 365 * 86400}

// ParseSeconds returns the number of seconds in a text such as "3600" or "30d".
func ParseSeconds(text string) (int64, error) {
	number, unit := text, int64(1)
	if n := len(text); n > 0 && units[text[n-1]] != 0 {
		number, unit = text[:n-1], units[text[n-1]]
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if strings.HasSuffix(text, "mo") {
		return 0, fmt.Errorf("%q: a month has 28 to 31 days, and a server counts seconds; write days, such as 30d", text)
	}
	if err != nil || n*unit/unit != n {
		return 0, fmt.Errorf("cannot read %q; write seconds, or a time such as 30d, 12h, 90m, 1y (365 days)", text)
	}
	return n * unit, nil
}

// MaxWhatIf is the largest number of times to live that are compared at once.
const MaxWhatIf = 8

// ParseWhatIf reads the values of --what-if, each one expireAfterSeconds or several with
// commas between them. Its error is a [cli.ExitUsage].
func ParseWhatIf(values []string) (list []int64, err error) {
	if len(values) == 0 {
		return nil, nil
	}
	for text := range strings.SplitSeq(strings.Join(values, ","), ",") {
		text = strings.TrimSpace(text)
		n, err := ParseSeconds(text)
		switch {
		case slices.Contains([]string{"off", "none", "never", "-1"}, strings.ToLower(text)):
			return nil, cli.Usagef("--what-if %s: want a time to live, such as 90d; to see what stays without a time to live, compare with a policy file: ttl plan", text)
		case err != nil:
			return nil, cli.Usagef("--what-if: %w", err)
		case n < 0 || n > int64(policy.MaxSeconds):
			return nil, cli.Usagef("--what-if: %d s is not from 0 to %d", n, policy.MaxSeconds)
		case slices.Contains(list, n):
			return nil, cli.Usagef("--what-if: %d s is given twice", n)
		case len(list) == MaxWhatIf:
			return nil, cli.Usagef("--what-if: at most %d times to live are compared at once", MaxWhatIf)
		}
		list = append(list, n)
	}
	return list, nil
}

// AddCapabilities adds --capability to cmd.
func AddCapabilities(cmd *cobra.Command, list *[]string) {
	const name = "capability"
	cmd.Flags().StringArrayVar(list, name, nil, "capability of the account of Azure Cosmos DB for MongoDB: "+strings.Join(capabilities, " or ")+" (repeatable)")
	Complete(cmd, name, capabilities...)
}

// CheckCapabilities refuses a capability that does not affect TTL.
func CheckCapabilities(list []string) error {
	for _, name := range list {
		if !slices.Contains(capabilities, name) {
			return cli.Usagef("--capability %s does not affect TTL; only %s do", name, strings.Join(capabilities, " and "))
		}
	}
	return nil
}

// AddParameters adds --server-parameter to cmd.
func AddParameters(cmd *cobra.Command, list *[]string) {
	const name = "server-parameter"
	cmd.Flags().StringArrayVar(list, name, nil, "server parameter that is set, NAME=VALUE, such as "+behaviour.LegacyNullParameter+"=true (repeatable)")
	Complete(cmd, name, behaviour.LegacyNullParameter+"=true")
}

// ParseParameters reads the values of --server-parameter: a name, an equals sign,
// and a value as setParameter accepts it: true, a number, or else a text.
// [mongo.Profile.WithParameter] knows the names.
func ParseParameters(list []string) (d policy.D, err error) {
	for _, text := range list {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, cli.Usagef("--server-parameter %s: write it as NAME=VALUE, such as %s=true", text, behaviour.LegacyNullParameter)
		}
		v, err := policy.ParseExtJSON([]byte(value))
		if err != nil {
			v = policy.StringValue(value)
		}
		d = append(d, policy.E{Key: name, Value: v})
	}
	return d, nil
}

// ParseRelease reads the value of a flag that names a release of MongoDB; empty is
// the zero Version.
func ParseRelease(flag, text string) (mongo.Version, error) {
	if text == "" {
		return mongo.Version{}, nil
	}
	v, err := pasted.ParseRelease(text)
	if err != nil {
		return v, cli.Usagef("%s: %s", flag, inWords(err))
	}
	return v, nil
}
