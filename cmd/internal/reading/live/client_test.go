package live

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live/wiretest"
)

// parsed returns the address that a text names.
func parsed(t *testing.T, text string) Address {
	t.Helper()
	a, err := ParseAddress(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// dialTo connects to a test's server.
func dialTo(t *testing.T, s *wiretest.Server, may Commands) *Client {
	t.Helper()
	a := parsed(t, "mongodb://"+s.Host()+"/shop?serverSelectionTimeoutMS=3000")
	c, err := Dial(t.Context(), a, may)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// namesOf returns the names of commands.
func namesOf(list []wiretest.Command) (names []string) {
	for _, c := range list {
		names = append(names, c.Name)
	}
	return names
}

func TestRefusedCommands(t *testing.T) {
	for _, test := range []struct {
		name string
		send func(ctx context.Context, c *Client) error
	}{
		{"insert", func(ctx context.Context, c *Client) error {
			_, err := c.client.Database("shop").Collection("logs").InsertOne(ctx, bson.D{})
			return err
		}},
		{"delete", func(ctx context.Context, c *Client) error {
			_, err := c.client.Database("shop").Collection("logs").DeleteMany(ctx, bson.D{})
			return err
		}},
		{"dropDatabase", func(ctx context.Context, c *Client) error { return c.client.Database("shop").Drop(ctx) }},
		{"collMod", func(ctx context.Context, c *Client) error {
			_, err := c.Run(ctx, "shop", bson.D{{Key: "collMod", Value: "logs"}})
			return err
		}},
		{"aggregate", func(ctx context.Context, c *Client) error {
			_, err := c.Run(ctx, "shop", bson.D{{Key: "aggregate", Value: "logs"}, {Key: "pipeline", Value: bson.A{bson.D{{Key: "$sample", Value: bson.D{{Key: "size", Value: 1}}}}, bson.D{{Key: "$out", Value: "x"}}}}})
			return err
		}},
		{"explain", func(ctx context.Context, c *Client) error {
			_, err := c.Run(ctx, "shop", bson.D{{Key: "explain", Value: bson.D{{Key: "delete", Value: "logs"}}}, {Key: "verbosity", Value: "executionStats"}})
			return err
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := wiretest.Start(t, func(c wiretest.Command) bson.D {
				if isHello(c) {
					return nil
				}
				return bson.D{{Key: "ok", Value: 1}}
			})
			c := dialTo(t, s, Read)
			if err := test.send(t.Context(), c); err == nil || !strings.Contains(err.Error(), "must not be sent") {
				t.Errorf("%s = %v, want a refusal", test.name, err)
			}
			if _, err := c.Run(t.Context(), "shop", bson.D{{Key: "buildInfo", Value: 1}}); err == nil {
				t.Error("after a refused command another is sent")
			}
			if got := namesOf(s.Commands()); slices.Contains(got, test.name) {
				t.Errorf("the server was sent %q", got)
			}
		})
	}
}

func TestAllowedCommands(t *testing.T) {
	s := wiretest.Start(t, func(c wiretest.Command) bson.D {
		if c.Name == "insert" {
			return bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 1}}
		}
		return nil
	})
	c := dialTo(t, s, append(slices.Clone(Read), "insert"))
	if _, err := c.client.Database("shop").Collection("logs").InsertOne(t.Context(), bson.D{}); err != nil {
		t.Errorf("an allowed command: %v", err)
	}
}

func TestServer(t *testing.T) {
	for _, test := range []struct {
		name    string
		answers map[string]bson.D
		want    string
		untold  int
	}{
		{"mongod", map[string]bson.D{
			"getParameter": {{Key: "featureCompatibilityVersion", Value: bson.D{{Key: "version", Value: "8.0"}}}, {Key: "ttlMonitorEnabled", Value: false}, {Key: "ttlMonitorSleepSecs", Value: 60}, {Key: "ok", Value: 1}},
			"serverStatus": {{Key: "metrics", Value: bson.D{{Key: "ttl", Value: bson.D{{Key: "passes", Value: int64(7)}, {Key: "deletedDocuments", Value: int64(1234)}}}}}, {Key: "ok", Value: 1}},
		}, "MongoDB 8.0.4", 0},
		{"a user with few rights", map[string]bson.D{
			"getParameter": wiretest.Error(13, "Unauthorized", "not authorized"),
			"serverStatus": wiretest.Error(13, "Unauthorized", "not authorized"),
		}, "MongoDB 8.0.4", 2},
		{"FerretDB 1", map[string]bson.D{"buildInfo": {{Key: "version", Value: "7.0.42"}, {Key: "ferretdbVersion", Value: "v1.24.0"}, {Key: "ok", Value: 1}}}, "FerretDB v1.24.0, which says that it is like MongoDB 7.0.42", 0},
		{"FerretDB 2", map[string]bson.D{"buildInfo": {{Key: "version", Value: "7.0.77"}, {Key: "ferretdb", Value: bson.D{{Key: "version", Value: "v2.7.0"}}}, {Key: "ok", Value: 1}}}, "FerretDB v2.7.0, which says that it is like MongoDB 7.0.77", 0},
		{"a long version", map[string]bson.D{"buildInfo": {{Key: "version", Value: "7.0.77"}, {Key: "ferretdbVersion", Value: strings.Repeat("x", 1<<20)}, {Key: "ok", Value: 1}}}, "FerretDB " + strings.Repeat("x", maxWord) + "…, which says that it is like MongoDB 7.0.77", 0},
		{"Azure", map[string]bson.D{"buildInfo": {{Key: "_t", Value: "BuildInfoResponse"}, {Key: "version", Value: "4.2.0"}, {Key: "ok", Value: 1}}}, "Azure Cosmos DB for MongoDB 4.2.0", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := wiretest.Start(t, func(c wiretest.Command) bson.D { return test.answers[c.Name] })
			got, err := dialTo(t, s, Read).Server(t.Context())
			if err != nil || got.String() != test.want || len(got.Untold) != test.untold {
				t.Errorf("Server() = %v, %q, %v, want %s and %d untold", got, got.Untold, err, test.want, test.untold)
			}
		})
	}
}

func TestAbout(t *testing.T) {
	s := Server{Product: MongoDB, Version: "8.0.4", Sharded: true}
	if got, want := s.About(), "MongoDB 8.0.4, sharded"; got != want {
		t.Errorf("About() = %s, want %s", got, want)
	}
	s.Passes, s.Deleted = 1, 1
	if got, want := s.About(), "MongoDB 8.0.4, sharded; since it started, 1 pass has deleted 1 document"; got != want {
		t.Errorf("About() = %s, want %s", got, want)
	}
	s.Compatibility, s.MonitorSeconds, s.Passes, s.Deleted = "7.0", 60, 7, 1234
	if got, want := s.About(), "MongoDB 8.0.4, sharded, feature compatibility version 7.0; its TTL monitor sleeps 60 s between passes; since it started, 7 passes have deleted 1,234 documents"; got != want {
		t.Errorf("About() = %s, want %s", got, want)
	}
}

func TestRecogniseByHost(t *testing.T) {
	for host, want := range map[string]Product{
		"acct.mongo.cosmos.azure.com":                  CosmosMongo,
		"acct.global.mongocluster.cosmos.azure.com":    AzureVCore,
		"c.cluster-x.eu-central-1.docdb.amazonaws.com": DocumentDB,
		"x.eu-central-1.docdb-elastic.amazonaws.com":   DocumentDB,
		"docdb.example":                                        MongoDB,
		"cosmos.azure.com.example":                             MongoDB,
		"cluster0.abcde.mongodb.net":                           MongoDB,
		"shard.eu-central-1.docdb-elastic.amazonaws.com.evil.": MongoDB,
	} {
		if got := recognise([]string{host}, nil, nil).Product; got != want {
			t.Errorf("recognise(%s) = %s, want %s", host, got, want)
		}
	}
}

func TestReplyTooLong(t *testing.T) {
	long := bson.Binary{Data: make([]byte, 8<<20)}
	s := wiretest.Start(t, func(c wiretest.Command) bson.D {
		switch c.Name {
		case "isMaster", "ismaster", "hello":
			return bson.D{{Key: "ismaster", Value: true}, {Key: "helloOk", Value: true}, {Key: "maxMessageSizeBytes", Value: 2000000000}, {Key: "maxBsonObjectSize", Value: 16 << 20}, {Key: "maxWireVersion", Value: 21}, {Key: "ok", Value: 1}}
		case "listDatabases":
			d := bson.D{{Key: "ok", Value: 1}}
			for range 8 {
				d = append(d, bson.E{Key: "x", Value: long})
			}
			return d
		}
		return nil
	})
	c := dialTo(t, s, Read)
	if _, err := c.Run(t.Context(), "admin", bson.D{{Key: "listDatabases", Value: 1}}); err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Errorf("a reply of 64 MiB: %v", err)
	}
}

// TestSilentServer uses a server that accepts connections and sends nothing.
func TestSilentServer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	a := parsed(t, "mongodb://"+listener.Addr().String()+"/?serverSelectionTimeoutMS=200")
	begun := time.Now()
	if _, err := Dial(t.Context(), a, Read); err == nil || time.Since(begun) > 5*time.Second {
		t.Errorf("Dial = %v after %s", err, time.Since(begun))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Dial(ctx, a, Read); !errors.Is(err, context.Canceled) {
		t.Errorf("Dial after Ctrl-C = %v", err)
	}
}

// TestTooOld: the error about a server before 4.4, which the driver refuses, says what to
// do.
func TestTooOld(t *testing.T) {
	wire := wiretest.Start(t, func(c wiretest.Command) bson.D {
		if !isHello(c) {
			return nil
		}
		return bson.D{{Key: "ismaster", Value: true}, {Key: "minWireVersion", Value: 0}, {Key: "maxWireVersion", Value: 8}, {Key: "ok", Value: 1}} // 4.2
	})
	a := parsed(t, "mongodb://"+wire.Host()+"/?serverSelectionTimeoutMS=2000")
	_, err := Dial(t.Context(), a, Read)
	want := "mongodb://" + wire.Host() + ": this server is older than MongoDB 4.4, the oldest release that the driver in this tool supports; give a dump made by mongodump instead"
	if err == nil || err.Error() != want {
		t.Errorf("Dial of a 4.2 = %v, want %s", err, want)
	}
}

// TestUnreachable: an error says why a server cannot be reached. A user's name is not removed from inside a word of the message.
func TestUnreachable(t *testing.T) {
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host := nobody.Addr().String()
	nobody.Close()
	for _, user := range []string{"", "o@", "no@", "u:no@"} {
		_, err := Dial(t.Context(), parsed(t, "mongodb://"+user+host+"/?serverSelectionTimeoutMS=200"), Read)
		begin, reason := "mongodb://"+host+": no server is available: context deadline exceeded", "dial tcp "+host+": connect: connection refused"
		if err == nil || !strings.HasPrefix(err.Error(), begin) || !strings.Contains(err.Error(), reason) {
			t.Errorf("Dial by %q = %v, want %s … %s", user, err, begin, reason)
		}
	}
}

// TestPlainPort: the error says that the server does not speak TLS, whether the server
// hangs up or answers.
func TestPlainPort(t *testing.T) {
	for name, reply := range map[string]string{"hangs up": "", "answers": "HTTP/1.1 400 Bad Request\r\n\r\n"} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		go func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				_, _ = conn.Read(make([]byte, 1))
				_, _ = conn.Write([]byte(reply))
				conn.Close()
			}
		}()
		host := listener.Addr().String()
		a := parsed(t, "mongodb://"+host+"/?tls=true&serverSelectionTimeoutMS=500")
		want := "if the server does not speak TLS"
		if _, err := Dial(t.Context(), a, Read); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "leave tls=true out") {
			t.Errorf("%s: Dial = %v, want %q", name, err, want)
		}
	}
}

// TestLongErrors: an error repeats a server's text only up to a readable length, and no
// part of a password, wherever the text is cut.
func TestLongErrors(t *testing.T) {
	const password = "a-password-that-nobody-may-see"
	a := Address{Name: "mongodb://db.example.net", secrets: []string{password}}
	long := strings.Repeat("x", 40<<20)
	for _, text := range []string{long, long[:maxText-10] + password, strings.Repeat("ä ", maxText) + password, strings.Repeat(password, maxText)} {
		got := a.failed(driver.CommandError{Code: 8000, Message: text})
		if n := utf8.RuneCountInString(got.Error()); n > maxText+100 || strings.Contains(got.Error(), password[:6]) {
			t.Errorf("an error of %d characters becomes one of %d: %.200s", len(text), n, got.Error())
		}
		if !isCode(got, 8000) {
			t.Errorf("%.100s: its code is lost", got.Error())
		}
	}
	if got := a.failed(errors.New("short")); got.Error() != a.Name+": short" {
		t.Errorf("failed(short) = %v", got)
	}
}
