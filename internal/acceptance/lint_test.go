package acceptance

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// TestOpenAPIFilesAreValid lets the validator judge the files, examples included.
func TestOpenAPIFilesAreValid(t *testing.T) {
	race.Skip(t)
	for _, a := range areas {
		doc, err := read(a.file)
		require.NoError(t, err, a.file)
		require.NoError(t, doc.Validate(context.Background()), a.file)
		assert.Equal(t, "3.0.3", doc.OpenAPI)
	}
}

// TestEveryOperationSaysWhatTheClientNeeds checks the marks on operations, and that the generated table repeats them.
func TestEveryOperationSaysWhatTheClientNeeds(t *testing.T) {
	ranks := []string{"contract", "observed", "assumed"}
	operations(func(a *area, path, method string, op *openapi3.Operation) {
		name := method + " " + path
		i := slices.IndexFunc(a.table, func(row rpcfleet.Operation) bool { return row.ID == op.OperationID })
		if !assert.GreaterOrEqual(t, i, 0, "%s is not in the generated table", name) {
			return
		}
		row := a.table[i]
		assert.Equal(t, path, row.Path)
		assert.Equal(t, method, row.Method)
		assert.Equal(t, source(op.Extensions), row.Source, name)
		assert.Contains(t, ranks, row.Source, name)
		assert.Equal(t, op.Extensions["x-idempotent"], row.Idempotent, name)
		assert.Equal(t, op.Extensions["x-paging"], row.Paging, name)
		assert.Equal(t, op.Extensions["x-response"], row.Response, name)
		assert.Equal(t, op.Deprecated, row.Deprecated, name)
		assert.Len(t, op.Tags, 1, name)
		assert.NotEmpty(t, op.Summary, name)
		assert.NotNil(t, op.Responses.Value("401"), name)
		if method == http.MethodGet {
			assert.True(t, row.Idempotent, name)
		}
		for _, response := range op.Responses.Map() {
			assert.Contains(t, ranks, source(response.Value.Extensions), name)
		}
	})
	for _, a := range areas {
		n := 0
		for _, item := range a.doc.Paths.Map() {
			n += len(item.Operations())
		}
		assert.Len(t, a.table, n, a.name)
	}
}

// TestNoAnonymousObjects checks that every object of the files has its own name, which becomes the name of a Go type.
func TestNoAnonymousObjects(t *testing.T) {
	var visit func(where string, ref *openapi3.SchemaRef, named bool)
	visit = func(where string, ref *openapi3.SchemaRef, named bool) {
		if ref == nil || ref.Ref != "" && !named {
			return
		}
		schema := ref.Value
		if schema.Type.Is("object") && schema.AdditionalProperties.Schema == nil {
			assert.True(t, named, "%s is an anonymous object", where)
		}
		for name, property := range schema.Properties {
			visit(where+"."+name, property, false)
		}
		visit(where+"[]", schema.Items, false)
		visit(where+"{}", schema.AdditionalProperties.Schema, false)
	}
	for _, a := range areas {
		for name, ref := range a.doc.Components.Schemas {
			visit(name, ref, true)
			assert.NotEmpty(t, ref.Value.Description, "%s has no description", name)
		}
	}
	operations(func(_ *area, path, method string, op *openapi3.Operation) {
		if op.RequestBody != nil {
			visit(method+" "+path, op.RequestBody.Value.Content.Get("application/json").Schema, false)
		}
		for code, response := range op.Responses.Map() {
			for _, media := range response.Value.Content {
				visit(fmt.Sprintf("%s %s %s", method, path, code), media.Schema, false)
			}
		}
	})
}
