package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump/dumptest"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// benchCopies is how often the 2,000 documents of a sample are repeated in the measurements:
// 2,000,000 documents, 445 MB.
const benchCopies = 1000

// BenchmarkForecast runs the command and, in turn with it, a function that does only the
// least work that the input needs. It reports the ratio of the medians. It needs an idle
// machine, and a few rounds:
//
//	go test -run '^$' -bench Forecast -benchtime 7x ./ttl
func BenchmarkForecast(b *testing.B) {
	plain := sampled(b, "shop/logs.bson")
	b.Run("plain", func(b *testing.B) { inTurn(b, reading(plain, walkLengths), forecasting(plain)) })
	for _, packed := range []struct {
		name, end string
		packer    func(w io.Writer) (io.WriteCloser, error)
		floor     func(r io.Reader) error
	}{
		{"gzip", ".gz", func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }, gunzip},
		{"zstd", ".zst", func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }, unzstd},
	} {
		path := pack(b, plain, packed.end, packed.packer)
		b.Run(packed.name, func(b *testing.B) { inTurn(b, reading(path, packed.floor), forecasting(path)) })
	}
}

// BenchmarkForecastText compares the forecast of text with a program that reads the same
// bytes on all cores and only checks that each line is JSON. It checks with
// [policy.ParseJSON], which takes less than half the time of encoding/json.
//
//	go test -run '^$' -bench ForecastText -benchtime 7x ./ttl
func BenchmarkForecastText(b *testing.B) {
	items := sampled(b, "cosmos/items.jsonl")
	logs := exported(b, sampled(b, "shop/logs.bson"))
	for _, text := range []struct {
		name, lines, path string
		flags             []string
	}{
		{"lines", items, items, []string{"--container", `{"defaultTtl":-1}`}},
		{"array", items, arrayOf(b, items, ","), []string{"--container", `{"defaultTtl":-1}`}},
		{"extended", logs, logs, []string{"--index", `{"createdAt":1}`, "--expire-after", "30d"}},
		{"extended-array", logs, arrayOf(b, logs, ",\n"), []string{"--index", `{"createdAt":1}`, "--expire-after", "30d"}}, // as mongoexport --jsonArray
	} {
		b.Run(text.name, func(b *testing.B) {
			inTurn(b, func() error { return checkLines(text.lines) }, forecasting(text.path, text.flags...))
		})
	}
}

// BenchmarkForecastArchive compares archives with the plain file of the same documents,
// both uncompressed and compressed.
//
//	go test -run '^$' -bench ForecastArchive -benchtime 7x ./ttl
func BenchmarkForecastArchive(b *testing.B) {
	plain := sampled(b, "shop/logs.bson")
	archive := filepath.Join(b.TempDir(), "dump.archive")
	writeFile(b, archive, archiveOf(b, plain))
	b.Run("plain", func(b *testing.B) { inTurn(b, forecasting(plain), forecasting(archive)) })
	b.Run("gzip", func(b *testing.B) {
		packer := func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }
		inTurn(b, forecasting(pack(b, plain, ".gz", packer)), forecasting(pack(b, archive, ".gz", packer)))
	})
	b.Run("zstd", func(b *testing.B) {
		packer := func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }
		inTurn(b, forecasting(pack(b, plain, ".zst", packer)), forecasting(pack(b, archive, ".zst", packer)))
	})
}

// archiveOf returns an archive with the documents of a file of mongodump, in blocks of
// up to 16 MiB, as mongodump writes them.
func archiveOf(b *testing.B, path string) []byte {
	b.Helper()
	docs, metadata := readFile(b, path), contents(b, strings.TrimSuffix(path, ".bson")+".metadata.json")
	c := dumptest.Collection{Name: "logs", Metadata: metadata}
	for size := 0; len(docs) > 0; docs, size = docs[size:], 0 {
		for size < 16<<20 && size < len(docs) {
			size += int(binary.LittleEndian.Uint32(docs[size:]))
		}
		c.Blocks = append(c.Blocks, docs[:size])
	}
	return dumptest.Archive("8.0.4", c)
}

// sampled repeats the documents of a sample, writes the metadata beside them, and returns the
// path. The traces of logs differ from copy to copy, so that no compressor finds a copy again.
func sampled(b *testing.B, sample string) string {
	b.Helper()
	docs, r := readFile(b, "../samples/"+sample), rand.New(rand.NewPCG(1, 2))
	path := filepath.Join(b.TempDir(), filepath.Base(sample))
	if base, isBSON := strings.CutSuffix(sample, ".bson"); isBSON {
		writeFile(b, strings.TrimSuffix(path, ".bson")+".metadata.json", readFile(b, "../samples/"+base+".metadata.json"))
	}
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	trace := []byte("trace\x00")
	for range benchCopies {
		for rest := docs; ; {
			i := bytes.Index(rest, trace)
			if i < 0 {
				break
			}
			rest = rest[i+len(trace)+4:] // the length of the text
			copy(rest, fmt.Appendf(nil, "%016x%016x", r.Uint64(), r.Uint64()))
		}
		if _, err := f.Write(docs); err != nil {
			b.Fatal(err)
		}
	}
	return path
}

// exported writes a file of BSON in the format of mongoexport, and returns the
// path.
func exported(b *testing.B, path string) string {
	b.Helper()
	in, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	return made(b, func(w *bufio.Writer) (err error) {
		var line []byte
		for src := bufio.NewReader(in); err == nil; {
			var raw bson.Raw
			if raw, err = bson.ReadDocument(src); err != nil {
				break
			}
			if line, err = bson.MarshalExtJSON(raw, false, false); err == nil {
				w.Write(append(line, '\n'))
			}
		}
		if err == io.EOF {
			err = nil
		}
		return err
	})
}

// arrayOf writes the lines of a file as one array, and returns the path.
func arrayOf(b *testing.B, path, between string) string {
	b.Helper()
	in, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	return made(b, func(w *bufio.Writer) error {
		lines, next := bufio.NewScanner(in), "["
		for ; lines.Scan(); next = between {
			w.WriteString(next)
			w.Write(lines.Bytes())
		}
		w.WriteString("]\n")
		return lines.Err()
	})
}

// made writes a file of JSON, and returns the path.
func made(b *testing.B, write func(w *bufio.Writer) error) string {
	b.Helper()
	file, err := os.Create(filepath.Join(b.TempDir(), "documents.json"))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	w := bufio.NewWriter(file)
	if err := errors.Join(write(w), w.Flush()); err != nil {
		b.Fatal(err)
	}
	return file.Name()
}

// inTurn runs floor and the forecast one after the other.
func inTurn(b *testing.B, floor, forecast func() error) {
	var least, whole []time.Duration
	for b.Loop() {
		start := time.Now()
		err := floor()
		between := time.Now()
		if err = errors.Join(err, forecast()); err != nil {
			b.Fatal(err)
		}
		least, whole = append(least, between.Sub(start)), append(whole, time.Since(between))
	}
	slices.Sort(least)
	slices.Sort(whole)
	few, many := least[len(least)/2], whole[len(whole)/2]
	b.ReportMetric(few.Seconds()*1000, "floor-ms")
	b.ReportMetric(many.Seconds()*1000, "forecast-ms")
	b.ReportMetric(float64(many)/float64(few), "ratio")
	b.ReportMetric(0, "ns/op") // ns/op would be the sum of both
}

// forecasting returns a function that forecasts a file.
func forecasting(path string, flags ...string) func() error {
	return func() error {
		cmd := newRootCommand()
		cmd.SetArgs(append([]string{"forecast", "--now", sampleAt, path}, flags...))
		cmd.SetOut(io.Discard)
		return cmd.Execute()
	}
}

// reading returns a function that reads a file.
func reading(path string, floor func(r io.Reader) error) func() error {
	return func() error {
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		return errors.Join(floor(file), file.Close())
	}
}

// checkLines reads a file of lines with all cores, and checks that they are JSON.
func checkLines(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	const block, most = 512 << 10, 64 << 10 // bytes of a block, and of the longest line
	var next, wrong atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			buf := make([]byte, block+most)
			for {
				from := (next.Add(1) - 1) * block
				n, err := file.ReadAt(buf, from)
				if n == 0 {
					return
				}
				wrong.Add(checkBlock(buf[:n], min(n, block), from == 0, err != nil))
			}
		})
	}
	workers.Wait()
	if wrong.Load() > 0 {
		return fmt.Errorf("%d lines are not JSON", wrong.Load())
	}
	return nil
}

// checkBlock checks the lines that begin in the first size bytes of data, and returns
// how many are not JSON.
func checkBlock(data []byte, size int, first, last bool) (wrong int64) {
	start := 0
	if !first {
		start = bytes.IndexByte(data, '\n') + 1
	}
	for start <= size {
		end := bytes.IndexByte(data[start:], '\n')
		if end < 0 && (last || start == len(data)) {
			break
		}
		if _, err := policy.ParseJSON(data[start : start+end]); err != nil {
			wrong++
		}
		start += end + 1
	}
	return wrong
}

// walkLengths reads r and follows the lengths at the start of its documents.
func walkLengths(r io.Reader) error {
	buf, have := make([]byte, 512<<10), 0
	for {
		n, err := r.Read(buf[have:])
		rest := buf[:have+n]
		for len(rest) >= 4 && len(rest) >= int(binary.LittleEndian.Uint32(rest)) {
			rest = rest[binary.LittleEndian.Uint32(rest):]
		}
		have = copy(buf, rest)
		switch {
		case err == io.EOF && have == 0:
			return nil
		case err != nil:
			return err
		}
	}
}

func gunzip(r io.Reader) error {
	z, err := gzip.NewReader(r)
	if err != nil {
		return err
	}
	return drain(z)
}

// unzstd decompresses in one goroutine, as the forecast does, because several goroutines
// take longer.
func unzstd(r io.Reader) error {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	if err != nil {
		return err
	}
	defer z.Close()
	return drain(z)
}

// drain reads r to its end.
func drain(r io.Reader) error {
	buf := make([]byte, 512<<10)
	for {
		if _, err := r.Read(buf); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// pack compresses a file, with its metadata beside it, and returns the path.
func pack(b *testing.B, path, end string, packer func(w io.Writer) (io.WriteCloser, error)) string {
	b.Helper()
	in, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	out, err := os.Create(path + end)
	if err != nil {
		b.Fatal(err)
	}
	defer out.Close()
	z, err := packer(out)
	if err != nil {
		b.Fatal(err)
	}
	if _, err = io.Copy(z, in); err == nil {
		err = z.Close()
	}
	if err != nil {
		b.Fatal(err)
	}
	return out.Name()
}
