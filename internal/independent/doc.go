// Package independent holds second implementations of what package mongo
// decides, as tests: index keys, partial filters and time-series buckets. They
// were written from the sources that they cite, without a look at the
// evaluator, and over a document tree of their own. The tests compare them with
// the evaluator on random documents, and on all documents of a small scope, for
// which there is also a model of package cosmos. Nothing is exported.
//
// Where the two differ, one of them has misread the source.
package independent
