// Package docs holds the pages of this folder, so that a program can show them
// without the checkout. The tool's `ttl docs` makes a site of them.
package docs

import "embed"

// Files holds the guides, the pages of the rules, the results of other
// implementations, the schemas and the images, by their paths in this folder.
//
//go:embed *.md *.schema.json */*.md */*/*.md results images
var Files embed.FS
