// Package page holds the files of the playground's page: the template of the page, its
// style and its scripts. The site makes a page of the template, and adds the program that
// the scripts run.
package page

import "embed"

// FS holds index.html and the files that it loads, at its root.
//
//go:embed *.html *.css *.js THIRD_PARTY.txt
var FS embed.FS
