package acceptance

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// fileTables says of the OpenAPI files what the copy says of the contract, in the same words.
func fileTables() map[string]string {
	table := map[string]string{}
	envelopes := map[string]bool{} // Those that are said with the operations.
	operations(func(a *area, path, method string, op *openapi3.Operation) {
		line := method + " " + a.prefix + path
		table[line] = ordered(append(documented(op), marks(op.Extensions)...))
		for _, parameter := range slices.Concat(a.doc.Paths.Value(path).Parameters, op.Parameters) {
			addParameter(table, line, parameter.Value)
		}
		if op.RequestBody != nil {
			schema := op.RequestBody.Value.Content.Get("application/json").Schema
			table[part(line, optional("body", op.RequestBody.Value.Required))] = typeOf(schema)
		}
		for code, response := range op.Responses.Map() {
			if response.Ref == "" {
				table[part(line, code)] = ordered(append(contentOf(response.Value, envelopes), marks(response.Value.Extensions)...))
			}
		}
	})
	for _, a := range areas {
		for name, response := range a.doc.Components.Responses {
			words := append(contentOf(response.Value, nil), sortedKeys(response.Value.Headers)...)
			table[a.name+"/"+name] = ordered(append(words, marks(response.Value.Extensions)...))
		}
		for name, schema := range a.doc.Components.Schemas {
			if !envelopes[name] {
				addRecord(table, name, schema.Value)
			}
		}
	}
	return table
}

// documented lists the statuses of an operation that the contract documents.
func documented(op *openapi3.Operation) []string {
	if source(op.Extensions) != "contract" {
		return nil
	}
	var statuses []string
	for code, response := range op.Responses.Map() {
		if source(response.Value.Extensions) == "contract" && rankOf(response.Value.Extensions, "status") == "" {
			statuses = append(statuses, code)
		}
	}
	slices.Sort(statuses)
	return statuses
}

// addParameter adds a parameter, unless it is what path parameters are when nothing is said of them.
func addParameter(table map[string]string, line string, p *openapi3.Parameter) {
	said := ordered(append(describe(p.Schema), marks(p.Extensions)...))
	if p.In == "path" && said == ordered([]string{"string", "minLength=1", "minLength:assumed"}) {
		return
	}
	if method, err := p.SerializationMethod(); p.In == "query" && (err != nil || method.Style != "form" || !method.Explode) {
		said += " in a style of its own"
	}
	table[part(line, p.In+" "+optional(p.Name, p.Required))] = said
}

// contentOf says what the bodies of a response are. An envelope is said by its fields, and noted as such.
func contentOf(response *openapi3.Response, envelopes map[string]bool) []string {
	if len(response.Content) == 0 {
		return []string{"nothing"}
	}
	var words []string
	for _, media := range sortedKeys(response.Content) {
		schema := response.Content[media].Schema
		switch {
		case media == "text/plain":
			words = append(words, "text")
		case envelopes != nil && schema.Value.Extensions["x-envelope"] == true:
			envelopes[nameOf(schema)] = true
			words = append(words, envelopeOf(schema.Value)...)
		default:
			words = append(words, typeOf(schema))
		}
	}
	return words
}

func envelopeOf(schema *openapi3.Schema) []string {
	var fields []string
	for _, name := range sortedKeys(schema.Properties) {
		field := optional(name, slices.Contains(schema.Required, name))
		if property := typeOf(schema.Properties[name]); name != "error" || property != "string|null" {
			field += ": " + property
		}
		if field != "error" {
			fields = append(fields, field)
		}
	}
	words := strings.Fields(strings.Join(fields, ", "))
	for _, mark := range marks(schema.Extensions) {
		if !strings.Contains(mark, ":") {
			mark = "envelope:" + mark
		}
		words = append(words, mark)
	}
	return words
}

// addRecord adds a schema that has a name, and its fields.
func addRecord(table map[string]string, name string, schema *openapi3.Schema) {
	said := describe(&openapi3.SchemaRef{Value: schema})
	switch {
	case schema.Type.Is("object") && schema.Nullable:
		said[0] = "nullable"
	case schema.Type.Is("object"):
		said = said[1:]
	case len(schema.Enum) > 0:
		said[0] += ":"
		for _, value := range schema.Enum {
			said = append(said, fmt.Sprint(value))
		}
	}
	table[name] = ordered(said)
	for field, property := range schema.Properties {
		table[part(name, optional(field, slices.Contains(schema.Required, field)))] = ordered(describe(property))
	}
}

// describe gives the type of a schema, its limits and the ranks of it all. What a reference refers to is described
// elsewhere.
func describe(ref *openapi3.SchemaRef) []string {
	words := []string{typeOf(ref)}
	if ref.Ref != "" {
		return append(words, marks(ref.Extensions)...)
	}
	encoded, err := ref.Value.MarshalJSON()
	if err != nil {
		panic(err)
	}
	var keywords map[string]any
	if err := json.Unmarshal(encoded, &keywords); err != nil {
		panic(err)
	}
	for keyword, value := range keywords {
		_, isSchema := value.(map[string]any)
		if !slices.Contains(said, keyword) && !strings.HasPrefix(keyword, "x-") && !isSchema {
			words = append(words, fmt.Sprintf("%s=%v", keyword, value))
		}
	}
	return append(words, marks(ref.Value.Extensions)...)
}

// said are keywords that the type says, and those that say nothing about a value.
var said = []string{"type", "format", "nullable", "required", "enum", "oneOf", "description", "example"}

// typeOf is the type of a schema: the name of what it refers to, or the type with its format.
func typeOf(ref *openapi3.SchemaRef) string {
	if ref.Ref != "" {
		return nameOf(ref)
	}
	schema, is := ref.Value, "any"
	switch {
	case len(schema.OneOf) > 0:
		var names []string
		for _, one := range schema.OneOf {
			names = append(names, typeOf(one))
		}
		is = strings.Join(names, "|")
	case schema.Type.Is("array"):
		is = "[" + typeOf(schema.Items) + "]"
	case schema.AdditionalProperties.Schema != nil:
		is = "{" + typeOf(schema.AdditionalProperties.Schema) + "}"
	case schema.Type != nil:
		is = strings.Join(schema.Type.Slice(), "|")
	}
	if schema.Format != "" && schema.Format != "int64" { // A width of Go's, about which the contract says nothing.
		is += "/" + schema.Format
	}
	if schema.Nullable {
		is += "|null"
	}
	return is
}

func nameOf(ref *openapi3.SchemaRef) string { return ref.Ref[strings.LastIndex(ref.Ref, "/")+1:] }

func optional(name string, required bool) string {
	if required {
		return name
	}
	return name + "?"
}

// marks gives the ranks of a thing and of its parts. A description needs none.
func marks(extensions map[string]any) []string {
	var words []string
	if rank := source(extensions); rank != "contract" {
		words = append(words, rank)
	}
	parts, _ := extensions["x-source-of"].(map[string]any)
	for name, rank := range parts {
		if name != "description" {
			words = append(words, fmt.Sprintf("%s:%v", name, rank))
		}
	}
	return words
}

func rankOf(extensions map[string]any, part string) string {
	parts, _ := extensions["x-source-of"].(map[string]any)
	rank, _ := parts[part].(string)
	return rank
}
