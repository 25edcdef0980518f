//go:build js && wasm

// Command wasm is the playground's logic as the page loads it. It gives the
// page one function:
//
//	ttlAnswer(state, view)  a JSON Answer for a JSON State and View
package main

import (
	"syscall/js"

	"github.com/ttlpolicy/ttlpolicy/docs/site/playground"
)

func main() {
	js.Global().Set("ttlAnswer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		var s playground.State
		var v playground.View
		if len(args) < 2 || playground.ReadJSON(args[0].String(), &s) != nil || playground.ReadJSON(args[1].String(), &v) != nil {
			return ""
		}
		return string(playground.AppendJSON(nil, playground.Of(s, v)))
	}))
	select {} // the function lives as long as the page
}
