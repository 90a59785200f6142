package acceptance

import (
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

// area is one OpenAPI file and everything that belongs to it.
type area struct {
	name   string
	file   string
	prefix string // The path that the area's server address ends with.
	table  []rpcfleet.Operation
	doc    *openapi3.T
	router routers.Router
}

var areas = []*area{
	load(&area{name: "admin", file: "../../openapi/admin.yaml"}),
	load(&area{name: "alerts", file: "../../openapi/alerts.yaml", prefix: "/alerts/rest/v1"}),
	load(&area{name: "webhooks", file: "../../openapi/webhooks.yaml", prefix: "/webhooks/rest/v1"}),
	load(&area{name: "keyvalue", file: "../../openapi/keyvalue.yaml", prefix: "/kv/rest/v1"}),
	load(&area{name: "streams", file: "../../openapi/streams.yaml", prefix: "/streams/rest/v1"}),
}

// formats of our own steer the Go types; to a validator they are plain text.
func init() {
	for _, format := range []string{"secret", "secret-url", "decimal", "loose-id"} {
		openapi3.DefineStringFormatValidator(format, openapi3.NewCallbackValidator(func(string) error { return nil }))
	}
}

// read reads a file. A schema without a type accepts null as well as anything else. Linters refuse an explicit null
// there, but the validator needs it.
func read(file string) (*openapi3.T, error) {
	doc, err := openapi3.NewLoader().LoadFromFile(file)
	if err != nil {
		return nil, err
	}
	for _, record := range doc.Components.Schemas {
		record.Value.Nullable = record.Value.Nullable || isAnything(record.Value)
		for _, property := range record.Value.Properties {
			property.Value.Nullable = property.Value.Nullable || isAnything(property.Value)
		}
	}
	return doc, nil
}

func isAnything(schema *openapi3.Schema) bool {
	if len(schema.AllOf) == 1 {
		schema = schema.AllOf[0].Value
	}
	return schema.Type == nil && len(schema.OneOf) == 0 && len(schema.AllOf) == 0
}

func load(a *area) *area {
	doc, err := read(a.file)
	if err != nil {
		panic(err)
	}
	doc.Servers = nil // Requests are matched by their paths, wherever the server listens.
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		panic(err)
	}
	a.doc, a.router = doc, router
	for _, op := range rpcfleet.Operations() {
		if op.Area == a.name {
			a.table = append(a.table, op)
		}
	}
	return a
}

// areaOf returns the area that a path belongs to, and the path inside it.
func areaOf(path string) (*area, string) {
	for _, a := range areas {
		if a.prefix != "" && strings.HasPrefix(path, a.prefix+"/") {
			return a, strings.TrimPrefix(path, a.prefix)
		}
	}
	if strings.HasPrefix(path, "/v0/") || path == "/exporter/prometheus" {
		return areas[0], path
	}
	return nil, ""
}

// routeOf finds the operation of a request and its path parameters. The area is nil outside the OpenAPI files.
func routeOf(r *http.Request) (*area, *routers.Route, map[string]string, error) {
	area, path := areaOf(r.URL.Path)
	if area == nil {
		return nil, nil, nil, nil
	}
	inside := r.Clone(r.Context())
	inside.URL.Path, inside.URL.RawPath = path, ""
	route, parameters, err := area.router.FindRoute(inside)
	return area, route, parameters, err
}

// operations calls f for every operation of every area.
func operations(f func(a *area, path, method string, op *openapi3.Operation)) {
	for _, a := range areas {
		for path, item := range a.doc.Paths.Map() {
			for method, op := range item.Operations() {
				f(a, path, method, op)
			}
		}
	}
}

// source returns the rank of a thing: if it has no mark, it is from the contract.
func source(extensions map[string]any) string {
	if rank, ok := extensions["x-source"].(string); ok {
		return rank
	}
	return "contract"
}

// checkNullable demands more of the emulator than the OpenAPI files: if a field of a record may be null, it is present
// as null and not left out. So a stricter contract that demands the field accepts the emulator as well. Envelopes are
// not records: some were observed without their error.
func checkNullable(t testing.TB, name string, op *openapi3.Operation, status int, body []byte) {
	t.Helper()
	if status >= http.StatusMultipleChoices || len(body) == 0 {
		return
	}
	defined := op.Responses.Value(strconv.Itoa(status))
	if defined == nil || defined.Value.Content["application/json"] == nil {
		return
	}
	var value any
	if err := json.Unmarshal(body, &value); !assert.NoError(t, err, name) {
		return
	}
	for _, place := range leftOut(defined.Value.Content["application/json"].Schema.Value, value, "") {
		assert.Fail(t, "a nullable field is left out", "%s: %s", name, place)
	}
}

// leftOut lists the nullable fields that a value does not have.
func leftOut(schema *openapi3.Schema, value any, at string) []string {
	var missing []string
	switch value := value.(type) {
	case []any:
		if schema.Items != nil {
			for i, item := range value {
				missing = append(missing, leftOut(schema.Items.Value, item, fmt.Sprintf("%s[%d]", at, i))...)
			}
		}
	case map[string]any:
		for _, part := range schema.AllOf {
			missing = append(missing, leftOut(part.Value, value, at)...)
		}
		for name, property := range schema.Properties {
			member, there := value[name]
			if !there && property.Value.Nullable && !isAnything(property.Value) && schema.Extensions["x-envelope"] == nil {
				missing = append(missing, at+"."+name)
			}
			missing = append(missing, leftOut(property.Value, member, at+"."+name)...)
		}
		if more := schema.AdditionalProperties.Schema; more != nil {
			for name, member := range value {
				missing = append(missing, leftOut(more.Value, member, at+"."+name)...)
			}
		}
	}
	return missing
}

// TestValidation_leavesUnruledArgumentsToService sends arguments that the contract does not forbid. Some of them the
// service takes, and some it does not.
func TestValidation_leavesUnruledArgumentsToService(t *testing.T) {
	b, ctx := start(t), t.Context()
	id := b.CreateEndpoints(1)[0]
	now := time.Now()
	limit := must(b.RateLimits.CreateMethodLimit(ctx, id, admin.CreateMethodRateLimitRequest{
		Interval: admin.RateLimitIntervalDay, Methods: []string{"eth_call"}, Rate: 5,
	}))(t)
	unchanged := must(b.RateLimits.UpdateMethodLimit(ctx, id, limit.ID, admin.UpdateMethodRateLimitRequest{}))(t)
	assert.Equal(t, limit, unchanged)
	for _, change := range []admin.UpdateMethodRateLimitRequest{{Rate: new(0)}, {Methods: []string{}}} {
		require.ErrorIs(t, second(b.RateLimits.UpdateMethodLimit(ctx, id, limit.ID, change)), rpcfleet.ErrInvalidRequest)
	}

	options := must(b.Security.SetOptions(ctx, id, nil))(t)
	assert.NotEmpty(t, options, "all of them, as they were")
	require.ErrorIs(t, second(b.Endpoints.BulkSetStatus(ctx, []string{}, admin.EndpointStatusPaused)),
		rpcfleet.ErrInvalidRequest)

	require.NoError(t, second(b.Usage.Total(ctx, admin.GetUsageParams{StartTime: now, EndTime: now})))
	page := must(b.Logs.List(ctx, id, admin.ListLogsParams{From: now, To: now}))(t)
	assert.Empty(t, page.Items)
}

// TestWithResponse_capturesEveryPage iterates, page by page and item by item, and finds the raw response that each item
// came in.
func TestWithResponse_capturesEveryPage(t *testing.T) {
	f, ctx := startSampleAccount(t), t.Context()
	var raw rpcfleet.Response
	capture := rpcfleet.WithResponse(&raw)
	captured(t, &raw, f.Endpoints.All(ctx, f.tagged(), capture), 4)
	captured(t, &raw, f.Endpoints.Pages(ctx, f.tagged(), capture), 4)
	captured(t, &raw, f.Logs.All(ctx, f.id, f.logRange(), capture), 3)
	captured(t, &raw, f.Destinations.All(ctx, alerts.ListDestinationsParams{}, capture), 1)
	captured(t, &raw, f.Notifications.AllEvents(ctx, f.notification, alerts.ListNotificationEventsParams{}, capture), 1)
	captured(t, &raw, f.Graph.Collections(f.chain, graph.CollectionsFilterInput{}, capture, two).All(ctx), 3)
}

// captured iterates, and counts the responses.
func captured[T any](t *testing.T, raw *rpcfleet.Response, items iter.Seq2[T, error], pages int) {
	t.Helper()
	bodies := map[string]bool{}
	for _, err := range items {
		require.NoError(t, err)
		require.True(t, json.Valid(raw.Body()))
		bodies[string(raw.Body())] = true
	}
	assert.Len(t, bodies, pages)
}
