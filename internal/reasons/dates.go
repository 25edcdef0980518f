package reasons

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// maxDates is how many dates of one document are worth drawing.
const maxDates = 100

// datesFor returns the instants that a document holds at a dotted path, in
// ascending order. It is for the picture alone: which of them count is the
// evaluator's business.
func datesFor(system, path string, doc policy.Value) []policy.Instant {
	switch {
	case path == "":
		return nil
	case path == "_ts", system == CosmosNoSQL:
		return secondsAt(doc, path)
	}
	return datesAt(doc, path)
}

// datesAt returns the dates at a path, wherever it leads through arrays.
func datesAt(v policy.Value, path string) []policy.Instant {
	var dates []policy.Instant
	collect(&dates, v, strings.Split(path, "."))
	slices.Sort(dates)
	return slices.Compact(dates)
}

func collect(dates *[]policy.Instant, v policy.Value, path []string) {
	switch at, isDate := v.AsDate(); {
	case len(*dates) == maxDates:
	case v.Kind() == policy.List:
		collectElements(dates, v, path)
	case len(path) > 0 && v.Kind() == policy.Object:
		collect(dates, v.Field(path[0]), path[1:])
	case len(path) == 0 && isDate:
		*dates = append(*dates, at)
	}
}

func collectElements(dates *[]policy.Instant, v policy.Value, path []string) {
	position := -1
	if len(path) > 0 {
		if n, err := strconv.Atoi(path[0]); err == nil {
			position = n
		}
	}
	i := 0
	for e := v.Elements(); e.Next(); i++ {
		switch {
		case position == i:
			collect(dates, e.Value(), path[1:])
		case e.Value().Kind() != policy.List:
			collect(dates, e.Value(), path)
		}
	}
}

// secondsAt returns the instant at a path of Cosmos DB, which counts in seconds.
func secondsAt(v policy.Value, path string) []policy.Instant {
	for name := range strings.SplitSeq(path, ".") {
		v = v.Field(name)
	}
	if sec, ok := v.AsInt64(); ok {
		if at, ok := policy.InstantOfUnix(sec); ok {
			return []policy.Instant{at}
		}
	}
	return nil
}
