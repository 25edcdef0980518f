package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live"
)

// cosmosProgram serves an account with two containers. It writes its address, and the
// items of one container as the server stores them, a line each. It ends when its
// input ends.
const cosmosProgram = `
const server = require("@zeit/cosmosdb-server").createHttpServer({}).listen(0, "127.0.0.1", async () => {
	const base = "http://127.0.0.1:" + server.address().port;
	const send = async (path, body) => (await fetch(base + path, { method: "POST", body: JSON.stringify(body) })).json();
	await send("/dbs", { id: "shop" });
	await send("/dbs/shop/colls", { id: "logs", defaultTtl: 3600, partitionKey: { paths: ["/tenant"], kind: "Hash" } });
	await send("/dbs/shop/colls", { id: "off" });
	console.log(base);
	for (let i = 0; i < 1200; i++) {
		const item = { id: "i" + i, tenant: "<" + i % 3 + ">" };
		if (i % 5 < 2) item.ttl = i % 5 === 0 ? -1 : 60;
		console.log(JSON.stringify(await send("/dbs/shop/colls/logs/docs", item)));
	}
	console.log("end");
	process.stdin.on("end", () => process.exit()).resume();
});`

// cosmosServer starts @zeit/cosmosdb-server. The variable COSMOSDB_SERVER names the
// folder in which it is installed; without the variable the test is skipped. cosmosServer
// returns the server's address and a file with the items of shop/logs.
func cosmosServer(t *testing.T) (address, file string) {
	t.Helper()
	dir := os.Getenv("COSMOSDB_SERVER")
	if dir == "" {
		t.Skip("COSMOSDB_SERVER names no folder with @zeit/cosmosdb-server")
	}
	cmd := exec.Command("node", "-e", cosmosProgram)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	lines := bufio.NewScanner(startServer(t, cmd))
	var read []string
	for lines.Scan() && lines.Text() != "end" {
		read = append(read, lines.Text())
	}
	if len(read) != 1201 {
		t.Fatalf("the server wrote %d lines, want 1201", len(read))
	}
	return "cosmos+" + read[0], written(t, "logs.jsonl", strings.Join(read[1:], "\n"))
}

// TestCosmosServerIsAsItsExport reads a running server and an export of it.
func TestCosmosServerIsAsItsExport(t *testing.T) {
	address, file := cosmosServer(t)
	t.Setenv(live.KeyVariable, "c2VjcmV0IHNlY3JldA==")
	forecasts := func(args ...string) (collection map[string]any, stderr string) {
		t.Helper()
		r := ttl(t, "", append([]string{"forecast", "--now", "2100-01-01", "--format", "json"}, args...)...)
		var report struct{ Collections []map[string]any }
		if err := json.Unmarshal([]byte(r.out), &report); err != nil || r.code != cli.ExitOK || len(report.Collections) != 1 {
			t.Fatalf("forecast %q: exit code %d, %d collections, %v, %s", args, r.code, len(report.Collections), err, r.err)
		}
		collection = map[string]any{}
		for _, member := range []string{"documents", "bytes", "expired", "pending", "never", "bad", "deletedAtOnce", "histogram", "within", "sources"} {
			if collection[member] = report.Collections[0][member]; collection[member] == nil {
				t.Errorf("forecast %q has no %s", args, member)
			}
		}
		return collection, r.err
	}
	got, stderr := forecasts("--check", address+"/shop/logs")
	want, _ := forecasts("--container", `{"defaultTtl":3600}`, file)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("of the server %v, want as of its export %v", got, want)
	}
	if !strings.Contains(stderr, "request units") || strings.Contains(stderr, "c2Vj") {
		t.Errorf("standard error %q, want the request units charged, and no key", stderr)
	}
	for _, c := range []struct {
		name string
		args []string
		code cli.ExitCode
		want string
	}{
		{"parts of items", []string{"forecast", address + "/shop"}, cli.ExitOK, "Sizes are of the properties that were read"},
		{"groups", []string{"forecast", "--by", "tenant", address + "/shop/logs"}, cli.ExitOK, `"<2>"`},
		{"other settings", []string{"forecast", "--container", `{"defaultTtl":60}`, "--now", "2100-01-01", address + "/shop/logs"}, cli.ExitOK, "hides items from the moment they expire"},
		{"a budget", []string{"forecast", "--max-ru", "1", address + "/shop"}, cli.ExitInput, "--max-ru allows more"},
		{"an item", []string{"explain", "--id", "i5", address + "/shop"}, cli.ExitOK, "cosmos.item-never"},
		{"an audit", []string{"audit", address}, cli.ExitOK, "2 of 2 collections and containers"},
		{"no container", []string{"audit", address + "/shop/nothing"}, cli.ExitInput, "404 Not Found"},
		{"a flag about MongoDB", []string{"forecast", "--server", "8.0", address}, cli.ExitUsage, "it is about MongoDB"},
		{"a sample", []string{"forecast", "--sample", "8", address}, cli.ExitUsage, "draws no samples"},
		{"what counts", []string{"forecast", "--pushdown", "cosmos", "--now", "2100-01-01", address + "/shop/logs"}, cli.ExitOK, "SELECT VALUE COUNT(1) FROM c WHERE"},
		{"what counts in an account", []string{"forecast", "--pushdown", "cosmos", address}, cli.ExitUsage, "are about one collection, and there are 2"},
		{"what finds", []string{"forecast", "--pushdown", "cosmos", "--find", address + "/shop/logs"}, cli.ExitOK, "SELECT * FROM c WHERE"},
		{"counts beside MongoDB", []string{"forecast", "--pushdown", "mongo", address + "/shop/logs"}, cli.ExitUsage, "is not a server of MongoDB's protocol"},
		{"a part of counts", []string{"forecast", "--pushdown", "cosmos", "--format", "part", "--now", "2100-01-01", address}, cli.ExitUsage, "shown as text or json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := ttl(t, "", c.args...)
			if text := words(r.out + r.err); r.code != c.code || !strings.Contains(text, c.want) {
				t.Errorf("exit code %d, %.2000s; want %d and %q", r.code, text, c.code, c.want)
			}
		})
	}
}
