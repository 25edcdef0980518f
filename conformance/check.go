package conformance

// An Outcome is how one check ended.
type Outcome uint8

// The outcomes. The zero Outcome is a check that was not made.
const (
	NotRun       Outcome = iota
	Pass                 // the answer is the one that is wanted
	Fail                 // it is another one, or is missing where one was claimed
	Observed             // nothing is judged here; the answer is recorded
	Inapplicable         // not claimed, and so not asked
	Broken               // the implementation broke: fault, crash, timeout or breach of protocol
	Known                // it failed or broke, and is listed as a known failure
)

var outcomeNames = []string{"not-run", "pass", "fail", "observed", "inapplicable", "broken", "known-failure"}

// String returns the outcome's name, such as "pass".
func (o Outcome) String() string { return nameOf(outcomeNames, int(o)) }

// MarshalText returns the outcome's name.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads an outcome's name. Results of earlier builds, which asked
// what was not claimed, have "unclaimed" too: it is [Inapplicable].
func (o *Outcome) UnmarshalText(name []byte) error {
	if string(name) == "unclaimed" {
		*o = Inapplicable
		return nil
	}
	return byName(o, outcomeNames, name)
}

// A Check is one vector asked about one release.
type Check struct {
	Vector *Vector
	Target Target
	// Row is what is expected, nil where that is not established.
	Row     *Row
	Outcome Outcome
	Answer  Answer
	// Label names the answer that was given, where several conform.
	Label string
	// Detail says how the answer differs from what is wanted.
	Detail string
}

// Failed reports whether the system does not conform by it.
func (c Check) Failed() bool { return c.Outcome == Fail || c.Outcome == Broken }

// Counts reports whether the outcome bears on a verdict.
func (c Check) Counts() bool { return c.Outcome == Pass || c.Failed() }
