package main

import (
	"go/ast"
	"maps"
	"slices"
	"strings"
)

// goType returns the Go type for a type. Interfaces have no pointer, and an implementation becomes its interface: the
// service may send another implementation. Types of an operation are written inline, and a connection becomes a List.
func (c *code) goType(t ast.Expr, prefix string) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		inner := c.goType(t.X, prefix)
		if c.isInterface(strings.TrimPrefix(inner, prefix)) || strings.HasPrefix(inner, "*") {
			return inner
		}
		return "*" + inner
	case *ast.ArrayType:
		return "[]" + c.goType(t.Elt, prefix)
	case *ast.Ident:
		switch {
		case c.types[t.Name] == nil:
			return t.Name
		case !c.isRecord(t.Name):
			return c.structType(t.Name, prefix)
		case c.of[t.Name] != "":
			return prefix + goName(c.of[t.Name])
		}
		return prefix + goName(t.Name)
	}
	return c.text(t)
}

// structType returns a struct of an operation, written inline.
func (c *code) structType(name, prefix string) string {
	var text strings.Builder
	for _, f := range c.fields(name, prefix) {
		if f.Name == "Edges" {
			node := c.fields(c.text(f.of.(*ast.ArrayType).Elt), prefix)[1]
			return "*List[" + node.Type + "]"
		}
		tag := "json:\"" + f.JSON + "\""
		if types := c.implementing(name); len(types) > 0 {
			having := slices.DeleteFunc(slices.Clone(types), func(t string) bool {
				return !slices.ContainsFunc(c.fields(t, prefix), f.same)
			})
			if len(having) < len(types) {
				tag += ` of:"` + strings.Join(typenames(name, having), " ") + `"`
			}
		}
		if _, is := f.of.(*ast.Ident); is && strings.HasPrefix(f.Type, "*List[") {
			tag += ` null:"no"`
		} else if types := c.implementing(name); f.Name == "Typename" && len(types) > 0 {
			tag += ` types:"` + strings.Join(typenames(name, types), " ") + `"`
		}
		text.WriteString(f.Name + " " + f.Type + " `" + tag + "`\n")
	}
	return "struct {\n" + text.String() + "}"
}

// typenames returns the names in the schema of the types that implement an interface of an operation, which begin with
// what the interface's name begins with.
func typenames(interfaceName string, types []string) []string {
	var names []string
	for _, name := range types {
		common := 0
		for common < len(interfaceName) && interfaceName[common] == name[common] {
			common++
		}
		names = append(names, name[common:])
	}
	return names
}

var window = []string{"First", "After", "Last", "Before"}

// Operations returns the queries.
func (c *code) Operations() []operation {
	var all []operation
	for _, name := range slices.Sorted(maps.Keys(c.documents)) {
		o := operation{Name: name, Document: c.documents[name], Response: c.structType(name+"Response", "graph.")}
		o.Doc, o.Contract = strings.CutSuffix(c.docs[name], " Source: contract.")
		o.Paged = strings.Contains(o.Response, "*List[")
		for _, f := range c.fields("__"+name+"Input", "graph.") {
			if !slices.Contains(window, f.Name) {
				o.Variables = append(o.Variables, f)
			}
			o.Wallet = o.Wallet || f.Name == "Wallet"
		}
		c.find(&o, name+"Response", "r")
		all = append(all, o)
	}
	return all
}

// find finds the path of a query's result, in a struct at a path in the data.
func (c *code) find(o *operation, name, place string) {
	fields := slices.DeleteFunc(c.fields(name, "graph."), func(f field) bool { return f.JSON == "__typename" })
	if len(fields) != 1 {
		return
	}
	place += "." + fields[0].Name
	if !strings.Contains(fields[0].Type, "struct {") {
		o.Found, o.At = fields[0].Type, place
		return
	}
	if strings.HasPrefix(fields[0].Type, "*") {
		o.Outer = append(o.Outer, place)
	}
	c.find(o, strings.TrimPrefix(c.text(fields[0].of), "*"), place)
}
