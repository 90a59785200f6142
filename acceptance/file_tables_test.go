package acceptance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// fileTables says of the OpenAPI files what the copy says of the contract, in the same words.
func fileTables(areas []*area) map[string]string {
	table := map[string]string{}
	for _, a := range areas {
		envelopes := map[string]bool{} // Those that are said with the operations.
		for path, item := range a.doc.Paths.Map() {
			for method, op := range item.Operations() {
				line := method + " " + a.prefix + path
				table[line] = ordered(append(documented(op), marks(op.Extensions)...))
				for _, parameter := range slices.Concat(item.Parameters, op.Parameters) {
					addParameter(table, line, parameter.Value)
				}
				addBodies(table, line, op, envelopes)
			}
		}
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

// addBodies adds the body of an operation's request, and those of the responses that it does not share with others.
func addBodies(table map[string]string, line string, op *openapi3.Operation, envelopes map[string]bool) {
	if op.RequestBody != nil {
		schema := op.RequestBody.Value.Content.Get("application/json").Schema
		table[part(line, optional("body", op.RequestBody.Value.Required))] = typeOf(schema)
	}
	for code, response := range op.Responses.Map() {
		if response.Ref == "" {
			table[part(line, code)] = ordered(append(contentOf(response.Value, envelopes), marks(response.Value.Extensions)...))
		}
	}
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
	if _, twice := table[name]; twice {
		panic("two records are called " + name)
	}
	table[name] = ordered(said)
	for field, property := range schema.Properties {
		table[part(name, optional(field, slices.Contains(schema.Required, field)))] = ordered(describe(property))
	}
}
