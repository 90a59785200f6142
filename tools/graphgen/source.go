package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// source is a parsed Go file with its text.
type source struct {
	text []byte
	set  *token.FileSet
	file *ast.File
}

func parse(text []byte) (*source, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "graph.gen.go", text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	return &source{text, set, file}, nil
}

// at returns the offset of a position.
func (s *source) at(pos token.Pos) int { return s.set.Position(pos).Offset }

// of returns the text of a node.
func (s *source) of(node ast.Node) string { return string(s.text[s.at(node.Pos()):s.at(node.End())]) }

// structs yields the file's struct types by name.
func (s *source) structs(yield func(string, *ast.StructType) bool) {
	for _, decl := range s.file.Decls {
		if spec, record := structOf(decl); record != nil && !yield(spec.Name.Name, record) {
			return
		}
	}
}

// structOf returns the struct type that a declaration declares, or nil.
func structOf(decl ast.Decl) (*ast.TypeSpec, *ast.StructType) {
	general, ok := decl.(*ast.GenDecl)
	if !ok || general.Tok != token.TYPE {
		return nil, nil
	}
	spec := general.Specs[0].(*ast.TypeSpec)
	record, _ := spec.Type.(*ast.StructType)
	return spec, record
}

// jsonName returns the name that a field has in JSON.
func jsonName(field *ast.Field) string {
	tag, _ := strconv.Unquote(field.Tag.Value)
	name, _ := strconv.Unquote(strings.TrimPrefix(tag, "json:"))
	name, _, _ = strings.Cut(name, ",")
	return name
}

// edit replaces a piece of a text.
type edit struct {
	start, end int
	text       string
}

// apply carries out edits that do not overlap.
func apply(text []byte, edits []edit) []byte {
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	var out bytes.Buffer
	done := 0
	for _, e := range edits {
		if e.start < done {
			panic(fmt.Sprintf("edits overlap at byte %d", e.start))
		}
		out.Write(text[done:e.start])
		out.WriteString(e.text)
		done = e.end
	}
	out.Write(text[done:])
	return out.Bytes()
}
