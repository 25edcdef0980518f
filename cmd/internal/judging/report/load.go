package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A load estimates a server's cost of deleting, and names its assumptions.
type load struct {
	Backlog forecast.Sum   `json:"backlog"` // the documents that have expired now
	Unknown forecast.Sum   `json:"unknown"` // the documents of which it is unknown when they expire; they are in no other number
	Peak    *peak          `json:"peak"`    // nil if nothing expires within 30 d
	Days    []forecast.Day `json:"days"`
	// Turns is the smallest number of batches in which the monitor deletes the backlog; 0
	// for Azure Cosmos DB.
	Turns int64 `json:"turns,omitempty"`
	// RequestUnits is the cost of deleting the backlog; 0 for MongoDB.
	RequestUnits int64  `json:"requestUnits,omitempty"`
	Rate         *drain `json:"atRate"` // nil without --delete-rate
	Assumes      string `json:"assumes"`
}

// A peak is the minute in which most documents expire.
type peak struct {
	cli.Time
	Documents int64 `json:"documents"`
}

// A drain is the result of deleting the backlog at a given rate.
type drain struct {
	PerSecond float64 `json:"perSecond"`
	// Seconds is the time until the backlog and all documents that expire meanwhile are
	// deleted; null if that takes more than 30 d.
	Seconds *int64 `json:"seconds"`
	// Waiting is the largest number of documents that wait for deletion at the end of a
	// minute, after the backlog is deleted.
	Waiting int64 `json:"mostWaiting"`
}

// load returns the load of all collections; nil if no document expires, or if only a
// sample was read.
func (r Report) load() *load {
	t := sum(r.Collections)
	isSample := slices.ContainsFunc(r.Collections, func(c Collection) bool { return c.Sample != nil })
	if t.Expired.Documents+t.Pending.Documents == 0 || isSample {
		return nil
	}
	days := r.Load.Days()
	l := &load{Backlog: t.Expired, Unknown: t.Unknown, Days: days[:], Assumes: assumesMongo}
	if minute, n := r.Load.Peak(); n > 0 {
		l.Peak = &peak{cli.TimeOf(r.Now + policy.Instant(minute)*60_000), n}
	}
	for _, c := range r.Collections {
		if c.Policy.System != definition.MongoDB {
			l.Assumes = assumesCosmos
			l.RequestUnits += requestUnits(c.Tally.Expired)
			continue
		}
		for _, s := range c.Tally.Sources {
			if c.Policy.Release.Product == definition.DocumentDB {
				l.Assumes = assumesDocumentDB
				continue
			}
			l.Turns += (s.Expired.Documents + turnDocuments - 1) / turnDocuments
		}
	}
	if r.DeleteRate > 0 {
		d := r.Load.Drain(t.Expired.Documents, r.DeleteRate)
		l.Rate = &drain{PerSecond: r.DeleteRate, Waiting: d.Most}
		if d.Seconds >= 0 {
			l.Rate.Seconds = &d.Seconds
		}
	}
	return l
}

// turnDocuments is the default of ttlIndexDeleteTargetDocs (mongodb/mongo:
// src/mongo/db/ttl/ttl.idl).
const turnDocuments = 50_000

const (
	assumesMongo = "The monitor makes a pass every 60 s (ttlMonitorSleepSecs). Since 6.1 the indexes take turns within a pass, each for up to 50,000 documents or 1 s (ttlIndexDeleteTargetDocs, ttlIndexDeleteTargetTimeMS), until nothing is left. How many documents a second are deleted depends on the server; --delete-rate tries a number."
	// The default of maxTTLDeleteBatchSize (microsoft/documentdb:
	// pg_documentdb/src/configs/background_job_configs.c).
	assumesDocumentDB = "The job of pg_cron runs each minute and deletes at most 10,000 documents by each index of a shard (maxTTLDeleteBatchSize; rule documentdb.job), so a long backlog takes as many minutes; --delete-rate tries a number. The hosted service may have other settings."
	assumesCosmos     = "Request units by the documented price of a write: 5 RU for 1 KB, 50 RU for 100 KB, and in between by the average size. Items are deleted with the throughput that is left over; a serverless account is billed for it."
)

// requestUnits returns the cost of writing s. It uses the two documented prices, for
// items with the default indexing and consistency
// (https://learn.microsoft.com/azure/cosmos-db/optimize-cost-reads-writes).
func requestUnits(s forecast.Sum) int64 {
	const small, large, largeKB = 5.0, 50.0, 100.0
	beyond := max(float64(s.Bytes)/1024-float64(s.Documents), 0)
	return int64(math.Ceil(small*float64(s.Documents) + beyond*(large-small)/(largeKB-1)))
}

// lines returns the load as pairs of a name and a text.
func (l *load) lines() (list [][2]string) {
	backlog := cli.Documents(l.Backlog.Documents) + ", " + cli.Size(l.Backlog.Bytes)
	if l.Turns > 0 {
		backlog += fmt.Sprintf("; %s of the monitor at least", cli.Count(l.Turns, "turn", "turns"))
	}
	if l.RequestUnits > 0 {
		backlog += fmt.Sprintf("; about %s RU", cli.Number(l.RequestUnits))
	}
	list = append(list, [2]string{"backlog", backlog + unknownOf(l.Unknown)})
	if l.Peak != nil {
		total := int64(0)
		for _, d := range l.Days {
			total += d.Documents
		}
		list = append(list, [2]string{"peak", fmt.Sprintf("%s in the minute from %s, of %s within 30 d",
			cli.Documents(l.Peak.Documents), policy.Instant(l.Peak.Millis).Time().Format("2006-01-02 15:04"), cli.Number(total))})
	}
	if l.Rate != nil {
		list = append(list, [2]string{fmt.Sprintf("at %g/s", l.Rate.PerSecond), l.Rate.inWords()})
	}
	return list
}

func (d *drain) inWords() string {
	switch {
	case d.Seconds == nil:
		return "not done within 30 d"
	case d.Waiting == 0:
		return "done after " + seconds(*d.Seconds) + "; later nothing waits"
	}
	return fmt.Sprintf("done after %s; the most that waits later is %s", seconds(*d.Seconds), cli.Documents(d.Waiting))
}

func seconds(n int64) string { return reasons.Span(policy.Instant(n)*1000, 0) }

// load writes the estimated cost of deleting under the present policy and each other time
// to live.
func (t textWriter) load(r Report) {
	assumes := ""
	for _, v := range r.Views() {
		l := v.load()
		if l == nil {
			continue
		}
		if assumes == "" {
			t.Line("%s", t.Bold("Load of deleting, estimated"))
		}
		if assumes = l.Assumes; r.isCompared() {
			t.Line("  %s", t.Bold(v.Name()))
		}
		wide := 0
		for _, line := range l.lines() {
			wide = max(wide, len(line[0]))
		}
		for _, line := range l.lines() {
			t.Line("  %-*s  %s", wide, line[0], line[1])
		}
	}
	if assumes != "" {
		t.Styled(assumes, 2, t.Dim)
		t.Line("")
	}
}
