package main

import (
	"cmp"
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
	source    []byte
	Package   string // The qualifier of the public types in the generated file.
	types     map[string]ast.Expr
	docs      map[string]string // For types and operations.
	values    map[string][]field
	of        map[string]string // Maps a type to the interface that it implements.
	documents map[string]string // Maps operations to their documents, as Go literals.
}

// record is a public type.
type record struct {
	Kind, Name, Doc     string
	Fields              []field  // Or the values, if it is an enum.
	Interface, Typename string   // The interface that a struct implements, as a type of the schema.
	Types               []record // The implementations of an interface.
	HoldsInterfaces     bool     // The struct has a field that encoding/json cannot decode.
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
	Wallet              bool // The query is about a wallet that is one of the variables.
	Response            string
	Found, At           string   // The type of the query's result and its path, or empty if it has several results.
	Outer               []string // The pointers on that path.
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
	var doc *ast.CommentGroup
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			doc = n.Doc
		case *ast.FuncDecl:
			if n.Recv == nil {
				c.docs[n.Name.Name] = c.text(n.Doc)
			} else if implemented, is := strings.CutPrefix(n.Name.Name, "implementsGraphQLInterface"); is {
				c.of[strings.TrimLeft(c.text(n.Recv.List[0].Type), "*")] = implemented
			}
			return false
		case *ast.TypeSpec:
			c.types[n.Name.Name], c.docs[n.Name.Name] = n.Type, c.text(doc)
		case *ast.ValueSpec:
			name, value := n.Names[0].Name, c.text(n.Values[0])
			if operation, is := strings.CutSuffix(name, "_Operation"); is {
				c.documents[operation] = value
			} else if n.Type != nil {
				c.values[c.text(n.Type)] = append(c.values[c.text(n.Type)], field{Name: goName(name), JSON: value})
			}
		}
		return true
	})
	return c, nil
}

// text returns the source of a node, or "" for a comment that is not there.
func (c *code) text(node ast.Node) string {
	if group, is := node.(*ast.CommentGroup); is && group == nil {
		return ""
	}
	return string(c.source[node.Pos()-1 : node.End()-1])
}

var initialisms = regexp.MustCompile(`(Abi|Ens|Erc|Id|Nfts?|Ohlcv|Uri|Url|X2y2)([A-Z0-9]|$)`)

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
func (c *code) Types() (all []record) {
	for _, name := range slices.Sorted(maps.Keys(c.types)) {
		if c.isRecord(name) {
			all = append(all, c.record(name))
		}
	}
	return all
}

func (c *code) record(name string) record {
	r := record{Kind: "struct", Name: goName(name), Doc: c.docs[name], Fields: c.fields(name)}
	switch c.types[name].(type) {
	case *ast.Ident:
		r.Kind, r.Fields = "enum", c.values[name]
	case *ast.InterfaceType:
		r.Kind = "interface"
		r.Doc, _, _ = strings.Cut(r.Doc, "\n//\n// "+name+" is implemented by")
		for _, implementing := range c.implementing(name) {
			r.Types = append(r.Types, c.record(implementing))
		}
	}
	if isInput(name) {
		r.Kind = "input"
	}
	r.Interface, r.Typename = goName(c.of[name]), strings.TrimPrefix(name, c.of[name])
	r.HoldsInterfaces = slices.ContainsFunc(r.Fields, func(f field) bool {
		return len(c.implementing(strings.TrimPrefix(strings.TrimLeft(f.Type, "[]"), c.Package))) > 0
	})
	return r
}

// Unknown returns the record for the unknown types of an interface.
func (r record) Unknown() record {
	return record{Kind: "unknown", Name: r.Name + "Unknown", Fields: r.Fields, Interface: r.Name}
}

func isInput(name string) bool { return strings.HasSuffix(name, "Input") }

// implementing returns the implementations of an interface.
func (c *code) implementing(name string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(c.of)), func(t string) bool { return c.of[t] != name })
}

// having returns the types that have a field, as names of the schema, which follow the interface's prefix.
func (c *code) having(f field, interfaceName string) (names []string) {
	for _, name := range c.implementing(interfaceName) {
		common := 0
		for common < len(interfaceName) && interfaceName[common] == name[common] {
			common++
		}
		if slices.ContainsFunc(c.fields(name), f.same) {
			names = append(names, name[common:])
		}
	}
	return names
}

// fields returns the fields of a struct. For an interface it returns the fields that all its types have or, if it
// belongs to an operation, the fields that any of them has.
func (c *code) fields(name string) (all []field) {
	types := c.implementing(name)
	for _, implementing := range types {
		for _, f := range c.fields(implementing) {
			if !slices.ContainsFunc(all, f.same) && (!c.isRecord(name) || len(c.having(f, name)) == len(types)) {
				all = append(all, f)
			}
		}
	}
	t, is := c.types[name].(*ast.StructType)
	if !is {
		return all
	}
	tagged, is := c.types["__premarshal"+name].(*ast.StructType)
	if !is { // Otherwise genqlient decodes some fields separately.
		tagged = t
	}
	for i, f := range t.Fields.List {
		tag, _ := strconv.Unquote(tagged.Fields.List[i].Tag.Value)
		json := reflect.StructTag(tag).Get("json")
		made := field{goName(f.Names[0].Name), json, c.goType(f.Type), c.text(f.Doc), f.Type}
		if json == "__typename" {
			made.Type = "string"
		} else if isInput(name) && strings.IndexAny(made.Type, "*[") == 0 {
			made.JSON += ",omitzero"
		}
		all = append(all, made)
	}
	if c.isRecord(name) && !isInput(name) {
		all = append(all, field{Name: "Extra", JSON: "$extra,omitzero", Type: "scalar.Extra", Doc: "// What came with the " +
			"record and was not asked for, and what could not be read. It is kept if drift is asked for."})
	}
	return all
}

// same reports whether the types have the same field.
func (f field) same(other field) bool {
	return f.Name == other.Name && f.JSON == other.JSON && f.Type == other.Type
}

// goType returns the Go type for a type. Interfaces have no pointer, and an implementation becomes its interface: the
// service may send another implementation. Types of an operation are written inline, and a connection becomes a List.
func (c *code) goType(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		inner := c.goType(t.X)
		if len(c.implementing(strings.TrimPrefix(inner, c.Package))) > 0 || strings.HasPrefix(inner, "*") {
			return inner
		}
		return "*" + inner
	case *ast.ArrayType:
		return "[]" + c.goType(t.Elt)
	case *ast.Ident:
		if c.isRecord(t.Name) {
			return c.Package + goName(cmp.Or(c.of[t.Name], t.Name))
		} else if c.types[t.Name] != nil {
			return c.structType(t.Name)
		}
	}
	return c.text(t)
}

// structType returns a struct of an operation, written inline.
func (c *code) structType(name string) string {
	text, types := "struct {\n", len(c.implementing(name))
	for _, f := range c.fields(name) {
		if f.Name == "Edges" {
			node := c.fields(c.text(f.of.(*ast.ArrayType).Elt))[1]
			return "*List[" + node.Type + "]"
		}
		tag, having := `json:"`+f.JSON+`"`, c.having(f, name)
		if len(having) < types {
			tag += ` of:"` + strings.Join(having, " ") + `"`
		} else if f.Name == "Typename" && types > 0 {
			tag += ` types:"` + strings.Join(having, " ") + `"`
		}
		if _, required := f.of.(*ast.Ident); required && strings.HasPrefix(f.Type, "*List[") {
			tag += ` null:"no"`
		}
		text += f.Name + " " + f.Type + " `" + tag + "`\n"
	}
	return text + "}"
}

// Operations returns the queries.
func (c *code) Operations() (all []operation) {
	for _, name := range slices.Sorted(maps.Keys(c.documents)) {
		o := operation{Name: name, Document: c.documents[name], Response: c.structType(name + "Response")}
		o.Doc, o.Contract = strings.CutSuffix(c.docs[name], " Source: contract.")
		o.Paged = strings.Contains(o.Response, "*List[")
		for _, f := range c.fields("__" + name + "Input") {
			if !slices.Contains([]string{"First", "After", "Last", "Before"}, f.Name) {
				o.Variables = append(o.Variables, f)
			}
			o.Wallet = o.Wallet || f.Name == "Wallet"
		}
		all = append(all, c.withResult(o))
	}
	return all
}

// withResult adds the path of the query's result.
func (c *code) withResult(o operation) operation {
	for name, at := o.Name+"Response", "r"; ; {
		fields := slices.DeleteFunc(c.fields(name), func(f field) bool { return f.JSON == "__typename" })
		if len(fields) != 1 {
			return o
		}
		at += "." + fields[0].Name
		if !strings.Contains(fields[0].Type, "struct {") {
			o.Found, o.At = fields[0].Type, at
			return o
		}
		if strings.HasPrefix(fields[0].Type, "*") {
			o.Outer = append(o.Outer, at)
		}
		name = strings.TrimPrefix(c.text(fields[0].of), "*")
	}
}
