// Package browser tests the playground in a real browser: that it starts, that
// what it shows is what the library answers, that it can be used by mouse and
// by keyboard, and that nothing leaves the page; and the examples of the package of npm,
// in a page and in a worker. It is a module of its own, for what drives the browser must
// not enter another's module graph.
//
// The tests start Chromium, which takes longer than all other tests together, and
// are skipped unless TTL_BROWSER=required. Pictures go where TTL_SHOTS says.
package browser
