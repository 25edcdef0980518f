// Package browser tests the playground in a real browser: that it starts, shows the
// library's answers, works by mouse and by keyboard, and sends nothing out of the page.
// It also tests the examples of the npm package, in a page and in a worker.
//
// The tests start Chromium, which takes longer than all other tests together, and are
// skipped unless TTL_BROWSER=required. TTL_SHOTS names a folder for screenshots.
package browser
