//go:build wasip1

// Command ttlwasm is this library as one WebAssembly module, for programs in other
// languages. It exports functions of numbers; docs/wasm.md describes them.
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared ./ttlwasm
package main

import (
	"unsafe"

	"github.com/ttlpolicy/ttlpolicy/docs/site/ttlwasm/internal/module"
)

// instance is the only Module of this WebAssembly instance, which has one thread.
var instance = module.New(func(b []byte) uint32 { return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) })

func main() {} // a library: hosts call _initialize

//go:wasmexport ttl_abi
func abi() int32 { return module.ABI }

//go:wasmexport ttl_alloc
func alloc(n uint32) uint32 { return instance.Alloc(n) }

//go:wasmexport ttl_free
func free(address uint32) int32 { return int32(instance.Free(address)) }

//go:wasmexport ttl_text
func text() uint32 { return instance.Text() }

//go:wasmexport ttl_error
func reason() int32 { return int32(instance.Error()) }

//go:wasmexport ttl_hello
func hello() int32 { return int32(instance.Hello()) }

//go:wasmexport ttl_compile
func compile(address, n uint32) int32 { return int32(instance.Compile(address, n)) }

//go:wasmexport ttl_compile_listed
func compileListed(address, n uint32) int32 { return int32(instance.CompileListed(address, n)) }

//go:wasmexport ttl_release
func release(policy int32) int32 { return int32(instance.Release(module.Handle(policy))) }

//go:wasmexport ttl_rule
func rule(number uint32) int32 { return int32(instance.Rule(number)) }

//go:wasmexport ttl_source
func source(policy int32, number uint32) int32 {
	return int32(instance.Source(module.Handle(policy), number))
}

//go:wasmexport ttl_about
func about(policy int32) int32 { return int32(instance.About(module.Handle(policy))) }

//go:wasmexport ttl_change
func change(policy int32, address, n uint32) int32 {
	return int32(instance.Change(module.Handle(policy), address, n))
}

//go:wasmexport ttl_definition
func definition(policy int32) int32 { return int32(instance.Definition(module.Handle(policy))) }

//go:wasmexport ttl_decide
func decide(policy int32, format, address, n uint32, now int64, out uint32) int32 {
	return int32(instance.Decide(module.Handle(policy), module.Format(format), address, n, now, out))
}

//go:wasmexport ttl_decide_at
func decideAt(policy int32, format, address, n uint32, ts, now int64, out uint32) int32 {
	return int32(instance.DecideAt(module.Handle(policy), module.Format(format), address, n, ts, now, out))
}

//go:wasmexport ttl_decide_all
func decideAll(policy int32, format, address, n uint32, now int64, out, room uint32) int32 {
	return int32(instance.DecideAll(module.Handle(policy), module.Format(format), address, n, now, out, room))
}

//go:wasmexport ttl_explain
func explain(policy int32, format, address, n uint32, now int64) int32 {
	return int32(instance.Explain(module.Handle(policy), module.Format(format), address, n, now))
}

//go:wasmexport ttl_ask
func ask(address, n uint32) int32 { return int32(instance.Ask(address, n)) }
