package plan

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/namespace"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Init writes a policy file with the stored policies of targets. A policy that no file
// can express, such as a delay of NaN, becomes a comment. Several targets with one
// namespace get one rule. If their policies differ, the rule is the policy that keeps
// documents longest; the other policies become comments that name their files.
func Init(out *cli.Printer, targets []*catalog.Target, o catalog.Options) error {
	var f initFile
	for _, t := range targets {
		err := f.add(t, o)
		if err != nil && t.Err() == nil { // the error of the target has its name already
			err = fmt.Errorf("%s: %w", t.Title(), err)
		}
		if err != nil {
			return err
		}
	}
	text, err := f.text(o)
	if err != nil {
		return err
	}
	out.Lines(text, 0)
	return out.Err()
}

// text returns the policy file. A rule that no policy file can hold becomes a comment, so that it
// does not keep the others out.
func (f *initFile) text(o catalog.Options) (string, error) {
	head := f.head(o)
	text := head
	for _, r := range f.rules {
		rule := r.text()
		if rule == "" {
			for _, w := range r.wants {
				f.left = append(f.left, w.odd...)
			}
		} else if _, err := parseFile("the policy file", []byte(head+rule)); err != nil {
			f.left = append(f.left, fmt.Sprintf("left out: %s, which a policy file cannot hold: %s", cli.JSONText(r.title), cli.ErrorLine(err)))
		} else {
			text += rule
		}
	}
	if text == head {
		return "", f.nothing()
	}
	if len(f.left) > 0 {
		text += "# Policies in no rule:\n# " + strings.ReplaceAll(strings.Join(f.left, "\n"), "\n", "\n# ") + "\n"
	}
	if _, err := parseFile("the policy file", []byte(text)); err != nil {
		return "", fmt.Errorf("a policy file cannot hold these policies: %w", err)
	}
	return text, nil
}

// head returns the lines of the policy file before its rules.
func (f *initFile) head(o catalog.Options) string {
	server := ""
	if o.Release != (mongo.Version{}) {
		server = fmt.Sprintf("server: %s\n", o.Release)
	}
	return "# What is to delete, and when. 'ttl plan' compares a database with this file; the first rule\n" +
		"# that fits decides, and shop.* stands for all of shop.\nversion: 1\n" + server + "rules:\n"
}

// nothing returns the error about a file without a rule, with the reasons why no policy
// became a rule.
func (f *initFile) nothing() error {
	if len(f.left) == 0 {
		return errors.New("nothing has a time to live here; a policy file needs a rule")
	}
	var left []string
	for _, comment := range f.left {
		left = append(left, strings.TrimPrefix(strings.Join(strings.Fields(comment), " "), "left out: "))
	}
	hint := ""
	if f.isUnnamed {
		hint = "; --namespace names the collection"
	}
	return fmt.Errorf("no policy here can be a rule of a policy file: %s%s", strings.Join(left, "; "), hint)
}

func written(write func(*cli.Printer)) string {
	var text strings.Builder
	write(&cli.Printer{W: &text})
	return text.String()
}

type initFile struct {
	rules []*initRule // one for each namespace of a target
	left  []string    // comments of one or more lines on policies that belong to no namespace
	// isUnnamed reports whether the list left has a policy of a collection with an
	// unknown name.
	isUnnamed bool
}

// An initRule is the rule about one namespace.
type initRule struct {
	title       string
	isContainer bool
	wants       []*want // the different policies of the targets with this namespace
}

// A want is a policy with the files of the targets that have it.
type want struct {
	rule  string   // the lines of the rule below its namespace; empty if nothing expires
	note  []string // comments on the namespace of the rule
	odd   []string // comments on policies that no rule can express
	lives []int64  // the delays in seconds, the shortest first
	files []string
}

// lines returns the policy as comments: the rule, and what no rule can express.
func (w *want) lines() (list []string) {
	for line := range strings.Lines(w.rule) {
		list = append(list, strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "    "))
	}
	return append(list, w.odd...)
}

func (f *initFile) add(t *catalog.Target, o catalog.Options) error {
	if mentions := t.Unread; len(mentions) > 0 {
		for _, m := range mentions {
			f.left = append(f.left, fmt.Sprintf("%s:%d: %s mentions a time to live, but no policy could be read there", cli.Visible(t.File), m.Line, cli.Visible(m.Word)))
		}
		return nil
	}
	w, err := wantOf(t, o)
	if err != nil {
		return err
	}
	if t.IsWritten && t.Name == "" {
		f.isUnnamed = true
		f.left = append(f.left, strings.Join(append([]string{cli.Visible(t.Title()) + " names no collection; its policy is"}, w.lines()...), "\n"))
		return nil
	}
	if !utf8.ValidString(t.Title()) {
		f.left = append(append(f.left, "left out: "+cli.Visible(t.Title())+", whose name is not UTF-8; its policy is"), w.lines()...)
		return nil
	}
	i := slices.IndexFunc(f.rules, func(r *initRule) bool { return r.title == t.Title() && r.isContainer == t.IsContainer() })
	if i < 0 {
		i = len(f.rules)
		f.rules = append(f.rules, &initRule{title: t.Title(), isContainer: t.IsContainer()})
	}
	r := f.rules[i]
	if i := slices.IndexFunc(r.wants, func(x *want) bool { return x.rule == w.rule && slices.Equal(x.odd, w.odd) }); i >= 0 {
		r.wants[i].files = append(r.wants[i].files, w.files...)
	} else {
		r.wants = append(r.wants, w)
	}
	return nil
}

func comment(out *cli.Printer, lines []string) {
	for _, line := range lines {
		out.Line("    # %s", line)
	}
}

// text returns the rule about the namespace: the policy that keeps documents longest, and the
// other policies as comments. It is empty if no document expires there.
func (r *initRule) text() string {
	if !slices.ContainsFunc(r.wants, func(w *want) bool { return w.rule != "" }) {
		return ""
	}
	slices.SortStableFunc(r.wants, func(a, b *want) int { return compareLives(b.lives, a.lives) })
	kept := r.wants[0]
	return written(func(out *cli.Printer) {
		out.Line("  - namespace: %s", cli.YAMLText(namespace.Escaped(r.title)))
		switch {
		case kept.rule != "":
			out.Lines(kept.rule, 0)
		case r.isContainer:
			out.Line("    defaultTtl: off")
		default:
			out.Line("    expireAfterSeconds: none")
		}
		comment(out, slices.Concat(kept.note, kept.odd))
		if len(r.wants) > 1 {
			out.Line("    # That is the policy of %s.", cli.SomeOf(kept.files))
		}
		for _, w := range r.wants[1:] {
			out.Line("    # The policy of %s deletes documents earlier:", cli.SomeOf(w.files))
			comment(out, w.lines())
		}
	})
}

// compareLives compares two lists of delays. The greater list keeps documents longer.
// Each list has the shortest delay first. The first pair of different delays decides;
// without such a pair, the list with fewer delays is greater.
func compareLives(a, b []int64) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return cmp.Compare(a[i], b[i])
		}
	}
	return cmp.Compare(len(b), len(a))
}

func wantOf(t *catalog.Target, o catalog.Options) (*want, error) {
	w := &want{files: []string{filepath.ToSlash(t.File)}}
	if t.IsContainer() {
		s, err := t.Container(o)
		if err == nil && s.Spec.Repeated != "" {
			w.odd = []string{fmt.Sprintf("left out: %s has the setting %s twice; see ttl audit", cli.JSONText(t.Title()), s.Spec.Repeated)}
			return w, nil
		}
		if err != nil || s.Spec.DefaultTTL.IsMissingOrNull() {
			return w, err
		}
		ttl := cosmos.TTLOf(s.Spec.DefaultTTL)
		n, ok := ttl.Seconds()
		switch {
		case ok:
			w.lives = []int64{int64(n)}
		case ttl == cosmos.TTLSeconds(-1):
			w.lives = []int64{math.MaxInt64}
		default:
			w.odd = []string{fmt.Sprintf("left out: the defaultTtl %s of %s; see ttl audit", cli.JSONText(extJSON(s.Spec.DefaultTTL)), cli.JSONText(t.Title()))}
			return w, nil
		}
		w.rule = written(func(out *cli.Printer) { out.Line("    defaultTtl: %s", ttl) })
		return w, nil
	}
	c, err := t.Collection(o)
	if err != nil {
		return nil, err
	}
	indexes, odd := sortIndexes(c.Spec.Indexes)
	own, hasOwn := change.WholeSeconds(c.Spec.ExpireAfterSeconds)
	w.rule = written(func(out *cli.Printer) {
		if hasOwn || len(indexes) > 0 {
			out.Line("    indexes:")
		}
		if hasOwn {
			writeSeconds(out, "      - ", own)
			w.lives = append(w.lives, own)
		}
		for _, x := range indexes {
			writeIndex(out, x)
			w.lives = append(w.lives, indexOf(x).Seconds)
		}
	})
	slices.Sort(w.lives)
	if t.IsWritten && t.Database == "" {
		w.note = []string{fmt.Sprintf("%s names no database: write shop.%s or *.%s to compare with a database.", cli.Visible(t.File), cli.Visible(t.Name), cli.Visible(t.Name))}
	}
	if stored := c.Spec.ExpireAfterSeconds; !hasOwn && !stored.IsMissing() {
		w.odd = append(w.odd, fmt.Sprintf("left out: the expireAfterSeconds %s of %s; see ttl audit", cli.JSONText(extJSON(stored)), cli.JSONText(t.Title())))
	}
	for _, x := range odd {
		w.odd = append(w.odd, fmt.Sprintf("left out: the index %s of %s with key %s and expireAfterSeconds %s; see ttl audit",
			cli.JSONText(x.Name), cli.JSONText(t.Title()), cli.JSONText(extJSON(policy.ObjectValue(x.Key))), cli.JSONText(extJSON(x.ExpireAfterSeconds))))
	}
	return w, nil
}

// sortIndexes returns the TTL indexes that a policy file can express, and the other TTL
// indexes. Of two indexes that hold the same documents, the one with the longer delay is
// among the others.
func sortIndexes(all []mongo.IndexSpec) (indexes, odd []mongo.IndexSpec) {
	for _, x := range all {
		if x.ExpireAfterSeconds.IsMissing() || x.Clustered {
			continue
		}
		if !change.IsOrdinary(x) {
			odd = append(odd, x)
			continue
		}
		i := slices.IndexFunc(indexes, func(y mongo.IndexSpec) bool { return change.IsSameWish(indexOf(x), indexOf(y)) })
		switch {
		case i < 0:
			indexes = append(indexes, x)
		case indexOf(x).Seconds < indexOf(indexes[i]).Seconds:
			odd = append(odd, indexes[i])
			indexes[i] = x
		default:
			odd = append(odd, x)
		}
	}
	return indexes, odd
}

func indexOf(x mongo.IndexSpec) change.Index {
	n, _ := change.WholeSeconds(x.ExpireAfterSeconds)
	return change.Index{Key: policy.ObjectValue(x.Key), Partial: x.PartialFilterExpression, Name: x.Name, Seconds: n}
}

func writeIndex(out *cli.Printer, x mongo.IndexSpec) {
	key := cli.YAMLText(x.Key[0].Key)
	if strings.HasPrefix(x.Key[0].Key, "{") { // a reader would take the text for a whole key pattern
		key = "{" + key + ": 1}"
	}
	out.Line("      - key: %s", key)
	writeSeconds(out, "        ", indexOf(x).Seconds)
	if filter := x.PartialFilterExpression; !filter.IsMissing() {
		out.Line("        partialFilterExpression: %s", cli.YAMLText(extJSON(filter)))
	}
}

// writeSeconds writes expireAfterSeconds, and a comment with the time in a larger unit.
func writeSeconds(out *cli.Printer, indent string, n int64) {
	comment := "  # " + catalog.Span(n)
	if strings.HasSuffix(comment, " s") {
		comment = ""
	}
	out.Line("%sexpireAfterSeconds: %d%s", indent, n, comment)
}

type extJSON policy.Value

// MarshalJSON returns canonical Extended JSON.
func (v extJSON) MarshalJSON() ([]byte, error) {
	return policy.AppendExtJSON(nil, policy.Value(v)), nil
}
