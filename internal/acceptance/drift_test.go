package acceptance

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// TestDrift_namesMutatedPlace calls every method, except those with a caller's own query, and changes one place of
// the response so that it deviates from the contract. The drift handler must report that place and that kind of
// deviation, and nothing else.
func TestDrift_namesMutatedPlace(t *testing.T) {
	f, runs, kinds := startSampleAccount(t), &atomic.Int64{}, map[rpcfleet.DriftKind]*atomic.Int64{}
	for _, kind := range []rpcfleet.DriftKind{
		rpcfleet.DriftUnknownField, rpcfleet.DriftUnknownValue, rpcfleet.DriftUnknownStatus, rpcfleet.DriftMissing,
		rpcfleet.DriftNull, rpcfleet.DriftType, rpcfleet.DriftUnread,
	} {
		kinds[kind] = &atomic.Int64{}
	}
	connections := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1}}
	t.Cleanup(connections.CloseIdleConnections)
	upstream := validated(t, f.Emulator)
	schema := graphSchema(t)
	for _, q := range allQueries() {
		if ownQueries[q.method] {
			continue
		}
		s := &sample{query: q, sampleAccount: f, connections: connections, mutator: mutate(t, upstream), runs: runs}
		var err error
		s.want, err = s.ask(t)
		require.NoError(t, err, q.method)
		t.Run(q.method, func(t *testing.T) {
			t.Parallel()
			for i := range s.mutator.answers {
				s.index, s.response = i, s.mutator.answers[i]
				for j, m := range deviationsOf(t, schema, &s.response) {
					if race.Thin(i, j) {
						continue
					}
					runs.Add(1)
					kinds[m.kind].Add(1)
					s.reportsDeviation(t, m)
				}
			}
		})
	}
	t.Cleanup(func() {
		assert.GreaterOrEqual(t, runs.Load(), int64(200))
		for kind, n := range kinds {
			assert.NotZero(t, n.Load(), kind)
		}
		t.Logf("%d deviations", runs.Load())
	})
}

// reportsDeviation calls the method with a response that deviates.
func (s *sample) reportsDeviation(t *testing.T, m deviation) {
	t.Helper()
	what := fmt.Sprintf("%s at %q: %.500s", m.kind, m.pointer, m.body)
	s.mutator.say(s.index, mutated{status: m.status, body: m.body})
	var told []string
	client := s.plainClient(t, rpcfleet.WithBaseURL(s.mutator.URL), rpcfleet.WithHeader(mutatedHeader, s.mutator.URL),
		rpcfleet.WithHTTPClient(s.connections),
		rpcfleet.WithDriftHandler(func(_ context.Context, drift rpcfleet.Drift) {
			told = append(told, string(drift.Kind)+" "+drift.Pointer)
			assert.NotEmpty(t, drift.Operation)
			assert.NotEmpty(t, drift.Expected)
			assert.NotEmpty(t, drift.Found)
			assert.Equal(t, m.status, drift.StatusCode)
		}))
	result, err := s.call(call{t.Context(), client, s.sampleAccount})
	slices.Sort(told) // An iteration may report the same page twice.
	require.Equal(t, []string{string(m.kind) + " " + m.pointer}, slices.Compact(told), what)
	if m.kind != rpcfleet.DriftUnread || s.needs(m.pointer, true) != "" {
		return
	}
	if s.response.graph {
		s.unreadIsKept(t, m, result, err)
		return
	}
	require.NoError(t, err, what)
	s.complete(t, what, result)
	_, extras := takeExtras(result)
	var unread []string
	for _, extra := range extras {
		for _, path := range extra.Skipped() {
			assert.True(t, strings.HasSuffix(m.pointer, "/"+path), "%s: %s", what, path)
			unread = append(unread, path)
		}
	}
	switch {
	case len(unread) == 0 && singleField[s.method]:
	case strings.HasPrefix(m.pointer, "/pagination/"): // An unknown total of a page is reported.
	case len(extras) > 0:
		assert.Len(t, unread, 1, "%s: the record says so", what)
	}
}

// singleField contains the writes that recognize their record by a single field. If the response lacks the field, it
// contains no record, and the method returns the values of the request.
var singleField = map[string]bool{"Security.SetIPCustomHeader": true, "Tooling.Disable": true, "Tooling.Enable": true}

// ownQueries are the methods that send queries of the caller's.
var ownQueries = map[string]bool{"Graph.MakeRequest": true, "Graph.QueryConnection": true}

// unreadIsKept checks that the record of a response of the graph area reports the values that were left out of it. A
// page reports an unknown total, and an Ownership reports an unknown count.
func (s *sample) unreadIsKept(t *testing.T, m deviation, result any, err error) {
	t.Helper()
	require.NoError(t, err, m.pointer)
	_, extras := takeExtras(result)
	var unread []string
	for _, extra := range extras {
		for _, path := range extra.Skipped() {
			assert.True(t, strings.HasSuffix(m.pointer, "/"+path), "%s: %s", m.pointer, path)
			unread = append(unread, path)
		}
	}
	if !strings.HasSuffix(m.pointer, "/totalCount") && !strings.HasPrefix(s.method, "Graph.Ownership") {
		assert.Len(t, unread, 1, "%s: the record says so", m.pointer)
	}
}

// deviation is a response that deviates from the contract in one place.
type deviation struct {
	kind    rpcfleet.DriftKind
	pointer string
	status  int
	body    []byte
}

// deviations makes such copies of a response, by the OpenAPI file.
func deviations(t *testing.T, from *response) []deviation {
	t.Helper()
	op := operationOf(t, from.request)
	documented := op.Responses.Status(from.status)
	require.NotNil(t, documented, from.request)
	var made []deviation
	if from.status == http.StatusOK {
		made = append(made, deviation{rpcfleet.DriftUnknownStatus, "", 299, from.body})
	}
	content := documented.Value.Content.Get("application/json")
	if content == nil || len(from.body) == 0 {
		return made
	}
	m := &deviator{root: parse(t, from.body), status: from.status}
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

// deviator goes through a body and its schema, and makes a deviation of each place. Of items that look alike it
// takes the last.
type deviator struct {
	root   *node
	status int
	made   []deviation
}

func (m *deviator) deviate(kind rpcfleet.DriftKind, pointer string, body []byte) {
	m.made = append(m.made, deviation{kind, pointer, m.status, bytes.Clone(body)})
}

// inside makes them for the content of a value. A record is an object that does not wrap a payload.
func (m *deviator) inside(pointer string, n *node, schema *openapi3.Schema, inRecord bool) {
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
		m.deviate(rpcfleet.DriftUnknownField, pointer+"/x_unknown", m.root.render())
		*n = was
		for i := range n.children {
			name := m.name(n, i)
			member := place{pointer + "/" + name, n, i}
			if slices.Contains(schema.Required, name) {
				m.deviate(rpcfleet.DriftMissing, member.path, m.root.without(member))
			}
			if property := schema.Properties[name]; property != nil {
				identity := name == "id" || strings.HasSuffix(name, "_id")
				m.value(member, property.Value, schema.Extensions["x-envelope"] == nil && !isListing(schema), identity)
			}
		}
	}
}

func (m *deviator) name(n *node, i int) string {
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
func (m *deviator) value(at place, schema *openapi3.Schema, inRecord, identity bool) {
	n := at.parent.children[at.index]
	if schema.Type == nil && len(schema.OneOf) == 0 { // Anything goes.
		return
	}
	deviate := func(kind rpcfleet.DriftKind, literal string) { m.deviate(kind, at.path, m.root.with(at, literal)) }
	if !schema.Nullable {
		deviate(rpcfleet.DriftNull, "null")
	}
	unreadable := rpcfleet.DriftType
	if inRecord && !identity {
		unreadable = rpcfleet.DriftUnread
	}
	switch {
	case schema.Type.Is("string") && n.literal != "null":
		deviate(unreadable, `{"x":1}`)
		if schema.Format != "secret-url" && schema.Format != "byte" {
			deviate(rpcfleet.DriftType, "1700000000")
		}
		if schema.Enum != nil {
			deviate(rpcfleet.DriftUnknownValue, `"another"`)
		}
	case schema.Type.Is("integer") && n.literal != "null":
		if schema.Format != "loose-id" {
			deviate(unreadable, `"x"`)
		}
		deviate(rpcfleet.DriftType, strconv.Quote(n.literal))
		deviate(rpcfleet.DriftType, n.literal+".0")
	case schema.Type.Is("boolean"):
		deviate(unreadable, `"true"`)
	case schema.Type.Is("array") && at.path != "/data" || len(schema.OneOf) > 0 || schema.Type.Is("object"):
		deviate(unreadable, "true")
	}
	m.inside(at.path, n, schema, inRecord)
}
