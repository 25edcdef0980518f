// Command ferretdb runs FerretDB 1 with SQLite, a server of MongoDB's protocol, for
// tests. It stores its data in the folder named by its argument, prints its address, and
// exits when its standard input ends.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	f, err := ferretdb.New(&ferretdb.Config{
		Listener: ferretdb.ListenerConfig{TCP: "127.0.0.1:0"}, Handler: "sqlite", SQLiteURL: "file:" + os.Args[1] + "/",
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	fmt.Println(f.MongoDBURI())
	if err := f.Run(ctx); err != nil {
		log.Fatal(err)
	}
}
