package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"

	// The stores.
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
)

// inMemory is the file name of the sum of a job in this process.
const inMemory = "memfs://sum.json"

// namesOf returns the names that globs match, each once, in the order of parts.
func namesOf(ctx context.Context, globs []string) (names []string, err error) {
	for _, glob := range globs {
		var some []string
		store, err := storeOf(ctx, glob)
		if err == nil {
			some, err = store.List(ctx, glob)
			store.Close()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", glob, err)
		}
		if len(some) == 0 {
			return nil, cli.Usagef("%s: there is no such file", glob)
		}
		names = append(names, some...)
	}
	slices.SortFunc(names, forecast.CompareNames)
	return slices.Compact(names), nil
}

// storeOf returns the store of the file or object with a name.
func storeOf(ctx context.Context, name string) (store filesystem.Interface, err error) {
	if scheme, _, ok := strings.Cut(name, "://"); ok && !slices.Contains([]string{"gs", "s3", "memfs"}, scheme) {
		return nil, cli.Usagef("%s:// is not a supported store; want a file, gs:// or s3://", scheme)
	}
	defer func() { // the stores panic without credentials
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return filesystem.New(ctx, name)
}

func open(ctx context.Context, name string) (io.ReadCloser, error) {
	store, err := storeOf(ctx, name)
	if err != nil {
		return nil, err
	}
	r, err := store.OpenRead(ctx, name)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return &closer{ReadCloser: r, store: store}, nil
}

// A closer is an open file or object whose Close closes the store too.
type closer struct {
	io.ReadCloser
	store io.Closer
}

// Close closes the file and the store.
func (c *closer) Close() error { return errors.Join(c.ReadCloser.Close(), c.store.Close()) }

// A stored file is read from a store, and keeps the store's error, which is not a fault of
// the file.
type stored struct {
	ctx  context.Context
	name string
	err  error
	io.ReadCloser
}

func (s *stored) open() (io.ReadCloser, error) {
	s.ReadCloser, s.err = open(s.ctx, s.name)
	return s, s.err
}

// Read reads the file, and keeps an error of the store.
func (s *stored) Read(b []byte) (int, error) {
	n, err := s.ReadCloser.Read(b)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}
