// Package dist holds the files of the playground: the template of its page, its
// style and scripts, and the Go code of package playground, compiled to WebAssembly
// and compressed. The site makes a page of the template. A server of static files
// suffices for it.
package dist

import "embed"

//go:generate ../build

// FS holds index.html and the files that it loads, at its root.
//
//go:embed index.html style.css start.js app.js short.js home.js home.css worker.js wasm_exec.js playground.wasm.gz THIRD_PARTY.txt
var FS embed.FS
