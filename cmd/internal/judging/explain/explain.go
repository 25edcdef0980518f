// Package explain writes why one document expires, or why it stays: the decision, the
// rule of the decision with its sources, the rules consulted before that rule, and a
// timeline.
package explain

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/timeline"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An Explanation explains the decision about one document at one instant, and can be
// written in several forms.
type Explanation struct {
	reasons.Explanation
	Why bool // the text also lists the rules that were consulted and do not apply
	// NoValues leaves values of the document out of [Explanation.Lacking].
	NoValues bool
	value    policy.Value // what the document holds in the field of the source
}

// Of explains the decision of p about doc at now.
func Of(p *reasons.Policy, doc policy.Document, now policy.Instant) Explanation {
	e := Explanation{Explanation: reasons.Of(p, doc, now)}
	if e.Source.Field != "" {
		e.value = reasons.ValueAt(doc, strings.Split(e.Source.Field, "."))
	}
	return e
}

// Lacking says what the indexed field of a document holds in the place of a Date, and what to
// do; "" for a document that is not kept for want of a Date.
func (e Explanation) Lacking() string {
	text := reasons.TextOf(e.Decision.Rule)
	if text == nil || e.Source.Field == "" || text.Field != "" || len(e.Dates) > 0 {
		return ""
	}
	field := cli.Clip(e.Source.Field, 60)
	switch {
	case text.Lack == reasons.Absent && e.value.IsMissing():
		return fmt.Sprintf("The document has no field %s. To let it expire, have its writer store a BSON Date there.", field)
	case text.Lack == reasons.NoLack:
		return ""
	}
	held := reasons.Holding(e.Decision.Rule, e.value.Kind())
	if !e.NoValues {
		held += ", " + cli.Clip(catalog.Literal(e.value), 60)
	}
	return fmt.Sprintf("%s holds %s, and not a Date. To let the document expire, have its writer store a BSON Date; ttl audit --documents prints the update for stored documents where the value is plain.", field, held)
}

// DatesElsewhere returns a text about the fields in which the document has Dates, if the
// indexed field has none; otherwise "".
func (e Explanation) DatesElsewhere() string {
	if len(e.Elsewhere) == 0 {
		return ""
	}
	paths := make([]string, len(e.Elsewhere))
	for i, path := range e.Elsewhere {
		paths[i] = cli.Clip(path, 60)
	}
	return fmt.Sprintf("%s holds no Date. The document has Dates in %s.", cli.Clip(e.Source.Field, 60), strings.Join(paths, ", "))
}

// SVG writes the timeline as a picture.
func (e Explanation) SVG(w io.Writer) error {
	return cli.WriteSVG(w, timeline.SVG(e.Explanation, timeline.Options{}))
}

// JSON returns e encoded in JSON. The names of the fields are stable.
func (e Explanation) JSON() json.RawMessage { return e.AppendJSON(nil) }
