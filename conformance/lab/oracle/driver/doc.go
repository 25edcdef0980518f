// Package driver holds tests only: they compare the readers and writers of package policy
// with MongoDB's official Go driver, which shares no code with them. It belongs to this
// module because the driver must not enter the module graph of programs that import the
// library.
//
// The driver and package policy must accept the same BSON, see the same values in it,
// read the same BSON from Extended JSON, write the same canonical text, and agree on the
// text of every decimal. Where the library differs on purpose, differences_test.go shows
// each case, so that the list stays true.
package driver
