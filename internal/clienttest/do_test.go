package clienttest

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// ask is a request for Do.
type ask = rpcfleet.Request

// made is an operation that this version does not know.
var made = ask{Method: "GET", Path: "/v0/endpoints/{id}/notes/{note_id}",
	PathParams: map[string]string{"id": "ep1", "note_id": "a/b"}}

type note struct {
	ID   int    `json:"id"`
	Text string `json:"text"`
}

func TestDo_sendsAnyRequest(t *testing.T) {
	client, server := scripted(t, ok(`{"data":{"id":7,"text":"x"},"error":null}`))
	request := made
	request.Method, request.Query = "POST", url.Values{"b": {"2", "1"}, "a": {"x&y"}}
	request.Body = map[string]any{"token": scalar.NewSecret("made-up-secret")}
	assert.Equal(t, note{7, "x"}, must(rpcfleet.Do[note](t.Context(), client, request))(t))
	sent := server.Requests()[0]
	assert.Equal(t, []string{"POST", "/v0/endpoints/ep1/notes/a%2Fb", "a=x%26y&b=2&b=1", testKey},
		[]string{sent.Method, sent.Path, sent.Query, sent.Header.Get("X-Api-Key")})
	assert.JSONEq(t, `{"token":"made-up-secret"}`, sent.Body)
}

func TestDo_readsAnyPayload(t *testing.T) {
	const one = `{"id":7,"text":"x"}`
	bare := made
	bare.NoEnvelope = true
	inAlerts := ask{Method: "GET", Path: "/notes", Area: "alerts"}
	listing := ask{Method: "GET", Path: "/v0/endpoints"}
	const listed = `{"data":[` + one + `],"pagination":{"total":9}}`
	backtest := ask{Method: "POST", Path: "/notifications/backtest", Area: "alerts"}
	disable := ask{Method: "POST", Path: "/notifications/{id}/disable",
		PathParams: map[string]string{"id": "n1"}, Area: "alerts"}
	write := ask{Method: "PATCH", Path: "/v0/notes"}
	options := ask{Method: "PATCH", Path: "/v0/endpoints/{id}/security_options",
		PathParams: map[string]string{"id": "ep1"}}
	for name, test := range map[string]struct {
		request ask
		body    string
		do      doing
		want    any
		kind    string
	}{
		"a record":               {made, `{"data":` + one + `}`, do[note], note{7, "x"}, "data"},
		"a list":                 {made, `{"data":[` + one + `]}`, do[[]note], []note{{7, "x"}}, "list"},
		"a table":                {made, `{"data":{"a":1}}`, do[map[string]int], map[string]int{"a": 1}, "data"},
		"JSON":                   {made, `{"data": {"a": [1]} }`, do[json.RawMessage], json.RawMessage(`{"a": [1]}`), "data"},
		"nothing":                {made, `{"data":"done"}`, do[struct{}], struct{}{}, "confirm"},
		"no body":                {made, ``, do[struct{}], struct{}{}, "confirm"},
		"a bare record":          {bare, one, do[note], note{7, "x"}, "record"},
		"a bare list":            {bare, `[` + one + `]`, do[[]note], []note{{7, "x"}}, "array"},
		"a bare no":              {bare, `false`, do[struct{}], struct{}{}, "empty"},
		"bare text":              {bare, `"done"`, do[struct{}], struct{}{}, "empty"},
		"a record of the alerts": {inAlerts, one, do[note], note{7, "x"}, "record"},
		"a known listing":        {listing, listed, do[[]note], []note{{7, "x"}}, "page"},
		"a record that is known": {backtest, `{}`, do[note], note{}, "record"},
		"a list, written":        {write, `{"data":[` + one + `]}`, do[[]note], []note{{7, "x"}}, "list"},
		"a known table, written": {options, `{"data":{"a":1}}`, do[map[string]int], map[string]int{"a": 1}, "data"},
		"a known list, written":  {options, `{"data":[` + one + `]}`, do[[]note], []note{{7, "x"}}, "maybe"},
		"a write that is known":  {disable, ``, do[struct{}], struct{}{}, "empty"},
	} {
		var kind string
		client, server := scriptedWith(t, with{
			onResult(func(op rpcfleet.Operation, _ rpcfleet.CallResult) { kind = op.Response })}, ok(test.body))
		assert.Equal(t, test.want, must(test.do(t.Context(), client, test.request))(t), name)
		assert.Equal(t, test.kind, kind, name)
		assert.Equal(t, test.request.Area == "alerts", strings.HasPrefix(server.Requests()[0].Path, "/alerts/rest/v1/not"))
	}
}

type doing func(context.Context, *rpcfleet.Client, ask) (any, error)

func do[T any](ctx context.Context, client *rpcfleet.Client, request ask) (any, error) {
	return rpcfleet.Do[T](ctx, client, request)
}

// TestDo_returnsTextAsItCame if a []byte or a string is asked for, but not a failure in JSON.
func TestDo_returnsTextAsItCame(t *testing.T) {
	const metrics = "\xef\xbb\xbf# TYPE calls counter\ncalls{network=\"a\"} 7\n\n"
	const text, inJSON = "text/plain; version=0.0.4; charset=utf-8", "application/json"
	write := ask{Method: "POST", Path: "/v0/notes"}
	known := ask{Method: "GET", Path: "/v0/endpoints"}
	for name, test := range map[string]struct {
		request           ask
		contentType, body string
		do                doing
		want              any
	}{
		"text":                      {made, text, metrics, do[string], metrics},
		"no text":                   {made, text, "", do[string], ""},
		"bytes that are no text":    {made, "application/octet-stream", "\x00\xff", do[[]byte], []byte("\x00\xff")},
		"text that looks like JSON": {made, text, `{"data":"a"}`, do[string], `{"data":"a"}`},
		"text of a write":           {write, text, metrics, do[string], metrics},
		"text of a known operation": {known, "text/csv", "id,chain\n", do[string], "id,chain\n"},
		"JSON":                      {made, inJSON, `{"data":"a"}`, do[string], `{"data":"a"}`},
		"JSON as text":              {made, text, `{"data":"a"}`, do[json.RawMessage], json.RawMessage(`"a"`)},
	} {
		client, server := scripted(t, respond(test.contentType, 200, test.body))
		assert.Equal(t, test.want, must(test.do(t.Context(), client, test.request))(t), name)
		accept := "*/*"
		if name == "JSON as text" {
			accept = inJSON
		}
		assert.Equal(t, []string{accept}, server.Headers("Accept"), name)
	}

	client, server := scripted(t, respond(text, 200, metrics))
	_, err := rpcfleet.Do[string](t.Context(), client, made, rpcfleet.WithHeader("Accept", "application/vnd.a+json"))
	require.NoError(t, err)
	assert.Equal(t, []string{"application/vnd.a+json"}, server.Headers("Accept"), "the caller's own stays")
	_, err = rpcfleet.Do[string](t.Context(), client, made, rpcfleet.WithMaxBodySize(int64(len(metrics)-1)))
	require.ErrorContains(t, err, "response too large: more than")
	server.Play(respond(text, 403, "no plan for "+testKey), respond(inJSON, 200, `{"data":"a","error":"no"}`))
	got, err := rpcfleet.Do[[]byte](t.Context(), client, made)
	require.ErrorIs(t, err, rpcfleet.ErrForbidden)
	assert.Nil(t, got)
	hides(t, err, testKey)
	require.ErrorIs(t, errOf(rpcfleet.Do[string](t.Context(), client, made)), rpcfleet.ErrRejected)
}

// TestPrometheus_otherBodyIsError reads bodies that Do returns and this method rejects.
func TestPrometheus_otherBodyIsError(t *testing.T) {
	for _, test := range []struct{ contentType, body, want string }{
		{"", "up 1\n", ""}, {"text/plain; version=0.0.4", "", ""},
		{"application/json", `{"data":null,"error":"no exporter"}`, `no exporter`},
		{"application/json", `{"data":null,"error":null}`, "unexpected content type: application/json"},
		{"application/octet-stream", "up 1\n", "unexpected content type: application/octet-stream"},
		{"text/html", "hello", "HTML"}, {"text/plain", " <html>", "HTML"},
	} {
		client, _ := scripted(t, respond(test.contentType, 200, test.body))
		got, err := client.Metrics.Prometheus(t.Context())
		if test.want == "" {
			assert.NoError(t, err)
			assert.Equal(t, test.body, string(got))
		} else {
			assert.Nil(t, got)
			assert.ErrorContains(t, err, test.want)
		}
	}
}

func TestDo_writeWithoutRecordIsError(t *testing.T) {
	ofID, ofFilter := map[string]string{"id": "7"}, map[string]string{"id": "7", "filter": "f"}
	client, server := scripted(t)
	var response rpcfleet.Response
	for _, request := range []ask{
		{Method: "PATCH", Path: "/v0/notes", Idempotent: true},
		{Method: "PATCH", Path: "/v0/endpoints/{id}", PathParams: ofID},
		{Method: "PATCH", Path: "/v0/endpoints/tags/{id}", PathParams: ofID},
		{Method: "PUT", Path: "/v0/endpoints/{id}/security/request_filters/{filter}", PathParams: ofFilter},
	} {
		for body, line := range emptyBodies {
			server.Play(line)
			_, err := rpcfleet.Do[note](t.Context(), client, request, rpcfleet.WithResponse(&response))
			require.ErrorIs(t, err, rpcfleet.ErrNoRecord, "%s: %s", request.Path, body)
			assert.True(t, response.NoRecord)
			_, err = rpcfleet.Do[struct{}](t.Context(), client, request, rpcfleet.WithResponse(&response))
			require.NoError(t, err, "%s: %s", request.Path, body)
			assert.False(t, response.NoRecord)
		}
		server.Play(ok(`{"data":null,"error":null}`))
		_, err := rpcfleet.Do[json.RawMessage](t.Context(), client, request)
		require.ErrorIs(t, err, rpcfleet.ErrNoRecord)
		require.NotErrorIs(t, err, rpcfleet.ErrNotFound, "a null says this of a read only")
		server.Play(ok(`{"data":null,"error":"no"}`))
		require.ErrorIs(t, errOf(rpcfleet.Do[note](t.Context(), client, request)), rpcfleet.ErrRejected)
		server.Play(ok(`{"data":{"id":0,"text":null}}`))
		require.ErrorIs(t, errOf(rpcfleet.Do[note](t.Context(), client, request)), rpcfleet.ErrNoRecord, "it is all zero")
	}
	server.Play(noContent)
	disable := ask{Method: "POST", Path: "/notifications/{id}/disable", PathParams: ofID, Area: "alerts"}
	require.ErrorContains(t, errOf(rpcfleet.Do[note](t.Context(), client, disable)), "no data in the response (POST")
}

// TestRecords_readFieldsWithTwoNames reads them with Do, as methods do: a domain and the ids of destinations.
func TestRecords_readFieldsWithTwoNames(t *testing.T) {
	const mask, notification = `{"domain_mask":"a.example.com"}`, `{"id":"n1","destinations":[{"id":"d1"}]}`
	const domain, ids = `"domain":"a.example.com"`, `"destinationIds":["d1"]`
	for _, test := range []struct {
		body, want string
		do         doing
	}{
		{`{"security":{"domain_masks":[` + mask + `]}}`, domain, do[*admin.Endpoint]},
		{mask, domain, do[admin.EndpointDomainMask]}, {notification, ids, do[*alerts.Notification]},
		{`[` + notification + `]`, ids, do[[]alerts.Notification]},
		{`{"destinationIds":["d1"],"destinations":[{"id":"d2"}]}`, ids, do[alerts.Notification]},
		{`{"domain":"a.example.com","domain_mask":"b"}`, domain, do[admin.EndpointDomainMask]},
	} {
		client, _ := scripted(t, ok(test.body))
		got := must(test.do(t.Context(), client, ask{Method: "GET", Path: "/v0/things", NoEnvelope: true}))(t)
		assert.Contains(t, string(must(json.Marshal(got))(t)), test.want)
	}
}

func TestDo_retriesIdempotentRequests(t *testing.T) {
	const notes = "/v0/notes"
	for _, test := range []struct {
		request  ask
		opts     opts
		attempts int
	}{
		{ask{Method: "GET", Path: notes}, nil, 4}, {ask{Method: "HEAD", Path: notes}, nil, 4},
		{ask{Method: "OPTIONS", Path: notes}, nil, 4}, {ask{Method: "POST", Path: notes}, nil, 1},
		{ask{Method: "PUT", Path: notes}, nil, 1}, {ask{Method: "DELETE", Path: notes}, nil, 1},
		{ask{Method: "POST", Path: notes, Idempotent: true}, nil, 4},
		{ask{Method: "PATCH", Path: "/v0/endpoints/{x}", PathParams: map[string]string{"x": "ep1"}}, nil, 4}, // It is known.
		{ask{Method: "POST", Path: "/v0/endpoints"}, nil, 1},
		{ask{Method: "POST", Path: "/v0/endpoints", Idempotent: true}, opts{rpcfleet.WithoutValidation()}, 4},
	} {
		client, server := scripted(t, respondJSON(503, ``))
		require.Error(t, errOf(rpcfleet.Do[struct{}](t.Context(), client, test.request, test.opts...)))
		assert.Len(t, server.Requests(), test.attempts, "%+v", test.request)
	}
	deleted := ask{Method: "DELETE", Path: "/v0/notes/{id}", PathParams: map[string]string{"id": "7"}, Idempotent: true}
	client, _ := scripted(t, hangUp, respondJSON(404, `{"error":"gone"}`))
	require.NoError(t, errOf(rpcfleet.Do[struct{}](t.Context(), client, deleted)), "the first attempt has deleted it")
}

func TestDo_namesTheOperation(t *testing.T) {
	anyID := map[string]string{"any": "ep1"}
	for want, request := range map[string]ask{
		"GET /v0/endpoints/{id}/notes/{note_id}": made,
		"getEndpoint":                            {Method: "GET", Path: "/v0/endpoints/{any}", PathParams: anyID},
		"GET /v0/endpoints/ep1":                  {Method: "GET", Path: "/v0/endpoints/ep1"},
		"listNotes":                              {Method: "GET", Path: "/v0/notes", Operation: "listNotes"},
		"peek":                                   {Method: "GET", Path: "/v0/endpoints", Operation: "peek"},
		" ~":                                     {Method: "PUT", Path: "/v0/~notes/", Operation: " ~", Area: "admin"},
	} {
		var seen rpcfleet.Operation
		client, _ := scriptedWith(t, with{onResult(func(op rpcfleet.Operation, _ rpcfleet.CallResult) { seen = op })},
			respondJSON(404, `{"error":"none"}`))
		_, err := rpcfleet.Do[json.RawMessage](t.Context(), client, request)
		failure := errorAs[*rpcfleet.Error](t, err)
		require.ErrorIs(t, err, rpcfleet.ErrNotFound)
		assert.Equal(t, []string{want, want, seen.Path}, []string{failure.Operation, seen.ID, failure.Path})
		assert.Equal(t, want != "getEndpoint" && want != "peek", seen.Source == "assumed")
		assert.Equal(t, want == "peek", seen.Paging == "offset")
		assert.NotEmpty(t, seen.Paging)
	}
}

func TestDo_sendsTheBearerToken(t *testing.T) {
	client, server := scriptedWith(t, with{rpcfleet.WithBearerToken("made-up-token")}, ok(`{}`))
	for _, test := range []struct {
		path        string
		asked, sent bool
	}{
		{"/v0/notes", false, false}, {"/v0/notes", true, true}, {"/v0/teams", false, true},
		{"/v0/chains", false, false}, {"/v0/chains", true, true},
	} {
		request := ask{Method: "GET", Path: test.path, Bearer: test.asked}
		require.NoError(t, errOf(rpcfleet.Do[struct{}](t.Context(), client, request)))
		assert.Equal(t, map[bool]string{true: "Bearer made-up-token"}[test.sent], server.last().Header.Get("Authorization"))
	}
}

// TestDo_refusesRequests that are not valid, or not the request that they look like, with any options.
func TestDo_refusesRequests(t *testing.T) {
	client, server := scripted(t, ok(`{"data":{}}`))
	const notes = "/v0/notes"
	get := func(path string) ask { return ask{Method: "GET", Path: path} }
	method := func(method string) ask { return ask{Method: method, Path: notes} }
	named := func(name string) ask { return ask{Method: "GET", Path: notes, Operation: name} }
	with := func(path, id string) ask {
		return ask{Method: "GET", Path: path, PathParams: map[string]string{"id": id}}
	}
	const endpoint = "/v0/endpoints/{id}"
	var escaped []ask
	for _, path := range []string{
		"", "v0/notes", "https://elsewhere.example/v0", "//elsewhere.example/v0", "/", "/v0//notes", "/v0/%2e%2e/admin",
		"/v0/a%2fb", `/v0/..\admin`, "/v0/..;x/admin", "/v0/notes?x=y", "/v0/notes#x", "/v0/notes\r\nX-Y: z", "/v0/nötes",
		"/v0/{}", "/v0/{id", "/v0/a-{id}", "/v0/{a/b}",
	} {
		escaped = append(escaped, get(path))
	}
	for _, test := range []struct {
		field, rule string
		requests    []ask
	}{
		{"Method", "one of GET, HEAD, OPTIONS", []ask{
			method(""), method("get"), method("GET /v0/chains"), method("CONNECT"), method("TRACE")}},
		{"T", "HEAD", []ask{method("HEAD")}},
		{"Area", "alerts", []ask{{Method: "GET", Path: notes, Area: "graph"}}},
		{"Operation", "printable", []ask{named("a\nb"), named("a\x1fb"), named("a\x7fb")}},
		{"Body", "RawMessage", []ask{{Method: "POST", Path: notes, Body: []byte(`{}`)}}},
		{"request", "cannot be built", []ask{{Method: "POST", Path: notes, Body: make(chan int)}}},
		{"Path", "escaping", escaped},
		{"Path", "dot", []ask{get("/v0/../admin"), get("/v0/./notes"), get("/v0/..")}},
		{"PathParams", "parameters", []ask{with("/v0/notes", "1"),
			{Method: "GET", Path: "/v0/{ids}", PathParams: map[string]string{"id": "1", "ids": "2"}}}},
		{"id", "required", []ask{get("/v0/notes/{id}")}},
		{"id", "empty", []ask{with(endpoint, "")}},
		{"id", "dot", []ask{with(endpoint, "."), with(endpoint, "..")}},
		{"PathParams", "listTags", []ask{with(endpoint, "tags"), with(endpoint+"/", "tags")}},
	} {
		for _, request := range test.requests {
			for _, opts := range []opts{nil, {rpcfleet.WithoutValidation()}} {
				_, err := rpcfleet.Do[note](t.Context(), client, request, opts...)
				invalid := errorAs[*rpcfleet.ValidationError](t, err, "%+v", request)
				assert.Equal(t, test.field, invalid.Field, "%+v", request)
				assert.Contains(t, invalid.Rule, test.rule)
				assert.NotContains(t, err.Error(), "elsewhere.example/v0", "it may be an endpoint's address")
				assert.Equal(t, slices.Contains([]string{"Method", "Operation", "Area", "Path", "PathParams"}, test.field) ||
					test.rule == "dot", invalid.Value != nil, "%+v", request)
			}
		}
	}
	_, err := rpcfleet.Do[note](t.Context(), client, ask{Method: "POST", Path: "/v0/endpoints", Idempotent: true})
	require.ErrorContains(t, err, "Idempotent must not be set: POST /v0/endpoints is not idempotent")
	assert.Empty(t, server.Requests())
}

// FuzzDoPaths checks that a path follows its template, with each value one part of it, or is refused.
func FuzzDoPaths(f *testing.F) {
	for _, template := range []string{
		"/v0/endpoints/{id}", "/v0/notes/{id}/", "/{id}", "/v0/{id}/../x", "/v0/a%2fb/{id}", "//{id}", "/v0/..;/{id}",
		"/v0/{id}?x", "{id}",
	} {
		for _, value := range []string{"ep1", "", "..", "a/b", "%2e%2e", "ü?#", "tags", "{id}", "\x00\xff", "a;b", `..\..`} {
			f.Add(template, value)
		}
	}
	var paths []string
	server := script{scriptnet.Serve(f)}
	server.Config.Handler = http.HandlerFunc(
		func(_ http.ResponseWriter, r *http.Request) { paths = append(paths, r.URL.EscapedPath()) })
	client := server.client(f)
	f.Fuzz(func(t *testing.T, template, value string) {
		paths = nil
		_, err := rpcfleet.Do[struct{}](t.Context(), client, ask{
			Method: "GET", Path: template, PathParams: map[string]string{"id": value},
		})
		if len(paths) == 0 {
			assert.NotEmpty(t, errorAs[*rpcfleet.ValidationError](t, err).Field)
			return
		}
		require.NoError(t, err)
		require.Len(t, paths, 1)
		want, got := strings.Split(template, "/"), strings.Split(paths[0], "/")
		require.Len(t, got, len(want), "%q with %q became %q", template, value, paths[0])
		for i, part := range want {
			if part == "{id}" { // It is the value, escaped.
				part = value
				got[i] = must(url.PathUnescape(got[i]))(t)
				assert.NotContains(t, []string{"", ".", ".."}, value)
			}
			assert.Equal(t, part, got[i])
		}
	})
}
