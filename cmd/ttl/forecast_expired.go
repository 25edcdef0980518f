package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/output"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An expiredWriter writes the documents that have expired: a line about each, and the
// documents themselves. Both are in the order of the input.
type expiredWriter struct {
	list    *cli.Printer // of --list; nil without the flag
	listBuf *bufio.Writer
	noIDs   bool

	save  *output.File // of --save-expired; nil without the flag
	path  string
	kind  dump.Kind // of the saved documents
	saved int64

	decoder dump.Decoder
}

// newExpiredWriter returns the writer for --list and --save-expired, nil if
// neither is given.
func (f *forecastFlags) newExpiredWriter(out io.Writer, groups []policyflags.Group) (*expiredWriter, error) {
	if !f.list && f.save == "" {
		return nil, nil
	}
	w := &expiredWriter{noIDs: f.options.NoIDs, path: f.save}
	if f.list {
		w.listBuf = bufio.NewWriter(out)
		w.list = cli.NewJSON(w.listBuf)
	}
	if f.save == "" {
		return w, nil
	}
	if len(groups) != 1 {
		return nil, cli.Usagef("--save-expired writes the documents of one collection, and there are %d; name one of them", len(groups))
	}
	var err error
	w.save, err = createOutput("save-expired", f.save, false, "name another, or remove it first")
	return w, err
}

// An expiredLine is a line of --list about a document.
type expiredLine struct {
	Collection string          `json:"collection"`
	ID         json.RawMessage `json:"id"` // null if there is none, or it is not to be shown
	Deadline   cli.Time        `json:"deadline"`
	Rule       string          `json:"rule"`
	Source     string          `json:"source"`
	File       string          `json:"file"`
	Offset     int64           `json:"offset"`
}

// write writes one document.
func (w *expiredWriter) write(d forecast.Document) error {
	if w.list != nil {
		w.list.Line("%s", cli.JSONText(w.line(d)))
		if err := w.list.Err(); err != nil {
			return err
		}
	}
	if w.save == nil {
		return nil
	}
	if w.saved++; w.saved > 1 && (w.kind == dump.BSON) != (d.Kind == dump.BSON) {
		these, others := "JSON", "BSON"
		if d.Kind == dump.BSON {
			these, others = others, these
		}
		return fmt.Errorf("--save-expired: the documents of %s are %s, and those before them are %s; one file cannot hold both", d.File, these, others)
	}
	w.kind = d.Kind
	raw := d.Raw
	if d.Kind != dump.BSON { // a document of text may hold line ends between tokens
		raw = append(onOneLine(raw), '\n')
	}
	_, err := w.save.Write(raw)
	return err
}

// onOneLine returns a copy of a text with spaces for line ends. All other bytes stay,
// also those that are no UTF-8.
func onOneLine(text []byte) []byte {
	text = bytes.ReplaceAll(text, []byte("\n"), []byte(" "))
	return bytes.ReplaceAll(text, []byte("\r"), []byte(" "))
}

func (w *expiredWriter) line(d forecast.Document) expiredLine {
	deadline, _ := d.Decision.Deadline()
	line := expiredLine{
		Collection: d.Collection, ID: json.RawMessage("null"), Deadline: cli.TimeOf(deadline),
		Rule: d.Decision.Rule.String(), Source: d.Policy.Source(d.Decision).Name, File: d.File, Offset: d.Offset,
	}
	if doc, err := w.decoder.Decode(d.Kind, d.Raw); err == nil && !w.noIDs {
		if id := doc.Field(d.Policy.IDField()); !id.IsMissing() {
			line.ID = policy.AppendExtJSON(nil, id)
		}
	}
	return line
}

// finish completes the output. For an incomplete list it saves nothing, and the last line
// of the list gives the reason.
func (w *expiredWriter) finish(incomplete error, reason string) error {
	if w.list != nil {
		if incomplete != nil {
			w.list.Line("%s", cli.JSONText(map[string]string{"incomplete": reason}))
		}
		if err := cmp.Or(w.list.Err(), w.listBuf.Flush()); err != nil {
			return err
		}
	}
	if w.save == nil {
		return incomplete
	}
	defer w.save.Discard()
	if incomplete != nil {
		return cli.WithExit(cli.ExitCodeOf(incomplete), fmt.Errorf("%w; nothing was saved in %s", incomplete, w.path))
	}
	if err := w.save.Commit(); err != nil {
		return outputError("save-expired", err)
	}
	return nil
}
