package main

import (
	"cmp"
	"encoding/binary"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

const (
	upgradeSample = samples + "upgrade"
	legacyNull    = "internalQueryLegacyDottedPathNullSemantics=true"
)

// orders holds the numbers of the sample's documents by their fate, counted with another
// reader of BSON and by the text of the release notes.
type orders struct{ always, since90, sinceAndPast, alwaysAndPast int64 }

func countOrders(t *testing.T) (n orders) {
	t.Helper()
	now, err := time.Parse(time.RFC3339, sampleAt)
	if err != nil {
		t.Fatal(err)
	}
	file := readFile(t, upgradeSample+"/orders.bson")
	for len(file) > 0 {
		size := binary.LittleEndian.Uint32(file)
		var order struct {
			MadeAt    time.Time `bson:"madeAt"`
			Shipments *bson.A   `bson:"shipments"`
		}
		if err := bson.Unmarshal(file[:size], &order); err != nil {
			t.Fatal(err)
		}
		file = file[size:]
		unsent, broken := readShipments(t, order.Shipments)
		isPast := !order.MadeAt.AddDate(0, 0, 30).After(now)
		switch {
		case unsent:
			n.always++
			n.alwaysAndPast += oneIf(isPast)
		case broken:
			n.since90++
			n.sinceAndPast += oneIf(isPast)
		}
	}
	return n
}

// readShipments reports two properties of an order. unsent: the field shipments is
// missing or has a shipment without sentAt. broken: the array is empty or holds a scalar,
// so that the path shipments.sentAt ends in the array.
func readShipments(t *testing.T, list *bson.A) (unsent, broken bool) {
	t.Helper()
	if list == nil {
		return true, false
	}
	broken = len(*list) == 0
	for _, e := range *list {
		one, isDocument := e.(bson.D)
		if !isDocument {
			broken = true
			continue
		}
		unsent = unsent || !slices.ContainsFunc(one, func(f bson.E) bool { return f.Key == "sentAt" })
	}
	return unsent, broken
}

func oneIf(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// TestUpgradeTo90 upgrades a dump of 8.0.4 to 9.0.0: the audit finds the filter
// and counts documents, the forecast shows how many expire, and the server
// parameter keeps them.
func TestUpgradeTo90(t *testing.T) {
	n := countOrders(t)
	if n.since90 < 10 || n.sinceAndPast < 10 || n.alwaysAndPast < 10 || n.sinceAndPast == n.since90 {
		t.Fatalf("the sample shows too little: %+v", n)
	}
	expired := func(args ...string) int64 {
		return forecastOf(t, ttl(t, "", append([]string{"forecast", "--format", "json", "--now", sampleAt, upgradeSample + "/orders.bson"}, args...)...)).Expired
	}
	for _, tt := range []struct {
		args []string
		want int64
	}{
		{nil, n.alwaysAndPast}, // the dump's own release
		{[]string{"--server", "8.3.17"}, n.alwaysAndPast},
		{[]string{"--server", "9.0.0"}, n.alwaysAndPast + n.sinceAndPast},
		{[]string{"--server", "9.0.0", "--server-parameter", legacyNull}, n.alwaysAndPast},
	} {
		if got := expired(tt.args...); got != tt.want {
			t.Errorf("forecast %q: %d have expired, want %d", tt.args, got, tt.want)
		}
	}

	audit := []string{"audit", "--format", "json", "--now", sampleAt, "--server", "8.0.4", "--moving-to", "9.0.0", upgradeSample}
	r := ttl(t, "", audit...)
	a := auditOf(t, r)
	if got := a.found(); r.code != cli.ExitFindings || got != "deletes mongo.move-filter-more unsent" || a.Audited[0].Findings[0].Documents != n.since90 {
		t.Errorf("audit: exit %d, found %s of %d documents, want it of %d", r.code, got, a.Audited[0].Findings[0].Documents, n.since90)
	}
	if first := a.Audited[0].Findings[0].Repairs[0].Commands; !slices.Equal(first, []string{"mongod --setParameter " + legacyNull}) {
		t.Errorf("the first repair is %q", first)
	}
	r = ttl(t, "", append(audit, "--server-parameter", legacyNull)...)
	if got := auditOf(t, r).found(); r.code != cli.ExitOK || got != "" {
		t.Errorf("audit with the parameter: exit %d, found %s, want nothing", r.code, got)
	}
	r = ttl(t, "", "audit", "--format", "json", "--now", sampleAt, "--server", "9.0.0", "--moving-to", "8.3.17", upgradeSample)
	if a := auditOf(t, r); a.found() != "keeps mongo.move-filter-fewer unsent" || a.Audited[0].Findings[0].Documents != n.since90 {
		t.Errorf("audit of a downgrade: found %s of %d documents, want it of %d", a.found(), a.Audited[0].Findings[0].Documents, n.since90)
	}
}

// TestNullPage compares the table of docs/null-on-dotted-paths.md with the
// evaluator.
func TestNullPage(t *testing.T) {
	t.Parallel()
	page := contents(t, "../../docs/null-on-dotted-paths.md")
	rows := regexp.MustCompile("(?m)^\\|(?: `\\{\"(.*)\": null\\}` \\|)? `(\\{.*\\})` \\| (\\w+) \\| \\**(\\w+)\\** \\|$").FindAllStringSubmatch(page, -1)
	if len(rows) < 20 {
		t.Fatalf("%d documents, want more", len(rows))
	}
	flips := 0
	for _, row := range rows {
		path := cmp.Or(row[1], "a.b")
		for i, release := range []string{"8.3.17", "9.0.0"} {
			if got := fateOf(t, path, row[2], release); got != row[3+i] {
				t.Errorf("with null at %s, %s %s in %s, and the page says that it %s", path, row[2], got, release, row[3+i])
			}
		}
		if row[3] != row[4] {
			flips++
		}
	}
	if flips != strings.Count(page, "| **expires** |") || flips == 0 {
		t.Errorf("%d documents change, and the page shows %d", flips, strings.Count(page, "| **expires** |"))
	}
}

// fateOf returns the effect of a partial TTL index on a document with an old date. The
// filter of the index requires null at a path.
func fateOf(t *testing.T, path, document, release string) string {
	t.Helper()
	v, _, err := mongosh.ParseValue(document, 0)
	if err != nil {
		t.Fatal(err)
	}
	index, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{
		Key:                     policy.D{{Key: "t", Value: policy.Int32Value(1)}},
		ExpireAfterSeconds:      policy.Int32Value(0),
		PartialFilterExpression: policy.ObjectValue(policy.D{{Key: path, Value: policy.NullValue()}}),
	}}}, fixture.Profile(t, release))
	if err != nil {
		t.Fatal(err)
	}
	doc := append(policy.DOf(v), policy.E{Key: "t", Value: policy.DateValue(0)})
	if index.Decide(doc, 1000).State == policy.Expired {
		return "expires"
	}
	return "stays"
}
