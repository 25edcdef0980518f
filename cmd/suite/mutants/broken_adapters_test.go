package mutants

import (
	"bytes"
	"encoding/json"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
)

// An adapter is the reference behind an adapter that is broken: it misreads no rule, but
// damages questions or answers. Adapters test the harness, which must not let one of them
// conform. Adapters that break the protocol itself, by hanging or by garbage, are in the
// tests of package protocol.
type adapter struct {
	Name string
	// Text says what is broken, in one sentence.
	Text string
	conformance.System
}

// adapters returns the broken adapters.
func adapters() []adapter {
	return slices.Concat(deaf(), garblers(), liars(), miscounters())
}

// deaf are the adapters that answer another question than the one asked.
func deaf() []adapter {
	return []adapter{
		{"always-never", "Every document is kept, and every definition is taken.", constant(`{"state":"never","deadline":null,"created":true}`)},
		{"always-expired", "Every document has expired.", constant(`{"state":"expired"}`)},
		{"always-nothing", "Every result is empty.", constant(`{}`)},
		{"always-an-array", "No result is an object.", constant(`[]`)},
		{"no-json", "No result is JSON.", constant(`{`)},
		{"always-refused", "The database refuses everything.", fixed(conformance.Refused(conformance.Refusal{}))},
		{"always-skipped", "Everything is claimed, and nothing is answered.", fixed(conformance.Skipped("not supported"))},
		{"always-fault", "Every question breaks the implementation.", fixed(conformance.Fault("broken"))},
		{"no-answer", "There are no answers.", fixed(conformance.Answer{})},
		{"echo", "Every question is its own answer.", answering(func(q conformance.Question) conformance.Answer {
			return conformance.Answer{Kind: conformance.KindOut, Out: q.In}
		})},
		{"crash", "Every question panics.", answering(func(conformance.Question) conformance.Answer { panic("oh") })},
		{"one-behind", "Every answer is that to the question before.", oneBehind()},
	}
}

// garblers damage questions.
func garblers() []adapter {
	return []adapter{
		{"through-doubles", "64-bit integers pass through doubles.", asking(func(q conformance.Question) conformance.Question {
			q.In = int64s.ReplaceAllFunc(q.In, throughDouble)
			return q
		})},
		{"int32-is-int64", "int32 becomes int64.", asking(func(q conformance.Question) conformance.Question {
			q.In = bytes.ReplaceAll(q.In, []byte("$numberInt"), []byte("$numberLong"))
			return q
		})},
		{"clock-in-seconds", "The clock is told in seconds.", asking(func(q conformance.Question) conformance.Question {
			q.In = clock.ReplaceAll(q.In, []byte(`"$1"`))
			return q
		})},
		{"release-ignored", "Whatever release is asked about, the newest answers.", asking(func(q conformance.Question) conformance.Question {
			q.Target.Version = ""
			return q
		})},
		{"capabilities-ignored", "What an account is capable of is not passed on.", asking(func(q conformance.Question) conformance.Question {
			q.Target.Capabilities = nil
			return q
		})},
		{"parameters-ignored", "The server parameters that are set are not passed on.", asking(func(q conformance.Question) conformance.Question {
			q.Target.Parameters = nil
			return q
		})},
	}
}

// liars damage answers.
func liars() []adapter {
	return []adapter{
		{"deadline-in-seconds", "Deadlines are told in seconds.", changing(func(_ conformance.Question, a conformance.Answer) conformance.Answer {
			a.Out = clock.ReplaceAll(a.Out, []byte(`"$1"`))
			return a
		})},
		{"over-claiming", "Operations are claimed that are not supported.", changing(func(q conformance.Question, a conformance.Answer) conformance.Answer {
			if q.Op != decide {
				return conformance.Skipped("no operation " + q.Op)
			}
			return a
		})},
		{"state-without-deadline", "Deadlines are claimed, and not told.", changing(func(_ conformance.Question, a conformance.Answer) conformance.Answer {
			a.Out = bytes.ReplaceAll(a.Out, []byte(`"deadline"`), []byte(`"due"`))
			return a
		})},
		{"any-error-is-a-refusal", "What the implementation does not know is told as a refusal by the database.", changing(func(_ conformance.Question, a conformance.Answer) conformance.Answer {
			if a.Kind == conformance.KindOut && bytes.Contains(a.Out, []byte(`"never"`)) {
				return conformance.Refused(conformance.Refusal{})
			}
			return a
		})},
	}
}

// miscounters damage the list of answers to many questions.
func miscounters() []adapter {
	return []adapter{
		{"too-few-answers", "Questions that are asked at once get half as many answers.", batch(func(all []conformance.Answer) []conformance.Answer { return all[:len(all)/2] })},
		{"too-many-answers", "Questions that are asked at once get more answers.", batch(func(all []conformance.Answer) []conformance.Answer { return slices.Insert(all, 1, all[0]) })},
		{"disordered-answers", "Questions that are asked at once are answered in another order.", batch(func(all []conformance.Answer) []conformance.Answer {
			slices.Reverse(all)
			return all
		})},
	}
}

// An answerer is a system with the claims of the reference.
type answerer func(conformance.Question) conformance.Answer

func (answerer) Hello() conformance.Hello                        { return library.New().Hello() }
func (f answerer) Ask(q conformance.Question) conformance.Answer { return f(q) }

// answering returns a system with these answers. It passes the round-trip check, so that
// only its answers fail.
func answering(answer answerer) conformance.System {
	return answerer(func(q conformance.Question) conformance.Answer {
		if q.Op == "self.echo" {
			return library.New().Ask(q)
		}
		return answer(q)
	})
}

func fixed(a conformance.Answer) conformance.System {
	return answering(func(conformance.Question) conformance.Answer { return a })
}

func constant(out string) conformance.System {
	return fixed(conformance.Answer{Kind: conformance.KindOut, Out: json.RawMessage(out)})
}

// asking returns a system that damages questions, and changing returns a system that
// damages answers.
func asking(edit func(conformance.Question) conformance.Question) conformance.System {
	return answerer(func(q conformance.Question) conformance.Answer { return library.New().Ask(edit(q)) })
}

func changing(edit func(conformance.Question, conformance.Answer) conformance.Answer) conformance.System {
	return answering(func(q conformance.Question) conformance.Answer { return edit(q, library.New().Ask(q)) })
}

func oneBehind() conformance.System {
	var last conformance.Answer
	return answering(func(q conformance.Question) conformance.Answer {
		before := last
		last = library.New().Ask(q)
		return before
	})
}

var (
	int64s = regexp.MustCompile(`-?[0-9]{9,}`)
	// clock matches an instant between 2001 and 2286 as milliseconds since 1970, which
	// have 13 digits. Its group matches the digits of the seconds.
	clock = regexp.MustCompile(`"([0-9]{10})[0-9]{3}"`)
)

func throughDouble(digits []byte) []byte {
	f, err := strconv.ParseFloat(string(digits), 64)
	if err != nil {
		return digits
	}
	return strconv.AppendFloat(nil, f, 'f', -1, 64)
}

// A batch is a system that is asked many questions at once and damages the list of
// answers.
type batch func([]conformance.Answer) []conformance.Answer

func (batch) Hello() conformance.Hello                      { return library.New().Hello() }
func (batch) Ask(q conformance.Question) conformance.Answer { return library.New().Ask(q) }

func (b batch) AskAll(questions []conformance.Question) iter.Seq2[int, conformance.Answer] {
	var answers []conformance.Answer
	for _, q := range questions {
		answers = append(answers, b.Ask(q))
	}
	return slices.All(b(answers))
}

// TestNoBrokenAdapterConforms: the harness detects each broken adapter, and names the
// fault.
func TestNoBrokenAdapterConforms(t *testing.T) {
	outcomes := map[string]suite.Outcome{
		"always-fault": suite.Broken, "no-answer": suite.Broken, "crash": suite.Broken,
		"too-few-answers": suite.Broken,
	}
	damaged := map[string]bool{
		"through-doubles": true, "int32-is-int64": true, "too-many-answers": true, "disordered-answers": true, "too-few-answers": true,
	}
	some := everyNth(4) // which is enough
	if testing.Short() {
		some = everyNth(12)
	}
	for _, a := range adapters() {
		r, err := suite.Run(some, a.System)
		if err != nil {
			t.Errorf("%s: %v", a.Name, err)
			continue
		}
		want, ok := outcomes[a.Name]
		if !ok {
			want = suite.Fail
		}
		if got := len(r.Damaged) > 0; got != damaged[a.Name] {
			t.Errorf("%s: damaged values are %q, damaged should be %t", a.Name, r.Damaged, damaged[a.Name])
		}
		if r.Conforms() || r.Count()[want] == 0 && !damaged[a.Name] {
			t.Errorf("%s: conforms %t, %v: want some %s", a.Name, r.Conforms(), r.Count(), want)
		}
	}
}

// everyNth returns a part of the embedded suite: every nth vector, and the few vectors
// that need server parameters.
func everyNth(n int) *suite.Suite {
	i := 0
	return suite.Embedded().Only(func(v *suite.Vector) bool {
		i++
		return i%n == 0 || slices.Contains(v.Needs, "parameters")
	})
}
