package forecast

import (
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
)

// identify returns what the field named id holds in the document raw, as
// canonical Extended JSON, and "" if there is no such field.
func identify(d *dump.Decoder, k dump.Kind, raw []byte, id string) string {
	doc, err := d.Decode(k, raw)
	if err != nil {
		return ""
	}
	return cli.ID(doc, id)
}
