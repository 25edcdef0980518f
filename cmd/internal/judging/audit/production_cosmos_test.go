package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/catalogtest"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A containerMistake is a mistake seen in production with a container and its items,
// together with a similar correct case.
type containerMistake struct {
	folder string
	// settings are settings of the container. property is a property of each item, with
	// %d for the item's number. In each pair, the first text has the mistake, and the
	// second is correct.
	settings, property [2]string
	want               string
	atOnce             int // the number of items that the repair deletes at once; -1 without a repair
	says               string
}

var containerMistakes = []containerMistake{
	{"cosmos-milliseconds", [2]string{`"defaultTtl":86400000`, `"defaultTtl":86400`}, [2]string{}, "keeps cosmos.seconds", 98,
		"This deletes every item that was last written more than its own ttl seconds ago, and every one without a ttl that was last written more than 1 d ago, as soon as it runs."},
	{"cosmos-instant", [2]string{`"defaultTtl":1795132800`, `"defaultTtl":157680000`}, [2]string{}, "keeps cosmos.seconds", -1, ""},
	{"cosmos-spelling", [2]string{`"default_ttl":604800`, `"defaultTtl":604800`}, [2]string{}, "keeps cosmos.off", 86,
		"This deletes every item that was last written more than its own ttl seconds ago, and every one without a ttl that was last written more than 7 d ago, as soon as it runs."},
	{"cosmos-analytical", [2]string{`"analyticalStorageTtl":86400000`, `"analyticalStorageTtl":2592000`}, [2]string{}, "keeps cosmos.analytical", -1, ""},
	{"cosmos-analytical-text", [2]string{`"analyticalStorageTtl":"86400"`, `"analyticalStorageTtl":86400`}, [2]string{}, "unspecified cosmos.analytical-unspecified", -1, ""},
	{"cosmos-zero", [2]string{`"defaultTtl":0`, `"defaultTtl":-1`}, [2]string{}, "keeps cosmos.default-refused", -1, ""},
	{"cosmos-no-index", [2]string{`"defaultTtl":3600,"indexingPolicy":{"indexingMode":"none"}`, `"defaultTtl":3600,"indexingPolicy":{"indexingMode":"consistent"}`}, [2]string{}, "keeps cosmos.indexing-none", -1, ""},
	{"cosmos-off", [2]string{`"indexingPolicy":{}`, `"defaultTtl":-1`}, [2]string{`"ttl":86400`, `"ttl":86400`}, "keeps cosmos.off", 98,
		"This deletes every item that was last written more than its own ttl seconds ago, as soon as it runs."},
	{"cosmos-property", [2]string{`"defaultTtl":-1`, `"defaultTtl":-1`}, [2]string{`"timeToLive":3600`, `"ttl":3600`}, "keeps cosmos.property-name", -1, ""},
	{"cosmos-item-milliseconds", [2]string{`"defaultTtl":-1`, `"defaultTtl":-1`}, [2]string{`"ttl":86400000`, `"ttl":86400`}, "keeps cosmos.seconds", -1, ""},
	{"cosmos-item-instant", [2]string{`"defaultTtl":-1`, `"defaultTtl":-1`}, [2]string{`"ttl":17951328%02d`, `"ttl":4320%02d`}, "keeps cosmos.seconds", -1, ""},
	{"cosmos-item-text", [2]string{`"defaultTtl":-1`, `"defaultTtl":-1`}, [2]string{`"ttl":"86400"`, `"ttl":86400,"note":"86400"`}, "unspecified cosmos.item-unspecified", -1, ""},
	{"cosmos-item-zero", [2]string{`"defaultTtl":-1`, `"defaultTtl":-1`}, [2]string{`"ttl":0`, `"ttl":1`}, "unspecified cosmos.item-unspecified", -1, ""},
	{"cosmos-item-null", [2]string{`"defaultTtl":3600`, `"defaultTtl":3600`}, [2]string{`"ttl":null`, `"n":%d`}, "unspecified cosmos.item-unspecified", -1, ""},
	{"cosmos-item-fraction", [2]string{`"defaultTtl":-1`, `"defaultTtl":-1`}, [2]string{`"ttl":3600.5`, `"ttl":3600`}, "unspecified cosmos.item-unspecified", -1, ""},
	{"cosmos-item-negative", [2]string{`"defaultTtl":3600`, `"defaultTtl":3600`}, [2]string{`"ttl":-2`, `"ttl":-1`}, "unspecified cosmos.item-unspecified", -1, ""},
}

// TestContainerProduction: the audit finds each mistake with a container only in its own
// folder. The repair does what its text says, and a second audit does not find the mistake.
func TestContainerProduction(t *testing.T) {
	for _, m := range containerMistakes {
		t.Run(m.folder, func(t *testing.T) {
			for i, want := range [][]string{{m.want}, nil} {
				dir := filepath.Join(production, m.folder, []string{"wrong", "right"}[i])
				if *update {
					m.write(t, dir, i)
				}
				targets := targetsAt(t, filepath.Join(dir, "container.json"))
				if len(targets) != 1 {
					t.Fatalf("%s: %d containers, want one", dir, len(targets))
				}
				items, err := os.ReadFile(filepath.Join(dir, "items.jsonl"))
				if err != nil {
					t.Fatal(err)
				}
				results := auditAll(t, []*catalog.Target{withFile(t, targets[0], filepath.Join(dir, "items.jsonl"))}, Options{})
				if got := foundIn(results); !slices.Equal(got, want) {
					t.Errorf("%s: found %q, want %q", dir, got, want)
				}
				if results[0].Documents != 100 {
					t.Errorf("%s: %d items were read, want 100", dir, results[0].Documents)
				}
				if i == 0 {
					m.checkRepair(t, results[0], string(items))
				}
			}
		})
	}
}

// write writes a container and 100 items. Item 0 was last written now, and each further
// item half a day earlier than the preceding item.
func (m containerMistake) write(t *testing.T, dir string, side int) {
	t.Helper()
	items := ""
	for i := range 100 {
		property := m.property[side]
		if strings.Contains(property, "%") {
			property = fmt.Sprintf(property, i)
		}
		if property != "" {
			property = "," + property
		}
		items += fmt.Sprintf(`{"id":"%d"%s,"_ts":%d}`+"\n", i, property, int64(now)/1000-int64(i)*43_200)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	container := `{"id":"items","partitionKey":{"paths":["/id"]},` + m.settings[side] + "}\n"
	for name, text := range map[string]string{"container.json": container, "items.jsonl": items} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// checkRepair carries out the mistake's only repair, if it has one.
func (m containerMistake) checkRepair(t *testing.T, r Result, items string) {
	t.Helper()
	var repairs []Repair
	for _, f := range r.Findings {
		repairs = append(repairs, f.Repairs...)
	}
	switch {
	case len(repairs) == 0 && m.atOnce == -1:
		return
	case len(repairs) != 1 || m.atOnce == -1:
		t.Fatalf("%d repairs, want 1 if %d go at once, and none for -1", len(repairs), m.atOnce)
	}
	server := cosmosServer(t, r.Target, items)
	if faults := m.faultsOf(server, repairs[0].Commands); len(faults) > 0 || repairs[0].AtOnce != m.says {
		t.Errorf("%q says %q, want %q; %q", repairs[0].Commands, repairs[0].AtOnce, m.says, faults)
	}
	for _, mutation := range containerMutations {
		mutants := mutation.applyTo(repairs[0].Commands)
		if !slices.Equal(mutants, repairs[0].Commands) && len(m.faultsOf(server, mutants)) == 0 {
			t.Errorf("%s is not seen: %q", mutation.name, mutants)
		}
	}
	after, err := ran(server, repairs[0].Commands)
	if err != nil {
		t.Fatal(err)
	}
	repaired := after.Collections["items"].Container
	again := `{"id":"items","partitionKey":{"paths":["/id"]}`
	for name, v := range map[string]policy.Value{"defaultTtl": repaired.DefaultTTL, "analyticalStorageTtl": repaired.AnalyticalStorageTTL} {
		if !v.IsMissing() {
			again += fmt.Sprintf(",%q:%s", name, catalog.Plain(v))
		}
	}
	checkFindings(t, audited(t, with(t, read(t, again+"}")[0], items), Options{}))
}

// containerMutations are mistakes in commands of the az tool.
var containerMutations = []mutation{
	{"a thousand times", regexp.MustCompile(`(ttl) ([1-9][0-9]*)`), func(g []string) string { return g[1] + " " + g[2] + "000" }},
	{"a thousandth", regexp.MustCompile(`(ttl) ([1-9][0-9]*)000?`), func(g []string) string { return g[1] + " " + g[2] }},
	{"no default", regexp.MustCompile(`ttl [1-9][0-9]*`), func([]string) string { return "ttl -1" }},
	{"the analytical store", regexp.MustCompile(`--ttl `), func([]string) string { return "--analytical-storage-ttl " }},
}

// faultsOf carries out the commands of a repair. They must delete the last items, which
// are the oldest. After each half day, one more item must be gone.
func (m containerMistake) faultsOf(before *catalogtest.Server, commands []string) (faults []string) {
	after, err := ran(before, commands)
	if err != nil {
		return []string{err.Error()}
	}
	for _, halfDays := range []int{0, 1, 5, 40} {
		at, _ := now.Add(int32(halfDays) * 43_200)
		gone, err := after.Gone(at)
		if err != nil {
			return []string{err.Error()}
		}
		for i := range 100 {
			name := fmt.Sprintf("items/%d", i)
			other := fmt.Sprintf("items/row of %d", i)
			if want := i+halfDays >= 100-m.atOnce; gone[name] != want || gone[other] {
				return append(faults, fmt.Sprintf("%s is gone after %d half days: %t, want %t, and never %s", name, halfDays, gone[name], want, other))
			}
		}
	}
	return nil
}
