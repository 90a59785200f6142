package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/ast"
	"go/constant"
	"go/format"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/packages"
)

// mutant is one change of the package. Its number selects it. Its name describes it without line numbers.
type mutant struct {
	id, line       int
	function, name string
	outcome        outcome
}

// mutator rewrites the syntax of a package, so that each mutant is behind a switch. A node is changed before its
// children. New nodes have no position.
type mutator struct {
	pkg     *packages.Package
	mutants []*mutant
	sources map[string][]byte // The rewritten files, by path.
	dropped map[int]bool      // The mutants that do not compile.

	file     string // The name of the current file.
	source   []byte
	last     int // The number of the last mutant.
	named    map[string]int
	function string // The current declaration.
	results  map[*ast.ReturnStmt]*types.Tuple
}

// plant creates the mutants of the package in a directory, without the ones that do not compile.
func plant(dir string) (*mutator, error) {
	dropped := map[int]bool{}
	for {
		p, err := load(dir, nil)
		if err != nil {
			return nil, err
		}
		m := &mutator{pkg: p, sources: map[string][]byte{}, dropped: dropped, named: map[string]int{},
			results: map[*ast.ReturnStmt]*types.Tuple{}}
		if err := m.rewrite(); err != nil {
			return nil, err
		}
		mutated, err := load(dir, m.sources)
		if err != nil {
			return nil, err
		}
		if len(mutated.TypeErrors) == 0 {
			return m, nil
		}
		for _, wrong := range mutated.TypeErrors {
			at := mutated.Fset.Position(wrong.Pos)
			line := strings.Split(string(m.sources[at.Filename]), "\n")[at.Line-1]
			switches := numbered.FindAllStringSubmatchIndex(line, -1)
			switches = slices.DeleteFunc(switches, func(match []int) bool { return match[0] >= at.Column })
			if len(switches) == 0 {
				return nil, fmt.Errorf("the mutated package does not compile: %w", wrong)
			}
			innermost := switches[len(switches)-1]
			id, _ := strconv.Atoi(line[innermost[2]:innermost[3]])
			dropped[id] = true
		}
	}
}

// numbered matches the switch of a mutant.
var numbered = regexp.MustCompile(`mutants\w+(?:\[.*?\])?\((\d+)`)

// load loads the package in a directory, with other sources for some files. Type errors in these are no error here.
func load(dir string, sources map[string][]byte) (*packages.Package, error) {
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedImports,
		Dir:  dir, Env: environment(), Overlay: sources,
	}, ".")
	if err != nil {
		return nil, err
	}
	p := loaded[0]
	if len(p.Errors) > 0 && (len(p.TypeErrors) == 0 || sources == nil) {
		return nil, fmt.Errorf("load %s: %w", dir, p.Errors[0])
	}
	return p, nil
}

// switches is the source of the functions by which the mutated package checks which mutant is active.
//
//go:embed runtime.go.txt
var switches string

// operators maps each operator to the one that replaces it, and to the function that implements both.
var operators = map[string]struct{ other, function, constraint, result string }{
	"<":  {"<=", "mutantsLess", "mutantsCmp.Ordered", "bool"},
	"<=": {"<", "mutantsLessEqual", "mutantsCmp.Ordered", "bool"},
	">":  {">=", "mutantsGreater", "mutantsCmp.Ordered", "bool"},
	">=": {">", "mutantsGreaterEqual", "mutantsCmp.Ordered", "bool"},
	"+":  {"-", "mutantsAdd", "mutantsNumber", "T"},
	"-":  {"+", "mutantsSub", "mutantsNumber", "T"},
	"*":  {"/", "mutantsMul", "mutantsNumber", "T"},
	"/":  {"*", "mutantsQuo", "mutantsNumber", "T"},
	"%":  {"*", "mutantsRem", "mutantsInteger", "T"},
	"&":  {"|", "mutantsAnd", "mutantsInteger", "T"},
}

// rewrite creates the mutants and the sources of the package.
func (m *mutator) rewrite() error {
	for _, file := range m.pkg.Syntax {
		path := m.pkg.Fset.Position(file.Pos()).Filename
		m.sources[filepath.Join(filepath.Dir(path), "mutants_switches.go")] = m.switches()
		if ast.IsGenerated(file) {
			continue
		}
		var err error
		if m.source, err = os.ReadFile(path); err != nil {
			return err
		}
		m.file = filepath.Base(path)
		file.Comments = slices.DeleteFunc(file.Comments, func(c *ast.CommentGroup) bool { // Directives such as go:embed stay.
			return !slices.ContainsFunc(c.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:") })
		})
		astutil.Apply(file, m.enter, nil)
		var out bytes.Buffer
		if err := format.Node(&out, m.pkg.Fset, file); err != nil {
			return err
		}
		m.sources[path] = out.Bytes()
	}
	return nil
}

func (m *mutator) switches() []byte {
	source := []byte(strings.Replace(switches, "PACKAGE", m.pkg.Name, 1))
	for op, o := range operators {
		source = fmt.Appendf(source, "\nfunc %s[T %s](id int, a, b T) %s {\nif mutantsIs(id) {\nreturn a %s b\n}\n"+
			"return a %s b\n}\n", o.function, o.constraint, o.result, o.other, op)
	}
	return source
}

// add adds a mutant of a node and returns its number.
func (m *mutator) add(at ast.Node, what string) int {
	name := fmt.Sprintf("%s %s: `%s` %s", m.file, m.function, m.text(at), what)
	m.named[name]++
	if n := m.named[name]; n > 1 {
		name += fmt.Sprintf(" (%d)", n)
	}
	m.last++
	if !m.dropped[m.last] {
		m.mutants = append(m.mutants, &mutant{
			id: m.last, line: m.pkg.Fset.Position(at.Pos()).Line, function: m.file + " " + m.function, name: name,
			outcome: unreached,
		})
	}
	return m.last
}

// text returns the source of a node on one line, truncated if it is long.
func (m *mutator) text(n ast.Node) string {
	from, to := m.pkg.Fset.Position(n.Pos()).Offset, m.pkg.Fset.Position(n.End()).Offset
	text := strings.Join(strings.Fields(string(m.source[from:to])), " ")
	if len(text) > 70 {
		text = strings.ToValidUTF8(text[:70], "") + "…"
	}
	return text
}

// call returns a call of a function of runtime.go.txt, or the last argument if the mutant does not compile.
func (m *mutator) call(function string, id int, args ...ast.Expr) ast.Expr {
	if m.dropped[id] {
		return args[len(args)-1]
	}
	number := &ast.BasicLit{Kind: token.INT, Value: strconv.Itoa(id)}
	return &ast.CallExpr{Fun: ast.NewIdent(function), Args: append([]ast.Expr{number}, args...)}
}

// unless returns statements that are not executed if a mutant is active.
func (m *mutator) unless(id int, list ...ast.Stmt) []ast.Stmt {
	if m.dropped[id] {
		return list
	}
	active := m.call("mutantsIs", id)
	return []ast.Stmt{&ast.IfStmt{Cond: &ast.UnaryExpr{Op: token.NOT, X: active}, Body: &ast.BlockStmt{List: list}}}
}

// enter mutates a node, and reports whether to visit its children.
func (m *mutator) enter(c *astutil.Cursor) bool {
	n := c.Node()
	if n == nil || !n.Pos().IsValid() {
		return true
	}
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok == token.VAR
	case *ast.ValueSpec:
		if name := n.Names[0]; m.pkg.Types.Scope().Lookup(name.Name) == m.pkg.TypesInfo.Defs[name] {
			m.function = name.Name
		}
	case *ast.FuncDecl:
		m.function = n.Name.Name
		if n.Recv != nil {
			m.function = m.text(n.Recv.List[0].Type) + "." + m.function
		}
		m.enterFunction(m.pkg.TypesInfo.Defs[n.Name].Type(), n.Body)
	case *ast.BlockStmt:
		if _, is := c.Parent().(*ast.IfStmt); is {
			n.List = m.empty(n.List, "left out of its branch")
		}
	case *ast.CaseClause:
		n.Body = m.empty(n.Body, "left out of its case")
	case *ast.CommClause:
		n.Body = m.empty(n.Body, "left out of its case")
	case *ast.ReturnStmt:
		for i, e := range n.Results {
			if results := m.results[n]; len(n.Results) == results.Len() { // Otherwise a call returns all of them.
				n.Results[i] = m.zero(e, results.At(i).Type(), "returned as zero")
			}
		}
	case *ast.KeyValueExpr:
		key, _ := n.Key.(*ast.Ident)
		if field, is := m.pkg.TypesInfo.Uses[key].(*types.Var); is && field.IsField() {
			n.Value = m.zero(n.Value, field.Type(), "left out of field "+field.Name())
		}
	case ast.Expr:
		return m.expression(c, n)
	case ast.Stmt:
		if removable(n) && c.Index() >= 0 {
			c.Replace(m.unless(m.add(n, "left out"), n)[0])
		}
	}
	return true
}

// enterFunction records the results of a function for its returns, which may be left out: a panic ends it then.
func (m *mutator) enterFunction(t types.Type, body *ast.BlockStmt) {
	results := t.(*types.Signature).Results()
	if body == nil || results.Len() == 0 {
		return
	}
	body.List = append(body.List, &ast.ExprStmt{X: ast.NewIdent(`panic("no return")`)})
	ast.Inspect(body, func(n ast.Node) bool {
		if s, is := n.(*ast.ReturnStmt); is {
			m.results[s] = results // A function literal in the body replaces it.
		}
		return true
	})
}

// empty leaves out all statements of a branch, unless a single one has its own mutant.
func (m *mutator) empty(list []ast.Stmt, what string) []ast.Stmt {
	if len(list) == 0 || len(list) == 1 && removable(list[0]) {
		return list
	}
	last := list[len(list)-1]
	if branch, is := last.(*ast.BranchStmt); is && branch.Tok == token.FALLTHROUGH {
		return list
	}
	return m.unless(m.add(&ast.BadStmt{From: list[0].Pos(), To: last.End()}, what), list...)
}

// removable reports whether a statement in a list can be left out.
func removable(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		name, _, _ := strings.Cut(types.ExprString(s.X), "(")
		return name != "panic" && !strings.HasSuffix(name, ".Grow") // A capacity does not change behavior.
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE && types.ExprString(s.Lhs[0]) != "_"
	case *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt, *ast.IncDecStmt:
		return true
	}
	return false
}

func (m *mutator) typeText(t types.Type) string {
	return strings.ReplaceAll(types.TypeString(t, (*types.Package).Name), m.pkg.Name+".", "")
}

// zero replaces an expression by its zero value, unless it is zero already or has another mutant for that.
func (m *mutator) zero(e ast.Expr, as types.Type, what string) ast.Expr {
	v := m.pkg.TypesInfo.Types[e]
	literal, _ := e.(*ast.CompositeLit)
	if v.IsNil() || v.Value != nil || isKind(v.Type, types.IsBoolean) || literal != nil && len(literal.Elts) == 0 {
		return e
	}
	return m.call("mutantsZero["+m.typeText(as)+"]", m.add(e, what), e)
}

// isKind reports whether a type is a basic type of a kind.
func isKind(t types.Type, kind types.BasicInfo) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&kind != 0
}

// expression mutates an expression, and reports whether to visit its children.
func (m *mutator) expression(c *astutil.Cursor, e ast.Expr) bool {
	v, typed := m.pkg.TypesInfo.Types[e]
	if !typed || v.IsType() {
		return !v.IsType()
	} else if v.Value != nil {
		c.Replace(m.constant(e, v))
		return false
	}
	switch e := e.(type) {
	case *ast.FuncLit:
		m.enterFunction(v.Type, e.Body)
	case *ast.ParenExpr:
		return true // Its content has the mutants.
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return true
		}
	case *ast.BinaryExpr:
		if e.Op == token.LAND || e.Op == token.LOR {
			id := m.add(e, "with "+map[token.Token]string{token.LAND: "||", token.LOR: "&&"}[e.Op])
			e.X, e.Y = m.call("mutantsNot", id, e.X), m.call("mutantsNot", id, e.Y) // a || b is !(!a && !b).
			c.Replace(m.call("mutantsNot", id, e))
			return true
		}
		return m.binary(c, e)
	case *ast.CallExpr:
		if name := types.ExprString(e.Fun); name == "make" || strings.HasSuffix(name, ".Grow") {
			return false // A capacity does not change behavior.
		}
	}
	c.Replace(m.negated(c, e, e))
	return true
}

// negated negates an expression if it is a condition, in its changed form.
func (m *mutator) negated(c *astutil.Cursor, e, changed ast.Expr) ast.Expr {
	_, statement := c.Parent().(ast.Stmt)
	unused := statement && slices.Contains([]string{"X", "Call", "Lhs"}, c.Name())
	if unused || !isKind(m.pkg.TypesInfo.Types[e].Type, types.IsBoolean) {
		return changed
	}
	return m.call("mutantsNot", m.add(e, "negated"), changed)
}

// binary exchanges the operator of an expression, and reports whether to visit its operands.
func (m *mutator) binary(c *astutil.Cursor, e *ast.BinaryExpr) bool {
	exchange, known := operators[e.Op.String()]
	operand := m.pkg.TypesInfo.Types[e.X].Type
	if !known || !isKind(operand, types.IsOrdered) || e.Op == token.ADD && isKind(operand, types.IsString) {
		c.Replace(m.negated(c, e, e))
		return true
	}
	changed := m.call(exchange.function, m.add(e, "with "+exchange.other), e.X, e)
	c.Replace(m.negated(c, e, changed))
	if changed == e { // It does not compile.
		return true
	}
	for i, operand := range []ast.Expr{e.X, e.Y} {
		changed.(*ast.CallExpr).Args[i+1] = astutil.Apply(operand, m.enter, nil).(ast.Expr)
	}
	return false
}

// constant mutates an expression with a constant value.
func (m *mutator) constant(e ast.Expr, v types.TypeAndValue) ast.Expr {
	t := m.typeText(v.Type)
	switch {
	case v.Value.Kind() == constant.Bool:
		return m.call("mutantsNot", m.add(e, "negated"), e)
	case isKind(v.Type, types.IsUntyped):
		return e
	case v.Value.Kind() == constant.String && constant.StringVal(v.Value) == "":
		return m.call("mutantsText["+t+"]", m.add(e, "made a text"), e)
	case v.Value.Kind() == constant.String:
		return m.call("mutantsZero["+t+"]", m.add(e, `made ""`), e)
	}
	changed := m.call("mutantsPlus["+t+"]", m.add(e, "plus 1"), e)
	if constant.Sign(v.Value) != 0 {
		changed = m.call("mutantsZero["+t+"]", m.add(e, "made 0"), changed)
	}
	return changed
}
