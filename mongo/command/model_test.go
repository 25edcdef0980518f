package command

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The model below expresses the documentation of collMod and create in rational numbers,
// and compares releases as tuples. It shares no code with the validators. With the models
// of deciding it shares only drawn.Stored and drawn.WholeOf.

// A modelCommand is a collMod of an index or a collection, with the stored
// state.
type modelCommand struct {
	version       behaviour.Version
	now           policy.Instant
	kind          string // the kind of the collection: "", "capped", "timeseries", "clustered", "view"
	address       string // "name", "key", "both", "neither", "wrong", "id", or "own" for the collection's option
	stored        drawn.Stored
	storedMissing bool
	wanted        drawn.Stored
	null          bool // wanted is null
	fields        int  // the number of fields in the index's key
	engine        string
}

// An answer is the outcome that the model expects. It is a code, or unspecified, or the
// old and the new number of the reply together with the stored number. The function short
// writes the numbers of the reply; "-" means that the reply has no number.
type answer struct {
	code        int
	unspecified bool
	old, new    string
	stored      string // the option afterwards, in releases before 5.0; else empty
}

// nothing is an answer that reports no number.
var nothing = answer{old: "-", new: "-"}

// long writes a number as an int64.
func long(n *big.Int) string { return n.String() + "L" }

func modelRefusal(code int) answer { return answer{code: code} }

var openAnswer = answer{unspecified: true}

// clamped returns the nearest whole number that fits 64 or 32 bits.
func clamped(s drawn.Stored, limit int64) *big.Int {
	n := new(big.Int)
	switch {
	case s.Kind == "nan" || s.Kind == "text":
		return n
	case s.Kind == "infinity" && isPositive(s.Value):
		return n.SetInt64(limit)
	case s.Kind == "infinity":
		return n.SetInt64(-limit - 1)
	}
	n.Set(drawn.WholeOf(s))
	if n.Cmp(big.NewInt(limit)) > 0 {
		n.SetInt64(limit)
	}
	if n.Cmp(big.NewInt(-limit-1)) < 0 {
		n.SetInt64(-limit - 1)
	}
	return n
}

func isPositive(v policy.Value) bool {
	if f, ok := v.AsDouble(); ok {
		return f > 0
	}
	high, _, _ := v.AsDecimal()
	return high>>63 == 0
}

// afterClock reports whether n is more than the seconds since 1970.
func afterClock(n *big.Int, now policy.Instant) bool {
	return new(big.Int).Mul(n, big.NewInt(1000)).Cmp(big.NewInt(int64(now))) > 0
}

func (m modelCommand) expect() answer {
	switch {
	case m.kind == "timeseries" && drawn.Before(m.version, 5, 0, 0), m.kind == "clustered" && drawn.Before(m.version, 5, 3, 0):
		return openAnswer
	case m.address == "own":
		return m.expectOwn()
	case drawn.Before(m.version, 5, 0, 0):
		return m.expectByHand()
	}
	return m.expectStrict()
}

func (m modelCommand) expectOwn() answer {
	n := clamped(m.wanted, math.MaxInt64)
	switch {
	case drawn.Before(m.version, 5, 0, 0):
		return modelRefusal(72)
	case m.null:
		return modelRefusal(14)
	case m.kind == "view" && (drawn.Before(m.version, 5, 0, 7) || !drawn.Before(m.version, 5, 1, 0) && drawn.Before(m.version, 5, 2, 2)):
		return openAnswer
	case m.kind == "view", m.kind == "", m.kind == "capped":
		return modelRefusal(72)
	case m.wanted.Kind == "text", n.Sign() < 0, afterClock(n, m.now):
		return modelRefusal(72)
	}
	return nothing
}

func (m modelCommand) expectByHand() answer {
	names := !drawn.Before(m.version, 3, 4, 0)
	switch {
	case m.kind == "view", drawn.Before(m.version, 2, 4, 0):
		return modelRefusal(72)
	case !names && m.address != "key" && m.address != "both":
		return modelRefusal(72)
	case names && (m.address == "both" || m.address == "neither"):
		return modelRefusal(72)
	case m.wanted.Kind != "text" && !m.null && m.wanted.Value.Kind() == policy.Decimal && drawn.Before(m.version, 3, 4, 0):
		return openAnswer
	case m.null, m.wanted.Kind == "text":
		return modelRefusal(72)
	}
	switch {
	case m.address == "wrong":
		return modelRefusal(27)
	case m.storedMissing, m.address == "id", m.stored.Kind == "text":
		return modelRefusal(72)
	case m.stored.Value.Kind() == policy.Decimal && drawn.Before(m.version, 3, 4, 0):
		return openAnswer
	case drawn.Before(m.version, 4, 4, 0) && m.isSame():
		return answer{old: "-", new: "-", stored: short(m.stored.Value)}
	case m.isSame(): // the reply has both numbers, and the option is not written
		return answer{old: short(m.stored.Value), new: short(m.wanted.Value), stored: short(m.stored.Value)}
	}
	a := m.elements()
	a.code, a.unspecified, a.stored = m.storedByHand()
	return a
}

// storedByHand returns the option after collMod. 2.4 and 2.6, and mmapv1 from 3.0 to 4.0,
// overwrite the stored number and keep its type.
func (m modelCommand) storedByHand() (code int, unspecified bool, stored string) {
	n := clamped(m.wanted, math.MaxInt64)
	f, isDouble := m.wanted.Value.AsDouble()
	if isDouble && drawn.Before(m.version, 3, 2, 12) && (f != f || f >= 1<<63 || f < -(1<<63)) || isDouble && drawn.Before(m.version, 4, 0, 7) && f == 1<<63 {
		n.SetInt64(math.MinInt64)
	}
	anew := long(n)
	over, fits := "", true
	switch m.stored.Value.Kind() {
	case policy.Int32:
		cut := new(big.Int).And(n, big.NewInt(math.MaxUint32))
		if cut.Cmp(big.NewInt(math.MaxInt32)) > 0 {
			cut.Sub(cut, big.NewInt(1<<32))
		}
		over, fits = cut.String(), cut.Cmp(n) == 0
		if drawn.Before(m.version, 2, 6, 0) && !(isDouble && f > -(1<<31)-1 && f < 1<<31 || !isDouble && fits) {
			over = "-2147483648"
		}
	case policy.Double:
		rounded, _ := new(big.Float).SetInt(n).Float64()
		back, _ := new(big.Float).SetFloat64(rounded).Int(nil)
		fits = back.Cmp(n) == 0
		if drawn.Before(m.version, 2, 6, 0) && isDouble {
			rounded = f
		}
		over = short(policy.DoubleValue(rounded))
	case policy.Int64:
		over = anew
	}
	switch {
	case !drawn.Before(m.version, 4, 2, 0), m.engine == "wiredTiger":
		return 0, false, anew
	case over == "" && m.engine == "mmapv1":
		return 16632, false, ""
	case m.engine == "" && !drawn.Before(m.version, 3, 0, 0) && (over == "" || !fits):
		return 0, true, ""
	}
	return 0, false, over
}

// elements returns the reply with the stored and the wanted value unconverted.
func (m modelCommand) elements() answer {
	return answer{old: short(m.stored.Value), new: short(m.wanted.Value)}
}

// isSame reports whether the stored and the wanted option are the same number.
func (m modelCommand) isSame() bool {
	a, b := m.stored, m.wanted
	switch {
	case a.Kind == "nan" || b.Kind == "nan":
		return a.Kind == b.Kind
	case a.Kind == "infinity" || b.Kind == "infinity":
		return a.Kind == b.Kind && isPositive(a.Value) == isPositive(b.Value)
	}
	return a.Exact.Cmp(b.Exact) == 0
}

func (m modelCommand) expectStrict() answer {
	first := drawn.Before(m.version, 5, 1, 0) // 5.0, the first release that reads strictly
	switch {
	case m.wanted.Kind == "text" && !m.null:
		return modelRefusal(14)
	case m.kind == "view", m.address == "both", m.address == "neither", m.null, m.kind == "timeseries":
		return modelRefusal(72)
	case m.kind == "capped" && !first && drawn.Before(m.version, 7, 1, 0):
		return modelRefusal(72)
	}
	n := clamped(m.wanted, math.MaxInt32)
	epoch := !first && drawn.Before(m.version, 6, 0, 2)
	switch {
	case drawn.Before(m.version, 5, 0, 14) && (n.Sign() < 0 || afterClock(n, m.now)):
		return openAnswer
	case n.Sign() < 0, epoch && afterClock(n, m.now):
		return modelRefusal(72)
	case m.address == "wrong", m.address == "id" && m.kind == "clustered":
		return modelRefusal(27)
	case m.address == "id":
		return modelRefusal(72)
	case m.storedMissing && (first || m.fields > 1), !m.storedMissing && m.stored.Kind == "text":
		return modelRefusal(72)
	case drawn.Before(m.version, 5, 3, 0) && !first && !m.storedMissing && !m.stored.IsWhole():
		return openAnswer
	case drawn.Before(m.version, 5, 3, 0) && m.storedMissing:
		return answer{old: "-", new: n.String()}
	case drawn.Before(m.version, 5, 3, 0):
		return answer{old: short(m.stored.Value), new: n.String()}
	case m.storedMissing:
		return answer{old: "-", new: long(n)}
	}
	old := clamped(m.stored, math.MaxInt64)
	valid := old.Sign() >= 0 && old.Cmp(big.NewInt(math.MaxInt32)) <= 0
	switch {
	case valid:
	case drawn.Before(m.version, 6, 2, 0):
	case drawn.Before(m.version, 7, 0, 0):
		return openAnswer
	default:
		old = new(big.Int)
	}
	return answer{old: long(old), new: long(n)}
}

// key is the key pattern of the index.
func (m modelCommand) key() policy.D {
	d := policy.D{{Key: "a", Value: policy.Int32Value(1)}}
	if m.fields > 1 {
		d = append(d, policy.E{Key: "b", Value: policy.Int32Value(-1)})
	}
	return d
}

func (m modelCommand) collection() mongo.CollectionSpec {
	c := mongo.CollectionSpec{Capped: m.kind == "capped", Clustered: m.kind == "clustered", View: m.kind == "view"}
	if m.kind == "timeseries" {
		c.TimeSeries = policy.ObjectValue(policy.D{{Key: "timeField", Value: policy.StringValue("t")}})
	}
	x := mongo.IndexSpec{Name: "x", Key: m.key()}
	if !m.storedMissing {
		x.ExpireAfterSeconds = m.stored.Value
	}
	c.Indexes = []mongo.IndexSpec{x}
	return c
}

func (m modelCommand) command() policy.D {
	wanted := m.wanted.Value
	if m.null {
		wanted = policy.NullValue()
	}
	var index policy.D
	switch m.address {
	case "own":
		return policy.D{{Key: "expireAfterSeconds", Value: wanted}}
	case "name":
		index = policy.D{{Key: "name", Value: policy.StringValue("x")}}
	case "key":
		index = policy.D{{Key: "keyPattern", Value: policy.ObjectValue(m.key())}}
	case "both":
		index = policy.D{{Key: "name", Value: policy.StringValue("x")}, {Key: "keyPattern", Value: policy.ObjectValue(m.key())}}
	case "wrong":
		index = policy.D{{Key: "name", Value: policy.StringValue("y")}}
	case "id":
		index = policy.D{{Key: "name", Value: policy.StringValue("_id_")}}
	}
	index = append(index, policy.E{Key: "expireAfterSeconds", Value: wanted})
	return policy.D{{Key: "index", Value: policy.ObjectValue(index)}}
}

// commandVersions are the releases of the model, and the releases just before and just
// after each change of the commands.
var commandVersions = append([]behaviour.Version{drawn.Release(2, 6, 12), drawn.Release(3, 0, 15), drawn.Release(3, 2, 11), drawn.Release(3, 2, 12), drawn.Release(3, 4, 21), drawn.Release(4, 0, 6), drawn.Release(4, 0, 10)}, drawn.Releases...)

// profile returns the profile of the model's release with its storage engine.
func (m modelCommand) profile(t rapid.TB) mongo.Profile {
	t.Helper()
	if m.engine == "" {
		return fixture.Profile(t, m.version.String())
	}
	return commandProfile(t, m.version.String()+"/"+m.engine)
}

func modelCommands() *rapid.Generator[modelCommand] {
	return rapid.Custom(func(t *rapid.T) modelCommand {
		m := modelCommand{
			version:       rapid.SampledFrom(commandVersions).Draw(t, "version"),
			now:           drawn.Instants.Draw(t, "now"),
			kind:          rapid.SampledFrom([]string{"", "", "", "capped", "timeseries", "clustered", "view"}).Draw(t, "kind"),
			address:       rapid.SampledFrom([]string{"name", "name", "key", "key", "both", "neither", "wrong", "id", "own", "own"}).Draw(t, "address"),
			stored:        drawn.StoredOptions().Draw(t, "stored"),
			storedMissing: rapid.IntRange(0, 3).Draw(t, "missing") == 0,
			wanted:        drawn.StoredOptions().Draw(t, "wanted"),
			null:          rapid.IntRange(0, 9).Draw(t, "null") == 0,
			fields:        rapid.SampledFrom([]int{1, 1, 1, 2}).Draw(t, "fields"),
		}
		if !drawn.Before(m.version, 3, 0, 0) && drawn.Before(m.version, 4, 2, 0) {
			m.engine = rapid.SampledFrom([]string{"", "mmapv1", "wiredTiger"}).Draw(t, "engine")
		}
		if n, ok := m.stored.Value.AsInt64(); ok && n == int64(int32(n)) && rapid.Bool().Draw(t, "narrow") {
			m.stored.Value = policy.Int32Value(int32(n))
		}
		if rapid.IntRange(0, 5).Draw(t, "same") == 0 {
			m.wanted = m.stored
		}
		return m
	})
}

func TestModelCollMod(t *testing.T) { rapid.Check(t, checkModelCollMod) }

func FuzzModelCollMod(f *testing.F) { fuzzing.Property(f, checkModelCollMod) }

func checkModelCollMod(t *rapid.T) {
	m := modelCommands().Draw(t, "command")
	p := m.profile(t)
	reply, err := hidden.ValidateCollMod(m.collection(), m.command(), p, m.now)
	want := m.expect()
	got := answered(reply, err)
	if err == nil && want.stored != "" {
		got += " stored " + short(reply.Collection.Indexes[0].ExpireAfterSeconds)
	}
	if got != want.String() {
		t.Fatalf("%s %q %q of %q: %v to %s (null %v) on %s at %d = %s, %v; the model says %s",
			m.kind, m.address, m.wanted.Kind, m.stored.Kind, m.stored.Value, m.wanted.Value, m.null, m.version, m.now, got, err, want)
	}
}

func (a answer) String() string {
	switch {
	case a.unspecified:
		return "unspecified"
	case a.code != 0:
		return fmt.Sprint("refused ", a.code)
	}
	text := fmt.Sprint("old ", a.old, " new ", a.new)
	if a.stored != "" {
		text += " stored " + a.stored
	}
	return text
}

func answered(reply collModResult, err error) string {
	if refused, ok := refusedBy(err); ok && !errors.Is(err, policy.ErrUnspecified) {
		return fmt.Sprint("refused ", int(refused.Code))
	}
	if err != nil {
		return "unspecified"
	}
	return answer{old: short(reply.Old), new: short(reply.New)}.String()
}

// TestLawCollModTwice: an accepted command is accepted again, and then changes
// nothing.
func TestLawCollModTwice(t *testing.T) {
	taken := 0
	rapid.Check(t, func(t *rapid.T) {
		m := modelCommands().Draw(t, "command")
		p := m.profile(t)
		first, err := hidden.ValidateCollMod(m.collection(), m.command(), p, m.now)
		if err != nil {
			return
		}
		taken++
		checkTwice(t, first, m.command(), p, m.now)
	})
	if taken == 0 && !testing.Short() { // -short draws only a few commands
		t.Error("no command was taken")
	}
}

// checkTwice validates a command a second time, for the collection that the first time
// returned.
func checkTwice(t rapid.TB, first collModResult, command policy.D, p mongo.Profile, now policy.Instant) {
	t.Helper()
	second, err := hidden.ValidateCollMod(first.Collection, command, p, now)
	if err != nil {
		t.Fatalf("%s was taken, and then refused: %v", policy.ObjectValue(command), err)
	}
	for i, x := range first.Collection.Indexes {
		y := second.Collection.Indexes[i]
		if short(x.ExpireAfterSeconds) != short(y.ExpireAfterSeconds) || x.Hidden != y.Hidden || x.Unique != y.Unique || x.PrepareUnique != y.PrepareUnique {
			t.Fatalf("%s made %+v, and then %+v", policy.ObjectValue(command), x, y)
		}
	}
	if short(first.Collection.ExpireAfterSeconds) != short(second.Collection.ExpireAfterSeconds) {
		t.Fatalf("%s made %+v, and then %+v", policy.ObjectValue(command), first, second)
	}
	if mongofunc.F.Behaviour(p).CollModReplies == behaviour.RepliesSeconds && !second.Old.IsMissing() && short(second.Old) != short(second.New) {
		t.Fatalf("%s reports a change the second time: %s to %s", policy.ObjectValue(command), short(second.Old), short(second.New))
	}
}

// TestModelCreate: create treats the collection's own option as the model does, for each
// kind and release.
func TestModelCreate(t *testing.T) { rapid.Check(t, checkModelCreate) }

func FuzzModelCreate(f *testing.F) { fuzzing.Property(f, checkModelCreate) }

func checkModelCreate(t *rapid.T) {
	version := rapid.SampledFrom(drawn.Releases).Draw(t, "version")
	now := drawn.Instants.Draw(t, "now")
	kind := rapid.SampledFrom([]string{"", "timeseries", "timeseries", "clusteredIndex", "clusteredIndex", "viewOn"}).Draw(t, "kind")
	wanted := drawn.StoredOptions().Draw(t, "wanted")
	p := fixture.Profile(t, version.String())
	command := policy.D{{Key: "expireAfterSeconds", Value: wanted.Value}}
	switch kind {
	case "timeseries":
		command = append(command, policy.E{Key: kind, Value: policy.ObjectValue(policy.D{{Key: "timeField", Value: policy.StringValue("t")}})})
	case "clusteredIndex":
		key := policy.ObjectValue(policy.D{{Key: "_id", Value: policy.Int32Value(1)}})
		command = append(command, policy.E{Key: kind, Value: policy.ObjectValue(policy.D{{Key: "key", Value: key}, {Key: "unique", Value: policy.BoolValue(true)}})})
	case "viewOn":
		command = append(command, policy.E{Key: kind, Value: policy.StringValue("c")})
	}
	c, err := hidden.ValidateCreate(command, p, now)
	want := createModel(version, now, kind, wanted)
	if got := answered(collModResult{New: c.ExpireAfterSeconds}, err); got != want.String() {
		t.Fatalf("create(%s) on %s at %d = %s, %v; the model says %s", policy.ObjectValue(command), version, now, got, err, want)
	}
	if err != nil {
		return
	}
	if _, err := mongo.CompileCollection(c, p); err != nil {
		t.Fatalf("create(%s) on %s makes what does not compile: %v", policy.ObjectValue(command), version, err)
	}
}

func createModel(version behaviour.Version, now policy.Instant, kind string, wanted drawn.Stored) answer {
	n := clamped(wanted, math.MaxInt64)
	switch {
	case drawn.Before(version, 3, 4, 0):
		return nothing
	case drawn.Before(version, 4, 2, 0):
		return modelRefusal(72)
	case drawn.Before(version, 5, 0, 0):
		return modelRefusal(40415)
	case wanted.Kind == "text":
		return modelRefusal(14)
	case kind == "", kind == "viewOn", kind == "clusteredIndex" && drawn.Before(version, 5, 3, 0), n.Sign() < 0, afterClock(n, now):
		return modelRefusal(72)
	}
	return answer{old: "-", new: long(n)}
}

// TestModelCreateOld: create up to 4.2 treats the options of capped collections and of
// views as the model does.
func TestModelCreateOld(t *testing.T) { rapid.Check(t, checkModelCreateOld) }

func checkModelCreateOld(t *rapid.T) {
	version := rapid.SampledFrom([]behaviour.Version{drawn.Release(2, 2, 7), drawn.Release(2, 4, 0), drawn.Release(2, 4, 14), drawn.Release(2, 6, 0), drawn.Release(2, 6, 2), drawn.Release(3, 2, 22), drawn.Release(3, 4, 0), drawn.Release(4, 0, 10), drawn.Release(4, 2, 0)}).Draw(t, "version")
	p := fixture.Profile(t, version.String())
	var command policy.D
	capped := rapid.Bool().Draw(t, "capped")
	for _, name := range rapid.Permutation([]string{"capped", "size", "max", "viewOn", "comment", "bogus"}).Draw(t, "order")[:rapid.IntRange(0, 6).Draw(t, "n")] {
		value := policy.StringValue(rapid.SampledFrom([]string{"", "c"}).Draw(t, "text"))
		switch name {
		case "capped":
			value = policy.BoolValue(capped)
		case "size", "max":
			value = drawn.StoredOptions().Draw(t, name).Value
		}
		if drawn.Before(version, 3, 4, 0) && value.Kind() == policy.Decimal {
			value = policy.Int32Value(-1) // up to 3.2 there is no Decimal128
		}
		command = append(command, policy.E{Key: name, Value: value})
	}
	_, err := hidden.ValidateCreate(command, p, 0)
	code := 0
	if refused, ok := refusedBy(err); ok {
		code = int(refused.Code)
	}
	if want := createOldModel(version, command); code != want {
		t.Fatalf("create(%s) on %s = %d, %v; the model says %d", policy.ObjectValue(command), version, code, err, want)
	}
}

// createOldModel is the code with which a release up to 4.2 refuses a create, 0 if it
// accepts it.
func createOldModel(version behaviour.Version, command policy.D) int {
	given := map[string]policy.Value{}
	for _, e := range command {
		given[e.Key] = e.Value
	}
	capped, _ := given["capped"].AsBool()
	size, hasSize := given["size"]
	strict, views := !drawn.Before(version, 4, 2, 0), !drawn.Before(version, 3, 4, 0)
	if strict {
		for _, e := range command { // in the given order
			switch e.Key {
			case "size", "max":
				if !e.Value.Kind().IsNumber() {
					return 14
				}
			case "comment", "bogus":
				return 40415
			}
		}
		if _, hasMax := given["max"]; capped && !hasSize || !capped && (hasSize || hasMax) {
			return 72
		}
	} else if capped && !size.Kind().IsNumber() {
		return 14832
	}
	for _, e := range command {
		if code := optionModel(version, e, capped, strict, views); code != 0 {
			return code
		}
	}
	return 0
}

// optionModel returns the code with which create up to 4.2 refuses one option, 0 if it
// accepts the option.
func optionModel(version behaviour.Version, e policy.E, capped, strict, views bool) int {
	bad := 2
	typed := !drawn.Before(version, 2, 6, 0) && drawn.Before(version, 2, 6, 2)
	text, isText := e.Value.AsString()
	switch e.Key {
	case "viewOn":
		if views && (!isText || text == "") {
			return 2
		}
		return 0
	case "comment", "bogus":
		if views && !strict {
			return 72
		}
		return 0
	case "capped":
		return 0
	}
	f, isDouble := e.Value.AsDouble()
	n := clamped(drawn.Stored{Kind: numberKind(e.Value), Exact: exactOf(e.Value), Value: e.Value}, math.MaxInt64)
	if isDouble && !strict && (f != f || f >= 1<<63 || f < -(1<<63)) {
		n.SetInt64(math.MinInt64)
	}
	switch {
	case !e.Value.Kind().IsNumber():
		if typed {
			return 2
		}
	case e.Key == "size":
		if drawn.Before(version, 2, 6, 0) {
			bad = 10083
		}
		if n.Sign() < 0 || views && n.Cmp(big.NewInt(1<<50)) > 0 {
			return bad
		}
	case drawn.Before(version, 2, 4, 0):
	case (capped || typed) && n.Cmp(big.NewInt(math.MaxInt32)) > 0 && n.Cmp(big.NewInt(math.MaxInt64)) != 0:
		if drawn.Before(version, 2, 6, 0) {
			bad = 16495
		}
		return bad
	}
	return 0
}

// numberKind and exactOf return the fields Kind and Exact that drawn.Stored has for a
// value.
func numberKind(v policy.Value) string {
	switch f, isDouble := v.AsDouble(); {
	case !v.Kind().IsNumber():
		return "text"
	case v.IsNaN():
		return "nan"
	case isDouble && math.IsInf(f, 0), v.Kind() == policy.Decimal && strings.Contains(v.String(), "Infinity"):
		return "infinity"
	case isDouble:
		return "double"
	case v.Kind() == policy.Decimal:
		return "decimal"
	}
	return "int"
}

func exactOf(v policy.Value) *big.Rat {
	if n, ok := v.AsInt64(); ok {
		return new(big.Rat).SetInt64(n)
	}
	if f, ok := v.AsDouble(); ok {
		return new(big.Rat).SetFloat64(f)
	}
	_, text, _ := strings.Cut(v.String(), `":"`)
	exact, _ := new(big.Rat).SetString(strings.TrimSuffix(text, `"}`))
	return exact
}
