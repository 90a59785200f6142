package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// imported is what the library's code needs.
const imported = `import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)`

// strip drops genqlient's coding of JSON and its imports, and gives the fields that this coding served plain tags.
func (s *source) strip(interfaces map[string]*abstract) []byte {
	names := s.specialNames()
	var edits []edit
	for _, decl := range s.file.Decls {
		if general, ok := decl.(*ast.GenDecl); ok && general.Tok == token.IMPORT {
			edits = append(edits, edit{s.at(decl.Pos()), s.at(decl.End()), imported})
			continue
		}
		if dropped(decl) {
			start := decl.Pos()
			if f, ok := decl.(*ast.FuncDecl); ok && f.Doc != nil {
				start = f.Doc.Pos()
			}
			edits = append(edits, edit{s.at(start), s.at(decl.End()), ""})
			continue
		}
		ast.Inspect(decl, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.SelectorExpr: // graphql.Request becomes Request.
				if pkg, ok := node.X.(*ast.Ident); ok && pkg.Name == "graphql" {
					edits = append(edits, edit{s.at(node.Pos()), s.at(node.Sel.Pos()), ""})
				}
			case *ast.StarExpr: // An interface has a null of its own.
				if name, ok := node.X.(*ast.Ident); ok && interfaces[name.Name] != nil {
					edits = append(edits, edit{s.at(node.Pos()), s.at(name.Pos()), ""})
				}
			}
			return true
		})
		if spec, record := structOf(decl); record != nil {
			edits = append(edits, s.retag(spec.Name.Name, record, names)...)
		}
	}
	for name, abstract := range interfaces {
		// The list of implementing types in the interface's comment.
		last := "// " + abstract.variants[len(abstract.variants)-1].goType + "\n"
		doc := s.docOf(name)
		if at := strings.Index(doc.text, last); at >= 0 {
			end := doc.start + at + len(last)
			edits = append(edits, edit{end, end, "// " + name + "Unknown, for any other\n"})
		}
	}
	return apply(s.text, edits)
}

// dropped tells whether a declaration is part of genqlient's coding of JSON, or a getter of a record that never leaves
// the package.
func dropped(decl ast.Decl) bool {
	if spec, record := structOf(decl); record != nil {
		return strings.HasPrefix(spec.Name.Name, "__premarshal")
	}
	f, ok := decl.(*ast.FuncDecl)
	if !ok {
		return false
	}
	if f.Recv == nil {
		return strings.HasPrefix(f.Name.Name, "__")
	}
	receiver := f.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name
	switch f.Name.Name {
	case "UnmarshalJSON", "MarshalJSON", "__premarshalJSON":
		return true
	}
	return strings.HasPrefix(receiver, "__")
}

// specialNames returns the names in JSON of the fields that genqlient codes by hand and tags with "-", by the name of
// the struct and the field. Only its helper types tell them.
func (s *source) specialNames() map[string]string {
	names := map[string]string{}
	for name, record := range s.structs {
		of, helper := strings.CutPrefix(name, "__premarshal")
		if !helper {
			continue
		}
		for _, field := range record.Fields.List {
			names[of+"."+field.Names[0].Name] = jsonName(field)
		}
	}
	return names
}

// retag gives fields their names in JSON, and lets inputs leave out what is not set.
func (s *source) retag(name string, record *ast.StructType, names map[string]string) []edit {
	var edits []edit
	for _, field := range record.Fields.List {
		tag := jsonName(field)
		if tag == "-" {
			tag = names[name+"."+field.Names[0].Name]
		}
		if strings.HasSuffix(name, "Input") && optional(field.Type) {
			tag += ",omitzero"
		}
		edits = append(edits, edit{s.at(field.Tag.Pos()), s.at(field.Tag.End()), fmt.Sprintf("`json:%q`", tag)})
	}
	return edits
}

// optional tells whether a field of an input may be left out: the schema's inputs have no list that is required.
func optional(fieldType ast.Expr) bool {
	switch fieldType.(type) {
	case *ast.StarExpr, *ast.ArrayType:
		return true
	}
	return false
}

// doc is a comment with its place.
type doc struct {
	start int
	text  string
}

// docOf returns the comment of a type.
func (s *source) docOf(name string) doc {
	for _, decl := range s.file.Decls {
		general, ok := decl.(*ast.GenDecl)
		if !ok || general.Doc == nil {
			continue
		}
		if spec, ok := general.Specs[0].(*ast.TypeSpec); ok && spec.Name.Name == name {
			return doc{s.at(general.Doc.Pos()), s.of(general.Doc) + "\n"}
		}
	}
	return doc{}
}
