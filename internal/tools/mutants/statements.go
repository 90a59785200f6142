package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// statement mutates a statement, and reports whether to visit its children.
func (m *mutator) statement(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.BlockStmt:
		for _, inner := range s.List {
			m.leaveOut(inner)
			m.walk(inner)
		}
		return false
	case *ast.IfStmt:
		m.condition(s.Cond)
		m.empty(s.Body)
		if block, ok := s.Else.(*ast.BlockStmt); ok {
			m.empty(block)
		}
	case *ast.ForStmt:
		m.condition(s.Cond)
		m.inside(true, s.Init, s.Cond, s.Post, s.Body)
		return false
	case *ast.RangeStmt:
		m.walk(s.X)
		m.inside(true, s.Body)
		return false
	case *ast.SwitchStmt:
		if s.Tag == nil {
			for _, c := range s.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					m.condition(e)
				}
			}
		}
		m.inside(false, s.Init, s.Tag, s.Body)
		return false
	case *ast.TypeSwitchStmt:
		m.inside(false, s.Init, s.Assign, s.Body)
		return false
	case *ast.SelectStmt:
		m.inside(false, s.Body)
		return false
	case *ast.CaseClause:
		for _, e := range s.List {
			m.walk(e)
		}
		m.clause(s.Colon, s.Body)
		return false
	case *ast.CommClause:
		m.walk(s.Comm)
		m.clause(s.Colon, s.Body)
		return false
	case *ast.IncDecStmt:
		m.step(s)
	case *ast.ReturnStmt:
		m.returns(s)
	case *ast.BranchStmt:
		m.branch(s)
		return false
	case *ast.DeclStmt:
		return s.Decl.(*ast.GenDecl).Tok == token.VAR
	}
	return true
}

// inside walks over the children of a statement that break can leave.
func (m *mutator) inside(loop bool, parts ...ast.Node) {
	m.loops = append(m.loops, loop)
	for _, part := range parts {
		switch part := part.(type) { // A nil statement is not a nil node.
		case ast.Stmt:
			m.walk(part)
		case ast.Expr:
			m.walk(part)
		}
	}
	m.loops = m.loops[:len(m.loops)-1]
}

// clause mutates the statements of a case.
func (m *mutator) clause(colon token.Pos, body []ast.Stmt) {
	if len(body) > 0 && !deletable(body) && !fallsThrough(body) {
		m.group()
		id := m.add(&ast.BadStmt{From: body[0].Pos(), To: body[len(body)-1].End()}, "left out of its case")
		m.file.edits.wrap(m.offset(colon)+1, m.offset(body[len(body)-1].End()), fmt.Sprintf(" if !mutantsIs(%d) {", id), " }")
	}
	for _, inner := range body {
		m.leaveOut(inner)
		m.walk(inner)
	}
}

// empty removes the content of a block.
func (m *mutator) empty(block *ast.BlockStmt) {
	if len(block.List) == 0 || deletable(block.List) {
		return
	}
	m.group()
	id := m.add(&ast.BadStmt{From: block.List[0].Pos(), To: block.List[len(block.List)-1].End()}, "left out of its branch")
	m.file.edits.wrap(m.offset(block.Lbrace)+1, m.offset(block.Rbrace), fmt.Sprintf(" if !mutantsIs(%d) {", id), " } ")
}

func fallsThrough(body []ast.Stmt) bool {
	branch, ok := body[len(body)-1].(*ast.BranchStmt)
	return ok && branch.Tok == token.FALLTHROUGH
}

// deletable reports whether a body is a single statement with its own mutant.
func deletable(body []ast.Stmt) bool { return len(body) == 1 && canLeaveOut(body[0]) }

func canLeaveOut(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return true
		}
		if name, ok := call.Fun.(*ast.Ident); ok && name.Name == "panic" {
			return false
		}
		selector, ok := call.Fun.(*ast.SelectorExpr)
		return !ok || selector.Sel.Name != "Grow" // Capacity does not change behavior.
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			return false
		}
		for _, left := range s.Lhs {
			if name, ok := left.(*ast.Ident); !ok || name.Name != "_" {
				return true
			}
		}
		return false
	case *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt:
		return true
	}
	return false
}

// leaveOut removes one statement of a list.
func (m *mutator) leaveOut(s ast.Stmt) {
	if !canLeaveOut(s) {
		return
	}
	m.group()
	m.wrap(s, fmt.Sprintf("if !mutantsIs(%d) { ", m.add(s, "left out")), " }")
}

// step swaps ++ and --.
func (m *mutator) step(s *ast.IncDecStmt) {
	text, ok := m.typeText(m.pkg.info.Types[s.X].Type)
	if !ok {
		return
	}
	m.group()
	assign, other := " += ", "--"
	if s.Tok == token.DEC {
		assign, other = " -= ", "++"
	}
	m.replace(s.TokPos, 2, fmt.Sprintf("%smutantsStep[%s](%d)", assign, text, m.add(s, "with "+other)))
}

// returns replaces the results of a return, one at a time, by zero values, and by true and false.
func (m *mutator) returns(s *ast.ReturnStmt) {
	results := m.signature.Results()
	if len(s.Results) != results.Len() {
		if len(s.Results) == 1 {
			m.returnsTuple(s.Results[0], results)
		}
		return
	}
	for i, e := range s.Results {
		v := m.pkg.info.Types[e]
		if isBool(v.Type) && isBool(results.At(i).Type()) && v.Value == nil {
			m.done[e] = true
			m.group()
			m.wrap(e, fmt.Sprintf("mutantsBool(%d, %d, ", m.add(e, "returned as true"), m.add(e, "returned as false")), ")")
			continue
		}
		m.zero(e, results.At(i).Type(), "returned as zero")
	}
}

// returnsTuple does the same as returns if a single call returns all results.
func (m *mutator) returnsTuple(e ast.Expr, results *types.Tuple) {
	function := map[int]string{2: "mutantsPair", 3: "mutantsTriple"}[results.Len()]
	var names, ids []string
	for v := range results.Variables() {
		text, ok := m.typeText(v.Type())
		if !ok || function == "" {
			return
		}
		names = append(names, text)
	}
	m.group()
	for i := range names {
		ids = append(ids, fmt.Sprint(m.add(e, fmt.Sprintf("returned with result %d as zero", i+1))))
	}
	m.wrap(e, fmt.Sprintf("%s[%s](%s)(", function, strings.Join(names, ", "), strings.Join(ids, ", ")), ")")
}

// branch swaps break and continue in loops.
func (m *mutator) branch(s *ast.BranchStmt) {
	if s.Label != nil || len(m.loops) == 0 || !m.loops[len(m.loops)-1] {
		return
	}
	other := token.CONTINUE
	if s.Tok == token.CONTINUE {
		other = token.BREAK
	} else if s.Tok != token.BREAK {
		return
	}
	m.group()
	m.file.edits.add(opens, m.offset(s.Pos()), 0,
		fmt.Sprintf("if mutantsIs(%d) { %s }; ", m.add(s, "with "+other.String()), other))
}
