package terraform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// Bounds on a configuration, in which expressions can multiply the sizes of values. The parser
// and the evaluator process expressions by recursion, and too deep a recursion would end the
// process.
const (
	maxText      = 256 << 10 // bytes of one file
	maxShared    = 128 << 10 // bytes of the variables and locals of a module
	maxLevels    = 500       // levels of an expression: brackets, and operators in a row
	maxDigits    = 400       // digits of a number, and the value of its exponent: no setting needs as much
	maxSize      = 20_000    // elements, and bytes of texts, in the values of one expression
	maxKept      = 1 << 18   // elements, and bytes of texts, in all locals
	maxMade      = 1 << 18   // elements, and bytes of texts, of a default with the attributes of its type
	maxCost      = 1 << 22   // elements, and bytes of texts, that all expressions of a file may make
	maxInstances = 1_000     // instances of one resource
	maxWork      = 1 << 20   // elements, and bytes of texts, that one expression may make, with intermediate values
)

// parse parses a file. If it fails, why is the reason, and at is the offset of the fault.
func parse(name, text string) (body *hclsyntax.Body, why string, at int) {
	if len(text) > maxText {
		return nil, fmt.Sprintf("the file is longer than %d KiB", maxText>>10), 0
	}
	tokens, _ := hclsyntax.LexConfig([]byte(text), name, hcl.InitialPos)
	if why, at := checkTokens(tokens); why != "" {
		return nil, why, at
	}
	file, diagnostics := hclsyntax.ParseConfig([]byte(text), name, hcl.InitialPos)
	if file == nil || diagnostics.HasErrors() {
		if len(diagnostics) > 0 && diagnostics[0].Subject != nil {
			at = diagnostics[0].Subject.Start.Byte
		}
		return nil, "Terraform's parser refuses the file", at
	}
	return file.Body.(*hclsyntax.Body), "", 0
}

// A level is an open bracket, or the whole file.
type level struct {
	operators int // the number of operators in the expression so far
	below     int // the depth of the deepest bracket in the expression
	deepest   int // the greatest depth of the earlier expressions
	isList    bool
}

// depth returns the depth of the expression at a level.
func (l level) depth() int { return l.operators + l.below }

// next begins another expression at the level.
func (l *level) next() {
	l.deepest = max(l.deepest, l.depth())
	l.operators, l.below = 0, 0
}

// checkTokens returns the reason why a file is not parsed: an expression is too deep, or
// a number is too long.
func checkTokens(tokens hclsyntax.Tokens) (why string, at int) {
	levels := []level{{}}
	outer := 0 // the operators of all levels except the last
	for _, k := range tokens {
		last := &levels[len(levels)-1]
		switch k.Type {
		case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			if last.operators++; k.Type == hclsyntax.TokenOBrace {
				last.operators-- // a block, or an object
			}
			outer += last.operators
			levels = append(levels, level{isList: k.Type != hclsyntax.TokenOBrace})
		case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc, hclsyntax.TokenTemplateSeqEnd:
			if len(levels) == 1 {
				continue // the parser refuses such brackets
			}
			last.next()
			deepest := last.deepest + 1
			levels = levels[:len(levels)-1]
			last = &levels[len(levels)-1]
			outer -= last.operators
			last.below = max(last.below, deepest)
		case hclsyntax.TokenComma:
			last.next()
		case hclsyntax.TokenNewline:
			if !last.isList { // in a list a line break does not end an expression
				last.next()
			}
		case hclsyntax.TokenNumberLit:
			if isLongNumber(string(k.Bytes)) {
				return "a number has too many digits", k.Range.Start.Byte
			}
		case hclsyntax.TokenStringLit, hclsyntax.TokenQuotedLit: // may be converted to a number
			if isLongNumber(strings.TrimSpace(string(k.Bytes))) {
				return "a number has too many digits", k.Range.Start.Byte
			}
		case hclsyntax.TokenIdent, hclsyntax.TokenComment, hclsyntax.TokenEOF, hclsyntax.TokenEqual:
		default:
			last.operators++
		}
		if last := levels[len(levels)-1]; outer+len(levels)+last.depth() > maxLevels {
			return "an expression nests too deep", k.Range.Start.Byte
		}
	}
	return "", 0
}

// isLongNumber reports whether a text is a number with more digits, written out, than a
// setting can need. Computing with it might take gigabytes.
func isLongNumber(text string) bool {
	text = strings.TrimLeft(text, "+-")
	if text == "" || (text[0] < '0' || text[0] > '9') && text[0] != '.' {
		return false
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if strings.Trim(mantissa, "0123456789._") != "" {
		return false
	}
	exponent = strings.TrimLeft(strings.TrimLeft(exponent, "+-"), "0")
	if strings.Trim(exponent, "0123456789_") != "" {
		return false
	}
	return len(mantissa) > maxDigits || len(exponent) > 3 || len(exponent) == 3 && exponent > fmt.Sprint(maxDigits)
}

// hasLongNumber reports whether a JSON text has a number that is too long, see
// isLongNumber. It reports true for malformed text too.
func hasLongNumber(text string) bool {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	for {
		switch k, err := d.Token(); n := k.(type) {
		case json.Number:
			if isLongNumber(string(n)) {
				return true
			}
		case nil:
			if err != nil {
				return err != io.EOF
			}
		}
	}
}

// A measure is the size of some values.
type measure struct {
	nodes   int // the number of values, with all values inside
	bytes   int // the bytes of all texts
	longest int // the most bytes of one text
	// widest holds the maximum number of elements of a value at each depth. The last
	// entry is for all greater depths.
	widest [8]int
	levels map[string]int // the least depth of each variable of the surrounding loops
}

// add measures one more value. Beyond maxSize it stops.
func (m *measure) add(v cty.Value, depth int) {
	m.nodes++
	switch {
	case v.IsNull() || !v.IsKnown() || m.size() > maxSize:
		return
	case depth > 50:
		m.nodes += maxSize
	case v.Type() == cty.String:
		text := v.AsString()
		m.bytes += len(text)
		m.longest = max(m.longest, len(text))
		if isLongNumber(strings.TrimSpace(text)) {
			m.nodes += maxSize
		}
	case v.Type() == cty.Number:
		const bitsOfDigit = 3.33
		f := v.AsBigFloat()
		if e := f.MantExp(nil); float64(e) > maxDigits*bitsOfDigit || float64(e) < -maxDigits*bitsOfDigit || f.IsInf() {
			m.nodes += maxSize
		}
	case v.CanIterateElements():
		n := 0
		for i := v.ElementIterator(); i.Next() && m.size() <= maxSize; n++ {
			k, e := i.Element()
			if k.Type() == cty.String {
				m.bytes += len(k.AsString())
				m.longest = max(m.longest, len(k.AsString()))
			}
			m.add(e, depth+1)
		}
		at := min(depth, len(m.widest)-1)
		m.widest[at] = max(m.widest[at], n)
	}
}

func (m measure) size() int { return m.nodes + m.bytes }

// times and plus multiply and add, up to maxCost.
func times(a, b int) int { return min(min(a, maxCost)*min(b, maxCost), maxCost) }

func plus(list ...int) (sum int) {
	for _, n := range list {
		sum = min(sum+n, maxCost)
	}
	return sum
}

// work returns a bound on the elements and bytes that an expression makes from values with
// the measure m. The depth of an expression is bounded.
func (m measure) work(e hclsyntax.Expression) int {
	switch e := e.(type) {
	case nil:
		return 0
	case *hclsyntax.ForExpr:
		of := m.inside(e)
		return plus(m.work(e.CollExpr), times(m.elements(e.CollExpr), plus(1, of.work(e.KeyExpr), of.work(e.ValExpr), of.work(e.CondExpr))))
	case *hclsyntax.SplatExpr:
		return plus(m.work(e.Source), times(m.elements(e.Source), plus(1, m.work(e.Each))))
	case *hclsyntax.FunctionCallExpr:
		sum := m.sum(plus(1, m.nodes), e.Args...)
		switch e.Name {
		case "lower", "upper", "tostring":
			return plus(sum, m.longest)
		case "jsonencode":
			return times(8, plus(sum, m.bytes))
		}
		return sum
	case *hclsyntax.TemplateExpr:
		return m.sum(plus(1, times(len(e.Parts), m.longest)), e.Parts...)
	case *hclsyntax.TemplateJoinExpr:
		return plus(m.work(e.Tuple), times(m.elements(e.Tuple), m.longest))
	case *hclsyntax.TemplateWrapExpr:
		return m.work(e.Wrapped)
	case *hclsyntax.TupleConsExpr:
		return m.sum(1, e.Exprs...)
	case *hclsyntax.ObjectConsExpr:
		sum := 1
		for _, x := range e.Items {
			sum = m.sum(sum, x.KeyExpr, x.ValueExpr)
		}
		return sum
	case *hclsyntax.ObjectConsKeyExpr:
		return m.work(e.Wrapped)
	case *hclsyntax.ParenthesesExpr:
		return m.work(e.Expression)
	case *hclsyntax.ConditionalExpr:
		return m.sum(plus(1, m.nodes), e.Condition, e.TrueResult, e.FalseResult)
	case *hclsyntax.BinaryOpExpr: // numbers become longer, and values are compared
		const longer = 64
		return m.sum(plus(longer, m.nodes), e.LHS, e.RHS)
	case *hclsyntax.UnaryOpExpr:
		return m.sum(1, e.Val)
	case *hclsyntax.IndexExpr:
		return m.sum(1, e.Collection, e.Key)
	case *hclsyntax.RelativeTraversalExpr:
		return m.sum(1, e.Source)
	case *hclsyntax.LiteralValueExpr:
		if e.Val.Type() == cty.String && e.Val.IsKnown() && !e.Val.IsNull() {
			return 1 + len(e.Val.AsString())
		}
		return 1
	case *hclsyntax.ScopeTraversalExpr, *hclsyntax.AnonSymbolExpr:
		return 1
	}
	return maxCost // a kind of expression of a later version of the parser
}

// sum returns a number plus the work of some expressions.
func (m measure) sum(n int, expressions ...hclsyntax.Expression) int {
	for _, e := range expressions {
		n = plus(n, m.work(e))
	}
	return n
}

// inside returns the measure of the values in the body of a loop.
func (m measure) inside(e *hclsyntax.ForExpr) measure {
	of := m
	if of.levels = maps.Clone(m.levels); of.levels == nil {
		of.levels = map[string]int{}
	}
	of.levels[e.ValVar] = 0
	if at, isOld := m.level(e.CollExpr); isOld {
		of.levels[e.ValVar] = at + 1
	} else if n := m.work(e.CollExpr); n > 0 { // the expression makes its own elements
		of.nodes, of.bytes, of.longest = plus(m.nodes, n), plus(m.bytes, n), max(m.longest, n)
		for i := range of.widest {
			of.widest[i] = max(of.widest[i], n)
		}
	}
	return of
}

// level returns the least depth, in a measured value, of the variable that an expression
// reads. isOld reports whether the expression reads a variable. Any other expression
// makes a new value.
func (m measure) level(e hclsyntax.Expression) (at int, isOld bool) {
	switch e := e.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		return m.levels[e.Traversal.RootName()], true
	case *hclsyntax.ParenthesesExpr:
		return m.level(e.Expression)
	}
	return 0, false
}

// elements returns a bound on the elements of a collection.
func (m measure) elements(e hclsyntax.Expression) int {
	if at, isOld := m.level(e); isOld {
		return max(slices.Max(m.widest[min(at, len(m.widest)-1):]), 1) // a splat takes one value for a list
	}
	switch e := e.(type) {
	case *hclsyntax.TupleConsExpr:
		return len(e.Exprs)
	case *hclsyntax.ObjectConsExpr:
		return len(e.Items)
	case *hclsyntax.ForExpr:
		return m.elements(e.CollExpr)
	case *hclsyntax.ParenthesesExpr:
		return m.elements(e.Expression)
	}
	return plus(slices.Max(m.widest[:]), m.work(e))
}

// mayMakeNumber reports whether an expression might join texts to a number and compute with
// it, such as "1e${"9"}" + 1. The number of digits would then be known too late.
func mayMakeNumber(e hclsyntax.Expression) bool {
	found := false
	if !hasNode(e, takesNumbers) {
		return false
	}
	within := 0 // the number of nodes around for which passesOn is true
	hclsyntax.Walk(e, &walker{enter: func(n hclsyntax.Node) {
		if passesOn(n) {
			found = found || within == 0 && hasNode(n, joinsTexts)
			within++
		}
		if loop, ok := n.(*hclsyntax.ForExpr); ok {
			found = found || within == 0 && hasNode(loop.CollExpr, joinsTexts)
		}
	}, exit: func(n hclsyntax.Node) {
		if passesOn(n) {
			within--
		}
	}})
	return found
}

// hasNode reports whether isKind is true for an expression or for a part of it.
func hasNode(e hclsyntax.Node, isKind func(hclsyntax.Node) bool) (found bool) {
	hclsyntax.VisitAll(e, func(n hclsyntax.Node) hcl.Diagnostics {
		found = found || isKind(n)
		return nil
	})
	return found
}

// takesNumbers reports whether a node converts texts to numbers.
func takesNumbers(n hclsyntax.Node) bool {
	switch n := n.(type) {
	case *hclsyntax.BinaryOpExpr, *hclsyntax.UnaryOpExpr, *hclsyntax.IndexExpr:
		return true
	case *hclsyntax.FunctionCallExpr:
		return slices.Contains([]string{"tonumber", "max", "min", "floor", "ceil"}, n.Name)
	}
	return false
}

// passesOn reports whether a node uses numbers, or selects a part of a value that another
// node may use as a number.
func passesOn(n hclsyntax.Node) bool {
	switch n.(type) {
	case *hclsyntax.SplatExpr, *hclsyntax.RelativeTraversalExpr:
		return true
	}
	return takesNumbers(n)
}

// joinsTexts reports whether a node is a template whose text may be a number.
func joinsTexts(n hclsyntax.Node) bool {
	switch n := n.(type) {
	case *hclsyntax.TemplateExpr:
		return len(n.Parts) > 1 && !hasWord(n)
	case *hclsyntax.TemplateJoinExpr:
		return true
	}
	return false
}

// hasWord reports whether a template has a text that cannot be part of a
// number.
func hasWord(t *hclsyntax.TemplateExpr) bool {
	for _, p := range t.Parts {
		if l, ok := p.(*hclsyntax.LiteralValueExpr); ok && l.Val.Type() == cty.String && l.Val.IsKnown() && !l.Val.IsNull() {
			if bytes.ContainsFunc([]byte(l.Val.AsString()), func(r rune) bool { return !strings.ContainsRune("0123456789eE+-._ \t\r\n", r) }) {
				return true
			}
		}
	}
	return false
}

type walker struct{ enter, exit func(hclsyntax.Node) }

func (w *walker) Enter(n hclsyntax.Node) hcl.Diagnostics {
	w.enter(n)
	return nil
}

func (w *walker) Exit(n hclsyntax.Node) hcl.Diagnostics {
	w.exit(n)
	return nil
}
