// Runs the Go code, so that the page stays free while it starts and while it answers. The
// page sends the addresses of the program and of its starter, and then a State and a View
// for each question.
"use strict";

onmessage = ({ data }) => {
  if (!data.program) return postMessage({ answer: ttlAnswer(data.state, data.view) });
  importScripts(data.starter);
  load(data.program).then(() => postMessage({ ready: true }), (error) => postMessage({ error: error.message }));
};

// load starts the Go code while it arrives. The file is compressed, unless the
// server declared that and the browser has decompressed it.
async function load(program) {
  const response = await fetch(program);
  if (!response.ok) throw new Error(`${program}: ${response.status}`);
  const reader = response.body.getReader();
  let { value, done } = await reader.read();
  const isPacked = value?.[0] === 0x1f && value[1] === 0x8b;
  let loaded = 0;
  const arriving = new ReadableStream({
    async pull(stream) {
      if (done) return stream.close();
      postMessage({ loaded: loaded += value.length });
      stream.enqueue(value);
      ({ value, done } = await reader.read());
    },
  });
  const plain = isPacked ? arriving.pipeThrough(new DecompressionStream("gzip")) : arriving;
  const go = new Go();
  const { instance } = await WebAssembly.instantiateStreaming(new Response(plain, { headers: { "Content-Type": "application/wasm" } }), go.importObject);
  go.run(instance);
}
