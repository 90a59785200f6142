package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// mutant is one change of the package. Its number selects it. Its name describes it without line numbers.
type mutant struct {
	id, group int
	file      *file
	line      int
	function  string
	name      string

	reached, tried bool
}

// mutator walks over a file and creates the mutants. Each node is mutated before its children, so that the outer one of
// two edits at the same position comes first.
type mutator struct {
	pkg     *pkg
	file    *file
	mutants []*mutant
	named   map[string]int
	// function is the name of the current declaration, and signature the signature of the innermost function.
	function  string
	signature *types.Signature
	// loops contains, for each enclosing statement that break can leave, whether it is a loop. It restarts in each
	// function.
	loops []bool
	// done contains the conditions that already have mutants.
	done map[ast.Expr]bool
}

// plant creates the mutants of a package. If keep returns false for a file, the file gets none.
func plant(p *pkg, keep func(file string) bool) []*mutant {
	m := &mutator{pkg: p, named: map[string]int{}, done: map[ast.Expr]bool{}}
	for _, f := range p.files {
		if !f.mutated || !keep(f.name) {
			continue
		}
		m.file = f
		for _, decl := range f.syntax.Decls {
			m.declaration(decl)
		}
	}
	return m.mutants
}

func (m *mutator) declaration(decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.GenDecl:
		if decl.Tok != token.VAR {
			return
		}
		for _, spec := range decl.Specs {
			spec := spec.(*ast.ValueSpec)
			m.function, m.signature = spec.Names[0].Name, nil
			for _, value := range spec.Values {
				m.walk(value)
			}
		}
	case *ast.FuncDecl:
		m.function = decl.Name.Name
		if decl.Recv != nil {
			m.function = m.text(decl.Recv.List[0].Type) + "." + m.function
		}
		if decl.Body != nil {
			m.body(m.pkg.info.Defs[decl.Name].Type().(*types.Signature), decl.Body)
		}
	}
}

// body walks over the body of a function.
func (m *mutator) body(signature *types.Signature, body *ast.BlockStmt) {
	outerSignature, outerLoops := m.signature, m.loops
	m.signature, m.loops = signature, nil
	if n := len(body.List); n > 0 && signature.Results().Len() > 0 {
		if _, returns := body.List[n-1].(*ast.ReturnStmt); !returns {
			m.file.edits.always(m.offset(body.Rbrace), `; panic("no return") `) // The return may be left out.
		}
	}
	m.walk(body)
	m.signature, m.loops = outerSignature, outerLoops
}

// group starts a new group of edits for the next mutants.
func (m *mutator) group() { m.file.edits.group++ }

// add adds a mutant to the current group and returns its number.
func (m *mutator) add(at ast.Node, what string) int {
	name := fmt.Sprintf("%s %s: `%s` %s", m.file.name, m.function, m.text(at), what)
	m.named[name]++
	if n := m.named[name]; n > 1 {
		name += fmt.Sprintf(" (%d)", n)
	}
	m.mutants = append(m.mutants, &mutant{
		id: len(m.mutants) + 1, group: m.file.edits.group, file: m.file, line: m.pkg.fset.Position(at.Pos()).Line,
		function: m.file.name + " " + m.function, name: name,
	})
	return len(m.mutants)
}

func (m *mutator) offset(p token.Pos) int { return m.pkg.fset.Position(p).Offset }

// wrap inserts a text before and after a node.
func (m *mutator) wrap(n ast.Node, before, after string) {
	m.file.edits.wrap(m.offset(n.Pos()), m.offset(n.End()), before, after)
}

// replace replaces a token by a text.
func (m *mutator) replace(at token.Pos, length int, text string) {
	m.file.edits.add(replaces, m.offset(at), length, text)
}

// text returns the source of a node on one line, truncated if it is long.
func (m *mutator) text(n ast.Node) string {
	const longest = 70
	text := strings.Join(strings.Fields(string(m.file.source[m.offset(n.Pos()):m.offset(n.End())])), " ")
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "…"
	}
	return text
}

// walk mutates a node and then its children.
func (m *mutator) walk(n ast.Node) {
	if n == nil {
		return
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case ast.Expr:
			return m.expression(n)
		case ast.Stmt:
			return m.statement(n)
		case *ast.GenDecl:
			return n.Tok == token.VAR
		case *ast.Field:
			return false
		}
		return true
	})
}
