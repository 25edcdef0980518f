// Package independent holds second implementations of what package mongo
// decides, as tests: index keys, partial filters and time-series buckets. They
// were written from the sources that they cite, without a look at the
// evaluator, and over a document tree of their own. The tests compare them with
// the evaluator on random documents. Nothing is exported.
//
// Where the two differ, one of them has misread the source.
package independent
