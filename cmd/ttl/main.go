// Command ttl says what a TTL policy does to documents, before it does it.
package main

import (
	_ "github.com/klauspost/compress/zstd"
	_ "github.com/schollz/progressbar/v3"
	_ "github.com/spf13/cobra"
	_ "github.com/ttlpolicy/ttlpolicy/policy"
	_ "go.mongodb.org/mongo-driver/v2/bson"
)

func main() {}
