// Package liveconform runs the conformance suite on a live server: a [System] answers the
// questions of the suite by asking the server.
//
// A question is about an instant, but a server's clock cannot be set. So all dates of the
// question are shifted by the same time. One sweep decides about two copies of the
// document. The early copy is shifted to an instant after the sweep: if it is deleted,
// the document is expired. The late copy is shifted to an instant before the sweep: if it
// remains, the document is not expired. Further copies are shifted to instants long ago:
// one that remains never expires.
//
// A remaining document proves nothing until sweeps were observed. So every collection gets
// an index for control documents, and is read after several control documents were deleted
// in turn.
//
// A run writes only to a database of its own, and sends only the commands of [Commands].
package liveconform
