package live

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// partitioned is a container with two partitions, which count in pages.
type partitioned struct{ *account }

const twoRanges = `{"PartitionKeyRanges":[{"id":"7","minInclusive":"05C1","maxExclusive":"FF"},{"id":"0","minInclusive":"","maxExclusive":"05C1"}]}`

func (p *partitioned) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case !strings.HasSuffix(r.URL.Path, "/pkranges"):
		p.account.ServeHTTP(w, r)
	case r.Header.Get("If-None-Match") == `"1"`:
		w.Header().Set("Etag", `"1"`)
		w.WriteHeader(http.StatusNotModified)
	default:
		w.Header().Set("Etag", `"1"`)
		io.WriteString(w, twoRanges)
	}
}

// counted answers a count: partition 0 in two pages, and partition 7 in one page.
func counted(w http.ResponseWriter, r *http.Request) {
	page := r.Header.Get(partitionHeader) + r.Header.Get("x-ms-continuation")
	if page == "0" {
		w.Header().Set("x-ms-continuation", "+")
	}
	fmt.Fprintf(w, `{"Documents":[%d]}`, map[string]int{"0": 3, "0+": 4, "7": 10}[page])
}

func TestCosmosCountsInPartitions(t *testing.T) {
	a := &account{items: counted}
	c := a.openAs(t, &partitioned{a}, "/shop/logs", Options{})
	c.wire.addsUp = false
	for range 2 { // the client keeps the first list
		ids, err := c.Partitions(t.Context(), "shop", "a b")
		if want := []string{"0", "7"}; err != nil || !slices.Equal(ids, want) {
			t.Fatalf("Partitions = %q, %v, want %q", ids, err, want)
		}
	}
	for id, want := range map[string]int64{"0": 7, "7": 10} {
		if n, err := c.Count(t.Context(), "shop", "logs", id, "SELECT VALUE COUNT(1) FROM c"); n != want || err != nil {
			t.Errorf("Count in %s = %d, %v, want %d", id, n, err, want)
		}
	}
	if c.Charged() == 0 {
		t.Error("nothing was charged")
	}
}

// An account may answer anything.
func TestCosmosCountFaults(t *testing.T) {
	for _, reply := range []string{`{}`, `{"Documents":null}`, `{"Documents":["5"]}`, `{"Documents":[1.5]}`, `{"Documents":[-1]}`, `{"Documents":[1152921504606846976,1]}`, `{"Documents":[{"_aggregate":{}}]}`, `{`} {
		a := &account{items: func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, reply) }}
		c := a.open(t, "/shop/logs", Options{})
		if n, err := c.Count(t.Context(), "shop", "logs", "", "SELECT"); err == nil || strings.Contains(err.Error(), "%!") {
			t.Errorf("Count by the reply %s = %d, %v, want an error that is whole", reply, n, err)
		}
	}
}

// An emulator gets queries about the whole container.
func TestCosmosPartitionsOfEmulator(t *testing.T) {
	a := &account{items: counted}
	c := a.open(t, "/shop/logs", Options{})
	if ids, err := c.Partitions(t.Context(), "shop", "logs"); err != nil || !slices.Equal(ids, []string{""}) {
		t.Errorf("Partitions of an emulator = %q, %v, want one without an identifier", ids, err)
	}
	if len(a.asked) > 0 {
		t.Errorf("it was asked %q, want nothing", a.asked)
	}
}

// An account may list partitions without end.
func TestCosmosPartitionsWithoutEnd(t *testing.T) {
	a := &account{}
	asked := 0
	c := a.openAs(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/pkranges") {
			a.ServeHTTP(w, r)
			return
		}
		asked++
		w.Header().Set("Etag", fmt.Sprintf(`"%d"`, asked))
		fmt.Fprintf(w, `{"PartitionKeyRanges":[{"id":%q}]}`, strings.Repeat("7", 8<<20))
	}), "/shop/logs", Options{})
	c.wire.addsUp = false
	if ids, err := c.Partitions(t.Context(), "shop", "logs"); err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Errorf("%d partitions, %v, want an error about what is too long", len(ids), err)
	}
	if most := maxCosmosReply>>23 + 1; asked > most {
		t.Errorf("it was asked %d times, want %d at most", asked, most)
	}
}
