package conformance

import "testing"

// Test asks system everything that it claims, one subtest for each vector,
// named by its identifier. A failure says which rule is violated and where that
// is established, and shows both answers. A vector that is not claimed is
// skipped, so that under-claiming shows.
func Test(t *testing.T, s *Suite, system System) {
	t.Helper()
	session, err := open(s, system)
	if err != nil {
		t.Fatal(err)
	}
	for _, trouble := range session.plumb() {
		t.Errorf("%s: %s", echoOp, trouble)
	}
	if t.Failed() {
		t.Fatal("values are damaged on the way; no rule was judged")
	}
	for _, v := range s.Vectors {
		t.Run(v.ID, func(t *testing.T) { session.test(t, v) })
	}
}

// test asks one vector.
func (s *session) test(t *testing.T, v *Vector) {
	checks := s.plan(v)
	s.make(checks)
	judged := false
	for _, f := range alike(checks) {
		judged = judged || f.First().Outcome != Inapplicable
		if f.First().Failed() {
			t.Error(s.suite.Explain(f))
		}
	}
	if !judged {
		t.Skip("not claimed")
	}
}
