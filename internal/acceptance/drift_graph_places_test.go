package acceptance

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

// graphDeviations makes copies of a response that deviate in one place, by the schema and the query that was sent.
func graphDeviations(t *testing.T, schema *ast.Schema, from *response) []deviation {
	t.Helper()
	var sent struct{ Query string }
	require.NoError(t, json.Unmarshal(from.sent, &sent))
	query, problems := gqlparser.LoadQuery(schema, sent.Query)
	require.Empty(t, problems)
	m := &graphDeviator{schema: schema}
	m.root, m.status = parse(t, from.body), from.status
	m.deviate(rpcfleet.DriftUnknownStatus, "", from.body)
	m.made[0].status = 299
	m.around()
	require.Equal(t, []string{`"data"`}, m.root.names)
	m.object("/data", m.root.children[0], schema.Query, query.Operations[0].SelectionSet, false)
	return m.made
}

// graphDeviator goes through the data of a response and the query that asked for it.
type graphDeviator struct {
	deviator

	schema *ast.Schema
}

// around makes the deviations around the data.
func (m *graphDeviator) around() {
	was := *m.root
	for name, kind := range map[string]rpcfleet.DriftKind{
		"x_unknown": rpcfleet.DriftUnknownField, "extensions": rpcfleet.DriftType, "errors": rpcfleet.DriftNull,
	} {
		literal, pointer := "7", "/"+name
		if name == "errors" {
			literal, pointer = `[{"message":null}]`, "/errors/0/message"
		}
		m.root.names, m.root.children = append(slices.Clone(was.names), strconv.Quote(name)),
			append(slices.Clone(was.children), &node{literal: literal})
		m.deviate(kind, pointer, m.root.render())
		*m.root = was
	}
	m.deviate(rpcfleet.DriftMissing, "/data", []byte(`{}`))
	m.deviate(rpcfleet.DriftNull, "/data", []byte(`{"data":null}`))
}

// object makes them for an object and its content. A record is the object that a fragment is spread into.
func (m *graphDeviator) object(pointer string, n *node, def *ast.Definition, set ast.SelectionSet, record bool) {
	was := *n
	n.names, n.children = append(slices.Clone(n.names), `"x_unknown"`),
		append(slices.Clone(n.children), &node{literal: "{}"})
	m.deviate(rpcfleet.DriftUnknownField, pointer+"/x_unknown", m.root.render())
	*n = was
	if i := slices.Index(n.names, `"__typename"`); i >= 0 {
		name, _ := strconv.Unquote(n.children[i].literal)
		def = m.schema.Types[name]
	}
	asked := m.fields(set, def)
	page := slices.Contains(n.names, `"pageInfo"`)
	for i := range n.children {
		name := m.name(n, i)
		at := place{pointer + "/" + name, n, i}
		m.deviate(rpcfleet.DriftMissing, at.path, m.root.without(at))
		field := asked[name]
		if name == "__typename" {
			m.deviate(rpcfleet.DriftUnknownValue, at.path, m.root.with(at, `"Another"`))
			m.deviate(rpcfleet.DriftType, at.path, m.root.with(at, `{"x":1}`))
			continue
		}
		m.value(at, field, field.Definition.Type, record || page)
	}
}

// fields are the requested fields of an object of a type, by their names in the response.
func (m *graphDeviator) fields(set ast.SelectionSet, def *ast.Definition) map[string]*ast.Field {
	asked := map[string]*ast.Field{}
	add := func(inner ast.SelectionSet, of string) {
		if on := m.schema.Types[of]; slices.Contains(m.schema.GetPossibleTypes(on), def) {
			for name, field := range m.fields(inner, def) {
				asked[name] = field
			}
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

// graphIdentities are the fields without which a record is useless, if the schema promises them.
var graphIdentities = []string{"address", "contractAddress", "collectionAddress", "cursor", "hash", "tokenId",
	"transactionHash"}

// value makes them for a value and its content. Of the items of a list it takes the last.
func (m *graphDeviator) value(at place, field *ast.Field, of *ast.Type, inRecord bool) {
	n, def := at.parent.children[at.index], m.schema.Types[of.Name()]
	if def.Name == "JSON" {
		return
	}
	deviate := func(kind rpcfleet.DriftKind, literal string) { m.deviate(kind, at.path, m.root.with(at, literal)) }
	if of.NonNull {
		deviate(rpcfleet.DriftNull, "null")
	}
	if n.literal == "null" {
		return
	}
	unreadable := rpcfleet.DriftType
	if inRecord && field.Alias != "edges" && field.Alias != "pageInfo" &&
		(!of.NonNull || !slices.Contains(graphIdentities, field.Alias)) {
		unreadable = rpcfleet.DriftUnread
	}
	switch {
	case of.Elem != nil:
		deviate(unreadable, "true")
		if last := len(n.children) - 1; last >= 0 {
			m.value(place{at.path + "/" + strconv.Itoa(last), n, last}, field, of.Elem, inRecord)
		}
	case len(field.SelectionSet) > 0:
		deviate(unreadable, "true")
		record := slices.ContainsFunc(field.SelectionSet,
			func(s ast.Selection) bool { _, is := s.(*ast.FragmentSpread); return is })
		m.object(at.path, n, def, field.SelectionSet, record)
	case def.Name == "JSONObject":
		deviate(rpcfleet.DriftType, "[7]")
	case def.Kind == ast.Enum:
		deviate(rpcfleet.DriftUnknownValue, `"ANOTHER"`)
		deviate(unreadable, "{}")
	case def.Name == "Boolean":
		deviate(unreadable, `"true"`)
	default:
		deviate(unreadable, `{"x":1}`)
		switch def.Name {
		case "String", "ID", "DateTime":
			deviate(rpcfleet.DriftType, "1700000000")
		case "BigInt", "Int":
			deviate(unreadable, `"x"`)
			deviate(rpcfleet.DriftType, strings.Trim(n.literal, `"`)+".0")
		case "Float":
			deviate(rpcfleet.DriftType, strconv.Quote(n.literal))
		}
	}
}

// graphSchema is the service's own.
func graphSchema(t *testing.T) *ast.Schema {
	t.Helper()
	return must(gqlparser.LoadSchema(&ast.Source{Name: "schema.graphql", Input: graph.Schema}))(t)
}

// deviationsOf makes the deviations of a response of any area.
func deviationsOf(t *testing.T, schema *ast.Schema, from *response) []deviation {
	t.Helper()
	if from.graph && from.status == http.StatusOK {
		return graphDeviations(t, schema, from)
	}
	return deviations(t, from)
}
