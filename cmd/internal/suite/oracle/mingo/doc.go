// Package mingo compares this project's partial filters and index keys with mingo, an
// implementation of MongoDB's query language in JavaScript that shares nothing with ours
// (https://github.com/kofrasa/mingo). It contains tests only.
//
// The tests need Node.js and mingo; MINGO names the folder that mingo is
// installed in, as .ci/run installs it:
//
//	cp -r .ci/mingo /tmp/mingo && npm ci --prefix /tmp/mingo
//	cd cmd && MINGO=/tmp/mingo go test ./internal/suite/oracle/mingo
//
// Without MINGO they are skipped; with it, a missing Node.js makes them fail. A number in
// MINGO_SEED draws other questions. docs/mingo.md lists the findings.
package mingo
