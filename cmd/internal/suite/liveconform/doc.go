// Package liveconform puts a running server to the conformance suite: a [System] that
// answers questions by asking the server.
//
// A question is about an instant, and nobody can set the clock of a server. So the dates
// of the question move instead, all by one time: what follows from them moves with them.
// Two copies of the document stand around a sweep. The early one asks about an instant
// after the sweep: if it is gone, the document is expired. The late one asks about an
// instant before the sweep: if it is left, the document is not. Further copies ask about
// instants long ago: one that is left never expires.
//
// Nothing follows from what is left until sweeps have been seen: every collection gets
// an index of its own for control documents, and is read after several of them went one
// after the other.
//
// All that a run writes is in a database of its own. The commands that may be sent are
// those of [Commands].
//
// An [Account] does the same for Azure Cosmos DB for NoSQL. There the service writes _ts,
// so the times to live of the question change instead: those that are over become a few
// seconds, the others a day longer.
package liveconform
