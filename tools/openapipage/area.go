package main

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// area is what a file describes.
type area struct {
	Title, Version, Text, Server string
	Tags                         []*tag
	Records                      []*record
}

// tag is a group of operations.
type tag struct {
	ID, Name, Text string
	Operations     []*operation
}

type operation struct {
	ID, Name, Summary, Text string
	Method, Path, Source    string
	Deprecated              bool
	Parameters              []*field
	Body                    *field
	Responses               []*response
}

type response struct {
	Status, Text, Source string
	Type                 kind
}

func readArea(file string) (*area, error) {
	doc, err := openapi3.NewLoader().LoadFromFile(file)
	if err != nil {
		return nil, err
	}
	a := &area{Title: doc.Info.Title, Version: doc.Info.Version, Text: doc.Info.Description}
	for _, server := range doc.Servers {
		a.Server = server.URL
	}
	groups := map[string]*tag{}
	for _, described := range doc.Tags {
		groups[described.Name] = &tag{ID: a.anchor(described.Name), Name: described.Name, Text: described.Description}
		a.Tags = append(a.Tags, groups[described.Name])
	}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			group := groups[op.Tags[0]]
			group.Operations = append(group.Operations, a.operation(method, path, item, op))
		}
	}
	for _, group := range a.Tags {
		slices.SortFunc(group.Operations, func(x, y *operation) int {
			return cmp.Or(cmp.Compare(x.Path, y.Path), cmp.Compare(x.Method, y.Method))
		})
	}
	for _, name := range slices.Sorted(maps.Keys(doc.Components.Schemas)) {
		a.Records = append(a.Records, a.record(name, doc.Components.Schemas[name].Value))
	}
	return a, nil
}

func (a *area) operation(method, path string, item *openapi3.PathItem, op *openapi3.Operation) *operation {
	read := &operation{
		ID: a.anchor(op.OperationID), Name: op.OperationID, Summary: op.Summary, Text: op.Description,
		Method: method, Path: path, Source: source(op.Extensions), Deprecated: op.Deprecated,
	}
	for _, ref := range slices.Concat(item.Parameters, op.Parameters) {
		p := ref.Value
		read.Parameters = append(read.Parameters, &field{
			Name: p.Name, In: p.In, Required: p.Required, Text: p.Description,
			Type: a.kind(p.Schema), Limits: limits(p.Schema.Value), Source: source(p.Extensions),
		})
	}
	if op.RequestBody != nil {
		body := op.RequestBody.Value
		read.Body = &field{Required: body.Required, Text: body.Description, Type: a.content(body.Content)}
	}
	statuses := op.Responses.Map()
	for _, status := range slices.Sorted(maps.Keys(statuses)) {
		got := statuses[status].Value
		text := ""
		if got.Description != nil {
			text = *got.Description
		}
		read.Responses = append(read.Responses, &response{
			Status: status, Text: text, Source: source(got.Extensions), Type: a.content(got.Content),
		})
	}
	return read
}

// content is the type of a body: of JSON where there is one, else of the first by name.
func (a *area) content(content openapi3.Content) kind {
	if media := content["application/json"]; media != nil {
		return a.kind(media.Schema)
	}
	for _, name := range slices.Sorted(maps.Keys(content)) {
		return a.kind(content[name].Schema)
	}
	return kind{}
}

// anchor is the place of a name on the page.
func (a *area) anchor(name string) string { return strings.ToLower(a.Title) + "-" + name }

// source is the rank of a statement, or nothing where the contract makes it.
func source(extensions map[string]any) string {
	rank, _ := extensions["x-source"].(string)
	return rank
}
