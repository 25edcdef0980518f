package cosmos

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Container decides by one container's settings. It is immutable and safe
// for concurrent use; deciding does not allocate. Make one with [CompileContainer]. The
// zero Container has TTL off, and so has a nil one.
type Container struct {
	noJSON
	row        *cells // of the matrix; nil for off
	defaultTTL TTL
	path       []string // of ttlPropertyPath; nil for _ts
	spec       ContainerSpec
}

// CompileContainer prepares a container for deciding. A defaultTtl that the service would
// refuse, alone or in combination with the indexing mode none, compiles, and keeps every
// item by an -unspecified rule. So does a container with a setting that occurs twice. CompileContainer fails for a malformed ttlPropertyPath;
// the container is nil then.
func CompileContainer(spec ContainerSpec) (*Container, error) {
	path, err := splitPath(spec.TTLPropertyPath)
	if err != nil {
		return nil, err
	}
	c := &Container{path: path, defaultTTL: defaultOf(spec), spec: spec}
	if spec.Repeated == "" && !c.defaultTTL.isAbsent() && spec.hasNoIndex() {
		c.defaultTTL = TTL{class: ttlRefused}
	}
	c.row = &precedence[settingOf(c.defaultTTL, path != nil)]
	return c, nil
}

// Spec returns the settings from which c was compiled. They are zero for a nil Container and
// the zero one.
func (c *Container) Spec() ContainerSpec {
	if c == nil {
		return ContainerSpec{}
	}
	return c.spec
}

// Replace returns the container with other settings in place of those of c, as the service
// stores them: see [ValidateContainer], whose error and warnings it returns. A nil Container
// has no settings, so that Replace creates a container. With an error Replace returns c, so
// that its first result can always be stored.
//
// A Container holds the settings and the policy, which therefore cannot disagree. It never
// changes. Items that were decided before keep their deadlines until they are decided again.
func (c *Container) Replace(spec ContainerSpec) (*Container, []Warning, error) {
	var previous *ContainerSpec
	if c != nil {
		previous = &c.spec
	}
	stored, warnings, err := ValidateContainer(spec, previous)
	if err != nil {
		return c, nil, err
	}
	next, err := CompileContainer(stored)
	if err != nil {
		return c, nil, err
	}
	return next, warnings, nil
}

// splitPath returns the names of a ttlPropertyPath, nil for _ts.
func splitPath(path string) ([]string, error) {
	names, ok := cutPath(path)
	switch {
	case path == "" || path == "/_ts":
		return nil, nil
	case !ok:
		return nil, fmt.Errorf("cosmos: ttlPropertyPath %q is not a path such as \"/createdAt\"", path)
	}
	return names, nil
}

// cutPath returns the names of a path such as "/a/b".
func cutPath(path string) (names []string, ok bool) {
	rest, ok := strings.CutPrefix(path, "/")
	names = strings.Split(rest, "/")
	return names, ok && !slices.Contains(names, "")
}

// Decide returns the decision about an item at now. It reads the root properties
// spelled exactly ttl and _ts, the latter in whole seconds since 1970.
//
// The type of a decoded document may have a method Item() Item. If the container counts
// from _ts, Decide calls only that method. Otherwise it calls Field for each property. An
// item that has no method Item and can list its fields is kept if a property that decides
// occurs twice.
func (c *Container) Decide(item policy.Document, now policy.Instant) policy.Decision {
	if c == nil {
		c = new(Container)
	}
	if engine.IsNil(item) {
		return c.decideNamed(policy.D(nil), now)
	}
	switch item := item.(type) {
	case *policy.JSON:
		return c.decideTrusted(item, now)
	case policy.JSON:
		return c.decideTrusted(&item, now)
	case interface{ Item() Item }: // which takes a quarter of the time of lookups by name
		if c.path == nil {
			return c.DecideItem(item.Item(), now)
		}
	}
	return c.decideNamed(item, now)
}

// decideNamed decides about an item by looking up its properties by name.
func (c *Container) decideNamed(item policy.Document, now policy.Instant) policy.Decision {
	if listsFields(item) && c.hasRepeated(policy.ObjectValue(item)) {
		return keptBy(ruleDuplicateUnspecified)
	}
	base, own := item.Field("_ts"), item.Field("ttl")
	if c.path != nil {
		base = at(policy.ObjectValue(item), c.path)
	}
	n, isInteger := own.AsInt64()
	return c.DecideItem(Item{ttlOf(n, isInteger, own.Kind()), timestampOf(base.AsInt64())}, now)
}

// listsFields reports whether an item can list its fields. It gives the same answer as
// [policy.Fields.Listed] in less time.
func listsFields(item policy.Document) bool {
	switch item.(type) {
	case policy.FieldLister, policy.BSON, *policy.BSON, policy.JSON, *policy.JSON, policy.Value, *policy.Value:
		return true
	}
	return false
}

// hasRepeated reports whether one of the properties that decide occurs twice in an
// item that lists its fields.
func (c *Container) hasRepeated(item policy.Value) bool {
	return c.defaultTTL.isValid() && (isRepeated(item, "ttl") || isRepeated(item, "_ts") || isRepeatedAlong(item, c.path))
}

// decideTrusted decides about an item in already checked JSON.
func (c *Container) decideTrusted(item *policy.JSON, now policy.Instant) policy.Decision {
	picks := c.picks()
	jsontext.Find(item.Bytes(), c.asked(&picks))
	return c.decidePicks(&picks, now)
}

// DecideJSON is Decide for raw JSON, which it checks first. The rule
// cosmos.malformed keeps malformed text; [policy.ParseJSON] returns the place
// of the fault.
func (c *Container) DecideJSON(item []byte, now policy.Instant) policy.Decision {
	if c == nil {
		c = new(Container)
	}
	picks := c.picks()
	if _, ok := jsontext.Check(item, c.asked(&picks)); !ok {
		return keptBy(ruleMalformed)
	}
	return c.decidePicks(&picks, now)
}

// itemPicks are the members of an item that decide: ttl, _ts and, if the
// default counts from another property, the root of that property's path.
type itemPicks [3]jsontext.Pick

func (c *Container) picks() (picks itemPicks) {
	picks[0].Name, picks[1].Name = "ttl", "_ts"
	if c.path != nil {
		picks[2].Name = c.path[0]
	}
	return picks
}

// repeat reports whether one of the members occurs twice.
func (p *itemPicks) repeat() bool {
	return p[0].Count > 1 || p[1].Count > 1 || p[2].Count > 1
}

// asked returns the picks that this container uses.
func (c *Container) asked(picks *itemPicks) []jsontext.Pick {
	if c.path == nil {
		return picks[:2]
	}
	return picks[:]
}

// decidePicks decides by the members that the picks found.
func (c *Container) decidePicks(picks *itemPicks, now policy.Instant) policy.Decision {
	base := &picks[1]
	if c.path != nil {
		picks[2] = memberAt(picks[2], c.path[1:])
		base = &picks[2]
	}
	if c.defaultTTL.isValid() && picks.repeat() {
		return keptBy(ruleDuplicateUnspecified)
	}
	return c.DecideItem(Item{ttlOfPick(&picks[0]), timestampOf(base.AsInt64())}, now)
}

// memberAt returns the member that the names lead to from the value of p through
// embedded objects, or the zero Pick if there is none or if a member of the path occurs
// several times. Texts and numbers are not decoded.
func memberAt(p jsontext.Pick, names []string) jsontext.Pick {
	for _, name := range names {
		if p.Count > 1 {
			return p
		}
		object := p.Text()
		if len(object) == 0 || object[0] != '{' {
			return jsontext.Pick{}
		}
		inner := [1]jsontext.Pick{{Name: name}}
		jsontext.Find(object, inner[:])
		p = inner[0]
	}
	return p
}

// ttlOfPick is TTLOf for a member of a raw item. It does not convert a number that
// is not an integer, so a number of any length costs no more than skipping it.
func ttlOfPick(p *jsontext.Pick) TTL {
	n, isInteger := p.AsInt64()
	switch {
	case p.Count == 0:
		return TTL{}
	case isInteger:
		return TTLSeconds(n)
	case p.IsNull():
		return TTL{class: ttlRefused}
	}
	return TTL{class: ttlOther}
}

// cell returns the cell of the matrix for an item with this ttl.
func (c *Container) cell(ttl TTL) *cell {
	row := c.row
	if row == nil {
		row = &precedence[settingOff]
	}
	return &row[ttl.class%8]
}

// DecideItem is Decide for an item whose ttl and _ts are already read.
func (c *Container) DecideItem(item Item, now policy.Instant) policy.Decision {
	if c == nil {
		c = new(Container)
	}
	cell, seconds := c.cell(item.TTL), int64(c.defaultTTL.seconds)
	if item.TTL.seconds != 0 {
		seconds = int64(item.TTL.seconds)
	}
	sum := item.TS.biased + uint64(seconds) // a sum that wraps, or that has an absent TS, is far outside the range too
	if sum-(bias-maxUnix) > 2*maxUnix || c.path != nil && item.TS.biased <= bias {
		return keptBy(c.unreachable(cell, item.TS))
	}
	deadline := policy.Instant(sum * 1000) // the bias cancels out in the product
	due := policy.State(bit(deadline <= now))
	return policy.DecisionOf((policy.Pending+due)&policy.State(cell.ends), deadline, cell.rule)
}

// maxUnix is the last second that an Instant holds, and -maxUnix the first.
const maxUnix = math.MaxInt64 / 1000

// Consulted returns the rules that were consulted on the way to d.
func (c *Container) Consulted(d policy.Decision) []policy.Rule {
	return engine.Consulted(coreLadder, d.Rule)
}

// unreachable returns the rule for an item whose deadline is beyond the range of
// instants, or that has no time to count from. At a ttlPropertyPath, 0 and negative
// numbers are not times.
func (c *Container) unreachable(cell *cell, ts Timestamp) policy.Rule {
	switch {
	case cell.ends == 0:
		return cell.rule
	case c.path != nil && ts.biased <= bias:
		return rulePathUnspecified
	case !ts.isAbsent():
		return ruleUnreachable
	}
	return ruleNoTimestamp
}

// expireAt returns the decision that an item expires ttl after ts.
func expireAt(ts Timestamp, ttl TTL, r policy.Rule, now policy.Instant) policy.Decision {
	if ts.isAbsent() {
		return keptBy(ruleNoTimestamp)
	}
	deadline, ok := valuefunc.InstantOfUnix(ts.unix() + int64(ttl.seconds)) // a sum that wraps is far outside the range too
	if !ok {
		return keptBy(ruleUnreachable)
	}
	return policy.DecisionOf(policy.Pending, deadline, r).At(now)
}

// at returns the value that the names lead to through embedded objects.
func at(v policy.Value, names []string) policy.Value {
	for _, name := range names {
		v = v.Field(name)
	}
	return v
}

// keptBy returns the decision that a rule keeps an item.
func keptBy(r policy.Rule) policy.Decision { return policy.Decision{Rule: r} }

// Reads returns the names of the root properties that deciding reads, sorted and without
// repeats: ttl, _ts and the root of the ttlPropertyPath. It returns no names if TTL is off,
// or if the settings keep every item. An item reduced to these properties is decided like
// the whole item, unless it is damaged. So a store or a query need fetch no other property.
// If one of these names occurs twice, both properties are needed.
func (c *Container) Reads() []string {
	if c == nil || !c.defaultTTL.isValid() {
		return nil
	}
	names := []string{"_ts", "ttl"}
	if c.path != nil {
		names = append(names, c.path[0])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Reads returns the names of the top-level fields that deciding reads, as
// [Container.Reads] does: ttl, and _ts or the first field of the index's path.
// [Collection.DecideAt] does not read _ts.
func (c *Collection) Reads() []string {
	names := []string{"_ts", "ttl"}
	switch {
	case c == nil || !c.active:
		return nil
	case c.path != nil:
		names[0] = c.path[0]
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Fingerprint returns the [policy.Fingerprint] of the container. Each call
// computes it anew.
func (c *Container) Fingerprint() policy.Fingerprint {
	if c == nil || c.row == nil {
		return policy.Fingerprint{}
	}
	return fingerprint("container", c.defaultTTL.spelled(), strconv.FormatBool(c.path != nil), strings.Join(c.path, "/"))
}

// Fingerprint returns the [policy.Fingerprint] of the collection. Each call
// computes it anew.
func (c *Collection) Fingerprint() policy.Fingerprint {
	if c == nil || !c.active && c.idle.IsZero() {
		return policy.Fingerprint{}
	}
	return fingerprint("collection", strconv.FormatBool(c.active), c.idle.String(), c.seconds.spelled(), strconv.FormatBool(c.noTTL),
		strconv.FormatBool(c.path != nil), strings.Join(c.path, "\x00"), strconv.Itoa(int(c.delay)))
}

func fingerprint(parts ...string) policy.Fingerprint {
	return engine.Fingerprint(append([]string{"cosmos", strconv.Itoa(RulesVersion)}, parts...)...)
}

// spelled returns a text for t. Values that the rules do not distinguish have the same
// text.
func (t TTL) spelled() string { return fmt.Sprintf("%d:%d", t.class, t.seconds) }
