package reasons

import (
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
)

// Pages, reports and repairs say in one sentence which documents a command deletes as soon as
// it runs: "This deletes every document whose at is more than 1 h ago, as soon as it runs." The
// functions below write it.
const (
	lossBegins = "This deletes every "
	lossEnds   = ", as soon as it runs."
	noLoss     = "Nothing goes at once: "
)

// DeletesEvery is the sentence about documents that a command deletes as soon as it runs.
// Its argument names the documents, such as "item".
func DeletesEvery(which string) string { return lossBegins + which + lossEnds }

// IsLoss reports whether a sentence says that a command deletes documents as soon as it runs.
// Pages show it in red.
func IsLoss(sentence string) bool { return strings.HasPrefix(sentence, lossBegins) }

// DeletesNothing is the sentence about a command that deletes nothing as soon as it runs.
// Its argument is the reason, in lower case and without a full stop.
func DeletesNothing(why string) string { return noLoss + why + "." }

// DeletesDated is the sentence about documents that expire some seconds after the date in
// a field. The first argument names one of the documents, such as "document". An index
// with a partial filter deletes only documents that meet the filter.
func DeletesDated(what, field string, isPartial bool, seconds int64) string {
	ago := "past"
	if seconds != 0 {
		ago = moreThan(seconds)
	}
	return DeletesEvery(what + " " + takenIn(isPartial) + "whose " + field + " is " + ago)
}

// DeletesConverted returns the sentence about documents that an index with a delay
// deletes because their field becomes a Date. The arguments after seconds are the earlier
// forms of the field, such as [AsText].
func DeletesConverted(field string, isPartial bool, seconds int64, was ...string) string {
	when := "in the past"
	if seconds != 0 {
		when = moreThan(seconds)
	}
	forms := strings.Join(was, " or ")
	if len(was) > 1 {
		forms += "," // else the time would seem to belong to the last form alone
	}
	return DeletesEvery("document " + takenIn(isPartial) + "whose " + field + " is " + forms + " and stands for a time " + when)
}

// Forms of a time that is not stored as a Date.
const (
	AsText      = "a string"
	AsZonedText = "a string with a zone"
	AsLocalText = "a string without a zone"

	AsSeconds = "a number of seconds"
	AsMillis  = "a number of milliseconds"
	AsMicros  = "a Date of microseconds"
	AsNanos   = "a Date of nanoseconds"
)

func takenIn(isPartial bool) string {
	if isPartial {
		return "that the filter takes in and "
	}
	return ""
}

// DeletesEnded is the sentence about buckets of a time-series collection that expire some seconds
// after their spans.
func DeletesEnded(isPartial bool, seconds int64) string {
	return DeletesEvery("bucket " + takenIn(isPartial) + "whose span ended " + moreThan(seconds))
}

// DeletesWritten is the sentence about items of a container with TTL on. The first
// argument names one of the items. The second is the container's default in seconds, or
// a TTL of -1 for no default.
func DeletesWritten(what string, ttl cosmos.TTL) string {
	which := what + " that was last written more than its own ttl seconds ago"
	if seconds, ok := ttl.Seconds(); ok {
		which += ", and every one without a ttl that was last written " + moreThan(int64(seconds))
	}
	return DeletesEvery(which)
}

func moreThan(seconds int64) string {
	n, unit := LargestUnit(seconds)
	return fmt.Sprintf("more than %d %s ago", n, unit)
}
