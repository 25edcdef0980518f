//go:build js && wasm

// Command wasm is the playground's logic as the page loads it. It gives the
// page three functions, each of texts in and a text out:
//
//	ttlAnswer(state, view)  a JSON Answer for a JSON State and View
//	ttlState(fragment)      the JSON State of a link, "" if it is not one
//	ttlExamples()           the JSON list of Examples
package main

import (
	"encoding/json"
	"syscall/js"

	"github.com/ttlpolicy/ttlpolicy/docs/playground"
)

func main() {
	global := js.Global()
	global.Set("ttlAnswer", function(func(args []string) any {
		var s playground.State
		var v playground.View
		if json.Unmarshal([]byte(args[0]), &s) != nil || json.Unmarshal([]byte(args[1]), &v) != nil {
			return nil
		}
		return playground.Of(s, v)
	}, 2))
	global.Set("ttlState", function(func(args []string) any {
		if s, ok := playground.ParseFragment(args[0]); ok {
			return s
		}
		return nil
	}, 1))
	global.Set("ttlExamples", function(func([]string) any { return playground.Examples() }, 0))
	select {} // the functions live as long as the page
}

// function makes a function of n texts that returns its result as JSON.
func function(f func(args []string) any, n int) js.Func {
	return js.FuncOf(func(_ js.Value, given []js.Value) any {
		args := make([]string, n)
		for i := range min(n, len(given)) {
			args[i] = given[i].String()
		}
		result := f(args)
		if result == nil {
			return ""
		}
		text, err := json.Marshal(result)
		if err != nil {
			return ""
		}
		return string(text)
	})
}
