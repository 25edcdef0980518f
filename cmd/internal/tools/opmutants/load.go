package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A source is a package that is to be mutated.
type source struct {
	fset  *token.FileSet
	files []*file
	info  *types.Info
	pkg   *types.Package
}

// A file is one file of a source.
type file struct {
	path string // as go list has it
	text []byte
	tree *ast.File
}

// listed is what go list says about a package.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
}

// load reads and checks packages of the module in the root folder, with the
// export data of what they import.
func load(root string, packages ...string) ([]*source, error) {
	args := append([]string{"list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles"}, packages...)
	command := exec.Command("go", args...)
	command.Dir = root
	var errs bytes.Buffer
	command.Stderr = &errs
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, errs.String())
	}
	all := map[string]listed{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		all[p.ImportPath] = p
	}
	var sources []*source
	for _, p := range all {
		for _, wanted := range packages {
			if strings.HasSuffix(p.ImportPath, strings.TrimPrefix(wanted, ".")) {
				s, err := check(p, all)
				if err != nil {
					return nil, err
				}
				sources = append(sources, s)
			}
		}
	}
	return sources, nil
}

// check parses a package and finds the types of its expressions.
func check(p listed, all map[string]listed) (*source, error) {
	s := &source{fset: token.NewFileSet(), info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}}
	var trees []*ast.File
	for _, name := range p.GoFiles {
		path := filepath.Join(p.Dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		tree, err := parser.ParseFile(s.fset, path, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		s.files = append(s.files, &file{path, text, tree})
		trees = append(trees, tree)
	}
	exports := importer.ForCompiler(s.fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(all[path].Export) })
	config := types.Config{Importer: exports}
	var err error
	s.pkg, err = config.Check(p.ImportPath, s.fset, trees, s.info)
	return s, err
}
