package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// record is a named schema.
type record struct {
	ID, Name, Text, Source, Example string
	Type                            kind // Of one that has no fields.
	Limits                          []string
	Fields                          []*field
}

// field is a member of a record, a parameter or a body.
type field struct {
	Name, In, Text, Source string
	Required               bool
	Type                   kind
	Limits                 []string
}

// kind is a type in words, around the name of a record where there is one.
type kind struct{ Before, Name, Link, After string }

func (a *area) record(name string, schema *openapi3.Schema) *record {
	read := &record{ID: a.anchor(name), Name: name, Text: schema.Description, Source: source(schema.Extensions)}
	if schema.Example != nil {
		text, _ := json.MarshalIndent(schema.Example, "", "  ") // It came out of JSON or YAML.
		read.Example = string(text)
	}
	if len(schema.Properties) == 0 {
		read.Type, read.Limits = a.kind(&openapi3.SchemaRef{Value: schema}), limits(schema)
	}
	for _, member := range slices.Sorted(maps.Keys(schema.Properties)) {
		ref := schema.Properties[member]
		read.Fields = append(read.Fields, &field{
			Name: member, Required: slices.Contains(schema.Required, member), Text: ref.Value.Description,
			Type: a.kind(ref), Limits: limits(ref.Value), Source: source(ref.Value.Extensions),
		})
	}
	return read
}

func (a *area) kind(ref *openapi3.SchemaRef) kind {
	if ref == nil {
		return kind{}
	}
	schema := ref.Value
	switch {
	case ref.Ref != "":
		name := ref.Ref[strings.LastIndex(ref.Ref, "/")+1:]
		return kind{Name: name, Link: a.anchor(name)}
	case len(schema.AllOf) == 1:
		return a.kind(schema.AllOf[0])
	case len(schema.OneOf) > 0:
		var names []string
		for _, one := range schema.OneOf {
			inner := a.kind(one)
			names = append(names, inner.Before+inner.Name+inner.After)
		}
		return kind{Before: strings.Join(names, " or ")}
	case schema.Type.Is("array"):
		return around("list of ", a.kind(schema.Items), nullable(schema))
	case schema.AdditionalProperties.Schema != nil:
		return around("map of ", a.kind(schema.AdditionalProperties.Schema), nullable(schema))
	case schema.Type == nil:
		return kind{Before: "anything"}
	}
	is := strings.Join(schema.Type.Slice(), " or ")
	if schema.Format != "" {
		is += " (" + schema.Format + ")"
	}
	return kind{Before: is + nullable(schema)}
}

func around(before string, inner kind, after string) kind {
	inner.Before, inner.After = before+inner.Before, inner.After+after
	return inner
}

func nullable(schema *openapi3.Schema) string {
	if schema.Nullable {
		return " or null"
	}
	return ""
}

// limits are the rules of a value, in words.
func limits(schema *openapi3.Schema) []string {
	var rules []string
	add := func(format string, values ...any) { rules = append(rules, fmt.Sprintf(format, values...)) }
	if len(schema.Enum) > 0 {
		add("one of %s", strings.Trim(fmt.Sprintf("%q", schema.Enum), "[]"))
	}
	if schema.Min != nil {
		add("at least %v", *schema.Min)
	}
	if schema.Max != nil {
		add("at most %v", *schema.Max)
	}
	if schema.MinLength > 0 {
		add("length at least %d", schema.MinLength)
	}
	if schema.MaxLength != nil {
		add("length at most %d", *schema.MaxLength)
	}
	if schema.MinItems > 0 {
		add("at least %d items", schema.MinItems)
	}
	if schema.MaxItems != nil {
		add("at most %d items", *schema.MaxItems)
	}
	if schema.Pattern != "" {
		add("pattern %s", schema.Pattern)
	}
	if schema.Default != nil {
		add("default %v", schema.Default)
	}
	return rules
}
