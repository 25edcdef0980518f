// Package protocol puts programs in any language to the conformance suite: it
// speaks the runner's side of the adapter protocol, version 1, which
// docs/adapter.md describes, and the adapter's side for programs in Go.
//
// A [Program] is a [conformance.System], so that
//
//	p, err := protocol.Start(ctx, []string{"python3", "adapter.py"}, protocol.Options{})
//	report, err := conformtest.Run(p)
//
// asks it everything it claims. Questions carry neither identifiers nor
// expectations. A program that crashes, hangs or answers nonsense is started
// anew, and only the question that did it is held against it; one that does so
// again and again is left alone.
//
// [Serve] makes an adapter of a System written in Go. It trusts its requests as
// little as [Start] trusts a program: lines are limited in length and nesting,
// and whatever one holds, the next is answered.
//
// Experimental: these names may change in a minor release. The protocol is stable.
package protocol
