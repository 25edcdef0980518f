// Package protocol runs the conformance suite on programs in any language. It
// implements the runner's side of the adapter protocol, version 1, which
// docs/adapter.md describes, and the adapter's side for programs in Go.
//
// A [Program] is a [conformance.System], so that
//
//	p, err := protocol.Start(ctx, []string{"python3", "adapter.py"}, protocol.Options{})
//	report, err := conformtest.Run(p)
//
// asks the program all questions that its claims cover. Questions carry neither
// identifiers nor expectations. A program that crashes, hangs or gives malformed answers
// is started anew, and only the question that caused it counts as failed. After repeated
// failures the program gets no more questions of the operation.
//
// [Serve] makes an adapter from a System written in Go. It does not trust its
// requests, as [Start] does not trust a program: it limits the length and
// nesting of lines, and continues after any malformed line.
//
// The names are v0, see docs/releasing.md. The protocol is stable.
package protocol
