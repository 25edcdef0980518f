// Package playground answers what the playground of the site asks: given a
// policy and a document as people write them, and a clock, what becomes of the
// document, by which rule, and in which releases otherwise.
//
// [Of] is all the logic: a [State] in, an [Answer] out, both plain JSON. The
// page in package dist shows answers and holds no opinion of its own; package
// wasm carries the two values between them. State is what a link holds, too:
// [State.Fragment] and [ParseFragment] are inverse.
package playground
