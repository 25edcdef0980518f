// There is no package in this folder. The file keeps its pages out of the root module, which
// every importer of the library downloads.
module github.com/ttlpolicy/ttlpolicy/docs

go 1.24.0
