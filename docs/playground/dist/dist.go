// Package dist holds what the playground is served from: the template of its page,
// its style and scripts, and the Go code of package playground, compiled to
// WebAssembly and compressed. The site makes a page of the template, and then needs
// nothing but a server of files.
package dist

import "embed"

//go:generate ../build

// FS holds index.html and what it loads, at its root.
//
//go:embed index.html style.css start.js app.js short.js home.js home.css worker.js wasm_exec.js playground.wasm.gz THIRD_PARTY.txt
var FS embed.FS
