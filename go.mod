module github.com/ttlpolicy/ttlpolicy

go 1.26
