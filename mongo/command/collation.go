package command

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// collationLocales are the locales that servers have. All servers ship ICU 57.1
// (mongodb/mongo: src/third_party/icu4c-57.1, icudt57l.dat, folder coll;
// src/mongo/db/query/collation/collator_factory_icu_locales_test.cpp).
var collationLocales = func() map[string]bool {
	known := map[string]bool{}
	for locale := range strings.FieldsSeq(`af am ar as az be bg bn bo bs bs_Cyrl ca chr cs cy da de de_AT dsb dz ee el en en_US en_US_POSIX eo es et
		fa fa_AF fi fil fo fr fr_CA ga gl gu ha haw he hi hr hsb hu hy id ig is it ja ka kk kl km kn ko kok ky lb lkt ln lo lt lv mk ml mn mr ms mt my
		nb ne nl nn om or pa pl ps pt ro ru se si sk sl smn sq sr sr_Latn sv sw ta te th to tr ug uk ur vi wae yi yo zh zh_Hant zu`) {
		known[locale] = true
	}
	return known
}()

// Locales whose defaults differ from the defaults of other locales (the files above).
const (
	normalizingLocales = " as bn el fa fa_AF gu he hi ig km kn kok mr my or pa ps si ta te th vi yi yo "
	upperFirstLocales  = " da mt "
	shiftedLocales     = " th "
	backwardsLocales   = " fr_CA "
)

// collationVersion is the version of ICU that catalogs keep with a collation.
const collationVersion = "57.1"

// A collationOption is a field of a collation beside its locale.
type collationOption struct {
	name    string
	kind    policy.Kind // Int32 for a number
	words   string      // values that a text may have, each with a space on both sides
	initial func(locale string) policy.Value
}

// collationOptions are in the order in which servers read and keep them.
var collationOptions = []collationOption{
	{"caseLevel", policy.Bool, "", always(policy.BoolValue(false))},
	{"caseFirst", policy.String, " upper lower off ", oneOf(upperFirstLocales, policy.StringValue("upper"), policy.StringValue("off"))},
	{"strength", policy.Int32, "", always(policy.Int32Value(3))},
	{"numericOrdering", policy.Bool, "", always(policy.BoolValue(false))},
	{"alternate", policy.String, " non-ignorable shifted ", oneOf(shiftedLocales, policy.StringValue("shifted"), policy.StringValue("non-ignorable"))},
	{"maxVariable", policy.String, " punct space ", always(policy.StringValue("punct"))},
	{"normalization", policy.Bool, "", oneOf(normalizingLocales, policy.BoolValue(true), policy.BoolValue(false))},
	{"backwards", policy.Bool, "", oneOf(backwardsLocales, policy.BoolValue(true), policy.BoolValue(false))},
	{"version", policy.String, " " + collationVersion + " ", always(policy.StringValue(collationVersion))},
}

func always(v policy.Value) func(string) policy.Value { return func(string) policy.Value { return v } }

// oneOf returns a default: v for the locales of a list, and other for all other locales.
func oneOf(locales string, v, other policy.Value) func(string) policy.Value {
	return func(locale string) policy.Value {
		if isWordOf(locales, locale) {
			return v
		}
		return other
	}
}

// isWordOf reports whether a list, with a space before and behind each word, has a word.
func isWordOf(list, word string) bool {
	return word != "" && !strings.Contains(word, " ") && strings.Contains(list, " "+word+" ")
}

// fullCollation returns a collation as catalogs keep it, with every field, or Missing for
// the simple collation. It returns a value that is not a collation unchanged.
func fullCollation(given policy.Value) policy.Value {
	if value.IsSimpleCollation(given) {
		return policy.Value{}
	}
	locale, ok := given.Field("locale").AsString()
	if !ok {
		return given
	}
	base, _, _ := strings.Cut(locale, "@")
	full := policy.D{{Key: "locale", Value: given.Field("locale")}}
	for _, option := range collationOptions {
		value := given.Field(option.name)
		if value.IsMissing() {
			value = option.initial(base)
		}
		full = append(full, policy.E{Key: option.name, Value: value})
	}
	return policy.ObjectValue(full)
}

// checkCollation requires a collation as servers up to 4.4 read it. It checks the locale,
// then each option in the order of the catalog, then combinations of options
// (mongodb/mongo: src/mongo/db/query/collation/collator_factory_icu.cpp). It returns the
// code and the reason of a refusal.
func checkCollation(given policy.Value) (int32, string) {
	locale := given.Field("locale")
	name, _ := locale.AsString()
	base, _, _ := strings.Cut(name, "@")
	switch fields := len(policy.DOf(given)); {
	case locale.IsMissing():
		return codes.NoSuchKey, `Missing expected field "locale"`
	case locale.Kind() != policy.String:
		return codes.TypeMismatch, `"locale" had the wrong type. Expected string, found ` + locale.Kind().String()
	case name == "simple" && fields > 1:
		return codes.FailedToParse, "If locale=simple, no other fields should be present in: " + value.Shown(given)
	case name == "simple":
		return 0, ""
	case !collationLocales[base]:
		return codes.BadValue, "Field 'locale' is invalid in: " + value.Shown(given)
	}
	known := 1
	for _, option := range collationOptions {
		v := given.Field(option.name)
		if v.IsMissing() {
			continue
		}
		known++
		if code, reason := option.check(v); code != 0 {
			return code, reason
		}
	}
	if known < len(policy.DOf(given)) {
		return codes.FailedToParse, "Collation spec contains unknown field. Collation spec: " + value.Shown(given)
	}
	full := fullCollation(given)
	strength := value.WholeSeconds(full.Field("strength"))
	switch {
	case value.IsTrue(full.Field("backwards")) && strength == 1:
		return codes.BadValue, "'backwards' is invalid with 'strength' of 1 in: " + value.Shown(full)
	case value.Text(full.Field("caseFirst")) != "off" && !value.IsTrue(full.Field("caseLevel")) && strength <= 2:
		return codes.BadValue, "'caseFirst' is invalid unless 'caseLevel' is on or 'strength' is greater than 2 in: " + value.Shown(full)
	}
	return 0, ""
}

func (o collationOption) check(v policy.Value) (int32, string) {
	n, isWhole := value.ExactInt64(v)
	text, _ := v.AsString()
	switch isNumber := o.kind == policy.Int32; {
	case isNumber && !v.Kind().IsNumber(), !isNumber && v.Kind() != o.kind:
		return codes.TypeMismatch, `"` + o.name + `" had the wrong type. Expected ` + o.kind.String() + ", found " + v.Kind().String()
	case isNumber && !isWhole:
		return codes.BadValue, `Expected field "` + o.name + `" to have a value exactly representable as a 64-bit integer, but found ` + value.Shown(v)
	case isNumber && (n < 1 || n > 5):
		return codes.FailedToParse, "Field '" + o.name + "' must be an integer 1 through 5. Got: " + value.Shown(v)
	case o.name == "version" && text != collationVersion:
		return codes.IncompatibleCollation, "Requested collation version " + text + " but the only available collator version was " + collationVersion
	case o.words != "" && !isWordOf(o.words, text):
		return codes.FailedToParse, "Field '" + o.name + "' must be one of" + o.words
	}
	return 0, ""
}
