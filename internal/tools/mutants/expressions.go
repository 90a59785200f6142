package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// expression mutates an expression, and reports whether to visit its children.
func (m *mutator) expression(e ast.Expr) bool {
	if v := m.pkg.info.Types[e]; v.IsType() {
		return false
	} else if v.Value != nil {
		m.constant(e, v)
		return false
	}
	switch e := e.(type) {
	case *ast.FuncLit:
		m.body(m.pkg.info.Types[e].Type.(*types.Signature), e.Body)
		return false
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			m.condition(e.X)
		}
	case *ast.BinaryExpr:
		m.binary(e)
	case *ast.CallExpr:
		return m.call(e)
	case *ast.CompositeLit:
		m.literal(e)
		return false
	case *ast.SelectorExpr:
		m.walk(e.X)
		return false
	}
	return true
}

// constant mutates an expression with a constant value.
func (m *mutator) constant(e ast.Expr, v types.TypeAndValue) {
	basic, ok := v.Type.Underlying().(*types.Basic)
	text, nameable := m.typeText(v.Type)
	if !ok || !nameable {
		return
	}
	m.group()
	switch {
	case basic.Info()&types.IsBoolean != 0:
		if !m.done[e] {
			m.wrap(e, fmt.Sprintf("mutantsNot(%d, ", m.add(e, "negated")), ")")
		}
	case basic.Info()&types.IsString != 0:
		what := `made ""`
		if constant.StringVal(v.Value) == "" {
			what = "made a text"
		}
		m.wrap(e, fmt.Sprintf("mutantsText[%s](%d, ", text, m.add(e, what)), ")")
	case basic.Info()&(types.IsInteger|types.IsFloat) != 0:
		more, zero := m.add(e, "plus 1"), 0
		if constant.Sign(v.Value) != 0 {
			zero = m.add(e, "made 0")
		}
		m.wrap(e, fmt.Sprintf("mutantsNumeral[%s](%d, %d, ", text, more, zero), ")")
	}
}

// condition negates a condition. If it is composed, its operands are negated instead.
func (m *mutator) condition(e ast.Expr) {
	switch inner := e.(type) {
	case *ast.ParenExpr:
		m.condition(inner.X)
		return
	case *ast.UnaryExpr:
		if inner.Op == token.NOT {
			m.condition(inner.X)
			return
		}
	case *ast.BinaryExpr:
		if inner.Op == token.LAND || inner.Op == token.LOR {
			return
		}
	}
	if v := m.pkg.info.Types[e]; e == nil || m.done[e] || v.Value != nil || !isBool(v.Type) {
		return
	}
	m.done[e] = true
	m.group()
	m.wrap(e, fmt.Sprintf("mutantsNot(%d, ", m.add(e, "negated")), ")")
}

func isBool(t types.Type) bool {
	basic, ok := types.Unalias(t).(*types.Basic)
	return ok && basic.Info()&types.IsBoolean != 0
}

// operators maps each operator to the one that replaces it, and to the function that implements both.
var operators = map[token.Token]struct{ function, other string }{
	token.LSS: {"mutantsLess", "<="}, token.LEQ: {"mutantsLessEqual", "<"},
	token.GTR: {"mutantsGreater", ">="}, token.GEQ: {"mutantsGreaterEqual", ">"},
	token.ADD: {"mutantsAdd", "-"}, token.SUB: {"mutantsSub", "+"}, token.MUL: {"mutantsMul", "/"},
	token.QUO: {"mutantsQuo", "*"}, token.REM: {"mutantsRem", "*"}, token.AND: {"mutantsBits", "|"},
}

func (m *mutator) binary(e *ast.BinaryExpr) {
	switch e.Op {
	case token.EQL, token.NEQ:
		m.condition(e)
		return
	case token.LAND, token.LOR:
		m.group()
		function, other := "mutantsAnd", "||"
		if e.Op == token.LOR {
			function, other = "mutantsOr", "&&"
		}
		m.file.edits.add(opens, m.offset(e.Pos()), 0, fmt.Sprintf("%s(%d, ", function, m.add(e, "with "+other)))
		m.replace(e.OpPos, 2, ", func() bool { return (")
		m.file.edits.add(closes, m.offset(e.End()), 0, ") })")
		m.condition(e.X)
		m.condition(e.Y)
		return
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		m.condition(e)
	}
	exchange, ok := operators[e.Op]
	operand, basic := m.pkg.info.Types[e.X].Type.Underlying().(*types.Basic)
	if !ok || !basic || e.Op == token.ADD && operand.Info()&types.IsString != 0 {
		return
	}
	m.group()
	m.file.edits.add(opens, m.offset(e.Pos()), 0,
		fmt.Sprintf("%s(%d, ", exchange.function, m.add(e, "with "+exchange.other)))
	m.replace(e.OpPos, len(e.Op.String()), ",")
	m.file.edits.add(closes, m.offset(e.End()), 0, ")")
}

// call mutates a call, and reports whether to visit its children.
func (m *mutator) call(e *ast.CallExpr) bool {
	switch name := m.text(e.Fun); {
	case m.pkg.info.Types[e.Fun].IsType():
		for _, arg := range e.Args {
			m.walk(arg)
		}
		return false
	case name == "make": // Capacity does not change behavior, a length does.
		if _, slice := m.pkg.info.Types[e].Type.Underlying().(*types.Slice); slice && len(e.Args) == 2 {
			m.walk(e.Args[1])
		}
		return false
	case name == "slices.Grow", name == "new":
		m.walk(e.Args[0])
		return false
	case (name == "min" || name == "max") && len(e.Args) == 2:
		m.group()
		function, other := "mutantsMin", "max"
		if name == "max" {
			function, other = "mutantsMax", "min"
		}
		id := m.add(e, "with "+other)
		m.file.edits.add(opens, m.offset(e.Fun.Pos()), len(name), function)
		m.replace(e.Lparen, 1, fmt.Sprintf("(%d, ", id))
	default:
		m.unchanged(e)
	}
	return true
}

// unchanged makes a call return its argument, if both have the same type, as in a copy.
func (m *mutator) unchanged(e *ast.CallExpr) {
	function, ok := m.pkg.info.Types[e.Fun].Type.(*types.Signature)
	if !ok || m.pkg.info.Types[e.Fun].IsBuiltin() || function.Results().Len() != 1 || function.Variadic() {
		return
	}
	result := function.Results().At(0).Type()
	selector, _ := e.Fun.(*ast.SelectorExpr)
	switch {
	case len(e.Args) == 1 && types.Identical(m.pkg.info.Types[e.Args[0]].Type, result):
		m.group()
		m.file.edits.add(opens, m.offset(e.Pos()), 0, fmt.Sprintf("mutantsCall(%d, ", m.add(e, "left out")))
		m.replace(e.Lparen, 1, ", ")
	case len(e.Args) == 0 && selector != nil && simple(selector.X) &&
		types.Identical(m.pkg.info.Types[selector.X].Type, result):
		m.group()
		m.file.edits.add(opens, m.offset(e.Pos()), 0, fmt.Sprintf("mutantsMethod(%d, ", m.add(e, "left out")))
		m.replace(e.Lparen, 1, ", "+m.text(selector.X))
	}
}

// simple reports whether an expression can be evaluated twice.
func simple(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return simple(e.X)
	}
	return false
}

// literal omits the fields of a struct literal one by one.
func (m *mutator) literal(e *ast.CompositeLit) {
	structure, isStruct := m.pkg.info.Types[e].Type.Underlying().(*types.Struct)
	_, isMap := m.pkg.info.Types[e].Type.Underlying().(*types.Map)
	for i, element := range e.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		value := element
		if ok {
			value = pair.Value
		}
		if ok && isMap {
			m.walk(pair.Key)
		}
		if isStruct {
			field := structure.Field(i % structure.NumFields())
			if ok {
				field = m.pkg.info.Uses[pair.Key.(*ast.Ident)].(*types.Var)
			}
			m.zero(value, field.Type(), "left out of field "+field.Name())
		}
		m.walk(value)
	}
}

// zero replaces an expression by its zero value. It skips constants, which have their own mutants, and expressions that
// are zero already.
func (m *mutator) zero(e ast.Expr, as types.Type, what string) {
	v := m.pkg.info.Types[e]
	empty, _ := e.(*ast.CompositeLit)
	if v.IsNil() || v.Value != nil || empty != nil && len(empty.Elts) == 0 && isStruct(v.Type) {
		return
	}
	text, ok := m.typeText(as)
	if !ok {
		return
	}
	m.group()
	m.wrap(e, fmt.Sprintf("mutantsZero[%s](%d, ", text, m.add(e, what)), ")")
}

func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}
