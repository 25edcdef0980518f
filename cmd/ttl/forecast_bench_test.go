package main

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// benchDocs is how many documents the forecast is measured on, 445 MB.
const benchDocs = "2000000"

// BenchmarkForecast measures the command against the least that has to be
// done about its input, once each in turn, and reports the ratio of the
// medians. It wants an idle machine, and a few rounds:
//
//	go test -run '^$' -bench Forecast -benchtime 7x ./ttl
func BenchmarkForecast(b *testing.B) {
	dir := b.TempDir()
	if out, err := exec.Command("go", "run", "../internal/tools/samples", "-part", "logs", "-docs", benchDocs, dir).CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	plain := filepath.Join(dir, "shop/logs.bson")
	b.Run("plain", func(b *testing.B) { inTurn(b, plain, walkLengths) })
	b.Run("gzip", func(b *testing.B) {
		inTurn(b, pack(b, plain, ".gz", func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }), gunzip)
	})
	b.Run("zstd", func(b *testing.B) {
		inTurn(b, pack(b, plain, ".zst", func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }), unzstd)
	})
}

// inTurn runs floor and the forecast of a file one after the other.
func inTurn(b *testing.B, path string, floor func(r io.Reader) error) {
	var least, whole []time.Duration
	for b.Loop() {
		start := time.Now()
		file, err := os.Open(path)
		if err == nil {
			err = errors.Join(floor(file), file.Close())
		}
		between := time.Now()
		cmd := newRootCommand()
		cmd.SetArgs([]string{"forecast", "--now", sampleAt, path})
		cmd.SetOut(io.Discard)
		if err = errors.Join(err, cmd.Execute()); err != nil {
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
	b.ReportMetric(0, "ns/op") // which would be both together
}

// walkLengths reads r and follows the lengths that its documents begin with.
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

// unzstd decompresses as the forecast does, which with more goroutines takes
// longer.
func unzstd(r io.Reader) error {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	if err != nil {
		return err
	}
	defer z.Close()
	return drain(z)
}

// drain reads r to its end, as anybody does who looks at what it holds.
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
