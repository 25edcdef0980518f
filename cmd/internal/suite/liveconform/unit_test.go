package liveconform

import (
	"slices"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live/wiretest"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestMoved: all dates of a question move, wherever they are, and nothing else does.
func TestMoved(t *testing.T) {
	q := conformance.Question{In: []byte(`{"now":{"$date":{"$numberLong":"1000"}},"document":{"t":[{"$date":{"$numberLong":"5"}},{"x":{"$date":{"$numberLong":"-1"}}}],"n":{"$numberLong":"5"},"s":{"$timestamp":{"t":5,"i":0}}}}`)}
	want := `{"now":{"$date":{"$numberLong":"990"}},"document":{"t":[{"$date":{"$numberLong":"-5"}},{"x":{"$date":{"$numberLong":"-11"}}}],"n":{"$numberLong":"5"},"s":{"$timestamp":{"t":5,"i":0}}}}`
	got, err := moved(q, -10)
	if err != nil || string(got.In) != want {
		t.Errorf("moved(%s, -10) = %s, %v, want %s", q.In, got.In, err, want)
	}
	v, err := valuefunc.F.ParseExtJSONInt32(q.In)
	if err != nil {
		t.Fatal(err)
	}
	if first, last, ok := datesIn(v); first != -1 || last != 1000 || !ok {
		t.Errorf("datesIn() = %d, %d, %t, want -1, 1000, true", first, last, ok)
	}
	if _, _, ok := datesIn(policy.Int64Value(1)); ok {
		t.Error("datesIn(1) finds a date")
	}
}

func TestRoundDown(t *testing.T) {
	for _, tt := range []struct{ n, to, want int64 }{{7, 1, 7}, {-7, 1, -7}, {7, 5, 5}, {-7, 5, -10}, {10, 5, 10}, {-10, 5, -10}} {
		if got := roundDown(tt.n, tt.to); got != tt.want {
			t.Errorf("roundDown(%d, %d) = %d, want %d", tt.n, tt.to, got, tt.want)
		}
	}
}

// TestJudge: the answer follows from the copies that are left.
func TestJudge(t *testing.T) {
	for _, tt := range []struct {
		left   string // the names of the copies that are left
		isLate bool
		want   string
	}{
		{"", false, `{"out":{"state":"expired"}}`},
		{"early late aged old", false, `{"out":{"state":"never"}}`},
		{"early late old", false, `{"out":{"state":"pending"}}`},
		{"early late", false, `{"out":{"state":"pending"}}`},
		{"early", false, "boundary"},
		{"early aged old", false, "boundary"},
		{"late", false, "fault"},
		{"", true, "boundary"},
		{"early late aged old", true, `{"out":{"state":"never"}}`},
	} {
		x, c := &experiment{until: 100_000}, &collection{state: state{readAt: 1000}}
		if tt.isLate {
			c.readAt = 99_000
		}
		for name, r := range map[string]role{"early": early, "late": late, "aged": aged, "old": aged} {
			x.copies = append(x.copies, &copied{role: r, in: c, isLeft: slices.Contains(strings.Fields(tt.left), name)})
		}
		if got := x.judge(); got.String() != tt.want && got.Kind.String() != tt.want {
			t.Errorf("judge() with %q left = %s, want %s", tt.left, got, tt.want)
		}
	}
}

// TestCommandsOnTheWire: a run writes to its own database alone, and sends only
// commands on the list.
func TestCommandsOnTheWire(t *testing.T) {
	t.Parallel()
	wire := wiretest.Start(t, func(c wiretest.Command) bson.D {
		switch c.Name {
		case "listCollections", "listIndexes", "find":
			return bson.D{{Key: "cursor", Value: bson.D{{Key: "firstBatch", Value: bson.A{}}, {Key: "id", Value: int64(0)}, {Key: "ns", Value: "x.y"}}}, {Key: "ok", Value: 1}}
		case "getParameter":
			return bson.D{{Key: "ttlMonitorSleepSecs", Value: 60}, {Key: "ok", Value: 1}}
		case "create", "createIndexes", "collMod", "dropIndexes", "insert", "update", "delete", "drop", "dropDatabase", "setParameter", "serverStatus":
			return bson.D{{Key: "ok", Value: 1}}
		}
		return nil
	})
	s := start(t, t.Context(), dial(t, "mongodb://"+wire.Host()), Options{})
	if _, err := suite.Run(suite.Embedded().Only(func(v *suite.Vector) bool { return v.Op == historyOp || one(8)(v) }), s); err != nil || s.Err() != nil {
		t.Fatal(err, s.Err())
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	sent := map[string]int{}
	for _, c := range wire.Commands() {
		sent[c.Name]++
		switch isOwn := slices.Contains(own, c.Name); {
		case !slices.Contains(Commands, c.Name):
			t.Errorf("%s is sent, and not on the list", c.Name)
		case isOwn && c.Text("$db") != s.name:
			t.Errorf("%s goes to %q", c.Name, c.Text("$db"))
		case c.Name == "setParameter" && c.Body.Lookup(sleepParameter).IsZero():
			t.Errorf("setParameter sets something else: %s", c.Body)
		}
	}
	for _, name := range append(own, "setParameter") {
		if sent[name] == 0 {
			t.Errorf("%s is on the list, and never sent: %v", name, sent)
		}
	}
	if sent["setParameter"] != 2 {
		t.Errorf("setParameter is sent %d times, want 2: there and back", sent["setParameter"])
	}
}

// TestScale: the first marks that a sweep left, and nothing else, tell how much later a
// document is due.
func TestScale(t *testing.T) {
	t.Parallel()
	left := func(document, twin int32, missing ...int32) (ids bson.A) {
		for i := range int32(marks) {
			if i >= document && !slices.Contains(missing, i) {
				ids = append(ids, bson.D{{Key: "_id", Value: i}})
			}
			if i >= twin {
				ids = append(ids, bson.D{{Key: "_id", Value: -1 - i}})
			}
		}
		return ids
	}
	for _, tt := range []struct {
		why   string
		ids   bson.A
		later policy.Instant
		ok    bool
	}{
		{"the same", left(700, 700), 0, true},
		{"due 1 ms later", left(699, 700), 1, true},
		{"due 3 ms earlier", left(703, 700), -3, true},
		{"no sweep yet", left(0, 0), 0, false},
		{"all gone", left(marks, marks), 0, false},
		{"in the middle of a sweep", left(700, 700, 900), 0, false},
		{"only the plain one expires", left(0, 700), 0, false},
		{"a copy that came when its twin was gone", left(500, 499), 0, false},
	} {
		wire := wiretest.Start(t, func(c wiretest.Command) bson.D {
			if c.Name != "find" {
				return nil
			}
			return bson.D{{Key: "cursor", Value: bson.D{{Key: "firstBatch", Value: tt.ids}, {Key: "id", Value: int64(0)}, {Key: "ns", Value: "x.y"}}}, {Key: "ok", Value: 1}}
		})
		s := &System{ctx: t.Context(), name: newName(), client: dial(t, "mongodb://"+wire.Host())}
		begin := s.now() + 60_000 // so far ahead that the test never waits for the end
		if !tt.ok {
			begin = s.now() - marks - 1800
		}
		later, ok := s.apart("c1", begin, 500)
		if later != tt.later || ok != tt.ok {
			t.Errorf("%s: apart() = %d, %t, want %d, %t", tt.why, later, ok, tt.later, tt.ok)
		}
	}
}

// TestOwnDatabase: no command leaves the database of a run.
func TestOwnDatabase(t *testing.T) {
	for _, tt := range []struct{ database, command string }{{"shop", "drop"}, {"ttlconform_0123456789ab", "killOp"}, {"ttlconform_shop", "insert"}, {"", "dropDatabase"}} {
		s := &System{name: tt.database}
		if _, err := s.run(t.Context(), bson.D{{Key: tt.command, Value: 1}}); err == nil {
			t.Errorf("%s is sent to %q", tt.command, tt.database)
		}
	}
	for range 100 {
		if name := newName(); !isRun(name) {
			t.Errorf("isRun(%q) = false", name)
		}
	}
}
