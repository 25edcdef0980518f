package command

import (
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// checkStorage checks the options of storage engines, but not the contents of an
// engine's own options (mongodb/mongo: src/mongo/db/storage/storage_engine_init.cpp).
func (x *indexCommand) checkStorage() error {
	const at = "storageEngine"
	v, code := x.index.Field(at), x.profile.StorageCode
	if v.IsMissing() || code == 0 {
		return nil
	}
	if err := firstOf(
		refusal{v.Kind() != policy.Object, code, rules.IndexStorage, at, `"storageEngine" options must be a document if present`},
		refusal{v.Kind() == policy.Object && len(policy.DOf(v)) == 0, code, rules.IndexStorage, at, `Empty "storageEngine" options are invalid. Please remove the field or include valid options.`},
	); err != nil {
		return err
	}
	for f := v.Fields(); f.Next(); {
		place := at + "." + f.Name()
		if f.Value().Kind() != policy.Object {
			return refuseBy(codes.BadValue, rules.IndexStorage, place, "'%s' has to be an embedded document.", place)
		}
		if !slices.Contains([]string{"wiredTiger", "mmapv1", "inMemory", "ephemeralForTest", "devnull", "rocksdb"}, f.Name()) {
			return refuseBy(codes.InvalidOptions, rules.IndexStorage, place, "%s is not a registered storage engine for this server", f.Name())
		}
	}
	return nil
}

// complete turns the specification of a text index into the form that the catalog holds: a
// key with two extra fields, the weights and the languages (mongodb/mongo:
// src/mongo/db/fts/fts_spec.cpp, fixSpec). It checks the options of text indexes and of
// those of type 2dsphere.
func (x *indexCommand) complete() error {
	switch indexType(x.profile, policy.ObjectValue(x.spec.Key)) {
	case "text":
		return x.completeText()
	case "2dsphere":
		v := x.index.Field("2dsphereIndexVersion")
		n := value.WholeSeconds(v)
		wrong := !v.Kind().IsNumber() || n < 1 || n > 3
		return firstOf(refusal{!v.IsMissing() && wrong, codes.CannotCreateIndex, rules.IndexSpecial, "2dsphereIndexVersion",
			"unsupported geo index version { 2dsphereIndexVersion : " + value.Shown(v) + " }, only versions: [1,2,3] are supported"})
	}
	return nil
}

// textLanguages are the defaults of the options of text indexes about languages.
var textLanguages = policy.D{{Key: "default_language", Value: policy.StringValue("english")}, {Key: "language_override", Value: policy.StringValue("language")}}

// weightLimit is the smallest weight that is too large.
const weightLimit = 100000

func (x *indexCommand) completeText() error {
	if v := x.index.Field("textIndexVersion"); v.Kind().IsNumber() && value.WholeSeconds(v) == 1 {
		return x.completeFirstText()
	}
	weights := map[string]int64{}
	if err := x.readTextKey(weights); err != nil {
		return err
	}
	if err := x.readWeights(weights); err != nil {
		return err
	}
	language, override, version := x.index.Field("default_language"), x.index.Field("language_override"), x.index.Field("textIndexVersion")
	overrideText := value.Text(override)
	badOverride := overrideText == "" || overrideText[0] == '$' || strings.Contains(overrideText, ".")
	n := value.WholeSeconds(version)
	if err := firstOf(
		refusal{!language.IsMissing() && language.Kind() != policy.String, codes.CannotCreateIndex, rules.IndexSpecial, "default_language", "default_language needs a string type"},
		refusal{!language.IsMissing() && !isLanguage(value.Text(language)), codes.CannotCreateIndex, rules.IndexSpecial, "default_language", "default_language is not valid"},
		refusal{!override.IsMissing() && override.Kind() != policy.String, codes.CannotCreateIndex, rules.IndexSpecial, "language_override", "language_override must be a string"},
		refusal{!override.IsMissing() && badOverride, codes.CannotCreateIndex, rules.IndexSpecial, "language_override", "language_override is not valid"},
		refusal{!version.IsMissing() && (!version.Kind().IsNumber() || n != 2 && n != 3), codes.CannotCreateIndex, rules.IndexSpecial, "textIndexVersion", "bad textIndexVersion: " + value.Shown(version)},
	); err != nil {
		return err
	}
	x.spec.Key = storedKey(x.spec.Key)
	setOption(&x.spec, "weights", weightsOf(weights))
	for _, option := range textLanguages {
		if x.index.Field(option.Key).IsMissing() {
			setOption(&x.spec, option.Key, option.Value)
		}
	}
	return nil
}

// completeFirstText is completeText for the first version of text indexes, whose languages
// are not checked (mongodb/mongo: src/mongo/db/fts/fts_spec_legacy.cpp, _fixSpecV1).
func (x *indexCommand) completeFirstText() error {
	weights := map[string]int64{}
	for _, e := range x.spec.Key {
		if e.Value.Kind() == policy.String && e.Key != "_fts" {
			weights[e.Key] = 1
		}
	}
	given := x.index.Field("weights")
	for f := given.Fields(); f.Next(); {
		weights[f.Name()] = value.WholeSeconds(f.Value())
	}
	if text := value.Text(given); text == "$**" {
		weights[text] = 1
	}
	for _, weight := range weights {
		if weight <= 0 || weight >= weightLimit {
			return refuseBy(codes.CannotCreateIndex, rules.IndexSpecial, "weights", "text index weight must be in the exclusive interval (0,100000)")
		}
	}
	x.spec.Key = storedKey(x.spec.Key)
	setOption(&x.spec, "weights", weightsOf(weights))
	for _, option := range textLanguages {
		if value.Text(x.index.Field(option.Key)) == "" {
			setOption(&x.spec, option.Key, option.Value)
		}
	}
	return nil
}

// readTextKey requires the key pattern of a text index: text fields that are adjacent,
// and other fields with the value 1 or -1. It gives each text field the weight 1.
func (x *indexCommand) readTextKey(weights map[string]int64) error {
	texts, ended := false, false
	for i, e := range x.spec.Key {
		isText := e.Value.Kind() == policy.String
		direction := value.WholeSeconds(e.Value)
		place := "key." + e.Key
		own := e.Key == "_fts" || e.Key == "_ftsx"
		placed := own && i > 0 && e.Key == "_ftsx" && x.spec.Key[i-1].Key == "_fts" || e.Key == "_fts" && !texts
		if err := firstOf(
			refusal{own && !placed, codes.CannotCreateIndex, rules.IndexSpecial, place, "text index with reserved fields _fts/_ftsx not allowed"},
			refusal{e.Key == "_fts" && (i+1 == len(x.spec.Key) || x.spec.Key[i+1].Key != "_ftsx"), codes.CannotCreateIndex, rules.IndexSpecial, place, "expected _ftsx after _fts"},
			refusal{e.Key == "_ftsx" && direction != 1, codes.CannotCreateIndex, rules.IndexSpecial, place, "expecting _ftsx:1"},
			refusal{!isText && direction != 1 && direction != -1, codes.CannotCreateIndex, rules.IndexSpecial, place, "expected value 1 or -1 for non-text key in compound index"},
			refusal{isText && ended, codes.CannotCreateIndex, rules.IndexSpecial, place, "'text' fields in index must all be adjacent"},
		); err != nil {
			return err
		}
		if isText && !own {
			weights[e.Key] = 1
		}
		ended = texts && !isText
		texts = texts || isText
	}
	return nil
}

func (x *indexCommand) readWeights(weights map[string]int64) error {
	const at = "weights"
	given := x.index.Field(at)
	switch text := value.Text(given); {
	case given.Kind() == policy.Object:
		for f := given.Fields(); f.Next(); {
			if !f.Value().Kind().IsNumber() {
				return refuseBy(codes.CannotCreateIndex, rules.IndexSpecial, at+"."+f.Name(), "weight for text index needs numeric type")
			}
			weights[f.Name()] = min(max(value.WholeSeconds(f.Value()), math.MinInt32), math.MaxInt32)
		}
	case text == "$**":
		weights["$**"] = 1
	case !given.IsMissing():
		return refuseBy(codes.CannotCreateIndex, rules.IndexSpecial, at, "text index option 'weights' must be an object")
	}
	if len(weights) == 0 {
		return refuseBy(codes.CannotCreateIndex, rules.IndexSpecial, at, "text index option 'weights' must specify fields or the wildcard")
	}
	for name, weight := range weights {
		if weight <= 0 || weight >= weightLimit || name != "$**" && !isWeighable(name) {
			return refuseBy(codes.CannotCreateIndex, rules.IndexSpecial, at, "text index weight must be of a field, and in the exclusive interval (0,100000)")
		}
	}
	return nil
}

// isWeighable reports whether no field of a path is empty or begins with a dollar sign.
func isWeighable(dotted string) bool {
	for name := range strings.SplitSeq(dotted, ".") {
		if name == "" || name[0] == '$' {
			return false
		}
	}
	return true
}

// weightsOf returns weights as the catalog holds them, by name.
func weightsOf(weights map[string]int64) policy.Value {
	var d policy.D
	for name, weight := range weights {
		d = append(d, policy.E{Key: name, Value: policy.Int32Value(int32(weight))})
	}
	slices.SortFunc(d, func(a, b policy.E) int { return strings.Compare(a.Key, b.Key) })
	return policy.ObjectValue(d)
}

// isLanguage reports whether text search knows a language, regardless of upper and lower
// case. Languages that only the Enterprise edition knows are left out.
func isLanguage(name string) bool {
	return isWordOf(" none danish da dutch nl english en finnish fi french fr german de hungarian hu italian it norwegian nb portuguese pt romanian ro"+
		" russian ru spanish es swedish sv turkish tr ", strings.ToLower(name))
}

// setOption sets an option for which IndexSpec has no field.
func setOption(s *mongo.IndexSpec, name string, v policy.Value) {
	for i := range s.Options {
		if s.Options[i].Key == name {
			s.Options[i].Value = v
			return
		}
	}
	s.Options = append(s.Options, policy.E{Key: name, Value: v})
}
