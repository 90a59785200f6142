package main

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// code contains genqlient's code without its functions.
type code struct {
	source     []byte
	Package    string // The qualifier of the public types in the generated file.
	types      map[string]*record
	operations []operation
}

// record is a type.
type record struct {
	Kind, Name, Doc     string
	Fields, Values      []field
	Interface, Typename string    // The interface that a struct implements, as a type of the schema.
	Types               []*record // The implementations of an interface.
	HoldsInterfaces     bool      // The struct has a field that encoding/json cannot decode.
	of                  ast.Expr  // The type in genqlient's code.
}

// field is a field of a struct.
type field struct {
	Name, JSON, Type, Doc string
	Read                  string   // The statement that reads it into a struct r.
	Shared                bool     // The field is explained at the interface.
	of                    ast.Expr // The type in genqlient's code.
	having                []string // The types of the schema that have the field, if it is an interface's.
}

// operation is a query.
type operation struct {
	Name, Doc, Document string
	Source, Params      string // Of the lines "Source: ..." and "Params: ..." at the end of the comment.
	Method              string // The method of the service, or empty if it is written by hand.
	Variables           []field
	Paged               bool
	Wallet              bool     // The query is about a wallet that is one of the variables.
	Path                []string // The names that lead to the result in the data of a response.
	Result, Read        string   // The type of the result, and the statement that reads it.
	Single, ReadSingle  string   // The field with a single record, which some types have in place of a list.
	OnTypes             []string // The types that have the result, if not all types of its object do.
	Nullable            bool     // A null is a result, such as an empty list, if its object exists.
}

var (
	// implementing matches the type for a name of the schema, in the functions that decode interfaces.
	implementing = regexp.MustCompile(`case "(\w+)":\s+\*v = new\((\w+)\)`)
	// private matches the types that are not public: variables, responses and their parts.
	private = regexp.MustCompile(`^__|ChainEVMSchemaType|Response$`)

	words       = regexp.MustCompile(`X2y2|[A-Z][a-z]+`)
	initialisms = map[string]string{"Abi": "ABI", "Ens": "ENS", "Erc": "ERC", "Id": "ID", "Nft": "NFT", "Nfts": "NFTs",
		"Ohlcv": "OHLCV", "Uri": "URI", "Url": "URL", "X2y2": "X2Y2"}
)

// parse parses generated code.
func parse(source []byte) (*code, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	c := &code{source: source, types: map[string]*record{}}
	var doc, value string // The latest ones: a query's document is before its function.
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			doc = c.text(n.Doc)
		case *ast.TypeSpec:
			r := c.record(n.Name.Name)
			if r.of = n.Type; strings.HasSuffix(r.Name, "Input") {
				r.Kind = "input"
			}
			r.Doc, _, _ = strings.Cut(doc, "\n//\n// "+n.Name.Name+" is implemented by")
			r.Doc = plain(r.Doc)
		case *ast.ValueSpec:
			value = c.text(n.Values[0])
			if document, is := strings.CutPrefix(value, "`"); is { // A document needs no lines.
				value = "`" + strings.Join(strings.Fields(strings.TrimSuffix(document, "`")), " ") + "`"
			}
			if enum, is := n.Type.(*ast.Ident); is {
				r := c.record(enum.Name)
				r.Kind = "enum"
				r.Values = append(r.Values, field{Name: goName(n.Names[0].Name), JSON: value, Doc: plain(c.text(n.Doc))})
			}
		case *ast.FuncDecl:
			if n.Recv == nil && n.Name.IsExported() {
				c.operations = append(c.operations, operation{Name: n.Name.Name, Doc: c.text(n.Doc), Document: value})
			}
			for _, match := range implementing.FindAllStringSubmatch(c.text(n), -1) {
				of, r := c.record(strings.TrimPrefix(n.Name.Name, "__unmarshal")), c.record(match[2])
				of.Kind, of.Types = "interface", append(of.Types, r)
				r.Interface, r.Typename = of.Name, match[1]
			}
			return false
		}
		return true
	})
	return c, nil
}

// record returns the type of a name, which may be needed before its declaration.
func (c *code) record(name string) *record {
	name = goName(name)
	c.types[name] = cmp.Or(c.types[name], &record{Kind: "struct", Name: name})
	return c.types[name]
}

// text returns the source of a node, or "" for a comment that is not there.
func (c *code) text(node ast.Node) string {
	if node == (*ast.CommentGroup)(nil) {
		return ""
	}
	return string(c.source[node.Pos()-1 : node.End()-1])
}

// goName returns a name with upper-case initialisms.
func goName(name string) string {
	return words.ReplaceAllStringFunc(name, func(word string) string { return cmp.Or(initialisms[word], word) })
}

// Types returns the public types. An interface has the fields that all its types have.
func (c *code) Types() (all []*record) {
	for _, name := range slices.DeleteFunc(slices.Sorted(maps.Keys(c.types)), private.MatchString) {
		r := c.types[name]
		r.Fields = slices.DeleteFunc(c.fields(name), func(f field) bool { return len(f.having) < len(r.Types) })
		if r.Interface != "" {
			shared := c.fields(r.Interface)
			for i, f := range r.Fields {
				at := slices.IndexFunc(shared, func(s field) bool { return s.Name == f.Name && s.Type == f.Type })
				r.Fields[i].Shared = len(shared[at].having) == len(c.types[r.Interface].Types)
			}
		}
		r.HoldsInterfaces = slices.ContainsFunc(r.Fields, func(f field) bool {
			return c.isInterface(strings.TrimLeft(f.Type, "[]"))
		})
		all = append(all, r)
	}
	return all
}

// Unknown returns the record for the unknown types of an interface.
func (r record) Unknown() record {
	fields := slices.Clone(r.Fields)
	for i := range fields {
		fields[i].Shared = true
	}
	return record{Kind: "unknown", Name: r.Name + "Unknown", Fields: fields, Interface: r.Name}
}

// isInterface reports whether a Go type is an interface.
func (c *code) isInterface(t string) bool {
	return cmp.Or(c.types[strings.TrimPrefix(t, c.Package)], &record{}).Types != nil
}

// fields returns the fields of a struct, or the fields that any implementation of an interface has.
func (c *code) fields(name string) (all []field) {
	r := c.record(name)
	for _, implementing := range r.Types {
		for _, f := range c.fields(implementing.Name) {
			at := slices.IndexFunc(all, func(known field) bool { return known.Name == f.Name && known.Type == f.Type })
			if at < 0 {
				at, all = len(all), append(all, f)
			}
			all[at].having = append(all[at].having, implementing.Typename)
		}
	}
	t, is := r.of.(*ast.StructType)
	if !is {
		return all
	}
	// The fields that genqlient decodes separately have their names in another struct.
	tagged := cmp.Or(c.types["__premarshal"+name], r).of.(*ast.StructType)
	for i, f := range t.Fields.List {
		made := field{Name: goName(f.Names[0].Name), Type: c.goType(f.Type), Doc: plain(c.text(f.Doc)), of: f.Type}
		made.JSON = strings.Split(tagged.Fields.List[i].Tag.Value, `"`)[1]
		if made.JSON == "__typename" {
			made.Type, made.Doc = "string", "The name of the type in the schema, such as "+r.Typename+"."
		} else if r.Kind == "input" && strings.IndexAny(made.Type, "*[") == 0 {
			made.JSON += ",omitzero"
		}
		made.Read = c.read(made.Type, "&r."+made.Name)
		all = append(all, made)
	}
	return all
}

// goType returns the Go type for a type. Interfaces have no pointer, and an implementation becomes its interface: the
// service may send another implementation. A connection becomes a List, and any other type of an operation is "".
func (c *code) goType(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		inner := c.goType(t.X)
		if inner == "" || c.isInterface(inner) || strings.HasPrefix(inner, "*") {
			return inner
		}
		return "*" + inner
	case *ast.ArrayType:
		return "[]" + c.goType(t.Elt)
	case *ast.Ident:
		if r := c.types[goName(t.Name)]; r != nil && private.MatchString(r.Name) {
			return c.listType(r)
		} else if r != nil {
			return c.Package + cmp.Or(r.Interface, r.Name)
		}
	}
	return c.text(t)
}

// listType returns the List for a connection, or "".
func (c *code) listType(r *record) string {
	for _, f := range c.fields(r.Name) {
		if f.Name == "Edges" {
			node := c.fields(c.text(f.of.(*ast.ArrayType).Elt))[1]
			return "*List[" + node.Type + "]"
		}
	}
	return ""
}
