//go:build !js

package program

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// readGo reads a program of Go: models of indexes of MongoDB's driver and of mgo, and
// properties of containers of Azure's SDK. It also reads declarations or statements
// without the file around them, as documentation shows them. A text that does not parse
// is read by its tokens.
func (b *Builder) readGo() {
	fset := token.NewFileSet()
	file, before := parseGo(fset, b.Text)
	if file == nil {
		b.readTokens(cLexis)
		return
	}
	g := &goReader{Builder: b, fset: fset, before: before, constants: map[string]ast.Expr{}, models: map[string][]*ast.CompositeLit{}, made: map[string][]ast.Expr{}}
	g.collect(file)
	var parents []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			parents = parents[:len(parents)-1]
			return true
		}
		g.visit(n, parents)
		parents = append(parents, n)
		return true
	})
}

// maxNested bounds the brackets, operators and words around a piece of Go. The parser
// recurses, and takes some kilobytes for each level.
const maxNested = 2_000

// isDeep reports whether a part of a text of Go may be nested deeper than maxNested. The
// depth counts the tokens since the last comma or semicolon, and those of the enclosing
// brackets.
func isDeep(text string) bool {
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", files.Base(), len(text)), []byte(text), nil, 0)
	levels, depth := []int{0}, 0 // tokens within each open bracket, and their sum
	for depth <= maxNested {
		switch _, k, _ := s.Scan(); k {
		case token.EOF:
			return false
		case token.IDENT, token.INT, token.FLOAT, token.IMAG, token.CHAR, token.STRING:
			continue
		case token.COMMA, token.SEMICOLON:
			depth -= levels[len(levels)-1]
			levels[len(levels)-1] = 0
			continue
		case token.LPAREN, token.LBRACK, token.LBRACE:
			levels = append(levels, 0)
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if len(levels) > 1 {
				depth -= levels[len(levels)-1]
				levels = levels[:len(levels)-1]
			}
		}
		levels[len(levels)-1]++ // a bracket counts too, as in f()() and [][]int
		depth++
	}
	return true
}

// parseGo parses text as a file, as declarations, or as statements. It returns the number
// of bytes that it put before text, and a nil file if text has none of these forms.
func parseGo(fset *token.FileSet, text string) (file *ast.File, before int) {
	if isDeep(text) {
		return nil, 0
	}
	for _, around := range [][2]string{{"", ""}, {"package p\n", ""}, {"package p\nfunc _() {\n", "\n}"}} {
		file, err := parser.ParseFile(fset, "", around[0]+text+around[1], parser.SkipObjectResolution)
		if err == nil {
			return file, len(around[0])
		}
	}
	return nil, 0
}

type goReader struct {
	*Builder
	fset      *token.FileSet
	before    int                            // bytes that were parsed before the text
	constants map[string]ast.Expr            // values of the names that are set once; nil for others
	models    map[string][]*ast.CompositeLit // the models with Options: name, by the name
	made      map[string][]ast.Expr          // the expressions on which CreateOne(name) or a similar method is called, by the name
	work      int                            // number of expressions that were computed
}

func (g *goReader) at(n ast.Node) int  { return g.offset(n.Pos()) }
func (g *goReader) end(n ast.Node) int { return g.offset(n.End()) }

// offset returns the offset of a position in the text.
func (g *goReader) offset(p token.Pos) int {
	return min(max(g.fset.Position(p).Offset-g.before, 0), len(g.Text))
}

// collect finds the names that are set once, and the uses of names in models and calls.
func (g *goReader) collect(file *ast.File) {
	set := func(name string, v ast.Expr) {
		if _, again := g.constants[name]; again {
			v = nil
		}
		g.constants[name] = v
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if i < len(n.Values) {
					set(name.Name, n.Values[i])
				}
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if name, ok := left.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) {
					set(name.Name, n.Rhs[i])
				}
			}
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok && goName(kv.Key) == "Options" && goName(kv.Value) != "" {
					name := goName(kv.Value)
					g.models[name] = append(g.models[name], n)
				}
			}
		case *ast.CallExpr:
			on := makerOf(n)
			for _, a := range n.Args {
				if name := goName(a); name != "" && on != nil {
					g.made[name] = append(g.made[name], on)
				}
			}
		}
		return true
	})
}

// visit reads a node that names an option.
func (g *goReader) visit(n ast.Node, parents []ast.Node) {
	switch n := n.(type) {
	case *ast.CallExpr:
		if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "SetExpireAfterSeconds" && len(n.Args) == 1 {
			g.readModel(s.Sel, n.Args[0], parents)
		}
	case *ast.KeyValueExpr:
		switch key := goName(n.Key); key {
		case "ExpireAfter", "ExpireAfterSeconds":
			g.readModel(n.Key, n.Value, parents)
		case "expireAfterSeconds":
			if _, isText := n.Key.(*ast.BasicLit); isText {
				g.readModel(n.Key, n.Value, parents)
			}
		case "DefaultTimeToLive", "AnalyticalStoreTimeToLiveInSeconds", "DefaultTTL", "AnalyticalStorageTTL":
			g.readContainer(n, key, parents)
		}
	case *ast.CompositeLit:
		if name, v := goPair(n); name == secondsOption {
			g.readModel(unlabelled(n.Elts[0]), v, parents)
		}
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			s, ok := left.(*ast.SelectorExpr)
			if !ok || len(n.Lhs) != len(n.Rhs) {
				continue
			}
			switch s.Sel.Name {
			case "ExpireAfterSeconds":
				g.Refuse(g.at(s.Sel), s.Sel.Name, "the key of its index is not read", false)
			case "DefaultTimeToLive":
				g.defineContainer(g.at(n), g.end(n), "", "defaultTtl", n.Rhs[i], s.Sel)
			}
		}
	}
}

// goName returns a name, or a text.
func goName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, _ := strconv.Unquote(e.Value)
			return text
		}
	}
	return ""
}

// readModel reads the model around an option.
func (g *goReader) readModel(word ast.Node, value ast.Expr, parents []ast.Node) {
	at := g.at(word)
	name := strings.Trim(g.Text[at:g.end(word)], "\"`")
	if g.IsRead(at) {
		return
	}
	seconds, ok := g.seconds(value, name == "ExpireAfter")
	if !ok {
		g.Refuse(at, name, g.notEvaluated(value), false)
		return
	}
	d := definition{at: at, end: at + 1}
	var key policy.D
	for i := len(parents) - 1; i >= 0 && key == nil; i-- {
		literal, ok := parents[i].(*ast.CompositeLit)
		if !ok {
			continue
		}
		for _, e := range literal.Elts {
			name, v := goPair(e)
			switch name {
			case "Keys", "Key", "key", "keyPattern":
				if k, ok := g.key(v, 0); ok {
					key, d.at, d.end = k, g.at(literal), g.end(literal)
					d.owner, d.name = g.owner(parents[:i], literal)
					d.name = cmp.Or(d.name, g.commandOn(parents[:i]))
				}
			}
			if name == "keyPattern" && key != nil {
				d.change = collMod(d.name, key, seconds)
			}
		}
	}
	if key == nil { // the options are in a variable: find the model that refers to it
		if model := g.modelOf(parents); model != nil {
			for _, e := range model.Elts {
				if name, v := goPair(e); name == "Keys" || name == "Key" {
					key, _ = g.key(v, 0)
				}
			}
		}
	}
	if key == nil {
		g.Refuse(at, name, "the key of its index is not read", false)
		return
	}
	if strings.Contains(g.Text[d.at:d.end], "SetPartialFilterExpression") || strings.Contains(g.Text[d.at:d.end], "PartialFilter:") {
		d.notes = append(d.notes, "The partial filter of an index is not evaluated here, so that the index is read as if it had none.")
	}
	d.index = Index(key, seconds)
	g.define(d)
}

// notEvaluated returns the reason that a value is not evaluated.
func (g *goReader) notEvaluated(value ast.Expr) string {
	text := strings.Fields(g.Text[g.at(value):g.end(value)])
	return "its value is " + strings.Join(text, " ") + ", which is not evaluated here"
}

// goPair returns the name and the value of a pair: "a": 1, {"a", 1} or {Key: "a", Value: 1}.
func goPair(e ast.Expr) (name string, v ast.Expr) {
	switch e := e.(type) {
	case *ast.KeyValueExpr:
		return goName(e.Key), e.Value
	case *ast.CompositeLit:
		if len(e.Elts) != 2 {
			break
		}
		label, isLabelled := e.Elts[0].(*ast.KeyValueExpr)
		if isLabelled && goName(label.Key) != "Key" {
			break
		}
		return goName(unlabelled(e.Elts[0])), unlabelled(e.Elts[1])
	}
	return "", nil
}

// unlabelled returns an element of a literal without the name of its field.
func unlabelled(e ast.Expr) ast.Expr {
	if kv, ok := e.(*ast.KeyValueExpr); ok {
		return kv.Value
	}
	return e
}

// unconverted returns the argument of a conversion, such as int32(1) or bsonx.Int32(1), or
// else e itself.
func unconverted(e ast.Expr) ast.Expr {
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 {
		return call.Args[0]
	}
	return e
}

// commandOn returns the name of the collection in the command around an index.
func (g *goReader) commandOn(parents []ast.Node) string {
	for i := len(parents) - 1; i >= 0; i-- {
		if literal, ok := parents[i].(*ast.CompositeLit); ok {
			for _, e := range literal.Elts {
				if name, v := goPair(e); name == "collMod" || name == "createIndexes" {
					return g.name(v)
				}
			}
		}
	}
	return ""
}

// modelOf returns the model that takes its options from a variable, or nil. The statement
// around the option sets this variable.
func (g *goReader) modelOf(parents []ast.Node) *ast.CompositeLit {
	for i := len(parents) - 1; i >= 0; i-- {
		variable := ""
		switch p := parents[i].(type) {
		case *ast.AssignStmt:
			variable = goName(p.Lhs[0])
		case *ast.CallExpr:
			if s, ok := p.Fun.(*ast.SelectorExpr); ok {
				variable = goName(s.X)
			}
		}
		if variable != "" {
			return near(g.models[variable], parents[1], parents[i].Pos())
		}
	}
	return nil
}

// near returns the use of a variable that a statement at p sets: within its declaration, such
// as a function, the first use after p or else the last one before p. Outside, near returns
// the only use, or nil if there are several: functions may have variables of the same name.
// The uses are in the order of the text.
func near[T ast.Node](uses []T, declaration ast.Node, p token.Pos) (found T) {
	after, _ := slices.BinarySearchFunc(uses, p, func(use T, p token.Pos) int { return cmp.Compare(use.Pos(), p) })
	for _, i := range []int{after, after - 1} {
		if i >= 0 && i < len(uses) && declaration.Pos() <= uses[i].Pos() && uses[i].Pos() < declaration.End() {
			return uses[i]
		}
	}
	if len(uses) == 1 {
		return uses[0]
	}
	return found
}

// key reads bson.D{{"at", 1}}, bson.M{"at": 1}, []string{"-at"} and names that are set once.
func (g *goReader) key(e ast.Expr, depth int) (key policy.D, ok bool) {
	if depth > maxDepth {
		return nil, false
	}
	switch e := e.(type) {
	case *ast.Ident:
		if v := g.constants[e.Name]; v != nil {
			return g.key(v, depth+1)
		}
	case *ast.CallExpr:
		if len(e.Args) == 1 { // a conversion, such as bsonx.Doc(…)
			return g.key(e.Args[0], depth+1)
		}
	case *ast.CompositeLit:
		for _, x := range e.Elts {
			var field, direction ast.Expr
			switch x := x.(type) {
			case *ast.KeyValueExpr:
				field, direction = x.Key, x.Value
			case *ast.CompositeLit:
				if len(x.Elts) != 2 {
					return nil, false
				}
				field, direction = unlabelled(x.Elts[0]), unlabelled(x.Elts[1])
			case *ast.BasicLit: // a field in the notation of mgo
				name := strings.TrimPrefix(goName(x), "$hashed:")
				v := policy.Int32Value(1)
				if rest, ok := strings.CutPrefix(name, "-"); ok {
					name, v = rest, policy.Int32Value(-1)
				}
				key = append(key, policy.E{Key: name, Value: v})
				continue
			default:
				return nil, false
			}
			name := g.name(field)
			if name == "" {
				return nil, false
			}
			v, ok := g.direction(direction)
			if !ok {
				return nil, false
			}
			key = append(key, policy.E{Key: name, Value: v})
		}
	}
	return key, len(key) > 0
}

// name returns a text, or the text that a name denotes.
func (g *goReader) name(e ast.Expr) string {
	if id, ok := e.(*ast.Ident); ok {
		if v := g.constants[id.Name]; v != nil {
			return goName(v)
		}
		return ""
	}
	return goName(e)
}

func (g *goReader) direction(e ast.Expr) (policy.Value, bool) {
	e = unconverted(e)
	if text := g.name(e); text != "" {
		v, ok := directions[strings.ToLower(text)]
		return v, ok
	}
	n, ok := g.number(e, 0)
	if f, exact := constant.Float64Val(n); ok && exact && (f == 1 || f == -1) {
		return policy.Int32Value(int32(f)), true
	}
	return policy.Value{}, false
}

// seconds computes an option. A value of type time.Duration counts nanoseconds.
func (g *goReader) seconds(e ast.Expr, isDuration bool) (policy.Value, bool) {
	n, ok := g.number(e, 0)
	if !ok {
		return policy.Value{}, false
	}
	f, _ := constant.Float64Val(constant.ToFloat(n))
	if isDuration {
		f /= 1e9
	}
	return quantity{n: f}.seconds()
}

// durations are the constants of package time, in nanoseconds.
var durations = map[string]int64{"Nanosecond": 1, "Microsecond": 1e3, "Millisecond": 1e6, "Second": 1e9, "Minute": 60e9, "Hour": 3600e9}

// number computes a constant expression.
func (g *goReader) number(e ast.Expr, depth int) (n constant.Value, ok bool) {
	none := constant.MakeUnknown()
	if g.work++; depth > maxDepth || g.work > maxWork {
		return none, false
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		if len(e.Value) > 40 || e.Kind != token.INT && e.Kind != token.FLOAT {
			return none, false
		}
		n = constant.MakeFromLiteral(e.Value, e.Kind, 0)
		return n, n.Kind() != constant.Unknown
	case *ast.ParenExpr:
		return g.number(e.X, depth+1)
	case *ast.Ident:
		if v := g.constants[e.Name]; v != nil {
			return g.number(v, depth+1)
		}
	case *ast.SelectorExpr:
		if unit, isUnit := durations[e.Sel.Name]; isUnit && goName(e.X) == "time" {
			return constant.MakeInt64(unit), true
		}
	case *ast.UnaryExpr:
		n, ok = g.number(e.X, depth+1)
		if e.Op == token.AND {
			return n, ok
		}
		return constant.UnaryOp(e.Op, n, 0), ok && (e.Op == token.SUB || e.Op == token.ADD)
	case *ast.CallExpr:
		if s, isMethod := e.Fun.(*ast.SelectorExpr); isMethod && s.Sel.Name == "Seconds" && len(e.Args) == 0 {
			n, ok = g.number(s.X, depth+1)
			return constant.BinaryOp(constant.ToFloat(n), token.QUO, constant.MakeFloat64(1e9)), ok
		}
		if len(e.Args) == 1 { // a conversion, or to.Ptr
			return g.number(e.Args[0], depth+1)
		}
	case *ast.BinaryExpr:
		x, okX := g.number(e.X, depth+1)
		y, okY := g.number(e.Y, depth+1)
		if !okX || !okY {
			return none, false
		}
		if !isModest(x) || !isModest(y) {
			return none, false
		}
		switch e.Op {
		case token.ADD, token.SUB, token.MUL:
			return constant.BinaryOp(x, e.Op, y), true
		case token.QUO:
			if constant.Sign(y) == 0 {
				return none, false
			}
			if x.Kind() == constant.Int && y.Kind() == constant.Int {
				return constant.BinaryOp(x, token.QUO_ASSIGN, y), true
			}
			return constant.BinaryOp(constant.ToFloat(x), token.QUO, constant.ToFloat(y)), true
		}
	}
	return none, false
}

// isModest reports whether a number is known and short.
func isModest(n constant.Value) bool {
	return n.Kind() == constant.Float || n.Kind() == constant.Int && constant.BitLen(n) < 128
}

// owner returns the expression before CreateOne or a similar method that is called with a
// model, and the name of the collection in that expression. The owner of a model
// outside such a call is the variable that holds the model, or else the model's offset.
func (g *goReader) owner(parents []ast.Node, model *ast.CompositeLit) (owner, name string) {
	for i := len(parents) - 1; i >= 0; i-- {
		var on ast.Expr
		switch p := parents[i].(type) {
		case *ast.AssignStmt:
			variable := goName(p.Lhs[0])
			if on = near(g.made[variable], parents[1], p.Pos()); on == nil {
				return variable, ""
			}
		case *ast.CallExpr:
			on = makerOf(p)
		}
		if on != nil {
			return g.Text[g.at(on):g.end(on)], g.collection(on, 0)
		}
	}
	return strconv.Itoa(g.at(model)), ""
}

// makerOf returns the expression on which a call makes an index, nil for any other call.
func makerOf(call *ast.CallExpr) ast.Expr {
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains([]string{"CreateOne", "CreateMany", "EnsureIndex", "Create"}, s.Sel.Name) {
		return nil
	}
	return s.X
}

// collection returns the name in db.Collection("logs").Indexes(), or "".
func (g *goReader) collection(e ast.Expr, depth int) string {
	if depth > maxDepth {
		return ""
	}
	switch e := e.(type) {
	case *ast.Ident:
		if v := g.constants[e.Name]; v != nil {
			return g.collection(v, depth+1)
		}
	case *ast.SelectorExpr:
		return g.collection(e.X, depth+1)
	case *ast.CallExpr:
		s, ok := e.Fun.(*ast.SelectorExpr)
		if !ok {
			return ""
		}
		if (s.Sel.Name == "Collection" || s.Sel.Name == "C") && len(e.Args) > 0 {
			return g.name(e.Args[0])
		}
		return g.collection(s.X, depth+1)
	}
	return ""
}

// readContainer reads properties of a container of Azure's SDK.
func (g *goReader) readContainer(kv *ast.KeyValueExpr, key string, parents []ast.Node) {
	if !strings.Contains(strings.ToLower(g.Text), "cosmos") || len(parents) == 0 {
		return
	}
	setting := "defaultTtl"
	if strings.HasPrefix(key, "Analytical") {
		setting = "analyticalStorageTtl"
	}
	name := ""
	if literal, ok := parents[len(parents)-1].(*ast.CompositeLit); ok {
		for _, e := range literal.Elts {
			if member, v := goPair(e); member == "ID" {
				name = g.name(unconverted(v))
			}
		}
	}
	g.defineContainer(g.at(kv), g.end(kv), name, setting, kv.Value, kv.Key)
}

func (g *goReader) defineContainer(at, end int, name, setting string, value ast.Expr, word ast.Node) {
	v, ok := g.seconds(value, false)
	if goName(value) == "nil" {
		v, ok = policy.NullValue(), true
	}
	if !ok {
		g.Refuse(g.at(word), g.Text[g.at(word):g.end(word)], g.notEvaluated(value), true)
		return
	}
	g.Builder.defineContainer(definition{at: at, end: end, name: name}, policy.D{{Key: setting, Value: v}})
}
