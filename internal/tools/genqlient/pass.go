package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// code contains genqlient's code without its functions, by name.
type code struct {
	source []byte
	// Package is the qualifier of the public types in the generated file.
	Package string
	types   map[string]ast.Expr
	docs    map[string]string // For types and operations.
	values  map[string][]field
	// of maps a type to the interface that it implements.
	of map[string]string
	// documents maps operations to their documents, as Go literals.
	documents map[string]string
}

// record is a public type.
type record struct {
	Kind, Name, Doc string
	Fields          []field // Or the values, if it is an enum.
	// Interface is the interface that a struct implements, as the type Typename of the schema. Types are the
	// implementations, if the record is an interface.
	Interface, Typename string
	Types               []record
	// HoldsInterfaces is set if the struct has a field that encoding/json cannot decode.
	HoldsInterfaces bool
}

// field is a field of a struct.
type field struct {
	Name, JSON, Type, Doc string
	of                    ast.Expr // The type in genqlient's code.
}

// operation is a query.
type operation struct {
	Name, Doc, Document string
	Contract, Paged     bool
	Variables           []field
	// Wallet is set if the query is about a wallet that is one of the variables.
	Wallet   bool
	Response string
	// Found is the type of the query's result, At its path in the data, and Outer are the pointers on that path. They are
	// empty if the query has several results.
	Found, At string
	Outer     []string
}

// parse parses generated code.
func parse(source []byte) (*code, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	c := &code{
		source: source, types: map[string]ast.Expr{}, docs: map[string]string{}, values: map[string][]field{},
		of: map[string]string{}, documents: map[string]string{},
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				c.docs[d.Name.Name] = c.text(d.Doc)
			} else if implemented, is := strings.CutPrefix(d.Name.Name, "implementsGraphQLInterface"); is {
				c.of[strings.TrimLeft(c.text(d.Recv.List[0].Type), "*")] = implemented
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				c.add(spec, d.Doc)
			}
		}
	}
	return c, nil
}

// add adds a type, a value of an enum or a document.
func (c *code) add(spec ast.Spec, doc *ast.CommentGroup) {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		c.types[s.Name.Name], c.docs[s.Name.Name] = s.Type, c.text(doc)
	case *ast.ValueSpec:
		name, value := s.Names[0].Name, c.text(s.Values[0])
		if operation, is := strings.CutSuffix(name, "_Operation"); is {
			c.documents[operation] = value
		} else if s.Type != nil {
			c.values[c.text(s.Type)] = append(c.values[c.text(s.Type)], field{Name: goName(name), JSON: value})
		}
	}
}

// text returns the source of a node.
func (c *code) text(node ast.Node) string {
	if group, is := node.(*ast.CommentGroup); is && group == nil {
		return ""
	}
	return string(c.source[node.Pos()-1 : node.End()-1])
}

var initialisms = regexp.MustCompile(`(Abi|Ens|Erc|Id|Nft|Nfts|Ohlcv|Uri|Url|X2y2)([A-Z0-9]|$)`)

// goName returns a name with upper-case initialisms.
func goName(name string) string {
	for before := ""; before != name; { // The end of a match may begin another.
		before = name
		name = initialisms.ReplaceAllStringFunc(name, func(match string) string {
			return strings.Replace(strings.ToUpper(match), "NFTS", "NFTs", 1)
		})
	}
	return name
}

// isRecord reports whether a type is public. The others belong to an operation.
func (c *code) isRecord(name string) bool {
	for operation := range c.documents {
		if strings.HasPrefix(name, operation+"Response") || strings.HasPrefix(name, operation+"Chain") {
			return false
		}
	}
	return c.types[name] != nil && ast.IsExported(name)
}

// Types returns the public types.
func (c *code) Types() []record {
	var all []record
	for _, name := range slices.Sorted(maps.Keys(c.types)) {
		if c.isRecord(name) {
			all = append(all, c.record(name))
		}
	}
	return all
}

func (c *code) record(name string) record {
	r := record{Kind: "struct", Name: goName(name), Doc: c.docs[name], Fields: c.fields(name, "")}
	switch c.types[name].(type) {
	case *ast.StructType:
		if isInput(name) {
			r.Kind = "input"
		}
	case *ast.Ident:
		r.Kind, r.Fields = "enum", c.values[name]
	case *ast.InterfaceType:
		r.Kind = "interface"
		r.Doc, _, _ = strings.Cut(r.Doc, "\n//\n// "+name+" is implemented by")
		for _, implementing := range c.implementing(name) {
			r.Types = append(r.Types, c.record(implementing))
		}
	}
	if r.Interface = goName(c.of[name]); r.Interface != "" {
		r.Typename = strings.TrimPrefix(name, c.of[name])
	}
	r.HoldsInterfaces = slices.ContainsFunc(r.Fields, func(f field) bool {
		return c.isInterface(strings.TrimLeft(f.Type, "[]"))
	})
	return r
}

// Unknown returns the record for the unknown types of an interface.
func (r record) Unknown() record {
	return record{Kind: "unknown", Name: r.Name + "Unknown", Fields: r.Fields, Interface: r.Name}
}

func isInput(name string) bool { return strings.HasSuffix(name, "Input") }

func (c *code) isInterface(name string) bool {
	_, is := c.types[name].(*ast.InterfaceType)
	return is
}

// implementing returns the implementations of an interface.
func (c *code) implementing(name string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(c.of)), func(t string) bool { return c.of[t] != name })
}

// fields returns the fields of a struct, with a prefix for the types of package graph. For an interface it returns the
// fields that all its types have or, if it belongs to an operation, the fields that any of them has.
func (c *code) fields(name, prefix string) []field {
	var all []field
	for _, implementing := range c.implementing(name) {
		all = append(all, c.fields(implementing, prefix)...)
	}
	for i := 0; i < len(all); i++ {
		others := slices.DeleteFunc(slices.Clone(all[i+1:]), func(f field) bool { return f.same(all[i]) })
		shared := len(all)-len(others)-i == len(c.implementing(name))
		all = append(all[:i+1], others...)
		if c.isRecord(name) && !shared {
			all = slices.Delete(all, i, i+1)
			i--
		}
	}
	t, is := c.types[name].(*ast.StructType)
	if !is {
		return all
	}
	for i, f := range t.Fields.List {
		made := field{Name: goName(f.Names[0].Name), JSON: jsonName(f), Type: c.goType(f.Type, prefix), of: f.Type}
		if f.Doc != nil {
			made.Doc = c.text(f.Doc)
		}
		switch {
		case made.JSON == "-": // genqlient decodes it separately, under another field.
			made.JSON = jsonName(c.types["__premarshal"+name].(*ast.StructType).Fields.List[i])
		case made.JSON == "__typename":
			made.Type = "string"
		case isInput(name) && strings.IndexAny(made.Type, "*[") == 0:
			made.JSON += ",omitzero"
		}
		all = append(all, made)
	}
	if c.isRecord(name) && !isInput(name) {
		all = append(all, field{Name: "Extra", JSON: "$extra,omitzero", Type: "scalar.Extra", Doc: extraDoc})
	}
	return all
}

const extraDoc = "// What came with the record and was not asked for, and what could not be read. It is kept if drift is " +
	"asked for."

// same reports whether the types have the same field.
func (f field) same(other field) bool {
	return f.Name == other.Name && f.JSON == other.JSON && f.Type == other.Type
}

func jsonName(f *ast.Field) string {
	tag, _ := strconv.Unquote(f.Tag.Value)
	return reflect.StructTag(tag).Get("json")
}
