package plainjson

import (
	"errors"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Dates is a form in which dates are written. The zero Dates is [ExtJSONDates].
type Dates uint8

// The forms of dates.
const (
	ExtJSONDates Dates = iota // {"$date":{"$numberLong":"1795161600000"}}, for every date
	ISODates                  // "2026-11-20T08:00:00.000Z", for the years 0 to 9999
	MillisDates               // 1795161600000, milliseconds since 1970, for every date
)

// ErrNoISODate is the error for a date that the form [ISODates] cannot represent.
var ErrNoISODate = errors.New("holds a date outside the years 0 to 9999, which ISO 8601 has no usual form for")

// appendDate appends one date.
func (d Dates) appendDate(dst []byte, i policy.Instant) ([]byte, error) {
	switch d {
	case MillisDates:
		return strconv.AppendInt(dst, int64(i), 10), nil
	case ISODates:
		if year := i.Time().Year(); year < 0 || year > 9999 {
			return dst, ErrNoISODate
		}
		return append(i.Time().UTC().AppendFormat(append(dst, '"'), "2006-01-02T15:04:05.000Z"), '"'), nil
	}
	dst = append(dst, `{"$date":{"$numberLong":"`...)
	dst = strconv.AppendInt(dst, int64(i), 10)
	return append(dst, `"}}`...), nil
}
