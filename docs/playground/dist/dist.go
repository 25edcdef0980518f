// Package dist holds the playground as it is served: a page, its style and
// script, and the Go code of package playground, compiled to WebAssembly and
// compressed. It needs nothing but a server of files, under any path, beside a
// folder rules and a page index.html that it links to.
package dist

import "embed"

//go:generate ../build

// FS holds index.html and what it loads, at its root.
//
//go:embed index.html style.css app.js wasm_exec.js playground.wasm.gz THIRD_PARTY.txt
var FS embed.FS
