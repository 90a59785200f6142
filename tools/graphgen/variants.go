package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// abstract is an interface of the schema.
type abstract struct {
	variants []variant
}

// variant is one of the types that implement an interface.
type variant struct{ typename, goType string }

// interfaces finds the interfaces and the types that implement them, in the functions that genqlient made to decode
// them.
func (s *source) interfaces() (map[string]*abstract, error) {
	found := map[string]*abstract{}
	for _, decl := range s.file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Recv != nil {
			continue
		}
		name, ok := strings.CutPrefix(f.Name.Name, "__unmarshal")
		if !ok {
			continue
		}
		result := &abstract{}
		ast.Inspect(f.Body, func(node ast.Node) bool {
			clause, ok := node.(*ast.CaseClause)
			if !ok || len(clause.List) != 1 || len(clause.Body) != 2 {
				return true
			}
			typename, err := strconv.Unquote(s.of(clause.List[0]))
			if err != nil {
				return true
			}
			made := clause.Body[0].(*ast.AssignStmt).Rhs[0].(*ast.CallExpr) // new(T)
			result.variants = append(result.variants, variant{typename, s.of(made.Args[0])})
			return true
		})
		if len(result.variants) == 0 {
			return nil, fmt.Errorf("no type implements the interface %s", name)
		}
		found[name] = result
	}
	return found, nil
}

// writeVariants writes the variants for unknown types, and the table by which interfaces are decoded.
func (s *source) writeVariants(out *bytes.Buffer, interfaces map[string]*abstract) error {
	names := slices.Sorted(maps.Keys(interfaces))
	for _, name := range names {
		if err := s.writeUnknown(out, name, interfaces[name]); err != nil {
			return err
		}
	}
	out.WriteString(`
// Variants tells the library's call path how to decode the interfaces of this package. Callers have no use for it.
var Variants = envelope.JoinVariants(
`)
	for _, name := range names {
		fmt.Fprintf(out, "envelope.VariantOf(func(typename string, raw func() []byte) %s {\nswitch typename {\n", name)
		for _, v := range interfaces[name].variants {
			fmt.Fprintf(out, "case %q:\nreturn new(%s)\n", v.typename, v.goType)
		}
		fmt.Fprintf(out, "}\nreturn &%sUnknown{Raw: bytes.Clone(raw())}\n}),\n", name)
	}
	out.WriteString(")\n")
	return nil
}

// writeUnknown writes the variant of an interface for types that are younger than the schema: with the fields that all
// of its types share.
func (s *source) writeUnknown(out *bytes.Buffer, name string, of *abstract) error {
	shared := s.getters(name)
	fmt.Fprintf(out, `
// %[1]sUnknown stands for the types of %[1]s that are younger than this version:
// what they share with the others, and the whole of their JSON.
type %[1]sUnknown struct {
`, name)
	example := of.variants[0].goType
	var methods bytes.Buffer
	for typeName, record := range s.structs {
		if typeName != example {
			continue
		}
		for _, field := range record.Fields.List {
			fieldName, fieldType := field.Names[0].Name, s.of(field.Type)
			if !slices.Contains(shared, "Get"+fieldName) {
				continue
			}
			fmt.Fprintf(out, "%s %s `json:%q`\n", fieldName, fieldType, jsonName(field))
			fmt.Fprintf(&methods, "\n// Get%[2]s returns %[1]sUnknown.%[2]s, and is useful for accessing the field via an interface.\n"+
				"func (v *%[1]sUnknown) Get%[2]s() %[3]s { return v.%[2]s }\n", name, fieldName, fieldType)
			shared = slices.DeleteFunc(shared, func(getter string) bool { return getter == "Get"+fieldName })
		}
	}
	if len(shared) > 0 {
		return fmt.Errorf("%s has no field for %s of %s", example, shared, name)
	}
	out.WriteString("// Raw is all of it, as the service sent it.\nRaw json.RawMessage `json:\"-\"`\n}\n")
	out.Write(methods.Bytes())
	fmt.Fprintf(out, "\nfunc (v *%[1]sUnknown) implementsGraphQLInterface%[1]s() {}\n", name)
	return nil
}

// getters returns the names of an interface's methods, except for the one that marks its types.
func (s *source) getters(name string) []string {
	var names []string
	ast.Inspect(s.file, func(node ast.Node) bool {
		spec, ok := node.(*ast.TypeSpec)
		if !ok || spec.Name.Name != name {
			return true
		}
		for _, method := range spec.Type.(*ast.InterfaceType).Methods.List {
			if strings.HasPrefix(method.Names[0].Name, "Get") {
				names = append(names, method.Names[0].Name)
			}
		}
		return false
	})
	return names
}

// writeOperations writes the table of operations.
func (s *source) writeOperations(out *bytes.Buffer) {
	const suffix = "_Operation"
	out.WriteString("\n// Operations are all operations of this package, in alphabetical order.\nvar Operations = []Operation{\n")
	for _, decl := range s.file.Decls {
		general, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		spec, ok := general.Specs[0].(*ast.ValueSpec)
		if !ok || !strings.HasSuffix(spec.Names[0].Name, suffix) {
			continue
		}
		constant := spec.Names[0].Name
		fmt.Fprintf(out, "{Name: %q, Document: %s},\n", strings.TrimSuffix(constant, suffix), constant)
	}
	out.WriteString("}\n")
}
