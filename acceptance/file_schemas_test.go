package acceptance

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

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
var said = []string{"type", "format", "nullable", "required", "enum", "oneOf", "allOf", "description", "example"}

// typeOf is the type of a schema: the name of what it refers to, or the type with its format. An allOf of one is a
// reference with something beside it.
func typeOf(ref *openapi3.SchemaRef) string {
	if ref.Ref != "" {
		return nameOf(ref)
	}
	schema, is := ref.Value, "any"
	switch {
	case len(schema.AllOf) == 1:
		return typeOf(schema.AllOf[0])
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
	if schema.Nullable || isAnything(schema) {
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
