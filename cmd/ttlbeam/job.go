package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/fileio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	// The stores.
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/part"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func init() {
	register.DoFn2x2[context.Context, fileio.ReadableFile, sum, error](&tallyFn{})
	register.DoFn2x1[context.Context, []byte, error](&writeFn{})
	register.Combiner2[sum, []byte](&addFn{})
	beam.RegisterCoder(reflect.TypeFor[sum](), encodeSum, decodeSum)
}

// A job says what to compute for each file. Workers get it as JSON.
type job struct {
	Flags                 policyflags.Flags
	Now                   int64 // in milliseconds since 1970
	Bucket, Input, By     string
	SkipBad, Check, NoIDs bool
}

// options returns the options of the forecast of each file. The error names a wrong flag.
func (j *job) options() (o forecast.Options, err error) {
	o = forecast.Options{Now: policy.Instant(j.Now), By: j.By, SkipBad: j.SkipBad, Check: j.Check, NoIDs: j.NoIDs, Groups: part.MaxGroups}
	if j.Bucket != "" {
		if o.Bucket, err = forecast.ParseWidth(j.Bucket); err != nil {
			return o, fmt.Errorf("--bucket: %w", err)
		}
	}
	if o.Kind, err = dump.ParseKind(j.Input); err != nil {
		return o, fmt.Errorf("--input: %w", err)
	}
	return o, nil
}

// build adds the job to a pipeline: each file that globs match is counted by itself, the parts are
// added, and the sum is written. A worker adds the parts of its files before it passes on their
// sum: encoding a part takes longer than adding it.
//
// The runner may attempt a file several times and keeps one outcome. The sum would
// refuse a second one, and a file that two globs match.
func (j *job) build(s beam.Scope, globs []string, to string) {
	matches := fileio.MatchAll(s, beam.CreateList(s, globs), fileio.MatchEmptyDisallow())
	files := beam.Reshuffle(s, fileio.ReadMatches(s, matches, fileio.ReadUncompressed())) // so that files go to workers one by one
	parts := beam.ParDo(s, &tallyFn{Job: *j}, files)
	beam.ParDo0(s, &writeFn{To: to}, beam.Combine(s, &addFn{}, parts))
}

// tallyFn makes the part of a file.
type tallyFn struct{ Job job }

// ProcessElement returns the part of a file. Its error is the store's, and
// the runner tries again. Faults of the file itself are in the part.
func (f *tallyFn) ProcessElement(ctx context.Context, file fileio.ReadableFile) (sum, error) {
	p, err := f.Job.tally(ctx, file.Metadata.Path, file.Open)
	if err != nil {
		err = fmt.Errorf("%s: %w", file.Metadata.Path, err)
	}
	return sum{p}, err
}

// tally returns the part of a file.
func (j *job) tally(ctx context.Context, name string, open func(context.Context) (io.ReadCloser, error)) (*part.Part, error) {
	o, err := j.options()
	if err != nil {
		return nil, err
	}
	key, err := part.KeyOf(&j.Flags, o)
	if err != nil {
		return nil, err
	}
	file := &stored{}
	found := dump.Found{Inputs: []*dump.Input{dump.Named(name, func() (io.ReadCloser, error) {
		file.ReadCloser, file.err = open(ctx)
		return file, file.err
	})}}
	groups, err := j.Flags.Groups(found.Collections())
	if err != nil {
		return nil, err
	}
	p, err := part.Make(ctx, key, found, groups, o)
	return p, errors.Join(ctx.Err(), file.err, err)
}

// A stored file keeps the error of its store, which is not a fault of the file.
type stored struct {
	io.ReadCloser
	err error
}

// Read reads the file, and keeps an error of the store.
func (s *stored) Read(b []byte) (int, error) {
	n, err := s.ReadCloser.Read(b)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// A sum is the sum of parts. Its field is unexported, so that Beam leaves the encoding to
// encodeSum.
type sum struct{ part *part.Part }

func encodeSum(s sum) ([]byte, error) {
	if len(s.part.Inputs) == 0 {
		return nil, nil
	}
	var text bytes.Buffer
	err := part.Encode(&text, s.part)
	return text.Bytes(), err
}

func decodeSum(text []byte) (sum, error) {
	s := sum{new(part.Part)}
	if len(text) == 0 {
		return s, nil
	}
	p, err := part.NewDecoder("a part", bytes.NewReader(text)).Next()
	if err == nil {
		err = s.part.Merge(p)
	}
	return s, err
}

// addFn adds parts, in any order.
type addFn struct{}

// CreateAccumulator returns the sum of no parts.
func (*addFn) CreateAccumulator() sum { return sum{new(part.Part)} }

// AddInput adds a part.
func (f *addFn) AddInput(s, p sum) (sum, error) { return f.MergeAccumulators(s, p) }

// MergeAccumulators adds two sums.
func (*addFn) MergeAccumulators(a, b sum) (sum, error) {
	if len(b.part.Inputs) == 0 {
		return a, nil
	}
	return a, a.part.Merge(b.part)
}

// ExtractOutput returns a sum as a part.
func (*addFn) ExtractOutput(s sum) ([]byte, error) { return encodeSum(s) }

// writeFn writes the sum to a file or an object.
type writeFn struct{ To string }

// ProcessElement writes the output, and replaces that of an earlier attempt.
func (f *writeFn) ProcessElement(ctx context.Context, text []byte) error {
	store, err := filesystem.New(ctx, f.To)
	if err != nil {
		return err
	}
	return errors.Join(filesystem.Write(ctx, store, f.To, text), store.Close())
}
