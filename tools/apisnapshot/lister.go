package main

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"
)

// lister makes the lines of one package.
type lister struct {
	module string
	self   *types.Package
}

func newLister(module string, self *types.Package) lister { return lister{module, self} }

func (l lister) lines() []string {
	var all []string
	scope := l.self.Scope()
	for _, name := range scope.Names() {
		if token.IsExported(name) {
			all = append(all, l.object(scope.Lookup(name))...)
		}
	}
	return all
}

func (l lister) object(object types.Object) []string {
	name := object.Name()
	switch object := object.(type) {
	case *types.Const:
		return []string{fmt.Sprintf("const %s %s = %s", name, l.text(object.Type()), object.Val().ExactString())}
	case *types.Var:
		return []string{fmt.Sprintf("var %s %s", name, l.text(object.Type()))}
	case *types.Func:
		signature := object.Signature()
		return []string{"func " + name + l.parameters(signature.TypeParams()) + l.signature(signature)}
	case *types.TypeName:
		return l.typeName(object)
	}
	return nil
}

func (l lister) typeName(object *types.TypeName) []string {
	if alias, is := object.Type().(*types.Alias); is {
		return []string{"type " + object.Name() + l.parameters(alias.TypeParams()) + " = " + l.text(alias.Rhs())}
	}
	named := object.Type().(*types.Named)
	head := "type " + object.Name() + l.parameters(named.TypeParams())
	switch under := named.Underlying().(type) {
	case *types.Interface:
		return l.interfaceType(head, under)
	case *types.Struct:
		return append(l.structType(head, named, under), l.methods(named)...)
	default:
		return append([]string{head + " " + l.text(under)}, l.methods(named)...)
	}
}

// methods are those that a caller can use on a variable, promoted ones included.
func (l lister) methods(named *types.Named) []string {
	var lines []string
	byValue := types.NewMethodSet(named)
	all := types.NewMethodSet(types.NewPointer(named))
	for i := range all.Len() {
		method := all.At(i).Obj()
		if !method.Exported() {
			continue
		}
		receiver := l.text(named)
		if byValue.Lookup(method.Pkg(), method.Name()) == nil {
			receiver = "*" + receiver
		}
		lines = append(lines, fmt.Sprintf("method (%s) %s%s", receiver, method.Name(), l.signature(all.At(i).Type().(*types.Signature))))
	}
	return lines
}

// text writes a type. Packages of the standard library and of the project go by their names, all others by their paths,
// in which a major version is.
func (l lister) text(t types.Type) string {
	if signature, is := t.(*types.Signature); is {
		return "func" + l.signature(signature)
	}
	return types.TypeString(t, func(p *types.Package) string {
		host, _, _ := strings.Cut(p.Path(), "/")
		switch {
		case p == l.self:
			return ""
		case strings.HasPrefix(p.Path(), l.module), !strings.Contains(host, "."):
			return p.Name()
		}
		return p.Path()
	})
}
