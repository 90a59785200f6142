package acceptance

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

// straying is a response that strays from the contract in one place.
type straying struct {
	kind    rpcfleet.DriftKind
	pointer string
	status  int
	body    []byte
}

// strayed makes such responses of one that does not, by the OpenAPI file.
func strayed(t *testing.T, from *response) []straying {
	t.Helper()
	op := operationOf(t, from.request)
	documented := op.Responses.Status(from.status)
	require.NotNil(t, documented, from.request)
	var made []straying
	if from.status == http.StatusOK {
		made = append(made, straying{rpcfleet.DriftUnknownStatus, "", 299, from.body})
	}
	content := documented.Value.Content.Get("application/json")
	if content == nil || len(from.body) == 0 {
		return made
	}
	m := &strayer{root: parse(t, from.body), status: from.status}
	m.inside("", m.root, content.Schema.Value, false)
	return append(made, m.made...)
}

func operationOf(t *testing.T, request string) *openapi3.Operation {
	t.Helper()
	method, address, _ := strings.Cut(request, " ")
	r := must(http.NewRequestWithContext(t.Context(), method, address, nil))(t)
	area, path := areaOf(r.URL.Path)
	r.URL.Path, r.URL.RawPath = path, ""
	route, _, err := area.router.FindRoute(r)
	require.NoError(t, err)
	return route.Operation
}

// strayer goes through a body and its schema, and makes responses that stray in each place. Of items that look alike it
// takes the last.
type strayer struct {
	root   *node
	status int
	made   []straying
}

func (m *strayer) stray(kind rpcfleet.DriftKind, pointer string, body []byte) {
	m.made = append(m.made, straying{kind, pointer, m.status, bytes.Clone(body)})
}

// inside makes them for the content of a value. A record is an object that does not wrap a payload.
func (m *strayer) inside(pointer string, n *node, schema *openapi3.Schema, inRecord bool) {
	switch {
	case n.kind == '[' && schema.Items != nil && !schema.Items.Value.Type.Is("number"):
		if last := len(n.children) - 1; last >= 0 {
			m.value(place{pointer + "/" + strconv.Itoa(last), n, last}, schema.Items.Value, inRecord, false)
		}
	case n.kind == '{' && schema.AdditionalProperties.Schema != nil:
		for i := range n.children {
			m.value(place{pointer + "/" + m.name(n, i), n, i}, schema.AdditionalProperties.Schema.Value, inRecord, false)
		}
	case n.kind == '{':
		was := *n
		n.names, n.children = append(slices.Clone(n.names), `"x_unknown"`),
			append(slices.Clone(n.children), &node{literal: "{}"})
		m.stray(rpcfleet.DriftUnknownField, pointer+"/x_unknown", m.root.render())
		*n = was
		for i := range n.children {
			name := m.name(n, i)
			member := place{pointer + "/" + name, n, i}
			if slices.Contains(schema.Required, name) {
				m.stray(rpcfleet.DriftMissing, member.path, m.root.without(member))
			}
			if property := schema.Properties[name]; property != nil {
				identity := name == "id" || strings.HasSuffix(name, "_id")
				m.value(member, property.Value, schema.Extensions["x-envelope"] == nil && !isListing(schema), identity)
			}
		}
	}
}

func (m *strayer) name(n *node, i int) string {
	name, _ := strconv.Unquote(n.names[i])
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// isListing reports whether there is nothing in an object but a list of records.
func isListing(schema *openapi3.Schema) bool {
	for _, property := range schema.Properties {
		items := property.Value.Items
		return len(schema.Properties) == 1 && items != nil && len(items.Value.Properties) > 0
	}
	return false
}

// value makes them for a value and its content.
func (m *strayer) value(at place, schema *openapi3.Schema, inRecord, identity bool) {
	n := at.parent.children[at.index]
	if schema.Type == nil && len(schema.OneOf) == 0 { // Anything goes.
		return
	}
	stray := func(kind rpcfleet.DriftKind, literal string) { m.stray(kind, at.path, m.root.with(at, literal)) }
	if !schema.Nullable {
		stray(rpcfleet.DriftNull, "null")
	}
	unreadable := rpcfleet.DriftType
	if inRecord && !identity {
		unreadable = rpcfleet.DriftUnread
	}
	switch {
	case schema.Type.Is("string") && n.literal != "null":
		stray(unreadable, `{"x":1}`)
		if schema.Format != "secret-url" && schema.Format != "byte" {
			stray(rpcfleet.DriftType, "1700000000")
		}
		if schema.Enum != nil {
			stray(rpcfleet.DriftUnknownValue, `"another"`)
		}
	case schema.Type.Is("integer") && n.literal != "null":
		if schema.Format != "loose-id" {
			stray(unreadable, `"x"`)
		}
		stray(rpcfleet.DriftType, strconv.Quote(n.literal))
		stray(rpcfleet.DriftType, n.literal+".0")
	case schema.Type.Is("boolean"):
		stray(unreadable, `"true"`)
	case schema.Type.Is("array") && at.path != "/data" || len(schema.OneOf) > 0 || schema.Type.Is("object"):
		stray(unreadable, "true")
	}
	m.inside(at.path, n, schema, inRecord)
}
