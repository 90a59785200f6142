package contract

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
)

// TestGraphResponses_agreeWithSchema compares the shapes of the graph area, which are derived from Go types, with the
// schema and the queries.
func TestGraphResponses_agreeWithSchema(t *testing.T) {
	schema, err := gqlparser.LoadSchema(&ast.Source{Name: "schema.graphql", Input: graph.Schema})
	require.NoError(t, err)
	for i, response := range graphResponses() {
		document, problems := gqlparser.LoadQuery(schema, graphql.Queries[i].Document(graph.ChainEthereum))
		require.Empty(t, problems)
		query := document.Operations[0]
		require.Equal(t, query.Name, response.operation)
		schemaCheck{t, schema}.object(query.Name, response.body, schema.Query, query.SelectionSet)
	}
}

// schemaCheck compares shapes with a schema.
type schemaCheck struct {
	*testing.T
	schema *ast.Schema
}

// object compares the fields of an object, for each type that it may have. A record is what a fragment is spread into;
// of a record, and of a page, a value can be left out.
func (c schemaCheck) object(at string, shape *Shape, def *ast.Definition, set ast.SelectionSet) {
	var names []string
	for _, possible := range c.schema.GetPossibleTypes(def) {
		names = append(names, possible.Name)
	}
	for _, name := range names {
		asked := c.fields(set, c.schema.Types[name])
		_, page := asked["pageInfo"]
		record := slices.ContainsFunc(set, func(s ast.Selection) bool { _, is := s.(*ast.FragmentSpread); return is })
		assert.Equal(c, !record && !page, shape.Envelope, "%s: the envelope", at)
		assert.Len(c, shape.of(name), len(asked), "%s: the fields of %s", at, name)
		for _, field := range shape.of(name) {
			inside := at + "/" + field.Name
			require.Contains(c, asked, field.Name, inside)
			assert.True(c, field.Required, inside)
			if field.Name == "__typename" {
				assert.Subset(c, field.Shape.Enum, names, inside)
				assert.True(c, field.Shape.Identity, inside)
				continue
			}
			c.value(inside, field.Shape, asked[field.Name], asked[field.Name].Definition.Type)
		}
	}
}

// fields are the requested fields of an object of a type, by their names in the response.
func (c schemaCheck) fields(set ast.SelectionSet, def *ast.Definition) map[string]*ast.Field {
	asked := map[string]*ast.Field{}
	add := func(inner ast.SelectionSet, of string) {
		if slices.Contains(c.schema.GetPossibleTypes(c.schema.Types[of]), def) {
			maps.Copy(asked, c.fields(inner, def))
		}
	}
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			asked[s.Alias] = s
		case *ast.InlineFragment:
			add(s.SelectionSet, s.TypeCondition)
		case *ast.FragmentSpread:
			add(s.Definition.SelectionSet, s.Definition.TypeCondition)
		}
	}
	return asked
}

// leaves are the scalars of the schema: their kinds, and values of other kinds that are read, and that are not.
var leaves = map[string]struct{ kinds, read, unread string }{
	"String": {`"`, "7", "{}"}, "ID": {`"`, "7", "{}"}, "DateTime": {`"`, "1700000000", "{}"},
	"Int": {"0", "7.0", `"x"`}, "BigInt": {`0"`, "7.0", `"x"`}, "Float": {"0", `"7"`, "{}"}, "Boolean": {"t", "true", `"true"`},
}

// value compares a value and its content.
func (c schemaCheck) value(at string, shape *Shape, field *ast.Field, of *ast.Type) {
	def := c.schema.Types[of.Name()]
	if def.Name == "JSON" {
		assert.Nil(c, shape, at)
		assert.Equal(c, "any value", shape.String(), at)
		return
	}
	assert.Equal(c, !of.NonNull, shape.Nullable, "%s: null", at)
	if leaf, is := leaves[def.Name]; is && of.Elem == nil {
		assert.Equal(c, leaf.kinds, shape.Kinds, at)
		assert.Equal(c, def.Name == "Int" || def.Name == "BigInt", shape.Integer, at)
		assert.True(c, shape.Reads([]byte(leaf.read)), "%s reads %s", at, leaf.read)
		assert.False(c, shape.Reads([]byte(leaf.unread)), "%s reads %s", at, leaf.unread)
		identity := []string{"address", "contractAddress", "collectionAddress", "cursor", "hash", "tokenId", "transactionHash"}
		assert.Equal(c, of.NonNull && slices.Contains(identity, field.Alias), shape.Identity, "%s: the identity", at)
		return
	}
	switch {
	case of.Elem != nil:
		assert.Equal(c, "[", shape.Kinds, at)
		c.value(at+"/*", shape.Items, field, of.Elem)
	case def.Kind == ast.Enum:
		assert.Equal(c, `"`, shape.Kinds, at)
		assert.Len(c, shape.Enum, len(def.EnumValues), at)
		assert.False(c, shape.Reads([]byte("{}")), at)
	default:
		assert.Equal(c, "{", shape.Kinds, at)
		if def.Name != "JSONObject" {
			c.object(at, shape, def, field.SelectionSet)
		}
	}
}
