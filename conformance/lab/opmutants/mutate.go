package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A mutant is one change of an operator.
type mutant struct {
	ID   int
	File string
	Line int
	// Kind is the change: "negate", "boundary", "arithmetic", "connective",
	// "number up", "number down" or "remove".
	Kind string
	// Code is the source that is changed.
	Code string
	// Question is a question that the mutant answers differently, if one was found.
	Question string

	reached, killed bool // by a vector
	skipped         bool // it is not judged
}

// String writes the place and the change.
func (m mutant) String() string { return fmt.Sprintf("%s:%d: %s: %s", m.File, m.Line, m.Kind, m.Code) }

// place makes the file's name relative to a folder.
func (m *mutant) place(root string) {
	if path, err := filepath.Rel(root, m.File); err == nil {
		m.File = filepath.ToSlash(path)
	}
}

// A mutator puts mutants into the files of one package.
type mutator struct {
	*packages.Package
	tree *ast.File
	text []byte
	edits
	mutants []mutant
	first   int // the number of mutants in earlier packages
}

// mutate puts every mutant into a file and returns its new text.
func (m *mutator) mutate(tree *ast.File, text []byte) []byte {
	m.tree, m.text, m.edits = tree, text, edits{}
	before := len(m.mutants)
	for _, decl := range tree.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil {
			ast.Walk(m, fn.Body)
		}
	}
	if len(m.mutants) > before {
		at := m.offset(tree.Name.End())
		m.replace(at, at, `; import opmutants "`+module+runtimeFolder+`"`)
	}
	return m.apply(text)
}

// Visit mutates a node, and returns the visitor for its children, nil if they stay as
// they are.
func (m *mutator) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.ArrayType, *ast.MapType, *ast.FuncType, *ast.StructType, *ast.InterfaceType, *ast.GenDecl:
		return nil
	case *ast.TypeSwitchStmt:
		m.bodies(n.Body)
		return nil
	case *ast.SelectorExpr:
		ast.Walk(m, n.X)
		return nil
	case *ast.KeyValueExpr:
		ast.Walk(m, n.Value) // the key may have to be constant
		return nil
	case *ast.BlockStmt:
		m.removals(n.List)
	case *ast.CaseClause:
		m.removals(n.Body)
	case *ast.IfStmt:
		m.condition(n.Cond)
	case *ast.SwitchStmt:
		m.cases(n)
	case *ast.ReturnStmt:
		m.results(n)
	case ast.Expr:
		return m.expression(n)
	}
	return m
}

// bodies mutates the statements in a type switch, but not its types.
func (m *mutator) bodies(block *ast.BlockStmt) {
	for _, clause := range block.List {
		body := clause.(*ast.CaseClause).Body
		m.removals(body)
		for _, statement := range body {
			ast.Walk(m, statement)
		}
	}
}

// cases negates the conditions of a switch that has no tag.
func (m *mutator) cases(n *ast.SwitchStmt) {
	if n.Tag != nil {
		return
	}
	for _, clause := range n.Body.List {
		for _, e := range clause.(*ast.CaseClause).List {
			m.condition(e)
		}
	}
}

// results negates truth values that are returned.
func (m *mutator) results(n *ast.ReturnStmt) {
	for _, e := range n.Results {
		if name, ok := e.(*ast.Ident); ok && (name.Name == "true" || name.Name == "false") {
			m.call(e, "negate", "Not")
			continue
		}
		if m.is(e, types.IsBoolean) {
			m.condition(e)
		}
	}
}

// condition negates a condition, except for an operation, whose operator is mutated
// instead.
func (m *mutator) condition(e ast.Expr) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident, *ast.CallExpr, *ast.SelectorExpr, *ast.IndexExpr:
		if !m.isConstant(e) {
			m.call(e, "negate", "Not")
		}
	}
}

// removals makes mutants that leave out a statement that defines nothing.
func (m *mutator) removals(list []ast.Stmt) {
	for _, statement := range list {
		switch n := statement.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				continue
			}
		case *ast.ExprStmt:
			if call, ok := n.X.(*ast.CallExpr); ok && types.ExprString(call.Fun) == "panic" {
				continue // the function may need it as its last statement
			}
		case *ast.IncDecStmt, *ast.BranchStmt:
			if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.FALLTHROUGH {
				continue
			}
		default:
			continue
		}
		m.wrap(m.offset(statement.Pos()), m.offset(statement.End()), fmt.Sprintf("if opmutants.Keep(%d) { ", m.add(statement, "remove")), " }")
	}
}

var (
	boundaries  = map[token.Token]string{token.LSS: "Less", token.LEQ: "LessEqual", token.GTR: "Greater", token.GEQ: "GreaterEqual"}
	arithmetic  = map[token.Token]string{token.ADD: "Add", token.SUB: "Subtract", token.MUL: "Multiply", token.QUO: "Divide"}
	connectives = map[token.Token]string{token.LAND: "And", token.LOR: "Or"}
)

// expression mutates an expression, and returns the visitor for its parts, nil for a
// constant.
func (m *mutator) expression(e ast.Expr) ast.Visitor {
	if m.isConstant(e) {
		m.number(e)
		return nil
	}
	switch n := e.(type) {
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			m.call(n, "negate", "Not")
		}
	case *ast.BinaryExpr:
		m.binary(n)
	}
	return m
}

func (m *mutator) binary(n *ast.BinaryExpr) {
	switch {
	case n.Op == token.EQL, n.Op == token.NEQ:
		m.call(n, "negate", "Not")
	case boundaries[n.Op] != "" && m.is(n.X, 0) && m.is(n.Y, 0):
		m.call(n, "negate", "Not")
		m.operation(n, "boundary", boundaries[n.Op])
	case arithmetic[n.Op] != "" && m.isNumber(n):
		m.operation(n, "arithmetic", arithmetic[n.Op])
	case connectives[n.Op] != "":
		m.connective(n, connectives[n.Op])
		m.condition(n.X)
		m.condition(n.Y)
	}
}

// call makes an expression the argument of a function.
func (m *mutator) call(e ast.Expr, kind, function string) {
	m.wrap(m.offset(e.Pos()), m.offset(e.End()), fmt.Sprintf("opmutants.%s(%d, ", function, m.add(e, kind)), ")")
}

// operation makes the operands of an operator arguments of a function.
func (m *mutator) operation(n *ast.BinaryExpr, kind, function string) {
	m.call(n, kind, function)
	m.replace(m.offset(n.OpPos), m.offset(n.OpPos)+len(n.Op.String()), ",")
}

// connective makes the operands of && or || arguments of a function. The second operand
// becomes a function, because it is evaluated only if it is needed.
func (m *mutator) connective(n *ast.BinaryExpr, function string) {
	m.operation(n, "connective", function)
	m.wrap(m.offset(n.Y.Pos()), m.offset(n.Y.End()), "func() bool { return ", " }")
}

// number makes mutants with a constant increased and decreased by one, if the constant
// contains a numeric literal.
func (m *mutator) number(e ast.Expr) {
	named, ok := m.typeName(e)
	if !ok || !spelled(e) {
		return
	}
	m.wrap(m.offset(e.Pos()), m.offset(e.End()), fmt.Sprintf("opmutants.Up(%d, ", m.add(e, "number up")), ")")
	m.wrap(m.offset(e.Pos()), m.offset(e.End()), fmt.Sprintf("opmutants.Down(%d, %s(", m.add(e, "number down"), named), "))")
}

// spelled reports whether an expression contains an integer literal.
func spelled(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		found = found || ok && literal.Kind == token.INT
		return true
	})
	return found
}

// typeName returns the name of a number's type as this file writes it. It reports false
// for other expressions, for untyped numbers, and if the file does not import the type.
func (m *mutator) typeName(e ast.Expr) (string, bool) {
	t := m.TypesInfo.Types[e].Type
	if !m.isNumber(e) || m.is(e, types.IsUntyped) {
		return "", false
	}
	imported := true
	name := types.TypeString(t, func(p *types.Package) string {
		if p == m.Types {
			return ""
		}
		imported = m.imports(p.Path())
		return p.Name()
	})
	return name, imported
}

func (m *mutator) imports(path string) bool {
	for _, spec := range m.tree.Imports {
		if name, _ := strconv.Unquote(spec.Path.Value); name == path && spec.Name == nil {
			return true
		}
	}
	return false
}

// add makes a mutant of a node and returns its number.
func (m *mutator) add(n ast.Node, kind string) int {
	id := m.first + len(m.mutants) + 1
	code := string(m.text[m.offset(n.Pos()):m.offset(n.End())])
	code, _, _ = strings.Cut(code, "\n")
	m.mutants = append(m.mutants, mutant{ID: id, File: m.Fset.Position(n.Pos()).Filename, Line: m.Fset.Position(n.Pos()).Line, Kind: kind, Code: code})
	return id
}

func (m *mutator) offset(p token.Pos) int { return m.Fset.Position(p).Offset }

func (m *mutator) isConstant(e ast.Expr) bool { return m.TypesInfo.Types[e].Value != nil }

// is reports whether an expression has a basic type. If kinds is not 0, the type must
// also be one of these kinds.
func (m *mutator) is(e ast.Expr, kinds types.BasicInfo) bool {
	t := m.TypesInfo.Types[e].Type
	if t == nil {
		return false
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && (kinds == 0 || basic.Info()&kinds != 0)
}

func (m *mutator) isNumber(e ast.Expr) bool { return m.is(e, types.IsInteger|types.IsFloat) }

// edits are changes of one source file that keep its lines.
type edits struct {
	list []edit
}

// An edit replaces some bytes at an offset by a text.
type edit struct {
	at, length int
	text       string
	rank       int // among edits at the same offset
}

// wrap puts text before and after a piece of source. If several pieces begin or
// end at one place, the one that is wrapped first is outermost.
func (e *edits) wrap(from, to int, before, after string) {
	n := len(e.list) + 1
	e.list = append(e.list, edit{from, 0, before, n}, edit{to, 0, after, -n})
}

// replace puts text in place of a piece of source.
func (e *edits) replace(from, to int, text string) {
	e.list = append(e.list, edit{from, to - from, text, 0})
}

// apply returns the source with all edits made.
func (e *edits) apply(source []byte) (changed []byte) {
	slices.SortStableFunc(e.list, func(a, b edit) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.rank, b.rank)) })
	done := 0
	for _, edit := range e.list {
		changed = append(changed, source[done:edit.at]...)
		changed = append(changed, edit.text...)
		done = edit.at + edit.length
	}
	return append(changed, source[done:]...)
}
