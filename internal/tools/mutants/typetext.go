package main

import (
	"fmt"
	"go/types"
)

// typeText returns the source of a type in a file, which may need further imports. It returns false if the type cannot
// be named there.
func (m *mutator) typeText(t types.Type) (string, bool) {
	if t == nil || !m.nameable(t) {
		return "", false
	}
	return types.TypeString(t, func(p *types.Package) string {
		if p == m.pkg.types {
			return ""
		}
		if m.file.imports[p.Path()] == "" {
			m.file.imports[p.Path()] = fmt.Sprintf("mutants%d", len(m.file.imports))
		}
		return m.file.imports[p.Path()]
	}), true
}

// nameable reports whether a type can be written in the package.
func (m *mutator) nameable(t types.Type) bool {
	switch t := t.(type) {
	case *types.Basic:
		return t.Info()&types.IsUntyped == 0 && t.Kind() != types.Invalid
	case *types.Named:
		return m.accessible(t.Obj()) && m.allNameable(t.TypeArgs())
	case *types.Alias:
		return m.accessible(t.Obj()) && m.allNameable(t.TypeArgs())
	case *types.Pointer:
		return m.nameable(t.Elem())
	case *types.Slice:
		return m.nameable(t.Elem())
	case *types.Array:
		return m.nameable(t.Elem())
	case *types.Chan:
		return m.nameable(t.Elem())
	case *types.Map:
		return m.nameable(t.Key()) && m.nameable(t.Elem())
	case *types.Signature:
		return t.TypeParams().Len() == 0 && m.nameable(t.Params()) && m.nameable(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			if !m.nameable(v.Type()) {
				return false
			}
		}
		return true
	case *types.TypeParam:
		return true
	case *types.Interface:
		return t.Empty()
	case *types.Struct:
		return t.NumFields() == 0
	}
	return false
}

func (m *mutator) accessible(o *types.TypeName) bool {
	return o.Pkg() == nil || o.Pkg() == m.pkg.types || o.Exported()
}

func (m *mutator) allNameable(list *types.TypeList) bool {
	for t := range list.Types() {
		if !m.nameable(t) {
			return false
		}
	}
	return true
}
